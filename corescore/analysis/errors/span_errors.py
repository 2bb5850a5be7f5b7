"""Span errors beside the counts of missing and spurious mentions, which include them."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from corescore.analysis.errors.mentions import align
from corescore.counting.comparison import Comparison


def span_errors(comparison: Comparison) -> pd.Series:
    """How many mentions of each document have a span error, by the document's name.

    Each pairs one key mention with one response mention (`align`); counts of mentions that are
    shared or not have the first among the missing and the second among the spurious ones.
    """
    documents = comparison.precision.own.document[align(comparison).altered]
    names = [document.name for document in comparison.recall.documents]
    return pd.Series(np.bincount(documents, minlength=len(names)), index=names)


def with_span_errors(counts: pd.DataFrame, found: Mapping[str, pd.Series]) -> pd.DataFrame:
    """A table as of `count_table` with the column span_errors (NaN for the key).

    found  for each result, what `span_errors` finds
    """
    return counts.assign(span_errors=pd.Series({name: of.sum() for name, of in found.items()}))


def apart(table: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """The table with its missing and spurious mentions less those with a span error, as pages
    count them; `columns` names the two, and the table has span_errors."""
    return table.assign(**{name: table[name] - table["span_errors"] for name in columns})
