"""Where files come from: the sample data, the command line, an upload. No Streamlit here."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

import streamlit as st

from corescore.corpus.files import FORMATS, each_response, read_beside
from corescore.corpus.packed import names_in
from corescore.scoring.tally_files import SKIP, data_set_folders, is_tally
from corescore.util import bundled
from corescore.wording import listed
from dashboard.session.access import DATA_SETS_VARIABLE, FILES_VARIABLE, GENRES_VARIABLE

SAMPLE, GIVEN, UPLOADED = "sample data", "files from the command line", "uploaded files"
SHORT = {GIVEN: "local files"}  # in a narrow box

LINKED = "files of the link"  # which are not here

_DATA_SET = "data set "

_REPAIRED = " repaired"

_IN_FORMAT = "\0format "

_GENRES = " with the genres of "

_RESPONSES = ("cautious.conll", "greedy.conll", "heads.conll", "nearest.conll")


@dataclass(frozen=True)
class File:
    """A file or folder that can be loaded: its name on the page, what tells its content from any
    other's, and the content itself, or the path where it is; whether brackets of inline markup that
    have no partner are left out; the id of the format that it is read in, "" if that is detected;
    and of a key perhaps a table of its documents' genres."""

    name: str
    stamp: str
    data: bytes | None = None
    path: str = ""
    repair_brackets: bool = False
    format: str = ""
    genres: "File | None" = None

    @property
    def size(self) -> int:
        """In bytes; of a folder, that of its files."""
        if self.data is not None:
            return len(self.data)
        return sum(place.stat().st_size for place in _places(self.path))

    @property
    def stamp_on_disk(self) -> str:
        """What tells the content of its place from any other's, however it is read."""
        return stamp_on_disk(self.stamp)

    @property
    def is_there(self) -> bool:
        """Whether there is anything at its place."""
        return Path(self.path).exists()

    @property
    def is_unchanged(self) -> bool:
        """Whether its content can still be had: it is at hand, or its place has not changed."""
        return self.data is not None or _path_stamp(self.path) == self.stamp_on_disk

    @property
    def changed(self) -> "File | None":
        """What of it can no longer be had: it, or its table of genres; None where all can."""
        parts = self.alone, self.genres
        return next((one for one in parts if one and not one.is_unchanged), None)

    @property
    def alone(self) -> "File":
        """The same file without a table of genres."""
        return replace(self, stamp=self.stamp.partition(_GENRES)[0], genres=None)

    def with_genres(self, table: "File | None") -> "File":
        """The same file with this table of genres instead of its own; its own, if that is None."""
        if table is None:
            return self
        alone = self.alone
        return replace(alone, stamp=f"{alone.stamp}{_GENRES}{table.stamp}", genres=table)

    def repaired(self) -> "File":
        """The same file, read without brackets that have no partner."""
        alone = self.alone
        stamp = f"{alone.stamp}{_REPAIRED}"
        return replace(alone, stamp=stamp, repair_brackets=True).with_genres(self.genres)

    def in_format(self, format: str) -> "File":
        """The same file, read in the format of this id."""
        alone = self.alone
        stamp = f"{alone.stamp}{_IN_FORMAT}{format}"
        return replace(alone, stamp=stamp, format=format).with_genres(self.genres)


@dataclass(frozen=True)
class Files:
    """A key and the responses that go with it."""

    key: File
    responses: tuple[File, ...]

    @property
    def every(self) -> tuple[File, ...]:
        """The key, then the responses."""
        return (self.key, *self.responses)

    @property
    def contents(self) -> tuple[File, ...]:
        """All that is read: these, and the table of the key's genres, if there is one."""
        return (*self.every, *([self.key.genres] if self.key.genres else []))

    @property
    def by_path(self) -> dict[str, File]:
        """All that is read by its place."""
        return {file.path: file for file in self.contents}

    def with_genres(self, table: File | None) -> "Files":
        """The same files, the key with this table of genres; with its own, if that is None."""
        return replace(self, key=self.key.with_genres(table))


def stamp_on_disk(stamp: str) -> str:
    """What tells the content of a file from any other's, however it is read."""
    return stamp.partition(_GENRES)[0].partition(_IN_FORMAT)[0].removesuffix(_REPAIRED)


def stamps_in(stamp: str) -> Iterator[str]:
    """The same, and that of its table of genres."""
    return map(stamp_on_disk, stamp.split(_GENRES))


@cache
def sample_files() -> Files:
    """The sample data: a key and four responses."""
    folder = bundled("sample_data")
    found = [folder / name for name in ("key.conll", *_RESPONSES)]
    key, *responses = [file_of(f.name, f.read_bytes()) for f in found if f.is_file()]
    return Files(key, tuple(responses))


def given_files() -> Files | None:
    """The files that the command line named, as they are on the disk now."""
    given = json.loads(os.environ.get(FILES_VARIABLE, "[]"))
    if not given:
        return None
    paths = [given[0], *each_response(given[0], given[1:])]
    key, *responses = [
        replace(path_file(path), name=name) for name, path in zip(_ends(paths), paths, strict=True)
    ]
    genres = os.environ.get(GENRES_VARIABLE)
    return Files(key, tuple(responses)).with_genres(path_file(genres) if genres else None)


def data_sets() -> dict[str, Files]:
    """The data sets that the command line named, by what they are called; without tallies, which
    have no texts. Raises InputError as `data_set_folders`."""
    folder = os.environ.get(DATA_SETS_VARIABLE)
    found = {}
    for one in data_set_folders(folder, SKIP).data_sets if folder else ():
        texts = [path_file(path) for path in one.responses.values() if not is_tally(path)]
        if one.key and texts:
            found[f"{_DATA_SET}{one.name}"] = Files(path_file(one.key), tuple(texts))
    return found


def path_file(path: str) -> File:
    """A file or folder that is read where it is."""
    return File(Path(path).name, _path_stamp(path), path=path)


def _ends(paths: Sequence[str]) -> list[str]:
    """What to call each path: its end, as long as it must be to be the only one."""

    def ends(path: str) -> list[str]:
        parts = Path(path).parts
        return ["/".join(parts[-n:]) for n in range(1, len(parts))]

    number = Counter(end for path in paths for end in ends(path))
    return [next((end for end in ends(path) if number[end] == 1), path) for path in paths]


def _path_stamp(path: str) -> str:
    """The files there: a program may write over one and leave its time as it was."""
    found = [(str(file), file.stat()) for file in _places(path)]
    return f"{path} {[(f, at.st_size, at.st_ino, at.st_mtime_ns) for f, at in found]}"


def _places(path: str) -> list[Path]:
    """The file and those that are read with it; or the folder and the files in it. What is not
    there is left out."""
    place = Path(path)
    if place.is_dir():
        files = [place / name for name in ("", *names_in(place))]
    else:
        files = [place, *map(Path, read_beside(path))]
    return [file for file in files if file.exists()]


def file_of(name: str, data: bytes) -> File:
    """An uploaded file."""
    return File(name, hashlib.sha256(data).hexdigest(), data)


def named_apart(files: Iterable[File]) -> list[File]:
    """The files, the second of a name with "(2)" after its name, and so on."""
    number: Counter[str] = Counter()
    apart = []
    for file in files:
        number[file.name] += 1
        brief, times = short_name(file.name), number[file.name]
        again = f"{brief} ({times}){file.name.removeprefix(brief)}"
        apart.append(file if times == 1 else replace(file, name=again))
    return apart


def short_name(name: str) -> str:
    """A file's name without the ending of its format."""
    plain = name.removesuffix(".gz").removesuffix(".zip")
    endings = [ending for known in FORMATS for ending in known.suffixes]
    ending = next((ending for ending in endings if plain.endswith(ending)), "")
    return plain.removesuffix(ending).rstrip("._-") or name


def short_names(files: Sequence[File]) -> dict[str, str]:
    """By each file's name, the same without the ending where no other file is called so."""
    short = {file.name: short_name(file.name) for file in files}
    number = Counter(short.values())
    return {name: brief if number[brief] == 1 else name for name, brief in short.items()}


_LOADED, _GIVEN_UP = "files_loaded", "files_given_up"  # by source: its files; the name of one

# Files of the command line that change on the disk while a session shows them ---------------------
# The session goes on with what it has loaded until it is told to load the newer files. What a file
# held before is known only while it is kept in memory: where it is not, the newer files are shown
# at once, and that is said.

_MOST = 3  # names in a sentence


class HasFiles(Protocol):
    """Files that are loaded together."""

    @property
    def by_path(self) -> Mapping[str, File]:
        """All of them by their places, called as a note calls them."""


_Some = TypeVar("_Some", bound=HasFiles)


def as_loaded(source: str, on_disk: _Some) -> _Some:
    """The files of a source as this session has loaded them."""
    loaded: _Some = st.session_state.setdefault(_LOADED, {}).setdefault(source, on_disk)
    return loaded


def load_newer(source: str) -> None:
    """Take the files of a source as they are on the disk from now on."""
    st.session_state.get(_LOADED, {}).pop(source, None)
    forget_given_up(source)


def forget_given_up(source: str) -> None:
    """Say no longer that a file of a source was given up."""
    st.session_state.get(_GIVEN_UP, {}).pop(source, None)


def give_up(file: File) -> bool:
    """Let go of the source of a file that can no longer be read as it was loaded; whether this
    session had loaded it so, and the page has to be run anew.

    Only once before `forget_given_up`: a file that changes all the time would be read without end.
    """
    given_up = st.session_state.setdefault(_GIVEN_UP, {})
    every = st.session_state.get(_LOADED, {})
    for source, files in every.items():
        loaded = files.by_path.get(file.path)
        if source not in given_up and loaded and loaded.stamp_on_disk == file.stamp_on_disk:
            given_up[source] = loaded.name
            del every[source]
            return True
    return False


@dataclass(frozen=True)
class Changes:
    """What became of the files of a source since they were loaded: the names of those that have
    changed, that are new and that are gone; and of one that was given up, "" if none was."""

    source: str
    changed: Sequence[str]
    new: Sequence[str]
    gone: Sequence[str]
    given_up: str

    @property
    def are_newer(self) -> bool:
        """Whether there is anything to load."""
        return bool(self.changed or self.new)

    @property
    def sentences(self) -> str:
        """In words; "" if the files are as they were."""
        said = (
            _said([self.given_up] if self.given_up else [], _ABOUT_GIVEN_UP, ""),
            _said(self.changed, "has changed on disk since it was loaded.", _HAVE_CHANGED),
            _said(self.new, "is new on disk.", "are new on disk."),
            _said(self.gone, "is no longer on disk; the loaded version stays.", _ARE_GONE),
        )
        return " ".join(filter(None, said))


def changes(source: str, on_disk: HasFiles) -> Changes:
    """How the files of a source differ from what this session has loaded."""
    before, now = as_loaded(source, on_disk).by_path, on_disk.by_path
    stamps = {path: file.stamp_on_disk for path, file in now.items()}
    others = [file for path, file in before.items() if stamps.get(path) != file.stamp_on_disk]
    return Changes(
        source,
        [file.name for file in others if file.is_there],
        [file.name for path, file in now.items() if path not in before],
        [file.name for file in others if not file.is_there],
        st.session_state.get(_GIVEN_UP, {}).get(source, ""),
    )


_ABOUT_GIVEN_UP = (
    "has changed on disk, and its former content is no longer available: the newer files are shown."
)

_HAVE_CHANGED = "have changed on disk since they were loaded."

_ARE_GONE = "are no longer on disk; the loaded versions stay."


def _said(names: Sequence[str], of_one: str, of_several: str) -> str:
    if not names:
        return ""
    more = len(names) - _MOST
    shown = [*names[:_MOST], *([f"{more} more"] if more > 0 else [])]
    return f"{listed(shown)} {of_one if len(names) == 1 else of_several}"
