"""Lesson: one list of steps and cards, and each of them on its own, to go through with a class."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.metrics import METRIC_IDS
from corescore.metrics import name_of as metric_named
from corescore.rendering import classroom
from corescore.rendering.classroom import answers, handout
from corescore.rendering.html import problem_list
from corescore.sentences.names import escaped
from corescore.teaching.criteria import GROUPS
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
from dashboard.session import teaching
from dashboard.session.teaching import own_cards
from dashboard.views import pitfalls
from dashboard.views.pitfalls import heading, sandbox_link, show_card
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
)
from dashboard.widgets.selection import switch

STEP, CARD, MINUTES, ABOUT = "step", "card", "minutes", "about"
HOW = (
    "The sandbox shows when the goal is reached. That marks this step as done; a link there leads "
    "back to the lesson. Next and the right arrow key also go on before that."
)
REACHED = "✓ You have reached this goal. Go on with Next or the right arrow key."

INTRODUCTION, ASKED_FIRST = "introduction", "Six metrics: what does each of them ask?"

_MINUTES = {f"{minutes} minutes": minutes for minutes in LESSONS}

EVERY = "all"


def page() -> None:
    """The step or the card that the URL names, or the list of all."""
    pitfalls.dress()
    _, problems = own_cards()
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
    minutes = _MINUTES[st.session_state.get(MINUTES) or next(iter(_MINUTES))]
    return {numbers[step.id]: step for step in LESSONS[minutes]}


def every_card() -> dict[str, Pitfall]:
    """All cards by their ids, those of one's own first."""
    own, _ = own_cards()
    return {pitfall.id: pitfall for pitfall in (*own, *PITFALLS)}


def walk() -> tuple[str, list[str], str]:
    """The URL name of what is gone through one by one, cards or steps of the lesson; its values in
    order, and that of the URL, which is empty in the list."""
    steps = [str(number) for number in (0, *lesson())]
    for name, places in ((CARD, [*every_card()]), (STEP, steps)):
        if (place := st.query_params.get(name, "")) in places:
            return name, places, place
    return STEP, steps, "0" if pitfalls.is_presenting() else ""


def shown() -> tuple[Pitfall | None, LessonStep | None]:
    """The card and the step that the URL names; of the introduction and the list there is none."""
    name, _, place = walk()
    if name == CARD:
        return every_card()[place], None
    step = lesson().get(int(place or 0))
    return step.pitfall if step else None, step


def go(place: str, name: str = STEP) -> None:
    """Go to a step or a card, its question first; to the list if the place is empty."""
    pitfalls.cover()
    for one in (CARD, STEP):
        st.query_params.pop(one, None)
    if place:
        st.query_params[name] = place


# The callbacks ask where they are: of two quick presses of a key, the second may come from a button
# that is about to be redrawn.


def back() -> None:
    """Go to the one before, or from the first to the list; a presentation stays on its first."""
    name, places, place = walk()
    if place != places[0]:
        go(places[places.index(place) - 1] if place else "", name)
    elif not pitfalls.is_presenting():
        go("")


def forward() -> None:
    """Reveal the card, or go on, if there is more; a card is done then, an exercise in the
    sandbox."""
    name, places, place = walk()
    pitfall, step = shown()
    if pitfall and not pitfalls.is_revealed(pitfall):
        pitfalls.reveal(pitfall)
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
    n_done = sum(step.id in teaching.done() for step in every)
    checks = [check for pitfall in PITFALLS for check in pitfall.checks]
    listed = {step.id for step in every}
    others = [p for p in every_card().values() if p.id not in listed]
    sentence = (
        f"A lesson of about {minutes_of(every)} minutes, "
        f"{n_done} of {counted(len(every), 'step')} done, and {counted(len(others), 'more card')}."
    )
    with question("Where do metrics disagree?"):
        unknown = st.query_params.get(CARD)
        headline(f"There is no card “{unknown}”. {sentence}" if unknown else sentence)
    with line:
        metric = switch(
            ABOUT,
            (EVERY, *METRIC_IDS, "conll"),
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
        offer("Handout to print (HTML)", partial(handout, every), "handout.html", "text/html")
        offer("Answers to print (HTML)", partial(answers, every), "answers.html", "text/html")
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
                    plain(pitfall.title if pitfalls.is_answered(pitfall) else pitfall.question),
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
    pitfalls.present()
    go("0")


def name_of(step: LessonStep) -> str:
    """What a step is called in a list: a card by its question until it was answered."""
    if step.pitfall and not pitfalls.is_answered(step.pitfall):
        return step.pitfall.question
    return f"{'Exercise: ' if step.exercise else ''}{step.title}"


# One step or card ---------------------------------------------------------------------------------


def show_one(line: DeltaGenerator) -> None:
    """The introduction, the card or the exercise, and what leads on and to the list."""
    (name, places, place), (pitfall, step) = walk(), shown()
    number, label = places.index(place), "Next" if place != places[-1] else "Done"
    if pitfall and not pitfalls.is_revealed(pitfall):
        label = pitfalls.label_of(pitfall)
    if pitfall and name == CARD:
        where = f"{pitfall.group}, card {number + 1} of {len(places)}"
    else:
        minutes = step.minutes if step else MINUTES_OF_INTRODUCTION
        where = f"Step {number} of {len(places) - 1}, about {counted(minutes, 'minute')}"
    with line:
        if not pitfalls.is_presenting():
            st.button("All", key="all_cards", on_click=go, args=("",))
        pitfalls.bar(back, forward, label=label, place=where)
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
        if not pitfalls.is_presenting():
            signature_to_copy(step.exercise.start.result.signature, key="exercise")
        say(step.leads_on, "pit-leads")
