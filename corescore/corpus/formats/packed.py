"""Files as they are stored: gzipped, in a zip archive, in a folder; and bytes as text.

What is packed is unpacked piece by piece and up to a limit, so that a small file that unpacks to a
huge one is refused before it fills the memory or the disk. It is unpacked in memory, but for a
gzipped file that is read in parts.
"""

import gzip
import os
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import gettempdir

from corescore.corpus.problems import InputError, Problem

MOST_BYTES = 2_000_000_000
MOST_RATIO, RATIO_FROM = 200, 100_000_000  # text shrinks to a tenth or so, a bomb to a thousandth
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
    """What a file holds. Raises InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        found = f"no file that can be read ({error.strerror})"
        problem = Problem(str(path), 0, found, "a file or a folder of files", "Check the path.")
        raise InputError([problem]) from error


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as those of a zip archive."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def is_gzip(data: bytes) -> bool:
    """Whether the bytes begin as those of a gzipped file."""
    return data[:2] == b"\x1f\x8b"


def files_of_zip(data: bytes, file: str) -> Files:
    """The files of a zip archive, unpacked; a folder that holds all of them is left out."""
    try:
        unpacked = _unzipped(data, file)
    except _BROKEN as error:
        if isinstance(error, InputError):
            raise
        found = "a zip archive that is broken, cut short or has a password"
        raise _refusal(file, found, "a whole zip archive", "Compress it again.") from error
    while unpacked and len(tops := {name.split("/")[0] for name in unpacked}) == 1:
        if any("/" not in name for name in unpacked):
            break
        unpacked = {name.removeprefix(f"{min(tops)}/"): unpacked[name] for name in unpacked}
    return Files(file, tuple(sorted(unpacked)), unpacked.__getitem__)


def _unzipped(data: bytes, file: str) -> dict[str, bytes]:
    unpacked: dict[str, bytes] = {}
    out = 0
    with zipfile.ZipFile(BytesIO(data)) as archive:
        every = archive.infolist()
        if len(every) > MOST_FILES:
            found, expected = f"an archive of {len(every)} files", f"at most {MOST_FILES}"
            raise _refusal(file, found, expected, "Split it.")
        for entry in every:
            parts = entry.filename.split("/")
            hidden = any(part[:1] in (".", "") for part in parts) or parts[0] == "__MACOSX"
            if entry.is_dir() or hidden or parts[-1].endswith(NOTES_ENDING):
                continue
            if entry.filename in unpacked:
                found = f"an archive with two files '{entry.filename}'"
                raise _refusal(file, found, "each name once", "Compress it again.")
            with archive.open(entry) as packed:
                unpacked[entry.filename] = _limited(packed.read, len(data), out, file)
            out += len(unpacked[entry.filename])
    return unpacked


def _limited(read: Callable[[int], bytes], packed: int, before: int, file: str) -> bytes:
    """All that `read` unpacks, `before` bytes having come of the same `packed` ones."""
    return b"".join(_pieces(read, packed, before, file))


def _pieces(read: Callable[[int], bytes], packed: int, out: int, file: str) -> Iterator[bytes]:
    most = min(MOST_BYTES, max(RATIO_FROM, MOST_RATIO * packed))
    while piece := read(_PIECE):
        out += len(piece)
        if out > most:
            found = f"{packed:,} bytes that unpack to more than {most:,}"
            expected = f"at most {MOST_BYTES:,}, and {MOST_RATIO} times the packed size"
            raise _refusal(file, found, expected, "Unpack it yourself if you trust it.")
        yield piece


def text_of(data: bytes, file: str, *, encoding: str = "utf-8-sig") -> str:
    """The bytes, gunzipped if need be, as text with the line ends that it has.

    encoding  "utf-8" keeps a byte-order mark, since character offsets may count it
    """
    data = _gunzipped(data, file)
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


def _gunzipped(data: bytes, file: str) -> bytes:
    if not is_gzip(data):
        return data
    with _broken_gzip(file), gzip.GzipFile(fileobj=BytesIO(data)) as stream:
        return _limited(stream.read, len(data), 0, file)


def unpack(path: Path, target: Path) -> None:
    """Unpack a gzipped file to another, up to the limit. Raises InputError as reading it does."""
    with _broken_gzip(str(path)), gzip.open(path) as stream:
        pieces = _pieces(stream.read, path.stat().st_size, 0, str(path))
        _write(pieces, target, str(path))


def _write(pieces: Iterable[bytes], target: Path, file: str) -> None:
    """Write what is unpacked of a file. Raises InputError if there is no room for it.

    Each piece is written and closed, so that an error of writing is none of the archive.
    """
    for piece in chain([b""], pieces):
        try:
            with target.open("ab") as out:
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
