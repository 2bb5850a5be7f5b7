"""What share of its possible credit each metric gives each mention of a document."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import numbers_of_entities, texts
from corescore.analysis.credit.units import mention_share
from corescore.analysis.errors.mentions import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    SPAN_ERROR,
    UNLINKED,
    align,
    incorrectly_resolved,
    unlinked,
)
from corescore.arrays import AnyArray, BoolArray, IntArray
from corescore.counting.comparison import Comparison, View
from corescore.metrics import Metric

SIDE_WORDS = {"recall": ("key", "response"), "precision": ("response", "key")}
TWINLESS = "twinless"


def share_table(
    comparison: Comparison, metrics: Sequence[Metric], *, side: str, document: str
) -> pd.DataFrame:
    """A row for each mention that one side has in a document, in text order.

    Columns: mention (its number in the corpus), start, end (half-open), text, own_entity and
    other_entity (numbers in the document, 0 for none), own_size and other_size, status (correct,
    unlinked, incorrectly resolved, span error, as in `mentions.mention_classes`, or twinless:
    the other side has nothing like it), and for each metric, by its id, the share of what the
    mention could earn that it earns (`mention_share`; NaN for nothing to earn, or a
    metric without credit).
    """
    view = comparison.view(side)
    rows = mentions_of(view, document)
    partner = view.own_partner[rows]
    other_entity = np.append(view.other_entity, -1)[partner]
    frame = pd.DataFrame(
        {
            "mention": rows,
            "start": view.own.start[rows],
            "end": view.own.end[rows],
            "text": texts(view.documents, view.own, rows),
            "own_entity": numbers_of_entities(view)[view.own_entity[rows]],
            "other_entity": np.append(other_numbers(comparison, side), 0)[other_entity],
            "own_size": view.table.key_sizes[view.own_entity[rows]],
            "other_size": np.append(view.table.response_sizes, 0)[other_entity],
            "status": _statuses(comparison, side)[rows],
        }
    )
    return frame.assign(
        **{
            metric.id: mention_share(comparison, metric, side=side)[rows]
            if metric.credit
            else np.nan
            for metric in metrics
        }
    )


def _statuses(comparison: Comparison, side: str) -> AnyArray:
    """(mentions of the side,) the status of each."""
    wrong, alone = (
        _on_side(comparison, side, of(comparison)) for of in (incorrectly_resolved, unlinked)
    )
    twinless = comparison.view(side).own_partner < 0
    is_off = twinless & _is_altered(comparison, side)
    statuses = [SPAN_ERROR, TWINLESS, INCORRECTLY_RESOLVED, UNLINKED]
    return np.select([is_off, twinless, wrong, alone], statuses, CORRECT)


def _is_altered(comparison: Comparison, side: str) -> BoolArray:
    """(mentions of the side,) whether the other side has it with a span error."""
    alignment = align(comparison)
    if side == "precision":
        return alignment.altered
    altered = alignment.key_mention[alignment.altered]
    return np.isin(np.arange(len(comparison.recall.own_entity)), altered)


def mean_shares(
    table: pd.DataFrame, metrics: Sequence[str], *, status: str = ""
) -> "pd.Series[float]":
    """By metric: the mean share of the mentions of a `share_table`, or of those of one status,
    that have something to earn; NaN if none has."""
    rows = table[table["status"] == status] if status else table
    return rows[list(metrics)].mean()


def n_key_singletons(table: pd.DataFrame, *, side: str) -> int:
    """How many incorrectly resolved mentions of a `share_table` are singletons in the key.

    side  of the table
    """
    key_size = table["own_size" if side == "recall" else "other_size"]
    return int(((table["status"] == INCORRECTLY_RESOLVED) & (key_size == 1)).sum())


def mentions_of(view: View, document: str) -> IntArray:
    names = [known.name for known in view.documents]
    return np.flatnonzero(view.own.document == names.index(document))


def other_numbers(comparison: Comparison, side: str) -> IntArray:
    return numbers_of_entities(comparison.precision if side == "recall" else comparison.recall)


def _on_side(comparison: Comparison, side: str, of_response: BoolArray) -> BoolArray:
    """(own mentions,) what holds of the response's mentions, seen from either side."""
    if side == "precision":
        return of_response
    view = comparison.recall
    return np.append(of_response, False)[view.own_partner]


def find_mention(
    comparison: Comparison, *, side: str, document: str, start: int, end: int
) -> int | None:
    """The number of the mention of one side with this span, None if the side has none."""
    view = comparison.view(side)
    rows = mentions_of(view, document)
    found = rows[(view.own.start[rows] == start) & (view.own.end[rows] == end)]
    return int(found[0]) if len(found) else None
