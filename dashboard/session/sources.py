"""Where files come from: the sample data, the command line, an upload. No Streamlit here."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from corescore.corpus.files import FORMATS, read_beside
from corescore.corpus.packed import names_in
from corescore.corpus.reading import each_response
from corescore.util import bundled
from dashboard.session.given import FILES_VARIABLE, GENRES_VARIABLE

SAMPLE, GIVEN, UPLOADED = "sample data", "files from the command line", "uploaded files"
LINKED = "files of the link"  # which are not here
_DATA_SET = "data set "
_REPAIRED = " repaired"
_GENRES = " with the genres of "
_RESPONSES = ("cautious.conll", "greedy.conll", "heads.conll", "nearest.conll")


@dataclass(frozen=True)
class File:
    """A file or folder that can be loaded: its name on the page, what tells its content from any
    other's, and the content itself, or the path where it is; whether brackets of inline markup that
    have no partner are left out; and of a key perhaps a table of its documents' genres."""

    name: str
    stamp: str
    data: bytes | None = None
    path: str = ""
    repair_brackets: bool = False
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

    def repaired(self) -> "Files":
        """The same files, read without brackets that have no partner."""
        return Files(self.key.repaired(), tuple(file.repaired() for file in self.responses))


def stamp_on_disk(stamp: str) -> str:
    """What tells the content of a file from any other's, however it is read."""
    return stamp.partition(_GENRES)[0].removesuffix(_REPAIRED)


def stamps_in(stamp: str) -> Iterator[str]:
    """The same, and that of its table of genres."""
    return map(stamp_on_disk, stamp.split(_GENRES))


def of_data_set(name: str) -> str:
    """What the files of a data set that the command line named are called."""
    return f"{_DATA_SET}{name}"


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
