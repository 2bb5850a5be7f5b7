"""Responses to one key side by side: documents, mentions, entities and errors, and which is ahead.

Documents are lined up by the key, of two responses or more; what is below needs the documents
themselves.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from corescore.analysis.credit import credit_table, mention_share
from corescore.analysis.errors.classes import (
    CORRECT,
    MENTION_CLASSES,
    Mentions,
    category,
    mention_classes,
)
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import ONLY_A, ONLY_B, error_counts, operation_table, outcomes
from corescore.analysis.significance import array_table, measures_of
from corescore.corpus.problems import choose
from corescore.counting.comparison import SIDES, Comparison
from corescore.counting.counts import MEASURES
from corescore.metrics import id_among, metric_of
from corescore.scoring.scores import Result
from corescore.scoring.tables import by_document, document_differences, win_table
from corescore.scoring.tally import Tally
from corescore.util import PLACES, TOLERANCE, AnyArray, FloatArray, IntArray, as_rows

WINNERS = ("A", "tie", "B")

# Documents ----------------------------------------------------------------------------------------


def documents_of_each(
    results: Mapping[str, Tally], metric: str, *, measure: str = "f1"
) -> pd.DataFrame:
    """Scores of any number of responses to one key, as fractions; NaN where nothing is scored.

    One row per document, one column per response. Raises PolicyError for an unknown measure.
    """
    return pd.DataFrame({name: by_document(of, measure)[metric] for name, of in results.items()})


def document_correlation(result: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """Kendall's τ of metrics over the documents of one response, −1 to 1.

    A row and one column per metric that has the measure. For each two metrics, documents on
    which one of them has nothing to score are left out. NaN where a metric gives all documents
    the same score. Raises PolicyError for an unknown measure.
    """
    shown = [name for name in result.scores if measure in measures_of(name)]
    return by_document(result, measure)[shown].corr(method="kendall")


def compared_documents(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """`Pair.documents`, for any measure: one row per document and metric, in the key's order.

    A metric without that measure (CoNLL's recall) has no rows. Raises PolicyError for an unknown
    measure.
    """
    choose("measure", measure, MEASURES)
    scored = [name for name, score in a.scores.items() if not np.isnan(getattr(score, measure))]
    axes = {"document": a.documents, "metric": scored}
    scores = [by_document(of, measure)[scored].to_numpy() for of in (a, b)]
    table = array_table(axes, dict(zip("ab", scores, strict=True)))
    for name, known in axes.items():
        table[name] = pd.Categorical(table[name], list(known))
    difference = table["b"] - table["a"]
    return table.assign(difference=difference, winner=winners(difference.to_numpy()))


def by_metric(table: pd.DataFrame) -> pd.DataFrame:
    """(documents × metrics) the differences b − a of `compared_documents`: first the documents on
    which the fewest metrics agree who is ahead, of these in the key's order."""
    wide = table.pivot(index="document", columns="metric", values="difference").sort_index()
    of_a, of_b = ((sign * wide > TOLERANCE).sum(axis=1) for sign in (-1, 1))
    minority = of_a.where(of_a < of_b, of_b)
    return wide.loc[minority.sort_values(ascending=False, kind="stable").index]


def winners(difference: AnyArray) -> "pd.Categorical[str]":
    """The sign of each difference b − a: A, tie (equal up to rounding) or B; NA if NaN."""
    sign = np.where(abs(difference) <= TOLERANCE, 0, np.sign(difference))
    number = np.nan_to_num(sign + WINNERS.index("tie"), nan=-1)
    return category(number.astype(np.int64), WINNERS)


def judged(table: pd.DataFrame, corrected: str, n_tests: int) -> pd.DataFrame:
    """A table of differences with the columns winner and family: what the p-values of the column
    `corrected` are corrected over, "" where there are none."""
    table.insert(5, "winner", pd.Series(winners(table["difference"].to_numpy())))
    family = f"{n_tests} metrics of one pair"
    return table.assign(family=np.where(table[corrected].isna(), "", family))


def sign_test(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """A sign test over documents, beside the wins and ties of `tables.win_table`.

    One row per metric: a, b, ties, and p, two-sided and exact: how likely wins at least as
    unequal are if each response wins a document with probability ½. Ties are left out; p is 1
    without a win, NaN with a single document. It tests who wins more documents, not by how much.
    Raises PolicyError for an unknown measure.
    """
    from scipy.stats import binomtest  # slow to import

    table = win_table(a, b, measure=measure)
    wins = as_rows(table["a"], table["b"])
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
    metric, other = (id_among(name, a.scores) for name in (metric, other))
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


# Mentions and entities ----------------------------------------------------------------------------

A_MORE, B_MORE = "A earns more", "B earns more"
BOTH_ALL, BOTH_PART = "both earn all", "equal, not all"
NOTHING = "nothing to earn"
VERDICTS = (A_MORE, B_MORE, BOTH_ALL, BOTH_PART, NOTHING)


def compared_mentions(a: Result, b: Result, metric: str, *, side: str = "recall") -> pd.DataFrame:
    """`Pair.mentions`: how each response resolves each mention of the key, in text order, or for
    "precision" each that both responses have.

    Credit is `corescore.analysis.credit.mention_share`;
    `corescore.analysis.errors.tables.error_counts` counts rows by document or slice.
    Raises PolicyError for an unknown metric or side, or a metric that does not define credit.
    """
    both = [*zip((a, b), _compared(a.comparison, b.comparison, side), strict=True)]
    mentions = [
        replace(Mentions.of_side(of.comparison, side, rows), own="recall") for of, rows in both
    ]
    table, other = (one.columns() for one in mentions)
    classes = [_classes(of.comparison, side)[rows] for of, rows in both]
    credit = [_credit_shares(of, rows, metric, side) for of, rows in both]
    correct = [numbers == MENTION_CLASSES.index(CORRECT) for numbers in classes]
    return table.rename(columns={"response_entity": "a_entity"}).assign(
        b_entity=other["response_entity"],
        class_a=category(classes[0], MENTION_CLASSES),
        class_b=category(classes[1], MENTION_CLASSES),
        outcome=outcomes(np.ones(len(table), dtype=bool), *correct),
        credit_a=credit[0],
        credit_b=credit[1],
        difference=credit[1] - credit[0],
        verdict=_verdicts(*credit),
        **mentions[0].slices,
    )


def verdict_counts(a: Result, b: Result, *, side: str = "recall") -> pd.DataFrame:
    """The number of mentions of each verdict, those that `compared_mentions` has rows for: one
    row per metric that defines credit, one column per of VERDICTS."""
    rows = _compared(a.comparison, b.comparison, side)
    counts = {}
    for name in (metric.id for metric in a.metrics if metric.credit is not None):
        credit = (_credit_shares(of, at, name, side) for of, at in zip((a, b), rows, strict=True))
        counts[name] = np.bincount(_verdicts(*credit).codes, minlength=len(VERDICTS))
    table = pd.DataFrame.from_dict(counts, orient="index", columns=list(VERDICTS))
    return table.rename_axis("metric")


def compared_entities(a: Result, b: Result, metric: str) -> pd.DataFrame:
    """`Pair.entities`: the credit of each entity of the key towards recall.

    The differences add up to the difference of the numerators (for BLANC, of the part that the kind
    belongs to). Where only shared mentions count (`blanc` "recasens2011"), possible is that of a.
    Raises PolicyError as `compared_mentions`.
    """
    both = [(r, metric_of(metric, r.metrics)) for r in (a, b)]
    ours, theirs = (credit_table(r.compared[m.id], m, by="entity") for r, m in both)
    columns = ours[["document", "kind", "entity", "mentions", "possible"]]
    credit = {"credit_a": ours["credit"], "credit_b": theirs["credit"]}
    table = columns.assign(**credit, difference=theirs["credit"] - ours["credit"])
    counts = (table[["possible", *credit]] > 0).any(axis=1)
    return table[counts].reset_index(drop=True)


def most_unequal(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `compared_mentions` or `compared_entities` with unequal credit, the largest
    difference first, and of equal differences the largest entity first."""
    size = "mentions" if "mentions" in table else "size"
    gap = table["difference"].abs().round(PLACES)
    unequal = table.assign(gap=gap)[gap > TOLERANCE]
    return unequal.sort_values(["gap", size], ascending=False, kind="stable").drop(columns="gap")


def one_per_entity(unequal: pd.DataFrame) -> pd.DataFrame:
    """Of the rows of `most_unequal` the first of each entity of the key, in turn one of which A and
    one of which B earns more, as long as there are both."""
    entity = "entity" if "entity" in unequal else "key_entity"
    first = unequal.drop_duplicates(["document", entity])
    place = first.groupby(first["difference"] > 0).cumcount()
    return first.loc[place.sort_values(kind="stable").index]


def examples(mentions: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of `compared_mentions` for the clearest mentions that only A, or only B, has
    correct, by ONLY_A and ONLY_B: one per entity, the largest difference in credit first."""
    more = {ONLY_A: A_MORE, ONLY_B: B_MORE}
    return {
        outcome: one_per_entity(
            most_unequal(
                mentions[(mentions["outcome"] == outcome) & (mentions["verdict"] == verdict)]
            )
        ).head(3)
        for outcome, verdict in more.items()
    }


def _compared(a: Comparison, b: Comparison, side: str) -> tuple[IntArray, IntArray]:
    """The mentions compared, by their numbers on that side of each comparison: all of the key, or
    those of the responses that are at the same place in both."""
    if choose("side", side, SIDES) == "recall":
        every = np.arange(len(a.recall.own.start))
        return every, every
    first, second = (
        pd.DataFrame({"document": of.document, "start": of.start, "end": of.end})
        .drop_duplicates()
        .reset_index(names=letter)
        for letter, of in (("a", a.precision.own), ("b", b.precision.own))
    )
    both = first.merge(second)
    return both["a"].to_numpy(), both["b"].to_numpy()


def _classes(comparison: Comparison, side: str) -> IntArray:
    """(mentions,) the class of each mention of the key (recall) or response (precision), by its
    place in MENTION_CLASSES."""
    classes = mention_classes(comparison)
    of_side = classes.key if side == "recall" else classes.response
    number = np.empty(len(comparison.view(side).own.start), dtype=np.int64)
    number[of_side[of_side >= 0]] = classes.number[of_side >= 0]
    return number


def _credit_shares(result: Result, rows: IntArray, metric: str, side: str) -> FloatArray:
    share = mention_share(result.comparison, metric_of(metric, result.metrics), side=side)
    return share[rows]


def _verdicts(a: FloatArray, b: FloatArray) -> "pd.Categorical[str]":
    conditions = {
        NOTHING: np.isnan(a) | np.isnan(b),
        A_MORE: a - b > TOLERANCE,
        B_MORE: b - a > TOLERANCE,
        BOTH_ALL: a >= 1 - TOLERANCE,
    }
    numbers = [VERDICTS.index(name) for name in conditions]
    number = np.select(list(conditions.values()), numbers, VERDICTS.index(BOTH_PART))
    return category(number, VERDICTS)


# Errors -------------------------------------------------------------------------------------------


def compared_errors(a: Result, b: Result) -> pd.DataFrame:
    """The number of errors of each of the seven kinds: columns a, b and difference (b − a).

    Raises PolicyError as `corescore.analysis.errors.tables.operation_table`.
    """
    counts = {
        name: operation_table(r.comparison)["kind"].value_counts()
        for name, r in (("a", a), ("b", b))
    }
    table = pd.DataFrame(counts).reindex(list(KINDS)).rename_axis("kind")
    return table.assign(difference=table["b"] - table["a"])


def error_differences(a: Result, b: Result, *, by: str = "document") -> pd.DataFrame:
    """How many more errors of each kind b has than a: one row per document or slice, one column
    per kind. `by` and PolicyError as in `analysis.errors.tables.error_counts`."""
    of_a, of_b = (error_counts(operation_table(r.comparison), column="kind", by=by) for r in (a, b))
    return of_b - of_a


def most_different(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `error_differences` that are not all 0, the largest differences first."""
    size = table.abs().sum(axis=1).sort_values(ascending=False, kind="stable")
    return table.loc[size[size > 0].index]
