"""Intervals and equivalence by the exchanges that the p-values are made of: the test turned round.

A difference δ other than 0 is tested by taking δ off b − a, spread over the documents by
`shares.document_shares`, and exchanging what is left. T(δ) = |b − a − δ| divided by the standard
deviation of the exchanges of what is left; it is compared with the exchanges' own T at δ = 0, since
the distribution of T hardly depends on δ. At δ = 0 this is the test itself, to the last exchange.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.significance.exchanged import Exchanged
from corescore.analysis.significance.resampling import is_enumerated, p_of
from corescore.analysis.significance.stack import measure_table
from corescore.arrays import FloatArray
from corescore.counting.counts import divide
from corescore.tolerances import TOLERANCE
from corescore.wording import ALPHA


@dataclass(frozen=True)
class AgreeingIntervals:
    """The differences b − a that the test does not reject.

    metrics   the ids of the metrics, "conll" last
    observed  (metrics, measures) of the whole corpus, fractions; the measures as in MEASURES
    ends      (metrics, measures, 2) the lowest and highest, from −1 to 1. NaN where nothing can be
              rejected: with too few documents or trials

    Those of the family are simultaneous: all of them hold their difference with confidence `level`.
    Diagnostics and CoNLL have intervals of their own. An interval leaves 0 out if and only if the
    p-value of the same metric and measure is below 1 − level: `Randomisation.p_max` in the family,
    `Randomisation.p` of the others, both of the same exchanges.
    """

    metrics: tuple[str, ...]
    observed: FloatArray
    ends: FloatArray
    level: float

    @property
    def table(self) -> pd.DataFrame:
        """A row for each metric and measure: metric, measure, value, low, high. Fractions."""
        columns = {"value": self.observed, "low": self.ends[..., 0], "high": self.ends[..., 1]}
        return measure_table(self.metrics, columns)


@dataclass(frozen=True)
class Equivalence:
    """Whether two systems differ by less than a margin, by two one-sided tests.

    metrics   the ids of the metrics, "conll" last
    margin    a fraction: 0.01 is one point
    p         (metrics, measures) the larger p of the tests of b − a ≤ −margin and b − a ≥ margin.
              NaN for CoNLL's R and P, and for a single document
    interval  (metrics, measures, 2) what each test alone does not reject at 1 − 2·alpha. It lies
              within the margin if and only if p is below alpha
    alpha     the level of each test
    """

    metrics: tuple[str, ...]
    margin: float
    p: FloatArray
    interval: FloatArray
    alpha: float

    @property
    def table(self) -> pd.DataFrame:
        """A row for each metric and measure: metric, measure, margin, p, low, high, equivalent."""
        ends = {"low": self.interval[..., 0], "high": self.interval[..., 1]}
        columns = {"margin": np.full(self.p.shape, self.margin), "p": self.p, **ends}
        table = measure_table(self.metrics, columns)
        return table.assign(equivalent=table["p"] < self.alpha)


def agreeing_intervals(of: Exchanged, *, level: float, alone: bool = False) -> AgreeingIntervals:
    """The intervals that agree with the p-values of some exchanges; see `AgreeingIntervals`.

    (b − a − δ)² ≤ c²·(spread after δ is taken off)² is solved for δ, with the c that |b − a| must
    exceed, in spreads, for an adjusted p below 1 − level. Where the solution has no end on one side
    it is cut at −1 or 1. The confidence is that of the assumption above: nearly `level`, checked by
    simulation. `alone`: each metric for itself, so that its interval agrees with `Randomisation.p`.
    Lehmann & Romano 2005, Testing statistical hypotheses, §3.5 and §15.2 (confidence
    sets by tests; exchanges).
    """
    critical = of.critical_alone(1 - level) if alone else of.critical(1 - level)
    return AgreeingIntervals(of.metrics, of.observed, _ends(of, critical), level)


def equivalence(of: Exchanged, margin: float, *, alpha: float = ALPHA) -> Equivalence:
    """Test whether b − a is between −margin and margin, for each metric alone.

    Each one-sided p is half of the two-sided p at −margin or margin, or 1 minus it if the
    difference is beyond that margin: exchanges come in opposites. Schuirmann 1987, A comparison of
    the two one-sided tests procedure; the margin must be set before the difference is seen. Raises
    ValueError for a margin that is not above 0 and below 1.
    """
    check_margin(margin)
    sides = [_one_sided(of, np.full(of.observed.shape, sign * margin), sign) for sign in (-1, 1)]
    p: FloatArray = np.maximum(*sides)
    ends = _ends(of, of.critical_alone(2 * alpha))
    return Equivalence(of.metrics, margin, p, ends, alpha)


def check_margin(margin: float) -> None:
    if not 0 < margin < 1:
        raise ValueError(f"margin is {margin}; expected more than 0 and less than 1, such as 0.01")


def _one_sided(of: Exchanged, shift: FloatArray, sign: int) -> FloatArray:
    """(metrics, measures) p of the hypothesis that b − a is `shift`, or farther from 0."""
    half = _p_at(of, shift) / 2
    p: FloatArray = np.where(sign * (shift - of.observed) > 0, half, 1 - half)
    return np.where(np.isnan(of.observed), np.nan, p)


def _p_at(of: Exchanged, shift: FloatArray) -> FloatArray:
    """(metrics, measures) the two-sided p of the hypothesis that b − a is `shift`."""
    spread = of.spread_at(shift)
    t = divide(abs(of.observed - shift), spread, empty=np.inf)
    near = divide(np.full(t.shape, TOLERANCE), spread, empty=0)
    as_large = (of.studentised >= (t - near)[..., None]).sum(axis=-1).astype(np.float64)
    if is_enumerated(of.n_documents):  # the order as it is and its opposite, of what is left
        as_large = np.maximum(as_large, 2)
    return p_of(as_large, of.n_documents, of.trials)


def _ends(of: Exchanged, critical: FloatArray) -> FloatArray:
    """(metrics, measures, 2) between which |b − a − δ| ≤ critical · spread_at(δ)."""
    observed, is_tested = of.observed, np.isfinite(critical) & ~np.isnan(of.observed)
    c = np.where(is_tested, critical, 0)
    _, mixed, shares = np.moveaxis(of.moments, -1, 0)
    quadratic = 1 - c**2 * shares
    roots = _roots(quadratic, 2 * (c**2 * mixed - observed), observed**2 - (c * of.spread) ** 2)
    holds_zero = abs(observed) <= c * of.spread + TOLERANCE
    bounded = np.where(holds_zero, (np.minimum(roots[0], 0), np.maximum(roots[1], 0)), roots)
    beyond = np.where(observed > 0, (roots[1], np.ones_like(c)), (-np.ones_like(c), roots[0]))
    unbounded = np.where(holds_zero, (-np.ones_like(c), np.ones_like(c)), beyond)
    ends = np.clip(np.where(quadratic > 0, bounded, unbounded), -1, 1)
    return np.where(is_tested[..., None], np.moveaxis(ends, 0, -1), np.nan)


def _roots(quadratic: FloatArray, linear: FloatArray, constant: FloatArray) -> FloatArray:
    """(2, metrics, measures) where quadratic·δ² + linear·δ + constant is 0, ascending; of a
    straight line the other root is infinite."""
    root = np.sqrt(np.maximum(linear**2 - 4 * quadratic * constant, 0))
    half = -(linear + np.copysign(root, linear)) / 2
    near = divide(constant, half, empty=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(quadratic == 0, np.copysign(np.inf, -near), half / quadratic)
    return np.sort([near, far], axis=0)
