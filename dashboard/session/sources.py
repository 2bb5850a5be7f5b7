"""Where files come from: the sample data, the command line, an upload. No Streamlit here."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from corescore.corpus.formats import FORMATS, read_beside
from corescore.corpus.formats.packed import names_in
from corescore.corpus.formats.paths import each_response
from corescore.installation import bundled
from dashboard.session.given import FILES_VARIABLE

SAMPLE, GIVEN, UPLOADED = "sample data", "files from the command line", "uploaded files"
LINKED = "files of the link"  # which are not here
_DATA_SET = "data set "
_REPAIRED = " repaired"
_RESPONSES = ("cautious.conll", "greedy.conll", "heads.conll", "nearest.conll")


@dataclass(frozen=True)
class File:
    """A file or folder that can be loaded: its name on the page, what tells its content from any
    other's, and the content itself, or the path where it is; and whether brackets of inline markup
    that have no partner are left out."""

    name: str
    stamp: str
    data: bytes | None = None
    path: str = ""
    repair_brackets: bool = False

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

    def repaired(self) -> "File":
        """The same file, read without brackets that have no partner."""
        return replace(self, stamp=f"{self.stamp}{_REPAIRED}", repair_brackets=True)


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
    def by_path(self) -> dict[str, File]:
        """All of them by their places."""
        return {file.path: file for file in self.every}

    def repaired(self) -> "Files":
        """The same files, read without brackets that have no partner."""
        return Files(self.key.repaired(), tuple(file.repaired() for file in self.responses))


def stamp_on_disk(stamp: str) -> str:
    """What tells the content of a file from any other's, however it is read."""
    return stamp.removesuffix(_REPAIRED)


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
    return Files(key, tuple(responses))


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
