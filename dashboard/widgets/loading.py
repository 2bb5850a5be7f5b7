"""Loading, with a bar that says what is read or counted, and how far it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import streamlit as st

from corescore import InputError, PolicyError
from corescore.counting.policies import Policies
from dashboard.session import analyses, scoring
from dashboard.session.loaded import System
from dashboard.session.memory import give_back_memory
from dashboard.session.sources import File, Files

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
    of = files.key.stamp, [file.stamp for file in selected], repr(policies)
    if sum(sizes.values()) < SILENT or st.session_state.get("loading_of") == of:
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
    st.session_state["loading_of"] = of


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
    for at, file in enumerate(selected):
        for words, prepare in _PREPARED.items():
            task = partial(_prepare, files, selected, policies, at, prepare)
            yield Step(f"{words} of {file.name}", sizes[file.name] / 3, task)


def _prepare(
    files: Files,
    selected: list[File],
    policies: Policies,
    at: int,
    prepare: Callable[[System], object],
) -> None:
    prepare(scoring.load(files, selected, policies).systems[at])


_PREPARED: dict[str, Callable[[System], object]] = {
    "Looking at every mention": analyses.mentions,
    "Finding the errors": analyses.operations,
    "Fixing the errors": analyses.impact,
}
