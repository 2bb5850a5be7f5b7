"""Approximate randomisation (Noreen 1989): how often chance alone makes a difference as large."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from corescore.analysis.significance.resampling import (
    SEED,
    TRIALS,
    Block,
    Run,
    exchanges,
    few_documents,
    in_turn,
    is_enumerated,
    n_exchanges,
    p_of,
    smallest_p,
    untestable,
)
from corescore.analysis.significance.stack import Stack, measure_table, measures_of, needed_for
from corescore.arrays import FloatArray
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.metrics import BESIDE_IDS
from corescore.scoring.tally import Tally
from corescore.tolerances import TOLERANCE

_BESIDE = {"conll", *BESIDE_IDS}  # no part of the family that Holm's correction is over
Two = tuple[int, int]  # the positions of two systems in a stack


@dataclass(frozen=True)
class Randomisation:
    """Two-sided p-values of the differences of two systems over one key.

    metrics     the ids of the metrics, "conll" last
    difference  (metrics, measures) b − a of the whole corpus, fractions; the measures as in
                MEASURES
    p           (metrics, measures) how many of the trials made a difference at least as large in
                either direction: (c + 1)/(n + 1) of n drawn ones, c/2ⁿ where all exchanges of up to
                13 documents are tried. NaN for CoNLL's R and P, and for a single document.
    p_holm      (metrics, measures) Holm's correction of p over the metrics, for each measure; NaN
                for diagnostics and CoNLL, which are not part of that family
    n_as_large  (metrics, measures) the number of trials with a difference at least as large
    trials      how many exchanges were tried
    """

    metrics: tuple[str, ...]
    difference: FloatArray
    p: FloatArray
    p_holm: FloatArray
    n_as_large: FloatArray
    trials: int
    seed: int
    n_documents: int

    @property
    def is_exact(self) -> bool:
        """Whether all exchanges were tried, so that nothing was drawn."""
        return is_enumerated(self.n_documents)

    @property
    def smallest_p(self) -> float:
        """What p cannot be below with so many documents and trials."""
        return smallest_p(self.n_documents, self.trials)

    @property
    def table(self) -> pd.DataFrame:
        """A row for each metric and measure: metric, measure, difference, p, p_holm."""
        columns = {"difference": self.difference, "p": self.p, "p_holm": self.p_holm}
        return measure_table(self.metrics, columns)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no difference can be significant."""
        n_tests = len(self.metrics) - len(_BESIDE & set(self.metrics))
        tested = untestable(self.n_documents, n_tests, self.trials)
        return (*few_documents(self.n_documents), *tested)


def randomisation(
    a: Tally, b: Tally, *, trials: int = TRIALS, seed: int = SEED, run: Run = in_turn
) -> Randomisation:
    """Exchange the two systems' counts of each document with probability ½, `trials` times; in all
    2ⁿ ways where there are up to 13 documents.

    The null hypothesis is that it does not matter which system made which response to a document.
    Neither the order of the documents nor which system is A changes p. p is 1 for two equal
    systems. A difference that equals the observed one up to rounding
    counts as at least as large. Noreen 1989, Computer-intensive methods for
    testing hypotheses. Raises ValueError if there are no trials, or the
    results are not over one key under the same policies.
    """
    stack = Stack.of(a, b)
    difference = observed_difference(stack, 0, 1)
    (as_large,) = as_large_as_observed(stack, trials=trials, seed=seed, run=run).values()
    n = len(a.documents)
    p = np.where(np.isnan(difference), np.nan, p_of(as_large, n, trials))
    p_holm = np.full(p.shape, np.nan)
    family = [at for at, name in enumerate(stack.names) if name not in _BESIDE]
    p_holm[family] = holm(p[family])
    tried = n_exchanges(n, trials)
    return Randomisation(stack.names, difference, p, p_holm, as_large, tried, seed, n)


def randomised_differences(
    a: Tally,
    b: Tally,
    metric: str,
    *,
    measure: str = "f1",
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> FloatArray:
    """(exchanges,) the differences b − a of the trials of `randomisation` under one metric.

    Raises ValueError as `randomisation`, PolicyError for an unknown metric or measure.
    """
    choose("metric", metric, a.scores)
    stack = Stack.of(a, b, metrics=needed_for(metric))
    at = stack.names.index(metric), MEASURES.index(choose("measure", measure, measures_of(metric)))
    blocks = run(differences_in, stack, _exchanges(stack, trials, seed))
    return np.concatenate([block[at] for block in blocks])


def observed_difference(stack: Stack, earlier: int, later: int) -> FloatArray:
    """(metrics, measures) the later system of a stack minus the earlier over all documents."""
    scores = [stack.scores(stack.total[stack.columns[at]]) for at in (earlier, later)]
    return (scores[1] - scores[0])[..., 0]


def as_large_as_observed(
    stack: Stack, *, trials: int, seed: int, run: Run = in_turn
) -> dict[Two, FloatArray]:
    """For each two systems, by position: (metrics, measures) the number of trials whose absolute
    difference is at least the observed one. All pairs see the same exchanges."""
    counts: dict[Two, FloatArray] = {}
    for of_block in run(as_large_in, stack, _exchanges(stack, trials, seed)):
        counts = {pair: counts.get(pair, 0) + count for pair, count in of_block.items()}
    return counts


def as_large_in(stack: Stack, block: Block) -> dict[Two, FloatArray]:
    """`as_large_as_observed` of the trials of one block."""
    observed = [stack.scores(stack.total[columns]) for columns in stack.columns]
    counts = {}
    for (i, j), differences in _differences(stack, block):
        as_large = abs(differences) >= abs(observed[j] - observed[i]) - TOLERANCE
        counts[i, j] = as_large.sum(axis=-1).astype(np.float64)
    return counts


def differences_in(stack: Stack, block: Block) -> FloatArray:
    """(metrics, measures, trials) the second system of a stack minus the first in the trials of one
    block."""
    return next(differences for _, differences in _differences(stack, block))


def _exchanges(stack: Stack, trials: int, seed: int) -> Iterator[Block]:
    return exchanges(len(stack.values), trials=trials, seed=seed)


def _differences(stack: Stack, block: Block) -> Iterator[tuple[Two, FloatArray]]:
    """For each two systems: their positions, and (metrics, measures, trials) the later minus the
    earlier after the exchanges of each trial."""
    leaves = stack.values.T @ block.weights
    stays = stack.total - leaves
    for i, j in combinations(range(len(stack.columns)), 2):
        earlier, later = stack.columns[i], stack.columns[j]
        exchanged = stays[earlier] + leaves[later], stays[later] + leaves[earlier]
        yield (i, j), stack.scores(exchanged[1]) - stack.scores(exchanged[0])


def holm(p: FloatArray) -> FloatArray:
    """(tests, …) p-values corrected along the first axis. Holm 1979.

    The k-th smallest of m is multiplied by m − k + 1, and is at most 1 and at least the one before
    it. NaN stays NaN and is not counted as a test.
    """
    order = np.argsort(p, axis=0)
    place = np.arange(len(p)).reshape(-1, *[1] * (p.ndim - 1))
    factored = np.take_along_axis(p, order, axis=0) * ((~np.isnan(p)).sum(axis=0) - place)
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.maximum.accumulate(factored, axis=0), axis=0)
    return np.minimum(corrected, 1)
