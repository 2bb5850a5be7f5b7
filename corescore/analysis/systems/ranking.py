"""Many responses to one key: ranks under each metric, and groups that do not differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np
import pandas as pd

from corescore.analysis.significance.bootstrap import LEVEL, check_level
from corescore.analysis.significance.randomisation import as_large_as_observed, holm
from corescore.analysis.significance.resampling import SEED, TRIALS, resamples, warnings
from corescore.analysis.significance.stack import Stack, measures_of, needed_for
from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.scoring.scores import Scores
from corescore.tolerances import PLACES


@dataclass(frozen=True)
class Ranking:
    """The ranks of responses by one measure under each metric, observed and resampled.

    responses  their names, in the order given
    metrics    the ids of the metrics that have the measure, "conll" last
    scores     (responses, metrics) of the whole corpus, fractions
    n_at_rank  (responses, metrics, ranks) the number of resamples in which a response has rank 1,
               2, …: one more than the number of better ones, so that equals share a rank
    """

    responses: tuple[str, ...]
    metrics: tuple[str, ...]
    measure: str
    scores: FloatArray
    n_at_rank: IntArray
    level: float
    trials: int
    seed: int
    n_documents: int

    @property
    def table(self) -> pd.DataFrame:
        """A row for each metric and response, the best first.

        Columns: response, metric, score (a fraction), rank, first (the share of resamples in
        which none is better), mean_rank, low and high (the interval of ranks with confidence
        `level`).
        """
        index = pd.MultiIndex.from_product(
            [self.responses, self.metrics], names=["response", "metric"]
        )
        share = self.shares
        low, high = (self._quantile(tail) for tail in ((1 - self.level) / 2, (1 + self.level) / 2))
        columns = {
            "score": self.scores,
            "rank": ranks(self.scores.T).T,
            "first": share[..., 0],
            "mean_rank": share @ np.arange(1, len(self.responses) + 1),
            "low": low,
            "high": high,
        }
        flat = {name: values.ravel() for name, values in columns.items()}
        table = pd.DataFrame(flat, index).reset_index()
        table["metric"] = pd.Categorical(table["metric"], list(self.metrics))
        return table.sort_values(["metric", "rank"], kind="stable", ignore_index=True)

    @property
    def correlation(self) -> pd.DataFrame:
        """(metrics × metrics) Kendall's τ_b between two rankings, −1 to 1; NaN where a metric
        gives all responses the same score. Kendall 1938."""
        table = pd.DataFrame(self.scores.round(PLACES), columns=list(self.metrics))
        return table.corr(method="kendall")

    @property
    def opposed(self) -> pd.DataFrame:
        """(metrics × metrics) the number of pairs of responses that two metrics rank in opposite
        order; equal scores are in no order."""
        scores = self.scores.round(PLACES)
        n_pairs = len(scores) ** 2
        ahead = (scores[:, None] > scores).reshape(n_pairs, -1).astype(np.int64)
        behind = (scores[:, None] < scores).reshape(n_pairs, -1).astype(np.int64)
        names = list(self.metrics)
        return pd.DataFrame(ahead.T @ behind, index=names, columns=names)

    @property
    def shares(self) -> FloatArray:
        """(responses, metrics, ranks) `n_at_rank` as shares of the resamples."""
        return self.n_at_rank / self.trials

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if there are few documents."""
        return warnings(self.n_documents)

    def _quantile(self, tail: float) -> IntArray:
        """(responses, metrics) the first rank with this share of resamples at or below it."""
        enough = np.cumsum(self.n_at_rank, axis=-1) >= tail * self.trials
        rank: IntArray = 1 + np.argmax(enough, axis=-1)
        return rank


def ranking(
    results: Mapping[str, Scores],
    *,
    measure: str = "f1",
    level: float = LEVEL,
    trials: int = TRIALS,
    seed: int = SEED,
) -> Ranking:
    """Rank any number of responses to one key, on the corpus and on resamples of its documents.

    A resample has the same documents for all responses. Raises ValueError if the results are not
    over one key under the same policies, for fewer than one trial and for a level not between 0
    and 1; PolicyError for an unknown measure.
    """
    check_level(level)
    stack = Stack.of(*results.values())
    at = MEASURES.index(choose("measure", measure, MEASURES))
    kept = np.array([measure in measures_of(name) for name in stack.names])
    scores = _scores(stack, stack.total)[:, kept, at, 0]
    n_documents, n = len(stack.values), len(results)
    n_at_rank = np.zeros((*scores.shape, n), dtype=np.int64)
    for times in resamples(n_documents, trials=trials, seed=seed):
        place = ranks(_scores(stack, stack.values.T @ times)[:, kept, at].T).T
        for rank in range(n):
            n_at_rank[..., rank] += (place == rank + 1).sum(axis=-1)
    names = tuple(name for name in stack.names if measure in measures_of(name))
    return Ranking(
        tuple(results), names, measure, scores, n_at_rank, level, trials, seed, n_documents
    )


def _scores(stack: Stack, sums: FloatArray) -> FloatArray:
    """(systems, metrics, measures, rows) scores from sums over documents, (columns, rows)."""
    return np.array([stack.scores(sums[columns]) for columns in stack.columns])


def ranks(scores: FloatArray) -> IntArray:
    """The rank of each score along the last axis: 1 + the number of better scores."""
    from scipy.stats import rankdata  # slow to import

    found: IntArray = rankdata(-scores.round(PLACES), method="min", axis=-1).astype(np.int64)
    return found


@dataclass(frozen=True)
class Groups:
    """Groups of responses that do not differ significantly under one metric.

    responses  their names, the best first; equals in alphabetical order
    p          (responses, responses) approximate randomisation of each two; 1 on the diagonal
    p_holm     (responses, responses) Holm's correction over all pairs
    groups     the longest runs of neighbours in which no two differ (p_holm ≥ alpha), by name. A
               response may be in several; it is alone in one if it differs from its neighbours.
    """

    metric: str
    measure: str
    responses: tuple[str, ...]
    p: FloatArray
    p_holm: FloatArray
    groups: tuple[tuple[str, ...], ...]
    alpha: float
    trials: int
    seed: int
    n_documents: int

    @property
    def n_pairs(self) -> int:
        """The number of pairs of responses tested."""
        return len(self.responses) * (len(self.responses) - 1) // 2

    @property
    def alike_in_no_group(self) -> tuple[tuple[str, str], ...]:
        """Pairs that do not differ but share no group, because some two responses ranked between
        them do differ: differences vary less the more alike two responses are."""
        together = [set(group) for group in self.groups]
        return tuple(
            (one, other)
            for (i, one), (j, other) in combinations(enumerate(self.responses), 2)
            if self.p_holm[i, j] >= self.alpha
            and not any({one, other} <= group for group in together)
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of few documents, and of too few trials to find any difference."""
        needed = ceil(self.n_pairs / self.alpha)
        few = warnings(self.n_documents)
        if self.trials >= needed:
            return few
        return (
            *few,
            f"{self.trials} trials cannot tell any two of {len(self.responses)} responses apart "
            f"after Holm's correction over {self.n_pairs} pairs; take {needed} or more.",
        )


def groups(
    results: Mapping[str, Scores],
    metric: str,
    *,
    measure: str = "f1",
    alpha: float = 0.05,
    trials: int = TRIALS,
    seed: int = SEED,
) -> Groups:
    """Test each two responses under one metric, and group those that do not differ.

    The p-values are those of `corescore.analysis.significance.randomisation` with this seed.
    Raises ValueError as `ranking`, PolicyError for an unknown metric or measure.
    """
    choose("measure", measure, measures_of(metric))
    score = {
        name: round(getattr(result[metric], measure), PLACES) for name, result in results.items()
    }
    order = sorted(score, key=lambda name: (-score[name], name))
    stack = Stack.of(*(results[name] for name in order), metrics=needed_for(metric))
    at = stack.names.index(metric), MEASURES.index(measure)
    counts = as_large_as_observed(stack, trials=trials, seed=seed)
    p = (np.array([count[at] for count in counts.values()]) + 1) / (trials + 1)
    pairs = list(counts)
    p_holm = _square(holm(p), pairs, len(order))
    runs = [tuple(order[i] for i in run) for run in _runs(p_holm >= alpha)]
    return Groups(
        metric,
        measure,
        tuple(order),
        _square(p, pairs, len(order)),
        p_holm,
        tuple(runs),
        alpha,
        trials,
        seed,
        len(stack.values),
    )


def _square(p: FloatArray, pairs: Sequence[tuple[int, int]], n: int) -> FloatArray:
    """(n, n) the p-values of pairs, symmetric, 1 on the diagonal."""
    square = np.ones((n, n))
    for (i, j), value in zip(pairs, p.tolist(), strict=True):
        square[i, j] = square[j, i] = value
    return square


def _runs(alike: BoolArray) -> list[range]:
    """The longest ranges in which every two are alike."""
    runs: list[range] = []
    for first in range(len(alike)):
        last = first
        while last + 1 < len(alike) and alike[first : last + 1, last + 1].all():
            last += 1
        if not runs or last + 1 > runs[-1].stop:
            runs.append(range(first, last + 1))
    return runs
