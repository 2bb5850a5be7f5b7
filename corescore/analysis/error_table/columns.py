"""How values become columns."""

from collections.abc import Sequence

import pandas as pd

from corescore.arrays import AnyArray, BoolArray, IntArray

Column = pd.Series  # of texts, whole numbers or truth values
Columns = dict[str, Column]


def text(values: AnyArray | Sequence[str]) -> "pd.Series[str]":
    return pd.Series(values, dtype="str")


def nullable(values: IntArray, known: BoolArray) -> "pd.Series[int]":
    """Whole numbers; NA where they are not known."""
    return pd.Series(values, dtype="Int64").mask(~known)


def category(numbers: IntArray, names: Sequence[str]) -> "pd.Series[str]":
    """The names with these numbers, as a categorical of all names."""
    return pd.Series(pd.Categorical.from_codes(numbers, pd.Index(names)))
