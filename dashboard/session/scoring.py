"""Files are read and scored here, and only here, all of it cached.

Cached values are keyed on what a file holds and on the policies, never on the objects, and are
shared by all sessions: they are never changed.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import TypeVar

import streamlit as st

from corescore import Corpus, InputError, Result, read
from corescore.corpus.documents import Document
from corescore.corpus.files import Format, format_of, format_of_bytes, read_bytes
from corescore.corpus.formats.registry import format_named
from corescore.corpus.names import genres_in, read_genres, with_genres
from corescore.corpus.packed import UPLOADS, ceiling_in_force
from corescore.corpus.problems import Problem
from corescore.counting.pairing import on_key_words
from corescore.counting.policies import Policies
from corescore.counting.sides import with_positions_of
from corescore.scoring.scores import score
from corescore.scoring.tally_files import over_common_documents
from dashboard.session.caching import cached
from dashboard.session.files import File, Files, short_names
from dashboard.session.loaded import Loaded, System
from dashboard.session.state import Slot, State


class _State(State):
    """By file and policies, what is wrong with responses that cannot be scored; the last results of
    all responses, and of what they are."""

    left_out = Slot[Mapping[tuple[tuple[str, ...], Policies], list[str]]]({})
    every_result = Slot[dict[str, Result]]({})
    every_result_of = Slot[object](None)


_state = _State()


def load(files: Files, selected: Sequence[File], policies: Policies) -> Loaded:
    """Read the key, and read and score the selected responses.

    Raises InputError for what cannot be read or scored.
    """
    corpus = read_file(files.key, side="key")
    names = short_names(files.responses)
    results = _results(files.key, selected, policies)
    systems = tuple(
        System(
            letter,
            names[file.name],
            results[file.name],
            _response(files.key, file, policies),
            _stamps(files.key, file, *_beside(file, selected, policies)),
        )
        for letter, file in zip("AB", selected, strict=False)
    )
    return Loaded(files.key.name, corpus, systems, files)


def _results(key: File, selected: Sequence[File], policies: Policies) -> dict[str, Result]:
    """The results by the files' names; over the documents that all have, where those that a
    response lacks are left out."""
    results = {
        file.name: _result(key, file, policies, _beside(file, selected, policies))
        for file in selected
    }
    if policies.missing_documents != "skip":
        return results
    return _over_common(_stamps(key, *selected), policies, results)


@cached(16)
def _over_common(
    stamps: tuple[str, ...], policies: Policies, _results: dict[str, Result]
) -> dict[str, Result]:
    return over_common_documents(_results)


# What is wrong with a file is kept beside what is right, so that it is found once.

Made = TypeVar("Made")


def _unless_wrong(made: Made | InputError) -> Made:
    """What was made. Raises the InputError that was made instead."""
    if isinstance(made, InputError):
        raise InputError.of([made])
    return made


def read_file(file: File, *, side: str) -> Corpus:
    """The documents of a file. Raises InputError."""
    return _unless_wrong(_read(file.name, file.stamp, side, file))


@cached(64)
def _read(name: str, stamp: str, side: str, _file: File) -> Corpus | InputError:
    """Raises InputError, which is not kept, for a file that is no longer what its stamp says."""
    corpus = _with_genres(_file, side) if _file.genres else _read_or_wrong(_file, side)
    _check_unchanged(_file)
    return corpus


# Large files are read one at a time: two at once take the memory of both, and no less time.
_LARGE, _reading_large = 10_000_000, Lock()  # bytes


def _read_or_wrong(file: File, side: str) -> Corpus | InputError:
    try:
        with _reading_large if file.size > _LARGE else nullcontext():
            corpus = corpus_of(file, side=side)
        if side == "response" and not corpus.format:  # of a folder or archive
            _format_of(file.name, file.stamp, file)
    except InputError as error:
        return error
    return corpus


def _with_genres(file: File, side: str) -> Corpus | InputError:
    """The key with the genres of its table; what is wrong with that. Raises InputError as
    `read_file` of the key alone."""
    corpus, table = read_file(file.alone, side=side), file.genres
    try:
        return with_genres(corpus, genres_of(table), table.name) if table else corpus
    except InputError as error:
        return error


def genres_of(table: File) -> dict[str, str]:
    """The genres by document that a table has. Raises InputError."""
    return _unless_wrong(_genres(table.name, table.stamp, table))


@cached(16)
def _genres(name: str, stamp: str, _table: File) -> dict[str, str] | InputError:
    try:
        if _table.data is None:
            return read_genres(_table.path)
        return genres_in(_table.data, name)
    except InputError as error:
        return error


def _check_unchanged(file: File) -> None:
    for part in file.parts:
        if not part.is_unchanged:
            changed = "a file that changed on disk while it was read"
            expected = "a file that stays as it is"
            raise InputError([Problem(part.name, 0, changed, expected, "Reload the page.")])


def corpus_of(file: File, *, side: str) -> Corpus:
    """The same as `read_file`, read again and not kept."""
    if file.data is not None:
        return read_bytes(
            file.data,
            file.name,
            format=file.format or None,
            side=side,
            repair_brackets=file.repair_brackets,
            ceiling=ceiling_in_force(UPLOADS),
        )
    repair = file.repair_brackets
    return read(file.path, format=file.format or None, side=side, repair_brackets=repair)


def _beside(response: File, selected: Sequence[File], policies: Policies) -> tuple[File, ...]:
    """The other responses on which its result depends: those that are shown on one text with it and
    bring words of their own, and all where documents that one of them lacks are left out."""
    others = (file for file in selected if file is not response)
    return tuple(
        file
        for file in others
        if policies.missing_documents == "skip"
        or any(document.empty_nodes for document in read_file(file, side="response"))
    )


def _result(key: File, response: File, policies: Policies, beside: tuple[File, ...] = ()) -> Result:
    stamps = _stamps(key, response, *beside)
    return _unless_wrong(_score(stamps, policies, key, response, beside))


def _response(key: File, response: File, policies: Policies) -> Corpus:
    if policies.words != "align":
        return read_file(response, side="response")
    return _aligned(_stamps(key, response), key, response)


@cached(64, "Aligning the words")
def _aligned(stamps: tuple[str, ...], _key: File, _response: File) -> Corpus:
    return on_key_words(read_file(_key, side="key"), read_file(_response, side="response"))


def _stamps(*files: File) -> tuple[str, ...]:
    return tuple(part for file in files for part in (file.name, file.stamp))


@cached(64)
def _score(
    stamps: tuple[str, ...],
    policies: Policies,
    _key: File,
    _response: File,
    _beside: tuple[File, ...],
) -> Result | InputError:
    try:
        key, response = read_file(_key, side="key"), read_file(_response, side="response")
        others = (read_file(file, side="response") for file in _beside)
        return score(with_positions_of(key, others), response, policies)
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
    results = {}
    for number, response in enumerate(responses):
        if step:
            step(number, names[response.name])
        try:
            results[names[response.name]] = _result(files.key, response, policies)
        except InputError as error:
            place = _stamps(files.key, response), policies
            _state.left_out = {**_state.left_out, place: problem_lines(error)}
    return results


def left_out(files: Files, policies: Policies) -> dict[str, list[str]]:
    """What is wrong, by name, with the responses that are known not to be readable or scorable."""
    places = {file.name: (_stamps(files.key, file), policies) for file in files.responses}
    noted = _state.left_out
    return {name: noted[place] for name, place in places.items() if place in noted}


def is_new_left_out(files: Files, responses: Sequence[File], policies: Policies) -> bool:
    """Whether one of these responses has to be left out from now on: not one that changes while it
    is read, as each run of the page would find it again."""
    known = left_out(files, policies)
    return any(file.name in known and file.is_unchanged for file in responses)


def every_result(loaded: Loaded, *, step: Callable[[int, str], object]) -> dict[str, Result]:
    """The results of all responses, by their short names; `step` as in `check`.

    Kept until other files or policies are shown. Reruns the page if a response is found that has
    to be left out, so that this is said above it.
    """
    policies, key, responses = loaded.policies, loaded.files.key, loaded.files.responses
    made_of = [_stamps(key, response) for response in responses], policies
    if _state.every_result_of != made_of:
        known = left_out(loaded.files, policies)
        waiting = [file for file in responses if file.name not in known]
        results = check(loaded.files, waiting, policies, step=step)
        if policies.missing_documents == "skip" and results:
            results = over_common_documents(results)
        _state.every_result, _state.every_result_of = results, made_of
        if is_new_left_out(loaded.files, waiting, policies):
            st.rerun()
    return _state.every_result


def format_of_system(loaded: Loaded, system: System) -> Format:
    """The format of the file that the system was read from."""
    if system.corpus.format:
        return format_named(system.corpus.format)
    file = next(file for file in loaded.files.responses if file.name == system.stamps[2])
    return _format_of(file.name, file.stamp, file)


@cached(64)
def _format_of(name: str, stamp: str, _file: File) -> Format:
    if _file.format:
        return format_named(_file.format)
    if _file.data is None:
        return format_of(_file.path)
    return format_of_bytes(_file.data, name, ceiling=ceiling_in_force(UPLOADS))


def scored_key(system: System, name: str) -> Document:
    """The key's document of that name, over the positions that the system is scored on."""
    return system.result.comparison.key[system.result.documents.index(name)]


def scored_response(system: System, name: str) -> Document:
    """The response's document of that name, over the same positions."""
    return system.result.comparison.response[system.result.documents.index(name)]


def problem_lines(error: InputError) -> list[str]:
    """One line for each problem of an error."""
    return str(error).splitlines()
