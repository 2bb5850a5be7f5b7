"""A against B mention by mention: who earns more, in each slice, and where they differ most."""

from functools import partial
from html import escape

import pandas as pd
import streamlit as st

from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B, error_counts
from corescore.analysis.systems.mentions import (
    A_MORE,
    B_MORE,
    BOTH_ALL,
    BOTH_PART,
    NOTHING,
    most_unequal,
)
from corescore.metrics import CONLL, CREDITED_IDS, ROW_IDS, colour_of
from corescore.plots.compare import parts
from corescore.plots.template import label
from corescore.rendering import drawn
from corescore.sentences import compare as sentences
from corescore.sentences import credit
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import in_percent
from dashboard.views.two_systems import behind, cached, columns
from dashboard.views.two_systems.shown import Shown
from dashboard.widgets import text_link as to_text
from dashboard.widgets.charts import chart, kept
from dashboard.widgets.error_counts import show_behind
from dashboard.widgets.error_link import follow_elsewhere
from dashboard.widgets.link_values import switch
from dashboard.widgets.page import headline, note, subtitle
from dashboard.widgets.selection import select_metric, select_slice
from dashboard.widgets.tables import download, table

MOST_LISTED = 300  # rows
STATUS = "status"
_parts = kept(parts)
# What the parts of a bar are, and what stands over their numbers.
BY_CREDIT = {A_MORE: "A", BOTH_ALL: "all", BOTH_PART: "part", NOTHING: "none", B_MORE: "B"}
BY_STATUS = {ONLY_A: "A", BOTH_CORRECT: "both", BOTH_WRONG: "neither", ONLY_B: "B"}
MEANING = (
    "By a metric: who earns the larger share of what the mention could earn, towards precision "
    "where that is the measure, otherwise towards recall. "
    f"By status: who has it correct. {sentences.CORRECT_MEANS}"
)


@st.fragment
def show(shown: Shown) -> None:
    """Who earns more by the mentions, under each metric and in each slice; who has them correct."""
    subtitle("Mention by mention")
    side = "precision" if shown.measure == "precision" else "recall"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        options = [*CREDITED_IDS, *([STATUS] if side == "recall" else [])]
        compared_by = select_metric("Compared by", options, key="right_by")
        by = select_slice(shown.loaded.key)
    credited = "lea" if compared_by == STATUS else compared_by
    mentions = cached.mentions(shown.loaded, credited, side=side)
    status = mentions["outcome"].value_counts()
    by_metric = cached.verdicts(shown.loaded, side=side)
    said = what_is_said(shown, credited, status)
    headline(said)
    left, right = st.container(key="mention_by_mention").columns(2, gap="medium")
    with left:
        metrics = list(CREDITED_IDS)
        show_parts(shown, by_metric.loc[metrics], BY_CREDIT, metrics, f"By metric. {said}")
        if side == "recall":
            by_status = status.to_frame(STATUS).T
            show_parts(shown, by_status, BY_STATUS, [STATUS], f"By status. {said}")
            show_behind(shown.loaded)
    with right:
        of, heads = ("outcome", BY_STATUS) if compared_by == STATUS else ("verdict", BY_CREDIT)
        slices = error_counts(mentions, of=of, by=by)
        slices = slices[slices.any(axis=1)]
        alt = f"The same for mentions by {SLICE_NAMES[by]}."
        if not slices.empty:
            show_parts(shown, slices, heads, [compared_by] * len(slices), alt, by)
            if compared_by == STATUS:
                ordered = slices.reindex(columns=list(heads), fill_value=0)
                behind.show_numbers(shown.loaded, ordered, by)
    note(f"{MEANING} {behind.ABOUT} {credit.not_told()}".strip())
    name = "mentions", *([side] if side == "precision" else []), credited, *shown.names
    download(mentions, shown.pair.signature, *name, signed=False)
    follow_elsewhere()


def what_is_said(shown: Shown, metric: str, status: pd.Series) -> str:
    """Who earns more, by the measure shown: of F1 towards both recall and precision."""
    sides = [side for side in ("recall", "precision") if shown.measure in (side, "f1")]
    told = [
        sentences.mentions(metric, cached.verdicts(shown.loaded, side=side).T[metric], side=side)
        for side in sides
    ]
    if "recall" in sides:
        told.append(sentences.statuses(status))
    return " ".join(told)


def show_parts(
    shown: Shown,
    counts: pd.DataFrame,
    heads: dict[str, str],
    coloured_as: list[str],
    alt: str,
    by: str = "",
) -> None:
    """How many mentions of each row are of which kind; `by` what the rows are slices."""
    counts = counts.reindex(columns=list(heads), fill_value=0)
    rows = [escape(str(name)) if by else row_name(name) for name in counts.index]
    called = ("mentions-by", by) if by else ("mentions", *dict.fromkeys(coloured_as))
    key = f"parts {' '.join(called)}"
    chart(
        _parts(
            counts,
            rows,
            [colour_of(name) if name in ROW_IDS else CONLL.colour for name in coloured_as],
            heads=list(heads.values()),
        ),
        *called,
        *shown.names,
        key=key,
        on_select=partial(behind.open_behind, shown.loaded, key, by),
        alt=alt,
        rows=behind.TABLE
        if by and heads is BY_STATUS
        else lambda: drawn.readable(counts.rename_axis(by or "by").reset_index()),
    )


def row_name(name: str) -> str:
    """A metric, or the status, at the left of a bar."""
    return f"<b>{STATUS}</b>" if name == STATUS else label(name)


@st.fragment
def show_most_unequal(shown: Shown) -> None:
    """The mentions, or the entities of the key, of which A and B earn most unequally."""
    subtitle("Where they differ most")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        listed = switch("Listed", ["mentions", "entities"], key="listed", is_lasting=True)
        metric = select_metric("Credit under", CREDITED_IDS, key="credit_under")
    of = cached.entities if listed == "entities" else cached.mentions
    unequal = most_unequal(of(shown.loaded, metric))
    if silent := credit.not_told():
        note(silent)
    said = sentences.unequal(metric, listed, unequal, most=MOST_LISTED)
    headline(said)
    if unequal.empty:
        return
    rows = unequal.head(MOST_LISTED)
    if listed == "mentions":
        rows = in_percent(rows, ["credit_a", "credit_b"])
    columns_shown = columns.UNEQUAL[listed]()
    spans = list(zip(rows["start"].tolist(), rows["end"].tolist(), strict=True))
    widget = f"unequal {listed} {metric}"
    table(
        rows[list(columns_shown)],
        columns_shown,
        most=8,
        key=widget,
        on_select=lambda: to_text.choose_row(widget, rows["document"].to_list(), spans),
        alt=f"The {listed} of which A and B earn most unequally; a click on a row opens the text.",
    )
    name = f"unequal-{listed}", metric, *shown.names
    download(unequal, shown.pair.signature, *name, signed=False)
    to_text.follow_elsewhere()
