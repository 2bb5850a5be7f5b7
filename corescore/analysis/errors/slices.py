"""Slices of a corpus, such as pronouns or long entities: the slice of each kind of each mention."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from corescore.analysis.errors.types import mention_types
from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.english import MENTION_TYPES
from corescore.corpus.mention_types import COARSE_TYPE, FINE_TYPES
from corescore.counting.comparison import Comparison, View
from corescore.once import once_of

OTHER_GENRE = "other"
FIRST_MENTION, NOT_IN_KEY = "first of its entity", "not in the key"


@dataclass(frozen=True)
class Slices:
    """The slices of one kind.

    names   their names, in order
    number  (mentions,) the slice of each mention, by its position in `names`
    """

    names: tuple[str, ...]
    number: IntArray


def slices(comparison: Comparison, *, side: str) -> dict[str, Slices]:
    """The slices of each own mention of the key (recall) or the response (precision), by kind.

    type        pronoun (a zero, which the text leaves out, is one too), name, nominal; unknown
                without words. As its file tells, else by rules for English: `mention_types`
    length      of the mention, in words
    size        of its own entity, in mentions
    position    the quarter of the document in which it starts
    antecedent  the distance in words to the nearest mention before it of the same key entity
    genre       of its document: `genres`

    Raises PolicyError for an unknown side.
    """
    return _slices(comparison, side)


@once_of  # several tables ask for them, and a book's types take a second
def _slices(comparison: Comparison, side: str) -> dict[str, Slices]:
    view = comparison.view(side)
    return {kind: of(comparison, view) for kind, of in SLICES.items()}


def genres(documents: Iterable[Document]) -> list[str]:
    """The genre of each document: what their file says or, if it says nothing of any of them, the
    `genre` in their names. "other" where there is none.

    A prefix of names is none if it groups no documents: if it is a number, as in "105_persuasion",
    or if several documents have each another one.
    """
    every = list(documents)
    if any(document.genre for document in every):
        return [document.genre or OTHER_GENRE for document in every]
    found = [genre(document.name) for document in every]
    if len(found) > 1 and len({*found}) == len(found):
        return [OTHER_GENRE] * len(found)
    return [OTHER_GENRE if one.isdigit() else one for one in found]


def slice_kinds(documents: Iterable[Document]) -> tuple[str, ...]:
    """The kinds of slices that can tell mentions of these documents apart: all, but for the genre
    where all documents have one."""
    has_genres = len({*genres(documents)}) > 1
    return tuple(kind for kind in SLICES if kind != "genre" or has_genres)


def genre(name: str) -> str:
    """The genre in the name of a document: the part before the first "/" or, without one, "_".

    If that is in capitals and two parts follow, it is the corpus, and the genre comes next:
    "bc/cctv/00" is bc, "news_harbour" news, "GUM_bio_byron" bio. Other names: "other".
    """
    if "/" in name.strip("/"):
        return name.strip("/").partition("/")[0]
    first, *rest = name.split("_")
    if first.isupper() and len(rest) > 1:
        first = rest[0]
    return first if first and rest else OTHER_GENRE


def _types(comparison: Comparison, view: View) -> Slices:
    coarse = [MENTION_TYPES.index(COARSE_TYPE[fine]) for fine in FINE_TYPES]
    side = "recall" if view is comparison.recall else "precision"
    return Slices(MENTION_TYPES, np.array(coarse)[mention_types(comparison, side=side).number])


def _lengths(comparison: Comparison, view: View) -> Slices:
    names = ("1 word", "2 words", "3 to 5 words", "6 to 10 words", "more than 10 words")
    return Slices(names, np.searchsorted([2, 3, 6, 11], view.own.end - view.own.start, "right"))


def _sizes(comparison: Comparison, view: View) -> Slices:
    names = ("1 mention", "2 mentions", "3 to 5 mentions", "6 to 10 mentions")
    sizes = view.table.key_sizes[view.own_entity]
    return Slices((*names, "more than 10 mentions"), np.searchsorted([2, 3, 6, 11], sizes, "right"))


def _positions(comparison: Comparison, view: View) -> Slices:
    lengths = np.array([len(document.words) for document in comparison.key])
    np.maximum.at(lengths, view.own.document, view.own.end)  # where the words are unknown
    quarter = 4 * view.own.start // lengths[view.own.document]
    names = ("first quarter", "second quarter", "third quarter", "last quarter")
    return Slices(names, quarter)


def _antecedents(comparison: Comparison, view: View) -> Slices:
    bounds = (10, 50, 200)
    between = [
        f"{low + 1} to {high} words" for low, high in zip((0, *bounds), bounds, strict=False)
    ]
    names = (FIRST_MENTION, *between, f"more than {bounds[-1]} words", NOT_IN_KEY)
    distance = _distances(comparison.recall)
    of_key = np.where(distance < 0, 0, 1 + np.searchsorted(bounds, distance))
    if view is comparison.recall:
        return Slices(names, of_key)
    return Slices(names, np.append(of_key, names.index(NOT_IN_KEY))[view.own_partner])


def _distances(key: View) -> IntArray:
    """(key mentions,) words from the start of its entity's mention before it; −1 for the first."""
    order = np.lexsort((np.arange(len(key.own_entity)), key.own_entity))
    start, entity = key.own.start[order], key.own_entity[order]
    distance = np.full(len(order), -1)
    later = np.flatnonzero(np.diff(entity) == 0) + 1
    distance[order[later]] = start[later] - start[later - 1]
    return distance


def _genres(comparison: Comparison, view: View) -> Slices:
    of_document = genres(comparison.key)
    names = tuple(dict.fromkeys(of_document))
    numbers = np.array([names.index(name) for name in of_document], dtype=np.int64)
    return Slices(names, numbers[view.own.document])


SLICES: dict[str, Callable[[Comparison, View], Slices]] = {
    "type": _types,
    "length": _lengths,
    "size": _sizes,
    "position": _positions,
    "antecedent": _antecedents,
    "genre": _genres,
}
