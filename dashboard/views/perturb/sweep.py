"""The curves of the last step by its dose: a sweep that runs beside the page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.perturbation import Dosed
from corescore.analysis.perturbation.sweep import Run, Sweep, band_table, run_table
from corescore.metrics import HOW_MANY, METRIC_IDS
from corescore.plots.experiments import curves
from corescore.rendering import drawn
from corescore.sentences import perturbation as sentences
from corescore.wording import RATIOS
from dashboard.session.background import say_failure, why
from dashboard.session.connected import is_connected, this_session
from dashboard.views.perturb import cached
from dashboard.views.perturb.shown import Shown
from dashboard.views.perturb.steps import write_steps
from dashboard.widgets.charts import AS_TABLE, as_table, chart, kept
from dashboard.widgets.link_values import whole_number
from dashboard.widgets.page import caution, note, signature_to_copy, subtitle
from dashboard.widgets.selection import select_measure
from dashboard.widgets.tables import download

DOSES = tuple(round(0.1 * at, 1) for at in range(11))
SECONDS = 0.4  # between two looks at a sweep at work
MOST_KEPT = 16  # sweeps
# Before the curves are drawn again, of the runs that must be made, and seconds that must pass:
# drawing takes as long as several runs.
MORE, PAUSE = 0.25, 2.0


Runs = Sequence[Run]
_curves = kept(curves)


class Complete:
    """The runs of the sweeps that were completed last, in any session: another that asks for the
    same has its curves at once.

    most  how many sweeps are kept
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most, self._lock = most, Lock()
        self._runs: dict[tuple[object, ...], Runs] = {}

    def get(self, of: tuple[object, ...]) -> Runs:
        """The runs of a sweep, or none; `of` is what tells it from any other."""
        return self._runs.get(of, ())

    def keep(self, of: tuple[object, ...], runs: Runs) -> None:
        """Keep the runs of a sweep; those of the oldest one go."""
        with self._lock:
            self._runs[of] = runs
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
        return f"{len(self.runs)} of {len(self.sweep)} runs"

    def curves(self, measure: str) -> pd.DataFrame:
        """Of the runs so far a row for each dose and metric: mean, low and high over the seeds."""
        table = band_table(run_table(self.runs[:], METRIC_IDS))
        return table[table["measure"] == measure]


@dataclass(frozen=True)
class _Kept:
    """The session's sweep, and what tells it from any other."""

    job: Job
    of: tuple[object, ...]


def job(shown: Shown, step: Dosed, *, n_seeds: int) -> Job:
    """The session's sweep of the last step; a sweep of anything else is stopped, and so is one
    whose browser is gone. It is begun again if that comes back."""
    before, seed = write_steps(shown.steps[:-1]), shown.seed
    policies = repr(shown.system.result.policies)
    of = (shown.system.stamps, policies, before, seed, step.at(1).spec, n_seeds, shown.left_behind)
    kept: _Kept | None = st.session_state.get("sweep")
    if kept is None or kept.of != of or kept.job.is_left:
        if kept:
            kept.job.stop()
        sweep = _sweep(shown, step, before, n_seeds)
        is_wanted = partial(is_connected, this_session())
        keep = partial(_complete.keep, of)
        made = Job(sweep, _complete.get(of), on_done=keep, is_wanted=is_wanted)
        kept = st.session_state["sweep"] = _Kept(made, of)
    return kept.job


def _forget() -> None:
    st.session_state.pop("sweep", None)


def _sweep(shown: Shown, step: Dosed, before: str, n_seeds: int) -> Sweep:
    """The sweep of a step after the steps `before` it."""
    response = cached.perturbed(
        shown.loaded, shown.system, before, seed=shown.seed, left_behind=shown.left_behind
    )
    return Sweep(
        result=response.result,
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
        share, at = self._draw(0), monotonic()
        if not self.job.is_done:
            progress = self._at_work()
            while not self.job.is_done:
                progress.progress(self.job.share, self.job.said)
                self.job.wait(SECONDS)
                if self.job.share >= share + MORE and monotonic() >= at + PAUSE:
                    share, at = self._draw(share), monotonic()
        self._draw(share)
        self.at_work.empty()
        if self.job.failure:
            with self.at_work.container():
                caution(sentences.failed(self.job.said, self.job.failure))
                st.button("Try again", on_click=_forget)
        if self.job.runs:
            with self.below.container():
                table = self.job.curves(self.measure)
                as_table(partial(drawn.curves, table), key="curves", alt=self._alt)
                name = "curves", self.measure, self.name
                download(table, self.job.sweep.signature, *name, signed=False)

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


def show_curves(shown: Shown, step: Dosed) -> Curves:
    """How the scores follow the dose of the last step; they are drawn when they are watched."""
    subtitle("How much of it?")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = select_measure("Curves of", key="curves_of")
        n_seeds = whole_number("Seeds", 1, 100, 10, key="seeds")
    sweep_job = job(shown, step, n_seeds=n_seeds)
    is_done, n_runs = sweep_job.is_done, len(sweep_job.runs)
    is_first = len(shown.steps) == 1
    is_last = is_done and not sweep_job.failure
    note(sentences.curves(n_runs, sweep_job.sweep, is_last=is_last, is_first=is_first))
    drawn = st.container(key="curves").empty()
    # Theirs, not that of the page, which names all steps and the one seed: these vary the dose and
    # the seed of the last step.
    signature_to_copy(sweep_job.sweep.signature, key="curves", of="The curves:")
    return Curves(sweep_job, measure, shown.system.name, drawn, st.empty(), st.empty())
