"""Words that are searched for in a document."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from corescore.corpus.documents import Document


@dataclass(frozen=True)
class Search:
    """What is searched for, and the spans of words where it is, in text order."""

    query: str
    places: Sequence[tuple[int, int]]


def places(document: Document, query: str) -> list[tuple[int, int]]:
    """Where the words of a document have the query: spans of words, in text order.

    Case does not count, nor how many spaces there are; a hit begins with a word, and may end within
    one: "bank" finds "Banks", "ank" does not. Empty for an empty query.
    """
    wanted = " " + " ".join(query.casefold().split())
    if wanted == " ":
        return []
    words = [word.casefold() for word in document.words]
    text = "".join(f" {word}" for word in words)
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    found, at = [], text.find(wanted)
    while at >= 0:
        last = bisect_right(starts, at + len(wanted) - 1)
        found.append((bisect_right(starts, at) - 1, last))
        at = text.find(wanted, at + 1)
    return found
