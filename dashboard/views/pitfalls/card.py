"""One card: the question and the responses first, then what agrees with the key, by which
criterion which is better, and what the metrics say."""

from functools import partial
from urllib.parse import parse_qsl

import streamlit as st
from markupsafe import Markup

from corescore.metrics import METRIC_IDS
from corescore.plots import pitfalls as pitfall_plots
from corescore.rendering import classroom
from corescore.rendering.html import paragraph
from corescore.sentences.names import subscripted
from corescore.teaching.criteria import CHOICES, SAME, Scored, link_table, score_comparison
from corescore.teaching.examples import query_of
from corescore.teaching.pitfalls import Pitfall
from dashboard.session import progress
from dashboard.session.pages import page_named
from dashboard.views.pitfalls import presenting
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import subtitle, title
from dashboard.widgets.tables import download

LABELS = {"A": "A is better", "B": "B is better", SAME: "Neither is better"}
_BOX = "criterion_box"
KEYS = {"A": "choose_a", "B": "choose_b", SAME: "choose_same"}


def show_card(pitfall: Pitfall, *, leads_on: str = "") -> None:
    """The question and the responses; then, stage by stage, everything else.

    leads_on  a sentence that stands below what the metrics say, if the card is one of several
    """
    pitfall, stage = presenting.judged(pitfall), presenting.stage_of(pitfall)
    asked, whole = stage == presenting.QUESTION, stage == presenting.ALL
    if whole:
        progress.see(pitfall.id)
    with st.container(key=presenting.STAGE):
        title(plain(subscripted(pitfall.title if whole else pitfall.question)))
        if whole and not presenting.is_presenting():
            st.html(paragraph(subscripted(pitfall.question), "pit-question"))
        st.html(classroom.sides(pitfall, marked=not asked, asked=asked))
        if asked:
            ask(pitfall)
        else:
            show_answer(pitfall, stage, leads_on)
    if whole:
        show_files(pitfall)
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
                on_click=presenting.choose,
                args=(pitfall.id, choice),
            )
        ask_class(pitfall)
    if not presenting.is_presenting():
        st.html(paragraph(classroom.WORDS, "pit-words"))


def ask_class(pitfall: Pitfall) -> None:
    """How many of a class are for which answer."""
    with st.popover("Class vote"):
        for choice in CHOICES:
            key = f"votes {pitfall.id} {choice}"
            st.number_input(
                f"Votes: {LABELS[choice]}",
                min_value=0,
                step=1,
                value=progress.votes(pitfall.id).get(choice, 0),
                key=key,
                on_change=count_votes,
                args=(pitfall.id, choice, key),
            )


def count_votes(card: str, choice: str, key: str) -> None:
    """Keep what was typed in."""
    progress.vote(card, choice, st.session_state[key])


def show_answer(pitfall: Pitfall, stage: str, leads_on: str) -> None:
    """What became of the choice, A and B by each criterion, and what metrics say at this stage."""
    with st.container(horizontal=True, vertical_alignment="center", key="card_criteria"):
        choose_criterion(pitfall)
        st.button("Ask again", key="ask_again", on_click=presenting.ask_again, args=(pitfall.id,))
    st.html(
        classroom.answer(pitfall, presenting.choice_of(pitfall.id), progress.votes(pitfall.id))
        + paragraph(finding_at(pitfall, stage), "headline")
    )
    left, right = st.container(key="card_told").columns([1.6, 1], gap="medium")
    criteria, links = classroom.criterion_rows(pitfall), classroom.link_rows(pitfall)
    if stage == presenting.MARKED:
        left.html(criteria)
        right.html(links)
        return
    left.html(classroom.score_table(pitfall, metrics_at(pitfall, stage)))
    whole = stage == presenting.ALL
    # For a class, the numbers of links stand beside A and B
    names = Markup() if presenting.is_presenting() else links
    right.html(criteria + names + (classroom.why(pitfall) if whole else Markup()))
    if leads_on and whole:
        st.html(paragraph(leads_on, "pit-leads"))


def metrics_at(pitfall: Pitfall, stage: str) -> tuple[str, ...]:
    """The metrics that are asked at a stage."""
    every = {presenting.ONE_METRIC: (pitfall.featured,), presenting.ALL: pitfall.shown}
    return every.get(stage, ())


def finding_at(pitfall: Pitfall, stage: str) -> str:
    """What A and B have by the criterion, and which of the metrics asked disagree with it."""
    told, metrics = classroom.judgement(pitfall), metrics_at(pitfall, stage)
    return f"{told} {classroom.disagreement(pitfall, metrics)}" if metrics else told


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
        on_change=take_criterion,
        label_visibility="collapsed",
    )


def take_criterion() -> None:
    """Put the criterion selected into the URL."""
    st.query_params[presenting.CRITERION] = st.session_state[_BOX]


def show_files(pitfall: Pitfall) -> None:
    """Both tables as files, the first as a chart too; each with its own policies."""
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
        download(scores, pitfall.signature, *name, chart=chart, of="What the metrics say:")
        links = link_table(pitfall)
        of = "Links and entities of A and B:"
        download(links, pitfall.link_signature, "links", pitfall.id, of=of)


def show_ways_on(pitfall: Pitfall) -> None:
    """Links into the sandbox."""
    with st.container(horizontal=True, vertical_alignment="center"):
        outputs = [pitfall.case.a] if pitfall.is_one_output else [pitfall.case.a, pitfall.case.b]
        for output in outputs:
            show_sandbox_links(pitfall, output)


def show_sandbox_links(pitfall: Pitfall, output: Scored) -> None:
    """A link into the sandbox for each document of a response, with the metric it is about."""
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
        st.page_link(page_named("sandbox"), label=label, query_params=presenting.kept(params))
