"""A against B document by document, under one metric."""

from functools import partial

import pandas as pd
import streamlit as st

from corescore.metrics import colour_of
from corescore.plots import compare as compare_plots
from corescore.plots.compare import parts
from corescore.plots.template import label
from corescore.rendering import drawn
from corescore.scoring.tables import document_summary
from corescore.sentences import compare as sentences
from corescore.wording import in_percent
from dashboard.views.two_systems import columns
from dashboard.views.two_systems.shown import Shown
from dashboard.widgets import text_link as to_text
from dashboard.widgets.charts import chart, kept
from dashboard.widgets.page import headline, note, subtitle
from dashboard.widgets.selection import select_metric
from dashboard.widgets.tables import download, table

_parts, _documents = kept(parts), kept(compare_plots.documents)
_BY_DOCUMENT = "A row for each document: A, B, B − A and sizes"


@st.fragment
def show(shown: Shown) -> None:
    """Each document, and on how many A and B are ahead."""
    place = subtitle("Where? Document by document")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = select_metric("Compared by", shown.metrics, key="by")
        to_text.link_to_clicked(shown.loaded, together=True)
    of_metric = shown.documents[shown.documents["metric"] == metric]
    of_metric = of_metric.drop(columns="metric").reset_index(drop=True)
    sentence = sentences.documents(metric, of_metric)
    with place:
        headline(sentence)
    left, right = st.columns([1, 1.15], gap="medium")
    with left:
        chart(
            _documents(of_metric, metric, shown.measure),
            "documents",
            metric,
            *shown.names,
            key="documents_chart",
            on_select=lambda: to_text.choose_point("documents_chart"),
            alt=f"Each document, A across and B up. {sentence}",
            rows=_BY_DOCUMENT,
        )
    with right:
        show_wins(shown, metric)
    show_table(shown, of_metric, metric)
    to_text.follow()


def show_wins(shown: Shown, metric: str) -> None:
    """On how many documents A and B are ahead under each metric."""
    wins = shown.significance[["wins_a", "ties", "wins_b"]]
    ahead = wins.set_axis(["A ahead", "tie", "B ahead"], axis=1)
    chart(
        _parts(
            ahead,
            [label(name) for name in wins.index],
            [colour_of(name) for name in wins.index],
            heads=["A", "tie", "B"],
        ),
        "documents-ahead",
        *shown.names,
        key="wins",
        alt="On how many documents A or B is ahead under each metric.",
        rows=partial(drawn.by_metric, ahead),
    )
    note(sentences.sign_test(metric, shown.significance.T[metric]))


def show_table(shown: Shown, of_metric: pd.DataFrame, metric: str) -> None:
    """A row for each document; a click on it opens its text."""
    summary = document_summary(shown.pair.a)
    sizes = summary[["words", "key_mentions", "key_entities"]]
    rows = in_percent(of_metric, ["a", "b", "difference"]).join(sizes, on="document")
    rows = rows.sort_values("difference", ascending=False, kind="stable")
    table(
        rows,
        columns.document_columns(metric, shown.measure),
        key="documents_table",
        on_select=lambda: to_text.choose_row("documents_table", rows["document"].to_list()),
        alt=f"{_BY_DOCUMENT}; a click on a row opens its text.",
    )
    name = "documents", *shown.names
    download(shown.documents, shown.pair.signature, *name, signed=False)
