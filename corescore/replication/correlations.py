"""How similarly metrics score: pairwise correlations, and when we call one strong."""

import math

import pandas as pd

from corescore.analysis.systems.documents import CorrelationMethod
from corescore.replication.experiment import Check, Parameter
from corescore.wording import counted

STRONG, FEWEST = 0.8, 5
_METHODS: dict[str, CorrelationMethod] = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall": "kendall",
}
COEFFICIENT = Parameter(
    "coefficient",
    "Coefficient",
    "pearson",
    "pearson compares the scores themselves; spearman and kendall compare only their order.",
    choices=tuple(_METHODS),
)


def correlations(f1: pd.DataFrame, coefficient: str, unit: str) -> pd.DataFrame:
    """Rows (metric, other): the correlation of each two columns of `f1`, over the rows of both.

    f1           a row for each document or system, a column for each metric; NaN where a metric
                 has nothing to score
    coefficient  one of the choices of `COEFFICIENT`

    Columns: metric, other, correlation (−1 to 1; NaN where one of the two does not vary), and
    `unit` ("documents", "systems"): how many rows both have an F1 for.
    """
    there = f1.notna().astype(int)
    matrices = {"correlation": f1.corr(method=_METHODS[coefficient]), unit: there.T @ there}
    stacked = {name: matrix.stack(future_stack=True) for name, matrix in matrices.items()}
    return pd.DataFrame(stacked).rename_axis(["metric", "other"]).reset_index()


def strong(correlation: float, n: int, unit: str) -> Check:
    """Whether a correlation over `n` units ("document") is strong; None if there are fewer than
    `FEWEST`, or all have the same score."""
    sample = counted(n, unit)
    if n < FEWEST:
        return Check(None, f"{sample}, too few")
    if math.isnan(correlation):
        return Check(None, f"the same score on all {sample}")
    return Check(bool(correlation >= STRONG), f"{correlation:.3f} over {sample}")
