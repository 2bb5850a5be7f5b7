"""Intervals over documents, of one system or of a difference: bootstrap (percentile and BCa) and
jackknife with Student's t."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

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
from corescore.analysis.significance.stack import Stack, measure_table
from corescore.counting.counts import divide
from corescore.scoring.tally import Tally
from corescore.util import TOLERANCE, FloatArray

LEVEL = 0.95


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of scores, or of differences of scores.

    metrics     the ids of the metrics, "conll" last
    observed    (metrics, measures) of the whole corpus, fractions; the measures as in MEASURES
    percentile  (metrics, measures, 2) the quantiles of the resamples
    bca         (metrics, measures, 2) the same, corrected for bias and acceleration
    jackknife   (metrics, measures, 2) observed ± t · standard error by leaving each document out, t
                of n − 1 degrees of freedom. With few documents this covers the truth far more often
                than the bootstrap, whose resamples vary too little

    NaN for CoNLL's R and P, and for the intervals of a corpus of one document. The intervals have
    no width where all documents score the same.
    """

    metrics: tuple[str, ...]
    observed: FloatArray
    percentile: FloatArray
    bca: FloatArray
    jackknife: FloatArray
    level: float
    trials: int
    seed: int
    n_documents: int

    @property
    def table(self) -> pd.DataFrame:
        """One row per metric and measure: metric, measure, value, low, high, bca_low, bca_high,
        t_low, t_high. Fractions."""
        columns = {
            "value": self.observed,
            "low": self.percentile[..., 0],
            "high": self.percentile[..., 1],
            "bca_low": self.bca[..., 0],
            "bca_high": self.bca[..., 1],
            "t_low": self.jackknife[..., 0],
            "t_high": self.jackknife[..., 1],
        }
        return measure_table(self.metrics, columns)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if there are few documents."""
        return few_documents(self.n_documents)


def score_intervals(
    result: Tally,
    *,
    level: float = LEVEL,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Intervals:
    """The intervals of recall, precision and F1 of one system under every metric.

    Documents are resampled with replacement; their counts are summed and divided once, as in the
    score itself (micro). Efron & Tibshirani 1993, An introduction to the
    bootstrap, §13 and §14. Raises ValueError if there are no trials, or a level not between 0
    and 1.
    """
    return _intervals(Stack.of(result), level, trials, seed, run)


def difference_intervals(
    a: Tally,
    b: Tally,
    *,
    level: float = LEVEL,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Intervals:
    """The intervals of b − a; a resample has the same documents for both systems (paired).

    Raises ValueError as `score_intervals`, or if the results are not over one key under the same
    policies.
    """
    return _intervals(Stack.of(a, b), level, trials, seed, run)


def resampled_in(stack: Stack, block: Block) -> FloatArray:
    """(metrics, measures, trials) what intervals are of, in the resamples of one block: the scores
    of a stack of one system, the differences b − a of a stack of two."""
    return _statistic(stack, stack.values.T @ block.weights)


def _statistic(stack: Stack, sums: FloatArray) -> FloatArray:
    """(columns, rows) sums over documents → (metrics, measures, rows)."""
    scores = [stack.scores(sums[columns]) for columns in stack.columns]
    return scores[0] if len(scores) == 1 else scores[1] - scores[0]


def check_level(level: float) -> None:
    """Raise ValueError unless it is between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected more than 0 and less than 1, such as 0.95")


def _intervals(stack: Stack, level: float, trials: int, seed: int, run: Run) -> Intervals:
    check_level(level)
    n = len(stack.values)
    observed = _statistic(stack, stack.total)[..., 0]
    percentile = bca = jackknife = np.full((*observed.shape, 2), np.nan)
    if n > 1:
        blocks = blocks_of(Resamples, n, trials=trials, seed=seed)
        resampled = np.concatenate([*run(resampled_in, stack, blocks)], axis=-1)
        tails = np.array([(1 - level) / 2, (1 + level) / 2])
        percentile = quantiles(resampled, np.broadcast_to(tails, percentile.shape))
        left_out = _statistic(stack, stack.total - stack.values.T)
        bca = quantiles(resampled, _corrected(tails, observed, resampled, left_out))
        jackknife = _jackknife(observed, left_out, level, lowest=1 - len(stack.columns))
    ends = percentile, bca, jackknife
    return Intervals(stack.names, observed, *ends, level, trials, seed, n)


def _jackknife(
    observed: FloatArray, left_out: FloatArray, level: float, *, lowest: float
) -> FloatArray:
    """(metrics, measures, 2) observed ± t · √((n − 1)/n · Σ(s − s̄)²), s being the n scores that
    leave one document out, within the range of a score or difference. Efron & Tibshirani 1993, An
    introduction to the bootstrap, §11.
    """
    from scipy.special import stdtrit  # scipy is slow to import: only for intervals

    n = left_out.shape[-1]
    error = np.sqrt((n - 1) * left_out.var(axis=-1))
    reach = stdtrit(n - 1, (1 + level) / 2) * error
    ends = np.stack([observed - reach, observed + reach], axis=-1)
    found: FloatArray = np.clip(ends, lowest, 1)
    return found


def _corrected(
    tails: FloatArray, observed: FloatArray, resampled: FloatArray, left_out: FloatArray
) -> FloatArray:
    """(metrics, measures, 2) the quantiles of the resamples that BCa takes instead of `tails`.

    Φ(z + (z + z_α)/(1 − a(z + z_α))), where Φ(z) is the share of resamples below the observed
    value (a tie counts half; the share is kept half a trial away from 0 and 1, so that z is
    finite) and a = Σd³ / 6(Σd²)^1.5. Each d belongs to a document: the mean of all scores that
    leave one document out minus the score without this one. Efron 1987, Better bootstrap
    confidence intervals.
    """
    from scipy.special import (
        ndtr,
        ndtri,  # scipy is slow to import: only for intervals
    )

    gap = resampled - observed[..., None]
    below = ((gap < -TOLERANCE).mean(axis=-1) + (gap <= TOLERANCE).mean(axis=-1)) / 2
    half_a_trial = 0.5 / resampled.shape[-1]
    bias = ndtri(np.clip(below, half_a_trial, 1 - half_a_trial))[..., None]
    d = left_out.mean(axis=-1, keepdims=True) - left_out
    spread = 6 * (d**2).sum(axis=-1, keepdims=True) ** 1.5
    acceleration = divide((d**3).sum(axis=-1, keepdims=True), spread, empty=0)
    z = bias + ndtri(tails)
    slope = 1 - acceleration * z
    # Past the pole the formula has no value; its limit on this side is the lowest or highest end
    moved = np.where(slope > 0, divide(z, slope, empty=0), np.copysign(np.inf, z))
    corrected: FloatArray = ndtr(bias + moved)
    return corrected


def quantiles(resampled: FloatArray, at: FloatArray) -> FloatArray:
    """(metrics, measures, 2) the quantiles `at` of the resamples; NaN where there is no score."""
    found = np.full(at.shape, np.nan)
    for place in zip(*np.nonzero(~np.isnan(resampled[..., 0])), strict=True):
        found[place] = np.quantile(resampled[place], at[place])
    return found
