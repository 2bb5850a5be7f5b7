"""Words of a plain text, for the formats that give mentions by character offsets."""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")


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


def tokens_of(text: str) -> Tokens:
    """The words of a text: runs of letters and digits, and each other character that is no blank.

    Marks that combine with a letter, such as the vowel signs of Hindi, belong to its run.
    """
    return tokens_by(_TOKEN, text, text if text.isascii() else _marks_as_letters(text))


def tokens_by(pattern: re.Pattern[str], text: str, like: str) -> Tokens:
    """The words that a pattern finds in a text that is `like` this one, letter by letter."""
    starts, ends = array("q"), array("q")
    for match in pattern.finditer(like):
        starts.append(match.start())
        ends.append(match.end())
    words = tuple(text[start:end] for start, end in zip(starts, ends, strict=True))
    return Tokens(words, starts, ends)


def _marks_as_letters(text: str) -> str:
    return "".join("a" if unicodedata.category(one)[0] == "M" else one for one in text)
