"""The user's own files: the boxes that take them, and whether they can be read and scored."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import streamlit as st

from corescore import InputError, PolicyError
from corescore.corpus.files import FORMATS
from corescore.counting.policies import Policies
from dashboard.session import analyses, scoring
from dashboard.session import files as sources
from dashboard.session.files import File, Files
from dashboard.session.life import give_back_memory, hold_files
from dashboard.session.loaded import System
from dashboard.session.streamlit_inside import UploadedFile, bytes_in_box, empty_boxes
from dashboard.session.uploads import show_upload, state
from dashboard.widgets.selection import pick

# Loading, with a bar that says what is read or counted, and how far it is -------------------------

SILENT = 1_000_000  # bytes: files of so many together are loaded at once, without a bar


@dataclass(frozen=True)
class Step:
    """Something to be done: what it is called, how long it takes, and what does it.

    weight  in bytes read
    """

    words: str
    weight: float
    work: Callable[[], object]


def show_loading(files: Files, selected: list[File], policies: Policies) -> None:
    """Read and score large files before they are shown, and find what pages need that takes long.

    What is found is cached. What is wrong with a file is told by `scoring.check`, not here.
    """
    # Drawn whether needed or not: were it gone in the next run, all below would be drawn anew and
    # lose the focus.
    bar = st.empty()
    sizes = {file.name: file.size for file in (files.key, *selected)}
    made_of = files.key.stamp, [file.stamp for file in selected], repr(policies)
    if sum(sizes.values()) < SILENT or state.loading_of == made_of:
        return
    steps = [*_steps(files, selected, policies, sizes)]
    whole, done = sum(step.weight for step in steps), 0.0
    for number, step in enumerate(steps, start=1):
        bar.progress(done / whole, f"{step.words} (step {number} of {len(steps)})")
        try:
            step.work()
        except (InputError, PolicyError):
            break
        done += step.weight
        give_back_memory()
    bar.empty()
    state.loading_of = made_of


def _steps(
    files: Files, selected: list[File], policies: Policies, sizes: dict[str, int]
) -> Iterator[Step]:
    for side, file in (("key", files.key), *(("response", file) for file in selected)):
        megabytes = f"{sizes[file.name] / 1e6:.1f} MB"
        work = partial(scoring.read_file, file, side=side)
        yield Step(f"Reading {file.name}, {megabytes}", sizes[file.name], work)
    for file in selected:
        score = partial(scoring.load, files, [file], policies)
        yield Step(f"Scoring {file.name}", sizes[file.name] / 2, score)
    for place, file in enumerate(selected):
        for words, prepare in _PREPARED.items():

            def task(place: int = place, prepare: Callable[[System], object] = prepare) -> None:
                prepare(scoring.load(files, selected, policies).systems[place])

            yield Step(f"{words} of {file.name}", sizes[file.name] / 3, task)


_PREPARED: dict[str, Callable[[System], object]] = {
    "Looking at every mention": analyses.mentions,
    "Finding the errors": analyses.operations,
    "Fixing the errors": analyses.impact,
}

_FORMATS = (
    f"{', '.join(known.title for known in FORMATS)}; plain, gzipped, or several files as a zip "
    "archive. The format is detected from the content."
)

REPAIR = "repair"

DETECTED = "automatic"  # no format is named

_ABOUT_GENRES = (
    "If the files give no genres: a table of two columns, document name and genre, separated by "
    "tabs or commas. It applies to whatever is shown."
)


@dataclass(frozen=True)
class Uploads:
    """What is in the boxes: the key and a table of genres, if they are there, and the responses."""

    key: File | None
    responses: list[File]
    genres: File | None


_FORMAT_OF = {"key": "key_format", "response": "response_format"}  # the setting of each side


def uploaders() -> Uploads:
    """Draw the boxes for the files."""
    key = st.file_uploader("Key", key="key_file", help=_FORMATS)
    responses = st.file_uploader(
        "Responses",
        key="response_files",
        accept_multiple_files=True,
        help=f"One or more responses to that key. {_FORMATS}",
    )
    genres = st.file_uploader("Genres", key="genre_file", help=_ABOUT_GENRES)
    formats = [DETECTED, *(known.id for known in FORMATS)]
    for name in _FORMAT_OF.values():
        pick(name, formats)
    pick("brackets")
    if (key is None) != (not responses):
        st.caption(f"Now add {'a key' if key is None else 'a response'}.")
    every = [upload for upload in (key, genres, *responses) if upload]
    files = dict(zip((upload.file_id for upload in every), _files(every), strict=True))
    return Uploads(
        files[key.file_id] if key else None,
        sources.named_apart(files[upload.file_id] for upload in responses),
        files[genres.file_id] if genres else None,
    )


def _files(uploads: list[UploadedFile]) -> list[File]:
    """What is in the boxes; each is looked at once, as a large file takes a while, and then kept
    here alone."""
    opened = {
        upload.file_id: state.opened.get(upload.file_id)
        or sources.file_of(upload.name, bytes_in_box(upload))
        for upload in uploads
    }
    state.opened = opened
    hold_files(opened.values())
    empty_boxes(uploads)
    return [*opened.values()]


def as_read(files: Files) -> Files:
    """Files as they are read: in the formats that are selected, and without brackets that have no
    partner, if that is."""
    responses = tuple(_as_read(file, "response") for file in files.responses)
    return Files(_as_read(files.key, "key"), responses)


def _as_read(file: File, side: str) -> File:
    if state.brackets == REPAIR:
        file = file.repaired()
    named = st.session_state.get(_FORMAT_OF[side], DETECTED)
    return file if named == DETECTED else file.in_format(named)


def receive_genres(uploads: Uploads) -> tuple[File | None, list[str]]:
    """The table of genres that counts: the uploaded one or, while that is wrong, the one before;
    and what is wrong with it."""
    try:
        if uploads.genres:
            scoring.genres_of(uploads.genres)
    except InputError as error:
        return state.genres, scoring.problem_lines(error)
    state.genres = uploads.genres
    return state.genres, []


def receive(uploads: Uploads, genres: File | None, policies: Policies) -> list[str]:
    """Take over the uploaded files once some can be read and scored; else say why not.

    genres  the table that counts for the key
    """
    key, responses = uploads.key, uploads.responses
    if key is None or not responses:
        sides = [(key, "key")] if key else [(file, "response") for file in responses]
        return [line for file, side in sides for line in _read_problems(_as_read(file, side), side)]
    files = Files(key.with_genres(genres), tuple(responses))
    if files == state.received:
        return []
    problems = _problems(as_read(files), policies)
    if not problems:
        show_upload(files)
    return problems


def _problems(files: Files, policies: Policies) -> list[str]:
    responses = [*files.responses]
    show_loading(files, responses[:2], policies)
    try:
        results = scoring.check(files, responses, policies)
    except InputError as error:
        return scoring.problem_lines(error)
    left_out = {} if results else scoring.left_out(files, policies)
    return [line for lines in left_out.values() for line in lines]


def _read_problems(file: File, side: str) -> list[str]:
    try:
        scoring.read_file(file, side=side)
    except InputError as error:
        return scoring.problem_lines(error)
    return []
