"""Sweeps as pandas tables."""

from collections.abc import Iterable, Sequence

import pandas as pd

from corescore.analysis.perturbation.sweep import Run
from corescore.counting.counts import MEASURES

BAND = (0.1, 0.9)


def run_table(runs: Iterable[Run], metrics: Sequence[str]) -> pd.DataFrame:
    """A row for each run and each of the `metrics` (ids): dose, seed, metric, recall, precision,
    f1, as fractions. "conll" has only an f1."""
    rows = [
        (run.dose, run.seed, metric, *(getattr(run.scores[metric], name) for name in MEASURES))
        for run in runs
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=["dose", "seed", "metric", *MEASURES])


def band_table(runs: pd.DataFrame, *, band: tuple[float, float] = BAND) -> pd.DataFrame:
    """A row for each dose, metric and measure of a `run_table`: over the seeds the mean, and
    between which two quantiles, `low` and `high`, most values lie.

    band  the two quantiles, 10 % and 90 % if not said
    """
    keys = ["dose", "metric", "measure"]
    values = runs.melt(["dose", "seed", "metric"], [*MEASURES], "measure").dropna()
    values["metric"] = pd.Categorical(values["metric"], runs["metric"].unique())
    values["measure"] = pd.Categorical(values["measure"], MEASURES)
    groups = values.groupby(keys, observed=True)["value"]
    low, high = (groups.quantile(q) for q in band)
    table = pd.DataFrame({"mean": groups.mean(), "low": low, "high": high}).reset_index()
    return table.astype({"metric": str, "measure": str})
