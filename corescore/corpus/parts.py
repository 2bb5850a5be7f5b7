"""Files of any size as parts, each with some of the documents.

`open_corpus` finds the files of a key or a response and, where their format is read in parts, the
places of the documents: the lines of such a file are looked through once, and no text is kept.
`read_part` reads documents that stand one after the other; `SideFiles.finish` says in the end what
reading all at once would have said.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from corescore.corpus.documents import Corpus
from corescore.corpus.files import (
    SIDES,
    listing_of,
    name_in_file,
    read_bytes,
    read_files,
    read_group,
    second_documents,
    with_others,
)
from corescore.corpus.formats.format import Format, Lines, Part, Parts, Place, Seen, lookalike
from corescore.corpus.formats.registry import fitting, format_named
from corescore.corpus.packed import (
    Files,
    NoRoomError,
    bytes_of,
    files_in,
    in_lines,
    is_gzip,
    is_zip,
    unpack,
)
from corescore.corpus.problems import InputError, Problem, refusal


class File(NamedTuple):
    """A file that can be opened.

    url   its path, or on a cluster an absolute URL
    name  the same as the user wrote it, for messages
    """

    url: str
    name: str


def bytes_here(file: File) -> bytes:
    """What a file on this machine holds. Raises InputError if it cannot be read."""
    return bytes_of(Path(file.url))


Formats = tuple[str | None, str | None]


class How(NamedTuple):
    """How files are read.

    formats          the ids of the formats of the key and of the responses, as in `corescore.read`
    repair_brackets  as there
    bytes_of         what opens them
    """

    formats: Formats = (None, None)
    repair_brackets: bool = False
    bytes_of: Callable[[File], bytes] = bytes_here


@dataclass(frozen=True, eq=False)
class Source:
    """A file, or several that are read together.

    number  its place among the sources of its side
    files   by their paths in `folder`; the first names the source
    stem    what the names of its documents begin with; "" if it is the file that was named
    prefix  of these the part that reading it as a folder does not put there
    format  the id of its format, if that is known
    text    the path of its text, unpacked
    state   its size, the time when it changed and its number on the disk; () where `bytes_of` sees
            to it that it stays the same
    """

    number: int
    files: Mapping[str, File]
    folder: str = ""
    stem: str = ""
    prefix: str = ""
    format: str | None = None
    text: str = ""
    state: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The first of its files, for messages."""
        return next(iter(self.files.values())).name

    @property
    def n_bytes(self) -> int:
        """How long it is; 1 if that is not known."""
        return self.state[0] if self.state else 1

    def corpus(self, side: str, how: How) -> Corpus:
        """All its documents. Raises InputError as `corescore.read`, and if it has changed."""
        names, known = tuple(self.files), self.format or how.formats[SIDES.index(side)]
        files = Files(self.folder, names, lambda name: how.bytes_of(self.files[name]))
        if self.stem:
            corpus = read_files(files, known, side, how.repair_brackets)
        elif len(names) > 1:
            corpus = read_group(format_named(known or ""), names, files, side)
        else:
            corpus = read_bytes(
                files.data(names[0]),
                self.name,
                format=known,
                side=side,
                repair_brackets=how.repair_brackets,
            )
        self._check()
        if not self.prefix:
            return corpus
        return replace(corpus, documents=tuple(d.called(self.prefix + d.name) for d in corpus))

    def text_at(self, place: Place) -> str:
        """The text of a place. Raises InputError if it cannot be read or has changed."""
        try:
            with Path(self.text).open("rb") as stream:
                stream.seek(place.start)
                data = stream.read(place.stop - place.start)
        except OSError:
            data = bytes_of(Path(self.text))
        self._check()
        return in_lines(data.decode("utf-8-sig"))

    def _check(self) -> None:
        if self.state and _state(self.name) != self.state:
            fault, expected = "a file that changed while it was read", "a file that stays the same"
            raise refusal(self.name, fault, expected, "Score it again.")


def _state(file: str) -> tuple[int, ...]:
    try:
        status = Path(file).stat()
    except OSError:
        return 0, 0, 0
    return status.st_size, status.st_mtime_ns, status.st_ino


class Piece(NamedTuple):
    """Documents of a source that stand one after the other, or all of them.

    place  from where the first begins to where the last ends; None for all
    """

    source: Source
    place: Place | None = None

    @property
    def n_bytes(self) -> int:
        """How long it is."""
        return self.place.stop - self.place.start if self.place else self.source.n_bytes

    @property
    def name(self) -> str | None:
        """The name of its document; None if only reading tells it."""
        name = self.place.name if self.place else None
        return name_in_file(self.source.stem, name) if name and self.source.stem else name


def joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces, each once, with those as one that stand one after the other."""
    made: list[Piece] = []
    for piece in dict.fromkeys(pieces):
        last = made[-1] if made else piece
        place, before = piece.place, last.place
        if place and before and (last.source, before.stop) == (piece.source, place.start):
            made[-1] = Piece(last.source, before._replace(stop=place.stop))
        else:
            made.append(piece)
    return tuple(made)


def read_part(piece: Piece, side: str, how: How) -> Part:
    """The documents of a piece and what was noticed of them. Raises InputError if its source cannot
    be read at all."""
    source, place = piece.source, piece.place
    if place is None:
        corpus = source.corpus(side, how)
        return Part(corpus.documents, (Seen(0, None, warnings=corpus.warnings),))
    part = _parts(source).read(source.text_at(place), source.name, side, place.begin)
    if not source.stem:
        return part
    named = tuple(one.called(name_in_file(source.stem, one.name)) for one in part.documents)
    return Part(named, part.seen)


def _parts(source: Source) -> Parts:
    parts = format_named(source.format or "").parts
    assert parts is not None
    return parts


# A key or a response -----------------------------------------------------------------------------


@dataclass(frozen=True)
class SideFiles:
    """The sources of a key or a response.

    name      the file, the folder or the pattern as the user wrote it
    pieces    by their numbers, of the sources that are read in parts: a piece for each document
    problems  of the folder
    warnings  of the folder
    """

    name: str
    sources: Sequence[Source]
    pieces: Mapping[int, Sequence[Piece]] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    warnings: Sequence[str] = ()

    def corpus(self, side: str, how: How) -> Corpus:
        """All documents at once. Raises InputError as `corescore.read`."""
        every = [source.corpus(side, how) for source in self.sources]
        warnings = (*(warning for one in every for warning in one.warnings), *self.warnings)
        return Corpus(tuple(document for one in every for document in one), self.name, warnings)

    def finish(
        self,
        side: str,
        seen: Mapping[int, Iterable[Seen]],
        errors: Mapping[int, InputError],
        documents: Iterable[tuple[int, str, str]],
    ) -> tuple[str, ...]:
        """The warnings of all files. Raises InputError with all their problems.

        seen, errors  of each source by its number, in any order
        documents     the numbers of their sources, their names and files, in order
        """
        wrong, warnings = dict(errors), [*self.warnings]
        for source in reversed(self.sources):
            if source.number not in wrong:
                seen_in_order = sorted(seen.get(source.number, ()), key=lambda one: one.line)
                try:
                    warnings[:0] = self._warnings(source.number, side, seen_in_order)
                except InputError as error:
                    wrong[source.number] = error
        good = ((name, file) for number, name, file in documents if number not in wrong)
        is_folder = any(source.stem for source in self.sources)
        twice = second_documents(good) if is_folder else ()
        if problems := [*twice, *self.problems]:
            wrong[len(self.sources)] = InputError(problems)
        if wrong:
            raise InputError.of(wrong[number] for number in sorted(wrong))
        return tuple(warnings)

    def _warnings(self, number: int, side: str, seen: Sequence[Seen]) -> Sequence[str]:
        if number not in self.pieces:
            return [warning for of in seen for warning in of.warnings]
        pieces = self.pieces[number]
        source = pieces[0].source
        placed = ((piece.place.begin.line, piece.place) for piece in pieces if piece.place)
        texts = ((line, source.text_at(place)) for line, place in placed)
        return _parts(source).finish(seen, source.name, side, texts)


def open_corpus(path: str, format: str | None, unpacked: Path) -> SideFiles:
    """The files of a file (plain, .gz or .zip) or of a folder, as `corescore.read` reads it.

    unpacked  a folder for what is gzipped

    Raises InputError if there is no room there. What cannot be read is told by reading it.
    """
    place, listing = Path(path), None
    opened: list[Source] = []
    if place.is_dir():
        listing = listing_of(files_in(place), format)
        for name in listing.names:
            known, names = listing.groups.get(name, (None, (name,)))
            files = {one: _here(listing.files.path(one)) for one in names}
            stem, known_id = name.split(".")[0], known.id if known else format
            opened.append(Source(len(opened), files, path, stem, format=known_id))
    else:
        others = () if is_zip(_begin_of(path)) else with_others(place, format)
        known, group = next(((known, of.names) for known, of in others), (None, ()))
        files = {one: _here(str(place.parent / one)) for one in group} or {place.name: _here(path)}
        opened = [Source(0, files, str(place.parent), format=known.id if known else format)]
    sources = [replace(one, state=_state(one.name)) for one in opened]
    pieces = {one.number: _pieces(one, unpacked) for one in sources if len(one.files) == 1}
    known_pieces = {number: of for number, of in pieces.items() if of}
    if listing is None:
        return SideFiles(path, sources, known_pieces)
    return SideFiles(path, sources, known_pieces, listing.problems, listing.warnings)


def _here(path: str) -> File:
    return File(path, path)


def _begin_of(file: str) -> bytes:
    """The first bytes of a file; none of a pipe, which can be read only once."""
    if not Path(file).is_file():
        return b""
    try:
        with Path(file).open("rb") as stream:
            return stream.read(4)
    except OSError:
        return b""


# Where the documents of a file stand that is read in parts: its lines are looked through once -----

_BLOCK = 1 << 22

_MARK = b"\xef\xbb\xbf"  # of the byte order


class _WholeError(Exception):
    """The file has to be read whole: where its lines end, or what format it is, is not sure."""


def _pieces(source: Source, unpacked: Path) -> list[Piece]:
    """A piece for each document of a file, unpacked to that folder if need be; none if it has to be
    read whole, also to say what is wrong with it."""
    start = _begin_of(source.name)
    if not start or is_zip(start):
        return []
    try:
        text = Path(source.name)
        if is_gzip(start):
            text = unpacked / str(source.number)
            unpack(Path(source.name), text)
        blocks = _blocks(text)
        first = next(blocks, None)
        known = _known(first.data, source.format) if first else None
        if first is None or known is None or known.parts is None:
            return []
        others = blocks if source.format else _of_format(known, blocks)
        places = known.parts.places(chain([first], others), source.name)
        source = replace(source, text=str(text), format=known.id)
        return [Piece(source, place) for place in places]
    except NoRoomError:
        raise
    except (_WholeError, InputError, OSError):
        return []


def _known(start: bytes, format: str | None) -> Format | None:
    """The format of a file that begins so; None if it has none."""
    if format is not None:
        return format_named(format)
    text = in_lines(start.decode())
    return None if lookalike(text) else fitting(text)


def _of_format(known: Format, blocks: Iterable[Lines]) -> Iterator[Lines]:
    for block in blocks:
        is_doubtful = known.id != "conll" and b"begin document" in block.data
        if is_doubtful and fitting(block.data.decode()) not in (known, None):
            raise _WholeError
        yield block


def _blocks(path: Path) -> Iterator[Lines]:
    """All lines of a file in blocks; without the mark of the byte order at the start."""
    start, line, rest = 0, 1, b""
    with path.open("rb") as stream:
        while piece := stream.read(_BLOCK):
            data = rest + piece
            end = data.rfind(b"\n") + 1
            data, rest = data[:end], data[end:]
            if data:
                yield _text_lines(start, line, data)
            start, line = start + len(data), line + data.count(b"\n")
    if rest:
        yield _text_lines(start, line, rest)


def _text_lines(start: int, line: int, data: bytes) -> Lines:
    """Lines without the mark of the byte order, if they are text."""
    if b"\0" in data or (b"\r" in data and data.count(b"\r") != data.count(b"\r\n")):
        raise _WholeError
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise _WholeError from error
    if start or not data.startswith(_MARK):
        return Lines(start, line, data)
    return Lines(len(_MARK), line, data[len(_MARK) :])
