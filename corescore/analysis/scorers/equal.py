"""Which scorers give the same numbers on two files as a result has."""

from math import isclose, isnan

from corescore.analysis.scorers.rescored import Rescored
from corescore.counting.counts import MEASURES
from corescore.scoring.presets import PRESETS, Preset
from corescore.scoring.scores import Scores
from corescore.tolerances import TOLERANCE


def equal_here(of: Rescored, result: Scores) -> tuple[str, ...]:
    """The ids of the scorers that have a metric of the result and print the same recall, precision
    and F1 of each that they have, on the files of `of`."""
    return tuple(name for name, scorer in PRESETS.items() if _is_equal(of, result, scorer))


def _is_equal(of: Rescored, result: Scores, scorer: Preset) -> bool:
    ours = result.means or result.scores
    common = [metric for metric in scorer.metrics if metric in ours]
    if not common or of.refusal(scorer.policies):
        return False
    return all(
        _same(getattr(ours[metric], measure), of.value(scorer.policies, metric, measure))
        for metric in common
        for measure in MEASURES
    )


def _same(one: float, other: float) -> bool:
    return isclose(one, other, abs_tol=TOLERANCE) or (isnan(one) and isnan(other))
