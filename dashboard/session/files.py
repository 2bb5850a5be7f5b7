"""Where files come from, the sample data, the command line or an upload, and what a session has
shown of those on the disk."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from corescore.corpus.files import FORMATS, each_response, read_beside
from corescore.corpus.packed import names_in
from corescore.scoring.tally_files import SKIP, data_set_folders, is_tally
from corescore.util import bundled
from corescore.wording import listed
from dashboard.session.access import DATA_SETS_VARIABLE, FILES_VARIABLE, GENRES_VARIABLE
from dashboard.session.state import Slot, State

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
        return sum(place.stat().st_size for place in _files_at(self.path))

    @property
    def stamp_on_disk(self) -> str:
        """What tells the content of its place from any other's, however it is read."""
        return stamp_on_disk(self.stamp)

    @property
    def parts(self) -> tuple["File", ...]:
        """The file alone and its table of genres, if there is one."""
        return (self.alone, self.genres) if self.genres else (self,)

    @property
    def is_there(self) -> bool:
        """Whether there is anything at the places of its parts."""
        return all(Path(part.path).exists() for part in self.parts)

    @property
    def is_unchanged(self) -> bool:
        """Whether its content is at hand, or its place is as it was."""
        return self.data is not None or _path_stamp(self.path) == self.stamp_on_disk

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
        return self._read(_REPAIRED, repair_brackets=True)

    def in_format(self, format: str) -> "File":
        """The same file, read in the format of this id."""
        return self._read(f"{_IN_FORMAT}{format}", format=format)

    def _read(self, mark: str, **how: Any) -> "File":
        """The same file, read in another way; `mark` tells its stamp from that of the others."""
        alone = self.alone
        return replace(alone, stamp=alone.stamp + mark, **how).with_genres(self.genres)


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
        return tuple(part for file in self.every for part in file.parts)

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
    paths = [folder / name for name in ("key.conll", *_RESPONSES)]
    key, *responses = [file_of(f.name, f.read_bytes()) for f in paths if f.is_file()]
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
    by_title = {}
    for one in data_set_folders(folder, SKIP).data_sets if folder else ():
        texts = [path_file(path) for path in one.responses.values() if not is_tally(path)]
        if one.key and texts:
            by_title[f"{_DATA_SET}{one.name}"] = Files(path_file(one.key), tuple(texts))
    return by_title


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
    stats = [(str(file), file.stat()) for file in _files_at(path)]
    return f"{path} {[(f, at.st_size, at.st_ino, at.st_mtime_ns) for f, at in stats]}"


def _files_at(path: str) -> list[Path]:
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


# Files on the disk that change while a session shows them ----------------------------------------
# They are read again when the page runs again. Those that are gone or can no longer be read stay as
# this session showed them last, as long as that is kept in memory.


class _State(State):
    """By source, the files that were shown last; source and page where some were read again, and
    their names."""

    files_shown = Slot[Mapping[str, Files]]({})
    files_read_again = Slot[tuple[str, str, Sequence[str]]](("", "", ()))


_state = _State()


def as_shown(source: str, files: Files, *, only_gone: bool = False) -> Files:
    """The files of a source as this session showed them last, with those that are gone from their
    folder; files that it has not shown, as they are. With `only_gone`, all that are on disk."""
    before = _state.files_shown.get(source)
    if before is None:
        return files
    shown = {file.path: file for file in before.every}
    key, *responses = (
        file if only_gone and file.is_there else shown.get(file.path, file) for file in files.every
    )
    here = {file.path for file in files.every}
    return Files(key, (*responses, *(file for file in before.responses if file.path not in here)))


def note_shown(source: str, files: Files, page: str) -> str:
    """Note that a page shows these files of a source on the disk. Which of them were read again, as
    long as the page is open, and which are gone; "" if none is."""
    before = _state.files_shown.get(source, files)
    responses = {file.path: file for file in (*before.responses, *files.responses)}
    shown = Files(files.key, tuple(responses.values()))
    _state.files_shown = {**_state.files_shown, source: shown}
    known = {part.path: part.stamp_on_disk for part in before.contents}
    parts = [part for part in files.contents if part.path]
    stamps = [(part, known.get(part.path, part.stamp_on_disk)) for part in parts]
    if again := [part.name for part, stamp in stamps if part.stamp_on_disk != stamp]:
        _state.files_read_again = source, page, again
    *where, read_again = _state.files_read_again
    about = {
        "Changed on disk and read again": read_again if where == [source, page] else [],
        "No longer on disk, kept as read before": [p.name for p in parts if not p.is_there],
    }
    return " ".join(f"{what}: {listed(names)}." for what, names in about.items() if names)
