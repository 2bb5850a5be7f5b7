"""Marginal value: what a score would be without one mention of the response.

Credit says what a metric counts; this says what would change. It is exact: the counts are updated
where the change touches them: by the closed form of a metric that has one; else the cells of the
touched document, or for a metric that aligns entities those of the touched overlap, are recounted.
"""

from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score
from corescore.metrics import Metric


def scores_without_each(comparison: Comparison, metric: Metric) -> Score[FloatArray]:
    """(response mentions,) the corpus' scores if that mention left the response.

    0/0 is 0, as in the corpus total. With repeats scored as they stand ("all") the closed forms
    do not hold; use `score_without`.
    """
    if metric.marginal:
        change = metric.marginal(comparison.precision)
    else:
        change = _change_of_each(comparison, metric)
    return metric.score(_spread_total(comparison, metric, change), empty=0)


def score_without(comparison: Comparison, metric: Metric, mention: int) -> Score[float]:
    """The corpus' score if this response mention left the response."""
    change = _change(comparison, metric, mention)
    return metric.score(_spread_total(comparison, metric, change), empty=0).row(0)


def _spread_total(comparison: Comparison, metric: Metric, change: Counts) -> Counts:
    return metric.counts(comparison.table).total() + change


@dataclass(frozen=True)
class _Touched:
    """The part of the table that a change of one response entity can touch."""

    keys: IntArray
    responses: IntArray
    cells: IntArray


def _change(comparison: Comparison, metric: Metric, mention: int) -> Counts:
    view = comparison.precision
    entity, cell = int(view.own_entity[mention]), int(view.own_cell[mention])
    touched = _touched(comparison.table, entity, by_component=metric.similarity is not None)
    before = _part(comparison.table, touched)
    after = _without_mention(comparison.table, touched, entity, cell)
    old, new = metric.counts(before).total(), metric.counts(after).total()
    return Counts(
        new.recall_numerator - old.recall_numerator,
        new.recall_denominator - old.recall_denominator,
        new.precision_numerator - old.precision_numerator,
        new.precision_denominator - old.precision_denominator,
    )


def _change_of_each(comparison: Comparison, metric: Metric) -> Counts:
    """Mentions of one cell are alike, and so are the spurious mentions of one entity."""
    view = comparison.precision
    alike = np.column_stack([view.own_entity, view.own_cell])
    _, first, which = np.unique(alike, axis=0, return_index=True, return_inverse=True)
    changes = [_change(comparison, metric, mention) for mention in first.tolist()]
    each = Counts.of_documents(*changes) if changes else metric.counts(comparison.table)
    return each.rows(which)


def _touched(table: Contingency, entity: int, *, by_component: bool) -> _Touched:
    if by_component:
        cells = table.component_of_response(entity)
        keys = np.unique(table.cell_key[cells])
        return _Touched(keys, np.union1d(table.cell_response[cells], [entity]), cells)
    document = table.response_document[entity]
    return _Touched(
        np.flatnonzero(table.key_document == document),
        np.flatnonzero(table.response_document == document),
        np.flatnonzero(table.cell_document == document),
    )


def _part(table: Contingency, touched: _Touched) -> Contingency:
    """The touched part as a table of one document."""
    keys, responses, cells = touched.keys, touched.responses, touched.cells
    return Contingency(
        1,
        table.key_sizes[keys],
        np.zeros(len(keys), dtype=np.int64),
        table.response_sizes[responses],
        np.zeros(len(responses), dtype=np.int64),
        np.searchsorted(keys, table.cell_key[cells]),
        np.searchsorted(responses, table.cell_response[cells]),
        table.cell_sizes[cells],
    )


def _without_mention(table: Contingency, touched: _Touched, entity: int, cell: int) -> Contingency:
    """The touched part after a mention left `entity`.

    cell  the cell of the mention, −1 if the key lacks it
    """
    part = _part(table, touched)
    place = int(np.searchsorted(touched.responses, entity))
    sizes, cell_sizes = part.response_sizes.copy(), part.cell_sizes.copy()
    sizes[place] -= 1
    if cell >= 0:
        cell_sizes[np.searchsorted(touched.cells, cell)] -= 1
    present, filled = sizes > 0, cell_sizes > 0
    number = np.cumsum(present) - 1
    return replace(
        part,
        response_sizes=sizes[present],
        response_document=np.zeros(int(present.sum()), dtype=np.int64),
        cell_key=part.cell_key[filled],
        cell_response=number[part.cell_response[filled]],
        cell_sizes=cell_sizes[filled],
    )
