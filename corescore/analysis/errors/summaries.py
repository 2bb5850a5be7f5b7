"""What errors cost: the gain of fixing each kind, the credit of each slice."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from corescore.analysis.credit.units import mention_credit
from corescore.analysis.errors.mention_tables import slice_table
from corescore.analysis.errors.slices import SLICES
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison
from corescore.counting.counts import divide
from corescore.metrics import METRICS, Metric

GAINS = ("alone", "in_order", "last", "share")
ALL_KINDS = "all seven"


def gain_table(impact: pd.DataFrame, *, gain: str = "alone", measure: str = "f1") -> pd.DataFrame:
    """How much fixing each kind of error adds to a measure, in fractions.

    A row for each kind and a last row, "all seven", for fixing everything; a column for each
    metric.

    impact   of `corescore.analysis.errors.tables.impact_table`
    gain     alone: this kind and no other; in_order: after the kinds before it; last: after all
             others; share: on average over all orders (Shapley). in_order and share add up to
             the last row.
    measure  recall, precision or f1
    """
    choose("gain", gain, GAINS)
    rows = impact[impact["measure"] == choose("measure", measure, ("recall", "precision", "f1"))]
    by_metric = rows.groupby("metric", sort=False)
    fixed = by_metric["cumulative"].transform("last")
    before = by_metric["cumulative"].shift().fillna(rows["score"])
    gains = {
        "alone": rows["alone"] - rows["score"],
        "in_order": rows["cumulative"] - before,
        "last": fixed - rows["all_but"],
        "share": rows["share"],
    }
    table = rows.assign(gain=gains[gain]).pivot(index="kind", columns="metric", values="gain")
    table = table.loc[rows["kind"].unique(), rows["metric"].unique()]
    table.loc[ALL_KINDS] = (fixed - rows["score"]).groupby(rows["metric"]).first()
    return table


def slice_credit(
    comparison: Comparison,
    metrics: Sequence[Metric] = METRICS,
    *,
    by: str = "type",
    side: str = "recall",
) -> pd.DataFrame:
    """The credit of the mentions of each slice as a share of the possible; NaN if that is 0.

    A row for each slice with a mention; the column mentions, their number, and one for each
    metric. A link counts half at each end; BLANC's parts are weighted as in its score. The
    mentions are those of the key (recall) or the response (precision).
    """
    slices = slice_table(comparison, side=side)[choose("by", by, SLICES)]
    number, n = slices.cat.codes.to_numpy(), len(slices.cat.categories)
    table = pd.DataFrame(
        {"mentions": np.bincount(number, minlength=n)}, index=slices.cat.categories
    )
    for metric in metrics:
        spread = mention_credit(comparison, metric, side=side) if metric.credit else []
        credit, possible = np.zeros(n), np.zeros(n)
        for part in {unit.part for unit in spread}:
            units = [unit for unit in spread if unit.part == part]
            whole = sum(float(unit.possible.sum()) for unit in units) or 1.0
            for unit in units:
                credit += np.bincount(number, unit.credit / whole, n)
                possible += np.bincount(number, unit.possible / whole, n)
        table[metric.id] = divide(credit, possible, empty=np.nan)
    return table[table["mentions"] > 0]
