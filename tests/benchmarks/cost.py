"""What scoring on a cluster costs: bytes read, counts sent, seconds; the constants are measured."""

import heapq
from dataclasses import dataclass

from tests.benchmarks.record import Record

DASK = "Dask on two workers"
SENT = "counts that come back of a document"


@dataclass(frozen=True)
class Cost:
    """What was measured.

    seconds_a_gigabyte  of one worker, which reads and counts both sides
    bytes_of_document   that are sent for a document: its counts and its name
    """

    seconds_a_gigabyte: float
    bytes_of_document: float

    @classmethod
    def measured(cls, rate: float, sent: float) -> "Cost":
        """By the megabytes a second of two workers, and the bytes that are sent for a document."""
        return cls(2 * 1000 / rate, sent)

    @classmethod
    def of(cls, record: Record) -> "Cost":
        """By a run of the benchmarks. KeyError if it did not measure them."""
        values = {row.what: row.value for row in record.rows}
        return cls.measured(values[DASK], values[SENT])


@dataclass(frozen=True)
class Load:
    """What is to be scored: the bytes of each shard, both sides together, and all documents."""

    shards: tuple[int, ...]
    n_documents: int

    @property
    def n_bytes(self) -> int:
        return sum(self.shards)


def makespan(cost: Cost, load: Load, *, workers: int) -> float:
    """Seconds until the last worker is done, each taking the next shard when it is free."""
    free = [0.0] * workers
    for n_bytes in load.shards:
        heapq.heapreplace(free, free[0] + n_bytes / 1e9 * cost.seconds_a_gigabyte)
    return max(free)
