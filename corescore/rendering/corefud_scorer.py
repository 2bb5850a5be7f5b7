"""What corefud-scorer.py 1.2 prints, to the character."""

from collections.abc import Collection, Iterator

from corescore.metrics import CONLL
from corescore.rendering.python_scorers import conll_line, ratio_line
from corescore.scoring.scores import Scores

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
# The policies that its options set; it has no others.
OPTIONS = {
    "match": ("head", "partial", "exact"),
    "singletons": ("drop", "keep"),
    "zeros": ("dependent", "linear"),
}


def corefud_lines(scores: Scores, shown: Collection[str]) -> Iterator[str]:
    """The lines for these metrics, in that scorer's order."""
    policies = scores.policies
    singletons = ", singletons" if policies.singletons == "keep" else ""
    metrics = [metric for metric in METRICS if metric in shown]
    yield (
        f"The scorer is evaluating coreferential mentions{singletons}, zeros (using "
        f"{policies.zeros} match method) using {policies.match} match evaluation setting."
    )
    yield f"The following metrics will be evaluated: {', '.join(metrics)}\n"
    for metric in metrics:
        yield metric
        yield ratio_line(scores[metric])
    if set(CONLL.members) <= set(metrics):
        yield conll_line(scores)
