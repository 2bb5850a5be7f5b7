"""The types of arrays, and their order."""

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
