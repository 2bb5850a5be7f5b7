"""Two responses compared by mentions, entities and errors."""

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import credit_table
from corescore.analysis.credit.units import mention_share
from corescore.analysis.errors.mention_tables import error_counts, mention_columns, slice_columns
from corescore.analysis.errors.mentions import CORRECT, MENTION_CLASSES, mention_classes
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.outcomes import outcomes
from corescore.analysis.errors.tables import operation_table
from corescore.arrays import FloatArray, IntArray
from corescore.counting.comparison import Comparison
from corescore.metrics import metric_of
from corescore.scoring.scores import Scores
from corescore.tolerances import PLACES, TOLERANCE

A_MORE, B_MORE = "A earns more", "B earns more"
BOTH_ALL, BOTH_PART = "both earn all", "equal, not all"
NOTHING = "nothing to earn"
VERDICTS = (A_MORE, B_MORE, BOTH_ALL, BOTH_PART, NOTHING)


def compared_mentions(a: Scores, b: Scores, metric: str) -> pd.DataFrame:
    """A row for each mention of the key, in text order: how each response resolves it.

    Columns: document, mention (its words), start, end, key_entity, a_entity, b_entity (NA where
    that response lacks the mention);
    class_a, class_b: correct, unlinked, incorrectly resolved, span error or missing;
    outcome: in which response it is correct, as in `outcomes.outcome_table`;
    credit_a, credit_b: its credit towards the metric's recall as a share of the possible, 0 to
    1, NaN if nothing is possible (`corescore.analysis.credit.units.mention_share`);
    difference (b − a), and verdict: A earns more, B earns more, both earn all, equal, not all
    (both earn the same, but less than all), nothing to earn; and a categorical for each kind of
    slice.
    `corescore.analysis.errors.mention_tables.error_counts` counts rows by document or slice.
    Raises PolicyError for an unknown metric, or one that does not define credit.
    """
    table = _class_columns(a.comparison, b.comparison)
    credit = [_credit(result, metric) for result in (a, b)]
    every = np.arange(len(table))
    return table.assign(
        credit_a=credit[0],
        credit_b=credit[1],
        difference=credit[1] - credit[0],
        verdict=_verdicts(*credit),
        **slice_columns(a.comparison, every, np.full(len(every), -1)),
    )


def verdict_counts(a: Scores, b: Scores) -> pd.DataFrame:
    """The number of key mentions of each verdict: a row for each metric that defines credit, a
    column for each of VERDICTS."""
    names = [metric.id for metric in a.metrics if metric.credit is not None]
    rows = [_verdicts(_credit(a, name), _credit(b, name)).codes for name in names]
    counts = [np.bincount(codes, minlength=len(VERDICTS)) for codes in rows]
    return pd.DataFrame(counts, index=pd.Index(names, name="metric"), columns=list(VERDICTS))


def compared_entities(a: Scores, b: Scores, metric: str) -> pd.DataFrame:
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


def compared_errors(a: Scores, b: Scores) -> pd.DataFrame:
    """The number of errors of each of the seven kinds: columns a, b and difference (b − a).

    Raises PolicyError as `corescore.analysis.errors.tables.operation_table`.
    """
    counts = {
        name: operation_table(r.comparison)["kind"].value_counts()
        for name, r in (("a", a), ("b", b))
    }
    table = pd.DataFrame(counts).reindex(list(KINDS)).rename_axis("kind")
    return table.assign(difference=table["b"] - table["a"])


def error_differences(a: Scores, b: Scores, *, by: str = "document") -> pd.DataFrame:
    """How many more errors of each kind b has than a: a row for each document or slice, a column
    for each kind. `by` and PolicyError as in `mention_tables.error_counts`."""
    of_a, of_b = (error_counts(operation_table(r.comparison), of="kind", by=by) for r in (a, b))
    return of_b - of_a


def most_different(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `error_differences` that are not all 0, the largest differences first."""
    size = table.abs().sum(axis=1).sort_values(ascending=False, kind="stable")
    return table.loc[size[size > 0].index]


def _class_columns(a: Comparison, b: Comparison) -> pd.DataFrame:
    """The columns of `compared_mentions` that do not depend on the metric."""
    every = np.arange(len(a.recall.own.start))
    frames = [mention_columns(c, every, c.recall.own_partner) for c in (a, b)]
    classes = [_classes_of_key(comparison) for comparison in (a, b)]
    correct = [of == MENTION_CLASSES.index(CORRECT) for of in classes]
    table = frames[0].rename(columns={"response_entity": "a_entity"})
    return table.assign(
        b_entity=frames[1]["response_entity"],
        class_a=pd.Categorical.from_codes(classes[0], pd.Index(MENTION_CLASSES)),
        class_b=pd.Categorical.from_codes(classes[1], pd.Index(MENTION_CLASSES)),
        outcome=outcomes(np.ones(len(table), dtype=bool), *correct),
    )


def _classes_of_key(comparison: Comparison) -> IntArray:
    """(key mentions,) the class of each, by its place in MENTION_CLASSES."""
    classes = mention_classes(comparison)
    in_key = classes.key >= 0
    number = np.empty(int(in_key.sum()), dtype=np.int64)
    number[classes.key[in_key]] = classes.number[in_key]
    return number


def _credit(result: Scores, metric: str) -> FloatArray:
    return mention_share(result.comparison, metric_of(metric, result.metrics), side="recall")


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
