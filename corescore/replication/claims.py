"""Helpers for checking claims: scores by point and metric, and differences in words."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor
from typing import Any

import pandas as pd

from corescore.metrics import title_of
from corescore.replication.experiment import Check
from corescore.replication.printed import Printed, comparable
from corescore.util import TOLERANCE
from corescore.wording import RATIOS, listed, percent

Checker = Callable[[pd.DataFrame], Check]
# The metrics that the papers compare. What they claim of "the others" is checked for these alone,
# whatever else is scored.
COMPARED = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


def wide(table: pd.DataFrame, by: str | list[str], value: str = "f1") -> pd.DataFrame:
    """A row for each point, sorted, and a column for each metric, in the table's order."""
    names = [by] if isinstance(by, str) else by
    by_metric = table.set_index([*names, "metric"])[value].unstack("metric")
    return by_metric[[*dict.fromkeys(table["metric"])]]


def needing(*metrics: str) -> Callable[[Checker], Checker]:
    """Decorates a check that cannot be told where one of these metrics is not scored."""

    def decorate(check: Checker) -> Checker:
        def checked(table: pd.DataFrame) -> Check:
            lacking = [title_of(name) for name in metrics if name not in set(table["metric"])]
            return Check(None, f"{_are(lacking)} not scored") if lacking else check(table)

        return checked

    return decorate


def in_order(f1: "pd.Series[float]", names: Sequence[str]) -> Check:
    """Whether each of the named points scores higher than the next; None if one is missing."""
    lacking = [name for name in names if name not in f1.index]
    if lacking:
        return Check(None, f"{_are(lacking)} not among the points")
    steps = [(one, other, f1[one] - f1[other]) for one, other in pairwise(names)]
    numbers = " > ".join(f"{name} ({percent(f1[name])})" for name in names)
    wrong = [f"{one} is not above {other}" for one, other, margin in steps if margin <= TOLERANCE]
    least = points(min(margin for _, _, margin in steps))
    by = f"by {least}" if len(steps) == 1 else f"by {least} or more"
    return Check(not wrong, "; ".join([numbers, *(wrong or [by])]))


def as_printed(printed: Printed) -> Checker:
    """Checks that each printed figure is the computed one, to less than a unit of its last digit.

    Figures that are not computed are left out; None if none is.
    """

    def check(table: pd.DataFrame) -> Check:
        both = comparable(printed.beside(table))
        if both.empty:
            return Check(None, "none of the paper's figures is computed")
        off = both[both["differs"]].to_dict("records")
        numbers = [f"{len(both) - len(off)} of {len(both)} numbers match"]
        numbers += [_apart(row, printed.on) for row in off]
        return Check(not off, "; ".join(numbers))

    return check


def told_by(printed: Printed, check: Checker) -> Callable[[], Check]:
    """A check of what the paper prints: for `Claim.in_print`."""
    return lambda: check(printed.numbers)


def _apart(row: Mapping[Hashable, Any], on: Sequence[str]) -> str:
    """A figure that is not the computed one: "BLANC of cr2 is 35.29, the paper prints 32.29"."""
    figure = RATIOS.get(row["figure"], row["figure"].replace("_", " "))
    if "metric" in on:
        title = title_of(row["metric"])
        figure = title if row["figure"] == "f1" else f"{title} {figure}"
    names = ", ".join(row[name] for name in on if name != "metric")
    of = f" of {names}" if names else ""
    return f"{figure}{of} is {row['computed']:.2f}, the paper prints {row['printed']}"


def joined(checks: Iterable[tuple[str, Check]]) -> Check:
    """Several named checks as one, which holds if all those hold that can be told."""
    named = [(name, check) for name, check in checks]
    known = [check.holds for _, check in named if check.holds is not None]
    numbers = ". ".join(f"{name}: {check.numbers}" for name, check in named)
    return Check(all(known) if known else None, numbers)


def points(difference: float) -> str:
    """A difference of fractions: "0.02 points", with one digit where that would be 0.00."""
    size = 100 * abs(difference)
    return f"{size:.2f} points" if size >= 0.005 or size < 100 * TOLERANCE else f"{size:.1g} points"


def cut(number: float) -> str:
    """A number with two digits, the others cut off: as the reference scorer prints percentages."""
    return f"{floor(100 * number + 1e-6) / 100:.2f}"


def numbers_of(
    values: "Mapping[str, float] | pd.Series[float]", write: Callable[[float], str] = percent
) -> str:
    """Fractions by metrics or other names, in words: "MUC 57.14, B³ 86.76"."""
    return ", ".join(f"{title_of(str(name))} {write(value)}" for name, value in values.items())


def by_metric(scores: pd.DataFrame, names: Iterable[str]) -> str:
    """Those of points under each of these metrics: "B³: A 60.00, D 60.00; CEAF_m: A …"."""
    return "; ".join(f"{title_of(name)}: {numbers_of(scores[name])}" for name in names)


def others(table: pd.DataFrame, *metrics: str) -> list[str]:
    """The compared metrics that the table has, except these."""
    there = set(table["metric"])
    return [name for name in COMPARED if name in there and name not in metrics]


def _are(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"
