"""Files as they are stored: gzipped, in a zip archive, in a folder; and bytes as text.

What is packed is unpacked piece by piece and up to a ceiling, so that a small file that unpacks to
a huge one is refused before it fills the memory or the disk. It is unpacked in memory, but for a
gzipped file that is read in parts.
"""

import gzip
import os
import posixpath
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import gettempdir

from corescore.corpus.problems import InputError, PolicyError, Problem

# How much may come out of what is packed ----------------------------------------------------------
# A file of a few kilobytes can unpack to gigabytes, made so on purpose. Text shrinks to a tenth or
# so, such a bomb to a thousandth: both the size and the ratio have a ceiling.

VARIABLE = "CORESCORE_UNPACK_LIMIT"  # of the environment, so that it holds in other processes, too

# What a worker was told by who asked it, for one task: others of its threads may be told otherwise.
_TOLD: ContextVar[str | None] = ContextVar("unpack limit", default=None)

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(?:([kMGT]?)B)?\s*", re.IGNORECASE)

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True)
class Ceiling:
    """How many bytes may come out of a file.

    most   at most so many
    ratio  at most so many for each packed byte; 0 for any number
    free   so many whatever the ratio is
    """

    most: int = 2_000_000_000
    ratio: int = 200
    free: int = 100_000_000

    def most_of(self, packed: int) -> int:
        """How many bytes may come out of so many packed ones."""
        return min(self.most, max(self.free, self.ratio * packed)) if self.ratio else self.most

    def refusal(self, packed: int, file: str) -> InputError:
        """That more comes out of so many packed bytes."""
        found = f"{packed:,} bytes that unpack to more than {self.most_of(packed):,}"
        expected = f"at most {self.most:,}"
        if self.ratio:
            expected += f", and beyond {self.free:,} at most {self.ratio} times the packed size"
        advice = f"If you trust it, unpack it yourself, or raise the limit: {VARIABLE}=8GB."
        return InputError([Problem(file, 0, found, expected, advice)])


FILES = Ceiling()

# A pipe or a device tells no size and may never end, so that its text is held up to here.
STREAMS = Ceiling(most=200_000_000)

# Whoever can open the app can upload: reading takes up to 50 times the memory of a text.
UPLOADS = Ceiling(most=500_000_000, free=10_000_000)


def ceiling_in_force(default: Ceiling = FILES) -> Ceiling:
    """The default, or what `limit_in_force` says: a size, at any ratio.

    Raises PolicyError if it says no size.
    """
    given = limit_in_force()
    return Ceiling(_bytes(given), ratio=0) if given else default


def limit_in_force() -> str | None:
    """What `told_to_unpack_up_to` or the environment says, if anything."""
    return _TOLD.get() or os.environ.get(VARIABLE)


def _bytes(text: str) -> int:
    size = _SIZE.fullmatch(text)
    if size is None:
        raise PolicyError(f"the unpack limit is {text!r}; expected a size such as 8GB or 500MB")
    return int(float(size[1]) * _UNITS[(size[2] or "").lower()])


@contextmanager
def unpacking_up_to(size: str | None) -> Iterator[None]:
    """Set the environment's limit, if one is given, for this process and those that it starts.

    Raises PolicyError if it is no size.
    """
    before = os.environ.get(VARIABLE)
    if size is not None:
        _bytes(size)
        os.environ[VARIABLE] = size
    try:
        yield
    finally:
        if size is not None:
            os.environ.pop(VARIABLE)
            os.environ.update({VARIABLE: before} if before is not None else {})


@contextmanager
def told_to_unpack_up_to(size: str | None) -> Iterator[None]:
    """Go by a limit, if one is given, in this thread alone, whatever the environment says."""
    before = _TOLD.set(size)
    try:
        yield
    finally:
        _TOLD.reset(before)


MOST_FILES = 100_000

NOTES_ENDING = ".corescore-notes.json"  # of notes on a response, which stand beside it

DEPTH = 2  # folders within a folder whose files are looked at

_PIECE = 1 << 20

# What the standard library raises on archives that are broken on purpose.
_BROKEN = (
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, struct.error, RuntimeError),
    *(ValueError, OverflowError, IndexError, NotImplementedError),
)


@dataclass(frozen=True)
class Files:
    """The files of a folder or an archive.

    place  the folder or archive
    names  by path within it, ascending; not those with a dot before a name in the path
    data   name → bytes; raises InputError if they cannot be read
    """

    place: str
    names: tuple[str, ...]
    data: Callable[[str], bytes]

    def path(self, name: str) -> str:
        """Where one of the names is, for messages."""
        whole = f"{self.place}/{name}"
        return whole if "://" in self.place else posixpath.normpath(whole)


def files_in(folder: Path) -> Files:
    """The files of a folder and of the folders in it."""
    return Files(str(folder), tuple(names_in(folder)), lambda name: bytes_of(folder / name))


def names_in(folder: Path) -> list[str]:
    """The paths within a folder of its files and of those in its folders, ascending; without those
    that are hidden or hold notes."""
    names = []
    for root, folders, files in os.walk(folder):
        inner = Path(root).relative_to(folder).parts
        folders[:] = [name for name in folders if name[0] != "." and len(inner) < DEPTH]
        names += ["/".join((*inner, name)) for name in files if not _is_beside(name)]
    return sorted(names)


def _is_beside(name: str) -> bool:
    """Whether a file of a folder is hidden, or of notes: no document."""
    return name[0] == "." or name.endswith(NOTES_ENDING)


def bytes_of(path: Path) -> bytes:
    """The bytes of a file. Raises InputError if it cannot be read, and if it does not end: see
    `bytes_up_to_a_limit`."""
    try:
        return bytes_up_to_a_limit(path)
    except OSError as error:
        found = f"no file that can be read ({error.strerror})"
        problem = Problem(str(path), 0, found, "a file or a folder of files", "Check the path.")
        raise InputError([problem]) from error


def bytes_up_to_a_limit(path: Path) -> bytes:
    """The bytes of a file; of a device or a pipe, which may never end, up to a limit.

    Raises InputError beyond `STREAMS` or the limit in force, and at a NUL in a stream that is not
    packed: that is no text. OSError if it cannot be read.
    """
    if not stat.S_ISCHR(mode := path.stat().st_mode) and not stat.S_ISFIFO(mode):
        return path.read_bytes()
    most, read = ceiling_in_force(STREAMS).most, BytesIO()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            if read.tell() + len(piece) > most:
                found = f"a stream of more than {most:,} bytes"
                advice = f"If it has an end, save it as a file, or raise the limit: {VARIABLE}=8GB."
                raise _refusal(str(path), found, f"at most {most:,}", advice)
            read.write(piece)
            if b"\0" in piece and not _is_packed(read.getbuffer()[:4].tobytes()):
                raise _refusal(
                    str(path), "bytes that are not text", "text in UTF-8", "Check the path."
                )
    return read.getvalue()


def _is_packed(data: bytes) -> bool:
    return is_zip(data) or is_gzip(data)


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as those of a zip archive."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def is_gzip(data: bytes) -> bool:
    """Whether the bytes begin as those of a gzipped file."""
    return data[:2] == b"\x1f\x8b"


def files_of_zip(data: bytes, file: str, ceiling: Ceiling | None = None) -> Files:
    """The files of a zip archive, unpacked; a folder that holds all of them is left out.

    ceiling  for all of them together, also where they are gzipped in turn; if None,
             `ceiling_in_force`
    """
    archive = _Archive(data, file, ceiling or ceiling_in_force())
    try:
        archive.unpack()
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        found = "a zip archive that is broken, cut short or has a password"
        raise _refusal(file, found, "a whole zip archive", "Compress it again.") from error
    archive.leave_out_folders_of_all()
    return Files(file, tuple(sorted(archive.unpacked)), archive.bytes)


@dataclass
class _Archive:
    """A zip archive while it is unpacked: what its files hold, and how much that is by now."""

    data: bytes
    file: str
    ceiling: Ceiling
    unpacked: dict[str, bytes] = field(default_factory=dict)
    n_bytes: int = 0

    def unpack(self) -> None:
        with zipfile.ZipFile(BytesIO(self.data)) as archive:
            entries = [*self._entries(archive)]
            if sum(entry.file_size for entry in entries) > self.ceiling.most_of(len(self.data)):
                raise self.ceiling.refusal(len(self.data), self.file)
            for entry in entries:
                with archive.open(entry) as packed:
                    self.unpacked[entry.filename] = self._all(packed.read)

    def _entries(self, archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
        """The files that are documents, each name once and compressed as zip programs do."""
        every, names = archive.infolist(), set()
        if len(every) > MOST_FILES:
            found, expected = f"an archive of {len(every)} files", f"at most {MOST_FILES}"
            raise _refusal(self.file, found, expected, "Split it.")
        for entry in every:
            if entry.is_dir() or _is_beside_in_zip(entry.filename):
                continue
            if entry.filename in names:
                found = f"an archive with two files '{entry.filename}'"
                raise _refusal(self.file, found, "each name once", "Compress it again.")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                # The others are unpacked by the library in pieces of any size
                found = f"an archive with '{entry.filename}' in a rare kind of compression"
                expected = "Deflate, as zip programs use by default"
                raise _refusal(self.file, found, expected, "Compress it again.")
            names.add(entry.filename)
            yield entry

    def _all(self, read: Callable[[int], bytes]) -> bytes:
        """All that `read` unpacks of one of the files, counted in."""
        pieces = _pieces(read, lambda: len(self.data), self.ceiling, self.file, self.n_bytes)
        data = b"".join(pieces)
        self.n_bytes += len(data)
        return data

    def leave_out_folders_of_all(self) -> None:
        while self.unpacked and len(tops := {name.split("/")[0] for name in self.unpacked}) == 1:
            if any("/" not in name for name in self.unpacked):
                return
            top = f"{min(tops)}/"
            self.unpacked = {name.removeprefix(top): of for name, of in self.unpacked.items()}

    def bytes(self, name: str) -> bytes:
        """What a file holds, gunzipped the first time that it is asked for."""
        if is_gzip(self.unpacked[name]):
            with _broken_gzip(f"{self.file}/{name}"):
                stream = gzip.GzipFile(fileobj=BytesIO(self.unpacked[name]))
                self.unpacked[name] = self._all(stream.read)
        return self.unpacked[name]


def _is_beside_in_zip(path: str) -> bool:
    """Whether a file of an archive is hidden, of notes or of macOS: no document."""
    parts = path.split("/")
    hidden = any(part[:1] in (".", "") for part in parts) or parts[0] == "__MACOSX"
    return hidden or parts[-1].endswith(NOTES_ENDING)


def _pieces(
    read: Callable[[int], bytes],
    consumed: Callable[[], int],
    ceiling: Ceiling,
    file: str,
    out: int = 0,
) -> Iterator[bytes]:
    """What `read` unpacks, piece by piece. Raises InputError where it is too much for what was
    `consumed` of the packed bytes by then; `out` bytes had come of them before."""
    while piece := read(_PIECE):
        out += len(piece)
        if out > ceiling.most_of(consumed()):
            raise ceiling.refusal(consumed(), file)
        yield piece


def gunzipped(data: bytes, file: str, ceiling: Ceiling | None = None) -> bytes:
    """The bytes, unpacked if they are gzipped.

    Raises InputError for a broken file, and for one that unpacks to more than the ceiling allows
    (`ceiling_in_force` if None), as soon as it has.
    """
    if not is_gzip(data):
        return data
    packed = BytesIO(data)
    with _broken_gzip(file), gzip.GzipFile(fileobj=packed) as stream:
        return b"".join(_pieces(stream.read, packed.tell, ceiling or ceiling_in_force(), file))


def text_of(data: bytes, file: str, *, encoding: str = "utf-8-sig") -> str:
    """The bytes, gunzipped if need be, as text with the line ends that it has.

    encoding  "utf-8" keeps a byte-order mark, since character offsets may count it
    """
    data = gunzipped(data, file)
    try:
        text = data.decode(encoding)
        bad = text.find("\0")
    except UnicodeDecodeError as error:
        text, bad = data[: error.start].decode("utf-8", "replace"), error.start
    if bad >= 0:
        line = text.count("\n", 0, bad) + 1
        problem = Problem(
            file, line, "bytes that are not text", "text in UTF-8", "Save the file as UTF-8."
        )
        raise InputError([problem])
    return text


def in_lines(text: str) -> str:
    """The text with LF after each line, where it has CR and LF, CR alone or, by mistake, two CR."""
    for newline in ("\r\r\n", "\r\n", "\r") if "\r" in text else ():
        text = text.replace(newline, "\n")
    return text


def newline_of(text: str) -> str:
    """What ends the lines of a text."""
    return next((newline for newline in ("\r\n", "\n", "\r") if newline in text), "\n")


def unpack(path: Path, target: Path) -> None:
    """Unpack a gzipped file to another, up to the ceiling. Raises InputError as reading it does."""
    ceiling, file = ceiling_in_force(), str(path)
    with _broken_gzip(file), path.open("rb") as packed, gzip.GzipFile(fileobj=packed) as stream:
        _write(_pieces(stream.read, packed.tell, ceiling, file), target, file)


def _write(pieces: Iterable[bytes], target: Path, file: str) -> None:
    """Write what is unpacked of a file in place of what the target held. Raises InputError if there
    is no room for it.

    Each piece is written and closed, so that an error of writing is none of the archive.
    """
    for mode, piece in chain([("wb", b"")], (("ab", piece) for piece in pieces)):
        try:
            with target.open(mode) as out:
                out.write(piece)
        except OSError as error:
            found = f"a file that cannot be unpacked in {gettempdir()} ({error.strerror})"
            advice = "Free some, or name another folder in TMPDIR."
            raise _refusal(file, found, "room for its text", advice) from error


@contextmanager
def _broken_gzip(file: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        found = "a gzip file that is broken or cut short"
        raise _refusal(file, found, "a whole gzip file", "Compress it again.") from error


def _refusal(file: str, found: str, expected: str, advice: str) -> InputError:
    return InputError([Problem(file, 0, found, expected, advice)])
