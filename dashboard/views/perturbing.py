"""Perturbed outputs, cached, and sweeps that run beside the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event, Thread
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from corescore import Corpus, Result
from corescore.analysis.perturbation import Dosed, Perturbation, perturb
from corescore.analysis.perturbation.effects import KEPT, mention_changes
from corescore.analysis.perturbation.spec import parse_perturbation
from corescore.analysis.perturbation.sweep import Run, Sweep
from corescore.analysis.perturbation.tables import band_table, run_table
from corescore.metrics import METRIC_IDS
from corescore.scoring.scores import score
from dashboard.session.state import BY_CONTENT, Loaded, System

BETWEEN = ";"
Steps = tuple[Perturbation, ...]


@dataclass(frozen=True)
class Perturbed:
    """A response after some perturbations, and its score.

    changed  how many mentions are removed, new or moved in each document, where any is; the most
             changed first
    """

    corpus: Corpus
    result: Result
    changed: Mapping[str, int] = field(default_factory=dict)


def parse_steps(text: str) -> Steps:
    """Perturbations as the URL holds them: "more-precise; drop:share=0.2". Raises PolicyError."""
    return tuple(parse_perturbation(part.strip()) for part in text.split(BETWEEN) if part.strip())


def write_steps(steps: Sequence[Perturbation]) -> str:
    """The same the other way."""
    return f"{BETWEEN} ".join(step.spec for step in steps)


def with_parameter(step: Perturbation, name: str, value: Any) -> Perturbation:
    """The step with another value, as its widget gives it: a share in percent, nothing for none.

    A share and a number exclude each other. Raises PolicyError for a value out of its range.
    """
    if isinstance(step, Dosed) and name == "share":
        return step.at(value / 100)
    if isinstance(step, Dosed) and name == "number":
        return replace(step, share=type(step).share, number=value)
    return replace(step, **{name: None if value == "" else value})


@st.cache_resource(max_entries=24, show_spinner="Perturbing and scoring", hash_funcs=BY_CONTENT)
def perturbed(
    loaded: Loaded, system: System, steps: str, *, seed: int, left_behind: str
) -> Perturbed:
    """A system's response after the steps, as `write_steps` writes them; as it is without any."""
    if not steps:
        return Perturbed(system.corpus, system.result)
    policies = system.result.policies
    corpus = perturb(
        loaded.key,
        system.corpus,
        parse_steps(steps),
        seed=seed,
        left_behind=left_behind,
        singletons=policies.singletons,
    )
    result = Result.of(score(loaded.key, corpus, policies))
    return Perturbed(corpus, result, _changed(system.corpus, corpus))


def _changed(before: Corpus, after: Corpus) -> dict[str, int]:
    pairs = [(before.by_name.get(d.name) or d.with_entities(()), d) for d in after]
    changed = {
        old.name: int((mention_changes(old, new)["change"] != KEPT).sum())
        for old, new in pairs
        if not np.array_equal(old.rows, new.rows)
    }
    return dict(sorted(changed.items(), key=lambda item: -item[1]))


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
        """Make no further run; those made stay."""
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


def job(
    before: Perturbed,
    step: Dosed,
    *,
    doses: tuple[float, ...],
    seeds: int,
    left_behind: str,
    of: tuple[object, ...],
) -> Job:
    """This session's sweep; another one is stopped and left.

    of  what tells the response `before` from any other
    """
    wanted = (of, step.at(1).spec, doses, seeds, left_behind)
    if st.session_state.get("sweep_of") != wanted:
        if "sweep" in st.session_state:
            st.session_state["sweep"].stop()
        sweep = Sweep(
            result=before.result,
            perturbation=step,
            doses=doses,
            seeds=tuple(range(1, seeds + 1)),
            left_behind=left_behind,
        )
        st.session_state["sweep"], st.session_state["sweep_of"] = Job(sweep), wanted
    found: Job = st.session_state["sweep"]
    return found
