"""The p of Friedman's test, from the orders of systems themselves: no χ² is assumed."""

from dataclasses import dataclass
from math import factorial

import numpy as np

from corescore.analysis.significance.resampling import SEED
from corescore.arrays import FloatArray

MOST_ORDERS, DRAWN = 100_000, 9_999


@dataclass(frozen=True)
class Orders:
    """In how many ways chance may order k systems on n data sets, one of them held fixed.

    n           (k!)ⁿ⁻¹ where all are counted, else how many are drawn
    is_exact    whether all are counted
    smallest_p  what p cannot be below, where no two systems are equal on a data set
    """

    n: int
    is_exact: bool
    smallest_p: float


def orders_of(n_systems: int, n_data_sets: int) -> Orders:
    """All orders, if they are at most 100,000; else 9,999 that are drawn."""
    n = factorial(n_systems) ** (n_data_sets - 1)
    if n <= MOST_ORDERS:
        return Orders(n, True, 1 / n)
    return Orders(DRAWN, False, max(1 / n, 1 / (DRAWN + 1)))


def friedman_p(ranks: FloatArray) -> float:
    """The share of orders in which the mean ranks lie as far apart as here, or farther.

    ranks  (systems, data sets), equals sharing the mean of theirs

    Chance would order the systems anew on each data set. Friedman's χ² ascends with the sum of
    squares of the systems' sums of ranks, which is compared. That sum is the same where all data
    sets are ordered alike, so one is held fixed. Of orders that are drawn, the one that is there
    counts as one: p = (found + 1) / (drawn + 1). By `scipy.stats.permutation_test`.
    """
    from scipy.stats import permutation_test  # slow to import

    fixed, *others = ranks.T
    orders = orders_of(*ranks.shape)

    def squares(*columns: FloatArray, axis: int) -> FloatArray:
        squared: FloatArray = ((fixed + sum(columns)) ** 2).sum(axis=axis)
        return squared

    found = permutation_test(
        others,
        squares,
        permutation_type="pairings",
        vectorized=True,
        n_resamples=MOST_ORDERS if orders.is_exact else orders.n,
        batch=10_000,
        alternative="greater",
        rng=np.random.default_rng(SEED),
    )
    return float(found.pvalue)
