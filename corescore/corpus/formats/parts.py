"""Reading a file in parts: what is read of a part, and what is said of the file in the end.

A part is a run of whole documents. What its reader notices of each is kept without the document, so
that the problems and warnings of a file are the same in however many parts it was read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from corescore.corpus.documents import Document
from corescore.corpus.problems import InputError, Problem

Texts = Iterable[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Begin:
    """Where a part begins: the number of its first line, and what the lines before declare."""

    line: int = 1
    declared: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said once of a file, however many of its documents have it.

    kind     by which the notices of a file are put together
    numbers  what is added up
    """

    kind: str
    line: int
    text: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader noticed of one document, or of lines in none (`name` is then None)."""

    line: int
    name: str | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """The documents of a part, and what was noticed; some may lack where there are problems."""

    documents: tuple[Document, ...]
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Whole lines of a file, as they are stored: where they begin, and in which line."""

    start: int
    line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document stands in its file.

    name         None where it can only be told by reading it
    start, stop  its bytes, half-open
    """

    name: str | None
    start: int
    stop: int
    begin: Begin = field(default_factory=Begin)


@dataclass(frozen=True)
class Parts:
    """How a format is read in parts.

    places  (all lines of a file in blocks, its name) → where its documents stand, one after the
            other without a gap; none if it has to be read whole
    read    (text of a part, file, side, where the part begins) → the part
    finish  (what was seen in all of the file in its order, file, side, the texts of its parts with
            the numbers of their first lines) → the warnings of the file; raises InputError with
            every problem found
    """

    places: Callable[[Iterable[Lines], str], Iterator[Place]]
    read: Callable[[str, str, str, Begin], Part]
    finish: Callable[[Sequence[Seen], str, str, Texts], tuple[str, ...]]


def refuse(problems: Iterable[Problem], seen: Iterable[Seen] = ()) -> None:
    """Raises InputError with the problems, and those of what was seen, in the order of their lines,
    if there are any."""
    every = [*problems, *(problem for of in seen for problem in of.problems)]
    if every:
        raise InputError(sorted(every, key=lambda problem: problem.line))


def commented(block: Lines, *words: bytes) -> Iterator[tuple[int, int, str]]:
    """(start in the block, number in the file, text) of each line with a number sign at its begin
    and one of these words in it."""
    data, line, before = block.data, block.line, 0
    for start in sorted({start for word in words for start in _lines_with(data, word)}):
        line += data.count(b"\n", before, start)
        before = start
        text = data[start : _end(data, start)].decode("utf-8-sig").rstrip("\r")
        if text[:1] == "#":
            yield start, line, text


def _lines_with(data: bytes, word: bytes) -> Iterator[int]:
    """Where the lines begin that hold a word."""
    at = data.find(word)
    while at >= 0:
        yield data.rfind(b"\n", 0, at) + 1
        at = data.find(word, _end(data, at))


def _end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return end if end >= 0 else len(data)
