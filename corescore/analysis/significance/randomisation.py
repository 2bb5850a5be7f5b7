"""Approximate randomisation (Noreen 1989): how often chance alone makes a difference as large."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.significance.exchanged import (
    Exchanged,
    Two,
    differences_after,
    every_two,
    exchanged,
    family_of,
)
from corescore.analysis.significance.resampling import (
    SEED,
    TRIALS,
    Block,
    Run,
    exchanges,
    few_documents,
    in_turn,
    is_enumerated,
    p_of,
    smallest_p,
    untestable,
)
from corescore.analysis.significance.stack import Stack, measure_table
from corescore.arrays import FloatArray
from corescore.counting.counts import divide
from corescore.scoring.tally import Tally
from corescore.tolerances import TOLERANCE
from corescore.wording import ALPHA


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
    p_max       (metrics, measures) the correction by the largest of the metrics (max T), for each
                measure; NaN as p_holm. See `max_t`
    n_as_large  (metrics, measures) the number of trials with a difference at least as large
    trials      how many exchanges were tried
    """

    metrics: tuple[str, ...]
    difference: FloatArray
    p: FloatArray
    p_holm: FloatArray
    p_max: FloatArray
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
    def n_tests(self) -> int:
        """How many metrics are tested together, those that p is corrected over."""
        return len(family_of(self.metrics))

    @property
    def table(self) -> pd.DataFrame:
        """A row for each metric and measure: metric, measure, difference, p, p_holm, p_max."""
        columns = {"difference": self.difference, "p": self.p}
        corrected = {"p_holm": self.p_holm, "p_max": self.p_max}
        return measure_table(self.metrics, columns | corrected)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no difference can be significant."""
        tested = untestable(self.n_documents, self.n_tests, self.trials)
        if tested and self.smallest_p < ALPHA:
            tested = (f"{tested[0][:-1]}. Corrected by max T one can be.",)
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
    return p_values(exchanged(a, b, trials=trials, seed=seed, run=run))


def p_values(of: Exchanged) -> Randomisation:
    """The p-values that some exchanges give; see `randomisation`."""
    n, difference = of.n_documents, of.observed
    as_large = (abs(of.differences) >= abs(difference)[..., None] - TOLERANCE).sum(axis=-1)
    p = np.where(np.isnan(difference), np.nan, p_of(as_large.astype(np.float64), n, of.trials))
    p_holm, family = np.full(p.shape, np.nan), list(of.family)
    p_holm[family] = holm(p[family])
    return Randomisation(
        of.metrics,
        difference,
        p,
        p_holm,
        max_t(of),
        as_large.astype(np.float64),
        of.n_exchanges,
        of.seed,
        n,
    )


def max_t(of: Exchanged) -> FloatArray:
    """(metrics, measures) p corrected over the metrics by the largest of them, for each measure.

    T of a metric is |b − a| divided by its standard deviation over all exchanges; the corrected p
    is the share of exchanges in which the largest T of all metrics is at least the metric's own
    observed one. The metrics are exchanged together, so that the correction is as small as their
    correlation allows. They are studentised because their differences vary by unlike amounts:
    otherwise the metric that varies most would decide for all. It is never below p. Single-step, so
    that it can exceed Holm’s; NaN for diagnostics, CoNLL and a single document. The null hypothesis
    is that of `randomisation`, for all metrics at once. Westfall & Young 1993, Resampling-based
    multiple testing, §2.
    """
    observed = divide(abs(of.observed), of.spread, empty=0)
    near = divide(np.full(observed.shape, TOLERANCE), of.spread, empty=TOLERANCE)
    found = np.full(observed.shape, np.nan)
    for metric in of.family:
        for measure, ascending in enumerate(of.largest):
            below = np.searchsorted(ascending, (observed - near)[metric, measure])
            found[metric, measure] = len(ascending) - below
    return p_of(found, of.n_documents, of.trials)


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
    observed, leaves = stack.observed[..., None], stack.values.T @ block.weights
    counts = {}
    for (i, j), differences in differences_after(stack, leaves, every_two(stack)):
        as_large = abs(differences) >= abs(observed[j] - observed[i]) - TOLERANCE
        counts[i, j] = as_large.sum(axis=-1).astype(np.float64)
    return counts


def _exchanges(stack: Stack, trials: int, seed: int) -> Iterator[Block]:
    return exchanges(len(stack.values), trials=trials, seed=seed)


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
