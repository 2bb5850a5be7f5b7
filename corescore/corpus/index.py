"""Where each document stands in a file or a folder, found without keeping the text.

A file of a format that is read in parts is looked through once, in blocks of whole lines, for the
lines that begin a document. Every other file, and an archive, is read whole for the names of its
documents, one file at a time. What is gzipped is unpacked to a file of its own.

Where the documents of a file stand that is read in parts: its lines are looked through once.

Reading documents of an index, some at a time, with the messages of reading all at once.
"""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby
from pathlib import Path

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format, Lines, Part, Parts, Place, Seen, lookalike
from corescore.corpus.formats.registry import fitting, format_named
from corescore.corpus.packed import Files, bytes_of, files_in, in_lines, is_gzip, is_zip, unpack
from corescore.corpus.problems import InputError, Problem
from corescore.corpus.reading import (
    Group,
    Listing,
    in_file,
    is_read_with_others,
    name_in_file,
    read,
    second_documents,
)

_BLOCK = 1 << 22

_MARK = b"\xef\xbb\xbf"  # of the byte order


class _UnfitError(Exception):
    """The file has to be read whole: where its lines end, or what format it is, is not sure."""


def in_parts(text: str, file: str, format: str | None) -> tuple[Format, list[Place]] | None:
    """The format of a file that is read in parts and the places of its documents; None if it is
    read whole.

    text    the path of the file, or of what was unpacked of it
    file    its name in messages
    format  the id of the format; found from the content if None

    Raises InputError for bytes that are not text.
    """
    blocks = _blocks(text, file)
    try:
        first = next(blocks, None)
        known = _known(first.data, format) if first else None
        if first is None or known is None or known.parts is None:
            return None
        named = format is not None
        others = blocks if named else _of_format(known, blocks)
        places = [*known.parts.places(chain([first], others), file)]
    except _UnfitError:
        return None
    return (known, places) if places else None


def _known(start: bytes, format: str | None) -> Format | None:
    """The format of a file that begins so; None if it has none, which reading it will say."""
    if format is not None:
        return format_named(format)
    text = in_lines(start.decode())
    return None if lookalike(text) else fitting(text)


def _of_format(known: Format, blocks: Iterable[Lines]) -> Iterator[Lines]:
    for block in blocks:
        told = known.id != "conll" and b"begin document" in block.data
        if told and fitting(block.data.decode()) not in (known, None):
            raise _UnfitError
        yield block


def _blocks(path: str, file: str) -> Iterator[Lines]:
    """All lines of a file in blocks; without the mark of the byte order at the start.

    Raises InputError for bytes that are not text, as reading the file would.
    """
    start, line, rest, nul = 0, 1, b"", 0
    with Path(path).open("rb") as stream:
        while piece := stream.read(_BLOCK):
            data = rest + piece
            end = data.rfind(b"\n") + 1
            data, rest = data[:end], data[end:]
            if data:
                nul = nul or _check(data, line, file)
                yield _without_mark(Lines(start, line, data))
            start, line = start + len(data), line + data.count(b"\n")
    if rest:
        nul = nul or _check(rest, line, file)
        yield _without_mark(Lines(start, line, rest))
    if nul:
        raise InputError([_no_text(file, nul)])


def _check(data: bytes, line: int, file: str) -> int:
    """The line of the first NUL of some lines; 0 if there is none."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        raise _UnfitError
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise InputError([_no_text(file, line + data.count(b"\n", 0, error.start))]) from error
    at = data.find(b"\0")
    return line + data.count(b"\n", 0, at) if at >= 0 else 0


def _no_text(file: str, line: int) -> Problem:
    found, expected = "bytes that are not text", "text in UTF-8"
    return Problem(file, line, found, expected, "Save the file as UTF-8.")


def _without_mark(lines: Lines) -> Lines:
    if lines.start or not lines.data.startswith(_MARK):
        return lines
    return Lines(len(_MARK), lines.line, lines.data[len(_MARK) :])


@dataclass(frozen=True)
class Asked:
    """How the files of one side are to be read; see `corescore.read`."""

    format: str | None = None
    side: str = "key"
    repair_brackets: bool = False


@dataclass(frozen=True)
class Source:
    """A file as it was when the index was made, or several that are read together.

    file    its name in messages
    text    the path of its text, unpacked
    state   its size, the time when it changed and its number on the disk
    known   the id of its format if it is read in parts, else ""
    folder  the folder that was named, if it was not the file itself
    names   its path in the folder, and those of the files that are read with it
    together  whether there may be such files
    """

    file: str
    text: str
    asked: Asked
    state: tuple[int, int, int]
    known: str = ""
    folder: str = ""
    names: Group = ()
    together: bool = False

    @property
    def parts(self) -> Parts | None:
        """How it is read in parts; None if it is read whole."""
        return format_named(self.known).parts if self.known else None

    @property
    def stem(self) -> str | None:
        """What stands before the names of its documents in a folder; None if it is in none."""
        return self.names[0].split(".")[0] if self.folder else None

    def whole(self) -> Corpus:
        """All its documents. Raises InputError as `read`, and if it has changed."""
        corpus = _read_whole(self)
        self.check()
        return corpus

    def bytes(self, start: int, stop: int) -> bytes:
        """A stretch of its text. Raises InputError if it cannot be read or has changed."""
        try:
            with Path(self.text).open("rb") as stream:
                stream.seek(start)
                data = stream.read(stop - start)
        except OSError:
            data = bytes_of(Path(self.text))
        self.check()
        return data

    def check(self) -> None:
        """Raises InputError if it is no longer the file that it was."""
        if _state(self.file) != self.state:
            found, expected = "a file that changed while it was read", "a file that stays the same"
            raise InputError([Problem(self.file, 0, found, expected, "Score it again.")])


@dataclass(frozen=True, slots=True)
class Entry:
    """A document of an index: its name, the number of its source and its place there."""

    name: str | None
    source: int
    place: Place

    @property
    def n_bytes(self) -> int:
        """Its length."""
        return self.place.stop - self.place.start


@dataclass(frozen=True)
class Index:
    """The documents of a file or a folder, in order, and what is wrong with it as a whole.

    A document without a name in the index is only read for what is wrong in it. Of a source that is
    read whole, the first document has all the bytes.

    errors    of files that cannot be read, each with the number of sources before it
    problems  of the folder
    warnings  of the folder
    """

    file: str
    asked: Asked
    sources: tuple[Source, ...]
    entries: tuple[Entry, ...]
    errors: tuple[tuple[int, InputError], ...] = ()
    is_folder: bool = False
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        """The documents that have a name, by it."""
        return {entry.name: entry for entry in self.entries if entry.name is not None}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the documents, in order."""
        return tuple(entry.name for entry in self.entries if entry.name is not None)


def index_of(path: str | os.PathLike[str], asked: Asked, unpacked: Path) -> Index:
    """The index of a file (plain, .gz or .zip) or of a folder, as `corescore.read` reads it.

    unpacked  a folder for what is gzipped

    Errors are kept, not raised: `read` tells them together with those that only reading finds.
    """
    place = Path(path)
    made = _Index(str(path), asked, unpacked)
    if not place.is_dir():
        made.add(Source(str(path), str(path), asked, (0, 0, 0)))
        return made.index()
    listing = Listing.of(files_in(place), asked.format)
    for name in listing.names:
        known, names = listing.groups.get(name, (None, (name,)))
        file, of = posixpath.normpath(f"{place}/{name}"), asked
        if known:
            of = replace(asked, format=known.id)
        found = Source(file, file, of, (0, 0, 0), folder=str(place), names=names)
        made.add(replace(found, together=known is not None))
    return made.index(listing)


@dataclass
class _Index:
    """An index while it is made."""

    file: str
    asked: Asked
    unpacked: Path
    sources: list[Source] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    errors: list[tuple[int, InputError]] = field(default_factory=list)

    def index(self, listing: Listing | None = None) -> Index:
        found = Index(
            self.file, self.asked, tuple(self.sources), tuple(self.entries), tuple(self.errors)
        )
        if listing is None:
            return found
        problems = tuple(listing.problems(()))
        return replace(found, is_folder=True, problems=problems, warnings=listing.warnings)

    def add(self, source: Source) -> None:
        """Add a file, or files that are read together."""
        try:
            source, places = self._read(replace(source, state=_state(source.file)))
        except InputError as error:
            self.errors.append((len(self.sources), error))
            return
        for place in places:
            name = place.name
            if source.known and source.stem is not None and name is not None:
                name = name_in_file(source.stem, name)
            self.entries.append(Entry(name, len(self.sources), replace(place, name=name)))
        self.sources.append(source)

    def _read(self, source: Source) -> tuple[Source, list[Place]]:
        start, place = _begin_of(source.file), Path(source.file)
        others = not source.folder and is_read_with_others(place, source.asked.format)
        alone = not (others or source.together or is_zip(start))
        if alone and is_gzip(start):
            text = self.unpacked / str(len(self.sources))
            unpack(place, text)
            source = replace(source, text=str(text))
        if alone and (found := in_parts(source.text, source.file, source.asked.format)):
            known, places = found
            return replace(source, known=known.id), places
        size = source.state[0]
        stops = chain([size], iter(int, 1))
        corpus = _read_whole(source)
        return source, [Place(d.name, 0, stop) for d, stop in zip(corpus, stops, strict=False)]


def _begin_of(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(4)
    except OSError:
        return bytes_of(Path(file))[:4]  # which says why it cannot be read


def _state(file: str) -> tuple[int, int, int]:
    try:
        found = Path(file).stat()
    except OSError:
        return 0, 0, 0
    return found.st_size, found.st_mtime_ns, found.st_ino


def _read_whole(source: Source) -> Corpus:
    asked, folder = source.asked, Path(source.folder)
    if not source.folder:
        return read(source.file, **vars(asked))
    files = Files(source.folder, source.names, lambda name: bytes_of(folder / name))
    groups = {}
    if source.together and asked.format:
        groups = {source.names[0]: (format_named(asked.format), source.names)}
    listing = Listing(files, groups, source.names, ())
    return listing.read(source.names[0], asked.format, asked.side, asked.repair_brackets)


Numbered = tuple[int, Seen]


@dataclass(frozen=True)
class IndexReading:
    """What was read of an index.

    documents  by their names; some may lack where there are problems
    seen       what was noticed of them, with the numbers of their sources
    errors     of sources as a whole, with their numbers
    """

    documents: Mapping[str, Document]
    seen: tuple[Numbered, ...] = ()
    errors: tuple[tuple[int, InputError], ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.errors and not any(of.problems for _, of in self.seen)


class Reader:
    """Reads documents of one side; of the files that are read whole it keeps the last one."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self._whole: tuple[int, Corpus] = (-1, Corpus(()))

    def read(self, entries: Iterable[Entry]) -> IndexReading:
        """These documents. Nothing is raised: problems are kept."""
        documents: dict[str, Document] = {}
        seen: list[Numbered] = []
        errors: list[tuple[int, InputError]] = []
        for run in _runs(entries):
            number = run[0].source
            try:
                part = self._part(run)
            except InputError as error:
                errors.append((number, error))
                continue
            documents |= {document.name: document for document in part.documents}
            seen += [(number, of) for of in part.seen]
        return IndexReading(documents, tuple(seen), tuple(errors))

    def _part(self, run: Sequence[Entry]) -> Part:
        source = self.sources[run[0].source]
        if source.parts:
            return _read(source, source.parts, run)
        if self._whole[0] != run[0].source:
            self._whole = run[0].source, source.whole()
        corpus = self._whole[1]
        names = {entry.name for entry in run}
        is_told = any(entry.place.stop for entry in run)  # with the first document, so once
        told = (Seen(0, None, warnings=corpus.warnings),) if is_told else ()
        return Part(tuple(document for document in corpus if document.name in names), told)


def _runs(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Entries that stand one after the other in one source."""
    run: list[Entry] = []
    for entry in entries:
        follows = run and (run[-1].source, run[-1].place.stop) == (entry.source, entry.place.start)
        if run and not follows:
            yield run
            run = []
        run.append(entry)
    if run:
        yield run


def _text(source: Source, start: int, stop: int) -> str:
    return in_lines(source.bytes(start, stop).decode("utf-8" if start else "utf-8-sig"))


def _read(source: Source, parts: Parts, run: Sequence[Entry]) -> Part:
    first, last = run[0].place, run[-1].place
    text = _text(source, first.start, last.stop)
    part = parts.read(text, source.file, source.asked.side, first.begin)
    if source.stem is None:
        return part
    return Part(tuple(in_file(source.stem, document) for document in part.documents), part.seen)


@dataclass
class Readings:
    """What was noticed of an index in any number of batches, in any order."""

    index: Index
    seen: dict[int, list[Seen]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[int, InputError] = field(default_factory=dict)

    def add(self, reading: IndexReading) -> None:
        """Take in what was noticed of some documents."""
        for number, of in reading.seen:
            self.seen[number].append(of)
        for number, error in reading.errors:
            self.errors.setdefault(number, error)

    def finish(self) -> tuple[str, ...]:
        """The warnings of the whole side. Raises InputError with the problems of all its files."""
        errors: list[InputError] = []
        warnings: list[str] = []
        good: set[int] = set()
        before = groupby(self.index.errors, key=lambda of: of[0])
        unread = {number: [error for _, error in of] for number, of in before}
        for number, source in enumerate(self.index.sources):
            errors += unread.pop(number, [])
            try:
                warnings += self._finish(number, source)
                good.add(number)
            except InputError as error:
                errors.append(error)
        errors += [error for of in unread.values() for error in of]
        problems = [*self._second_documents(good), *self.index.problems]
        if errors or problems:
            raise InputError.of([*errors, InputError(problems)])
        return (*warnings, *self.index.warnings)

    def _second_documents(self, good: Set[int]) -> Iterator[Problem]:
        """In a folder, documents of these sources that have the name of another."""
        if self.index.is_folder:
            entries = (entry for entry in self.index.entries if entry.source in good and entry.name)
            sources = self.index.sources
            yield from second_documents((e.name or "", sources[e.source].file) for e in entries)

    def _finish(self, number: int, source: Source) -> tuple[str, ...]:
        if number in self.errors:
            raise self.errors[number]
        seen = sorted(self.seen[number], key=lambda of: of.line)
        if source.parts is None:
            return tuple(warning for of in seen for warning in of.warnings)
        return source.parts.finish(seen, source.file, source.asked.side, self._texts(number))

    def _texts(self, number: int) -> Iterator[tuple[int, str]]:
        for entry in self.index.entries:
            if entry.source == number:
                place = entry.place
                text = _text(self.index.sources[number], place.start, place.stop)
                yield place.begin.line, text
