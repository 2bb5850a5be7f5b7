"""Perturbations that add wrong mentions or wrong entities."""

from dataclasses import dataclass

import numpy as np

from corescore.analysis.perturbation.chance import Generators, ranks, uniform
from corescore.analysis.perturbation.draft import Draft
from corescore.analysis.perturbation.mentions import Mentions
from corescore.analysis.perturbation.perturbation import (
    MOST,
    Dosed,
    DosedIncorrect,
    fresh,
    is_count,
    parameter,
)
from corescore.arrays import FloatArray, IntArray
from corescore.corpus.problems import PolicyError

TOGETHER, RANDOM, LARGEST = "together", "random", "largest"
INTO = (TOGETHER, RANDOM, LARGEST)


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
        large = np.flatnonzero(sizes > 1)
        taken = np.zeros(len(codes), dtype=bool)
        taken[large] = self.selected(rngs, codes[large] // width)
        added = taken[group]
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
