"""What claims are checked with: scores by point and metric, and margins in words."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import pandas as pd

from corescore.metrics import METRIC_IDS, title_of
from corescore.replication.experiment import Check
from corescore.tolerances import TOLERANCE
from corescore.wording import listed, percent

Checker = Callable[[pd.DataFrame], Check]


def wide(table: pd.DataFrame, by: str | list[str], value: str = "f1") -> pd.DataFrame:
    """A row for each point, sorted, and a column for each metric, in the table's order."""
    names = [by] if isinstance(by, str) else by
    by_metric = table.set_index([*names, "metric"])[value].unstack("metric")
    return by_metric[[*dict.fromkeys(table["metric"])]]


def needing(*metrics: str) -> Callable[[Checker], Checker]:
    """Makes a check say that there is nothing to tell by where one of the metrics is not scored."""

    def decorate(check: Checker) -> Checker:
        def checked(table: pd.DataFrame) -> Check:
            lacking = [title_of(name) for name in metrics if name not in set(table["metric"])]
            return Check(None, f"{_are(lacking)} not scored") if lacking else check(table)

        return checked

    return decorate


def in_order(f1: "pd.Series[float]", names: Sequence[str]) -> Check:
    """Whether each of the named points scores above the next; None if one is not there."""
    lacking = [name for name in names if name not in f1.index]
    if lacking:
        return Check(None, f"{_are(lacking)} not among the points")
    steps = [(one, other, f1[one] - f1[other]) for one, other in pairwise(names)]
    numbers = " > ".join(f"{name} ({percent(f1[name])})" for name in names)
    wrong = [f"{one} is not above {other}" for one, other, margin in steps if margin <= TOLERANCE]
    least = points(min(margin for _, _, margin in steps))
    by = f"by {least}" if len(steps) == 1 else f"by {least} or more"
    return Check(not wrong, "; ".join([numbers, *(wrong or [by])]))


def joined(checks: Iterable[tuple[str, Check]]) -> Check:
    """One check of several, each with a name: it holds if all that can be told do."""
    named = [(name, check) for name, check in checks]
    told = [check.holds for _, check in named if check.holds is not None]
    numbers = ". ".join(f"{name}: {check.numbers}" for name, check in named)
    return Check(all(told) if told else None, numbers)


def points(difference: float) -> str:
    """A difference of fractions: "0.02 points"; one that would round to nothing keeps a digit."""
    size = 100 * abs(difference)
    return f"{size:.2f} points" if size >= 0.005 or size < 100 * TOLERANCE else f"{size:.1g} points"


def title(metric: str) -> str:
    """The name of a metric on a page; one of the reader's own has its id."""
    return title_of(metric)


def others(table: pd.DataFrame, *metrics: str) -> list[str]:
    """Those of the six that the table has, but these."""
    there = set(table["metric"])
    return [name for name in METRIC_IDS if name in there and name not in metrics]


def _are(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"
