"""CoNLL columns as the CoNLL reference scorer v8.01 reads them, for output that equals its own.

A document is known by all that follows `#begin document`, and ends at `#end document` alone; every
other line that is not blank is a word. Brackets are found anywhere in the last cell, in a word
first the one-word mentions; all else is passed over, but for brackets without their partners.
`1` and `01` are two entities. Ends stay inclusive, as they are printed; nothing else is read.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from corescore.corpus.packed import bytes_up_to_a_limit
from corescore.corpus.problems import InputError
from corescore.util import by_key

_MODULE = "lib/CorScorer.pm"  # how that scorer names itself in messages
_HEADER = re.compile(r"#\s*begin document (.*)$", re.ASCII)
_END = re.compile(r"#\s*end document", re.ASCII)
_BLANK = re.compile(r"\s*$", re.ASCII)
_TWO_ANTECEDENTS = re.compile(r"\(([0-9]+\+[0-9])\)")
_ONE_WORD = re.compile(r"\(([0-9]+)\)")
_OPENING = re.compile(r"\(([0-9]+)")
_CLOSING = re.compile(r"([0-9]+)\)")
# Where that scorer opens a file to list its documents, or to read one; and meets a wrong bracket.
_OPENS_TO_LIST, _OPENS_TO_READ, _CLOSES_UNOPENED = 327, 201, 292
_EXIT_CODE = 25  # of a scorer that stops while it reads

Span = tuple[int, int]


class ScorerStops(Exception):  # noqa: N818 - no error of ours
    """The reference scorer stops here: what it prints to standard error, and its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class ListedDocument(NamedTuple):
    """A document as the reference scorer lists it.

    name       all that follows `#begin document`; "" if the file has no such document
    entities   numbered as their brackets are met, each with its mentions as they close: first and
               last word
    discarded  ids such as 1+2, which it passes over
    n_lines    how many lines were read to find it and read it
    stop       why the scorer stopped within it, if it did
    """

    name: str = ""
    entities: tuple[tuple[Span, ...], ...] = ()
    discarded: tuple[str, ...] = ()
    n_lines: int = 0
    stop: ScorerStops | None = None


def _read_lines(
    path: str, opened_at: int, n_read: int = 0
) -> tuple[list[str], dict[str, list[int]]]:
    """The lines of a file, and in which of them the documents of each name begin.

    Raises ScorerStops if there is no such file.

    opened_at  the line of the scorer's source in which it opens the file
    n_read     how many lines it has read before
    """
    try:
        text = bytes_up_to_a_limit(Path(path)).decode("utf-8", "replace")
    except OSError as error:
        code = error.errno or 2
        where = f"{_MODULE} line {opened_at}{_after(n_read)}"
        raise ScorerStops(f"Can not open {path}: {os.strerror(code)} at {where}", code) from None
    except InputError as error:
        raise ScorerStops(str(error), 2) from None
    lines = text.removesuffix("\n").split("\n")
    headers = (_HEADER.match(line.removesuffix("\r")) for line in lines)
    return lines, by_key((header[1], at) for at, header in enumerate(headers) if header)


def _after(n_read: int) -> str:
    return f", <F> line {n_read}." if n_read else "."


def _document(
    name: str, lines: Sequence[str], header: int, start: int, n_read: int
) -> ListedDocument:
    """The document whose header is line `header`, read from line `start` on."""
    numbers: dict[str, int] = {}
    mentions: dict[int, list[Span]] = defaultdict(list)
    opened: dict[int, list[int]] = defaultdict(list)
    discarded: list[str] = []
    stop = None
    word, line = 0, header
    for line in range(header + 1, len(lines)):
        if _BLANK.match(lines[line]):
            continue
        if _END.search(lines[line]):
            if any(opened.values()):
                stop = ScorerStops("Error: some mentions in the document do not close", _EXIT_CODE)
            break
        # That scorer cuts each bracket from the cell as it finds it, first the one-word mentions
        rest = [lines[line].rstrip("\t").rpartition("\t")[2]]
        discarded += _cut(_TWO_ANTECEDENTS, rest)
        for pattern in (_ONE_WORD, _OPENING, _CLOSING):
            for entity in _cut(pattern, rest):
                number = numbers.setdefault(entity, len(numbers))
                if pattern is _OPENING:
                    opened[number].append(word)
                elif pattern is _ONE_WORD or opened[number]:
                    first = word if pattern is _ONE_WORD else opened[number].pop()
                    mentions[number].append((first, word))
                else:
                    message = f"Detected the end of a mention [{entity}]({number}) without begin"
                    after = _after(n_read + line - start + 1)
                    where = f"{_MODULE} line {_CLOSES_UNOPENED}{after}"
                    stop = ScorerStops(f"{message} (?,{word}) at {where}", _EXIT_CODE)
                    break
        if stop:
            break
        word += 1
    entities = tuple(tuple(mentions[number]) for number in range(max(mentions, default=-1) + 1))
    return ListedDocument(name, entities, tuple(discarded), line - start + 1, stop)


def _cut(pattern: re.Pattern[str], rest: list[str]) -> Iterator[str]:
    """What a pattern finds in the only text of a list, each cut out before the next is sought."""
    while match := pattern.search(rest[0]):
        rest[0] = rest[0][: match.start()] + rest[0][match.end() :]
        yield match[1]


class ListedPair(NamedTuple):
    """What was read of both sides of a document: less than two where a file cannot be opened."""

    name: str
    sides: tuple[ListedDocument, ...]

    @property
    def is_whole(self) -> bool:
        return len(self.sides) == 2 and not any(side.stop for side in self.sides)


class ListedPairs(NamedTuple):
    """Pairs of documents up to that at which the scorer stops; and why, if it opens no file."""

    pairs: tuple[ListedPair, ...]
    stop: ScorerStops | None = None


def read_pairs(key: str, response: str, name: str | None) -> ListedPairs:
    """The documents of this name, or all of the key each with its own of the response.

    Where that scorer scores one, it reads the first of the name from the beginning of the file;
    where it scores all, it lists both files first and reads the last of each name.
    """
    pairs: list[ListedPair] = []
    files, n_read = [], 0
    try:
        if name is None:
            files = [_read_lines(path, _OPENS_TO_LIST) for path in (key, response)]
    except ScorerStops as error:
        return ListedPairs((), error)
    for one in [*files[0][1]] if name is None else [name]:
        sides: list[ListedDocument] = []
        for at, path in enumerate((key, response)):
            try:
                lines, begins = files[at] if files else _read_lines(path, _OPENS_TO_READ, n_read)
            except ScorerStops as error:
                return ListedPairs((ListedPair(one, tuple(sides)),), error)
            if one in begins:
                begin = begins[one][-1 if files else 0]
                start = begin if files else 0
                sides.append(_document(one, lines, begin, start, n_read))
            else:
                sides.append(ListedDocument(n_lines=len(lines)))
            n_read += sides[-1].n_lines
            if sides[-1].stop:
                break
        pairs.append(ListedPair(one, tuple(sides)))
        if sides[-1].stop:
            break
    return ListedPairs(tuple(pairs))
