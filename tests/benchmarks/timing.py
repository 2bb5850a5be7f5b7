"""Measuring: the least of several runs, alternating with what they are compared with, and rows."""

import resource
import time
from dataclasses import dataclass
from typing import Literal

Unit = Literal["s", "MB/s", "B"]


@dataclass(frozen=True)
class Row:
    """One line of the table.

    what       what was measured
    value      in seconds, or in `unit`
    ratio      of the value to another of the same run; None if it is compared with nothing
    against    that other value in words, the ratio in it
    wanted     the limits in words, and which are missed
    megabytes  of memory that were resident at the peak; None if that was not measured
    unit       of the value
    goal       the name of its limits in `tests.benchmarks.goals`; "" if it has none
    """

    what: str
    value: float
    ratio: float | None = None
    against: str = ""
    wanted: str = ""
    megabytes: float | None = None
    unit: Unit = "s"
    goal: str = ""

    @property
    def measured(self):
        value = in_unit(self.value, self.unit)
        return value if self.megabytes is None else f"{value}, {self.megabytes:.0f} MB peak"


def processor():
    """The seconds for which this process and those that it has waited for have had a processor."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(work, *, runs=7, clock=processor):
    """The least time of `runs` calls, after one that does not count: other programs only add."""
    work()
    return min(_once(work, clock) for _ in range(runs))


def alternating(work, other, *, turns=4, clock=processor):
    """The least time of each, called in turns so that a busy moment of the machine meets both, and
    twice a turn: after a pause a virtual machine pays anew for each page of its memory."""
    times = [[_once(one, clock) for one in (work, other) for _ in range(2)] for _ in range(turns)]
    mine, again, others, others_again = zip(*times, strict=True)
    return min(mine + again), min(others + others_again)


def _once(work, clock):
    start = clock()
    work()
    return clock() - start


def in_unit(value, unit):
    """A value with its unit."""
    return milliseconds(value) if unit == "s" else f"{value:.0f} {unit}"


def milliseconds(value):
    """A time in the unit that reads best."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"
