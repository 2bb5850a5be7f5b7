"""Where mentions and entities of one side stand on the other: what all arithmetic is told from."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from corescore.analysis.credit.tables import numbers_of_entities
from corescore.analysis.explanation.shares import SIDE_WORDS, mentions_of, other_numbers
from corescore.arrays import IntArray
from corescore.counting.comparison import Comparison
from corescore.metrics import Metric
from corescore.metrics.alignment import best_alignment, has_other_best


@dataclass(frozen=True)
class Pair:
    """What a CEAF aligns an own entity with: the number of the other side's entity, how many
    mentions that has, how many both have, and whether another alignment is as good."""

    entity: int
    size: int
    shared: int
    tied: bool


@dataclass(frozen=True)
class MentionFacts:
    """Where one mention stands on both sides.

    own, other    what the sides are called: key and response, or the other way round
    entity, size  its own entity: the number in the document, and how many mentions
    other_entity, other_size  the same of the other side's entity that has it, 0 where none has;
                              of several (repeats scored as they stand) the first
    shared        the mentions that stand in both entities, itself among them; 0 where none
    n_cells       how many entities of the other side have it
    pair          what a CEAF aligns its entity with
    """

    own: str
    other: str
    entity: int
    size: int
    other_entity: int
    other_size: int
    shared: int
    n_cells: int
    pair: Pair | None

    @property
    def is_shared(self) -> bool:
        return self.shared > 0

    @property
    def is_aligned(self) -> bool:
        """Whether a CEAF aligns the two entities that have it."""
        return self.is_shared and self.pair is not None and self.pair.entity == self.other_entity

    @property
    def own_name(self) -> str:
        return f"{self.own} entity {self.entity}"

    @property
    def other_name(self) -> str:
        return f"{self.other} entity {self.other_entity}"


@dataclass(frozen=True)
class EntityFacts:
    """How one own entity lies across the other side.

    size    its mentions
    shared  how many of them each entity of the other side has, the most first
    pair    what a CEAF aligns it with
    """

    other: str
    size: int
    shared: tuple[int, ...]
    pair: Pair | None

    @property
    def n_shared(self) -> int:
        return sum(self.shared)


def mention_facts(
    comparison: Comparison, mentions: IntArray, *, side: str, metric: Metric | None = None
) -> list[MentionFacts]:
    """The facts of own mentions, by their numbers.

    metric  whose alignment `pair` tells; None for none
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
    chosen = best_alignment(table, similarity)
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
