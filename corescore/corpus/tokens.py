"""Words of a plain text, for the formats that give mentions by character offsets."""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from sys import intern

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_BETWEEN_BLANKS = re.compile(r"\S+")


@dataclass(frozen=True)
class Tokens:
    """The words of a text, and the character positions of each: half-open, from 0."""

    words: tuple[str, ...]
    starts: "array[int]"
    ends: "array[int]"

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The words, half-open, that a half-open span of characters touches; None if there is none.

        A span that begins or ends within a word is widened to it; `cuts` tells that.
        """
        if end <= start:
            return None
        first, after = bisect_right(self.ends, start), bisect_left(self.starts, end)
        return (first, after) if first < after else None

    def cuts(self, start: int, end: int) -> bool:
        """Whether a span of characters begins or ends within a word."""
        found = self.covering(start, end)
        return found is not None and (
            self.starts[found[0]] < start or end < self.ends[found[1] - 1]
        )


def tokens_of(text: str, cuts: Iterable[int] = (), *, by_blanks: bool = False) -> Tokens:
    """The words of a text: runs of letters and digits, and each other character that is no blank.

    Marks that combine with a letter, such as the vowel signs of Hindi, belong to its run.

    cuts       positions at which a word ends and another begins in any case
    by_blanks  whether words are all that is between blanks instead
    """
    like = text if by_blanks or text.isascii() else _marks_as_letters(text)
    pattern = _BETWEEN_BLANKS if by_blanks else _TOKEN
    starts, ends = array("q"), array("q")
    for match in pattern.finditer(like):
        starts.append(match.start())
        ends.append(match.end())
    if within := {cut for cut in cuts if _is_within(cut, starts, ends)}:
        starts, ends = (array("q", sorted([*of, *within])) for of in (starts, ends))
    words = map(intern, map(text.__getitem__, map(slice, starts, ends)))
    return Tokens(tuple(words), starts, ends)


def _is_within(cut: int, starts: "array[int]", ends: "array[int]") -> bool:
    """Whether a position is within a word."""
    at = bisect_right(ends, cut)
    return at < len(starts) and starts[at] < cut


def _marks_as_letters(text: str) -> str:
    return "".join("a" if unicodedata.category(one)[0] == "M" else one for one in text)
