"""Lesson: one list of steps and cards, and each of them on its own, to go through with a class."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from corescore.metrics import METRIC_IDS, SCORE_IDS
from corescore.metrics import name_of as metric_named
from corescore.plots import pitfalls as pitfall_plots
from corescore.rendering import classroom
from corescore.rendering.html import STYLES, paragraph, problem_list
from corescore.sentences.names import escaped
from corescore.teaching.criteria import (
    CHOICES,
    GROUPS,
    SAME,
    link_table,
    score_comparison,
)
from corescore.teaching.examples import query_of
from corescore.teaching.exercises import (
    LESSON,
    LESSONS,
    MINUTES_OF_INTRODUCTION,
    LessonStep,
    minutes_of,
)
from corescore.teaching.own import GROUP as OWN_GROUP
from corescore.teaching.pitfalls import PITFALLS, Pitfall
from corescore.wording import counted
from dashboard.components.page import presenter_keys
from dashboard.session import teaching
from dashboard.session.state import Slot, State, state, write_url
from dashboard.widgets.links import link_to_view
from dashboard.widgets.page import (
    fold,
    headline,
    note,
    offer,
    plain,
    question,
    say,
    side_by_side,
    signature_to_copy,
    subtitle,
    title,
)
from dashboard.widgets.selection import switch
from dashboard.widgets.tables import download

# Cards one after another, by mouse and by keys: what is selected and revealed, and for whom -------
# Which card is shown is the page's own part of the URL. A card is revealed in stages:
# `revealed=marks` (what of A and B agrees with the key), `metric` (what one metric says) and `yes`
# (all of it). `criterion=` is the one by which it is judged, and `present=yes` the presenter mode,
# with large type and nothing beside the card. Choices are kept in the session only, so that a link
# shows the question.

HERE = Path(__file__).parent

YES, REVEAL = "yes", "Reveal"

QUESTION, MARKED, ONE_METRIC, ALL = STAGES = ("", "marks", "metric", YES)

PRESENTING_LABELS = {QUESTION: REVEAL, MARKED: "Ask one metric", ONE_METRIC: "Ask all metrics"}

CRITERION = "criterion"

STAGE = "card_stage"  # what a presenter shows at once


class Answer(NamedTuple):
    """What was selected on a card in this session, "" for nothing, and the stage revealed then."""

    choice: str = ""
    stage: str = QUESTION


class _State(State):
    """The answers by card, and the criterion that its box shows."""

    pitfall_answers = Slot[Mapping[str, Answer]]({})
    criterion_box = Slot("")


_state = _State()


def is_presenting() -> bool:
    """Whether the URL asks for the presenter mode."""
    return st.query_params.get("present") == YES


def dress() -> None:
    """The styles of the cards and, for a presenter, of a page without a sidebar."""
    st.html(STYLES / "pitfalls.css")
    if is_presenting():
        st.html(HERE / "present.css")


def present() -> None:
    """Begin the presenter mode."""
    write_url({"present": YES})


def leave() -> None:
    """End the presenter mode."""
    write_url({"present": None})


def kept(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a link that stays in the presenter mode where that is on."""
    return {**query, "present": YES} if is_presenting() else {**query}


def heading(words: str) -> None:
    """What a card or step is called: beside the page’s name, which a presenter does not see."""
    (title if is_presenting() else question)(words)


def bar(back: Callable[[], None], forward: Callable[[], None], *, label: str, place: str) -> None:
    """The buttons that the keys press too, and what the keys do.

    label  of the button that goes on: REVEAL before the card is revealed
    place  which card or step this is
    """
    presents, asks = is_presenting(), label == REVEAL
    st.button("Back", key="card_back", on_click=back)
    st.button(label, key="card_forward", on_click=forward, type="primary")
    if presents:
        st.button("Leave", key="card_leave", on_click=leave)
    else:
        st.button("Present", key="card_present", on_click=present)
    keys = "A, B or S (neither is better) selects; → reveals without a choice"
    leaving = "; Esc leaves" if presents else ""
    hint = f"{place}. Keys: {keys if asks else '→ goes on'}; ← goes back{leaving}."
    presenter_keys(hint, asks=asks, fits=f".st-key-{STAGE}" if presents else "")


# What is selected and revealed --------------------------------------------------------------------


def answer_to(card: str) -> Answer:
    """The answer that was given to a card."""
    return _state.pitfall_answers.get(card, Answer())


def choose(card: str, choice: str, stage: str = MARKED) -> None:
    """Keep a choice, and what is revealed after it."""
    _state.pitfall_answers = {**_state.pitfall_answers, card: Answer(choice, stage)}


def stage_of(pitfall: Pitfall) -> str:
    """How much of a card is revealed, one of STAGES: by the URL, or by a choice and after it."""
    in_url = st.query_params.get("revealed", QUESTION)
    of_url = in_url if in_url in STAGES else QUESTION
    return max(of_url, answer_to(pitfall.id).stage, key=STAGES.index)


def is_revealed(pitfall: Pitfall) -> bool:
    """Whether all of a card is revealed."""
    return stage_of(pitfall) == ALL


def is_answered(pitfall: Pitfall) -> bool:
    """Whether a choice was made, or the answer was shown."""
    return bool(answer_to(pitfall.id).choice) or pitfall.id in teaching.seen()


def label_of(pitfall: Pitfall) -> str:
    """What the button that goes on does next to a card; "Next" if all of it is revealed."""
    return PRESENTING_LABELS.get(stage_of(pitfall), "Next")


def reveal(pitfall: Pitfall) -> None:
    """Reveal the next stage of the card of the page: as a link does, but after a choice for this
    session only."""
    stage = STAGES[STAGES.index(stage_of(pitfall)) + 1]
    if choice := answer_to(pitfall.id).choice:
        choose(pitfall.id, choice, stage)
    else:
        write_url({"revealed": stage})


def cover() -> None:
    """Show the question of whatever card comes next, judged by its own criterion."""
    write_url({"revealed": None, CRITERION: None})


def ask_again(card: str) -> None:
    """Forget the choice made on a card, and cover it."""
    cover()
    choose(card, "", QUESTION)


# --------------------------------------------------------------------------------------------------
# One card: the question and the responses first, then what agrees with the key, by which criterion
# which is better, and what the metrics say.

LABELS = {"A": "A is better", "B": "B is better", SAME: "Neither is better"}

KEYS = {"A": "choose_a", "B": "choose_b", SAME: "choose_same"}


def show_card(pitfall: Pitfall, *, leads_on: str) -> None:
    """The question and the responses; then, stage by stage, everything else.

    leads_on  a sentence that stands below what the metrics say, if the card is one of several
    """
    pitfall, stage = pitfall.by(st.query_params.get(CRITERION, "")), stage_of(pitfall)
    asked, whole = stage == QUESTION, stage == ALL
    if whole:
        teaching.see(pitfall.id)
    with st.container(key=STAGE):
        heading(plain(pitfall.title if whole else pitfall.question))
        if whole and not is_presenting():
            say(pitfall.question, "pit-question")
        if asked:
            st.html(classroom.sides(pitfall, marked=False, asked=True))
            ask(pitfall)
        else:
            show_answer(pitfall, stage, leads_on)
    if whole and not is_presenting():
        # Both tables as files, the first as a chart too; each with its own policies.
        scores = score_comparison(pitfall)
        chart = partial(
            pitfall_plots.comparison,
            scores,
            measure=pitfall.measure,
            title=pitfall.title,
            finding=classroom.finding(pitfall),
        )
        with st.container(key="card_files", gap=None):
            name = "scores", pitfall.id
            download(
                scores,
                pitfall.signature,
                *name,
                chart=chart,
                about="What the metrics say:",
                signed=True,
            )
            links = link_table(pitfall)
            about = "Links and entities of A and B:"
            download(links, pitfall.link_signature, "links", pitfall.id, about=about, signed=True)
        show_ways_on(pitfall)
        if pitfall.claims:
            subtitle(f"Checked: {classroom.tally(pitfall.checks)}")
            st.html(classroom.claim_list(pitfall.checks))


def ask(pitfall: Pitfall) -> None:
    """Which response is better?"""
    with st.container(horizontal=True, key="choices"):
        for choice in CHOICES:
            st.button(
                LABELS[choice],
                key=KEYS[choice],
                on_click=choose,
                args=(pitfall.id, choice),
            )
    if not is_presenting():
        say(classroom.WORDS, "pit-words")


def show_answer(pitfall: Pitfall, stage: str, leads_on: str) -> None:
    """What of A and B agrees with the key, what became of the choice, A and B by each criterion,
    and what metrics say at this stage; for a presenter the key, A and B stand beside the rest."""
    presents, whole = is_presenting(), stage == ALL
    sides = classroom.sides(pitfall, marked=True)
    metrics = {ONE_METRIC: (pitfall.featured,), ALL: pitfall.shown}.get(stage, ())
    if not presents:
        st.html(sides)
    with side_by_side("center", key="card_criteria"):
        # By what a response is better; kept in the URL.
        names = {one.id: one.name for one in pitfall.criteria}
        _state.criterion_box = pitfall.criterion.id
        st.segmented_control(
            "Better by",
            [*names],
            required=True,
            format_func=names.__getitem__,
            key="criterion_box",
            on_change=lambda: write_url({CRITERION: _state.criterion_box}),
            label_visibility="collapsed",
        )
        st.button("Ask again", key="ask_again", on_click=ask_again, args=(pitfall.id,))
    finding = classroom.judgement(pitfall)
    if metrics:
        finding += f" {classroom.disagreement(pitfall, metrics)}"
    verdict = classroom.answer(pitfall, answer_to(pitfall.id).choice) + paragraph(
        finding, "headline"
    )
    criteria, links = classroom.criterion_rows(pitfall), classroom.link_rows(pitfall)
    table = classroom.score_table(pitfall, metrics) if metrics else criteria
    why = classroom.why(pitfall) if whole else Markup()
    if not presents:
        st.html(verdict)
    left, right = st.container(key="card_told").columns([1, 1.15] if presents else [1.6, 1])
    if presents:
        # A class has seen the criteria before; the numbers of links stand beside A and B.
        left.html(sides)
        right.html(verdict + table + (why if metrics else links))
    else:
        left.html(table)
        right.html((criteria if metrics else Markup()) + links + why)
    if leads_on and whole:
        with right if presents else st.container():
            say(leads_on, "pit-leads")


def show_ways_on(pitfall: Pitfall) -> None:
    """Links into the sandbox."""
    with side_by_side("center"):
        outputs = [pitfall.case.a] if pitfall.is_one_output else [pitfall.case.a, pitfall.case.b]
        for output in outputs:
            # A link into the sandbox for each document of a response, with the metric it is about.
            name = "the response" if pitfall.is_one_output else output.letter
            metric = next((metric for metric in pitfall.about if metric in METRIC_IDS), "")
            for number, toy in enumerate(output.toys, 1):
                which = f", document {number}" if len(output.toys) > 1 else ""
                sandbox_link(
                    f"Open {name}{which} in the sandbox",
                    query_of(toy, metric=metric),
                    key=f"read_{output.letter}_{number}",
                )


def sandbox_link(label: str, query: str, *, key: str) -> None:
    """A link into the sandbox; `query` is the part of its URL after "?"."""
    params = dict(parse_qsl(query, keep_blank_values=True))
    with st.container(key=key, width="content"):
        link_to_view("sandbox", label, **kept(params))


STEP, CARD, MINUTES, ABOUT = "step", "card", "minutes", "about"
HOW = (
    "The sandbox shows when the goal is reached. That marks this step as done, and a link leads "
    "back to the lesson. Next and the right arrow "
    "key go on before that."
)
REACHED = "✓ You have reached this goal. Go on with Next or the right arrow key."

INTRODUCTION, ASKED_FIRST = "introduction", "Six metrics: what does each of them ask?"

_MINUTES = {f"{minutes} minutes": minutes for minutes in LESSONS}

EVERY = "all"


def page() -> None:
    """The step or the card that the URL names, or the list of all."""
    dress()
    _, problems = teaching.own_cards()
    if problems:
        st.html(problem_list(problems, kept=False))
    line = side_by_side("center", key="card_bar")
    with line:  # before all else, as it decides which steps there are, and for a presenter, too,
        switch(MINUTES, list(_MINUTES))  # who does not see it: else it would leave the URL
    if walk()[-1]:
        show_one(line)
    else:
        show_list(line)
    teaching.keep_in_tab()


# Where one is -------------------------------------------------------------------------------------


def lesson() -> dict[int, LessonStep]:
    """The steps of the lesson of the length selected, by their numbers in the longest."""
    numbers = {step.id: number for number, step in enumerate(LESSON, 1)}
    minutes = _MINUTES[state.minutes or next(iter(_MINUTES))]
    return {numbers[step.id]: step for step in LESSONS[minutes]}


def every_card() -> dict[str, Pitfall]:
    """All cards by their ids, those of one's own first."""
    own, _ = teaching.own_cards()
    return {pitfall.id: pitfall for pitfall in (*own, *PITFALLS)}


def walk() -> tuple[str, list[str], str]:
    """The URL name of what is gone through one by one, cards or steps of the lesson; its values in
    order, and that of the URL, which is empty in the list."""
    steps = [str(number) for number in (0, *lesson())]
    for name, places in ((CARD, [*every_card()]), (STEP, steps)):
        if (place := st.query_params.get(name, "")) in places:
            return name, places, place
    return STEP, steps, "0" if is_presenting() else ""


def shown() -> tuple[Pitfall | None, LessonStep | None]:
    """The card and the step that the URL names; of the introduction and the list there is none."""
    name, _, place = walk()
    if name == CARD:
        return every_card()[place], None
    step = lesson().get(int(place or 0))
    return step.pitfall if step else None, step


def go(place: str, name: str = STEP) -> None:
    """Go to a step or a card, its question first; to the list if the place is empty."""
    cover()
    write_url({CARD: None, STEP: None, name: place or None})


# The callbacks ask where they are: of two quick presses of a key, the second may come from a button
# that is about to be redrawn.


def back() -> None:
    """Go to the one before, or from the first to the list; a presentation stays on its first."""
    name, places, place = walk()
    if place != places[0]:
        go(places[places.index(place) - 1] if place else "", name)
    elif not is_presenting():
        go("")


def forward() -> None:
    """Reveal the card, or go on, if there is more; a card is done then, an exercise in the
    sandbox."""
    name, places, place = walk()
    pitfall, step = shown()
    if pitfall and not is_revealed(pitfall):
        reveal(pitfall)
        return
    if pitfall or step is None:
        teaching.mark(pitfall.id if pitfall else INTRODUCTION)
    if place != places[-1]:
        go(places[places.index(place) + 1] if place else "", name)


# The list -----------------------------------------------------------------------------------------


def show_list(line: DeltaGenerator) -> None:
    """The steps of the lesson, each with a box to tick off; other cards by their groups."""
    steps = lesson()
    every = tuple(steps.values())
    checks = [check for pitfall in PITFALLS for check in pitfall.checks]
    listed = {INTRODUCTION, *(step.id for step in every)}
    n_done = len(listed & teaching.done())
    others = [p for p in every_card().values() if p.id not in listed]
    sentence = (
        f"A lesson of about {minutes_of(every)} minutes, "
        f"{n_done} of {counted(len(listed), 'step')} done, and {counted(len(others), 'more card')}."
    )
    with question("Where do metrics disagree?"):
        unknown = st.query_params.get(CARD)
        headline(f"There is no card “{unknown}”. {sentence}" if unknown else sentence)
    with line:
        metric = switch(
            ABOUT,
            (EVERY, *SCORE_IDS),
            called=lambda name: "all metrics" if name == EVERY else metric_named(name),
        )
        st.button("Present", key="present_all", on_click=present_lesson)
    with st.container(key="gallery", gap=None):
        if metric == EVERY:
            show_row(0, 0, INTRODUCTION, ASKED_FIRST)
        for place, (number, step) in enumerate(steps.items(), 1):
            about = [step.exercise.metric] if step.exercise else []
            about += step.pitfall.about if step.pitfall else []
            if metric in (EVERY, *about):
                show_row(place, number, step.id, name_of(step))
    for group in (OWN_GROUP, *GROUPS):
        cards = [p for p in others if p.group == group and metric in (EVERY, *p.about)]
        if cards:
            fold(
                f"{group}: {counted(len(cards), 'more card')}",
                partial(show_cards, group, cards),
                key=f"group {group} {metric}",
                is_open=metric != EVERY or group == OWN_GROUP,
            )
    with st.container(horizontal=True):
        offer(
            "Handout to print (HTML)",
            partial(classroom.handout, every),
            "handout.html",
            "text/html",
        )
        offer(
            "Answers to print (HTML)",
            partial(classroom.answers, every),
            "answers.html",
            "text/html",
        )
    note(f"Claims of all cards, computed: {classroom.tally(checks)}.")


def show_row(place: int, number: int, step: str, name: str) -> None:
    """A step of the list, its box ticked if it is done."""
    key = f"done {step}"
    st.session_state[key] = step in teaching.done()
    with side_by_side("center", gap="xsmall", wrap=False):
        st.checkbox(
            f"Step {place} is done",
            key=key,
            on_change=teaching.turn,
            args=(step,),
            label_visibility="collapsed",
        )
        st.button(
            f"{place}. {plain(name)}",
            key=f"step-{number}",
            on_click=go,
            args=(str(number),),
            type="tertiary",
            wrap=True,
        )


def show_cards(group: str, cards: list[Pitfall]) -> None:
    """The cards of one group, as many in a row as there is room for."""
    with st.container(key=f"pit_group_{group}"):
        for pitfall in cards:
            with st.container(border=True, height="stretch"):
                st.button(
                    plain(pitfall.title if is_answered(pitfall) else pitfall.question),
                    key=f"card-{pitfall.id}",
                    on_click=go,
                    args=(pitfall.id, CARD),
                    type="tertiary",
                    width="stretch",
                    wrap=True,
                )
                st.html(classroom.tile(pitfall))


def present_lesson() -> None:
    """Begin the presenter mode with the introduction."""
    present()
    go("0")


def name_of(step: LessonStep) -> str:
    """What a step is called in a list: a card by its question until it was answered."""
    if step.pitfall and not is_answered(step.pitfall):
        return step.pitfall.question
    return f"{'Exercise: ' if step.exercise else ''}{step.title}"


# One step or card ---------------------------------------------------------------------------------


def show_one(line: DeltaGenerator) -> None:
    """The introduction, the card or the exercise, and what leads on and to the list."""
    (name, places, place), (pitfall, step) = walk(), shown()
    number, label = places.index(place), "Next" if place != places[-1] else "Done"
    if pitfall and not is_revealed(pitfall):
        label = label_of(pitfall)
    if pitfall and name == CARD:
        where = f"{pitfall.group}, card {number + 1} of {len(places)}"
    else:
        minutes = step.minutes if step else MINUTES_OF_INTRODUCTION
        where = f"Step {number} of {len(places) - 1}, about {counted(minutes, 'minute')}"
    with line:
        if not is_presenting():
            st.button("All", key="all_cards", on_click=go, args=("",))
        bar(back, forward, label=label, place=where)
    if pitfall:
        show_card(pitfall, leads_on=step.leads_on if step else "")
    elif step is None:
        heading(ASKED_FIRST)
        st.html(classroom.introduction())
        note(classroom.WORDS)
    elif step.exercise:
        # The goal and the start of an exercise, and the way to it.
        heading(plain(f"Exercise: {step.exercise.title}"))
        say(escaped(step.exercise.goal), "pit-goal")
        st.html(classroom.start(step.exercise.start))
        query = query_of(
            step.exercise.start, metric=step.exercise.metric, exercise=step.exercise.id
        )
        sandbox_link("Open the exercise in the sandbox", query, key="read_exercise")
        note(REACHED if step.exercise.id in teaching.done() else HOW)
        if not is_presenting():
            signature_to_copy(step.exercise.start.result.signature, key="exercise")
        say(step.leads_on, "pit-leads")
