"""Files wherever they are stored, through fsspec: found by folder or pattern, and read whole."""

import errno
import os
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import fsspec
from fsspec.core import url_to_fs

from corescore.corpus.formats.packed import NOTES_ENDING
from corescore.corpus.problems import InputError, Problem

Storage = Mapping[str, Any]
# What file systems tell of the content of a file: none tells all of them.
_STATE = ("size", "mtime", "created", "ETag", "etag", "LastModified", "Last-Modified", "md5Hash")
_MAGIC = frozenset("*?[")
_ADVICE = "Check the path, on the workers too."


@dataclass(frozen=True)
class File:
    """A file that a worker can open.

    url   absolute, as fsspec opens it
    name  the same as the user wrote it, for messages
    """

    url: str
    name: str


@dataclass(frozen=True)
class Listing:
    """The files of a side.

    name   the folder, the pattern or the file as the user wrote it
    files  by path within the folder, or below the folders that the pattern begins with; ascending
    alone  whether it names one file, so that documents keep their own names
    """

    name: str
    files: Mapping[str, File]
    alone: bool = False


class UnreadableError(OSError):
    """A file that cannot be read now, but perhaps later; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def files_at(place: str, storage: Storage) -> Listing:
    """The files of a folder (not those in its folders), that match a pattern, or the one named.

    Files whose names begin with a dot, and files of notes, are left out. Raises InputError if there
    are none, or the place cannot be listed.
    """
    place = place if "://" in place else place.replace(os.sep, "/")
    try:
        filesystem, path = url_to_fs(place, **storage)
        web = "http" in filesystem.protocol
        if _is_pattern(filesystem, place, path, web):
            root = place[: place.rfind("/", 0, min(map(place.find, _MAGIC & {*place}))) + 1]
            entries = filesystem.glob(path, detail=True).values()
        elif place.endswith("/") or (not web and filesystem.isdir(path)):
            root = f"{place.rstrip('/')}/"
            entries = filesystem.ls(path, detail=True)
        else:
            return Listing(place, {posixpath.basename(path): _file(filesystem, path, place)}, True)
    except Exception as error:  # each file system raises errors of its own
        raise InputError([_problem(place, error)]) from error
    files = _files(filesystem, root, entries)
    if not files:
        problem = Problem(place, 0, "no files", "a file or more", "Check the path.")
        raise InputError([problem])
    return Listing(place.rstrip("/"), files)


def bytes_of(file: File, storage: Storage) -> bytes:
    """What a file holds.

    Raises InputError if it is not there or changes meanwhile, UnreadableError if it cannot be read
    for another reason, which may pass.
    """
    try:
        filesystem, path = url_to_fs(file.url, **storage)
        before = _state(filesystem, path)
        data: bytes = filesystem.cat_file(path)
        after = _state(filesystem, path)
    except (FileNotFoundError, PermissionError, ImportError) as error:
        raise InputError([_problem(file.name, error)]) from error
    except Exception as error:  # each file system raises errors of its own
        raise UnreadableError(_problem(file.name, error)) from error
    if before != after or before.get("size", len(data)) != len(data):
        found, advice = "a file that changed while it was read", "Score it again when it is whole."
        raise InputError([Problem(file.name, 0, found, "a file that stays as it is", advice)])
    return data


def _problem(name: str, error: Exception) -> Problem:
    if isinstance(error, ImportError):
        return Problem(name, 0, "a URL that needs a package", str(error), "Install it everywhere.")
    if isinstance(error, FileNotFoundError):
        reason = os.strerror(errno.ENOENT)  # some file systems name only the file
    else:
        reason = str(error) or type(error).__name__
    found = f"no file that can be read ({reason})"
    return Problem(name, 0, found, "a file or a folder of files", _ADVICE)


def _state(filesystem: fsspec.AbstractFileSystem, path: str) -> dict[str, object]:
    """What tells whether a file is still the same, asked anew."""
    filesystem.invalidate_cache(filesystem._parent(path))
    known = filesystem.info(path)
    return {name: known[name] for name in _STATE if known.get(name) is not None}


def _is_pattern(filesystem: fsspec.AbstractFileSystem, place: str, path: str, web: bool) -> bool:
    """On the web a question mark begins a query; elsewhere a file may have brackets in its name."""
    if web:
        return "*" in place
    return bool(_MAGIC & {*place}) and not filesystem.exists(path)


def _files(
    filesystem: fsspec.AbstractFileSystem, root: str, entries: Iterable[Mapping[str, Any]]
) -> dict[str, File]:
    """The files among these entries, by their paths below `root`, which the user wrote so."""
    top = filesystem._strip_protocol(root or ".").rstrip("/")
    paths = [entry["name"] for entry in entries if entry["type"] == "file"]
    inner = {path[len(top) :].lstrip("/"): path for path in paths}
    return {
        name: _file(filesystem, inner[name], _named(root, name))
        for name in sorted(inner)
        if not any(outcome.startswith(".") for outcome in name.split("/"))
        and not name.endswith(NOTES_ENDING)
    }


def _named(root: str, name: str) -> str:
    return root + name if "://" in root else posixpath.normpath(root + name)


def _file(filesystem: fsspec.AbstractFileSystem, path: str, name: str) -> File:
    return File(filesystem.unstrip_protocol(path), name)
