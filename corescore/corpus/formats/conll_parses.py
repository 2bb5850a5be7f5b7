"""The parse of a document, from the rows that it was read from: column 6 of CoNLL-2012.

The cells of a sentence, one for each word, are its parse with * for the words, such as `(NP(NP*`
and `*))`. They are read on demand; the reader of the entities passes them by.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_columns import tabbed
from corescore.corpus.problems import InputError, Problem, Stage

_COLUMN = 6
_NOTHING = ("", "-", "_")
_CELL = re.compile(r"((?:\([^\s()*]+)*)\*(\)*)")
_EXPECTED = f"a parse in column {_COLUMN}, as CoNLL-2012 rows have it"


class Brackets(NamedTuple):
    """The constituents that begin at a word, by their labels, the outermost first, and how many
    end there."""

    opened: tuple[str, ...] = ()
    n_closed: int = 0


def parses_of(documents: Iterable[Document]) -> list[list[Brackets]]:
    """`parse_of` each document. Raises InputError with the problems of all of them."""
    parses: list[list[Brackets]] = []
    errors = []
    for document in documents:
        try:
            parses.append(parse_of(document))
        except InputError as error:
            errors.append(error)
    if errors:
        merged = InputError.of(errors)
        raise InputError(merged.problems, merged.more, Stage.PARSES)
    return parses


def parse_of(document: Document) -> list[Brackets]:
    """The brackets of the parse at each word of a document.

    A word that is not in the text has none. Raises InputError if the document was not read from
    columns, has no parse in column 6, or one whose brackets do not fit.
    """
    cells = list(_cells(document))
    if not any(cell not in _NOTHING for _, cell in cells):
        raise InputError([_problem(document, 0, f"document '{document.name}' without a parse")])
    brackets: list[Brackets] = []
    problems = []
    for line, cell in cells:
        found = _CELL.fullmatch(cell)
        if not found:
            problems.append(_problem(document, line, f"column {_COLUMN} with '{cell}'"))
        opened, closed = found.groups() if found else ("", "")
        brackets.append(Brackets(tuple(opened.split("(")[1:]), len(closed)))
    problems = problems or list(_unbalanced(document, brackets, [line for line, _ in cells]))
    if problems:
        raise InputError(problems)
    for at in sorted(document.empty_nodes):
        brackets.insert(at, Brackets())
    return brackets


def _cells(document: Document) -> Iterator[tuple[int, str]]:
    """The line and the sixth column of each word of the text; "" if its row is shorter.

    The last column is that of the entities, never a parse.
    """
    original = document.original
    if original is None or original.format != "conll" or document.lines is None:
        return
    rows = original.text.split("\n")
    numbers = [
        line for at, line in enumerate(document.lines.tolist()) if at not in document.empty_nodes
    ]
    wanted = [rows[line - original.line] for line in numbers]
    for line, row in zip(numbers, tabbed(wanted, original.name), strict=True):
        columns = row.rstrip(" \t").split("\t")
        yield line, columns[_COLUMN - 1].strip(" ") if len(columns) > _COLUMN else ""


def _unbalanced(
    document: Document, brackets: Sequence[Brackets], lines: Sequence[int]
) -> Iterable[Problem]:
    """Sentences that close a constituent which is not open, or leave one open."""
    starts = {*document.sentence_starts}
    n_open = 0
    last = len(brackets) - 1
    for at, (opened, n_closed) in enumerate(brackets):
        n_open += len(opened) - n_closed
        if n_open < 0:
            yield _problem(document, lines[at], "a ) in the parse without its (")
            n_open = 0
        elif n_open and (at == last or at + 1 in starts):
            yield _problem(document, lines[at], f"a sentence that leaves {n_open} ( open")
            n_open = 0


def _problem(document: Document, line: int, found: str) -> Problem:
    return Problem(
        document.file or document.name,
        line,
        found,
        _EXPECTED,
        "Give the key with its parse, or score without it.",
    )
