"""The scores of systems on data sets; their texts are read, scored and left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from corescore import InputError
from corescore.analysis.significance.resamples import check_same_key
from corescore.analysis.systems.data_sets import Texts
from corescore.corpus.problems import Problem
from corescore.counting.policies import Policies
from corescore.scoring.scores import score
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import is_tally, load_tally, over_common_documents
from dashboard.session.caching import cached
from dashboard.session.data_sets import DataSet
from dashboard.session.scoring import (
    check_unchanged,
    check_unchanged_since,
    corpus_of,
    problem_lines,
)
from dashboard.session.sources import File

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
        except InputError as error:  # it is being written
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


@cached(max_entries=256, by={Policies: repr})
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
    except InputError as error:
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
        except InputError as error:
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
        except InputError as error:
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
        raise InputError([Problem(file.name, 0, found, expected, "Score the files again.")])
    return tally


def _loaded(file: File) -> Tally:
    if file.data is None:
        return load_tally(file.path)
    with TemporaryDirectory() as place:
        path = Path(place) / file.name
        path.write_bytes(file.data)
        try:
            return load_tally(str(path))
        except InputError as error:
            told = [replace(problem, file=file.name) for problem in error.problems]
            raise InputError(told) from None
