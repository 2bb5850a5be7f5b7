"""All errors of a result, and those of them that a query finds, in an order."""

import pandas as pd

from corescore.analysis.error_table.contexts import contexts
from corescore.analysis.error_table.costs import cost_table
from corescore.analysis.error_table.ordering import ordered
from corescore.analysis.error_table.query import parse
from corescore.analysis.error_table.rows import error_rows
from corescore.analysis.error_table.table import table_of
from corescore.counting.comparison import Comparison
from corescore.scoring.scores import Scores

ORDER = "cost.conll"


def every_error(result: Scores) -> pd.DataFrame:
    """A row for each error, and what its fix alone gains: `table.error_table` and `cost_table`."""
    comparison, singletons = result.comparison, result.policies.singletons
    rows = error_rows(comparison, singletons=singletons)
    costs = cost_table(comparison, rows, result.metrics, singletons=singletons)
    return table_of(comparison, rows).join(costs)


def found_in(frame: pd.DataFrame, query: str = "", *, order: str = ORDER) -> pd.DataFrame:
    """The rows of an error table that a query finds, in an order (`ordered`), with their index.

    Raises QueryError for a query, PolicyError for an order, that is not understood.
    """
    found = frame[parse(query).matches(frame)]
    return found.iloc[ordered(found, order)]


def with_contexts(comparison: Comparison, frame: pd.DataFrame, *, words: int = 8) -> pd.DataFrame:
    """Rows of the error table, with the words around each mention: `contexts`."""
    return frame.join(contexts(comparison, frame, words=words))
