"""Averages over documents, each by the rule of a scorer that prints one.

Published scores are sums over documents, divided once. These stand beside them when chosen.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES, Counts, Score, divide, empty_score, harmonic_mean_of
from corescore.counting.policies import Policies
from corescore.metrics import CONLL, Metric
from corescore.scoring.presets import EMPTY_WITHOUT_KEY, SUMMED_BY_STANZA, is_stanza
from corescore.scoring.totals import scores_of

DocumentScores = Mapping[str, Score[FloatArray]]
Means = dict[str, Score[float]]


@dataclass(frozen=True, slots=True)
class Alone:
    """What scorch averages of a metric: its counts with each spurious mention as a singleton of the
    key, and how much each document weighs.

    weights  (documents, 2) the mentions of that key and of the response
    """

    counts: Counts
    weights: FloatArray

    @classmethod
    def of_documents(cls, shards: Sequence["Alone"]) -> "Alone":
        """The rows of several, one shard after the other."""
        counts = Counts.of_documents(*(shard.counts for shard in shards))
        return cls(counts, np.vstack([shard.weights for shard in shards]))

    def rows(self, index: IntArray) -> "Alone":
        """The rows at `index`, in that order."""
        return Alone(self.counts.rows(index), self.weights[index])


def alone(
    metrics: Iterable[Metric],
    counts: Mapping[str, Counts],
    table: Callable[[str], Contingency],
    policies: Policies,
) -> dict[str, Alone]:
    """What the average "scorch" needs of each metric, by its id; nothing under another.

    table  of a metric, by its id: each spurious mention is a singleton of the key there. It has
           each mention once, whatever the policy for repeats
    """
    if policies.average != "scorch":
        return {}
    made = {}
    for metric in metrics:
        changed = table(metric.id)
        weights = np.column_stack([changed.n_key_mentions, changed.n_response_mentions])
        counted = counts[metric.id] if metric.of_mentions else metric.counts(changed)
        made[metric.id] = Alone(counted, weights.astype(np.float64))
    return made


def averages(
    metrics: Sequence[Metric],
    counts: Mapping[str, Counts],
    by_scorch: Mapping[str, Alone],
    policies: Policies,
) -> Means:
    """The average over documents of each metric and, if its three are there, "conll".

    Under "stanza" LEA is the score of the sums over documents, as Stanza's scorer prints it.

    by_scorch  what `alone` makes of the metrics
    """
    if policies.average == "macro":
        return macro_means(scores_of(metrics, counts, empty=np.nan))
    if policies.average == "stanza":
        undefined = EMPTY_WITHOUT_KEY if is_stanza(policies) else ()
        averaged = {
            name: of.total() if name in SUMMED_BY_STANZA else of for name, of in counts.items()
        }
        means = {m.id: _mean_then_f1(m, averaged[m.id], m.id in undefined) for m in metrics}
    else:
        means = {m.id: _weighted_mean(m, by_scorch[m.id]) for m in metrics}
    if set(CONLL.members) <= means.keys():
        f1 = float(np.mean([means[name].f1 for name in CONLL.members]))
        means[CONLL.id] = replace(empty_score(1).row(0), f1=f1)
    return means


def macro_means(scores: DocumentScores) -> Means:
    """The mean of recall, precision and F1, each over the documents where it is not empty."""

    def mean(values: FloatArray, measure: str) -> float:
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else np.nan

    return {name: _averaged(score, mean) for name, score in scores.items()}


def _weighted_mean(metric: Metric, of: Alone) -> Score[float]:
    """Recall weighted by the mentions of the key, precision by those of the response, F1 by both.

    This is what scorch prints; in a document 0/0 is 0. 0 where there is no mention.
    """
    key, response = of.weights.T
    weights = dict(zip(MEASURES, (key, response, key + response), strict=True))

    def mean(values: FloatArray, measure: str) -> float:
        if np.isnan(values).any():  # of a measure that the metric does not have
            return np.nan
        weight = weights[measure]
        total, above = weight.sum(keepdims=True), (weight * values).sum(keepdims=True)
        return float(divide(above, total, empty=0)[0])

    return _averaged(metric.score(of.counts, empty=0), mean)


def _mean_then_f1(metric: Metric, counts: Counts, undefined: bool) -> Score[float]:
    """The means of recall and of precision, and F1 of the two, as in Stanza's scorer.

    In a document 0/0 is 0, or, where it is `undefined` without an entity of the key, empty; so is
    then the mean. The F1 of a metric without recall and precision is empty.
    """
    score = metric.score(counts, empty=0)
    if undefined:
        columns = counts.recall_denominator[:, 0], counts.precision_denominator[:, 0]
        lacks_key, lacks_both = columns[0] == 0, (columns[0] == 0) & (columns[1] == 0)
        recall = np.where(lacks_key, np.nan, score.recall)
        score = replace(
            score, recall=recall, precision=np.where(lacks_both, np.nan, score.precision)
        )
    return _with_f1(_averaged(score, _mean))


def _mean(values: FloatArray, measure: str) -> float:
    return float(values.mean()) if len(values) else 0.0


def _with_f1(score: Score[float]) -> Score[float]:
    if np.isnan(score.recall) or np.isnan(score.precision):
        f1 = np.nan
    else:
        f1 = harmonic_mean_of(score.recall, score.precision)
    parts = {name: _with_f1(part) for name, part in score.parts.items()}
    return replace(score, f1=f1, parts=parts)


def _averaged(score: Score[FloatArray], mean: Callable[[FloatArray, str], float]) -> Score[float]:
    """A Score of means, without counts."""
    recall, precision, f1 = (mean(getattr(score, name), name) for name in MEASURES)
    parts = {name: _averaged(part, mean) for name, part in score.parts.items()}
    return replace(empty_score(1).row(0), recall=recall, precision=precision, f1=f1, parts=parts)
