"""What a perturbation did, in sentences and escaped HTML. No Streamlit here."""

from collections.abc import Sequence
from html import escape

import pandas as pd
from markupsafe import Markup

from corescore.analysis.perturbation import Perturbation
from corescore.analysis.perturbation.effects import FALL, RISE, SAME
from corescore.corpus.documents import Corpus
from corescore.scoring.scores import Scores
from corescore.sentences.markup import title
from corescore.sentences.names import SIX, TITLES
from corescore.tolerances import HALF_A_PLACE
from corescore.wording import counted, listed, signed
from dashboard.session.state import System
from dashboard.views.perturbing import Job


def signature(before: Scores, steps: Sequence[Perturbation], seed: int, left_behind: str) -> str:
    """The score's signature, and what was done to the response."""
    done = "; ".join(step.spec for step in steps) or "nothing"
    return f"{before.signature} | {done} | seed {seed} | left behind {left_behind}"


def headline(
    system: System, after: Corpus, steps: Sequence[Perturbation], changes: pd.DataFrame
) -> str:
    """How the response changed in size, and which F1 rose and fell most."""
    if not steps:
        return f"Nothing is done to {system.title} yet: add a step."
    sizes = [sum(len(document.rows) for document in c) for c in (system.corpus, after)]
    f1 = changes.loc[list(SIX), "f1_change"]
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
    return listed(f"{TITLES[metric]} ({signed(f1[metric])})" for metric in metrics)


def expectations(table: pd.DataFrame, *, changed: bool) -> Markup:
    """What recall and precision should do, and which metrics do it, marked and in words."""
    if table.empty:
        note = "What these steps should do to recall and precision cannot be said beforehand."
        note = note if changed else "These steps find nothing to change here."
        return Markup(f'<p class="note">{note}</p>')
    items = [
        _expectation(str(measure), rows) for measure, rows in table.groupby("measure", sort=False)
    ]
    return Markup(f'<ul class="claims" aria-label="What should happen">{"".join(items)}</ul>')


_KEPT = {True: ("kept by", "holds", "✓"), False: ("broken by", "fails", "✗")}
_SHOULD = {
    SAME: "{} should not change: no right link comes or goes.",
    RISE: "{} should rise: the output got better.",
    FALL: "{} should fall: the output got worse.",
}


def _expectation(measure: str, rows: pd.DataFrame) -> str:
    says = _SHOULD[rows["expected"].iloc[0]].format(measure.capitalize())
    lines = []
    for kept, words, style, sign in (
        (True, "kept by", "holds", "✓"),
        (False, "broken by", "fails", "✗"),
    ):
        of = rows[rows["kept"] == kept]
        if not of.empty:
            names = ", ".join(
                f"{title(metric)} {signed(change)}"
                for metric, change in zip(of["metric"], of["change"], strict=True)
            )
            lines.append(
                f'<p class="{style}"><span class="sign" aria-hidden="true">{sign}</span>'
                f"<b>{words}</b> {names}</p>"
            )
    return f"<li><div><p>{escape(says)}</p>{''.join(lines)}</div></li>"


def curves(steps: Sequence[Perturbation], job: Job) -> str:
    """What the curves show, and over how many seeds; fewer than wanted if they were stopped."""
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
