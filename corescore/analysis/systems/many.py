"""Many responses to one key: ranks under each metric, observed and resampled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from corescore.analysis.significance import LEVEL, SEED, TRIALS, check
from corescore.analysis.significance.exchanges import as_large_as_observed, holm
from corescore.analysis.significance.resamples import (
    Block,
    Resamples,
    Run,
    Stack,
    blocks_of,
    few_documents,
    in_turn,
    is_enumerated,
    measures_of,
    n_exchanges,
    needed_for,
    p_of,
    untestable,
)
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.scoring.tally import Tally
from corescore.util import PLACES, STEP_PLACES, BoolArray, FloatArray, IntArray
from corescore.wording import ALPHA, counted


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
    check(trials, seed, level)
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
    return stack.scores_of_each(sums)[:, kept, MEASURES.index(measure)]


def ranks(scores: FloatArray) -> IntArray:
    """The rank of each score along the last axis: 1 + the number of better scores."""
    from scipy.stats import rankdata  # slow to import

    found: IntArray = rankdata(-scores.round(PLACES), method="min", axis=-1).astype(np.int64)
    return found


# Many responses to one key: which do not differ significantly, and the ranks that these share -----


@dataclass(frozen=True)
class Groups:
    """Groups of responses that do not differ significantly under one metric.

    responses  their names, the best first; equals in alphabetical order
    scores     (responses,) rounded so that equals are equal
    p          (responses, responses) approximate randomisation of each two; 1 on the diagonal; NaN
               for a single document
    p_holm     (responses, responses) Holm's correction over all pairs
    groups     the longest runs of neighbours in which no two differ (p_holm < alpha), by name. A
               response may be in several; it is alone in one if it differs from its neighbours.
    """

    metric: str
    measure: str
    responses: tuple[str, ...]
    scores: FloatArray
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
    def is_exact(self) -> bool:
        """Whether all exchanges were tried, so that nothing was drawn."""
        return is_enumerated(self.n_documents)

    @property
    def shared_ranks(self) -> dict[str, int]:
        """The rank of each response where those that do not differ share one: `shared_ranks`."""
        ranks = shared_ranks(self.scores, self.p_holm < self.alpha)
        return dict(zip(self.responses, ranks.tolist(), strict=True))

    @property
    def alike_in_no_group(self) -> tuple[tuple[str, str], ...]:
        """Pairs that do not differ but share no group, because some two responses ranked between
        them do differ: differences vary less the more alike two responses are."""
        together = [set(group) for group in self.groups]
        return tuple(
            (one, other)
            for (i, one), (j, other) in combinations(enumerate(self.responses), 2)
            if not (
                self.p_holm[i, j] < self.alpha or any({one, other} <= group for group in together)
            )
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no two can be told apart."""
        tested = untestable(self.n_documents, self.n_pairs, self.trials)
        return (*few_documents(self.n_documents), *tested)


def groups(
    results: Mapping[str, Tally],
    metric: str,
    *,
    measure: str = "f1",
    alpha: float = ALPHA,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Groups:
    """Test each two responses under one metric, and group those that do not differ.

    The p-values are those of `corescore.analysis.significance.exchanges` with this seed.
    Raises ValueError as `ranking`, PolicyError for an unknown metric or measure.
    """
    choose("measure", measure, measures_of(metric))
    score = {
        name: round(getattr(result[metric], measure), PLACES) for name, result in results.items()
    }
    order = sorted(score, key=lambda name: (-score[name], name))
    stack = Stack.of(*(results[name] for name in order), metrics=needed_for(metric))
    at = stack.names.index(metric), MEASURES.index(measure)
    counts = as_large_as_observed(stack, trials=trials, seed=seed, run=run)
    n = len(stack.values)
    p = p_of(np.array([count[at] for count in counts.values()]), n, trials)
    pairs = list(counts)
    p_holm = _square(holm(p), pairs, len(order))
    runs = [tuple(order[i] for i in run) for run in longest_runs(~(p_holm < alpha))]
    return Groups(
        metric,
        measure,
        tuple(order),
        np.array([score[name] for name in order]),
        _square(p, pairs, len(order)),
        p_holm,
        tuple(runs),
        alpha,
        n_exchanges(n, trials),
        seed,
        n,
    )


def _square(p: FloatArray, pairs: Sequence[tuple[int, int]], n: int) -> FloatArray:
    """(n, n) the p-values of pairs, symmetric, 1 on the diagonal."""
    square = np.ones((n, n))
    for (i, j), value in zip(pairs, p.tolist(), strict=True):
        square[i, j] = square[j, i] = value
    return square


def longest_runs(alike: BoolArray) -> list[range]:
    """The longest ranges in which every two are alike."""
    runs: list[range] = []
    for first in range(len(alike)):
        last = first
        while last + 1 < len(alike) and alike[first : last + 1, last + 1].all():
            last += 1
        if not runs or last + 1 > runs[-1].stop:
            runs.append(range(first, last + 1))
    return runs


def shared_ranks(scores: FloatArray, differ: BoolArray) -> IntArray:
    """(systems,) ranks that systems without a significant difference share, the best one's.

    The systems are taken in order, equal scores together. They get the rank of the systems before
    them if they differ from none that has it; otherwise they open the next rank, which is 1 + the
    number of all systems before. So systems that share a rank do not differ; two that do not
    differ may still have different ranks, as "does not differ" is not transitive.

    scores  (systems,) the best first
    differ  (systems, systems) whether two differ significantly
    """
    found = np.ones(len(scores), dtype=np.int64)
    opened = 0
    for first in (at for at in range(len(scores)) if not at or scores[at] != scores[at - 1]):
        equals = scores == scores[first]
        if differ[opened:first][:, equals].any():
            opened = first
        found[equals] = opened + 1
    return found


def with_shared_ranks(table: pd.DataFrame, tested: Mapping[str, Groups]) -> pd.DataFrame:
    """The table of a `Ranking` with a column shared_rank after rank, and at the end family: what
    the p-values behind it are corrected over. tested: groups by metric."""
    keys = zip(table["metric"], table["response"], strict=True)
    shared = {metric: of.shared_ranks for metric, of in tested.items()}
    n_pairs = next(iter(tested.values())).n_pairs
    table = table.assign(
        shared_rank=[shared[metric][response] for metric, response in keys],
        family=f"{counted(n_pairs, 'pair')} of responses by one metric",
    )
    first = ["response", "metric", "score", "rank", "shared_rank"]
    return table[[*first, *table.columns.difference(first, sort=False)]]
