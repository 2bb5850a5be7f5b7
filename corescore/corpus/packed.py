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
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from errno import ENOENT
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from corescore.corpus.problems import InputError, PolicyError, Problem, refusal

# How much may come out of what is packed ----------------------------------------------------------
# A file of a few kilobytes can unpack to gigabytes, made so on purpose. Text shrinks to a tenth or
# so, such a bomb to a thousandth: both the size and the ratio have a ceiling.

VARIABLE = "CORESCORE_UNPACK_LIMIT"  # of the environment, so that it holds in other processes, too

# What a worker was told by who asked it, for one task: others of its threads may be told otherwise.
_TOLD: ContextVar[str | None] = ContextVar("unpack limit", default=None)

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(?:([kMGT]?)B)?\s*", re.IGNORECASE)

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


class Ceiling(NamedTuple):
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
        fault = f"{packed:,} bytes that unpack to more than {self.most_of(packed):,}"
        expected = f"at most {self.most:,}"
        if self.ratio:
            expected += f", and beyond {self.free:,} at most {self.ratio} times the packed size"
        advice = (
            "If you trust it, unpack it yourself, or raise the limit: --unpack-limit 8GB, or "
            f"{VARIABLE}=8GB."
        )
        return refusal(file, fault, expected, advice)


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
            if before is not None:
                os.environ[VARIABLE] = before


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


class Files(NamedTuple):
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
        names += ["/".join((*inner, name)) for name in files]
    return sorted(name for name in names if not _is_beside(name))


def _is_beside(path: str) -> bool:
    """Whether a file of a folder or an archive is hidden, of notes or of macOS: no document."""
    parts = path.split("/")
    hidden = any(part[:1] in (".", "") for part in parts) or parts[0] == "__MACOSX"
    return hidden or path.endswith(NOTES_ENDING)


def bytes_of(path: Path) -> bytes:
    """The bytes of a file. Raises InputError if it cannot be read, and if it does not end: see
    `bytes_up_to_a_limit`."""
    try:
        return bytes_up_to_a_limit(path)
    except OSError as error:
        fault, expected = "no such file or folder", ""
        if error.errno != ENOENT:
            fault = f"a file that cannot be read ({error.strerror})"
            expected = "a file or a folder of files"
        raise refusal(str(path), fault, expected, path_advice(path)) from error


def path_advice(path: Path) -> str:
    """To take the file next to this path whose name is similar, or to check the path."""
    from difflib import get_close_matches  # only a mistake needs it

    names = [one.name for one in path.parent.glob("*") if one != path]
    similar = get_close_matches(path.name, names, n=1, cutoff=0.9)
    return f"Did you mean {path.with_name(similar[0])}?" if similar else "Check the path."


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
                fault = f"a stream of more than {most:,} bytes"
                advice = f"If it has an end, save it as a file, or raise the limit: {VARIABLE}=8GB."
                raise refusal(str(path), fault, f"at most {most:,}", advice)
            read.write(piece)
            start = read.getbuffer()[:4].tobytes()
            if b"\0" in piece and not (is_zip(start) or is_gzip(start)):
                fault, expected = "bytes that are not text", "text in UTF-8"
                raise refusal(str(path), fault, expected, "Check the path.")
    return read.getvalue()


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as those of a zip archive."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def is_gzip(data: bytes) -> bool:
    """Whether the bytes begin as those of a gzipped file."""
    return data[:2] == b"\x1f\x8b"


def files_of_zip(data: bytes, file: str, ceiling: Ceiling | None) -> Files:
    """The files of a zip archive, unpacked; a folder that holds all of them is left out.

    ceiling  for all of them together, also where they are gzipped in turn; if None,
             `ceiling_in_force`
    """
    most = ceiling or ceiling_in_force()
    unpacked: dict[str, bytes] = {}
    n_bytes = 0

    def counted_in(read: Callable[[int], bytes]) -> bytes:
        def read_and_count(size: int) -> bytes:
            nonlocal n_bytes
            piece = read(size)
            n_bytes += len(piece)  # of what is refused too, so that the next is refused at once
            return piece

        return b"".join(_pieces(read_and_count, lambda: len(data), most, file, n_bytes))

    def gunzipped_once(name: str) -> bytes:
        if is_gzip(unpacked[name]):
            with _broken_gzip(f"{file}/{name}"):
                unpacked[name] = counted_in(_gzip(BytesIO(unpacked[name])).read)
        return unpacked[name]

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = _entries(archive, file)
            if sum(entry.file_size for entry in entries) > most.most_of(len(data)):
                raise most.refusal(len(data), file)
            for entry in entries:
                with archive.open(entry) as packed:
                    unpacked[entry.filename] = counted_in(packed.read)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        fault = "a zip archive that is broken, cut short or has a password"
        raise refusal(file, fault, "a whole zip archive", "Compress it again.") from error
    while unpacked and all("/" in name for name in unpacked):
        if len({name.split("/")[0] for name in unpacked}) > 1:
            break
        unpacked = {name.partition("/")[2]: of for name, of in unpacked.items()}
    return Files(file, tuple(sorted(unpacked)), gunzipped_once)


def _entries(archive: zipfile.ZipFile, file: str) -> list[zipfile.ZipInfo]:
    """The files that are documents. Raises InputError unless each name is there once, and they are
    compressed as zip programs do."""
    every = archive.infolist()
    if len(every) > MOST_FILES:
        fault, expected = f"an archive of {len(every)} files", f"at most {MOST_FILES}"
        raise refusal(file, fault, expected, "Split it.")
    entries: dict[str, zipfile.ZipInfo] = {}
    for entry in every:
        name = entry.filename
        if entry.is_dir() or _is_beside(name):
            continue
        fault = f"an archive with '{name}' in a rare kind of compression"
        expected = "Deflate, as zip programs use by default"
        if name in entries:
            fault, expected = f"an archive with two files '{name}'", "each name once"
        elif entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            entries[name] = entry
            continue
        # Rare kinds are unpacked by the library in pieces of any size
        raise refusal(file, fault, expected, "Compress it again.")
    return [*entries.values()]


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


class _InBits:
    """A packed file that is read a little at a time: since Python 3.12 gzip asks for 128 kB at
    once, which may unpack to much more than the ceiling before that is known."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed = packed

    def read(self, size: int) -> bytes:
        return self._packed.read(min(size, 8192))

    def seek(self, place: int) -> int:
        return self._packed.seek(place)


def _gzip(packed: BinaryIO) -> gzip.GzipFile:
    return gzip.GzipFile(mode="rb", fileobj=_InBits(packed))


def gunzipped(data: bytes, file: str, ceiling: Ceiling | None = None) -> bytes:
    """The bytes, unpacked if they are gzipped.

    Raises InputError for a broken file, and for one that unpacks to more than the ceiling allows
    (`ceiling_in_force` if None), as soon as it has.
    """
    if not is_gzip(data):
        return data
    packed = BytesIO(data)
    with _broken_gzip(file), _gzip(packed) as stream:
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
        is_utf_16 = data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE)
        fault = "text in UTF-16" if is_utf_16 else "bytes that are not text"
        advice = "Save the file as UTF-8. Unpack archives other than gzip and zip."
        if data.startswith(b"PAR1"):
            fault, advice = "a Parquet file", "If it is a tally, corescore compare takes it."
        raise refusal(file, fault, "text in UTF-8", advice, line)
    return text


def in_lines(text: str) -> str:
    """The text with LF after each line, where it has CR and LF, CR alone or, by mistake, two CR;
    without byte order marks before lines, which joined files have."""
    for newline in ("\r\r\n", "\r\n", "\r") if "\r" in text else ():
        text = text.replace(newline, "\n")
    return text.replace("\n\ufeff", "\n") if "\ufeff" in text else text  # to look is faster


def newline_of(text: str) -> str:
    """What ends the lines of a text."""
    return next((newline for newline in ("\r\n", "\n", "\r") if newline in text), "\n")


class NoRoomError(InputError):
    """There is no room for what comes out of a file."""


def unpack(path: Path, target: Path) -> None:
    """Unpack a gzipped file to a new one, up to the ceiling. Raises InputError as reading it does,
    and NoRoomError."""
    from tempfile import gettempdir  # only of large files

    ceiling, file = ceiling_in_force(), str(path)
    with _broken_gzip(file), path.open("rb") as packed, _gzip(packed) as stream:
        for piece in _pieces(stream.read, packed.tell, ceiling, file):
            try:
                with target.open("ab") as out:  # closed, so that its error is none of the archive
                    out.write(piece)
            except OSError as error:
                fault = f"a file that cannot be unpacked in {gettempdir()} ({error.strerror})"
                advice = "Free some, or name another folder in TMPDIR."
                problem = Problem(file, 0, fault, "room for its text", advice)
                raise NoRoomError([problem]) from error


@contextmanager
def _broken_gzip(file: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        fault = "a gzip file that is broken or cut short"
        raise refusal(file, fault, "a whole gzip file", "Compress it again.") from error
