"""Which response mention is which key mention, over all documents at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.documents import Document
from corescore.corpus.problems import InputError, Problem
from corescore.counting.policies import DEFAULTS, Match, Policies, Repeats

MOST_PLACES = 5
MOST_CODES = 2**62


@dataclass(frozen=True)
class Side:
    """The mentions of one side of a corpus in flat arrays, documents one after the other.

    document, entity, start, end   (mentions,) of each mention; entities are numbered through the
                                   corpus, and some may be left without a mention by a policy.
    entity_document                (entities,) the document of each entity.
    n_repeats, repeats             how many mentions the side listed twice, and the first places.
    """

    document: IntArray
    entity: IntArray
    start: IntArray
    end: IntArray
    entity_document: IntArray
    n_repeats: int = 0
    repeats: tuple[str, ...] = ()

    def keep(self, kept: BoolArray) -> "Side":
        """The side without the mentions where `kept` is False."""
        return replace(
            self,
            document=self.document[kept],
            entity=self.entity[kept],
            start=self.start[kept],
            end=self.end[kept],
        )


@dataclass(frozen=True)
class Matching:
    """Both sides, and the pairs of mentions that match: indices into the sides' mentions."""

    n_documents: int
    key: Side
    response: Side
    key_mention: IntArray
    response_mention: IntArray

    def without(self, mentions: BoolArray) -> "Matching":
        """The same without the response mentions that are True."""
        stays = ~mentions[self.response_mention]
        number = np.cumsum(~mentions) - 1
        return replace(
            self,
            response=self.response.keep(~mentions),
            key_mention=self.key_mention[stays],
            response_mention=number[self.response_mention[stays]],
        )


def flatten(documents: Sequence[Document], policies: Policies) -> Side:
    """One side in flat arrays under the policies for singletons, then those for repeats.

    `drop` removes the entities of one mention; then, of a span listed in several entities,
    `first` keeps the entity that appears first in its document, `error` raises InputError, and
    `all` keeps every one. A span listed twice in one entity is one mention.
    """
    side = _side(documents)
    again = _same_as_before(side.document, side.start, side.end, side.entity)
    side = _without(side, again, documents, policies.repeats)
    if policies.singletons == "drop":
        sizes = np.bincount(side.entity, minlength=len(side.entity_document))
        side = side.keep(sizes[side.entity] > 1)
    again = _same_as_before(side.document, side.start, side.end)
    return _without(side, again, documents, policies.repeats, kept=policies.repeats == "all")


def _side(documents: Sequence[Document]) -> Side:
    if not documents:
        none = np.zeros(0, dtype=np.int64)
        return Side(none, none, none, none, none)
    rows = [document.rows for document in documents]
    n_mentions = np.array([len(of_document) for of_document in rows])
    n_entities = np.array([document.n_entities for document in documents])
    numbers = np.arange(len(documents))
    offset = np.cumsum(n_entities) - n_entities
    start, end, entity = np.concatenate(rows).T
    return Side(
        np.repeat(numbers, n_mentions),
        entity + np.repeat(offset, n_mentions),
        start,
        end,
        np.repeat(numbers, n_entities),
    )


def _same_as_before(*columns: IntArray) -> BoolArray:
    """Where a row equals the row before it in every column."""
    same = np.zeros(len(columns[0]), dtype=bool)
    if len(same):
        same[1:] = np.logical_and.reduce([column[1:] == column[:-1] for column in columns])
    return same


def _without(
    side: Side,
    again: BoolArray,
    documents: Sequence[Document],
    repeats: Repeats,
    *,
    kept: bool = False,
) -> Side:
    """The side without the mentions listed `again` (with them if `kept`), and a note of them."""
    if not again.any():
        return side
    where = np.flatnonzero(again).tolist()
    if repeats == "error":
        raise InputError(_repeat_problem(side, documents, at) for at in where)
    places = (*side.repeats, *(_place(side, documents, at) for at in where[:MOST_PLACES]))
    return replace(
        side if kept else side.keep(~again),
        n_repeats=side.n_repeats + len(where),
        repeats=places[:MOST_PLACES],
    )


def _place(side: Side, documents: Sequence[Document], at: int) -> str:
    document = documents[side.document[at]]
    start, end = int(side.start[at]), int(side.end[at])
    words = " ".join(document.words[start:end])
    place = f"word {end}" if end - start == 1 else f"words {start + 1} to {end}"
    return f"'{words}' in {document.name}, {place}"


def _repeat_problem(side: Side, documents: Sequence[Document], at: int) -> Problem:
    document = documents[side.document[at]]
    return Problem(
        document.file or document.name,
        int(document.lines[side.start[at]]) if document.lines is not None else 0,
        f"a span listed twice: {_place(side, documents, at)}",
        "each span once",
        "Fix the file, or choose repeats 'first' or 'all'.",
    )


def match(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies = DEFAULTS,
) -> Matching:
    """Match the mentions of paired documents, one to one.

    key, response  documents of both sides, the n-th of one paired with the n-th of the other

    Raises InputError for repeats under `repeats="error"`.
    """
    key_side, response_side = flatten(key, policies), flatten(response, policies)
    key_mention, response_mention = MATCHERS[policies.match](key_side, response_side)
    return Matching(len(key), key_side, response_side, key_mention, response_mention)


def exact_pairs(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """Pairs of mentions of one document with the same start and end, as two index arrays.

    Every key row of a span is paired with every response row of it, which is one pair unless
    repeats are scored as they stand.
    """
    key_code, response_code = _codes(key, response)
    first = np.searchsorted(key_code, response_code, side="left")
    n_pairs = np.searchsorted(key_code, response_code, side="right") - first
    response_mention = np.repeat(np.arange(len(response_code)), n_pairs)
    before = np.cumsum(n_pairs) - n_pairs
    key_mention = np.arange(len(response_mention)) + np.repeat(first - before, n_pairs)
    return key_mention, response_mention


def _codes(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """One number for each span of either side, ascending in text order (the longer first)."""
    n_documents = 1 + max(key.document.max(initial=0), response.document.max(initial=0))
    sides = [np.array([side.start, side.end]) for side in (key, response)]
    if int(n_documents) * (1 + max(int(s.max(initial=0)) for s in sides)) ** 2 > MOST_CODES:
        places = np.unique(np.hstack(sides))  # far positions: their ranks will do
        sides = [np.searchsorted(places, side) for side in sides]
    width = 1 + max(side.max(initial=0) for side in sides)
    key_code, response_code = (
        (side.document * width + start) * width + (width - 1 - end)
        for side, (start, end) in zip((key, response), sides, strict=True)
    )
    return key_code, response_code


MATCHERS: dict[Match, Callable[[Side, Side], tuple[IntArray, IntArray]]] = {"exact": exact_pairs}
