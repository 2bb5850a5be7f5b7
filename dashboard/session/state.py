"""What is loaded and how it is scored: the only caller of reading and scoring, all of it cached.

Cached values are keyed on what a file holds and on the policies, never on the objects, and are
shared by all sessions: they are never changed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from corescore import Corpus, InputError, Result, read
from corescore.analysis.errors.mention_tables import incorrectly_resolved_table, mention_table
from corescore.analysis.errors.reports import removal_table
from corescore.analysis.errors.summaries import slice_credit
from corescore.analysis.errors.tables import impact_table, operation_table
from corescore.analysis.overlaps.table import overlap_table
from corescore.analysis.significance.bootstrap import Intervals, score_intervals
from corescore.analysis.systems import scored
from corescore.corpus.documents import Document
from corescore.corpus.formats import Format, format_of, format_of_bytes, read_bytes
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import Policies
from corescore.metrics import HOW_MANY, METRIC_IDS, METRICS, Metric, metric_of
from corescore.replication import Experiment
from corescore.replication.conformance import conformance
from corescore.replication.experiment import Outcome, Value
from corescore.replication.experiment import run as run_experiment
from corescore.scoring.scores import score
from dashboard.session.sources import File, Files, short_names


@dataclass(frozen=True)
class System(scored.System):
    """A system with its response and, to cache by, what tells it and its key from any others."""

    result: Result
    corpus: Corpus
    stamps: tuple[str, ...]


@dataclass(frozen=True)
class Loaded(scored.ScoredSystems):
    """What the pages show: the key, system A and perhaps B, and the files they were chosen from."""

    systems: tuple[System, ...]
    files: Files

    @property
    def results(self) -> dict[str, Result]:
        """The results by the systems' letters."""
        return {system.letter: system.result for system in self.systems}

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The scores by the systems' letters."""
        return {letter: result.table for letter, result in self.results.items()}

    def system(self, letter: str) -> System:
        """The system of that letter; A if there is none."""
        return next((s for s in self.systems if s.letter == letter), self.systems[0])


def _content(system: System) -> tuple[object, ...]:
    return (*system.stamps, repr(system.result.policies))


# What a system's tables are cached by: its files and policies. Its objects are not hashed.
BY_CONTENT: dict[str | type[Any], Callable[[Any], Any]] = {
    System: _content,
    Loaded: lambda loaded: [_content(system) for system in loaded.systems],
}


# Reading and scoring ----------------------------------------------------------------------------


def load(files: Files, chosen: Sequence[File], policies: Policies) -> Loaded:
    """Read the key, and read and score the chosen responses.

    Raises InputError for what cannot be read or scored.
    """
    corpus = read_file(files.key, side="key")
    names = short_names(files.responses)
    systems = tuple(
        System(
            letter,
            names[file.name],
            _result(files.key, file, policies),
            read_file(file, side="response"),
            _stamps(files.key, file),
        )
        for letter, file in zip("AB", chosen, strict=False)
    )
    return Loaded(files.key.name, corpus, systems, files)


# What is wrong with a file is kept beside what is right, so that it is found once.


def read_file(file: File, *, side: str) -> Corpus:
    """The documents of a file. Raises InputError."""
    found = _read(file.name, file.stamp, side, file)
    if isinstance(found, InputError):
        raise InputError.of([found])
    return found


@st.cache_resource(max_entries=64, show_spinner="Reading the files")
def _read(name: str, stamp: str, side: str, _file: File) -> Corpus | InputError:
    try:
        if _file.data is not None:
            return read_bytes(_file.data, name, side=side)
        return read(_file.path, side=side)
    except InputError as error:
        return error


def _result(key: File, response: File, policies: Policies) -> Result:
    found = _score(_stamps(key, response), policies, key, response)
    if isinstance(found, InputError):
        raise InputError.of([found])
    return found


def _stamps(key: File, response: File) -> tuple[str, ...]:
    return (key.name, key.stamp, response.name, response.stamp)


@st.cache_resource(
    max_entries=64, show_spinner=f"Scoring with all {HOW_MANY} metrics", hash_funcs={Policies: repr}
)
def _score(
    stamps: tuple[str, ...], policies: Policies, _key: File, _response: File
) -> Result | InputError:
    try:
        sides = read_file(_key, side="key"), read_file(_response, side="response")
        return Result.of(score(*sides, policies))
    except InputError as error:
        return error


def check(
    files: Files,
    responses: Sequence[File],
    policies: Policies,
    *,
    step: Callable[[int, str], object] | None = None,
) -> dict[str, Result]:
    """The results of those responses that can be read and scored, by their short names.

    The others are noted, for `left_out`. Raises InputError if it is the key that cannot be read.

    step  called before each response, with how many are done and its short name
    """
    read_file(files.key, side="key")
    names = short_names(files.responses)
    noted = st.session_state.setdefault("left_out", {})
    results = {}
    for number, response in enumerate(responses):
        if step:
            step(number, names[response.name])
        try:
            results[names[response.name]] = _result(files.key, response, policies)
        except InputError as error:
            noted[_stamps(files.key, response), policies] = problem_lines(error)
    return results


def left_out(files: Files, policies: Policies) -> dict[str, list[str]]:
    """What is wrong, by name, with the responses that are known not to be readable or scorable."""
    noted = st.session_state.get("left_out", {})
    places = {file.name: (_stamps(files.key, file), policies) for file in files.responses}
    return {name: noted[place] for name, place in places.items() if place in noted}


def every_result(loaded: Loaded, *, step: Callable[[int, str], object]) -> dict[str, Result]:
    """The results of all responses, by their short names; `step` as in `check`.

    Kept until other files or policies are shown. Reruns the page if a response is found that has
    to be left out, so that this is said above it.
    """
    policies, key, responses = loaded.policies, loaded.files.key, loaded.files.responses
    of = [_stamps(key, response) for response in responses], policies
    if st.session_state.get("every_result_of") != of:
        known = left_out(loaded.files, policies)
        waiting = [file for file in responses if file.name not in known]
        results = check(loaded.files, waiting, policies, step=step)
        st.session_state.update(every_result=results, every_result_of=of)
        if len(results) < len(waiting):
            st.rerun()
    every: dict[str, Result] = st.session_state["every_result"]
    return every


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def intervals(system: System, *, trials: int) -> Intervals:
    """Between which values a system's scores lie: `corescore.analysis.significance.bootstrap`."""
    return score_intervals(system.result, trials=trials)


def format_of_system(loaded: Loaded, system: System) -> Format:
    """The format of the file that the system was read from."""
    file = next(file for file in loaded.files.responses if file.name == system.stamps[2])
    return format_of(file.path) if file.data is None else format_of_bytes(file.data, file.name)


def paired_document(loaded: Loaded, system: System, name: str) -> tuple[Document, Document]:
    """The key's and the response's document of that name; an empty one if the response lacks it."""
    found = system.corpus.by_name.get(name)
    response = Corpus((found,) if found else (), system.corpus.file)
    pairing = pair_documents(Corpus((loaded.key[name],), loaded.key.file), response)
    return pairing.key[0], pairing.response[0]


@st.cache_resource(max_entries=8, show_spinner="Looking at every mention", hash_funcs=BY_CONTENT)
def mentions(system: System) -> pd.DataFrame:
    """What became of every mention: `corescore.analysis.errors.mention_tables.mention_table`."""
    result = system.result
    return mention_table(result.comparison, singletons=result.policies.singletons)


@st.cache_resource(max_entries=8, show_spinner="Fixing errors", hash_funcs=BY_CONTENT)
def operations(system: System) -> pd.DataFrame:
    """What turns the response into the key: `corescore.analysis.errors.tables.operation_table`."""
    return operation_table(system.result.comparison)


@st.cache_resource(max_entries=8, show_spinner="Fixing errors", hash_funcs=BY_CONTENT)
def impact(system: System) -> pd.DataFrame:
    """What each kind of error costs: `tables.impact_table` for the six."""
    return impact_table(system.result.comparison, six(system.result))


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def incorrectly_resolved(system: System) -> pd.DataFrame:
    """The mentions with wrong partners only: `incorrectly_resolved_table`."""
    return incorrectly_resolved_table(system.result.comparison)


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def removal(system: System) -> pd.DataFrame:
    """Scores without those: `corescore.analysis.errors.reports.removal_table`."""
    return removal_table(system.result)


@st.cache_resource(max_entries=48, show_spinner="Adding up the credit", hash_funcs=BY_CONTENT)
def credit_of_slices(system: System, *, by: str, side: str) -> pd.DataFrame:
    """What the six credit in each slice: `corescore.analysis.errors.summaries.slice_credit`."""
    return slice_credit(system.result.comparison, six(system.result), by=by, side=side)


@st.cache_resource(
    max_entries=32, show_spinner="Finding entities that overlap", hash_funcs=BY_CONTENT
)
def overlaps(system: System, metric: str) -> pd.DataFrame:
    """Entities that overlap, the greatest loss under a metric first: `overlap_table`."""
    return overlap_table(system.result.comparison, metric_of(metric, system.result.metrics))


def six(result: Result) -> list[Metric]:
    """The six metrics as they are in force."""
    return [metric for metric in result.metrics if metric.id in METRIC_IDS]


def problem_lines(error: InputError) -> list[str]:
    """One line for each problem of an error."""
    return str(error).splitlines()


# What the pages see -----------------------------------------------------------------------------


def publish(loaded: Loaded | None) -> None:
    """Make it what the pages of this session show."""
    st.session_state["loaded"] = loaded


def is_loaded() -> bool:
    """Whether this session has anything to show."""
    return st.session_state.get("loaded") is not None


def loaded() -> Loaded:
    """What this session shows; stops the page with advice if there is nothing to show."""
    current: Loaded | None = st.session_state.get("loaded")
    if current is None or not current.systems:
        st.title("Nothing is scored yet", anchor=False)
        st.write(_NEXT_STEP)
        st.stop()
    return current


_NEXT_STEP = (
    "Open a key and at least one response in the side bar (any of CoNLL, JSON Lines and "
    "brace notation, plain or gzipped), or choose the sample data there."
)


# Experiments ------------------------------------------------------------------------------------


@st.cache_resource(
    max_entries=64,
    show_spinner=False,
    hash_funcs={**BY_CONTENT, Experiment: lambda experiment: experiment.id},
)
def outcome(
    experiment: Experiment,
    values: Mapping[str, Value] | None = None,
    *,
    _key: Corpus | None = None,
    system: System | None = None,
) -> Outcome:
    """An experiment run with these values, on a key and a system if it runs on data.

    Raises PolicyError and InputError as the experiment does.
    """
    response = system.corpus if system else None
    return run_experiment(experiment, experiment.setting(values, key=_key, response=response))


@st.cache_resource(show_spinner=False)
def conformance_sheet() -> pd.DataFrame:
    """What each of the six can and cannot tell: `corescore.replication.conformance`."""
    return conformance(METRICS)
