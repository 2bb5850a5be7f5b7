"""Perturbations that keep all mentions and change their entities."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from corescore.analysis.perturbation.chance import Generators, ranks, uniform
from corescore.analysis.perturbation.draft import Draft
from corescore.analysis.perturbation.mentions import Mentions
from corescore.analysis.perturbation.perturbation import Dosed, Perturbation, is_count, parameter
from corescore.arrays import FloatArray, IntArray
from corescore.corpus.problems import PolicyError


def _regrouped(draft: Draft, entity: IntArray) -> Mentions:
    return replace(draft.mentions, entity=entity)


@dataclass(frozen=True, kw_only=True)
class Split(Dosed):
    """Splits entities, their mentions in random order.

    Without `sizes`, an entity is split in two at random, each part with at least two mentions (one
    with `singletons`). With sizes such as 18-2, entities of exactly that many mentions are split
    into parts of these sizes.
    """

    id = "split"
    about = "Split entities"
    makes_singletons = True
    sizes: str | None = parameter(None, "sizes of the parts, such as 18-2 (else two at random)")
    singletons: bool = parameter(False, "whether a part may have only one mention: yes, no")

    def __post_init__(self) -> None:
        super().__post_init__()
        parts = (self.sizes or "1-1").split("-")
        if len(parts) < 2 or not all(map(is_count, parts)):
            raise PolicyError(f"sizes is {self.sizes!r}; expected sizes of parts such as 18-2")

    @property
    def description(self) -> str:
        if self.sizes:
            n = sum(map(int, self.sizes.split("-")))
            return f"Split {self.amount(f'the entities of {n} mentions')} into {self.sizes}"
        at_least = "one mention" if self.singletons else "two mentions"
        return f"Split {self.amount('the entities')} in two at random, {at_least} or more each"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        sizes = draft.entity_sizes
        parts = self._parts(sizes, uniform(rngs, draft.entity_document))
        where = np.flatnonzero((parts > 0).all(axis=1))
        is_split = np.zeros(len(sizes), dtype=bool)
        is_split[where] = self.selected(rngs, draft.entity_document[where])
        entity, document = draft.mentions.entity, draft.mentions.document
        place = ranks(entity, uniform(rngs, document))
        ends = np.cumsum(parts, axis=1)[entity]
        part = (place[:, None] >= ends).sum(axis=1) * is_split[entity]
        return _regrouped(draft, entity + part * draft.n_entities)

    def _parts(self, sizes: IntArray, u: FloatArray) -> IntArray:
        """(entities, parts) the sizes of the parts of each entity; 0 where it cannot be split."""
        if self.sizes:
            parts = np.array([int(part) for part in self.sizes.split("-")])
            return np.outer(sizes == parts.sum(), parts)
        least = 1 if self.singletons else 2
        first = least + (u * (sizes - 2 * least + 1)).astype(np.int64)
        return np.column_stack([first, sizes - first]) * (sizes >= 2 * least)[:, None]


@dataclass(frozen=True, kw_only=True)
class Merge(Dosed):
    """Merges entities.

    The n entities of a document are put in random order, and a share of the n − 1 neighbours is
    merged: at share 1, all entities are one. `number=1` merges a random pair, `pair` a given one.
    """

    id = "merge"
    about = "Merge entities"
    pair: str | None = parameter(None, "numbers of two entities in text order, such as 1+4")

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers = (self.pair or "1+2").split("+")
        different = len(numbers) == 2 == len(set(numbers))
        if not different or not all(map(is_count, numbers)):
            raise PolicyError(f"pair is {self.pair!r}; expected two numbers from 1, such as 1+4")

    def at(self, dose: float) -> Self:
        return replace(self, share=dose, number=None, pair=None)

    @property
    def description(self) -> str:
        if self.pair:
            return f"Merge entities {' and '.join(self.pair.split('+'))} of each document"
        return f"Make {self.amount('the merges that lead to a single entity')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        merged = self._named_pair(draft) if self.pair else self._neighbours(draft, rngs)
        return _regrouped(draft, merged[draft.mentions.entity])

    def _named_pair(self, draft: Draft) -> IntArray:
        """(entities,) the entity that each becomes, in documents that have both."""
        first, second = sorted(int(number) - 1 for number in (self.pair or "").split("+"))
        merged = np.arange(draft.n_entities)
        start = draft.first_entity[draft.entities_in > second]
        merged[start + second] = start + first
        return merged

    def _neighbours(self, draft: Draft, rngs: Generators) -> IntArray:
        """(entities,) the number of the merged entity that each becomes."""
        document = draft.entity_document
        order = np.lexsort((uniform(rngs, document), document))
        opens = np.diff(document, prepend=-1) != 0
        between = np.flatnonzero(~opens)
        opens[between] = ~self.selected(rngs, document[between])
        merged = np.empty(len(order), dtype=np.int64)
        merged[order] = np.cumsum(opens) - 1
        return merged


@dataclass(frozen=True, kw_only=True)
class Move(Dosed):
    """Moves mentions into wrong entities.

    A wrong entity is another entity of the document without a mention of the same key entity. Each
    is equally likely; a mention for which there is none stays. The share is of the mentions that
    can be moved.
    """

    id = "move"
    about = "Move mentions to a wrong entity"

    @property
    def description(self) -> str:
        return f"Move {self.amount('the mentions')} to a wrong entity"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        mentions = draft.mentions
        target = _wrong_entities(draft, uniform(rngs, mentions.document))
        movable = np.flatnonzero(target >= 0)
        moved = movable[self.selected(rngs, mentions.document[movable])]
        entity = mentions.entity.copy()
        entity[moved] = target[moved]
        return _regrouped(draft, entity)


def _wrong_entities(draft: Draft, u: FloatArray) -> IntArray:
    """(mentions,) a wrong entity for each mention, picked by `u`; −1 where there is none.

    If the entities that are not wrong have the numbers d_0 < d_1 < … among the n of the document,
    the t-th wrong one has the number t + (how many d_j − j are at most t).
    """
    own_row, row, place = _not_wrong(draft)
    document = draft.mentions.document
    first = np.searchsorted(row, own_row)
    n_wrong = draft.entities_in[document] + first - np.searchsorted(row, own_row, side="right")
    t = (u * n_wrong).astype(np.int64)
    width = 1 + draft.entities_in.max(initial=0)
    gaps = row * width + place - ranks(row)
    below = np.searchsorted(gaps, own_row * width + t, side="right") - first
    return np.where(n_wrong > 0, draft.first_entity[document] + t + below, -1)


def _not_wrong(draft: Draft) -> tuple[IntArray, IntArray, IntArray]:
    """The row of each mention; rows, ascending, and the entities in each row that are not wrong.

    The row of a key entity has the response entities that share mentions with it; the row of a
    response entity, for its spurious mentions, has only that entity.
    """
    table, view = draft.comparison.table, draft.comparison.precision
    n_key, every = len(table.key_sizes), np.arange(draft.n_entities)
    row = np.concatenate([table.cell_key, n_key + every])
    entity = np.concatenate([table.cell_response, every])
    own_row = n_key + view.own_entity
    own_row[view.pair_own] = table.cell_key[view.pair_cell]
    return own_row, row, entity - draft.first_entity[draft.entity_document[entity]]


@dataclass(frozen=True, kw_only=True)
class Singletons(Perturbation):
    """Makes every mention an entity of its own."""

    id = "singletons"
    about = "Make every mention a singleton"
    makes_singletons = True

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        return _regrouped(draft, np.arange(len(draft.mentions.entity)))


@dataclass(frozen=True, kw_only=True)
class OneEntity(Perturbation):
    """Makes all mentions of a document one entity."""

    id = "one-entity"
    about = "Make all mentions of a document one entity"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        return _regrouped(draft, draft.mentions.document)
