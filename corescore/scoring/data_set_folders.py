"""A folder of data sets: which file of each is the key, and which are whose responses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from corescore.corpus.formats.paths import first_files
from corescore.corpus.problems import InputError, Problem
from corescore.scoring.tally_files import is_tally
from corescore.wording import counted, listed

KEY = "key"
SKIP = "skip"
_PACKED = (".gz", ".zip")
_ADVICE = "Name the key 'key', with any ending, and each response as its system."


@dataclass(frozen=True)
class DataSetFolder:
    """A data set: the path of its key, and of the response of each system by the system's name.

    key  "" where all responses are tallies: what was counted of them is saved in the files
    """

    place: Path
    key: str
    responses: Mapping[str, str]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.place.name


@dataclass(frozen=True)
class DataSetFolders:
    """The data sets in a folder, by name, each with the same systems.

    warnings  which systems are left out, as some data set has no response of theirs
    """

    data_sets: Sequence[DataSetFolder]
    warnings: Sequence[str] = ()


def data_set_folders(folder: str, missing_systems: str) -> DataSetFolders:
    """The data sets in a folder.

    Each folder in it is a data set. What is called "key" there is the key, all else is the response
    of the system it is named after: a file's name without its last ending, and without .gz or .zip
    behind that, or a folder's name. Tallies, which end in .parquet, need no key where no other
    response is there. Hidden files and folders are not looked at.

    missing_systems  "refuse" systems that lack a response in some data set, or "skip" them in all,
                     with a warning

    Raises InputError for a folder that is none or has no folders, for files beside the data sets,
    for a data set without exactly one key, with a tally as the key, without responses or with two
    of one system, and where no system, or not each, is in all data sets.
    """
    found, problems = [], list(_outside(folder))
    for place in [] if problems else _folders_in(Path(folder)):
        made, wrong = _data_set(place)
        problems += wrong
        found.append(made)
    if problems:
        raise InputError(problems)
    return _with_common_systems(folder, found, missing_systems)


def _outside(folder: str) -> list[Problem]:
    """What is wrong with the folder, whatever is in the data sets."""
    place = Path(folder)
    expected = "a folder with a folder for each data set"
    if not place.is_dir():
        found = "a file" if place.exists() else "no such folder"
        return [Problem(folder, 0, found, expected, "Check the path.")]
    if not _folders_in(place):
        advice = f"Make a folder for each data set. {_ADVICE}"
        return [Problem(folder, 0, "a folder without folders", expected, advice)]
    return [
        Problem(str(file), 0, "a file beside data sets", "folders alone", "Keep it elsewhere.")
        for file in _files_in(place)
    ]


def _data_set(place: Path) -> tuple[DataSetFolder, list[Problem]]:
    """A data set, and what is wrong with it."""
    named = sorted((_system(path), str(path)) for path in (*_files_in(place), *_folders_in(place)))
    paths = {name: [path for _, path in of] for name, of in groupby(named, lambda one: one[0])}
    keys = paths.pop(KEY, [])
    needs_key = not all(is_tally(path) for of in paths.values() for path in of)
    problems = [*_key_problems(place, keys, needs_key=needs_key or not paths)]
    if not paths:
        expected = "one of each system beside the key"
        problems.append(Problem(str(place), 0, "no response", expected, _ADVICE))
    for system, several in paths.items():
        if len(several) > 1:
            found = f"{counted(len(several), 'response')} of {system}{_in_brackets(several)}"
            problems.append(Problem(str(place), 0, found, "one of each system", "Rename one."))
    responses = {system: of[0] for system, of in paths.items()}
    return DataSetFolder(place, "".join(keys[:1]), responses), problems


def _key_problems(place: Path, keys: Sequence[str], *, needs_key: bool) -> Iterator[Problem]:
    if len(keys) > 1 or (needs_key and not keys):
        found = f"{counted(len(keys), 'key')}{_in_brackets(keys)}" if keys else "no key"
        yield Problem(str(place), 0, found, "one", _ADVICE)
    for path in filter(is_tally, keys):
        yield Problem(path, 0, "a tally as the key", "the key's own text", _ADVICE)


def _with_common_systems(
    folder: str, data_sets: Sequence[DataSetFolder], missing_systems: str
) -> DataSetFolders:
    systems = sorted({system for one in data_sets for system in one.responses})
    lacking = [(one, _lacks(one, systems)) for one in data_sets]
    if missing_systems != SKIP:
        problems = [_missing(one, names) for one, names in lacking if names]
        if problems:
            raise InputError(problems)
        return DataSetFolders(data_sets)
    left_out = {name for _, names in lacking for name in names}
    if left_out == set(systems):
        expected = "one or more systems with a response in each data set"
        raise InputError([Problem(folder, 0, "no such system", expected, _ADVICE)])
    kept = [
        replace(one, responses={s: p for s, p in one.responses.items() if s not in left_out})
        for one in data_sets
    ]
    warnings = [
        f"{one.place} has no response of {listed(names)}: left out of all data sets."
        for one, names in lacking
        if names
    ]
    return DataSetFolders(kept, warnings)


def _lacks(one: DataSetFolder, systems: Iterable[str]) -> list[str]:
    return [system for system in systems if system not in one.responses]


def _missing(one: DataSetFolder, names: Sequence[str]) -> Problem:
    expected = "one of each system that another data set has"
    advice = "Add it, or leave out such systems with --missing-systems skip."
    return Problem(str(one.place), 0, f"no response of {listed(names)}", expected, advice)


def _folders_in(place: Path) -> list[Path]:
    return sorted(path for path in place.iterdir() if path.is_dir() and path.name[0] != ".")


def _files_in(place: Path) -> list[Path]:
    """The files right in a folder; of those that are read together only the first."""
    return [path for path in first_files(place) if path.parent == place]


def _system(path: Path) -> str:
    if path.is_dir():
        return path.name
    return (path.with_suffix("") if path.suffix in _PACKED else path).stem


def _in_brackets(paths: Iterable[str]) -> str:
    return f" ({', '.join(Path(path).name for path in paths)})"
