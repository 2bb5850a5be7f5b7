"""Are there enough data? The smallest difference the test would find in documents like these."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from corescore.analysis.significance import (
    Exchanges,
    Randomisation,
    Resamples,
    Stack,
    blocks_of,
    differences_after,
)
from corescore.metrics import id_among
from corescore.scoring.tables import document_differences, win_table
from corescore.scoring.tally import Tally
from corescore.util import TOLERANCE, BoolArray, FloatArray, IntArray
from corescore.wording import ALPHA

POWER = 0.8
_FEW_RESAMPLES = 400  # where all exchanges of each resample are tried
_STEPS = 14  # of halving 0 to 1: to less than a hundredth of a point

# (resamples,) in which corpora a true difference is found: its sign, and how large it is
IsFound = Callable[[int, float], BoolArray]


@dataclass(frozen=True)
class Detectable:
    """The smallest true difference that the test finds with the given power.

    difference   a fraction. Infinite where not even one of 100 points is found: with so few
                 documents, or trials, that no p is below alpha. 0 where the two systems are the
                 same but for a constant difference: nothing then shows how far documents vary
    power        the share of corpora in which it is found
    alpha        found is p < alpha, of this metric tested alone
    smallest_p   what p cannot be below; NaN for a single document
    resamples    how many corpora were made; 0 where there was no need
    """

    metric: str
    measure: str
    difference: float
    power: float
    alpha: float
    smallest_p: float
    n_documents: int
    resamples: int
    seed: int


def detectable(
    a: Tally,
    b: Tally,
    test: Randomisation,
    metric: str,
    *,
    measure: str = "f1",
    power: float = POWER,
    alpha: float = ALPHA,
) -> Detectable:
    """Make corpora of as many documents, in which b − a is known, and see in how many it is found.

    Documents are resampled with replacement. Each brings what it adds to b − a, without the
    observed difference and with the assumed one in its place, spread over the documents by
    `Stack.shares` (a shift). What a document adds is half of what exchanging it alone changes, as
    if scores were sums. Each corpus is tested by exchanges: by all of them where there are up to 13
    documents; otherwise |b − a| by its spread must exceed what p < alpha takes in `test`.
    Differences in favour of either system are tried alike. This is the power for a difference
    assumed beforehand; that for the observed one would only restate its p. Card et al. 2020, With
    little power comes great responsibility; Efron & Tibshirani 1993, An introduction to the
    bootstrap, §25.

    test   the exchanges of a and b, whose trials and seed are used
    alpha  of one test; one of m metrics corrected together needs no more than at alpha / m

    Raises ValueError for a power or alpha not between 0 and 1, PolicyError for an unknown metric or
    measure.
    """
    for name, value in (("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise ValueError(f"{name} is {value}; expected more than 0 and less than 1")
    metric = id_among(metric, test.metrics)
    critical = float(test.critical_alone(alpha)[test.place(metric, measure)])
    n, least, resamples = test.n_documents, np.inf, 0
    if np.isfinite(critical):
        stack, place = Stack.of_score(metric, measure, a, b)
        shares = stack.shares[place]
        (without,) = differences_after(stack, stack.values, [(0, 1)])
        adds = (stack.observed[1][place] - stack.observed[0][place] - without[place]) / 2
        left = adds - adds.sum() * shares
        resamples = min(test.asked, _FEW_RESAMPLES) if test.is_exact else test.asked
        blocks = [*blocks_of(Resamples, n, trials=resamples, seed=test.seed)]
        if test.is_exact:
            is_found = _by_every_exchange(blocks[0].drawn, left, shares, alpha)
        else:
            sums = np.array([left, shares, left**2, left * shares, shares**2])
            resampled = np.concatenate([sums @ block.weights for block in blocks], axis=1)
            is_found = _by_spread(resampled, critical)
        least = _smallest(is_found, power) if abs(left).max() > TOLERANCE else 0.0
    return Detectable(
        metric, measure, least, power, alpha, test.smallest_p, n, resamples, test.seed
    )


def _by_spread(resampled: FloatArray, critical: float) -> IsFound:
    """Found is a difference that exceeds `critical` times the spread of its exchanges."""
    left, shares, squares, mixed, of_shares = resampled

    def is_found(sign: int, difference: float) -> BoolArray:
        variance = squares + 2 * sign * difference * mixed + difference**2 * of_shares
        total = sign * left + difference * shares
        is_significant: BoolArray = total > critical * np.sqrt(np.maximum(variance, 0))
        return is_significant

    return is_found


def _by_every_exchange(
    picks: IntArray, left: FloatArray, shares: FloatArray, alpha: float
) -> IsFound:
    """Found is a difference that fewer than alpha of all exchanges reach; picks (resamples,
    documents). Exchanges come in opposites, of which one is tried."""
    n = picks.shape[1]
    signs = 1 - 2 * Exchanges(n, 2 ** (n - 1)).weights
    of_left, of_shares = left[picks] @ signs, shares[picks] @ signs

    def is_found(sign: int, difference: float) -> BoolArray:
        after = sign * of_left + difference * of_shares
        observed = after[:, :1]  # no document is exchanged
        p = (abs(after) >= observed - TOLERANCE).mean(axis=1)
        is_significant: BoolArray = (p < alpha) & (observed[:, 0] > 0)
        return is_significant

    return is_found


def _smallest(is_found: IsFound, power: float) -> float:
    """The smallest difference, a fraction, that is found in that share of corpora."""

    def is_enough(difference: float) -> bool:
        return sum(float(is_found(sign, difference).mean()) / 2 for sign in (-1, 1)) >= power

    if not is_enough(1):
        return np.inf
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


@dataclass(frozen=True)
class Effect:
    """The size of the difference b − a over documents, by one metric.

    won_a, won_b, ties  documents; those with nothing to score count nowhere
    mean                of the documents' differences, each alike: a fraction, which may have
                        another sign than the difference of the corpus. NaN without a document
    standardised        mean / their standard deviation (n − 1). NaN where they do not vary, or with
                        fewer than two. Cohen 1988, Statistical power analysis for the behavioral
                        sciences, §2.3.5 (d of paired values, d_z)
    """

    metric: str
    measure: str
    won_a: int
    won_b: int
    ties: int
    mean: float
    standardised: float


def effect(a: Tally, b: Tally, metric: str, *, measure: str = "f1") -> Effect:
    """The size of the difference; PolicyError for an unknown metric or measure."""
    metric = id_among(metric, a.scores)
    differences = document_differences(a, b, measure=measure)[metric]
    won = win_table(a, b, measure=measure).to_dict("index")[metric]
    mean, deviation = float(differences.mean()), float(differences.std())
    standardised = mean / deviation if deviation > TOLERANCE else np.nan
    won_a, won_b, ties = (int(won[of]) for of in ("a", "b", "ties"))
    return Effect(metric, measure, won_a, won_b, ties, mean, standardised)
