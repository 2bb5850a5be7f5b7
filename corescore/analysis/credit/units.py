"""What each metric credits: its units, spread over mentions or listed one by one.

The credits of a metric's units add up to its numerator and their maxima to its denominator, on
the recall side and, with the sides exchanged, on the precision side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corescore.analysis.credit.links import all_links, spanning_links
from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import Comparison, View
from corescore.counting.contingency import add_up
from corescore.counting.counts import divide
from corescore.metrics import Metric
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    NON_COREFERENCE_LINK,
    SELF_LINK,
    SPANNING_LINK,
    Unit,
)


@dataclass(frozen=True)
class MentionCredit:
    """The credit of each own mention for one kind of unit; half of each link goes to each end.

    credit, possible  (mentions,) they add up to numerator and denominator of part `part`
    """

    kind: str
    part: int
    credit: FloatArray
    possible: FloatArray


@dataclass(frozen=True)
class UnitCredit:
    """Units one by one.

    first, second  (units,) own mentions, or own entities of a non-coreference link: its rows
                   count all links between two entities. −1 where a unit has no second.
    credit, possible  (units,)
    """

    kind: str
    part: int
    first: IntArray
    second: IntArray
    credit: FloatArray
    possible: FloatArray


def units_of(metric: Metric, comparison: Comparison) -> tuple[Unit, ...]:
    """The metric's units; PolicyError if it does not tell what it credits."""
    if metric.credit is None:
        raise PolicyError(f"metric {metric.id!r} does not tell what it credits")
    return metric.credit(comparison.table)


def mention_credit(comparison: Comparison, metric: Metric, *, side: str) -> list[MentionCredit]:
    """The metric's credit spread over the mentions of the key (recall) or response (precision)."""
    view = comparison.view(side)
    return [
        MentionCredit(unit.kind, unit.part, *_spread(view, unit, *_rates(unit, side)))
        for unit in units_of(metric, comparison)
    ]


def mention_share(comparison: Comparison, metric: Metric, *, side: str) -> FloatArray:
    """(mentions,) how much of what it could earn each mention earns, 0 to 1.

    The parts of BLANC count as in its score, each by its own number of links. At most 1: a
    mention of an entity that CEAF_e aligns with a smaller one earns more than its share of its
    entity's 1. NaN where a mention could earn nothing (a singleton under MUC).
    """
    spread = mention_credit(comparison, metric, side=side)
    credit, possible = (np.zeros(len(comparison.view(side).own.document)) for _ in range(2))
    for part in {unit.part for unit in spread}:
        units = [unit for unit in spread if unit.part == part]
        whole = sum(float(unit.possible.sum()) for unit in units) or 1.0
        credit += sum(unit.credit for unit in units) / whole
        possible += sum(unit.possible for unit in units) / whole
    return np.minimum(divide(credit, possible, empty=np.nan), 1.0)


def unit_credit(
    comparison: Comparison, metric: Metric, *, side: str, documents: BoolArray
) -> list[UnitCredit]:
    """The metric's units in the `documents` (documents,) that are True, one by one.

    Units that can earn nothing (the self-links of LEA's larger entities) are left out, and
    non-coreference links are counted for each pair of entities.
    """
    view = comparison.view(side)
    return [
        _listed(view, unit, *_rates(unit, side), documents) for unit in units_of(metric, comparison)
    ]


def _rates(unit: Unit, side: str) -> tuple[FloatArray, FloatArray]:
    if side == "recall":
        return unit.recall_credit, unit.recall_possible
    return unit.precision_credit, unit.precision_possible


def _spread(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(mentions,) credit and maximum: a unit's own, or half of each of its links."""
    earned, most = _units_of_mentions(view, unit)
    n = len(view.own.document)
    return (
        add_up(view.pair_own, credit[view.pair_cell] * earned, n),
        possible[view.own_entity] * most,
    )


def _units_of_mentions(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    """(pairs,) and (mentions,): units, in halves of links, that a mention has and could have."""
    table, cell = view.table, view.pair_cell
    shared = table.cell_sizes[cell].astype(np.float64)
    size = (table.key_shared if unit.shared_only else table.key_sizes)[view.own_entity]
    counted = view.own_cell >= 0 if unit.shared_only else np.ones(len(size), dtype=bool)
    if unit.kind in (SELF_LINK, ALIGNED_MENTION):
        return np.ones(len(shared)), np.ones(len(size))
    if unit.kind == COREFERENCE_LINK:
        return (shared - 1) / 2, counted * (size - 1) / 2
    if unit.kind == SPANNING_LINK:
        return _spanning_ends(view)
    document = view.own.document
    of_document = table.n_shared_mentions if unit.shared_only else table.n_key_mentions
    others = (
        table.n_shared_mentions[document[view.pair_own]]
        - table.key_shared[table.cell_key[cell]]
        - table.response_shared[table.cell_response[cell]]
        + shared
    )
    return others / 2, counted * (of_document[document] - size) / 2


def _spanning_ends(view: View) -> tuple[FloatArray, FloatArray]:
    links = spanning_links(view)
    n = len(view.own.document)
    ends = np.concatenate([links.first, links.second])
    right = np.concatenate([links.correct, links.correct])
    return add_up(ends, right / 2, n)[view.pair_own], add_up(ends, np.full(len(ends), 0.5), n)


def _listed(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray, documents: BoolArray
) -> UnitCredit:
    if unit.kind == NON_COREFERENCE_LINK:
        return _listed_entities(view, unit, documents)
    if unit.kind in (SELF_LINK, ALIGNED_MENTION):
        first = np.flatnonzero(documents[view.own.document])
        second, cell = np.full(len(first), -1), view.own_cell[first]
    else:
        links = (spanning_links if unit.kind == SPANNING_LINK else all_links)(view, documents)
        first, second, cell = links.first, links.second, links.cell
    most = possible[view.own_entity[first]]
    earned = np.append(credit, 0.0)[cell]
    if unit.shared_only:
        shared = view.own_cell >= 0
        most = most * (shared[first] & shared[second])
    kept = (most > 0) | (earned > 0)
    listed = (first[kept], second[kept], earned[kept], most[kept])
    return UnitCredit(unit.kind, unit.part, *listed)


def _listed_entities(view: View, unit: Unit, documents: BoolArray) -> UnitCredit:
    """Non-coreference links, counted for each pair of own entities of a document."""
    table = view.table
    sizes = table.key_shared if unit.shared_only else table.key_sizes
    blocks = [_entity_pairs(view, document) for document in np.flatnonzero(documents).tolist()]
    first, second, both = (np.concatenate([block[i] for block in blocks]) for i in range(3))
    shared = table.key_shared[first] * table.key_shared[second]
    possible = (sizes[first] * sizes[second]).astype(np.float64)
    return UnitCredit(unit.kind, unit.part, first, second, shared - both, possible)


def _entity_pairs(view: View, document: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Each two own entities of a document, and the pairs of theirs that the other side joins."""
    table = view.table
    own = np.flatnonzero(table.key_document == document)
    cells = np.flatnonzero(table.cell_document == document)
    others, column = np.unique(table.cell_response[cells], return_inverse=True)
    grid = np.zeros((len(own), len(others)))
    grid[np.searchsorted(own, table.cell_key[cells]), column] = table.cell_sizes[cells]
    first, second = np.triu_indices(len(own), k=1)
    return own[first], own[second], (grid @ grid.T)[first, second]


def document_mask(comparison: Comparison, names: Sequence[str] | None) -> BoolArray:
    """(documents,) True for those of these names; all if None. PolicyError for an unknown one."""
    known = [document.name for document in comparison.key]
    for name in names or ():
        if name not in known:
            raise PolicyError(f"no document {name!r} in the key")
    return np.array([names is None or name in names for name in known], dtype=bool)
