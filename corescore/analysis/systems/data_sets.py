"""Several systems on several data sets: scores, means, and which differ over the data sets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd

from corescore.analysis.significance import SEED, check_same_key, id_with
from corescore.analysis.systems.many import longest_runs
from corescore.corpus.documents import Document
from corescore.counting.sides import words_of_text
from corescore.scoring.tally import Tally
from corescore.util import PLACES, FloatArray, IntArray
from corescore.wording import ALPHA, counted

MOST_ORDERS, DRAWN = 100_000, 9_999


# The p of Friedman's test, from the orders of systems themselves: no χ² is assumed ----------------


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

    test = permutation_test(
        others,
        squares,
        permutation_type="pairings",
        vectorized=True,
        n_resamples=MOST_ORDERS if orders.is_exact else orders.n,
        batch=10_000,
        alternative="greater",
        rng=np.random.default_rng(SEED),
    )
    return float(test.pvalue)


FEWEST_SYSTEMS, FEWEST_DATA_SETS = 3, 2  # of a Friedman test


@dataclass(frozen=True)
class DataSets:
    """The scores of systems on data sets by one metric.

    systems    their names, in the order given
    data_sets  their names, in the order given
    scores     (systems, data sets) of all documents of a data set, fractions
    alpha      the level of the critical difference

    The tests are over data sets, each of which counts once, whatever its size: they ask whether
    systems are ranked alike on data sets such as these, not whether a difference on one of them is
    significant. All pairs of systems are one family. NaN with fewer than three systems or two data
    sets. Demšar 2006, Statistical comparisons of classifiers over multiple data sets.

    >>> import corescore
    >>> names = ("cautious", "greedy", "nearest")
    >>> results = {name: corescore.score("key.conll", f"{name}.conll") for name in names}
    >>> of_genre = {
    ...     genre: {name: of.beginning_with(genre) for name, of in results.items()}
    ...     for genre in ("news", "story")
    ... }
    >>> found = corescore.compare_data_sets(of_genre, "LEA")
    >>> found
    DataSets: 3 systems on 2 data sets | lea f1
    >>> dict(zip(found.systems, found.mean_ranks.tolist()))
    {'cautious': 2.0, 'greedy': 1.0, 'nearest': 3.0}
    """

    metric: str
    measure: str
    systems: tuple[str, ...]
    data_sets: tuple[str, ...]
    scores: FloatArray
    alpha: float = ALPHA

    def __repr__(self) -> str:
        sizes = (
            f"{counted(len(self.systems), 'system')} on {counted(len(self.data_sets), 'data set')}"
        )
        return f"DataSets: {sizes} | {self.metric} {self.measure}"

    def _repr_html_(self) -> str:
        """What a notebook shows: each system's scores, their mean and its mean rank."""
        from corescore.rendering.tables import over_data_sets

        return str(over_data_sets(self))

    @property
    def macro(self) -> FloatArray:
        """(systems,) the unweighted mean over data sets, by which shared tasks rank: a fraction."""
        mean: FloatArray = self.scores.mean(axis=1)
        return mean

    @cached_property
    def ranks(self) -> FloatArray:
        """(systems, data sets) 1 for the best on a data set; ties share their mean rank."""
        return pd.DataFrame(-self.scores.round(PLACES)).rank().to_numpy()

    @property
    def mean_ranks(self) -> FloatArray:
        """(systems,) the mean of the ranks over data sets."""
        mean: FloatArray = self.ranks.mean(axis=1)
        return mean

    @property
    def order(self) -> IntArray:
        """(systems,) their positions, the best by macro first, ties in the order given."""
        return np.argsort(-self.macro.round(PLACES), kind="stable")

    @property
    def by_rank(self) -> IntArray:
        """(systems,) their positions, the best mean rank first, ties by name."""
        return np.lexsort((np.array(self.systems), self.mean_ranks))

    @property
    def table(self) -> pd.DataFrame:
        """One row per system, the best by macro first.

        Columns:

        system     str      its name
        …          float64  its score on each data set, a fraction; the column is called as the
                            data set
        macro      float64  the mean of the scores, a fraction
        mean_rank  float64  the mean of its ranks, from 1

        Raises ValueError if a data set is called as another column.
        """
        columns = dict(zip(self.data_sets, self.scores.T, strict=True))
        for name in {"system", "macro", "mean_rank"} & columns.keys():
            raise ValueError(f"a data set is called '{name}', as a column of the table is")
        table = pd.DataFrame({"system": self.systems, **columns})
        table = table.assign(macro=self.macro, mean_rank=self.mean_ranks)
        return table.iloc[self.order].reset_index(drop=True)

    @property
    def is_tested(self) -> bool:
        """Whether there are enough systems and data sets."""
        return len(self.systems) >= FEWEST_SYSTEMS and len(self.data_sets) >= FEWEST_DATA_SETS

    @cached_property
    def friedman(self) -> tuple[float, float]:
        """Friedman's χ², corrected for ties, and its p: whether the ranks differ more
        than by chance. p is exact or from drawn `orders`, not that of the χ² distribution, which is
        rough for few data sets; (0, 1) if all systems are equal. Friedman 1937."""
        from scipy.stats import friedmanchisquare

        if not self.is_tested:
            return np.nan, np.nan
        scores = self.scores.round(PLACES)
        if (scores == scores[0]).all():
            return 0.0, 1.0
        return float(friedmanchisquare(*scores).statistic), friedman_p(self.ranks)

    @property
    def orders(self) -> Orders:
        """The orders of systems from which Friedman's p is counted."""
        return orders_of(*self.scores.shape)

    @property
    def critical_difference(self) -> float:
        """How far the mean ranks of two systems must lie apart to differ significantly (Nemenyi):
        q·√(k(k + 1) / 6N) for k systems on N data sets, q of the studentised range by √2."""
        from scipy.stats import studentized_range

        if not self.is_tested:
            return np.nan
        q = studentized_range.ppf(1 - self.alpha, len(self.systems), np.inf)
        return float(q / np.sqrt(2) * self._rank_error)

    @cached_property
    def p(self) -> FloatArray:
        """(systems, systems) Nemenyi's p of each pair, corrected over all pairs; 1 on the diagonal.
        It counts only if Friedman's p is below alpha. Nemenyi 1963."""
        from scipy.stats import studentized_range

        if not self.is_tested:
            return np.full((len(self.systems), len(self.systems)), np.nan)
        apart = abs(self.mean_ranks[:, None] - self.mean_ranks) / self._rank_error
        p = studentized_range.sf(apart * np.sqrt(2), len(self.systems), np.inf)
        return np.where(apart > 0, np.clip(p, 0, 1), 1)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The bars of a critical-difference diagram: the longest runs of systems, by mean rank, in
        which no two lie as far apart as the critical difference; without those of one system. A
        single run of all if Friedman's test finds no difference; () if nothing is tested."""
        if not self.is_tested:
            return ()
        order = self.by_rank
        ranks = self.mean_ranks[order]
        alike = abs(ranks[:, None] - ranks) < self.critical_difference
        alike |= self.friedman[1] >= self.alpha
        runs = [run for run in longest_runs(alike) if len(run) > 1]
        return tuple(tuple(self.systems[order[at]] for at in run) for run in runs)

    @property
    def _rank_error(self) -> float:
        """√(k(k + 1) / 6N), the standard error of a difference of two mean ranks."""
        k, n = len(self.systems), len(self.data_sets)
        return float(np.sqrt(k * (k + 1) / (6 * n)))


def over_data_sets(
    results: Mapping[str, Mapping[str, Tally]], metric: str = "conll", *, measure: str = "f1"
) -> DataSets:
    """Compare systems over data sets.

    results  by data set, then by system; each data set has all systems

    Raises ValueError where there is no data set or system, where one lacks a system, and for
    results made under unlike policies, or, of one data set, over unlike keys; PolicyError for an
    unknown metric or measure.
    """
    if not isinstance(results, Mapping) or not all(
        isinstance(of, Mapping) for of in results.values()
    ):
        raise TypeError("expected results by data set and system: {data set: {system: result}}")
    systems = tuple(next(iter(results.values()), ()))
    if not systems:
        raise ValueError("there is no data set, or no system in it; expected one or more")
    for data_set, of in results.items():
        if unlike := {*systems} ^ {*of}:
            raise ValueError(f"'{min(unlike)}' is not in every data set; see '{data_set}'")
    first, *others = (one for of in results.values() for one in of.values())
    for other in others:
        if other.policies != first.policies:
            both = f"{first.signature}; {other.signature}"
            raise ValueError(f"results made under other policies: {both}")
    for of in results.values():
        for other in of.values():
            check_same_key(of[systems[0]], other)
    metric = id_with(metric, measure, first.scores)
    scores = [
        [getattr(of[system][metric], measure) for of in results.values()] for system in systems
    ]
    return DataSets(metric, measure, systems, tuple(results), np.array(scores))


# The same texts twice -----------------------------------------------------------------------------

_SHORTEST = 10  # words: shorter texts may be equal by chance


@dataclass(frozen=True)
class Texts:
    """The documents of a data set: their names, and digests of the words of those that have ten or
    more, without empty nodes; none if the words are not known, as of tallies."""

    names: frozenset[str]
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, documents: Iterable[Document]) -> "Texts":
        """Of a key's documents."""
        names, digests = [], []
        for one in documents:
            names.append(one.name)
            words = [*words_of_text(one)]
            if len(words) >= _SHORTEST:
                digests.append(blake2b(repr(words).encode("utf-8", "replace")).hexdigest())
        return cls(frozenset(names), frozenset(digests))


@dataclass(frozen=True)
class Repeated:
    """Two data sets with the same texts, perhaps annotated twice.

    words      the number of documents whose words are the same
    names      the number of document names that are the same
    n_smaller  the number of documents of the smaller one
    """

    one: str
    other: str
    words: int
    names: int
    n_smaller: int


def repeated_texts(texts: Mapping[str, Texts]) -> list[Repeated]:
    """Pairs of data sets that share texts: a document with the same words, or half or more of the
    smaller one's document names."""
    repeated = []
    for (one, its), (other, others) in combinations(texts.items(), 2):
        smaller = min(len(its.names), len(others.names))
        words, names = len(its.words & others.words), len(its.names & others.names)
        if words or (smaller > 0 and 2 * names >= smaller):
            repeated.append(Repeated(one, other, words, names, smaller))
    return repeated
