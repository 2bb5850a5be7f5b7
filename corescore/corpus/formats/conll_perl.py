"""CoNLL columns as the CoNLL reference scorer v8.01 reads them, for output that equals its own.

A document is known by all that follows `#begin document`, and ends at `#end document` alone; every
other line that is not blank is a word. Brackets are found anywhere in the last cell, in a word
first the one-word mentions; all else is passed over, but for brackets without their partners.
`1` and `01` are two entities. Ends stay inclusive, as they are printed; nothing else is read.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from corescore.corpus.packed import bytes_up_to_a_limit
from corescore.corpus.problems import InputError

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


@dataclass(frozen=True)
class ListedDocument:
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


@dataclass(frozen=True)
class ListedFile:
    """The lines of a file, and in which of them the documents begin."""

    lines: Sequence[str]
    headers: Sequence[tuple[str, int]]

    @classmethod
    def read(cls, path: str, opened_at: int, n_read: int = 0) -> "ListedFile":
        """Raises ScorerStops if there is no such file.

        opened_at  the line of the scorer's source in which it opens the file
        n_read     how many lines it has read before
        """
        try:
            text = bytes_up_to_a_limit(Path(path)).decode("utf-8", "replace")
        except OSError as error:
            code = error.errno or 2
            where = f"{_MODULE} line {opened_at}{_after(n_read)}"
            raise ScorerStops(
                f"Can not open {path}: {os.strerror(code)} at {where}", code
            ) from None
        except InputError as error:
            raise ScorerStops(str(error), 2) from None
        lines = text.split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        found = ((_HEADER.match(line.removesuffix("\r")), at) for at, line in enumerate(lines))
        return cls(lines, [(match[1], at) for match, at in found if match])

    @property
    def names(self) -> list[str]:
        """The names of the documents, each once."""
        return [*dict.fromkeys(name for name, _ in self.headers)]

    def last(self, name: str, n_read: int = 0) -> ListedDocument:
        """The last document of this name, as the scorer finds it where it scores all of them."""
        begins = [at for known, at in self.headers if known == name]
        if not begins:
            return ListedDocument(n_lines=len(self.lines))
        return self._document(name, begins[-1], begins[-1], n_read)

    def first(self, name: str, n_read: int = 0) -> ListedDocument:
        """The first document of this name, as the scorer finds it where it scores that one."""
        begins = [at for known, at in self.headers if known == name]
        if not begins:
            return ListedDocument(n_lines=len(self.lines))
        return self._document(name, begins[0], 0, n_read)

    def _document(self, name: str, at: int, start: int, n_read: int) -> ListedDocument:
        """The document whose header is line `at`, read from line `start` on."""
        draft, word, number = _Draft(), 0, at
        for number in range(at + 1, len(self.lines)):
            line = self.lines[number]
            if _BLANK.match(line):
                continue
            if _END.search(line):
                draft.stop_if_open()
                break
            cell = line.rstrip("\t").rpartition("\t")[2]
            draft.read(word, cell, n_read + number - start + 1)
            if draft.stop:
                break
            word += 1
        return replace(draft.document(name), n_lines=number - start + 1)


def _after(n_read: int) -> str:
    return f", <F> line {n_read}." if n_read else "."


@dataclass
class _Draft:
    """A document while it is read."""

    index: dict[str, int] = field(default_factory=dict)
    mentions: dict[int, list[Span]] = field(default_factory=dict)
    opened: dict[int, list[int]] = field(default_factory=dict)
    discarded: list[str] = field(default_factory=list)
    stop: ScorerStops | None = None

    def read(self, word: int, cell: str, n_read: int) -> None:
        """Take in the brackets of a word. That scorer cuts each from the cell as it finds it."""
        if "(" not in cell and ")" not in cell:
            return
        rest = [cell]
        self.discarded += _cut(_TWO_ANTECEDENTS, rest)
        for entity in _cut(_ONE_WORD, rest):
            self.mentions.setdefault(self._number(entity), []).append((word, word))
        for entity in _cut(_OPENING, rest):
            self.opened.setdefault(self._number(entity), []).append(word)
        for entity in _cut(_CLOSING, rest):
            number = self._number(entity)
            if not self.opened.get(number):
                found = f"Detected the end of a mention [{entity}]({number}) without begin"
                where = f"{_MODULE} line {_CLOSES_UNOPENED}{_after(n_read)}"
                self.stop = ScorerStops(f"{found} (?,{word}) at {where}", _EXIT_CODE)
                return
            self.mentions.setdefault(number, []).append((self.opened[number].pop(), word))

    def _number(self, entity: str) -> int:
        return self.index.setdefault(entity, len(self.index))

    def stop_if_open(self) -> None:
        """Mentions that are open at the end stop the scorer."""
        if any(self.opened.values()):
            message = "Error: some mentions in the document do not close"
            self.stop = ScorerStops(message, _EXIT_CODE)

    def document(self, name: str) -> ListedDocument:
        """The document so far."""
        numbers = range(max(self.mentions, default=-1) + 1)
        entities = tuple(tuple(self.mentions.get(number, ())) for number in numbers)
        return ListedDocument(name, entities, tuple(self.discarded), stop=self.stop)


def _cut(pattern: re.Pattern[str], rest: list[str]) -> Iterator[str]:
    """What a pattern finds in the only text of a list, each cut out before the next is sought."""
    while match := pattern.search(rest[0]):
        rest[0] = rest[0][: match.start()] + rest[0][match.end() :]
        yield match[1]


@dataclass(frozen=True)
class ListedPair:
    """What was read of both sides of a document: less than two where a file cannot be opened."""

    name: str
    sides: tuple[ListedDocument, ...]

    @property
    def is_whole(self) -> bool:
        return len(self.sides) == 2 and not any(side.stop for side in self.sides)


@dataclass(frozen=True)
class ListedPairs:
    """Pairs of documents up to that at which the scorer stops; and why, if it opens no file."""

    pairs: tuple[ListedPair, ...]
    stop: ScorerStops | None = None


def read_pairs(key: str, response: str, name: str | None) -> ListedPairs:
    """The documents of this name, or all of the key each with its own of the response."""
    return _all_documents(key, response) if name is None else _one_document(key, response, name)


def _one_document(key: str, response: str, name: str) -> ListedPairs:
    sides: list[ListedDocument] = []
    stop = None
    for path in (key, response):
        n_read = sum(side.n_lines for side in sides)
        try:
            sides.append(ListedFile.read(path, _OPENS_TO_READ, n_read).first(name, n_read))
        except ScorerStops as error:
            stop = error
        if stop or sides[-1].stop:
            break
    return ListedPairs((ListedPair(name, tuple(sides)),), stop)


def _all_documents(key: str, response: str) -> ListedPairs:
    try:
        files = [ListedFile.read(path, _OPENS_TO_LIST) for path in (key, response)]
    except ScorerStops as error:
        return ListedPairs((), error)
    pairs: list[ListedPair] = []
    n_read = 0
    for name in files[0].names:
        sides: list[ListedDocument] = []
        for file in files:
            sides.append(file.last(name, n_read))
            n_read += sides[-1].n_lines
            if sides[-1].stop:
                return ListedPairs((*pairs, ListedPair(name, tuple(sides))))
        pairs.append(ListedPair(name, tuple(sides)))
    return ListedPairs(tuple(pairs))
