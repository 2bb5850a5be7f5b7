"""One card: the question and the responses first, then what the metrics say and what is true."""

from functools import partial
from urllib.parse import parse_qsl

import streamlit as st

from corescore.metrics import METRIC_IDS
from corescore.plots import pitfalls as pitfall_plots
from corescore.rendering import pitfall_cards
from corescore.rendering.html import paragraph
from corescore.sentences.names import subscripted
from corescore.teaching.pitfalls import Pitfall
from corescore.teaching.pitfalls.pitfall import CHOICES, SAME, Scored
from corescore.teaching.pitfalls.tables import score_comparison, truth_table
from corescore.teaching.toy.export import query_of
from dashboard.session.pages import page_named
from dashboard.views.pitfalls import presenting
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import subtitle, title
from dashboard.widgets.tables import download

LABELS = {"A": "A is better", "B": "B is better", SAME: "Neither is better"}
KEYS = {"A": "choose_a", "B": "choose_b", SAME: "choose_same"}


def show_card(pitfall: Pitfall, *, leads_on: str = "") -> None:
    """The question and the responses; once it is revealed, everything else.

    leads_on  a sentence that stands below what the metrics say, if the card is one of several
    """
    revealed = presenting.is_revealed(pitfall)
    with st.container(key=presenting.STAGE):
        heading = subscripted(pitfall.title if revealed else pitfall.question)
        title(plain(heading))
        question = paragraph(subscripted(pitfall.question), "pit-question")
        sides = pitfall_cards.sides(pitfall, asked=not revealed)
        st.html(f"{question if revealed else ''}{sides}")
        if revealed:
            show_scores(pitfall, leads_on)
        else:
            ask(pitfall)
    if revealed:
        show_files(pitfall)
        show_ways_on(pitfall)
        subtitle(f"Checked: {pitfall_cards.tally(pitfall.checks)}")
        st.html(pitfall_cards.claim_list(pitfall.checks))


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
    if not presenting.is_presenting():
        st.html(paragraph(pitfall_cards.WORDS, "pit-words"))


def show_scores(pitfall: Pitfall, leads_on: str) -> None:
    """What became of the choice, what the metrics say, and what is true."""
    st.html(
        pitfall_cards.answer(pitfall, presenting.choice_of(pitfall.id))
        + paragraph(pitfall_cards.finding(pitfall), "headline")
    )
    left, right = st.container(key="card_told").columns([1.6, 1], gap="medium")
    left.html(pitfall_cards.score_table(pitfall))
    right.html(pitfall_cards.truth_rows(pitfall) + pitfall_cards.why(pitfall))
    if leads_on:
        st.html(paragraph(leads_on, "pit-leads"))


def show_files(pitfall: Pitfall) -> None:
    """Both tables as files, the first as a chart too; each with its own policies."""
    scores = score_comparison(pitfall)
    chart = partial(
        pitfall_plots.comparison,
        scores,
        measure=pitfall.measure,
        title=pitfall.title,
        finding=pitfall_cards.finding(pitfall),
    )
    with st.container(key="card_files", gap=None):
        name = "scores", pitfall.id
        download(scores, pitfall.signature, *name, chart=chart, of="What the metrics say:")
        truth = truth_table(pitfall)
        download(truth, pitfall.truth_signature, "truth", pitfall.id, of="The truth:")


def show_ways_on(pitfall: Pitfall) -> None:
    """Links into the sandbox, and back to the question."""
    with st.container(horizontal=True, vertical_alignment="center"):
        outputs = [pitfall.case.a] if pitfall.is_one_output else [pitfall.case.a, pitfall.case.b]
        for output in outputs:
            show_sandbox_links(pitfall, output)
        st.button("Ask again", key="ask_again", on_click=presenting.ask_again, args=(pitfall.id,))


def show_sandbox_links(pitfall: Pitfall, output: Scored) -> None:
    """A link into the sandbox for each document of a response, with the metric it is about."""
    name = "the response" if pitfall.is_one_output else output.letter
    metric = next((metric for metric in pitfall.misled if metric in METRIC_IDS), "")
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
