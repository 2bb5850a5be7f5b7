"""Which documents make the difference between two results."""

import pandas as pd

from corescore.analysis.significance.stack import Stack, measures_of, needed_for
from corescore.arrays import FloatArray
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.scoring.tables import document_differences
from corescore.scoring.tally import Tally


def influence(a: Tally, b: Tally, metric: str, *, measure: str = "f1") -> pd.DataFrame:
    """A row for each document: how much of the corpus' difference b − a goes with it.

    Columns: document; difference, of the document's own scores (NaN where there was nothing to
    score); without, that of the corpus without the document; influence, the difference of the whole
    corpus minus that. The document that favours the difference most comes first; where there is
    none, the one that changes it most. Fractions; without the only document the difference is 0.

    Raises ValueError if the results are not over one key under the same policies, PolicyError for
    an unknown metric or measure.
    """
    names, of_a, of_b = without_each(a, b, metric, measure=measure)
    whole = getattr(b[metric], measure) - getattr(a[metric], measure)
    table = pd.DataFrame({"document": names, "without": of_b - of_a})
    table["influence"] = whole - table["without"]
    own = document_differences(a, b, measure=measure)[metric]
    table.insert(1, "difference", table["document"].map(own))
    favours = table["influence"] * (1 if whole > 0 else -1) if whole else table["influence"].abs()
    order = favours.sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)


def without_each(
    a: Tally, b: Tally, metric: str, *, measure: str
) -> tuple[list[str], FloatArray, FloatArray]:
    """The documents by name, and (documents,) the scores of a and of b without each. Raises as
    `influence`."""
    choose("metric", metric, a.scores)
    choose("measure", measure, measures_of(metric))
    stack = Stack.of(a, b, metrics=needed_for(metric))
    at = stack.names.index(metric), MEASURES.index(measure)
    rest = stack.total - stack.values.T
    of_a, of_b = (stack.scores(rest[columns])[at] for columns in stack.columns)
    return sorted(a.documents), of_a, of_b
