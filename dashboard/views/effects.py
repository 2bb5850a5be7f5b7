"""What a perturbation did, in sentences and HTML."""

from collections.abc import Sequence

import pandas as pd
from markupsafe import Markup

from corescore.analysis.perturbation import Perturbation
from corescore.analysis.perturbation.effects import FALL, RISE, SAME
from corescore.corpus.documents import Corpus
from corescore.metrics import METRIC_IDS, name_of
from corescore.rendering.claims import MARKS, Mark
from corescore.rendering.html import note
from corescore.rendering.templates import render
from corescore.scoring.scores import Scores
from corescore.tolerances import HALF_A_PLACE
from corescore.wording import counted, listed, signed
from dashboard.session.state import System
from dashboard.views.perturbing import Job


def signature(before: Scores, steps: Sequence[Perturbation], seed: int, left_behind: str) -> str:
    """The score's signature, then the steps and how they were applied."""
    done = "; ".join(step.spec for step in steps) or "nothing"
    return f"{before.signature} | {done} | seed {seed} | left behind {left_behind}"


def headline(
    system: System, after: Corpus, steps: Sequence[Perturbation], changes: pd.DataFrame
) -> str:
    """How the response changed in size, and which F1 rose and fell most."""
    if not steps:
        return f"Nothing is done to {system.title} yet: add a step."
    sizes = [sum(len(document.rows) for document in c) for c in (system.corpus, after)]
    f1 = changes.loc[list(METRIC_IDS), "f1_change"]
    size = (
        f"{system.title} has {counted(sizes[1], 'mention')} instead of {sizes[0]:,}"
        if sizes[0] != sizes[1]
        else f"{system.title} still has {counted(sizes[1], 'mention')}"
    )
    if (f1.abs() < HALF_A_PLACE).all():
        return f"{size}; no F1 changes."
    return f"{size}. F1 {_moves(f1)}."


def _moves(f1: "pd.Series[float]") -> str:
    rises = [m for m in f1.sort_values(ascending=False).index if f1[m] >= HALF_A_PLACE]
    falls = [m for m in f1.sort_values().index if f1[m] <= -HALF_A_PLACE]
    parts = []
    if rises:
        parts.append(f"rises under {_listed(f1, rises)}")
    if falls:
        parts.append(f"falls under {_listed(f1, falls)}")
    return " and ".join(parts)


def _listed(f1: "pd.Series[float]", metrics: Sequence[str]) -> str:
    return listed(f"{name_of(metric)} ({signed(f1[metric])})" for metric in metrics)


def expectations(table: pd.DataFrame, *, changed: bool) -> Markup:
    """What recall and precision should do, and under which metrics they do it."""
    if table.empty:
        cannot = "What these steps should do to recall and precision cannot be predicted."
        return note(cannot if changed else "These steps find nothing to change here.")
    expected = [
        (_SHOULD[rows["expected"].iloc[0]].format(str(measure).capitalize()), _outcomes(rows))
        for measure, rows in table.groupby("measure", sort=False)
    ]
    return render("claims", "expectations", expected=expected)


_SHOULD = {
    SAME: "{} should not change: no correct link comes or goes.",
    RISE: "{} should rise: the response got better.",
    FALL: "{} should fall: the response got worse.",
}


def _outcomes(rows: pd.DataFrame) -> list[tuple[Mark, str, list[tuple[str, float]]]]:
    """(mark, words, changes by metric) of the metrics that do as expected, then of the others."""
    outcomes = []
    for kept, words in ((True, "met by"), (False, "not met by")):
        of = rows[rows["kept"] == kept]
        if not of.empty:
            changes = list(zip(of["metric"], of["change"], strict=True))
            outcomes.append((MARKS[kept], words, changes))
    return outcomes


def curves(steps: Sequence[Perturbation], job: Job) -> str:
    """What the curves show, and over how many seeds, or runs if they were stopped."""
    after = " after the steps before it" if len(steps) > 1 else ""
    n_seeds = len(job.sweep.seeds)
    if job.is_done and job.share < 1:
        return (
            f"The last step in doses from none to all of it{after}; stopped after "
            f"{len(job.runs)} of {len(job.sweep)} runs: lines and bands are over those."
        )
    band = (
        f"lines are means over {n_seeds} seeds, bands hold the middle 80 % of them"
        if n_seeds > 1
        else "one seed"
    )
    return f"The last step in doses from none to all of it{after}; {band}."
