"""What each metric credits: its units, spread over mentions or listed one by one.

The credits of a metric's units add up to its numerator and their maxima to its denominator, on
the recall side and, with the sides exchanged, on the precision side.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corescore.analysis.credit.links import all_links, spanning_links
from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.corpus.problems import PolicyError, choose
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

_Listing = tuple[IntArray, IntArray, IntArray]


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
    """The metric's units; PolicyError if it does not say what it credits."""
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
    earned, most = rule_of(unit).spread(view, unit)
    n = len(view.own.document)
    return (
        add_up(view.pair_own, credit[view.pair_cell] * earned, n),
        possible[view.own_entity] * most,
    )


def rule_of(unit: Unit) -> "Rule":
    """How units of this kind are spread and listed; PolicyError for a kind that nobody knows."""
    return RULES[choose("kind of unit", unit.kind, RULES)]


# The rules: units, in halves of links, of each pair of matching mentions and of each mention


def _of_one_mention(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    return np.ones(len(view.pair_cell)), _counts_as_possible(view, unit).astype(np.float64)


def _coreference_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    shared = view.table.cell_sizes[view.pair_cell]
    return (shared - 1) / 2, _counts_as_possible(view, unit) * (_sizes(view, unit) - 1) / 2


def _spanning_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    links = spanning_links(view)
    n = len(view.own.document)
    counts = _counts_as_possible(view, unit)
    ends = np.concatenate([links.first, links.second])
    earned, most = (
        add_up(ends, np.concatenate([each, each]) / 2, n)
        for each in (links.correct, counts[links.first] & counts[links.second])
    )
    return earned[view.pair_own], most


def _non_coreference_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    table, cell, document = view.table, view.pair_cell, view.own.document
    others = (
        table.n_shared_mentions[document[view.pair_own]]
        - table.key_shared[table.cell_key[cell]]
        - table.response_shared[table.cell_response[cell]]
        + table.cell_sizes[cell]
    )
    of_document = table.n_shared_mentions if unit.shared_only else table.n_key_mentions
    possible = of_document[document] - _sizes(view, unit)
    return others / 2, _counts_as_possible(view, unit) * possible / 2


def _sizes(view: View, unit: Unit) -> IntArray:
    """(mentions,) the size of the mention's entity, as far as it counts."""
    table = view.table
    return (table.key_shared if unit.shared_only else table.key_sizes)[view.own_entity]


def _counts_as_possible(view: View, unit: Unit) -> BoolArray:
    return view.own_cell >= 0 if unit.shared_only else np.ones(len(view.own_cell), dtype=bool)


# The rules: units one by one


def _listed(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray, documents: BoolArray
) -> UnitCredit:
    listing = rule_of(unit).listing
    if listing is None:
        return _listed_entities(view, unit, credit, possible, documents)
    first, second, cell = listing(view, documents)
    most = possible[view.own_entity[first]]
    earned = np.append(credit, 0.0)[cell]
    counts = np.append(_counts_as_possible(view, unit), True)
    most = most * (counts[first] & counts[second])
    kept = (most > 0) | (earned > 0)
    listed = (first[kept], second[kept], earned[kept], most[kept])
    return UnitCredit(unit.kind, unit.part, *listed)


def _each_mention(view: View, documents: BoolArray) -> _Listing:
    first = np.flatnonzero(documents[view.own.document])
    return first, np.full(len(first), -1), view.own_cell[first]


def _each_link(view: View, documents: BoolArray) -> _Listing:
    links = all_links(view, documents)
    return links.first, links.second, links.cell


def _each_spanning_link(view: View, documents: BoolArray) -> _Listing:
    links = spanning_links(view, documents)
    return links.first, links.second, links.cell


def _listed_entities(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray, documents: BoolArray
) -> UnitCredit:
    """Non-coreference links, counted for each pair of own entities of a document."""
    table = view.table
    sizes = table.key_shared if unit.shared_only else table.key_sizes
    numbers = np.flatnonzero(documents).tolist()
    blocks = [_entity_pairs(view, credit, document) for document in numbers]
    first, second, earned = (np.concatenate([block[i] for block in blocks]) for i in range(3))
    most = sizes[first] * sizes[second] * (possible[first] + possible[second]) / 2
    return UnitCredit(unit.kind, unit.part, first, second, earned, most)


def _entity_pairs(
    view: View, credit: FloatArray, document: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Each two own entities of a document, and the credit of their pairs of shared mentions that
    lie in two entities on the other side as well; each end of a pair earns half of its cell's."""
    table = view.table
    own = np.flatnonzero(table.key_document == document)
    cells = np.flatnonzero(table.cell_document == document)
    others, column = np.unique(table.cell_response[cells], return_inverse=True)
    shared, worth = np.zeros((2, len(own), len(others)))
    places = (np.searchsorted(own, table.cell_key[cells]), column)
    shared[places] = table.cell_sizes[cells]
    worth[places] = table.cell_sizes[cells] * credit[cells]
    first, second = np.triu_indices(len(own), k=1)
    pairs = np.outer(worth.sum(axis=1), shared.sum(axis=1)) - worth @ shared.T
    return own[first], own[second], ((pairs + pairs.T) / 2)[first, second]


def document_mask(comparison: Comparison, names: Sequence[str] | None) -> BoolArray:
    """(documents,) True for those of these names; all if None. PolicyError for an unknown one."""
    known = [document.name for document in comparison.key]
    for name in names or ():
        if name not in known:
            raise PolicyError(f"no document {name!r} in the key")
    return np.array([names is None or name in names for name in known], dtype=bool)


@dataclass(frozen=True)
class Rule:
    """How one kind of unit is spread over mentions and listed one by one.

    spread   (pairs,) and (mentions,): units that a pair of matching mentions has and that a mention
             could have, in halves of links
    listing  (units,) first and second mention and the cell, −1 for none; None for units that are
             counted for each two entities instead
    """

    spread: Callable[[View, Unit], tuple[FloatArray, FloatArray]]
    listing: Callable[[View, BoolArray], _Listing] | None


RULES: Mapping[str, Rule] = {
    SELF_LINK: Rule(_of_one_mention, _each_mention),
    ALIGNED_MENTION: Rule(_of_one_mention, _each_mention),
    COREFERENCE_LINK: Rule(_coreference_ends, _each_link),
    SPANNING_LINK: Rule(_spanning_ends, _each_spanning_link),
    NON_COREFERENCE_LINK: Rule(_non_coreference_ends, None),
}
