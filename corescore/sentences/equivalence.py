"""Sentences on whether two systems differ by less than a margin."""

import math

from corescore.analysis.significance.inverted import Equivalence
from corescore.analysis.systems.runs import PairOverRuns
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.sentences.names import called
from corescore.wording import RATIOS, counted, p_equals, percent, signed

OVER_RUNS = " over runs"


def within_margin(margin: float, drawn: str = "exchanges") -> str:
    """What p of equivalence is, below a table of all metrics; drawn: what it is found by."""
    points = percent(margin)
    return (
        f"p (±{points}): whether the two differ by less than {points} points, for each metric "
        f"alone (two one-sided tests by the same {drawn}). Below 0.05 they are equivalent; a "
        "difference that is not significant does not say so."
    )


def equivalent_over_runs(of: PairOverRuns, margin: float, metric: str, measure: str) -> str:
    """Whether the means of two systems over their runs are equivalent by one metric."""
    try:
        found = of.equivalence(margin)
    except PolicyError as error:
        return f"{_asked(margin, metric, measure, OVER_RUNS)} That cannot be told: {error}."
    at = found.metrics.index(metric), MEASURES.index(measure)
    if math.isnan(float(found.p[at])):
        n = counted(of.n_documents, "document")
        return f"{_asked(margin, metric, measure, OVER_RUNS)} That cannot be shown with {n}."
    return equivalent(found, metric, measure, OVER_RUNS)


def _asked(margin: float, metric: str, measure: str, over: str) -> str:
    by = called(metric) if metric == "conll" else f"{called(metric)} {RATIOS[measure]}"
    return f"Do they differ by less than {percent(margin)} points of {by}{over}?"


def equivalent(found: Equivalence, metric: str, measure: str, over: str = "") -> str:
    """Whether two systems are equivalent by one metric; over: what its scores are means of."""
    at = found.metrics.index(metric), MEASURES.index(measure)
    p, (low, high) = float(found.p[at]), found.interval[at]
    asked = _asked(found.margin, metric, measure, over)
    if math.isnan(p):
        return f"{asked} With a single document this cannot be tested."
    ends = "" if math.isnan(low) else f", 90% interval {signed(low)} to {signed(high)}"
    answer = "Yes" if p < found.alpha else "That is not shown"
    return f"{asked} {answer} (two one-sided tests, {p_equals(p)}{ends})."
