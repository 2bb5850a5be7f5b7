"""Two responses compared by mentions, entities and errors."""

import numpy as np
import pandas as pd

from corescore.analysis.credit import credit_table, mention_share
from corescore.analysis.errors.classes import CORRECT, MENTION_CLASSES, mention_classes
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import (
    error_counts,
    mention_columns,
    operation_table,
    outcomes,
    slice_columns,
)
from corescore.corpus.problems import choose
from corescore.counting.comparison import SIDES, Comparison
from corescore.metrics import metric_of
from corescore.scoring.scores import Result
from corescore.util import PLACES, TOLERANCE, FloatArray, IntArray

A_MORE, B_MORE = "A earns more", "B earns more"
BOTH_ALL, BOTH_PART = "both earn all", "equal, not all"
NOTHING = "nothing to earn"
VERDICTS = (A_MORE, B_MORE, BOTH_ALL, BOTH_PART, NOTHING)


def compared_mentions(a: Result, b: Result, metric: str, *, side: str = "recall") -> pd.DataFrame:
    """A row for each mention of the key, in text order: how each response resolves it. For
    "precision", a row for each mention that both responses have, be it in the key or not.

    Columns: document, mention (its words), start, end, key_entity, a_entity, b_entity (NA where
    that response lacks the mention);
    class_a, class_b: correct, unlinked, incorrectly resolved, span error or missing;
    outcome: in which response it is correct, as in `outcomes.outcome_table`;
    credit_a, credit_b: its credit towards the metric's recall, or precision, as a share of the
    possible, 0 to 1, NaN if nothing is possible (`corescore.analysis.credit.mention_share`);
    difference (b − a), and verdict: A earns more, B earns more, both earn all, equal, not all
    (both earn the same, but less than all), nothing to earn; and a categorical for each kind of
    slice.
    `corescore.analysis.errors.tables.error_counts` counts rows by document or slice.
    Raises PolicyError for an unknown metric or side, or a metric that does not define credit.
    """
    rows = _rows(a.comparison, b.comparison, side)
    table = _class_columns((a.comparison, b.comparison), rows, side)
    credit = [_credit(*of, metric, side) for of in zip((a, b), rows, strict=True)]
    return table.assign(
        credit_a=credit[0],
        credit_b=credit[1],
        difference=credit[1] - credit[0],
        verdict=_verdicts(*credit),
        **slice_columns(a.comparison, *_ends(a.comparison, rows[0], side)),
    )


def verdict_counts(a: Result, b: Result, *, side: str = "recall") -> pd.DataFrame:
    """The number of mentions of each verdict, those that `compared_mentions` has rows for: a row
    for each metric that defines credit, a column for each of VERDICTS."""
    at = _rows(a.comparison, b.comparison, side)
    names = [metric.id for metric in a.metrics if metric.credit is not None]
    rows = [
        _verdicts(_credit(a, at[0], name, side), _credit(b, at[1], name, side)).codes
        for name in names
    ]
    counts = [np.bincount(codes, minlength=len(VERDICTS)) for codes in rows]
    return pd.DataFrame(counts, index=pd.Index(names, name="metric"), columns=list(VERDICTS))


def compared_entities(a: Result, b: Result, metric: str) -> pd.DataFrame:
    """The credit of each entity of the key towards recall: a row for each kind of unit and each
    entity with such units.

    Columns: document, kind (of unit), entity (counted from 1 in its document), mentions, possible,
    credit_a, credit_b, difference (b − a). The differences add up to the difference of the
    numerators (for BLANC, of the part that the kind belongs to). Where only shared mentions count
    (`blanc` "recasens2011"), possible is that of a. Raises PolicyError as `compared_mentions`.
    """
    of = [(r, metric_of(metric, r.metrics)) for r in (a, b)]
    ours, theirs = (credit_table(r.compared[m.id], m, by="entity") for r, m in of)
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
    """How many more errors of each kind b has than a: a row for each document or slice, a column
    for each kind. `by` and PolicyError as in `mention_tables.error_counts`."""
    of_a, of_b = (error_counts(operation_table(r.comparison), of="kind", by=by) for r in (a, b))
    return of_b - of_a


def most_different(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `error_differences` that are not all 0, the largest differences first."""
    size = table.abs().sum(axis=1).sort_values(ascending=False, kind="stable")
    return table.loc[size[size > 0].index]


def _rows(a: Comparison, b: Comparison, side: str) -> tuple[IntArray, IntArray]:
    """The mentions compared, by their numbers on that side of each comparison: all of the key, or
    those of the responses that are at the same place in both."""
    if choose("side", side, SIDES) == "recall":
        every = np.arange(len(a.recall.own.start))
        return every, every
    places = [
        pd.MultiIndex.from_arrays([of.document, of.start, of.end])
        for of in (a.precision.own, b.precision.own)
    ]
    once = ~places[0].duplicated() & places[0].isin(places[1])
    rows = np.flatnonzero(once)
    first = places[1].duplicated()
    at = pd.Series(np.flatnonzero(~first), places[1][~first])
    return rows, at.loc[places[0][rows]].to_numpy()


def _ends(of: Comparison, rows: IntArray, side: str) -> tuple[IntArray, IntArray]:
    """The mentions as those of the key and of the response; −1 where one lacks them."""
    if side == "recall":
        return rows, np.full(len(rows), -1)
    return of.precision.own_partner[rows], rows


def _class_columns(
    both: tuple[Comparison, Comparison], rows: tuple[IntArray, IntArray], side: str
) -> pd.DataFrame:
    """The columns of `compared_mentions` that do not depend on the metric."""
    pairs = [
        (of.view(side).own_partner[at], at)[:: -1 if side == "recall" else 1]
        for of, at in zip(both, rows, strict=True)
    ]
    frames = [mention_columns(of, *pair) for of, pair in zip(both, pairs, strict=True)]
    classes = [_classes(of, side)[at] for of, at in zip(both, rows, strict=True)]
    correct = [of == MENTION_CLASSES.index(CORRECT) for of in classes]
    table = frames[0].rename(columns={"response_entity": "a_entity"})
    return table.assign(
        b_entity=frames[1]["response_entity"],
        class_a=pd.Categorical.from_codes(classes[0], pd.Index(MENTION_CLASSES)),
        class_b=pd.Categorical.from_codes(classes[1], pd.Index(MENTION_CLASSES)),
        outcome=outcomes(np.ones(len(table), dtype=bool), *correct),
    )


def _classes(comparison: Comparison, side: str) -> IntArray:
    """(mentions,) the class of each mention of the key (recall) or response (precision), by its
    place in MENTION_CLASSES."""
    classes = mention_classes(comparison)
    of_side = classes.key if side == "recall" else classes.response
    number = np.empty(len(comparison.view(side).own.start), dtype=np.int64)
    number[of_side[of_side >= 0]] = classes.number[of_side >= 0]
    return number


def _credit(result: Result, rows: IntArray, metric: str, side: str) -> FloatArray:
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
    return pd.Categorical.from_codes(number, pd.Index(VERDICTS))
