"""Data sets, each with a key and a response of each system: a folder that the command line named,
or a zip archive of folders. No Streamlit here.
"""

import io
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from corescore import InputError as data_set_scores_InputError
from corescore.analysis.significance import check_same_key
from corescore.analysis.systems.data_sets import Texts
from corescore.corpus.files import read_beside
from corescore.corpus.packed import UPLOADS, ceiling_in_force, files_of_zip, is_zip, names_in
from corescore.corpus.problems import InputError, Problem
from corescore.counting.policies import Policies
from corescore.scoring.scores import score
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import (
    SKIP,
    DataSetFolders,
    data_set_folders,
    is_tally,
    load_tally,
    over_common_documents,
)
from dashboard.session.access import DATA_SETS_VARIABLE
from dashboard.session.caching import cached
from dashboard.session.files import File, Files, file_of, of_data_set, path_file
from dashboard.session.scoring import (
    check_unchanged,
    check_unchanged_since,
    corpus_of,
    problem_lines,
)


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
        DataSet(
            one.name,
            path_file(one.key) if one.key else None,
            {system: path_file(path) for system, path in one.responses.items()},
        )
        for one in found.data_sets
    ]
    warnings = tuple(_said(text, Path(folder), Path(folder).name) for text in found.warnings)
    return Opened(Path(folder).name, tuple(data_sets), warnings, is_given=True)


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


# The scores of systems on data sets; their texts are read, scored and left ------------------------

Tallies = Mapping[str, Tally]  # by system


@dataclass(frozen=True)
class Scored:
    """The tallies by data set and by system, each system on each data set; problems: what could not
    be read or scored, and is left out; texts: of each data set."""

    tallies: Mapping[str, Tallies]
    problems: tuple[str, ...]
    texts: Mapping[str, Texts]


def scored(
    data_sets: tuple[DataSet, ...], policies: Policies, *, step: Callable[[int, str], object]
) -> Scored:
    """Score all data sets. A system with a response that cannot be scored is left out of all of
    them; a data set whose key cannot be read is left out.

    step  called before each data set, with how many are done and its name
    """
    found: dict[str, Tallies] = {}
    problems: list[str] = []
    left_out: set[str] = set()
    texts: dict[str, Texts] = {}
    for number, data_set in enumerate(data_sets):
        step(number, data_set.name)
        try:
            tallies, wrong, own = _of_data_set(data_set.stamps, policies, data_set)
        except data_set_scores_InputError as error:  # it is being written
            tallies, wrong, own = {}, {KEY: problem_lines(error)}, Texts(frozenset())
        problems += [f"{data_set.name}: {line}" for lines in wrong.values() for line in lines]
        if KEY not in wrong:
            left_out |= wrong.keys()
            found[data_set.name] = tallies
            texts[data_set.name] = own
    kept = {
        name: {system: tally for system, tally in of.items() if system not in left_out}
        for name, of in found.items()
    }
    return Scored({name: of for name, of in kept.items() if of}, tuple(problems), texts)


KEY = ""  # no system is called so

_Wrong = dict[str, list[str]]  # by system, or by KEY


@cached(256)
def _of_data_set(
    stamps: tuple[str, ...], policies: Policies, _of: DataSet
) -> tuple[Tallies, _Wrong, Texts]:
    """The tallies of a data set, what is wrong, and its texts. Raises InputError, which is not
    kept, where a file is no longer what its stamp says."""
    for file in _of.every_file:
        check_unchanged(file)
    tallies, wrong = _tallies(_of, policies)
    texts = _texts(_of, tallies)
    for file in _of.every_file:
        check_unchanged_since(file)
    return tallies, wrong, texts


def _texts(of: DataSet, tallies: Tallies) -> Texts:
    if of.key and tallies:
        return Texts.of(corpus_of(of.key, side="key"))
    return Texts(frozenset(name for tally in tallies.values() for name in tally.documents))


def _tallies(of: DataSet, policies: Policies) -> tuple[Tallies, _Wrong]:
    wrong: _Wrong = {}
    try:
        tallies = {**_of_texts(of, policies, wrong), **_of_saved(of, policies, wrong)}
        if policies.missing_documents == "skip" and tallies:
            tallies = over_common_documents(tallies)
    except data_set_scores_InputError as error:
        return {}, {KEY: problem_lines(error)}
    return {system: tallies[system] for system in of.responses if system in tallies}, wrong


def _of_texts(of: DataSet, policies: Policies, wrong: _Wrong) -> dict[str, Tally]:
    """The tallies of the responses that are texts. Raises InputError for the key."""
    if of.files is None:
        return {}
    key = corpus_of(of.files.key, side="key")
    made = {}
    for system, file in of.responses.items():
        if is_tally(file.name):
            continue
        try:
            made[system] = score(key, corpus_of(file, side="response"), policies).tally
        except data_set_scores_InputError as error:
            wrong[system] = problem_lines(error)
    return made


def _of_saved(of: DataSet, policies: Policies, wrong: _Wrong) -> dict[str, Tally]:
    """The tallies that were saved, where they are over the key, by these policies."""
    files = {system: file for system, file in of.responses.items() if is_tally(file.name)}
    if not files:
        return {}
    made: dict[str, Tally] = {}
    first = _of_key(of.key, policies) if of.key else None
    for system, file in files.items():
        try:
            tally = _loaded(file)
            made[system] = _fitting(file, tally, policies, first or tally)
        except data_set_scores_InputError as error:
            wrong[system] = problem_lines(error)
        first = first or made.get(system)
    return made


def _of_key(file: File, policies: Policies) -> Tally:
    key = corpus_of(file, side="key")
    return score(key, key, policies).tally


def _fitting(file: File, tally: Tally, policies: Policies, first: Tally) -> Tally:
    """The tally, if it goes with the first. Raises InputError."""
    found = f"counted under other policies: {tally.settings}" if tally.policies != policies else ""
    try:
        check_same_key(first, tally)
    except ValueError as error:
        found = found or str(error)
    if found:
        expected = "one over the same key, by the policies under “How it is scored”"
        raise data_set_scores_InputError(
            [Problem(file.name, 0, found, expected, "Score the files again.")]
        )
    return tally


def _loaded(file: File) -> Tally:
    if file.data is None:
        return load_tally(file.path)
    with TemporaryDirectory() as place:
        path = Path(place) / file.name
        path.write_bytes(file.data)
        try:
            return load_tally(str(path))
        except data_set_scores_InputError as error:
            told = [replace(problem, file=file.name) for problem in error.problems]
            raise data_set_scores_InputError(told) from None
