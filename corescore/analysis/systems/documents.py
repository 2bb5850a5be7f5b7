"""Two or more responses by document: which is ahead where, and where metrics disagree."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd

from corescore.analysis.significance.resamples import measures_of
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.scoring.tables import document_differences, win_table
from corescore.scoring.tally import Tally
from corescore.util import TOLERANCE, AnyArray

WINNERS = ("A", "tie", "B")
CorrelationMethod = Literal["pearson", "spearman", "kendall"]


def compared_documents(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """A row for each document and metric, in the key's order.

    Columns: document and metric (categoricals), a, b, difference (b − a; fractions, NaN where
    there was nothing to score), winner (a categorical: A, tie, B; NA where the difference is).
    A metric without that measure (CoNLL's recall) has no rows. Raises PolicyError for an unknown
    measure.
    """
    choose("measure", measure, MEASURES)
    scored = [name for name, score in a.scores.items() if not np.isnan(getattr(score, measure))]
    columns = {
        name: np.array([getattr(r.document_scores[m], measure) for m in scored]).T.ravel()
        for name, r in (("a", a), ("b", b))
    }
    index = pd.MultiIndex.from_product([a.documents, scored], names=["document", "metric"])
    table = pd.DataFrame(columns, index).reset_index()
    table["document"] = pd.Categorical(table["document"], list(a.documents))
    table["metric"] = pd.Categorical(table["metric"], scored)
    difference = table["b"] - table["a"]
    return table.assign(difference=difference, winner=winners(difference.to_numpy()))


def by_metric(table: pd.DataFrame) -> pd.DataFrame:
    """(documents × metrics) the differences b − a of `compared_documents`: first the documents on
    which the fewest metrics agree who is ahead, of these in the key's order."""
    wide = table.pivot_table(
        index="document",
        columns="metric",
        values="difference",
        observed=True,
        sort=False,
        dropna=False,
    )
    wide = wide.loc[wide.index.sort_values()]
    of_a, of_b = ((sign * wide > TOLERANCE).sum(axis=1) for sign in (-1, 1))
    minority = of_a.where(of_a < of_b, of_b)
    order = minority.sort_values(ascending=False, kind="stable").index
    return wide.loc[order]


def winners(difference: AnyArray) -> "pd.Categorical[str]":
    """The sign of each difference b − a: A, tie (equal up to rounding) or B; NA if NaN."""
    known = np.where(abs(difference) <= TOLERANCE, 0, np.sign(difference))
    number = np.where(np.isnan(known), -1, np.nan_to_num(known) + WINNERS.index("tie"))
    return pd.Categorical.from_codes(number.astype(np.int64), pd.Index(WINNERS))


def sign_test(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """A sign test over documents, beside the wins and ties of `tables.win_table`.

    A row for each metric: a, b, ties, and p, two-sided and exact: how likely wins at least as
    unequal are if each response wins a document with probability ½. Ties are left out; p is 1
    without a win, NaN with a single document. It tests who wins more documents, not by how much.
    Raises PolicyError for an unknown measure.
    """
    from scipy.stats import binomtest  # slow to import

    table = win_table(a, b, measure=measure)
    wins = zip(table["a"].tolist(), table["b"].tolist(), strict=True)
    p = [float(binomtest(of_b, of_a + of_b).pvalue) if of_a + of_b else 1.0 for of_a, of_b in wins]
    return table.assign(p=p if len(a.documents) > 1 else np.nan)


def disagreements(
    a: Tally, b: Tally, *, metric: str = "lea", other: str = "conll", measure: str = "f1"
) -> pd.DataFrame:
    """The documents on which one metric prefers A and the other B, the largest margin first.

    Columns: document, the difference b − a under each of the two metrics, and margin: the smaller
    absolute value of the two. A tie is no disagreement. Raises PolicyError for an unknown metric
    or measure.
    """
    for name in (metric, other):
        choose("metric", name, a.scores)
    both = document_differences(a, b, measure=measure)[[metric, other]]
    margin = abs(both).min(axis=1, skipna=False)
    opposed = (both[metric] * both[other] < 0) & (margin > TOLERANCE)
    table = both.assign(margin=margin)[opposed]
    return table.sort_values("margin", ascending=False, kind="stable").reset_index()


def disagreement_counts(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """(metrics × metrics) the number of documents on which two metrics disagree."""
    difference = document_differences(a, b, measure=measure)
    of_a, of_b = (difference < -TOLERANCE).astype(int), (difference > TOLERANCE).astype(int)
    return of_a.T @ of_b + of_b.T @ of_a


def document_correlation(
    result: Tally, *, measure: str = "f1", method: CorrelationMethod = "kendall"
) -> pd.DataFrame:
    """The correlation of metrics over the documents of one response, −1 to 1.

    A row and a column for each metric that has the measure. For each two metrics, documents on
    which one of them has nothing to score are left out. NaN where a metric gives all documents
    the same score. Raises PolicyError for an unknown measure.
    """
    choose("measure", measure, MEASURES)
    scores = result.document_scores
    columns = {
        name: getattr(scores[name], measure) for name in scores if measure in measures_of(name)
    }
    return pd.DataFrame(columns).corr(method=method)


def documents_of_each(
    results: Mapping[str, Tally], metric: str, *, measure: str = "f1"
) -> pd.DataFrame:
    """Scores of any number of responses to one key, as fractions; NaN where nothing is scored.

    A row for each document, a column for each response.

    Raises PolicyError for an unknown metric or measure.
    """
    choose("measure", measure, MEASURES)
    columns = {name: getattr(r.document_scores[metric], measure) for name, r in results.items()}
    documents = next(iter(results.values())).documents
    return pd.DataFrame(columns, index=pd.Index(documents, name="document"))
