"""Texts with mentions marked in them: the text without its markup, as a document over its words."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.problems import Problem
from corescore.corpus.tokens import Tokens, tokens_of

Marked = tuple[int, int, str]
_BREAK = re.compile("\n")
_MOST_QUOTED = 200  # of which 40 are shown, without blanks at the end


@dataclass(frozen=True)
class Edit:
    """source[start:end] stands for this text in the document: markup stands for nothing."""

    start: int
    end: int
    text: str = ""


@dataclass
class Markup:
    """The markup of a source, while it is read.

    edits     what is not the text itself, ascending
    mentions  (start, end, entity), what each mention encloses, in positions of the source
    """

    edits: list[Edit] = field(default_factory=list)
    mentions: list[Marked] = field(default_factory=list)

    def drop(self, match: re.Match[str], text: str = "") -> None:
        """Leave out what was matched, or put a text in its place."""
        self.edits.append(Edit(match.start(), match.end(), text))


@dataclass(frozen=True)
class Source:
    """The part of a file that a document stands in.

    text        the whole file
    start, end  the document's part of it
    first_line  the number of the line that this part begins in
    by_blanks   whether its words stand between blanks; else a text is split by `tokens_of`
    """

    file: str
    text: str
    start: int
    end: int
    first_line: int = 1
    by_blanks: bool = False

    def line(self, at: int) -> int:
        """The number of the line of this position."""
        return self.first_line + bisect_left(self._breaks, at)

    def lines(self, positions: Sequence[int]) -> IntArray:
        """The number of the line of each of these positions."""
        return np.array([self.line(at) for at in positions], dtype=np.int64)

    @cached_property
    def _breaks(self) -> list[int]:
        """Where its lines end, ascending."""
        return [match.start() for match in _BREAK.finditer(self.text, self.start, self.end)]

    def place(self, at: int) -> str:
        """The file and the line, as warnings begin."""
        return f"{self.file}:{self.line(at)}"

    def excerpt(self, at: int, end: int | None = None) -> str:
        """What stands in a line from this position on, in quotes."""
        to = self.end if end is None else end
        rest = self.text[at : min(to, at + _MOST_QUOTED)].split("\n", 1)[0]
        return f"'{rest[:40].rstrip()}…'" if len(rest) > 40 else f"'{rest.rstrip()}'"

    def problem(self, at: int, found: str, expected: str, advice: str) -> Problem:
        """What is wrong at this position."""
        return Problem(self.file, self.line(at), found, expected, advice)


def name_of_file(file: str) -> str:
    """What a document is known by that has no name but its file's: that without endings."""
    return Path(file).name.split(".")[0] or "document"


def marked_document(name: str, source: Source, markup: Markup) -> tuple[Document, list[Marked]]:
    """The document that a source holds without its markup; and mentions without a word, left out.

    A mention that begins or ends within a word of `tokens_of` splits it there. A line break ends
    a sentence.
    """
    text, place, origin = _plain(source, markup.edits)
    spans = [(place(start), place(end), entity) for start, end, entity in markup.mentions]
    words = words_of(text, [span[:2] for span in spans], by_blanks=source.by_blanks)
    rows, wordless = [], []
    for (start, end, entity), mention in zip(spans, markup.mentions, strict=True):
        if covered := words.covering(start, end):
            rows.append((mention[0], *covered, entity))
        else:
            wordless.append(mention)
    document = Document.of_rows(
        name,
        [row[1:] for row in sorted(rows)],  # of two mentions of the same words the outer one first
        words=words.words,
        sentence_starts=[*_sentence_starts(text, words)],
        file=source.file,
        lines=source.lines([origin(start) for start in words.starts]),
    )
    return document, wordless


def _plain(
    source: Source, edits: Sequence[Edit]
) -> tuple[str, Callable[[int], int], Callable[[int], int]]:
    """The text without markup, and where a position of the source is in it, and the reverse."""
    pieces, from_source, to_text, length, at = [], [source.start], [0], 0, source.start
    for edit in edits:
        pieces += [source.text[at : edit.start], edit.text]
        length += edit.start - at
        from_source.append(edit.start)
        to_text.append(length)
        length, at = length + len(edit.text), edit.end
        from_source.append(at)
        to_text.append(length)
    text = "".join([*pieces, source.text[at : source.end]])

    def place(position: int) -> int:
        known = bisect_right(from_source, position) - 1
        return to_text[known] + position - from_source[known]

    def origin(position: int) -> int:
        known = bisect_right(to_text, position) - 1
        return from_source[known] + position - to_text[known]

    return text, place, origin


def words_of(text: str, spans: Iterable[tuple[int, int]], *, by_blanks: bool = False) -> Tokens:
    """The words of a text, split where one of these spans of characters begins or ends."""
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in pairwise(sorted({0, len(text), *(at for span in spans for at in span)})):
        found = _between_blanks(text[start:end]) if by_blanks else tokens_of(text[start:end])
        words += found.words
        starts += [start + at for at in found.starts]
        ends += [start + at for at in found.ends]
    return Tokens(tuple(words), tuple(starts), tuple(ends))


def _between_blanks(text: str) -> Tokens:
    found = [*re.finditer(r"\S+", text)]
    starts, ends = tuple(one.start() for one in found), tuple(one.end() for one in found)
    return Tokens(tuple(one.group() for one in found), starts, ends)


def _sentence_starts(text: str, words: Tokens) -> Iterator[int]:
    """The first word of each line."""
    before = 0
    for at, (start, end) in enumerate(zip(words.starts, words.ends, strict=True)):
        if at == 0 or "\n" in text[before:start]:
            yield at
        before = end
