"""Averages over documents, each by the rule of a scorer that prints one.

Published scores are sums over documents, divided once. These stand beside them when chosen.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from corescore.arrays import FloatArray
from corescore.counting.counts import MEASURES, Score, divide, empty_score, harmonic_mean
from corescore.metrics import CONLL

DocumentScores = Mapping[str, Score[FloatArray]]
Means = dict[str, Score[float]]


def macro_means(scores: DocumentScores) -> Means:
    """The mean of recall, precision and F1, each over the documents where it is not empty."""

    def mean(values: FloatArray, measure: str) -> float:
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else np.nan

    return {name: _averaged(score, mean) for name, score in scores.items()}


def weighted_means(
    scores: DocumentScores, n_key_mentions: FloatArray, n_response_mentions: FloatArray
) -> Means:
    """Recall weighted by the mentions of the key, precision by those of the response, F1 by both.

    This is what scorch prints of scores in which 0/0 is 0 and the key has each spurious mention as
    a singleton. 0 where there is no mention.
    """
    both = n_key_mentions + n_response_mentions
    weights = dict(zip(MEASURES, (n_key_mentions, n_response_mentions, both), strict=True))

    def mean(values: FloatArray, measure: str) -> float:
        if np.isnan(values).any():  # of a measure that the metric does not have
            return np.nan
        weight = weights[measure]
        total, above = weight.sum(keepdims=True), (weight * values).sum(keepdims=True)
        return float(divide(above, total, empty=0)[0])

    return {name: _averaged(score, mean) for name, score in scores.items()}


def means_then_f1(scores: DocumentScores) -> Means:
    """The means of recall and of precision, and F1 of the two, as Stanza's scorer.

    In `scores` 0/0 is 0. The CoNLL average is the mean of its members' F1; the F1 of a metric
    without recall and precision is empty.
    """
    plain = {name: _averaged(score, _mean) for name, score in scores.items()}
    means = {name: _with_f1(score) for name, score in plain.items()}
    if CONLL.id in means:
        f1 = float(np.mean([means[name].f1 for name in CONLL.members]))
        means[CONLL.id] = replace(means[CONLL.id], f1=f1)
    return means


def _mean(values: FloatArray, measure: str) -> float:
    return float(values.mean()) if len(values) else 0.0


def _with_f1(score: Score[float]) -> Score[float]:
    recall, precision = np.array([score.recall]), np.array([score.precision])
    f1 = float(harmonic_mean(recall, precision)[0])
    parts = {name: _with_f1(part) for name, part in score.parts.items()}
    return replace(score, f1=f1, parts=parts)


def _averaged(score: Score[FloatArray], mean: Callable[[FloatArray, str], float]) -> Score[float]:
    """A Score of means, without counts."""
    recall, precision, f1 = (mean(getattr(score, name), name) for name in MEASURES)
    parts = {name: _averaged(part, mean) for name, part in score.parts.items()}
    return replace(empty_score(1).row(0), recall=recall, precision=precision, f1=f1, parts=parts)
