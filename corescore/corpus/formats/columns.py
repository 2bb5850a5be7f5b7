"""What the CoNLL formats share: rows of columns, brackets that open and close mentions, and the
documents of a file one after the other.

A stretch is a run of lines without an empty one, so mostly a sentence. Where its rows all have as
many cells, they are split at once, and a column is a slice of them: twice as fast as row by row.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from sys import intern
from typing import Any, ClassVar, NamedTuple

import numpy as np

from corescore.corpus.documents import Document, Original, Pieces, Row
from corescore.corpus.formats.format import Notice, Part, Seen, name_of_file
from corescore.corpus.problems import ENOUGH, Problem, Problems, TooManyProblems

MOST_BRACKETS = 1000  # that open or close in one cell; no text has as many

_OTHER_BLANKS = "\v\f\r\x1c\x1d\x1e\x1f"  # ASCII that str.split takes for blanks, and we for text

_EMPTY_LINE = re.compile("\n\n")  # faster than to find it

_MARK = "\x80"  # between rows of ASCII

# Rows ---------------------------------------------------------------------------------------------


def is_blank(line: str) -> bool:
    """Whether a line ends a sentence: blanks and tabs only, no other white space, which is text."""
    return not line.strip(" \t")


class Stretch(NamedTuple):
    """Lines without an empty one between them: the number of the first, and how many they are."""

    first: int
    n_lines: int
    lines: str


def stretches(text: str, line: int) -> Iterator[Stretch]:
    """The lines between empty ones.

    line  the number of the text's first line
    """
    at = 0
    for end in chain((match.start() for match in _EMPTY_LINE.finditer(text)), [len(text)]):
        found = text[at:end]
        line += found[:1] == "\n"
        n_lines = 0
        if lines := found.strip("\n"):
            n_lines = lines.count("\n") + 1
            yield Stretch(line, n_lines, lines)
        line += n_lines + 1 + (not n_lines)
        at = end + 2


def has_tabs(row: str) -> bool:
    """Whether a row has a tab between columns."""
    return "\t" in row.strip(" ").rstrip("\t")


def with_tabs(lines: str) -> str:
    """Lines with tabs between columns, having had blanks."""
    lines = lines.replace("\t", " ")
    while "  " in lines:
        lines = lines.replace("  ", " ")
    return lines.replace(" \n", "\n").replace("\n ", "\n").strip(" ").replace(" ", "\t")


def cells_of(stretch: Stretch, *, tabbed: bool) -> tuple[list[str], int]:
    """The cells of some lines, a mark between lines; and how many each line has, 0 if not all have
    as many."""
    _, n_lines, lines = stretch
    mark = "\n"
    if not tabbed and lines.isascii() and not any(blank in lines for blank in _OTHER_BLANKS):
        mark = _MARK
        cells = lines.replace("\n", f" {mark} ").split()
    else:
        cells = (lines if tabbed else with_tabs(lines)).replace("\n", "\t\n\t").split("\t")
    n = (len(cells) + 1) // n_lines - 1
    is_even = len(cells) + 1 == n_lines * (n + 1) and cells[n :: n + 1].count(mark) == n_lines - 1
    return cells, n if is_even else 0


def known_of(column: Sequence[str], nothing: Set[str], n: int) -> Sequence[str]:
    """The cells with "" for each that holds nothing, and "" up to n; empty if none holds more."""
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

    def unopened(self, label: str, at: int) -> tuple[str, str, str]:
        """What is wrong with a bracket that closes nothing: found, expected, advice."""
        raise NotImplementedError

    def unclosed(self, label: str) -> tuple[str, str]:
        """What is wrong with a bracket that never closes: found, expected."""
        raise NotImplementedError

    def notices(self) -> Iterator[Notice]:
        """What is said once of a file."""
        raise NotImplementedError

    def refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        """Note a problem."""
        self.problems.add(Problem(self.file, line, found, expected, advice))

    def warn(self, line: int, text: str) -> None:
        """Note a warning."""
        self.warnings.append(f"{self.file}:{line}: {text}")

    def has_too_many(self, cell: str, line: int) -> bool:
        """Whether a cell has more brackets than any text, which is refused: each would take many
        times its memory."""
        if len(cell) <= MOST_BRACKETS or cell.count("(") + cell.count(")") <= MOST_BRACKETS:
            return False
        found = f"more than {MOST_BRACKETS:,} brackets in one cell"
        self.refuse(line, found, f"at most {MOST_BRACKETS:,}", "Check the cell.")
        return True

    def read_brackets(self, words: Iterable[tuple[int, Iterable[Bracket]]]) -> None:
        """Open and close mentions at words of a sentence. Of one label the inner close first."""
        starts, ends, labels, opened = self.starts, self.ends, self.labels, self.opened
        closed = self.closed
        sentence_start = self.sentence_starts[-1]
        for at, brackets in words:
            for label, opens, closes, told in brackets:
                if opens:
                    (closed if closes else opened[label]).append(len(starts))
                    starts.append(at)
                    ends.append(at + 1 if closes else OPEN)
                    labels.append(label)
                    self.told.append(told)
                elif stack := opened.get(label):
                    number = stack.pop()
                    ends[number] = at + 1
                    closed.append(number)
                    if starts[number] < sentence_start and self.across_sentences:
                        text = f"a mention of entity {label} {self.across_sentences}"
                        self.warn(self.lines[at], text)
                else:
                    self.refuse(self.lines[at], *self.unopened(label, at))

    @property
    def full_name(self) -> str:
        """Its name, or that of its file."""
        return self.name or name_of_file(self.file)

    def finish(self) -> None:
        """Refuse the brackets that are still open."""
        for start, end, label in zip(self.starts, self.ends, self.labels, strict=True):
            if end == OPEN:
                advice = "Add the closing bracket."
                self.refuse(self.lines[start], *self.unclosed(label), advice)

    def made(self, rows: Sequence[Row], **more: Any) -> Document:
        """The document with these mentions; `more` as in `Document.of_rows`."""
        n_words = len(self.words)
        return Document.of_rows(
            self.full_name,
            rows,
            words=self.words,
            sentence_starts=self.sentence_starts,
            speakers=known_of(self.speakers, self.nothing, 0),
            tags=known_of(self.tags, self.nothing, n_words),
            lemmas=known_of(self.lemmas, self.nothing, n_words),
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
        found, warnings = tuple(draft.problems.found), tuple(draft.warnings)
        seen.append(Seen(draft.begin, draft.name, found, warnings, tuple(draft.notices())))
        n_problems += len(found)
        if n_problems:
            documents.clear()
        if n_problems >= ENOUGH:
            break
    return Part(tuple(documents), tuple(seen))


def lines_like(mark: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The lines that match. (A pattern that begins with "^" is slower.)"""
    found = mark.finditer(text)
    return (match for match in found if not match.start() or text[match.start() - 1] == "\n")


def first_row(text: str, line: int) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, and its number."""
    lines = enumerate(text.split("\n"), line)
    return next(((at, row) for at, row in lines if row.strip() and row[0] != "#"), None)


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
            found = f"a second document {of_name} (the first is in line {first[name]})"
            yield Problem(file, line, found, expected, advice)
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
