"""Sentences about a perturbation: what was done, and what it did to the scores."""

from collections.abc import Sequence

import pandas as pd

from corescore.analysis.perturbation import Perturbation
from corescore.analysis.perturbation.sweep import Sweep
from corescore.corpus.documents import Corpus
from corescore.metrics import METRIC_IDS, name_of
from corescore.scoring.scores import Scores
from corescore.tolerances import HALF_A_PLACE
from corescore.wording import counted, listed, signed

REPEATED = (
    "A response can only be perturbed where each mention is in one entity. In the side bar, under "
    "“How it is scored”, let the first entity of a mention listed twice count."
)


def signature(before: Scores, steps: Sequence[Perturbation], seed: int, left_behind: str) -> str:
    """The score's signature, then the steps and how they were applied."""
    done = "; ".join(step.spec for step in steps) or "nothing"
    return f"{before.signature} | {done} | seed {seed} | left behind {left_behind}"


def effect(title: str, before: Corpus, after: Corpus, changes: pd.DataFrame) -> str:
    """How a response changed in size, and under which metrics F1 rose and fell.

    title    what the response is called
    changes  of `change_table`
    """
    sizes = [sum(len(document.rows) for document in corpus) for corpus in (before, after)]
    f1 = changes.loc[list(METRIC_IDS), "f1_change"]
    size = (
        f"{title} has {counted(sizes[1], 'mention')} instead of {sizes[0]:,}"
        if sizes[0] != sizes[1]
        else f"{title} still has {counted(sizes[1], 'mention')}"
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


def curves(n_runs: int, sweep: Sweep, *, is_last: bool, is_first: bool) -> str:
    """What the curves show, and over how many seeds, or runs if they were stopped.

    is_last   whether no run will follow
    is_first  whether no step comes before the one that is swept
    """
    after = "" if is_first else " after the steps before it"
    doses = f"The last step in doses from none to all of it{after}"
    if is_last and n_runs < len(sweep):
        stopped = f"stopped after {n_runs} of {len(sweep)} runs"
        return f"{doses}; {stopped}: lines and bands are over those."
    n_seeds = len(sweep.seeds)
    if n_seeds == 1:
        return f"{doses}; one seed."
    return f"{doses}; lines are means over {n_seeds} seeds, bands contain the middle 80 % of them."
