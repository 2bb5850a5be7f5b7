"""Sentences about a perturbation: what was done, and what it did to the scores."""

from collections.abc import Sequence

import pandas as pd

from corescore.analysis.perturbation.base import Perturbation
from corescore.analysis.perturbation.sweep import Sweep
from corescore.corpus.documents import Corpus
from corescore.metrics import METRIC_IDS, name_of
from corescore.scoring.scores import Result
from corescore.util import HALF_A_PLACE
from corescore.wording import counted, listed, signed

REPEATED = (
    "Perturbing requires each mention to be in one entity. In the sidebar, under "
    "“How it is scored”, choose to count the first entity of a mention that is listed twice."
)


def signature(before: Result, steps: Sequence[Perturbation], seed: int, left_behind: str) -> str:
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
    has, instead = (
        ("has", f" instead of {sizes[0]:,}") if sizes[0] != sizes[1] else ("still has", "")
    )
    size = f"{title} {has} {counted(sizes[1], 'mention')}{instead}"
    if (f1.abs() < HALF_A_PLACE).all():
        return f"{size}; no F1 changes."
    return f"{size}. F1 {_moves(f1)}."


LEFT_ALONE = (
    "A singleton in the key that loses its wrong partners is alone in both: LEA credits its "
    "link to itself, and its recall can rise."
)


def _moves(f1: "pd.Series[float]") -> str:
    ways = {
        "rises": f1[f1 >= HALF_A_PLACE].sort_values(ascending=False),
        "falls": f1[f1 <= -HALF_A_PLACE].sort_values(),
    }
    by_verb = {
        verb: listed(f"{name_of(str(metric))} ({signed(by)})" for metric, by in moved.items())
        for verb, moved in ways.items()
        if len(moved)
    }
    return " and ".join(f"{verb} under {metrics}" for verb, metrics in by_verb.items())


def failed(done: str, why: str) -> str:
    """A sweep that ended early because something went wrong.

    done  how far it got, such as "2 of 10 runs"
    """
    return f"The sweep failed after {done} ({why}). Lines and bands are over the completed runs."


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
    return f"{doses}; lines are means over {n_seeds} seeds, bands contain the middle 80% of them."
