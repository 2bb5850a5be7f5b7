"""One card of the lesson: its question, what is revealed stage by stage, and the presenter mode."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

import streamlit as st
from markupsafe import Markup

from corescore.metrics import METRIC_IDS
from corescore.plots import pitfalls as pitfall_plots
from corescore.rendering import classroom
from corescore.rendering.html import STYLES, paragraph
from corescore.teaching.criteria import (
    CHOICES,
    SAME,
    link_table,
    score_comparison,
)
from corescore.teaching.examples import query_of
from corescore.teaching.pitfalls import Pitfall
from dashboard.components.page import presenter_keys
from dashboard.session import teaching
from dashboard.widgets.links import link_to_view
from dashboard.widgets.page import plain, question, say, side_by_side, subtitle, title
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

_ANSWERS = "pitfall_answers"  # by card


class Answer(NamedTuple):
    """What was selected on a card in this session, "" for nothing, and the stage revealed then."""

    choice: str = ""
    stage: str = QUESTION


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
    st.query_params["present"] = YES


def leave() -> None:
    """End the presenter mode."""
    st.query_params.pop("present", None)


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
    answer: Answer = st.session_state.get(_ANSWERS, {}).get(card, Answer())
    return answer


def choose(card: str, choice: str, stage: str = MARKED) -> None:
    """Keep a choice, and what is revealed after it."""
    answers = st.session_state.get(_ANSWERS, {})
    st.session_state[_ANSWERS] = {**answers, card: Answer(choice, stage)}


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
        st.query_params["revealed"] = stage


def cover() -> None:
    """Show the question of whatever card comes next, judged by its own criterion."""
    st.query_params.pop("revealed", None)
    st.query_params.pop(CRITERION, None)


def ask_again(card: str) -> None:
    """Forget the choice made on a card, and cover it."""
    cover()
    choose(card, "", QUESTION)


# --------------------------------------------------------------------------------------------------
# One card: the question and the responses first, then what agrees with the key, by which criterion
# which is better, and what the metrics say.

LABELS = {"A": "A is better", "B": "B is better", SAME: "Neither is better"}

_BOX = "criterion_box"

KEYS = {"A": "choose_a", "B": "choose_b", SAME: "choose_same"}


def show_card(pitfall: Pitfall, *, leads_on: str = "") -> None:
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
    sides, metrics = classroom.sides(pitfall, marked=True), metrics_at(pitfall, stage)
    if not presents:
        st.html(sides)
    with side_by_side("center", key="card_criteria"):
        choose_criterion(pitfall)
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


def metrics_at(pitfall: Pitfall, stage: str) -> tuple[str, ...]:
    """The metrics that are asked at a stage."""
    return {ONE_METRIC: (pitfall.featured,), ALL: pitfall.shown}.get(stage, ())


def choose_criterion(pitfall: Pitfall) -> None:
    """By what a response is better; kept in the URL."""
    names = {one.id: one.name for one in pitfall.criteria}
    st.session_state[_BOX] = pitfall.criterion.id
    st.segmented_control(
        "Better by",
        [*names],
        required=True,
        format_func=names.__getitem__,
        key=_BOX,
        on_change=lambda: st.query_params.update({CRITERION: st.session_state[_BOX]}),
        label_visibility="collapsed",
    )


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
