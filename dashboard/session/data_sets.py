"""Data sets, each with a key and a response of each system: a folder that the command line named,
or a zip archive of folders. No Streamlit here."""

import io
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from corescore.corpus.packed import UPLOADS, ceiling_in_force, files_of_zip, is_zip, names_in
from corescore.corpus.problems import InputError, Problem
from corescore.corpus.reading import read_beside
from corescore.scoring.tally_files import (
    SKIP,
    DataSetFolder,
    DataSetFolders,
    data_set_folders,
    is_tally,
)
from dashboard.session.given import DATA_SETS_VARIABLE
from dashboard.session.sources import File, Files, file_of, of_data_set, path_file


@dataclass(frozen=True)
class DataSet:
    """A data set: its name, its key (None where all responses are tallies), and the response of
    each system."""

    name: str
    key: File | None
    responses: Mapping[str, File]

    @property
    def every_file(self) -> tuple[File, ...]:
        """The key, if there is one, and the responses."""
        return (*([self.key] if self.key else []), *self.responses.values())

    @cached_property
    def stamps(self) -> tuple[str, ...]:
        """What tells it from any other."""
        return (*self.responses, *(file.stamp for file in self.every_file))

    @property
    def files(self) -> Files | None:
        """What Explore can show: the key and the responses that are no tallies."""
        texts = tuple(file for file in self.responses.values() if not is_tally(file.name))
        return Files(self.key, texts) if self.key and texts else None

    @property
    def by_path(self) -> dict[str, File]:
        """Its files by their places, each called by its data set, too."""
        named = (replace(one, name=f"{self.name}/{one.name}") for one in self.every_file)
        return {one.path: one for one in named}

    def repaired(self) -> "DataSet":
        """The same, read without brackets of inline markup that have no partner."""
        responses = {system: file.repaired() for system, file in self.responses.items()}
        return replace(self, key=self.key and self.key.repaired(), responses=responses)


@dataclass(frozen=True)
class Opened:
    """Data sets with the same systems.

    name      of the folder or archive
    warnings  which systems are left out, since a data set has no response of theirs
    is_given  whether the command line named them
    """

    name: str
    data_sets: tuple[DataSet, ...]
    warnings: tuple[str, ...]
    is_given: bool = False

    @property
    def by_path(self) -> dict[str, File]:
        """All files by their places, each called by its data set, too."""
        return {path: one for of in self.data_sets for path, one in of.by_path.items()}

    def repaired(self) -> "Opened":
        """The same, read without brackets of inline markup that have no partner."""
        return replace(self, data_sets=tuple(one.repaired() for one in self.data_sets))


def given_data_sets() -> Opened | None:
    """The data sets that the command line named. Raises InputError as `data_set_folders`."""
    folder = os.environ.get(DATA_SETS_VARIABLE)
    if not folder:
        return None
    found = data_set_folders(folder, SKIP)
    data_sets = [
        DataSet(one.name, path_file(one.key) if one.key else None, _paths(one))
        for one in found.data_sets
    ]
    warnings = tuple(_said(text, Path(folder), Path(folder).name) for text in found.warnings)
    return Opened(Path(folder).name, tuple(data_sets), warnings, is_given=True)


def _paths(one: DataSetFolder) -> dict[str, File]:
    return {system: path_file(path) for system, path in one.responses.items()}


def files_of_data_sets() -> dict[str, Files]:
    """By the names of `of_data_set`, what Explore can show of those that the command line named."""
    try:
        given = given_data_sets()
    except InputError:  # the page of data sets says it
        return {}
    every = {of_data_set(one.name): one.files for one in given.data_sets} if given else {}
    return {name: files for name, files in every.items() if files}


def unpacked(data: bytes, name: str) -> Opened:
    """The data sets of a zip archive. Raises InputError for what is none, for an archive that is
    broken or too large, and as `data_set_folders`."""
    if not is_zip(data):
        advice = "Put a folder for each data set into one, each with a key and the responses."
        raise InputError([Problem(name, 0, "no zip archive", "a zip archive of folders", advice)])
    files = files_of_zip(data, name, ceiling_in_force(UPLOADS))
    with TemporaryDirectory() as place:
        for inner in files.names:
            _write(Path(place), inner, files.data(inner), name)
        try:
            return _opened(data_set_folders(place, SKIP), Path(place), name)
        except InputError as error:
            told = [
                replace(problem, file=_said(problem.file, Path(place), name))
                for problem in error.problems
            ]
            raise InputError(told) from None


def _write(place: Path, inner: str, data: bytes, name: str) -> None:
    path = (place / inner).resolve()
    if not path.is_relative_to(place.resolve()):
        found = f"a file '{inner}' outside of the archive"
        raise InputError([Problem(name, 0, found, "files within it", "Compress it again.")])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _opened(found: DataSetFolders, place: Path, name: str) -> Opened:
    data_sets = [
        DataSet(
            one.name,
            _packed(one.key) if one.key else None,
            {system: _packed(path) for system, path in one.responses.items()},
        )
        for one in found.data_sets
    ]
    warnings = tuple(_said(text, place, name) for text in found.warnings)
    return Opened(name, tuple(data_sets), warnings)


def _said(text: str, place: Path, name: str) -> str:
    """A text that names the folder it is about by its own name."""
    return text.replace(str(place), name)


def _packed(path: str) -> File:
    """A file as it is; a folder, or files that are read together, as a zip archive."""
    place = Path(path)
    if place.is_dir():
        return _zipped(place.name, {name: place / name for name in names_in(place)})
    beside = [Path(other) for other in read_beside(path)]
    if not beside:
        return file_of(place.name, place.read_bytes())
    return _zipped(place.stem, {one.name: one for one in (place, *beside)})


def _zipped(name: str, places: Mapping[str, Path]) -> File:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for inner, place in sorted(places.items()):
            # A fixed date: the same files are the same archive.
            archive.writestr(zipfile.ZipInfo(inner), place.read_bytes())
    return file_of(f"{name}.zip", file.getvalue())
