"""Text without words: cut into words by a simple rule, and spans of characters put onto them.

A word is a run of letters, digits and underscores, or any other single character that is no blank.
A line of the text is a sentence.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from corescore.wording import counted

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Text:
    """A text and its words: where each begins and ends in characters, the end exclusive."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @property
    def words(self) -> list[str]:
        """The words themselves."""
        return [self.text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]

    @property
    def sentence_starts(self) -> list[int]:
        """The position of the first word of each line."""
        line_ends = [match.end() for match in re.finditer(r"\n", self.text)]
        firsts = {bisect_left(self.starts, at) for at in (0, *line_ends)}
        return sorted(firsts - {len(self.starts)})

    def words_of(self, start: int, end: int) -> tuple[int, int]:
        """The words that characters start to end touch, half-open; empty if there is none."""
        return bisect_right(self.ends, start), bisect_left(self.starts, end)


def in_words(text: str) -> Text:
    """A text with its words."""
    spans = [match.span() for match in _WORD.finditer(text)]
    return Text(text, [start for start, _ in spans], [end for _, end in spans])


@dataclass
class Widened:
    """The spans that cut a word, and were widened to whole words."""

    examples: list[tuple[str, str]] = field(default_factory=list)

    def span(self, text: Text, start: int, end: int) -> tuple[int, int]:
        """The words of a span of characters. ValueError if it has no word or is not in the text."""
        if not 0 <= start < end <= len(text.text):
            raise ValueError(f"a span that is not within the {len(text.text)} characters")
        first, last = text.words_of(start, end)
        if first >= last:
            raise ValueError("a span without a word")
        if text.starts[first] < start or text.ends[last - 1] > end:
            whole = text.text[text.starts[first] : text.ends[last - 1]]
            self.examples.append((text.text[start:end], whole))
        return first, last

    def warnings(self) -> Iterable[str]:
        """How many they are, with the first as an example; nothing if there is none."""
        if self.examples:
            cut, whole = self.examples[0]
            n = len(self.examples)
            cuts = "cuts a word and is" if n == 1 else "cut a word and are"
            example = f"'{cut}' to '{whole}'"
            yield f"{counted(n, 'mention')} {cuts} widened to whole words, such as {example}."
