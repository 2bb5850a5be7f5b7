"""What the CoNLL formats share: rows of columns, brackets that open and close mentions, and the
documents of a file one after the other.

CoNLL's rows are found a block at a time, by where its lines and cells end, and only the cells that
are asked for become texts: several times as fast as to split row by row.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import accumulate, pairwise
from sys import intern, maxsize
from typing import Any, ClassVar, NamedTuple

import numpy as np

from corescore.corpus.documents import Document, JoinedWords, Ordered, Original, Pieces, Rows
from corescore.corpus.formats.format import Notice, Part, Seen, name_of_file
from corescore.corpus.problems import ENOUGH, Problem, Problems, TooManyProblems
from corescore.util import AnyArray, BoolArray, IntArray

NOTHING = frozenset(("-", "_", "*", ""))

MOST_BRACKETS = 1000  # that open or close in one cell; no text has as many

_EMPTY_LINE = re.compile("\n\n")  # faster than to find it

_NO_COMMENT = re.compile("^[^#\n].*", re.MULTILINE)

AT_ONCE = 1 << 20  # letters of the documents whose mentions are put in order together

_BLOCK = 1 << 17  # characters, or up to the end of the sentence

# Rows ---------------------------------------------------------------------------------------------


def is_blank(line: str) -> bool:
    """Whether a line ends a sentence: blanks and tabs only, no other white space, which is text."""
    return not line.strip(" \t")


def has_tabs(row: str) -> bool:
    """Whether a row has a tab between columns."""
    return "\t" in row.strip(" ").rstrip("\t")


def with_tabs(lines: str) -> str:
    """Lines with tabs between columns, having had blanks."""
    lines = lines.replace("\t", " ")
    while "  " in lines:
        lines = lines.replace("  ", " ")
    return lines.replace(" \n", "\n").replace("\n ", "\n").strip(" ").replace(" ", "\t")


_FEED, _TAB, _BLANK, _SIGN = b"\n\t #"

_BYTES = "utf-8", "surrogatepass"


@dataclass(frozen=True, eq=False)
class Block:
    """The rows of some lines, those of a sentence with as many cells. Empty lines and comments are
    no rows.

    codes          the characters in UTF-8, with a line feed before and after them
    lines          (rows,) the number of the line of each
    sentences      the row with which each sentence begins
    widths         how many cells the rows of each sentence have
    first, last    (rows,) the numbers of its first and its last cell among all cells
    before, after  (cells,) the places of the characters before and after each
    known          the columns that were asked for
    """

    codes: AnyArray
    lines: IntArray
    sentences: list[int]
    widths: list[int]
    first: IntArray
    last: IntArray
    before: AnyArray
    after: AnyArray
    known: "dict[int, _Joined]" = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, line: int, breaks: IntArray, *, tabbed: bool) -> "Block | None":
        """The rows of a text; None if there are none, or not all of a sentence have as many cells.

        line    the number of its first line
        breaks  the numbers of lines at which sentences end besides at empty ones
        tabbed  whether there is one tab between columns; otherwise blanks and tabs
        """
        text = text if text.endswith("\n") else f"{text}\n"
        codes = np.frombuffer(text.encode(*_BYTES), np.uint8)
        gaps, is_feed = _gaps(codes, (_FEED, _TAB) if tabbed else (_FEED, _TAB, _BLANK))
        before, after, feeds = gaps[:-1], gaps[1:], np.flatnonzero(is_feed)
        if not tabbed:
            is_cell = np.diff(gaps) > 1
            before, after = before[is_cell], after[is_cell]
            feeds = np.append(0, np.cumsum(is_cell))[feeds]
        if not len(before):
            return None
        first, widths = feeds[:-1], np.diff(feeds)
        begin = codes[before.take(first, mode="clip") + 1]
        is_empty = (begin == _FEED) | (widths == 0)
        lines = np.flatnonzero(~is_empty & (begin != _SIGN))
        if not len(lines):
            return None
        first, widths, numbers = first[lines], widths[lines], lines + line
        ends = np.append(np.flatnonzero(is_empty) + line, breaks)
        sentences = sorted({0, *np.searchsorted(numbers, ends).tolist()} - {len(lines)})
        if not {*(np.flatnonzero(np.diff(widths)) + 1).tolist()} <= {*sentences}:
            return None
        last, n = first + widths - 1, widths[sentences].tolist()
        return cls(codes, numbers, sentences, n, first, last, before, after)

    def only(self, rows: IntArray) -> "Block":
        """The block with these of its rows, in their order, at least one of each sentence."""
        return Block(
            self.codes,
            self.lines[rows],
            np.searchsorted(rows, self.sentences).tolist(),
            self.widths,
            self.first[rows],
            self.last[rows],
            self.before,
            self.after,
        )

    def is_plain(self, column: int) -> bool:
        """Whether each row has a word in this column that begins with no blank, and the first of
        each sentence a last cell that ends with none: otherwise the line may be blank, or columns
        too many."""
        words, last = self.first + column, self.last[self.sentences]
        begins, ends = self.codes[self.before[words] + 1], self.codes[self.after[last] - 1]
        return not any((found <= _BLANK).any() for found in (begins, ends))

    def joined(self, column: int, rows: slice) -> str:
        """The cells of a column in some rows, with a line feed between them."""
        if column not in self.known:
            self.known[column] = self._joined(self.first + column)
        return self.known[column].part(rows)

    def column(self, column: int, rows: slice) -> list[str]:
        """The cells of a column in some rows."""
        return self.joined(column, rows).split("\n")

    def starts(self, column: int, sentences: slice) -> list[str]:
        """The cells of a column in the first rows of some sentences."""
        if ~column not in self.known:
            self.known[~column] = self._joined(self.first[self.sentences] + column)
        return self.known[~column].part(sentences).split("\n")

    @cached_property
    def filled(self) -> tuple[IntArray, list[str]]:
        """The rows whose last cell is neither empty nor one of `NOTHING`, and the cells."""
        cells = self.last
        begins = self.codes[self.before[cells] + 1]
        length = self.after[cells] - self.before[cells] - 1
        is_nothing = np.zeros(len(cells), dtype=bool)
        for one in filter(None, NOTHING):
            is_nothing |= begins == ord(one)
        rows = np.flatnonzero(length > is_nothing)
        texts = self._joined(cells[rows]).part(slice(None)).split("\n") if len(rows) else []
        return rows, texts

    def _joined(self, cells: IntArray) -> "_Joined":
        before = self.before[cells]
        length = self.after[cells] - before
        stops = np.cumsum(length)
        places = np.repeat(before + 1 - stops + length, length)
        places += np.arange(len(places))
        codes = self.codes[places]
        codes[stops - 1] = _FEED
        return _Joined(codes.tobytes(), stops)


class _Joined(NamedTuple):
    """Texts with a line feed after each, as bytes, and where each line feed ends."""

    texts: bytes
    stops: IntArray

    def part(self, rows: slice) -> str:
        """Some of the texts, one at least, with a line feed between them."""
        first, stop, _ = rows.indices(len(self.stops))
        start = self.stops[first - 1] if first else 0
        return self.texts[start : self.stops[stop - 1] - 1].decode(*_BYTES)


_PIECE = 1 << 18  # so many characters stay in the processor's cache


def _gaps(codes: AnyArray, wanted: Iterable[int]) -> tuple[AnyArray, BoolArray]:
    """The places of these characters, and which of them are line feeds; −1 first, as if of one."""
    kind = np.int32 if len(codes) < 2**31 else np.int64
    places, is_feed = [np.array([-1], kind)], [np.array([True])]
    for start in range(0, len(codes), _PIECE):
        piece = codes[start : start + _PIECE]
        here = np.flatnonzero(reduce(np.logical_or, (piece == one for one in wanted)))
        places.append((here + start).astype(kind))
        is_feed.append(piece.take(here) == _FEED)
    return np.concatenate(places), np.concatenate(is_feed)


@dataclass(frozen=True, slots=True)
class SplitRows:
    """The rows of a sentence, split one by one. Otherwise as `Block`."""

    rows: Sequence[Sequence[str]]
    widths: list[int]
    lines: IntArray
    sentences: ClassVar[list[int]] = [0]

    def joined(self, column: int, rows: slice) -> str:
        """The cells of a column, with a line feed between them."""
        return "\n".join(self.column(column, rows))

    def column(self, column: int, rows: slice) -> list[str]:
        """The cells of a column."""
        return [row[column] for row in self.rows[rows]]

    def starts(self, column: int, sentences: slice) -> list[str]:
        """The cell of a column in the first row."""
        return [row[column] for row in self.rows[:1]]

    @property
    def filled(self) -> tuple[IntArray, list[str]]:
        """The rows whose last cell is not one of `NOTHING`, and the cells."""
        cells = {number: row[-1] for number, row in enumerate(self.rows) if row[-1] not in NOTHING}
        return np.array([*cells], dtype=np.int64), [*cells.values()]


@dataclass(frozen=True)
class Layout:
    """How rows have their columns.

    column  that of the words
    kinds   numbers of columns from which on columns are read otherwise
    tabbed  whether there is one tab between columns; otherwise blanks and tabs
    """

    column: int
    kinds: tuple[int, ...]
    tabbed: bool = True

    def block(self, text: str, line: int, breaks: AnyArray) -> Block | None:
        """`Block.of`; None too unless each row has a word, and entities in its last column, and all
        rows are of one kind."""
        block = Block.of(text, line, breaks, tabbed=self.tabbed)
        if block is None or (fewest := min(block.widths)) < self.column + 2:
            return None
        kinds = (bisect_right(self.kinds, width) for width in (fewest, max(block.widths)))
        return block if len({*kinds}) == 1 and block.is_plain(self.column) else None


class Blocks:
    """A text in blocks of some 130,000 characters, each of whole sentences.

    line    the number of the text's first line
    begins  where documents begin
    ends    where they may end before the next begins
    number  of the line at each of these places, and where each block begins
    """

    def __init__(
        self, text: str, line: int, begins: Sequence[int], ends: Sequence[int] = ()
    ) -> None:
        self.text, self._bounds = text, [0]
        while self._bounds[-1] < len(text):
            between = _EMPTY_LINE.search(text, self._bounds[-1] + _BLOCK)
            self._bounds.append(between.end() if between else len(text))
        places = sorted({*self._bounds, *begins, *ends})
        feeds = (text.count("\n", *piece) for piece in pairwise(places))
        self.number = dict(zip(places, accumulate(feeds, initial=line), strict=True))
        self._breaks = np.array([self.number[begin] for begin in begins])
        self._last: tuple[tuple[int, Layout | None], Block | None] = ((-1, None), None)

    def rows(
        self, start: int, stop: int, layout: Layout
    ) -> Iterator[tuple[Block | None, slice, str, int]]:
        """The rows between two of these places: a block, and which of its rows. Without a block
        lines that have to be looked at one by one, and the number of the first."""
        number = bisect_right(self._bounds, start) - 1
        while start < stop:
            end, line = min(self._bounds[number + 1], stop), self.number[start]
            block = self._block(number, layout)
            if block is None:
                text = self.text[start:end]
                yield layout.block(text, line, np.zeros(0)), slice(None), text, line
            else:
                is_last = end == len(self.text)  # whose last line may have no line feed
                first, after = bisect_left(block.lines, line), len(block.lines)
                if not is_last:
                    after = bisect_left(block.lines, self.number[end])
                if first < after:
                    yield block, slice(first, after), "", 0
            start, number = end, number + 1

    def _block(self, number: int, layout: Layout) -> Block | None:
        if (number, layout) != self._last[0]:
            begin, end = self._bounds[number : number + 2]
            line, after = self.number[begin], self.number[end]
            breaks = self._breaks[slice(*np.searchsorted(self._breaks, (line, after)))]
            block = layout.block(self.text[begin:end], line, breaks)
            self._last = (number, layout), block
        return self._last[1]


def known_of(column: Sequence[str], nothing: Set[str], n: int) -> Sequence[str]:
    """The cells with "" for each that holds nothing, and "" up to n; empty if none holds more."""
    if not column:
        return ()
    if isinstance(column, JoinedWords):
        return column.without(nothing)
    different = {*column}
    if different <= {*nothing, ""}:
        return ()
    known = {cell: "" if cell in nothing else intern(cell) for cell in different}
    return [*map(known.__getitem__, column), *[""] * (n - len(column))]


# Documents while they are read --------------------------------------------------------------------

OPEN = -1  # the end of a mention that has not been closed

# Its label; whether it opens, and closes a mention; what an opening one says of it by field
Bracket = tuple[str, bool, bool, Mapping[str, str]]


@dataclass
class Draft:
    """A document while it is read, what is wrong with it, and what is said of it.

    text, line  its lines in the file, and the number of the first
    begin       the number of the line that names it, by which it is known in messages
    lines       the number of each word's line
    starts, ends, labels, told  of the brackets as they open, half-open: the end is OPEN until the
                one of the same label closes; told is what the opening one says
    opened      the numbers of those not yet closed, by label
    closed      the numbers of the others, in the order in which they close

    The class of a format says how to read it, and has its id and the cells that hold `nothing`.
    """

    file: str
    text: str
    line: int
    begin: int
    name: str = ""
    words: list[str] = field(default_factory=list)
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    told: list[Mapping[str, str]] = field(default_factory=list)
    opened: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    closed: list[int] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    warnings: list[str] = field(default_factory=list)

    format: ClassVar[str]
    nothing: ClassVar[Set[str]] = frozenset("_")
    across_sentences: ClassVar[str] = ""  # what is said of such a mention

    def read(self) -> None:
        """Take in the lines. Raises TooManyProblems."""
        raise NotImplementedError

    def document(self) -> Document:
        """The document as read, if no problem was found; it may be that one is found now."""
        raise NotImplementedError

    def unopened(self, label: str, word: int) -> tuple[str, str, str]:
        """What is wrong with a bracket that closes nothing: found, expected, advice."""
        raise NotImplementedError

    def unclosed(self, label: str) -> tuple[str, str]:
        """What is wrong with a bracket that never closes: found, expected."""
        raise NotImplementedError

    def notices(self) -> Iterator[Notice]:
        """What is said once of a file."""
        return iter(())

    def is_sure(self, label: str) -> bool:
        """Whether a bracket without its partner is told."""
        return True

    def note(self, line: int, fault: str, expected: str, advice: str) -> None:
        """Note a problem."""
        self.problems.add(Problem(self.file, line, fault, expected, advice))

    def warn(self, line: int, text: str) -> None:
        """Note a warning."""
        self.warnings.append(f"{self.file}:{line}: {text}")

    def has_too_many(self, cell: str, line: int) -> bool:
        """Whether a cell has more brackets than any text, which is refused: each would take many
        times its memory."""
        if len(cell) <= MOST_BRACKETS or cell.count("(") + cell.count(")") <= MOST_BRACKETS:
            return False
        fault = f"more than {MOST_BRACKETS:,} brackets in one cell"
        self.note(line, fault, f"at most {MOST_BRACKETS:,}", "Check the cell.")
        return True

    def read_brackets(
        self, words: Iterable[tuple[int, Iterable[Bracket]]], sentence: int = -1
    ) -> None:
        """Open and close mentions at words. Of one label the inner close first.

        sentence  that of the first word, the last one if it is left out
        """
        starts, ends, labels, opened = self.starts, self.ends, self.labels, self.opened
        closed, told_of, across = self.closed, self.told, self.across_sentences
        begins = [*self.sentence_starts[sentence:], maxsize][::-1]
        begin, following = begins.pop(), begins.pop()
        for at, brackets in words:
            while at >= following:
                begin, following = following, begins.pop()
            for label, opens, closes, told in brackets:
                if opens:
                    (closed if closes else opened[label]).append(len(starts))
                    starts.append(at)
                    ends.append(at + 1 if closes else OPEN)
                    labels.append(label)
                    told_of.append(told)
                elif stack := opened.get(label):
                    number = stack.pop()
                    ends[number] = at + 1
                    closed.append(number)
                    if across and starts[number] < begin:
                        text = f"a mention of entity {label} {across}"
                        self.warn(self.lines[at], text)
                elif self.is_sure(label):
                    self.note(self.lines[at], *self.unopened(label, at))

    @property
    def full_name(self) -> str:
        """Its name, or that of its file."""
        return self.name or name_of_file(self.file)

    def finish(self) -> None:
        """Refuse the brackets that are still open."""
        if not any(self.opened.values()):
            return
        for start, end, label in zip(self.starts, self.ends, self.labels, strict=True):
            if end == OPEN and self.is_sure(label):
                advice = "Add the closing bracket."
                self.note(self.lines[start], *self.unclosed(label), advice)

    def made(self, rows: Rows | Ordered, **more: Any) -> Document:
        """The document with these mentions; `more` as in `Document.of_rows`."""
        words = more.pop("words", self.words)
        n_words = len(words)
        return Document.of_rows(
            self.full_name,
            rows,
            words=words,
            sentence_starts=self.sentence_starts,
            speakers=known_of(self.speakers, self.nothing, 0),
            tags=known_of(more.pop("tags", self.tags), self.nothing, n_words),
            lemmas=known_of(more.pop("lemmas", self.lemmas), self.nothing, n_words),
            file=self.file,
            lines=np.array(self.lines, dtype=np.int64),
            **more,
        )

    @property
    def original(self) -> Original:
        """Its lines, by which it can be written again."""
        return Original.of(self.format, self.text, self.full_name, self.line)


def part_of(drafts: Iterable[Draft]) -> Part:
    """The documents, each read once the one before it has been; none after a problem."""
    documents: list[Document] = []
    seen: list[Seen] = []
    n_problems = 0
    for draft in drafts:
        with suppress(TooManyProblems):
            draft.read()
            if not draft.problems:
                documents.append(draft.document())
        problems, warnings = tuple(draft.problems.noted), tuple(draft.warnings)
        seen.append(Seen(draft.begin, draft.name, problems, warnings, tuple(draft.notices())))
        n_problems += len(problems)
        if n_problems:
            documents.clear()
        if n_problems >= ENOUGH:
            break
    return Part(tuple(documents), tuple(seen))


def lines_like(mark: re.Pattern[str], text: str, word: str) -> Iterator[re.Match[str]]:
    """The lines that match; all of them have the word. (To look for it first is faster.)"""
    position = text.find(word)
    while position >= 0:
        if match := mark.match(text, text.rfind("\n", 0, position) + 1):
            yield match
        end = text.find("\n", position)
        position = text.find(word, end) if end >= 0 else end


def first_row(text: str, line: int) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, and its number."""
    for row in _NO_COMMENT.finditer(text):
        if row[0].strip():
            return line + text.count("\n", 0, row.start()), row[0]
    return None


def joined(pieces: Iterable[tuple[int, int]]) -> Pieces:
    """The pieces of a mention in order, those that touch as one."""
    runs: list[tuple[int, int]] = []
    for start, end in sorted(pieces):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    return tuple(runs)


def second_names(
    named: Iterable[tuple[str, int]], file: str, expected: str, advice: str
) -> Iterator[Problem]:
    """Documents, each with its line, whose names another has before them."""
    first: dict[str, int] = {}
    for name, line in named:
        if name in first:
            of_name = f"'{name}'" if name else "without a name"
            fault = f"a second document {of_name} (the first is in line {first[name]})"
            yield Problem(file, line, fault, expected, advice)
        first.setdefault(name, line)


def written(
    n_words: int, mentions: Iterable[tuple[int, int, str, str]]
) -> list[tuple[list[str], list[str]]]:
    """The brackets of each word: what closes (inner first), and what opens (outer first).

    mentions  start, end, and what the opening and the closing bracket hold; in text order
    """
    brackets: list[tuple[list[str], list[str]]] = [([], []) for _ in range(n_words)]
    for start, end, opening, closing in mentions:
        is_single = end - start == 1
        brackets[start][1].append(f"({opening})" if is_single else f"({opening}")
        if not is_single:
            brackets[end - 1][0].insert(0, f"{closing})")
    return brackets
