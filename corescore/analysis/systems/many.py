"""Many responses to one key: ranks under each metric, observed and resampled."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from corescore.analysis.significance import (
    LEVEL,
    SEED,
    TRIALS,
    ByExchanges,
    Exchanges,
    Resamples,
    Run,
    Stack,
    array_table,
    blocks_of,
    check,
    few_documents,
    holm,
    in_turn,
    measures_of,
    p_of_pairs,
    tails_of,
)
from corescore.analysis.systems.comparability import Finding, against_best
from corescore.analysis.systems.pair import Evidence, Pair, evidence
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
        """One row per metric and response, the best first.

        Columns: response, metric, score (a fraction), rank, first (the share of resamples in
        which none is better), mean_rank, low and high (the interval of ranks with confidence
        `level`).
        """
        low, high = (
            1 + np.argmax(np.cumsum(self.n_at_rank, axis=-1) >= wanted, axis=-1)
            for wanted in np.round(tails_of(self.level) * self.trials, STEP_PLACES)
        )
        columns = {
            "score": self.scores,
            "rank": ranks(self.scores.T).T,
            "first": self.shares[..., 0],
            "mean_rank": self.shares @ np.arange(1, len(self.responses) + 1),
            "low": low,
            "high": high,
        }
        axes = {"response": self.responses, "metric": self.metrics}
        table = array_table(axes, columns)
        table["metric"] = pd.Categorical(table["metric"], self.metrics)
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
        scores, names = self.scores.round(PLACES), [*self.metrics]
        signs = np.sign(scores[:, None] - scores).reshape(-1, len(names))
        opposed = (signs > 0).T.astype(np.int64) @ (signs < 0)
        return pd.DataFrame(opposed, index=names, columns=names)

    @property
    def shares(self) -> FloatArray:
        """(responses, metrics, ranks) `n_at_rank` as shares of the resamples."""
        return self.n_at_rank / self.trials

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if there are few documents."""
        return few_documents(self.n_documents)


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
    scores = _scores_of_systems(stack, stack.total, measure)[..., 0]
    n = stack.n_documents
    blocks = blocks_of(Resamples, n, trials=trials, seed=seed)
    n_at_rank = np.sum([*run(partial(_ranks_in, measure=measure), stack, blocks)], axis=0)
    names = tuple(name for name in stack.names if measure in measures_of(name))
    return Ranking(tuple(results), names, measure, scores, n_at_rank, level, trials, seed, n)


def _ranks_in(stack: Stack, block: Exchanges, *, measure: str) -> IntArray:
    """(systems, metrics, ranks) the number of resamples of one block in which a system has rank 1,
    2, … by the metrics that have the measure."""
    place = ranks(_scores_of_systems(stack, stack.sums(block.weights), measure).T).T
    at_rank = [(place == rank + 1).sum(axis=-1) for rank in range(len(stack.values))]
    return np.stack(at_rank, axis=-1)


def _scores_of_systems(stack: Stack, sums: FloatArray, measure: str) -> FloatArray:
    """(systems, metrics that have the measure, rows) scores from sums over documents, (systems,
    counts, rows)."""
    kept = np.array([measure in measures_of(name) for name in stack.names])
    return stack.scores(sums)[:, kept, MEASURES.index(measure)]


def ranks(scores: FloatArray) -> IntArray:
    """The rank of each score along the last axis: 1 + the number of better scores."""
    rows = pd.DataFrame(-scores.round(PLACES).reshape(-1, scores.shape[-1]))
    return rows.rank(axis=1, method="min").to_numpy(np.int64).reshape(scores.shape)


# Many responses to one key: which do not differ significantly, and the ranks that these share -----


@dataclass(frozen=True)
class Groups(ByExchanges):
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

    @property
    def n_pairs(self) -> int:
        """The number of pairs of responses tested."""
        return len(self.responses) * (len(self.responses) - 1) // 2

    @property
    def shared_ranks(self) -> dict[str, int]:
        """The rank of each response where those that do not differ share one: `shared_ranks`."""
        ranks = shared_ranks(self.scores, self.p_holm < self.alpha)
        return dict(zip(self.responses, ranks.tolist(), strict=True))

    @property
    def alike_in_no_group(self) -> tuple[tuple[str, str], ...]:
        """Pairs that do not differ but share no group, because some two responses ranked between
        them do differ: differences vary less the more alike two responses are."""
        return tuple(
            (one, other)
            for (i, one), (j, other) in combinations(enumerate(self.responses), 2)
            if not self.p_holm[i, j] < self.alpha
            and not any({one, other} <= {*group} for group in self.groups)
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no two can be told apart."""
        return self.warnings_of(self.n_pairs)


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

    The p-values are those of `corescore.analysis.significance` with this seed.
    Raises ValueError as `ranking`, PolicyError for an unknown metric or measure.
    """
    choose("measure", measure, measures_of(metric))
    score = {
        name: round(getattr(result[metric], measure), PLACES) for name, result in results.items()
    }
    order = sorted(score, key=lambda name: (-score[name], name))
    stack, place = Stack.of_score(metric, measure, *(results[name] for name in order))
    p = p_of_pairs(stack, trials=trials, seed=seed, run=run)[:, *place]
    p_holm = _square(holm(p), len(order))
    runs = [tuple(order[i] for i in run) for run in longest_runs(~(p_holm < alpha))]
    return Groups(
        metric,
        measure,
        tuple(order),
        np.array([score[name] for name in order]),
        _square(p, len(order)),
        p_holm,
        tuple(runs),
        alpha,
        n_documents=stack.n_documents,
        asked=trials,
        seed=seed,
    )


def _square(p: FloatArray, n: int) -> FloatArray:
    """(n, n) the p-values of pairs, as `combinations`: symmetric, 1 on the diagonal."""
    square = np.ones((n, n))
    square[np.triu_indices(n, 1)] = p
    return np.minimum(square, square.T)


def longest_runs(alike: BoolArray) -> list[range]:
    """The longest ranges in which every two are alike."""
    runs: list[range] = []
    for first in range(len(alike)):
        end = first + 1
        while end < len(alike) and alike[first:end, end].all():
            end += 1
        if not runs or end > runs[-1].stop:
            runs.append(range(first, end))
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
    ranks = np.ones(len(scores), dtype=np.int64)
    opened = 0
    for first in (at for at in range(len(scores)) if not at or scores[at] != scores[at - 1]):
        equals = scores == scores[first]
        if differ[opened:first][:, equals].any():
            opened = first
        ranks[equals] = opened + 1
    return ranks


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


# What is concluded: who is first, and how sure that is --------------------------------------------


@dataclass(frozen=True)
class Best:
    """The best of many responses by one metric, and the second best.

    ranking   of all, under all metrics
    two       the names of the two best, in the order of their comparison
    findings  what speaks against comparing the best with any other
    evidence  for and against the difference of the two best
    """

    ranking: Ranking
    two: tuple[str, str]
    findings: tuple[Finding, ...]
    evidence: Evidence


def best_of_many(
    results: Mapping[str, Tally],
    metric: str,
    *,
    titles: Mapping[str, str],
    measure: str = "f1",
    trials: int = TRIALS,
    seed: int = SEED,
    pairs: Mapping[tuple[str, str], Pair] | None = None,
) -> Best:
    """Rank responses to one key, and compare the two best by a metric, as `evidence` does.

    results  by their names, such as letters; those that tie by the metric stay in this order
    titles   what the ranking calls them
    pairs    comparisons that are there already, by two names; another is made as needed

    Raises PolicyError for an unknown metric or measure, and as `ranking` does.
    """
    order = sorted(results, key=lambda name: -getattr(results[name][metric], measure))
    titled = {titles[name]: results[name] for name in order}
    ranked = ranking(titled, measure=measure, trials=trials, seed=seed)
    a, b, *_ = order
    made = pairs or {}
    if (b, a) in made:
        a, b = b, a
    pair = made.get((a, b)) or Pair(results[a], results[b], trials=trials, seed=seed)
    return Best(
        ranked,
        (a, b),
        tuple(dict.fromkeys(against_best({name: results[name] for name in order}))),
        evidence(pair, metric, measure=measure, letters=(a, b)),
    )
