"""Marginal value: what a score would be without one mention, or with one link cut.

Credit says what a metric counts; this says what would change. It is exact: the counts are updated
where the change touches them (closed forms for MUC, B³, BLANC and LEA; for any other metric the
cells of the touched document, for CEAF only those of the touched component, are counted again).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.counting.comparison import Comparison, View
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import Counts, Score
from corescore.metrics import Metric
from corescore.metrics.bcub import bcub_counts
from corescore.metrics.blanc import blanc_counts
from corescore.metrics.ceaf import ceafe_counts, ceafm_counts
from corescore.metrics.lea import lea_counts
from corescore.metrics.muc import muc_counts


def scores_without_each(comparison: Comparison, metric: Metric) -> Score[FloatArray]:
    """(response mentions,) the corpus' scores if that mention left the response.

    0/0 is 0, as in the corpus total. With repeats scored as they stand ("all") the closed forms
    do not hold; use `score_without`.
    """
    changes = CHANGES.get(metric.counts)
    if changes is not None:
        change = changes(comparison.precision)
    else:
        change = _change_of_each(comparison, metric)
    return metric.score(_spread_total(comparison, metric, change), empty=0)


def score_without(comparison: Comparison, metric: Metric, mention: int) -> Score[float]:
    """The corpus' score if this response mention left the response."""
    change = _change(comparison, metric, mention, stays=False)
    return metric.score(_spread_total(comparison, metric, change), empty=0).row(0)


def score_with_cut(comparison: Comparison, metric: Metric, mention: int) -> Score[float]:
    """The corpus' score if this response mention left its entity and stood alone.

    A link of two mentions is cut by letting its later mention stand alone.
    """
    change = _change(comparison, metric, mention, stays=True)
    return metric.score(_spread_total(comparison, metric, change), empty=0).row(0)


def _spread_total(comparison: Comparison, metric: Metric, change: Counts) -> Counts:
    return metric.counts(comparison.table).total() + change


# --- any metric: count the touched cells again ----------------------------------------------------


@dataclass(frozen=True)
class _Touched:
    """The part of the table that a change of one response entity can touch."""

    keys: IntArray
    responses: IntArray
    cells: IntArray


def _change(comparison: Comparison, metric: Metric, mention: int, *, stays: bool) -> Counts:
    view = comparison.precision
    entity, cell = int(view.own_entity[mention]), int(view.own_cell[mention])
    touched = _touched(comparison.table, entity, by_component=metric.counts in BY_COMPONENT)
    before = _part(comparison.table, touched)
    after = _moved(comparison.table, touched, entity, cell, stays=stays)
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
    changes = [_change(comparison, metric, mention, stays=False) for mention in first.tolist()]
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


def _moved(
    table: Contingency, touched: _Touched, entity: int, cell: int, *, stays: bool
) -> Contingency:
    """The touched part after a mention left `entity`; it stands alone if it `stays`.

    cell  the cell of the mention, −1 if the key lacks it
    """
    part = _part(table, touched)
    place = int(np.searchsorted(touched.responses, entity))
    sizes, cell_sizes = part.response_sizes.copy(), part.cell_sizes.copy()
    sizes[place] -= 1
    cell_key, cell_response = part.cell_key, part.cell_response
    if cell >= 0:
        at = int(np.searchsorted(touched.cells, cell))
        cell_sizes[at] -= 1
        if stays:
            cell_key = np.append(cell_key, cell_key[at])
            cell_response = np.append(cell_response, len(sizes))
            cell_sizes = np.append(cell_sizes, 1)
    if stays:
        sizes = np.append(sizes, 1)
    present, filled = sizes > 0, cell_sizes > 0
    number = np.cumsum(present) - 1
    return replace(
        part,
        response_sizes=sizes[present],
        response_document=np.zeros(int(present.sum()), dtype=np.int64),
        cell_key=cell_key[filled],
        cell_response=number[cell_response[filled]],
        cell_sizes=cell_sizes[filled],
    )


# --- closed forms, for all response mentions at once ----------------------------------------------


@dataclass(frozen=True)
class _Leaving:
    """What is known of each response mention: its entity's size b, its cell's n, its key's a.

    shared  whether the key has it; n is 0 and a is 1 where not
    """

    b: FloatArray
    n: FloatArray
    a: FloatArray
    shared: BoolArray


def _leaving(view: View) -> _Leaving:
    shared = view.own_cell >= 0
    cell = np.where(shared, view.own_cell, 0)
    n, a = np.zeros(len(cell)), np.ones(len(cell))
    n[shared] = view.table.cell_sizes[cell[shared]]
    a[shared] = view.table.response_sizes[view.table.cell_response[cell[shared]]]
    return _Leaving(view.table.key_sizes[view.own_entity].astype(np.float64), n, a, shared)


def _muc_changes(view: View) -> Counts:
    """A part of n mentions loses a link if n > 1, an entity of b mentions if b > 1."""
    m = _leaving(view)
    right = -(m.n > 1).astype(np.float64)
    return Counts.of(right, np.zeros(len(right)), right, -(m.b > 1).astype(np.float64))


def _bcub_changes(view: View) -> Counts:
    """n²/a falls by (2n − 1)/a; Σn²/b loses as much of its sum and a mention of its size."""
    m = _leaving(view)
    lost = np.where(m.shared, 2 * m.n - 1, 0)
    table = view.table
    squares = add_up(table.cell_key, table.cell_sizes.astype(float) ** 2, len(table.key_sizes))
    whole = squares[view.own_entity]
    rest = np.where(m.b > 1, (whole - lost) / np.maximum(m.b - 1, 1), 0)
    nothing, one = np.zeros(len(lost)), np.ones(len(lost))
    return Counts.of(-lost / m.a, nothing, rest - whole / m.b, -one)


def _blanc_changes(view: View) -> Counts:
    """The mention's n − 1 right and b − 1 wanted coreference links go, and so do its others."""
    m = _leaving(view)
    table, nothing = view.table, np.zeros(len(m.b))
    coreference = np.where(m.shared, m.n - 1, 0)
    document = view.own.document
    joined = np.zeros(len(m.b))
    cell = view.own_cell[m.shared]
    joined[m.shared] = (
        table.n_shared_mentions[document[m.shared]]
        - table.key_shared[table.cell_key[cell]]
        - table.response_shared[table.cell_response[cell]]
        + table.cell_sizes[cell]
    )
    others = table.n_key_mentions[document] - m.b
    return Counts.of_parts(
        Counts.of(-coreference, nothing, -coreference, 1 - m.b),
        Counts.of(-joined, nothing, -joined, -others),
    )


def _lea_changes(view: View) -> Counts:
    """Links of both sides go; the mention left alone by it may become a right singleton."""
    m = _leaving(view)
    table = view.table
    alone_now = m.shared & (m.a == 1) & (m.b == 1)
    alone_then = _partner_is_key_singleton(view, m)
    recall = -2 * np.where(m.shared, m.n - 1, 0) / np.maximum(m.a - 1, 1)
    recall += alone_then.astype(np.float64) - alone_now
    links = add_up(table.cell_key, pairs(table.cell_sizes), len(table.key_sizes))[view.own_entity]
    left = links - np.where(m.shared, m.n - 1, 0)
    before = np.where(m.b > 1, 2 * links / np.maximum(m.b - 1, 1), alone_now)
    after = np.where(m.b > 2, 2 * left / np.maximum(m.b - 2, 1), alone_then)
    nothing, one = np.zeros(len(left)), np.ones(len(left))
    return Counts.of(recall, nothing, after - before, -one)


def _partner_is_key_singleton(view: View, m: _Leaving) -> BoolArray:
    """Whether the other mention of an entity of two is a singleton of the key."""
    numbers = np.arange(len(view.own_entity))
    sums = add_up(view.own_entity, numbers, len(view.table.key_sizes)).astype(np.int64)
    of_two = m.b == 2
    other = np.where(of_two, sums[view.own_entity] - numbers, 0)
    single: BoolArray = of_two & (m.shared & (m.a == 1))[other]
    return single


CHANGES: dict[Callable[[Contingency], Counts], Callable[[View], Counts]] = {
    muc_counts: _muc_changes,
    bcub_counts: _bcub_changes,
    blanc_counts: _blanc_changes,
    lea_counts: _lea_changes,
}
BY_COMPONENT = (ceafm_counts, ceafe_counts)
