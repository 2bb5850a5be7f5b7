"""Texts with mentions marked in them: the text without its markup, as a document over its words.

Words of a plain text, for the formats that give mentions by character offsets.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from itertools import chain
from pathlib import Path
from sys import intern

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.problems import Problem
from corescore.util import IntArray

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


Marked = tuple[int, int, str]

_BREAK = re.compile("\n")

_MOST_QUOTED = 200  # of which 40 are shown, without blanks at the end


@dataclass(slots=True)
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
class MarkedSource:
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

    def lines(self, origin: Callable[[IntArray], IntArray], positions: IntArray) -> IntArray:
        """The number of the line of each of these positions of a text; `origin` gives that here."""
        if self.text.find("\n", self.start, self.end) < 0:
            return np.full(len(positions), self.first_line)
        lines = _positions(self._breaks).searchsorted(origin(positions))
        lines += self.first_line
        return lines

    @cached_property
    def _breaks(self) -> "array[int]":
        """Where its lines end, ascending."""
        return breaks_in(self.text, self.start, self.end)

    def again(self, pattern: re.Pattern[str], at: int) -> re.Match[str]:
        """What a pattern has matched at this position."""
        match = pattern.match(self.text, at, self.end)
        assert match
        return match

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


def marked_document(
    name: str, source: MarkedSource, markup: Markup
) -> tuple[Document, list[Marked]]:
    """The document that a source holds without its markup; and mentions without a word, left out.

    A mention that begins or ends within a word of `tokens_of` splits it there. A line break ends
    a sentence.
    """
    text, place, origin = _plain(source, markup.edits)
    mentions = sorted(markup.mentions)  # of two mentions of the same words the outer one first
    starts = array("q", [place(start) for start, _, _ in mentions])
    ends = array("q", [place(end) for _, end, _ in mentions])
    words = tokens_of(text, chain(starts, ends), by_blanks=source.by_blanks)
    rows, wordless = [], []
    for mention, start, end in zip(mentions, starts, ends, strict=True):
        if covered := words.covering(start, end):
            rows.append((*covered, mention[2]))
        else:
            wordless.append(mention)
    document = Document.of_rows(
        name,
        rows,
        words=words.words,
        sentence_starts=_sentence_starts(text, words),
        file=source.file,
        lines=source.lines(origin, _positions(words.starts)),
    )
    return document, wordless


def _plain(
    source: MarkedSource, edits: Sequence[Edit]
) -> tuple[str, Callable[[int], int], Callable[[IntArray], IntArray]]:
    """The text without markup, where a position of the source is in it, and the reverse of many."""
    pieces, length, at = StringIO(), 0, source.start
    from_source, to_text = array("q", [source.start]), array("q", [0])
    for edit in edits:
        pieces.write(source.text[at : edit.start])
        pieces.write(edit.text)
        length += edit.start - at + len(edit.text)
        at = edit.end
        from_source.append(at)
        to_text.append(length)
    pieces.write(source.text[at : source.end])
    text = pieces.getvalue()

    def place(position: int) -> int:
        known = bisect_right(from_source, position) - 1
        return to_text[known] + position - from_source[known]

    def origin(positions: IntArray) -> IntArray:
        begins = _positions(to_text)
        known = begins.searchsorted(positions, side="right")
        known -= 1
        moved = (_positions(from_source) - begins)[known]
        moved += positions
        return moved

    return text, place, origin


def words_of(text: str, spans: Iterable[tuple[int, int]], *, by_blanks: bool = False) -> Tokens:
    """The words of a text, split where one of these spans of characters begins or ends."""
    return tokens_of(text, (at for span in spans for at in span), by_blanks=by_blanks)


def _sentence_starts(text: str, words: Tokens) -> list[int]:
    """The first word of each line."""
    if "\n" not in text:
        return [0] * bool(words.words)
    starts: list[int] = _line_starts(text, words).tolist()
    return starts


def _line_starts(text: str, words: Tokens) -> IntArray:
    breaks, starts, ends = map(_positions, (breaks_in(text), words.starts, words.ends))
    begins = breaks.searchsorted(starts)
    begins[1:] -= breaks.searchsorted(ends[:-1])
    begins[:1] = 1
    return begins.nonzero()[0]


def _positions(of: "array[int]") -> IntArray:
    """(positions,) the same, not a copy."""
    return np.frombuffer(of, dtype=np.int64) if of else np.zeros(0, dtype=np.int64)


def breaks_in(text: str, start: int = 0, end: int | None = None) -> "array[int]":
    """Where the lines of this part of a text end, ascending."""
    end = len(text) if end is None else end
    return array("q", (match.start() for match in _BREAK.finditer(text, start, end)))
