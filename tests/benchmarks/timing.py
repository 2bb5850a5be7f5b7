"""Measuring: the median of several runs, and rows for one printed table."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, in which unit, and what it is compared with."""

    what: str
    measured: str
    against: str
    wanted: str


def seconds(work: Callable[[], object], *, runs: int = 7) -> float:
    """The median time of `runs` calls, after one that does not count."""
    work()
    return statistics.median(_once(work) for _ in range(runs))


def _once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def milliseconds(value: float) -> str:
    """A time in the unit that reads best."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"
