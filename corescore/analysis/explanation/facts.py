"""Where the mentions and entities of one side stand on the other."""

from collections.abc import Mapping

import numpy as np

from corescore.analysis.credit.tables import numbers_of_entities
from corescore.analysis.explanation.shares import SIDE_WORDS, mentions_of, other_numbers
from corescore.arrays import IntArray
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison
from corescore.metrics import Metric
from corescore.metrics.alignment import has_other_best
from corescore.metrics.explanation import EntityFacts, MentionFacts, Pair


def mention_facts(
    comparison: Comparison, mentions: IntArray, *, side: str, metric: Metric | None = None
) -> list[MentionFacts]:
    """The facts of own mentions, by their numbers.

    metric  whose alignment `pair` is of; None for none
    """
    view, aligned = comparison.view(side), _pairs(comparison, metric, side)
    own, cell = view.own_entity[mentions], view.own_cell[mentions]
    known, other = cell >= 0, np.append(view.table.cell_response, -1)[cell]
    columns = (
        numbers_of_entities(view)[own],
        view.table.key_sizes[own],
        np.append(other_numbers(comparison, side), 0)[other],
        np.append(view.table.response_sizes, 0)[other],
        np.where(known, np.append(view.table.cell_sizes, 0)[cell], 0),
        np.bincount(view.pair_own, minlength=len(view.own.document))[mentions],
    )
    pairs = [aligned.get(entity) for entity in own.tolist()]
    rows = zip(*(column.tolist() for column in columns), pairs, strict=True)
    return [MentionFacts(*SIDE_WORDS[side], *row) for row in rows]


def entity_facts(
    comparison: Comparison, metric: Metric, *, side: str, document: str
) -> dict[int, EntityFacts]:
    """The facts of the own entities of a document, by their numbers."""
    view, aligned = comparison.view(side), _pairs(comparison, metric, side)
    table, numbers = view.table, numbers_of_entities(view)
    order = np.lexsort((-table.cell_sizes, table.cell_key))
    own = np.unique(view.own_entity[mentions_of(view, document)])
    starts, ends = (np.searchsorted(table.cell_key[order], own, side=s) for s in ("left", "right"))
    return {
        int(numbers[entity]): EntityFacts(
            SIDE_WORDS[side][1],
            int(table.key_sizes[entity]),
            tuple(table.cell_sizes[order[start:end]].tolist()),
            aligned.get(entity),
        )
        for entity, start, end in zip(own.tolist(), starts.tolist(), ends.tolist(), strict=True)
    }


def _pairs(comparison: Comparison, metric: Metric | None, side: str) -> Mapping[int, Pair]:
    """What `metric` aligns, by own entity (rows of the table); nothing if it aligns nothing."""
    if metric is None or metric.similarity is None:
        return {}
    table, view = comparison.table, comparison.view(side)
    similarity = metric.similarity(table)
    chosen = best_assignment(table.components, similarity)
    other = view.table.cell_response[chosen]
    columns = (
        other_numbers(comparison, side)[other],
        view.table.response_sizes[other],
        view.table.cell_sizes[chosen],
        has_other_best(table, similarity)[chosen],
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    own = view.table.cell_key[chosen].tolist()
    return {entity: Pair(*row) for entity, row in zip(own, rows, strict=True)}
