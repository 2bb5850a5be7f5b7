"""The perturbations: they add, regroup or remove mentions, or repair."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from corescore.analysis.perturbation.base import (
    MOST,
    Dosed,
    DosedIncorrect,
    Draft,
    Generators,
    Mentions,
    Perturbation,
    fresh,
    is_count,
    parameter,
    ranks,
    uniform,
)
from corescore.corpus.english import MENTION_TYPES
from corescore.corpus.problems import PolicyError, choose
from corescore.util import BoolArray, FloatArray, IntArray

# Perturbations that add wrong mentions or wrong entities ------------------------------------------


@dataclass(frozen=True, kw_only=True)
class LessPreciseA(DosedIncorrect):
    """Adds wrong pairs (Moosavi & Strube 2016, §2).

    The n missing mentions of a document are linked in random pairs, none with a mention of its own
    key entity, each at most once, as many as possible: min(⌊n/2⌋, n − the most of one key entity).
    No correct link is added or removed. With incorrect "linked", only missing mentions with a link
    in the key are used.
    """

    id = "less-precise-a"
    about = "Add wrong entities of two missing mentions each"

    @property
    def description(self) -> str:
        mentions = f"the missing mentions{self.limit}"
        return f"Add {self.amount(f'the wrong pairs that {mentions} can make')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        first, second = _wrong_pairs(draft, draft.missing_for(self.incorrect), rngs)
        document = draft.comparison.matching.key.document[first]
        taken = self.selected(rngs, document)
        entity = fresh(draft, np.flatnonzero(taken))
        pairs = np.concatenate([first[taken], second[taken]])
        return draft.mentions.plus(draft.key_mentions(pairs, np.tile(entity, 2)))


def _wrong_pairs(draft: Draft, missing: IntArray, rngs: Generators) -> tuple[IntArray, IntArray]:
    """Two arrays of these key mentions; the i-th of each make a pair.

    A document's mentions are ordered by key entity, the entities and their mentions at random. Of
    n mentions in p pairs, mention i is paired with mention i + n − p: n − p is at least the size
    of the largest entity, so the two are never of the same one.
    """
    document, entity = _places(draft, missing)
    most = np.zeros(draft.n_documents, dtype=np.int64)
    np.maximum.at(most, document, np.bincount(entity)[entity])
    n = np.bincount(document, minlength=draft.n_documents)
    n_pairs = np.minimum(n // 2, n - most)
    entity_u = uniform(rngs, draft.comparison.table.key_document)[entity]
    at = missing[np.lexsort((uniform(rngs, document), entity, entity_u, document))]
    of = np.repeat(np.arange(len(n)), n_pairs)
    first = (np.cumsum(n) - n)[of] + ranks(of)
    return at[first], at[first + (n - n_pairs)[of]]


def _places(draft: Draft, mentions: IntArray) -> tuple[IntArray, IntArray]:
    """The document and the key entity of each of these key mentions."""
    key, entity = draft.comparison.matching.key, draft.comparison.recall.own_entity
    return key.document[mentions], entity[mentions]


@dataclass(frozen=True, kw_only=True)
class LessPreciseB(DosedIncorrect):
    """Adds large wrong entities (Moosavi & Strube 2016, §2).

    One missing mention of each key entity that has any left are put into an entity, repeatedly, as
    long as there are two. Which ones is random. No correct link is added or removed. With incorrect
    "linked", only missing mentions with a link in the key are used.
    """

    id = "less-precise-b"
    about = "Add wrong entities of as many missing mentions as possible"

    @property
    def description(self) -> str:
        mentions = f"the missing mentions{self.limit}"
        return f"Add {self.amount(f'the large wrong entities that {mentions} can make')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        which, group = self._added(draft, rngs)
        return draft.mentions.plus(draft.key_mentions(which, fresh(draft, group)))

    def _added(self, draft: Draft, rngs: Generators) -> tuple[IntArray, IntArray]:
        """The missing key mentions that are added, and the number of the entity of each."""
        missing = draft.missing_for(self.incorrect)
        document, key_entity = _places(draft, missing)
        turn = ranks(key_entity, uniform(rngs, document))
        width = 1 + turn.max(initial=0)
        codes, group, sizes = np.unique(
            document * width + turn, return_inverse=True, return_counts=True
        )
        added = self.selected(rngs, codes // width, among=sizes > 1)[group]
        return missing[added], group[added]


@dataclass(frozen=True, kw_only=True)
class LessPreciseBPrinted(LessPreciseB):
    """Adds wrong pairs and singletons, as the printed scores show (Moosavi & Strube 2016, Table 1).

    The mentions are those that LessPreciseB adds with the same seed, but only the first two of each
    of its entities are linked; every other one is a singleton. The row "Less precise (b)" of the
    paper's Table 1 fits this, and not the procedure of its §2. No correct link is added or removed:
    a mention that is a singleton in the key would be correct by itself, and is left out.
    """

    id = "less-precise-b-printed"
    about = "Add the mentions of less-precise-b with one link an entity, the rest as singletons"
    makes_singletons = True

    @property
    def description(self) -> str:
        wrong = self.amount(f"the large wrong entities of missing mentions{self.limit}")
        return f"Add {wrong}, each as a pair and singletons"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        which, group = self._added(draft, rngs)
        linked = ranks(group) < 2
        alone = 1 + group.max(initial=0) + np.arange(len(group))
        entity = fresh(draft, np.where(linked, group, alone))
        key_entity = draft.comparison.recall.own_entity[which]
        is_wrong = linked | (draft.comparison.table.key_sizes[key_entity] > 1)
        return draft.mentions.plus(draft.key_mentions(which[is_wrong], entity[is_wrong]))


TOGETHER, RANDOM, LARGEST = "together", "random", "largest"

INTO = (TOGETHER, RANDOM, LARGEST)


@dataclass(frozen=True, kw_only=True)
class Add(Dosed):
    """Adds spurious mentions: single words that are a mention on neither side.

    The share is of the number of mentions in the response. There are never more of them than free
    words; documents in notation or without known words get new positions at the end.
    """

    id = "add"
    about = "Add spurious mentions, linked together or into an entity"
    into: str = parameter(TOGETHER, "which entity to add them to: its number, or one of", INTO)
    size: int = parameter(2, "how many mentions to link together")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.into not in INTO and not is_count(self.into):
            expected = f"one of: {', '.join(INTO)}, or a number from 1"
            raise PolicyError(f"into is {self.into!r}; expected {expected}")
        if not 1 <= self.size <= MOST:
            raise PolicyError(f"size is {self.size}; expected a whole number from 1 to {MOST}")

    @property
    def description(self) -> str:
        if self.number is not None:
            much = f"{self.number} spurious mentions to each document"
        else:
            much = f"spurious mentions, {100 * self.share:.10g}% of the mentions there are"
        targets = {
            TOGETHER: f"linked in entities of {self.size}",
            RANDOM: "each into a random entity",
            LARGEST: "into the largest entity",
        }
        return f"Add {much}, {targets.get(self.into, f'into entity {self.into}')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        n_mentions = np.bincount(draft.mentions.document, minlength=draft.n_documents)
        most = n_mentions if self.number is None else np.full(draft.n_documents, self.number)
        document, position = _free_words(draft, most, rngs)
        available = np.bincount(document, minlength=draft.n_documents)
        quota = np.minimum(self.quotas(rngs, most), available)
        place = ranks(document, uniform(rngs, document))
        entity = self._entities(draft, document, place, quota, uniform(rngs, document))
        taken = (place < quota[document]) & (entity >= 0)
        document, start, entity = document[taken], position[taken], entity[taken]
        twinless, alone = np.full(len(start), -1), np.zeros(len(start), dtype=bool)
        new = Mentions(document, start, start + 1, entity, twinless, twinless, alone)
        return draft.mentions.plus(new)

    def _entities(
        self,
        draft: Draft,
        document: IntArray,
        place: IntArray,
        quota: IntArray,
        u: FloatArray,
    ) -> IntArray:
        """(new mentions,) the entity of each; −1 where the document has no such entity."""
        if self.into == TOGETHER:
            last = np.maximum(quota // self.size - 1, 0)  # the last entity gets the remainder
            group = np.minimum(place // self.size, last[document])
            return fresh(draft, document * (1 + group.max(initial=0)) + group)
        n_entities = draft.entities_in[document]
        if self.into == LARGEST:
            which = _largest(draft)[document]
        elif self.into == RANDOM:
            which = (u * n_entities).astype(np.int64)
        else:
            which = np.full(len(document), int(self.into) - 1)
        return np.where(which < n_entities, draft.first_entity[document] + which, -1)


def _largest(draft: Draft) -> IntArray:
    """(documents,) the index, in each document, of its first largest entity."""
    found = np.zeros(draft.n_documents, dtype=np.int64)
    is_largest = ranks(draft.entity_document, -draft.entity_sizes) == 0
    largest = np.flatnonzero(is_largest)
    of = draft.entity_document[largest]
    found[of] = largest - draft.first_entity[of]
    return found


def _free_words(draft: Draft, most: IntArray, rngs: Generators) -> tuple[IntArray, IntArray]:
    """Documents and positions of words that are no mention, up to `most` of each document.

    They are spread over the document: its free words are divided into that many stretches, and
    one word of each is picked at random.
    """
    document, position = draft.free_words(most)
    available = np.bincount(document, minlength=len(most))
    n = np.minimum(most, available)
    of = np.repeat(np.arange(len(n)), n)
    stretch = ranks(of)
    low = stretch * available[of] // n[of]
    high = (stretch + 1) * available[of] // n[of]
    start = np.cumsum(available) - available
    at = start[of] + low + (uniform(rngs, of) * (high - low)).astype(np.int64)
    return of, position[at]


# Perturbations that keep all mentions and change their entities -----------------------------------


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
        is_split = self.selected(rngs, draft.entity_document, among=parts.min(axis=1) > 0)
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
        joins = self.selected(rngs, document, among=np.diff(document, prepend=-1) == 0)
        merged = np.empty(len(order), dtype=np.int64)
        merged[order] = np.cumsum(~joins) - 1
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
        moved = self.selected(rngs, mentions.document, among=target >= 0)
        return _regrouped(draft, np.where(moved, target, mentions.entity))


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


# Perturbations that remove mentions ---------------------------------------------------------------

ANY, RANDOM_MENTIONS, INCORRECTLY_RESOLVED = "any", "random", "incorrectly-resolved"


@dataclass(frozen=True, kw_only=True)
class MorePrecise(DosedIncorrect):
    """Removes incorrectly resolved mentions (Moosavi & Strube 2016, §2).

    No correct link is removed with them. If all are removed, the recall of MUC and LEA does not
    change; if a share is, or only "linked" ones, a correct singleton may remain of an entity, which
    LEA credits.
    """

    id = "more-precise"
    about = "Remove the incorrectly resolved mentions"

    @property
    def description(self) -> str:
        return f"Remove {self.amount(f'the incorrectly resolved mentions{self.limit}')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        may_go = draft.incorrectly_resolved(self.incorrect)
        return draft.mentions.keep(~self.selected(rngs, draft.mentions.document, among=may_go))


OF: dict[str, Callable[[Draft], BoolArray]] = {
    ANY: lambda draft: np.ones(len(draft.mentions.document), dtype=bool),
    "correct": lambda draft: (
        (draft.mentions.key_mention >= 0) & ~draft.incorrectly_resolved() & ~draft.unlinked
    ),
    "unlinked": lambda draft: draft.unlinked,
    INCORRECTLY_RESOLVED: lambda draft: draft.incorrectly_resolved(),
    "spurious": lambda draft: draft.mentions.key_mention < 0,
}

TYPES = (ANY, *MENTION_TYPES)


@dataclass(frozen=True, kw_only=True)
class Drop(DosedIncorrect):
    """Drops mentions, in random order.

    Classes are those of `mentions.mention_classes`, types those of `corpus.english`. `incorrect`
    applies if incorrectly resolved mentions are dropped.
    """

    id = "drop"
    about = "Drop mentions"
    of: str = parameter(ANY, "which mentions to drop", tuple(OF))
    type: str = parameter(ANY, "only mentions of this type", TYPES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of == "right":  # the former name, which links may contain
            object.__setattr__(self, "of", "correct")
        choose("of", self.of, OF)
        choose("type", self.type, TYPES)

    @property
    def description(self) -> str:
        of = "" if self.of == ANY else f"{self.of.replace('-', ' ')} "
        kind = "" if self.type == ANY else f" of type {self.type}"
        return f"Drop {self.amount(f'the {of}mentions{kind}{self.limit}')}"

    @property
    def uses_incorrect(self) -> bool:
        return self.of == INCORRECTLY_RESOLVED

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        may_go = OF[self.of](draft)
        if self.uses_incorrect:
            may_go = may_go & draft.incorrectly_resolved(self.incorrect)
        if self.type != ANY:
            may_go = may_go & (draft.types == MENTION_TYPES.index(self.type))
        return draft.mentions.keep(~self.selected(rngs, draft.mentions.document, among=may_go))


ORDERS: dict[str, Callable[[IntArray], IntArray]] = {
    RANDOM_MENTIONS: lambda sizes: np.zeros_like(sizes),
    "largest": lambda sizes: -sizes,
    "smallest": lambda sizes: sizes,
}


@dataclass(frozen=True, kw_only=True)
class DropEntities(Dosed):
    """Drops whole entities; entities of equal size in random order."""

    id = "drop-entities"
    about = "Drop whole entities"
    order: str = parameter(RANDOM_MENTIONS, "which entities to drop first", tuple(ORDERS))

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("order", self.order, ORDERS)

    @property
    def description(self) -> str:
        order = "in random order" if self.order == RANDOM_MENTIONS else f"the {self.order} first"
        return f"Drop {self.amount('the entities')}, {order}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        size = ORDERS[self.order](draft.entity_sizes)
        gone = self.selected(rngs, draft.entity_document, size)
        return draft.mentions.keep(~gone[draft.mentions.entity])


# The perturbation that repairs a response: it adds missing links ----------------------------------


@dataclass(frozen=True, kw_only=True)
class Repair(Dosed):
    """Adds missing links, those that MUC counts.

    The parts of a key entity are its intersections with response entities, and each of its missing
    mentions. The largest part is its home (the first of several; if the response has no mention of
    it, a new entity with its first mention). Each other part is one missing link, added by moving
    the whole part to the home.

    No correct link is ever lost. At share 1 the response has all links of the key, and MUC's
    recall is 1. Wrong links are not fixed, and new ones may arise where a home has mentions of
    other key entities. A mention that is alone in the key has no link to add.
    """

    id = "repair"
    about = "Add missing links"

    @property
    def description(self) -> str:
        return f"Add {self.amount('the missing links')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        parts = _parts(draft)
        table, view = draft.comparison.table, draft.comparison.precision
        document = table.key_document[parts.key_entity]
        taken = self.selected(rngs, document, among=~parts.is_home)
        moved = taken & (parts.cell >= 0)
        entity_of_cell = table.cell_response.copy()
        entity_of_cell[parts.cell[moved]] = parts.home[parts.key_entity[moved]]
        entity = draft.mentions.entity.copy()
        entity[view.pair_own] = entity_of_cell[view.pair_cell]
        # Missing mentions that are taken, and the first mentions of new homes
        needed = taken | parts.is_home & np.isin(parts.key_entity, parts.key_entity[taken])
        added = needed & (parts.cell < 0)
        new = draft.key_mentions(parts.mention[added], parts.home[parts.key_entity[added]])
        return _regrouped(draft, entity).plus(new)


@dataclass(frozen=True)
class _Parts:
    """The parts of all key entities, ascending, the home of each first.

    cell, mention  (parts,) the cell that a part is, or the missing key mention; the other is −1
    is_home        (parts,) whether the part is the home of its key entity
    home           (key entities,) the response entity that is its home, or a new one's number
    """

    key_entity: IntArray
    cell: IntArray
    mention: IntArray
    is_home: BoolArray
    home: IntArray


def _parts(draft: Draft) -> _Parts:
    table, recall = draft.comparison.table, draft.comparison.recall
    n_cells, n_missing = len(table.cell_key), len(draft.missing)
    key_entity = np.concatenate([table.cell_key, recall.own_entity[draft.missing]])
    size = np.concatenate([table.cell_sizes, np.zeros(n_missing, dtype=np.int64)])
    cell = np.concatenate([np.arange(n_cells), np.full(n_missing, -1)])
    mention = np.concatenate([np.full(n_cells, -1), draft.missing])
    order = np.lexsort((-size, key_entity))
    is_home = np.diff(key_entity[order], prepend=-1) != 0
    home_cell = cell[order][is_home]
    new = fresh(draft, np.arange(len(home_cell)))
    home = np.where(home_cell < 0, new, np.append(table.cell_response, -1)[home_cell])
    return _Parts(key_entity[order], cell[order], mention[order], is_home, home)
