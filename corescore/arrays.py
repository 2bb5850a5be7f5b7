"""The types of arrays, their order, and ranges of numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
AnyArray = NDArray[Any]


def ascending(numbers: IntArray) -> IntArray:
    """The stable order that sorts numbers ≥ 0, as `np.argsort`.

    numpy sorts keys of 16 bits by their digits, which takes a third of the time of comparisons.
    """
    digits = np.ascontiguousarray(numbers, dtype="<i8").view("<u2").reshape(-1, 4)
    return np.lexsort(digits.T)


def ranges(first: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
    """For each number of each range first[i] … end[i] − 1: its i and the number."""
    length = np.maximum(end - first, 0)
    before = np.cumsum(length) - length
    which = np.repeat(np.arange(len(first)), length)
    return which, np.arange(len(which)) + np.repeat(first - before, length)
