"""A sentence about how mentions were matched."""

from corescore.metrics import CONLL, METRIC_IDS, name_of
from corescore.scoring.scores import Scores
from corescore.wording import listed, percent

_HOW = {
    "head": "by head",
    "partial": "within the key mention, around its head",
    "lenient": "leniently, within the key mention",
}


def beside_exact(name: str, result: Scores) -> str:
    """What the F1 of each metric would be if only equal spans matched; "" where that is the case.

    So that nobody takes scores of another matching for the exact ones.
    """
    if result.policies.match == "exact":
        return ""
    exact = result.exact
    rows = listed(f"{name_of(metric)} {percent(exact[metric].f1)}" for metric in METRIC_IDS)
    means = f"{percent(exact[CONLL.id].f1)} instead of {percent(result[CONLL.id].f1)}"
    return (
        f"Mentions of {name} are matched {_HOW[result.policies.match]}. If only the same words "
        f"match, its CoNLL average is {means}; F1: {rows}."
    )
