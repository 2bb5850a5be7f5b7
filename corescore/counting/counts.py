"""Counts add; scores do not. Everything that divides is here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Generic, TypeVar

import numpy as np

from corescore.util import AnyArray, FloatArray, IntArray
from corescore.wording import RATIOS, counted, written


@dataclass(frozen=True, slots=True)
class Counts:
    """Numerators and denominators of one metric: four arrays of shape (documents, parts).

    Most metrics have one part; BLANC has one for coreference and one for non-coreference links.
    Counts of several documents add up, so a corpus, a slice and a resample are sums of rows.

    >>> from corescore import Counts
    >>> counts = Counts.of([1, 3], [2, 4], [1, 3], [1, 5])  # of two documents
    >>> total = counts.total()
    >>> total.recall_numerator / total.recall_denominator
    array([[0.66666667]])
    """

    recall_numerator: FloatArray
    recall_denominator: FloatArray
    precision_numerator: FloatArray
    precision_denominator: FloatArray

    def __repr__(self) -> str:
        n_documents, n_parts = self.recall_numerator.shape
        return f"Counts: {counted(n_documents, 'document')}, {counted(n_parts, 'part')}"

    @classmethod
    def of(cls, *arrays: AnyArray) -> "Counts":
        """Counts of one part out of four arrays of shape (documents,)."""
        return cls(*(np.asarray(array, dtype=np.float64)[:, None] for array in arrays))

    @classmethod
    def of_parts(cls, *parts: "Counts") -> "Counts":
        """The columns of several counts side by side."""
        return cls(*map(np.hstack, zip(*map(arrays_of, parts), strict=True)))

    @classmethod
    def of_directions(cls, recall: "Counts", precision: "Counts") -> "Counts":
        """Recall as the one counts it, precision as the other."""
        return cls(*arrays_of(recall)[:2], *arrays_of(precision)[2:])

    @classmethod
    def of_documents(cls, *shards: "Counts") -> "Counts":
        """The rows of several counts, one shard after the other."""
        return cls(*map(np.vstack, zip(*map(arrays_of, shards), strict=True)))

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*map(np.add, arrays_of(self), arrays_of(other)))

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(*map(np.subtract, arrays_of(self), arrays_of(other)))

    def total(self) -> "Counts":
        """The sum over documents, shape (1, parts)."""
        return Counts(*(array.sum(axis=0, keepdims=True) for array in arrays_of(self)))

    def rows(self, index: IntArray) -> "Counts":
        """The rows at `index`, in that order."""
        return Counts(*(array[index] for array in arrays_of(self)))

    def with_rows(self, index: IntArray, other: "Counts") -> "Counts":
        """The counts with the rows at `index` replaced by those of `other`."""
        arrays = [array.copy() for array in arrays_of(self)]
        for array, rows in zip(arrays, arrays_of(other), strict=True):
            array[index] = rows
        return Counts(*arrays)

    def part(self, index: int) -> "Counts":
        """One part alone, shape (documents, 1)."""
        return Counts(*(array[:, index : index + 1] for array in arrays_of(self)))


arrays_of: Callable[[Counts], tuple[FloatArray, ...]] = attrgetter(
    *(entry.name for entry in fields(Counts))
)


Value = TypeVar("Value", float, FloatArray)


@dataclass(frozen=True)
class Score(Generic[Value]):
    """Recall, precision and F1 as fractions, with what they were divided from.

    Each value is an array of shape (documents,), or a float for one of them or the whole corpus.
    NaN means empty: nothing was there to be found. A metric of several parts (BLANC) has no
    numerators of its own, NaN too; they stand in `parts`.
    """

    recall: Value
    precision: Value
    f1: Value
    recall_numerator: Value
    recall_denominator: Value
    precision_numerator: Value
    precision_denominator: Value
    parts: Mapping[str, "Score[Value]"] = field(default_factory=dict)

    def __repr__(self) -> str:
        if isinstance(self.f1, np.ndarray):
            return f"Score: {counted(len(self.f1), 'document')}"
        ratios = (f"{RATIOS[name]} {written(getattr(self, name), '.4f')}" for name in MEASURES)
        return f"Score: {', '.join(ratios)}"

    def _repr_html_(self) -> str:
        """What a notebook shows: recall, precision and F1 with what they were divided from."""
        from corescore.rendering.tables import one_score

        return str(one_score(self))

    @property
    def ratios(self) -> tuple[Value, Value, Value]:
        """Recall, precision and F1."""
        return self.recall, self.precision, self.f1

    def row(self: "Score[FloatArray]", index: int) -> "Score[float]":
        """The score of one document, its values plain floats."""
        values = {name: getattr(self, name)[index].item() for name in SCORE_FIELDS}
        return Score(**values, parts={name: part.row(index) for name, part in self.parts.items()})


MEASURES = ("recall", "precision", "f1")
SCORE_FIELDS = tuple(entry.name for entry in fields(Score) if entry.name != "parts")


def empty_score(n_documents: int) -> Score[FloatArray]:
    """NaN everywhere."""
    none = np.full(n_documents, np.nan)
    return Score(none, none, none, none, none, none, none)


def divide(numerator: FloatArray, denominator: FloatArray, *, empty: float) -> FloatArray:
    """numerator / denominator, and `empty` where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator != 0, numerator / denominator, empty)


def quotient(numerator: float, denominator: float) -> float:
    """The same of two numbers, 0 if the denominator is."""
    return numerator / denominator if denominator else 0.0


def harmonic_mean(recall: FloatArray, precision: FloatArray) -> FloatArray:
    """2·R·P / (R + P); 0 if both are 0 or one of them is empty; empty (NaN) if both are."""
    known_recall, known_precision = np.nan_to_num(recall), np.nan_to_num(precision)
    mean = divide(2 * known_recall * known_precision, known_recall + known_precision, empty=0)
    return np.where(np.isnan(recall) & np.isnan(precision), np.nan, mean)


def harmonic_mean_of(recall: float, precision: float) -> float:
    """The same of two numbers."""
    return float(harmonic_mean(np.array([recall]), np.array([precision]))[0])


def score_counts(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """The score of each row of one-part counts.

    `empty` is the value of 0/0: 0 in a corpus total (as the reference scorer prints it), NaN for
    one document or slice.
    """
    of_key, n_key, of_response, n_response = (array[:, 0] for array in arrays_of(counts))
    recall = divide(of_key, n_key, empty=empty)
    precision = divide(of_response, n_response, empty=empty)
    mean = harmonic_mean(recall, precision)
    return Score(recall, precision, mean, of_key, n_key, of_response, n_response)
