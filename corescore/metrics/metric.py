"""What a metric is: a frozen record. One of your own of this shape works wherever the six do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from corescore.arrays import FloatArray
from corescore.contingency import Contingency
from corescore.counts import Counts, Score, score_counts


class Scorer(Protocol):
    """Counts, one row a document → scores; `empty` is the value of 0/0."""

    def __call__(self, counts: Counts, *, empty: float) -> Score[FloatArray]: ...


@dataclass(frozen=True)
class Metric:
    """A coreference metric as data.

    id      its short name in code and on the command line, such as "bcub"
    title   its name on a page, such as "B³"
    unit    what one unit of its numerator is
    paper   where it was defined
    counts  contingency → numerators and denominators of each document
    score   counts → recall, precision, F1; by default of one part and their harmonic mean
    """

    id: str
    title: str
    unit: str
    paper: str
    counts: Callable[[Contingency], Counts]
    score: Scorer = score_counts
