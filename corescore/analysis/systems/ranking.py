"""Many responses to one key: ranks under each metric, observed and resampled."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from corescore.analysis.significance.bootstrap import LEVEL, check_level
from corescore.analysis.significance.resampling import (
    SEED,
    TRIALS,
    Block,
    Resamples,
    Run,
    blocks_of,
    few_documents,
    in_turn,
)
from corescore.analysis.significance.stack import Stack, measures_of
from corescore.arrays import FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.scoring.tally import Tally
from corescore.tolerances import PLACES, STEP_PLACES


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
        return few_documents(self.n_documents)

    def _quantile(self, tail: float) -> IntArray:
        """(responses, metrics) the first rank with this share of resamples at or below it."""
        wanted = round(tail * self.trials, STEP_PLACES)
        enough = np.cumsum(self.n_at_rank, axis=-1) >= wanted
        rank: IntArray = 1 + np.argmax(enough, axis=-1)
        return rank


def ranking(
    results: Mapping[str, Tally],
    *,
    measure: str = "f1",
    level: float = LEVEL,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Ranking:
    """Rank any number of responses to one key, on the corpus and on resamples of its documents.

    A resample has the same documents for all responses. Raises ValueError if the results are not
    over one key under the same policies, for fewer than one trial and for a level not between 0
    and 1; PolicyError for an unknown measure.
    """
    check_level(level)
    stack = Stack.of(*results.values())
    choose("measure", measure, MEASURES)
    scores = _scores(stack, stack.total, measure)[..., 0]
    n_documents = len(stack.values)
    blocks = blocks_of(Resamples, n_documents, trials=trials, seed=seed)
    n_at_rank = np.zeros((*scores.shape, len(results)), dtype=np.int64)
    for of_block in run(partial(ranks_in, measure=measure), stack, blocks):
        n_at_rank += of_block
    names = tuple(name for name in stack.names if measure in measures_of(name))
    return Ranking(
        tuple(results), names, measure, scores, n_at_rank, level, trials, seed, n_documents
    )


def ranks_in(stack: Stack, block: Block, *, measure: str) -> IntArray:
    """(systems, metrics, ranks) the number of resamples of one block in which a system has rank 1,
    2, … by the metrics that have the measure."""
    place = ranks(_scores(stack, stack.values.T @ block.weights, measure).T).T
    at_rank = [(place == rank + 1).sum(axis=-1) for rank in range(len(stack.columns))]
    return np.stack(at_rank, axis=-1)


def _scores(stack: Stack, sums: FloatArray, measure: str) -> FloatArray:
    """(systems, metrics that have the measure, rows) scores from sums over documents, (columns,
    rows)."""
    kept = np.array([measure in measures_of(name) for name in stack.names])
    scores = np.array([stack.scores(sums[columns]) for columns in stack.columns])
    return scores[:, kept, MEASURES.index(measure)]


def ranks(scores: FloatArray) -> IntArray:
    """The rank of each score along the last axis: 1 + the number of better scores."""
    from scipy.stats import rankdata  # slow to import

    found: IntArray = rankdata(-scores.round(PLACES), method="min", axis=-1).astype(np.int64)
    return found
