"""Where each document stands in a file or a folder, found without keeping the text.

A file of a format that is read in parts is looked through once, in blocks of whole lines, for the
lines that begin a document. Every other file, and an archive, is read whole for the names of its
documents, one file at a time. What is gzipped is unpacked to a file of its own.
"""

import os
import posixpath
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.packed import (
    Files,
    bytes_of,
    files_in,
    is_gzip,
    is_zip,
    unpack,
)
from corescore.corpus.formats.parts import Parts, Place
from corescore.corpus.formats.reading import (
    Listing,
    name_in_file,
    read,
)
from corescore.corpus.formats.registry import format_named
from corescore.corpus.formats.scanning import in_parts
from corescore.corpus.formats.together import Group, is_read_with_others
from corescore.corpus.problems import InputError, Problem


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
