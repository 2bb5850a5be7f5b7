"""Perturb: what does this damage (or repair) do to each metric?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic
from typing import TypeVar

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.errors.classes import Incorrect
from corescore.analysis.perturbation import LEFT_BEHIND
from corescore.analysis.perturbation.base import Perturbation
from corescore.analysis.perturbation.sweep import (
    NOT_FALL,
    Sweep,
    SweepRun,
    band_table,
    expectation,
    expectation_table,
    run_table,
)
from corescore.corpus.files import WRITTEN, Format
from corescore.corpus.problems import InputError
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS
from corescore.plots import scores as score_plots
from corescore.plots.experiments import curves
from corescore.rendering import drawn, papers
from corescore.rendering import html as markup
from corescore.rendering.tables import file_name
from corescore.scoring.tables import change_table, opposite_changes
from corescore.sentences import errors as of_errors
from corescore.sentences import perturbation as sentences
from corescore.sentences.names import CHOICES
from corescore.wording import RATIOS, counted, incorrectly_resolved
from dashboard.components import mentions
from dashboard.components.passage import passage, show_passage
from dashboard.session import analyses, scoring
from dashboard.session.background import say_failure, why
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.state import Slot, State
from dashboard.session.streamlit_inside import is_connected, this_session
from dashboard.views import perturb_steps
from dashboard.views.perturb_steps import (
    FIRST,
    FIRST_SEED,
    Applied,
    Perturbed,
    Steps,
    add_step,
    show_steps,
    write_steps,
)
from dashboard.widgets import selection
from dashboard.widgets.charts import AS_TABLE, as_table, chart, is_wanted, kept
from dashboard.widgets.page import (
    caution,
    headline,
    note,
    offer,
    question,
    side_by_side,
    signature_to_copy,
    subtitle,
)
from dashboard.widgets.tables import download

# What the page shows ------------------------------------------------------------------------------

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Shown:
    """A system's response before and after some steps."""

    loaded: Loaded
    system: System
    steps: Steps
    seed: int
    left_behind: str

    @property
    def perturbed(self) -> Perturbed:
        """The response after the steps."""
        return self._cached(perturb_steps.perturbed)

    @property
    def other_reading(self) -> "Shown | None":
        """The same with the other reading of incorrectly resolved mentions, if there is one."""
        steps = perturb_steps.in_other_reading(self.system, self.steps)
        return replace(self, steps=steps) if steps else None

    @property
    def incorrect(self) -> Incorrect | None:
        """The reading of the first step that uses one."""
        return next((step.incorrect for step in self.steps if step.uses_incorrect), None)

    def written(self, known: Format) -> str | InputError:
        """The response after the steps in a format, or what of it the format cannot hold."""
        return self._cached(perturb_steps.written, known)

    def drawn(self, document: str) -> tuple[mentions.Drawn, ...]:
        """The mentions of a document before and after the steps, as the page draws them."""
        return self._cached(perturb_steps.drawn, document)

    def _cached(self, compute: Callable[..., _Found], *arguments: object) -> _Found:
        applied = Applied(write_steps(self.steps), self.seed, self.left_behind)
        return compute(self.loaded, self.system, applied, *arguments)

    @property
    def signature(self) -> str:
        """The score's signature, then the steps and how they were applied."""
        return sentences.signature(self.system.result, self.steps, self.seed, self.left_behind)


# The curves of the last step by its dose: a sweep that runs beside the page -----------------------

DOSES = tuple(round(0.1 * at, 1) for at in range(11))

SECONDS = 0.4  # between two looks at a sweep at work

MOST_KEPT = 16  # sweeps

# Before the curves are drawn again, of the runs that must be made, and seconds that must pass:
# drawing takes as long as several runs.
MORE, PAUSE = 0.25, 2.0

Runs = Sequence[SweepRun]

_curves = kept(curves)


class Complete:
    """The runs of the sweeps that were completed last, in any session: another that asks for the
    same has its curves at once.

    most  how many sweeps are kept
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most, self._lock = most, Lock()
        self._runs: dict[tuple[object, ...], Runs] = {}

    def get(self, made_of: tuple[object, ...]) -> Runs:
        """The runs of a sweep, or none; `made_of` is what tells it from any other."""
        return self._runs.get(made_of, ())

    def keep(self, made_of: tuple[object, ...], runs: Runs) -> None:
        """Keep the runs of a sweep; those of the oldest one go."""
        with self._lock:
            self._runs[made_of] = runs
            while len(self._runs) > self._most:
                del self._runs[next(iter(self._runs))]


_complete = Complete()


class Job:
    """A sweep at work in a thread of its own; `runs` grows until `is_done`.

    runs       all of its runs, where they are known; else they are made
    on_done    called with all of them, unless it is stopped before
    failure    why it failed, in words; "" unless it did
    is_wanted  asked before each run: once it is not, no further one is made, and `is_left` holds
    """

    def __init__(
        self,
        sweep: Sweep,
        runs: Runs = (),
        *,
        on_done: Callable[[Runs], None] = lambda _: None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self.sweep = sweep
        self.runs = [*runs]
        self.is_left = False
        self.failure = ""
        self._on_done, self._is_wanted = on_done, is_wanted
        self._stopped = Event()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        if self.runs:
            return
        try:
            for run in self.sweep:
                self.is_left = not self._is_wanted()
                if self._stopped.is_set() or self.is_left:
                    return
                self.runs.append(run)
        except Exception as error:
            self.failure = why(error)
            say_failure("A sweep", error)
        else:
            self._on_done(tuple(self.runs))

    def stop(self) -> None:
        """Make no further run; keep those made."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Wait until it is done, but no longer than this."""
        self._thread.join(seconds)

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return len(self.runs) / len(self.sweep)

    @property
    def said(self) -> str:
        return f"{len(self.runs)} of {counted(len(self.sweep), 'run')}"

    def curves(self, measure: str) -> pd.DataFrame:
        """Of the runs so far one row per dose and metric: mean, low and high over the seeds."""
        table = band_table(run_table(self.runs[:], METRIC_IDS))
        return table[table["measure"] == measure]


@dataclass(frozen=True)
class _Kept:
    """The session's sweep, and what tells it from any other."""

    job: Job
    made_of: tuple[object, ...]


class _State(State):
    """What Perturb keeps."""

    sweep = Slot[_Kept | None](None)


_state = _State()


def forget_sweep() -> None:
    """Have the sweep begin again."""
    _state.sweep = None


def job(shown: Shown, step: Perturbation, *, n_seeds: int) -> Job:
    """The session's sweep of the last step; a sweep of anything else is stopped, and so is one
    whose browser is gone. It is begun again if that comes back."""
    before, seed = write_steps(shown.steps[:-1]), shown.seed
    policies = repr(shown.system.result.policies)
    how = before, seed, step.at(1).spec, n_seeds, shown.left_behind
    made_of = shown.system.stamps, policies, *how
    kept = _state.sweep
    if kept is None or kept.made_of != made_of or kept.job.is_left:
        if kept:
            kept.job.stop()
        sweep = _sweep(shown, step, before, n_seeds)
        is_wanted = partial(is_connected, this_session())
        keep = partial(_complete.keep, made_of)
        made = Job(sweep, _complete.get(made_of), on_done=keep, is_wanted=is_wanted)
        kept = _state.sweep = _Kept(made, made_of)
    return kept.job


def _sweep(shown: Shown, step: Perturbation, before: str, n_seeds: int) -> Sweep:
    """The sweep of a step after the steps `before` it."""
    applied = Applied(before, shown.seed, shown.left_behind)
    return Sweep(
        result=perturb_steps.perturbed(shown.loaded, shown.system, applied).result,
        perturbation=step,
        doses=DOSES,
        seeds=tuple(range(1, n_seeds + 1)),
        left_behind=shown.left_behind,
    )


@dataclass(frozen=True)
class Curves:
    """The curves of a sweep and the places where they are drawn anew while it is at work.

    Nothing here makes the browser ask for another run of the page: such a request would carry the
    address of this page, and overtake a click that has just left for another.
    """

    job: Job
    measure: str
    name: str
    drawn: DeltaGenerator
    at_work: DeltaGenerator
    below: DeltaGenerator

    def watch(self) -> None:
        """Draw them until the sweep is done. A click ends this: call it when all else is drawn."""
        share, drawn_at = self._draw(0), monotonic()
        if not self.job.is_done:
            progress = self._at_work()
            while not self.job.is_done:
                progress.progress(self.job.share, self.job.said)
                self.job.wait(SECONDS)
                if self.job.share >= share + MORE and monotonic() >= drawn_at + PAUSE:
                    share, drawn_at = self._draw(share), monotonic()
        self._draw(share)
        self.at_work.empty()
        if self.job.failure:
            with self.at_work.container():
                caution(sentences.failed(self.job.said, self.job.failure))
                st.button("Try again", on_click=forget_sweep)
        if self.job.runs:
            with self.below.container():
                table = self.job.curves(self.measure)
                as_table(partial(drawn.curves, table), key="curves", alt=self._alt)
                download(table, self.job.sweep.signature, "curves", self.measure, self.name)

    @property
    def _alt(self) -> str:
        return f"{RATIOS[self.measure]} of the {HOW_MANY} metrics by dose."

    def _draw(self, drawn: float) -> float:
        """The curves as far as they have got: the share of the runs, of which `drawn` is drawn."""
        share = self.job.share
        if share > drawn:
            with self.drawn:
                chart(
                    _curves(self.job.curves(self.measure), self.measure),
                    "curves",
                    self.measure,
                    self.name,
                    key=f"curves {share}",
                    alt=self._alt,
                    rows=AS_TABLE,  # when the sweep is done
                )
        return share

    def _at_work(self) -> DeltaGenerator:
        """A button that stops the sweep, and the place of the bar before it."""
        with self.at_work.container(horizontal=True, vertical_alignment="center"):
            progress = st.empty()
            st.button("Stop", on_click=self.job.stop)
        return progress


def show_curves(shown: Shown, step: Perturbation) -> Curves:
    """How the scores follow the dose of the last step; they are drawn when they are watched."""
    subtitle("How much of it?")
    with side_by_side():
        measure = selection.select_measure("curves_of")
        n_seeds = selection.whole_number("seeds", 10)
    sweep_job = job(shown, step, n_seeds=n_seeds)
    is_done, n_runs = sweep_job.is_done, len(sweep_job.runs)
    is_first = len(shown.steps) == 1
    is_last = is_done and not sweep_job.failure
    note(sentences.curves(n_runs, sweep_job.sweep, is_last=is_last, is_first=is_first))
    drawn = st.container(key="curves").empty()
    # Theirs, not that of the page, which names all steps and the one seed: these vary the dose and
    # the seed of the last step.
    signature_to_copy(sweep_job.sweep.signature, key="curves", about="The curves:")
    return Curves(sweep_job, measure, shown.system.name, drawn, st.empty(), st.empty())


WINDOW = 200  # words

_before_and_after = kept(score_plots.before_and_after)

IN_NUMBERS = "Before and after, in numbers"


def page() -> None:
    """Perturb a response step by step."""
    loaded = loaded_systems()
    place = question("What does this damage (or repair) do to each metric?")
    if loaded.policies.keeps_repeats:
        with place:
            headline(sentences.REPEATED)
        return
    left, right = st.container(key="perturbed").columns([1, 1.8], gap="medium")
    with left:
        shown, file = select(loaded)
    before, after = shown.system.result, shown.perturbed.result
    changes = change_table(before, after)
    expected = expectation_table(before, after, expectation(shown.steps))
    with place:
        title, perturbed = shown.system.title, shown.perturbed
        headline(
            sentences.effect(title, perturbed.before, perturbed.corpus, changes)
            if shown.steps
            else f"Nothing is done to {title} yet: add a step."
        )
    other = shown.other_reading
    others = None if other is None else change_table(before, other.perturbed.result)
    with right:
        show_change(shown, changes, expected, others)
    # The same in numbers; those of the other reading if a change has the opposite sign there.
    subtitle(IN_NUMBERS)
    every = [*METRIC_IDS, "blanc.coreference", "blanc.non_coreference", CONLL.id]
    caption = "Before and after"
    st.html(
        markup.change_rows(changes.loc[every], after="after", caption=caption, expected=expected)
    )
    if others is not None and opposite_changes(changes, others):
        caption = f"{caption}, with {_other_is(shown)}"
        note(f"{caption}:")
        st.html(markup.change_rows(others.loc[every], after="after", caption=caption))
    name = shown.system.name
    download(changes.reset_index(), shown.signature, "before-and-after", name, signed=True)
    place_of_curves = st.container()
    show_text(shown)
    with file:
        show_download(shown)
    last = shown.steps[-1] if shown.steps else None
    if last and last.kind.is_dosed:  # when all else has been sent: the sweep takes its time from it
        with place_of_curves:
            curves = show_curves(shown, last)
        curves.watch()


def select(loaded: Loaded) -> tuple[Shown, DeltaGenerator]:
    """The system, the steps and how they are applied; the place for the file."""
    letter = selection.select_letter("Perturb", loaded)
    steps_place = st.container(gap="xsmall")
    add_step()
    file = st.expander("Seed, steps as text, download")
    with file:
        with side_by_side():
            seed = selection.whole_number("seed", FIRST_SEED)
            left_behind = selection.pick("left_behind", LEFT_BEHIND, called=CHOICES.__getitem__)
        selection.typed("do", FIRST)  # the steps as text
    with steps_place:
        steps = show_steps()
    return Shown(loaded, loaded.system(letter), steps, seed, left_behind), file


def show_download(shown: Shown) -> None:
    """The perturbed response as a file, by default in the format that it was read from."""
    format_read = scoring.format_of_system(shown.loaded, shown.system)
    with side_by_side():
        selected = st.selectbox(
            "Written as",
            sorted(WRITTEN, key=lambda known: known is not format_read),
            format_func=lambda known: known.title,
            key=f"written_as {shown.system.name}",
            filter_mode=None,
            width=150,
        )
        if not is_wanted(shown.loaded, "Write the perturbed response", key="perturbed"):
            return
        text = shown.written(selected)
        if isinstance(text, InputError):
            note(f"It cannot be written as {selected.title}: {text}")
            return
        ending = selected.suffixes[0].removeprefix(".")
        name = f"{file_name(shown.system.name, 'perturbed')}.{ending}"
        offer("Download the perturbed response", lambda: text, name)
    for warning in selected.left_out(shown.perturbed.corpus):
        note(warning)


def show_change(
    shown: Shown, changes: pd.DataFrame, expected: pd.DataFrame, others: pd.DataFrame | None
) -> None:
    """The scores before and after, and which metrics do what they should.

    others  the changes under the other reading of incorrectly resolved mentions, if there is one
    """
    chart(
        _before_and_after(changes, others, _other_is(shown)),
        "before-and-after",
        shown.system.name,
        key="before_after",
        alt=f"Recall, precision and F1 of the {HOW_MANY} metrics before and after.",
        rows=IN_NUMBERS,
    )
    st.html(papers.expectations(expected, changed=bool(shown.perturbed.changed)))
    # How many mentions are incorrectly resolved, and what the other reading changes.
    if shown.incorrect is None:
        return
    number = incorrectly_resolved(*analyses.n_incorrectly_resolved(shown.system))
    note(f"Before any step, {shown.system.title} has {number}.")
    if others is not None and (other := of_errors.other_reading(shown.incorrect, changes, others)):
        note(other)
    if others is not None and expectation(shown.steps).recall == NOT_FALL:
        note(sentences.LEFT_ALONE)


def _other_is(shown: Shown) -> str:
    """Which incorrectly resolved mentions the other reading has."""
    return of_errors.READINGS["linked" if shown.incorrect == "all" else "all"]


def show_text(shown: Shown) -> None:
    """A document before and after on the same words, the most changed first."""
    subtitle("What changed in the text")
    changed = shown.perturbed.changed
    if not changed:
        note("No document changed.")
        return
    name = st.selectbox(
        "Document, the most changed first",
        list(changed),
        key="changed_document",
        filter_mode=None,
        width=360,
    )
    note(f"{counted(changed[name], 'mention')} changed.")
    before, after = shown.perturbed.before[name], shown.perturbed.corpus[name]
    document_number = [*shown.system.corpus.by_name].index(name)  # keys must not be made of names
    words = before if before.words else after
    every = shown.drawn(name)
    pieces = markup.windows(words, WINDOW)
    above = st.container()
    first_change = next((d.start for d in every if d.is_error), 0)
    number = mentions.window_of(pieces, first_change)
    if len(pieces) > 1:
        number = st.pagination(len(pieces), default=number, key=f"changed_part_{document_number}")
    with above:
        show_passage(
            passage(words, every, every, pieces[number - 1], sides=mentions.BEFORE_AND_AFTER),
            key=f"changes_{document_number}_{number}",
        )
