"""What is computed to check the desiderata of Recasens & Hovy 2011, §3.2."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from corescore.metrics import Metric
from corescore.replication.experiment import Setting
from corescore.replication.partitions import Partition, of_sizes, partitions_of, score_partitions
from corescore.replication.recasens2011.repairs import (
    drawn_labels,
    groups,
    repair,
    score_chains,
    singletons_set_right,
)
from corescore.replication.recasens2011.table8 import SYSTEMS, eight_systems
from corescore.replication.toys import n_different
from corescore.tolerances import TOLERANCE

LOWEST, HIGHEST, FALLS = "lowest", "highest", "steps that fall"
ADDED, REMOVED, ALONE = "no rise: added", "no rise: removed", "no rise: singletons"
WRONG, MISSED = "one wrong link", "one missed link"
EIGHT, ALL = "different, eight responses", "different, all partitions"
GAP = "widest gap"
NOTHING, EVERYTHING = "all singletons", "one entity"
LARGE, SMALL = "finds the entity of 4", "finds the entity of 2"
SMALL_KEY = of_sizes([1, 2, 3])
DRAWN = (FALLS, ADDED, REMOVED, ALONE, ALL, GAP)


def desiderata(setting: Setting) -> pd.DataFrame:
    """Rows (check, metric). Columns: check, metric, value (a fraction) and `of` (how many).

    lowest, highest   the lowest and highest F1 of the pairs and of every step of their repair
    steps that fall   the share of repair steps at which F1 falls
    no rise: …        the share of steps at which F1 does not rise: of those that add correct links,
                      that remove wrong ones, and that take a key singleton out of an entity
    different, …      the number of different F1, by the number of responses: A to H of Table 8, and
                      all partitions of six mentions
    widest gap        the widest stretch from 0 to 1 that has no F1 of these partitions
    the others        F1 of responses to the key of Table 8
    """
    metrics = setting.metrics
    labels = drawn_labels(setting.number("pairs"), setting.number("seed"))
    checks = [*_repairs(labels, metrics), *_all_partitions(metrics), *_large_key(metrics)]
    return pd.concat(checks, ignore_index=True)


def drawn(table: pd.DataFrame) -> pd.DataFrame:
    """The checks of the chart."""
    return table[table["check"].isin(DRAWN)]


def _repairs(
    labels: Sequence[tuple[Sequence[int], Sequence[int]]], metrics: Sequence[Metric]
) -> Iterator[pd.DataFrame]:
    scores = score_chains([repair(correct, given) for correct, given in labels], metrics)
    f1 = scores.groupby("metric", sort=False)["f1"]
    yield _check(LOWEST, f1.min(), int(f1.size().iloc[0]))
    yield _check(HIGHEST, f1.max(), int(f1.size().iloc[0]))
    steps = scores.dropna()
    yield from _share(FALLS, steps, steps["change"] < -TOLERANCE)
    yield from _no_rise(ADDED, steps[steps["entities"] < 0])
    yield from _no_rise(REMOVED, steps[steps["entities"] > 0])
    first = [(groups(correct), groups(given)) for correct, given in labels]
    alone = [chain for pair in first for chain in singletons_set_right(*pair)]
    if alone:
        yield from _no_rise(ALONE, score_chains(alone, metrics).dropna())


def _no_rise(check: str, steps: pd.DataFrame) -> Iterator[pd.DataFrame]:
    return _share(check, steps, steps["change"] <= TOLERANCE)


def _share(check: str, steps: pd.DataFrame, where: "pd.Series[bool]") -> Iterator[pd.DataFrame]:
    """The share of steps for each metric; nothing without a step."""
    if len(steps):
        shares = where.astype(float).groupby(steps["metric"], sort=False)
        yield _check(check, shares.mean(), int(shares.size().iloc[0]))


def _all_partitions(metrics: Sequence[Metric]) -> Iterator[pd.DataFrame]:
    """Each partition of six mentions against the small key."""
    n = sum(map(len, SMALL_KEY))
    scores = score_partitions([(SMALL_KEY, partition) for partition in partitions_of(n)], metrics)
    f1 = scores.groupby("metric", sort=False)["f1"]
    of = scores["pair"].nunique()
    yield _check(ALL, f1.agg(n_different) / of, of)
    yield _check(GAP, f1.agg(_widest_gap), of)


def _widest_gap(values: "pd.Series[float]") -> float:
    """The widest stretch from 0 to 1 without a value."""
    return float(np.diff(np.unique([0, *values, 1])).max())


def _large_key(metrics: Sequence[Metric]) -> Iterator[pd.DataFrame]:
    """A to H of Table 8, and F1 of single responses to its key."""
    eight = eight_systems()
    f1 = score_partitions(eight, metrics).groupby("metric", sort=False)["f1"]
    yield _check(EIGHT, f1.agg(n_different) / len(eight), len(eight))
    key = eight[0][0]
    named = dict(zip(SYSTEMS, (response for _, response in eight), strict=True))
    responses = {
        WRONG: named["A"],
        MISSED: _only(key, 4, 3),
        NOTHING: named["G"],
        EVERYTHING: named["H"],
        LARGE: _only(key, 4),
        SMALL: _only(key, 2),
    }
    scores = score_partitions([(key, response) for response in responses.values()], metrics)
    for at, check in enumerate(responses):
        yield _check(check, scores[scores["pair"] == at].set_index("metric")["f1"], 1)


def _only(key: Partition, *sizes: int) -> Partition:
    """The key with its entities of other sizes in singletons."""
    split = [[[*e]] if len(e) in sizes else [[mention] for mention in e] for e in key]
    return [entity for entities in split for entity in entities]


def _check(check: str, values: "pd.Series[float]", of: int) -> pd.DataFrame:
    rows = [(check, metric, float(value), of) for metric, value in values.items()]
    return pd.DataFrame(rows, columns=["check", "metric", "value", "of"])
