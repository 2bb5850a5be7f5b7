"""Rows of columns as all CoNLL formats have them: their stretches, their cells, what is wrong.

A stretch is a run of lines without an empty one, so mostly a sentence. Where its rows all have as
many cells, they are split at once, and a column is a slice of them: twice as fast as row by row.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from sys import intern
from typing import NamedTuple

from corescore.corpus.documents import Pieces
from corescore.corpus.problems import Problem, Problems

NOTHING = frozenset(("-", "_", "*", ""))

MOST_BRACKETS = 1000  # that open or close in one cell; no text has as many

TOO_MANY_BRACKETS = (
    f"more than {MOST_BRACKETS:,} brackets in one cell",
    f"at most {MOST_BRACKETS:,}",
    "Check the cell.",
)

_OTHER_BLANKS = "\v\f\r\x1c\x1d\x1e\x1f"  # ASCII that str.split takes for blanks, and we for text

_EMPTY_LINE = re.compile("\n\n")  # faster than to find it

_MARK = "\x80"  # between rows of ASCII


def has_too_many(cell: str) -> bool:
    """Whether a cell has more brackets than any text; each would take many times its memory."""
    return len(cell) > MOST_BRACKETS and cell.count("(") + cell.count(")") > MOST_BRACKETS


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


def known_of(column: Sequence[str], nothing: Set[str] = NOTHING, n: int = 0) -> Sequence[str]:
    """The cells with "" for each that holds nothing, and "" up to n; empty if none holds more."""
    different = {*column}
    if different <= {*nothing, ""}:
        return ()
    known = {cell: "" if cell in nothing else intern(cell) for cell in different}
    return [*map(known.__getitem__, column), *[""] * (n - len(column))]


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


@dataclass
class Noted:
    """What is wrong with a document of a file, and what is said of it, while it is read."""

    file: str
    problems: Problems = field(default_factory=Problems, kw_only=True)
    warnings: list[str] = field(default_factory=list, kw_only=True)

    def refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        """Note a problem."""
        self.problems.add(Problem(self.file, line, found, expected, advice))

    def warn(self, line: int, text: str) -> None:
        """Note a warning."""
        self.warnings.append(f"{self.file}:{line}: {text}")
