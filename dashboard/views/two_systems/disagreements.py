"""Where metrics disagree: every document under every metric, and any two metrics."""

from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from corescore.analysis.systems.documents import by_metric, disagreements, winners
from corescore.metrics import name_of
from corescore.plots import compare as compare_plots
from corescore.plots.template import ACCENT, MISSING, faint
from corescore.rendering import drawn
from corescore.rendering.html import render
from corescore.sentences import compare as sentences
from corescore.wording import in_percent
from dashboard.views.two_systems import columns
from dashboard.views.two_systems.shown import Shown
from dashboard.widgets import text_link as to_text
from dashboard.widgets.charts import chart, clicked_points, kept
from dashboard.widgets.page import headline, note
from dashboard.widgets.selection import select_lasting, select_metric
from dashboard.widgets.tables import download, table

ANY_WAY, A_FIRST, B_FIRST = "either way", "A by the one", "B by the one"
ASKED_BY = ("one", "other", "preferring")  # what a link names that asks for two metrics
# Translucent, so that the numbers can be read in both themes.
AHEAD = {"A": faint(MISSING, 0.3), "B": faint(ACCENT, 0.3)}
_disagreements = kept(compare_plots.disagreements)


@st.fragment
def show(shown: Shown) -> None:
    """Any two metrics, and all of them."""
    show_pairs(shown)
    show_winners(shown)
    to_text.follow_elsewhere()


def show_pairs(shown: Shown) -> None:
    """Two metrics: on which documents they name different winners."""
    said = sentences.most_opposed(shown.opposed, shown.n_documents)
    headline(said)
    left, right = st.container(key="disagree").columns([1, 1.15], gap="medium")
    with right:
        first, second = shown.first_two
        with st.container(horizontal=True):
            one = select_metric("One metric", shown.metrics, key="one", first=first)
            other = select_metric("Another", shown.metrics, key="other", first=second)
            direction = select_direction(one, other)
        show_opposed(shown, one, other, direction)
    with left:
        chart(
            _disagreements(shown.opposed, (one, other)),
            "disagreements",
            *shown.names,
            key="opposed",
            on_select=select_two,
            alt="On how many documents each two metrics name different winners.",
            rows=partial(drawn.by_metric, shown.opposed),
        )


def select_direction(one: str, other: str) -> str:
    """Which of the two metrics is to prefer A; the URL keeps it."""
    names = {
        ANY_WAY: "either way",
        A_FIRST: f"A under {name_of(one)}, B under {name_of(other)}",
        B_FIRST: f"B under {name_of(one)}, A under {name_of(other)}",
    }
    return select_lasting(
        "Ahead is", list(names), key="preferring", format_func=names.__getitem__, width=300
    )


def show_winners(shown: Shown) -> None:
    """B − A of each document under each metric, in the colour of who is ahead."""
    wide = by_metric(shown.documents[shown.documents["metric"].isin(shown.metrics)])
    rows = wide.reset_index()
    columns_shown = columns.winner_columns(list(wide.columns))
    table(
        in_percent(rows, list(wide.columns)),
        columns_shown,
        most=10,
        key="winners",
        on_select=lambda: to_text.choose_row("winners", rows["document"].to_list()),
        missing="–",
        style=shaded,
        alt="B − A of each document under each metric, those with most disagreement first; a "
        "click on a row opens its text.",
    )
    st.html(render("blocks", "who_is_ahead", a=AHEAD["A"], b=AHEAD["B"]))
    download(wide.reset_index(), shown.pair.signature, "winners", *shown.names, signed=False)


def shaded(rows: pd.DataFrame) -> Styler:
    """The cells in the colour of who is ahead."""
    scores = rows.columns.drop("document")
    return rows.style.apply(_shades, subset=scores)


def _shades(points: pd.Series) -> list[str]:
    ahead = winners(points.to_numpy() / 100)
    return [f"background-color: {AHEAD[who]}" if who in AHEAD else "" for who in ahead]


def select_two() -> None:
    """Select the two metrics whose number was clicked."""
    for one, other in clicked_points("opposed")[:1]:
        st.session_state["one"], st.session_state["other"] = one, other


def show_opposed(shown: Shown, one: str, other: str, direction: str) -> None:
    """The documents on which two metrics name different winners; a click opens the text."""
    n_opposed = int(shown.opposed[other][one])
    sentence = sentences.disagreement(one, other, n_opposed, shown.n_documents)
    note(sentence)
    if not n_opposed:
        return
    pair = shown.pair
    opposed = disagreements(pair.a, pair.b, metric=one, other=other, measure=shown.measure)
    if direction != ANY_WAY:
        opposed = opposed[(opposed[one] < 0) == (direction == A_FIRST)].reset_index(drop=True)
        note(sentences.direction(one, other, len(opposed), a_first=direction == A_FIRST))
    if opposed.empty:
        return
    widget = f"opposed_table {one} {other} {direction}"
    table(
        in_percent(opposed, [one, other, "margin"]),
        columns.opposed_columns(one, other),
        most=7,
        key=widget,
        on_select=lambda: to_text.choose_row(widget, opposed["document"].to_list()),
        alt=f"{sentence} A click on a row opens its text.",
    )
    name = "disagreements", one, other, *shown.names
    download(opposed, pair.signature, *name, signed=False)
