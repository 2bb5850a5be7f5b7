"""The curves of the last step by its dose: a sweep that runs beside the page."""

from dataclasses import dataclass
from threading import Event, Thread

import pandas as pd
import streamlit as st

from corescore.analysis.perturbation import Dosed
from corescore.analysis.perturbation.sweep import Run, Sweep, band_table, run_table
from corescore.metrics import HOW_MANY, METRIC_IDS
from corescore.plots import scores as score_plots
from corescore.sentences import perturbation as sentences
from corescore.wording import RATIOS
from dashboard.views.perturb import cached
from dashboard.views.perturb.shown import Shown
from dashboard.views.perturb.steps import write_steps
from dashboard.widgets.charts import chart
from dashboard.widgets.page import note, signature, subtitle
from dashboard.widgets.selection import select_measure, whole_number
from dashboard.widgets.tables import download

DOSES = tuple(round(0.1 * at, 1) for at in range(11))
SECONDS = 0.4  # between two looks at a sweep at work


class Job:
    """A sweep at work in a thread of its own; `runs` grows until `is_done`."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.runs: list[Run] = []
        self._stopped = Event()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        for run in self.sweep:
            if self._stopped.is_set():
                return
            self.runs.append(run)

    def stop(self) -> None:
        """Make no further run; keep those made."""
        self._stopped.set()

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return len(self.runs) / len(self.sweep)

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
    """The session's sweep of the last step; a sweep of anything else is stopped."""
    before, seed = write_steps(shown.steps[:-1]), shown.seed
    policies = repr(shown.system.result.policies)
    of = (shown.system.stamps, policies, before, seed, step.at(1).spec, n_seeds, shown.left_behind)
    kept: _Kept | None = st.session_state.get("sweep")
    if kept is None or kept.of != of:
        if kept:
            kept.job.stop()
        response = cached.perturbed(
            shown.loaded, shown.system, before, seed=seed, left_behind=shown.left_behind
        )
        sweep = Sweep(
            result=response.result,
            perturbation=step,
            doses=DOSES,
            seeds=tuple(range(1, n_seeds + 1)),
            left_behind=shown.left_behind,
        )
        kept = st.session_state["sweep"] = _Kept(Job(sweep), of)
    return kept.job


def show_curves(shown: Shown, step: Dosed) -> None:
    """How the scores follow the dose of the last step; redrawn while the sweep is at work."""
    subtitle("How much of it?")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = select_measure("Curves of", key="curves_of")
        n_seeds = whole_number("Seeds", 1, 100, 10, key="seeds")
    sweep_job = job(shown, step, n_seeds=n_seeds)
    sweep, is_done, n_runs = sweep_job.sweep, sweep_job.is_done, len(sweep_job.runs)
    is_first = len(shown.steps) == 1
    note(sentences.curves(n_runs, sweep, is_last=is_done, is_first=is_first))
    if is_done:
        draw(sweep_job, measure, shown.system.name)
        download(sweep_job.curves(measure), sweep.signature, "curves", measure, shown.system.name)
    else:
        watch(sweep_job, measure, shown.system.name)
        signature(sweep.signature)


def draw(sweep_job: Job, measure: str, name: str) -> None:
    """The curves as far as they have got."""
    if sweep_job.runs:
        chart(
            score_plots.curves(sweep_job.curves(measure), measure),
            "curves",
            measure,
            name,
            key="curves",
            alt=f"{RATIOS[measure]} of the {HOW_MANY} metrics by dose.",
        )
    if sweep_job.is_done:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        runs = f"{len(sweep_job.runs)} of {len(sweep_job.sweep)} runs"
        st.progress(sweep_job.share, runs)
        st.button("Stop", on_click=sweep_job.stop)


@st.fragment(run_every=SECONDS)
def watch(sweep_job: Job, measure: str, name: str) -> None:
    """The curves while they grow; the page is redrawn when they are done."""
    draw(sweep_job, measure, name)
    if sweep_job.is_done:
        st.rerun()
