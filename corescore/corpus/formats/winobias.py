"""WinoBias: a sentence a line, `[The lawyer] thanked the clerk because [he] was tired.`

Each line is a document; its mentions in square brackets are one entity, those in round brackets
another. Lines are known by their numbers, with which they may begin. Only read. Source: Zhao et
al. 2018, "Gender bias in coreference resolution: evaluation and debiasing methods".
"""

import re
from collections.abc import Iterator

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.marked_text import Source
from corescore.corpus.problems import Problems
from corescore.corpus.tokens import tokens_of

_NUMBER = re.compile(r"\s*(\d{1,9})\s+")
_MENTION = re.compile(r"\[([^\[\]()\n]*\w[^\[\]()\n]*)\]|\(([^\[\]()\n]*\w[^\[\]()\n]*)\)")
_EXPECTED = "two mentions or more in brackets of one kind"
_OPENING, _CLOSING = "[(", "])"
_BRACKET = re.compile(r"[\[\]()]")
_FITTING = re.compile(r"[^\[\]\n]*(?:\[[^\[\]()\n]+\](?!\()[^\[\]\n]*){2}")


def read_winobias(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    firsts = (_NUMBER.match(line) for _, _, line in _lines(text))
    numbered = all(first and int(first[1]) == n for n, first in enumerate(firsts, start=1))
    problems = Problems()
    documents: list[Document] = []
    for name, (number, at, line) in enumerate(_lines(text), start=1):
        first = _NUMBER.match(line)
        start = at + first.end() if numbered and first else at
        end = at + len(line)
        if wrong := _wrong(text, start, end):
            source = Source(file, text, start, end, number)
            told = f"{source.excerpt(start)}: {wrong[0]}"
            problems.add(source.problem(start, told, _EXPECTED, wrong[1]))
        elif not problems:
            documents.append(_document(str(name), text[start:end], file, number))
    problems.refuse()
    warning = (
        f"{file}: read as WinoBias: each line is a document, and its mentions in square brackets "
        "are one entity."
    )
    return Corpus(tuple(documents), file, (warning,))


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """(number, position, line) of each line that is not empty."""
    at = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, at, line
        at += len(line) + 1


def _document(name: str, line: str, file: str, number: int) -> Document:
    """The document of a line without its brackets: each is a word of its own in `tokens_of`."""
    words: list[str] = []
    rows: list[tuple[int, int, str]] = []
    opened = 0
    for word in tokens_of(line).words:
        if word in _OPENING:
            opened = len(words)
        elif word in _CLOSING:
            rows.append((opened, len(words), word))
        else:
            words.append(word)
    lines = np.full(len(words), number)
    return Document.of_rows(name, rows, words=words, file=file, lines=lines)


def _wrong(text: str, start: int, end: int) -> tuple[str, str] | None:
    """What is wrong with a line, and what to do; None if nothing is."""
    kinds = [text[match.start()] for match in _MENTION.finditer(text, start, end)]
    if len(_BRACKET.findall(text, start, end)) > 2 * len(kinds):
        return "brackets that nest, are empty or have no partner", "Fix the brackets."
    if not kinds:
        return "no mention", "Mark the other mention, or delete the line."
    for kind, name in (("[", "square"), ("(", "round")):
        if kinds.count(kind) == 1:
            found = f"one mention in {name} brackets"
            return found, "Mark the other mention, or delete the line."
    return None


def fits_winobias(text: str) -> bool:
    """Whether there are several lines, each with exactly two mentions in square brackets."""
    if text.lstrip().startswith(("{", '["', "[{")):
        return False  # JSON
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(map(_FITTING.fullmatch, lines))


WINOBIAS = Format(
    id="winobias",
    title="WinoBias lines",
    suffixes=(".winobias",),
    fits=fits_winobias,
    read=read_winobias,
)
