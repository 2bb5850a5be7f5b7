"""Reading and writing: `read` finds out which format a file is in, `write` goes by its name."""

import gzip
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.registry import FORMATS, WRITTEN, format_named
from corescore.corpus.problems import InputError, PolicyError, Problem
from corescore.corpus.reading import format_of, format_of_bytes, read, read_beside, read_bytes

__all__ = [
    "FORMATS",
    "WRITTEN",
    "Format",
    "format_of",
    "format_of_bytes",
    "read",
    "read_beside",
    "read_bytes",
    "write",
]

# Writing a file: whole or not at all, over another only by force, never over an input -------------

_BESIDE = ".corescore-"

_LEFT_OVER = re.compile(rf"{re.escape(_BESIDE)}[0-9a-f]{{16}}")

_OTHER_OR_FORCE = "Name another file, or replace it with --force (in Python: force=True)."


def write_file(path: str, data: bytes, *, force: bool = False, inputs: Iterable[str] = ()) -> None:
    """Write a file; where that fails, what was there stays as it was.

    force   whether to replace a file
    inputs  files, and folders of files, that are not replaced even so

    A link stays a link, and a device or pipe is written to. Raises InputError where a file is not
    replaced and where writing fails.
    """
    refuse_replacing(path, force=force, inputs=inputs)
    with _told(path):
        place = Path(os.path.realpath(path))
        if place.exists() and not place.is_file():
            place.write_bytes(data)
        else:
            _replace(place, data)


def refuse_replacing(path: str, *, force: bool, inputs: Iterable[str]) -> None:
    """Raise InputError if this is a file that is not to be replaced."""
    with _told(path):
        place = Path(path)
        if not place.is_file():
            return
        if any(_is_or_is_in(place, Path(one)) for one in inputs if one):
            expected = "a file other than those that are read"
            raise InputError([Problem(path, 0, "an input", expected, "Name another file.")])
        if not force:
            raise InputError(
                [Problem(path, 0, "a file that exists", "a new file", _OTHER_OR_FORCE)]
            )


def _is_or_is_in(place: Path, other: Path) -> bool:
    if other.is_dir():
        return other.resolve() in place.resolve().parents
    if other.exists():
        return place.samefile(other)
    return place.resolve().match(str(other.resolve()))  # a pattern, of files on a cluster


def _replace(place: Path, data: bytes) -> None:
    """Write to a file beside it first, whose name begins with a dot, so that no reader takes it.

    The file is locked while it is written; what a killed process has left is not.
    """
    _remove_left_over(place.parent)
    beside = place.with_name(f"{_BESIDE}{secrets.token_hex(8)}")
    try:
        beside.touch(exist_ok=False)
        with _locked(beside, wait=True):
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # a crash of the machine leaves the old file or the new one
            if place.exists():
                shutil.copymode(place, beside)
            beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _remove_left_over(folder: Path) -> None:
    """Remove the files of this kind in a folder that no process is writing."""
    for left in folder.glob(f"{_BESIDE}*"):
        if _LEFT_OVER.fullmatch(left.name) and left.is_file() and not left.is_symlink():
            with suppress(OSError), _locked(left) as is_dead:  # it may be somebody else's
                if is_dead:
                    left.unlink()


@contextmanager
def _locked(path: Path, *, wait: bool = False) -> Iterator[bool]:
    """Lock a file; whether that is possible, and no other process has locked it."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    with path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            is_locked = False
        else:
            is_locked = True
        yield is_locked


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Tell an error of the file system as an InputError."""
    try:
        yield
    except OSError as error:
        found = f"a path that cannot be written ({error.strerror})"
        problem = Problem(path, 0, found, "a file in a folder that exists", "Check the path.")
        raise InputError([problem]) from error


def write(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    force: bool = False,
) -> tuple[str, ...]:
    """Write a corpus; gzipped if `path` ends in .gz. A file is written whole or not at all.

    Returns a warning that counts the information the format does not hold, such as words or heads.

    format  the id of a format that is written, such as "conll"; found from the path's ending if
            None
    force   whether to replace a file that exists; one that the corpus was read from never is

    Raises InputError for what the format cannot hold, a file that is not replaced and a path that
    cannot be written, PolicyError if the ending is of no known format.
    """
    name = os.fspath(path)
    known = _format_of_name(name, format)
    data = known.text(corpus).encode()
    packed = gzip.compress(data, mtime=0) if name.endswith(".gz") else data
    read_from = {corpus.file, *(document.file for document in corpus)}
    beside = (other for file in read_from for other in read_beside(file))
    write_file(name, packed, force=force, inputs=(*read_from, *beside))
    return known.left_out(corpus)


def _format_of_name(name: str, format: str | None) -> Format:
    if format is not None:
        return format_named(format)
    plain = name.removesuffix(".gz").lower()
    if plain.endswith(".txt"):
        ids = ", ".join(known.id for known in WRITTEN)
        raise PolicyError(f"{name!r} could be in any format; expected one by name: {ids}")
    for known in WRITTEN:
        if plain.endswith(known.suffixes):
            return known
    endings = ", ".join(f"{known.suffixes[0]} ({known.id})" for known in WRITTEN)
    raise PolicyError(f"the ending of {name!r} is of no known format; expected one of: {endings}")
