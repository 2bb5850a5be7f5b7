"""Counts → the scores of documents, and of the whole corpus: sums, divided once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from corescore.arrays import FloatArray
from corescore.counting.counts import Counts, Score, empty_score
from corescore.metrics import CONLL, Metric


def sums(metrics: Iterable[Metric], counts: Mapping[str, Counts]) -> dict[str, Score[float]]:
    """The score of the whole corpus under each metric and, if its three are there, "conll"."""
    totals = {name: of.total() for name, of in counts.items()}
    return {name: score.row(0) for name, score in scores_of(metrics, totals, empty=0).items()}


def scores_of(
    metrics: Iterable[Metric], counts: Mapping[str, Counts], *, empty: float
) -> dict[str, Score[FloatArray]]:
    """The score of each row of the counts (by the metrics' ids) under each metric, and under
    "conll", last, if its three are there; 0/0 is `empty`."""
    scores = {metric.id: metric.score(counts[metric.id], empty=empty) for metric in metrics}
    if all(name in scores for name in CONLL.members):
        scores[CONLL.id] = conll_score(scores)
    return scores


def conll_score(scores: Mapping[str, Score[FloatArray]]) -> Score[FloatArray]:
    """The mean of the F1 of MUC, B³ and CEAF_e; one that is empty for a document counts as 0.

    Empty where all three are. It has no recall, precision or counts: those are NaN. Range 0 to 1.
    Pradhan et al. 2012.
    """
    f1 = np.array([scores[name].f1 for name in CONLL.members])
    mean = np.where(np.isnan(f1).all(axis=0), np.nan, np.nan_to_num(f1).mean(axis=0))
    return replace(empty_score(len(mean)), f1=mean)
