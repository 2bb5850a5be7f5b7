"""Sentences on whether two systems differ by less than a margin."""

import math

from corescore.analysis.significance.inverted import Equivalence
from corescore.counting.counts import MEASURES
from corescore.sentences.names import called
from corescore.wording import RATIOS, p_equals, percent, signed


def within_margin(margin: float) -> str:
    """What p of equivalence is, below a table of all metrics."""
    points = percent(margin)
    return (
        f"p (±{points}): whether the two differ by less than {points} points, for each metric "
        "alone (two one-sided tests by the same exchanges). Below 0.05 they are equivalent; a "
        "difference that is not significant does not say so."
    )


def equivalent(found: Equivalence, metric: str, measure: str) -> str:
    """Whether two systems are equivalent by one metric."""
    at = found.metrics.index(metric), MEASURES.index(measure)
    p, (low, high) = float(found.p[at]), found.interval[at]
    by = called(metric) if metric == "conll" else f"{called(metric)} {RATIOS[measure]}"
    asked = f"Do they differ by less than {percent(found.margin)} points of {by}?"
    if math.isnan(p):
        return f"{asked} With a single document this cannot be tested."
    ends = "" if math.isnan(low) else f", 90 % interval {signed(low)} to {signed(high)}"
    answer = "Yes" if p < found.alpha else "That is not shown"
    return f"{asked} {answer} (two one-sided tests, {p_equals(p)}{ends})."
