"""The differences of two systems after exchanges on documents: what every test is made of."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, product
from math import ceil

import numpy as np
import pandas as pd

from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.significance.resamples import (
    Block,
    Run,
    Stack,
    exchanges,
    few_documents,
    in_turn,
    is_enumerated,
    measure_table,
    measures_of,
    n_exchanges,
    p_of,
    smallest_p,
    untestable,
)
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES, Counts, divide
from corescore.metrics import BESIDE_IDS, CONLL
from corescore.scoring.tally import Tally
from corescore.util import STEP_PLACES, TOLERANCE, FloatArray
from corescore.wording import ALPHA

# How much of a score is each document's: its share of what the score is divided by ----------------


def document_shares(stack: Stack) -> FloatArray:
    """(metrics, measures, documents) the share of each document in a metric's denominators.

    Of recall and precision in their own, of F1 in both together, each system's alike; of a metric
    of several parts (BLANC) the mean over its parts, of CoNLL the mean over its three metrics.
    They sum to 1, and are equal where nothing is divided. A difference of d points between two
    systems is one of d points on every document if it is spread over them by these shares.
    """
    systems = [stack.counts(stack.values.T[columns]) for columns in stack.columns]
    shares = {
        metric.id: np.mean([_shares(of[metric.id]) for of in systems], axis=0)
        for metric in stack.metrics
    }
    if CONLL.id in stack.names:
        shares[CONLL.id] = np.mean([shares[name] for name in CONLL.members], axis=0)
    return np.array([*shares.values()])


def _shares(counts: Counts) -> FloatArray:
    """(measures, documents) the mean over a metric's parts of each document's share."""
    recall, precision = counts.recall_denominator, counts.precision_denominator
    denominators = np.array([recall, precision, recall + precision])
    total = denominators.sum(axis=1, keepdims=True)
    found: FloatArray = divide(denominators, total, empty=1 / len(recall)).mean(axis=-1)
    return found


Two = tuple[int, int]  # the positions of two systems in a stack

_ALONE = {"conll", *BESIDE_IDS}  # no part of the family that is corrected for


# Approximate randomisation (Noreen 1989): how often chance alone makes a difference as large ------


@dataclass(frozen=True)
class Randomisation:
    """What exchanges of two systems on documents make of their differences b − a.

    metrics      the ids of the metrics, "conll" last
    difference   (metrics, measures) b − a of the whole corpus, fractions; the measures as in
                 MEASURES. NaN for CoNLL's R and P
    exchanged    (metrics, measures, exchanges) the same after each exchange
    moments      (metrics, measures, 3) means over the exchanges of D², D·w and w², where D is the
                 difference after an exchange and w what the exchange makes of a difference of 1
                 that is spread over the documents by `document_shares`. The observed order of the
                 systems is one of the exchanges.
    asked, seed  how many trials; of few documents all exchanges are made, and nothing is drawn
    """

    metrics: tuple[str, ...]
    difference: FloatArray
    exchanged: FloatArray = field(repr=False)
    moments: FloatArray = field(repr=False)
    asked: int
    seed: int
    n_documents: int

    def exchanged_of(self, metric: str, measure: str = "f1") -> FloatArray:
        """(exchanges,) the differences of one metric; PolicyError for an unknown metric or
        measure."""
        found: FloatArray = self.exchanged[self.place(metric, measure)]
        return found

    def place(self, metric: str, measure: str) -> tuple[int, int]:
        """Where a metric and a measure stand in the arrays; PolicyError for an unknown one."""
        choose("metric", metric, self.metrics)
        choose("measure", measure, measures_of(metric))
        return self.metrics.index(metric), MEASURES.index(measure)

    @property
    def is_exact(self) -> bool:
        """Whether all exchanges were tried, so that nothing was drawn."""
        return is_enumerated(self.n_documents)

    @property
    def trials(self) -> int:
        """How many exchanges were tried."""
        return n_exchanges(self.n_documents, self.asked)

    @property
    def smallest_p(self) -> float:
        """What p cannot be below with so many documents and trials; NaN for a single document."""
        return smallest_p(self.n_documents, self.asked)

    @property
    def family(self) -> tuple[int, ...]:
        """The positions of the metrics that are tested together: all but diagnostics and CoNLL."""
        return family_of(self.metrics)

    @property
    def n_tests(self) -> int:
        """How many metrics are tested together, those that p is corrected over."""
        return len(self.family)

    @cached_property
    def n_as_large(self) -> FloatArray:
        """(metrics, measures) the number of exchanges with a difference at least as large."""
        as_large = abs(self.exchanged) >= abs(self.difference)[..., None] - TOLERANCE
        found: FloatArray = as_large.sum(axis=-1).astype(np.float64)
        return found

    @cached_property
    def p(self) -> FloatArray:
        """(metrics, measures) how many of the exchanges made a difference at least as large in
        either direction: (c + 1)/(n + 1) of n drawn ones, c/2ⁿ where all exchanges of up to 13
        documents are tried. NaN for CoNLL's R and P, and for a single document."""
        p = p_of(self.n_as_large, self.n_documents, self.asked)
        return np.where(np.isnan(self.difference), np.nan, p)

    @cached_property
    def p_holm(self) -> FloatArray:
        """(metrics, measures) Holm's correction of p over the metrics, for each measure; NaN for
        diagnostics and CoNLL, which are not part of that family."""
        return holm_of_family(self.metrics, self.p)

    @cached_property
    def p_max(self) -> FloatArray:
        """(metrics, measures) p corrected over the metrics by the largest of them, for each
        measure.

        T of a metric is |b − a| divided by its standard deviation over all exchanges; the corrected
        p is the share of exchanges in which the largest T of all metrics is at least the metric's
        own observed one. The metrics are exchanged together, so that the correction is as small as
        their correlation allows. They are studentised because their differences vary by unlike
        amounts: otherwise the metric that varies most would decide for all. It is never below p.
        Single-step, so that it can exceed Holm’s; NaN for diagnostics, CoNLL and a single document.
        The null hypothesis is that of `randomisation`, for all metrics at once. Westfall & Young
        1993, Resampling-based multiple testing, §2.
        """
        t = divide(abs(self.difference), self.spread, empty=0)
        near = divide(np.full(t.shape, TOLERANCE), self.spread, empty=TOLERANCE)
        found = np.full(t.shape, np.nan)
        for metric in self.family:
            for measure, ascending in enumerate(self.largest):
                below = np.searchsorted(ascending, (t - near)[metric, measure])
                found[metric, measure] = len(ascending) - below
        return p_of(found, self.n_documents, self.asked)

    @property
    def table(self) -> pd.DataFrame:
        """A row for each metric and measure: metric, measure, difference, p, p_holm, p_max."""
        names = "difference", "p", "p_holm", "p_max"
        return measure_table(self.metrics, {name: getattr(self, name) for name in names})

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no difference can be significant."""
        tested = untestable(self.n_documents, self.n_tests, self.asked)
        if tested and self.smallest_p < ALPHA:
            tested = (f"{tested[0][:-1]}. Corrected by max T one can be.",)
        return (*few_documents(self.n_documents), *tested)

    @cached_property
    def spread(self) -> FloatArray:
        """(metrics, measures) √mean D²: how far exchanges move the difference from 0. Exchanges
        come in opposites, so that the mean is 0 and this is the standard deviation."""
        return self.spread_at(0)

    def spread_at(self, shift: float) -> FloatArray:
        """(metrics, measures) the same after a shift is taken off b − a: √mean (D − shift·w)²."""
        squares, mixed, shares = np.moveaxis(self.moments, -1, 0)
        variance = np.maximum(squares - 2 * shift * mixed + shift**2 * shares, 0)
        spread: FloatArray = np.sqrt(variance)
        return np.where(spread > TOLERANCE, spread, 0)

    @cached_property
    def studentised(self) -> FloatArray:
        """(metrics, measures, exchanges) |D| by the spread; 0 where no exchange moves anything."""
        return divide(abs(self.exchanged), self.spread[..., None], empty=0)

    @cached_property
    def largest(self) -> FloatArray:
        """(measures, exchanges) the largest of the family in each exchange, ascending: max T."""
        if not self.family:
            return np.zeros(self.exchanged.shape[1:])
        return np.sort(self.studentised[list(self.family)].max(axis=0), axis=-1)

    def critical(self, alpha: float) -> FloatArray:
        """(metrics, measures) what |b − a| by its spread must exceed for an adjusted p below
        `alpha`: one number for the family (from max T), another for each other metric.

        Infinite where no p can be below `alpha`.
        """
        found = self.critical_alone(alpha)
        if np.isfinite(found).all():
            found[list(self.family)] = self.largest[:, self.trials - self._rank(alpha)]
        return found

    def critical_alone(self, alpha: float) -> FloatArray:
        """(metrics, measures) the same for each metric tested alone, for its own p."""
        rank = self._rank(alpha)
        if self.n_documents < 2 or self.smallest_p >= alpha or rank < 1:
            return np.full(self.difference.shape, np.inf)
        at = self.trials - rank
        found: FloatArray = np.partition(self.studentised, at, axis=-1)[..., at]
        return found

    def _rank(self, alpha: float) -> int:
        """How many exchanges are as large as the observed order where p is `alpha` or just above
        it."""
        drawn = int(not self.is_exact)
        return ceil(round(alpha * (self.trials + drawn), STEP_PLACES)) - drawn

    # Intervals and equivalence: the test turned round. A difference δ other than 0 is tested by
    # taking δ off b − a, spread over the documents by `document_shares`, and exchanging what is
    # left. T(δ) = |b − a − δ| divided by the standard deviation of the exchanges of what is left;
    # it is compared with the exchanges' own T at δ = 0, since the distribution of T hardly depends
    # on δ. At δ = 0 this is the test itself, to the last exchange.

    def intervals(self, level: float, *, alone: bool = False) -> FloatArray:
        """(metrics, measures, 2) the lowest and highest difference b − a, from −1 to 1, that the
        test does not reject; NaN where nothing can be rejected: with too few documents or trials.

        Those of the family are simultaneous: all of them hold their difference with confidence
        `level`. Diagnostics and CoNLL have intervals of their own. An interval leaves 0 out if and
        only if the p-value of the same metric and measure is below 1 − level: `p_max` in the
        family, `p` of the others. `alone`: each metric for itself, so that its interval agrees
        with `p`.

        (b − a − δ)² ≤ c²·(spread after δ is taken off)² is solved for δ, with the c that |b − a|
        must exceed, in spreads, for an adjusted p below 1 − level. Where the solution has no end on
        one side it is cut at −1 or 1. The confidence is that of the assumption above: nearly
        `level`, checked by simulation. Lehmann & Romano 2005, Testing statistical hypotheses, §3.5
        and §15.2 (confidence sets by tests; exchanges).
        """
        critical = self.critical_alone(1 - level) if alone else self.critical(1 - level)
        return self._ends(critical)

    def equivalence(self, margin: float, *, alpha: float = ALPHA) -> "Equivalence":
        """Test whether b − a is between −margin and margin, for each metric alone.

        Each one-sided p is half of the two-sided p at −margin or margin, or 1 minus it if the
        difference is beyond that margin: exchanges come in opposites. Schuirmann 1987, A comparison
        of the two one-sided tests procedure; the margin must be set before the difference is seen.
        Raises ValueError for a margin that is not above 0 and below 1.
        """
        check_margin(margin)
        halves = [self._p_at(shift) / 2 for shift in (-margin, margin)]
        beyond = self.difference <= -margin, self.difference >= margin
        sides = [np.where(b, 1 - half, half) for b, half in zip(beyond, halves, strict=True)]
        p = np.where(np.isnan(self.difference), np.nan, np.maximum(*sides))
        interval = self._ends(self.critical_alone(2 * alpha))
        return Equivalence(self.metrics, margin, p, interval, alpha)

    def _p_at(self, shift: float) -> FloatArray:
        """(metrics, measures) the two-sided p of the hypothesis that b − a is `shift`."""
        spread = self.spread_at(shift)
        t = divide(abs(self.difference - shift), spread, empty=np.inf)
        near = divide(np.full(t.shape, TOLERANCE), spread, empty=0)
        as_large = (self.studentised >= (t - near)[..., None]).sum(axis=-1).astype(np.float64)
        if is_enumerated(self.n_documents):  # the order as it is and its opposite, of what is left
            as_large = np.maximum(as_large, 2)
        return p_of(as_large, self.n_documents, self.trials)

    def _ends(self, critical: FloatArray) -> FloatArray:
        """(metrics, measures, 2) between which |b − a − δ| ≤ critical · spread_at(δ)."""
        observed, is_tested = self.difference, np.isfinite(critical) & ~np.isnan(self.difference)
        c = np.where(is_tested, critical, 0)
        _, mixed, shares = np.moveaxis(self.moments, -1, 0)
        quadratic = 1 - c**2 * shares
        roots = _roots(
            quadratic, 2 * (c**2 * mixed - observed), observed**2 - (c * self.spread) ** 2
        )
        holds_zero = abs(observed) <= c * self.spread + TOLERANCE
        bounded = np.where(holds_zero, (np.minimum(roots[0], 0), np.maximum(roots[1], 0)), roots)
        beyond = np.where(observed > 0, (roots[1], np.ones_like(c)), (-np.ones_like(c), roots[0]))
        unbounded = np.where(holds_zero, (-np.ones_like(c), np.ones_like(c)), beyond)
        ends = np.clip(np.where(quadratic > 0, bounded, unbounded), -1, 1)
        return np.where(is_tested[..., None], np.moveaxis(ends, 0, -1), np.nan)


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
        margin = np.full(self.p.shape, self.margin)
        table = measure_table(self.metrics, {"margin": margin, "p": self.p, "": self.interval})
        return table.assign(equivalent=table["p"] < self.alpha)


def check_margin(margin: float) -> None:
    if not 0 < margin < 1:
        raise ValueError(f"margin is {margin}; expected more than 0 and less than 1, such as 0.01")


def _roots(quadratic: FloatArray, linear: FloatArray, constant: FloatArray) -> FloatArray:
    """(2, metrics, measures) where quadratic·δ² + linear·δ + constant is 0, ascending; of a
    straight line the other root is infinite."""
    root = np.sqrt(np.maximum(linear**2 - 4 * quadratic * constant, 0))
    half = -(linear + np.copysign(root, linear)) / 2
    near = divide(constant, half, empty=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(quadratic == 0, np.copysign(np.inf, -near), half / quadratic)
    return np.sort([near, far], axis=0)


def family_of(metrics: Iterable[str]) -> tuple[int, ...]:
    """The positions of those metrics that are tested together: not of diagnostics and CoNLL."""
    return tuple(at for at, name in enumerate(metrics) if name not in _ALONE)


def randomisation(
    a: Tally | Sequence[Tally],
    b: Tally | Sequence[Tally],
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Randomisation:
    """Exchange the two systems' counts of each document with probability ½, `trials` times; in all
    2ⁿ ways where there are up to 13 documents.

    The null hypothesis is that it does not matter which system made which response to a document.
    Neither the order of the documents nor which system is A changes p. p is 1 for two equal
    systems. A difference that equals the observed one up to rounding counts as at least as large.
    Noreen 1989, Computer-intensive methods for testing hypotheses.

    The scores of a system with several runs are means over these. On a document that is exchanged,
    each run of A has the counts of a run of B, and the other way round. As no run of A belongs to
    any of B, that is done with each run of A and each of B, and the differences are averaged. The
    runs themselves stay: the tests are over documents, and of these runs alone.

    Raises ValueError if there are no trials, or the results are not over one key under the same
    policies.
    """
    a, b = ([of] if isinstance(of, Tally) else of for of in (a, b))
    stack = Stack.of(*a, *b)
    pairs = tuple(product(range(len(a)), range(len(a), len(a) + len(b))))
    observed = mean_difference(stack.observed, len(a))
    blocks = exchanges(len(stack.values), trials=trials, seed=seed)
    found = list(run(partial(exchanged_in, pairs=pairs), stack, blocks))
    differences = np.concatenate([of_block for of_block, _ in found], axis=-1)
    moments, n = sum(sums for _, sums in found), differences.shape[-1]
    if not is_enumerated(len(stack.values)):  # the observed order was not drawn
        moments = moments + np.stack([observed**2, observed, np.ones_like(observed)], axis=-1)
        n += 1
    moments = moments / n
    return Randomisation(
        stack.names, observed, differences, moments, trials, seed, len(stack.values)
    )


def exchanged_in(
    stack: Stack, block: Block, *, pairs: Collection[Two]
) -> tuple[FloatArray, FloatArray]:
    """Of the exchanges of one block: the differences, of several pairs of systems their mean, and
    the sums of D², D·w and w²."""
    weights = block.weights
    differences = np.zeros(())
    for _, of_two in differences_after(stack, stack.values.T @ weights, pairs):
        differences = differences + of_two / len(pairs)
    shares = document_shares(stack)
    moved = shares.sum(axis=-1, keepdims=True) - 2 * shares @ weights
    products = (differences**2, differences * moved, moved**2)
    return differences, np.stack([of.sum(axis=-1) for of in products], axis=-1)


def differences_after(
    stack: Stack, leaves: FloatArray, pairs: Iterable[Two]
) -> Iterator[tuple[Two, FloatArray]]:
    """For each of these pairs of systems: their positions, and (metrics, measures, trials) the
    later minus the earlier after the exchanges of each trial.

    leaves  (columns, trials) the sums over the documents that a trial exchanges
    """
    stays = stack.total - leaves
    for i, j in pairs:
        earlier, later = stack.columns[i], stack.columns[j]
        exchanged = stays[earlier] + leaves[later], stays[later] + leaves[earlier]
        yield (i, j), stack.scores(exchanged[1]) - stack.scores(exchanged[0])


def mean_difference(scores: FloatArray, n_first: int) -> FloatArray:
    """The mean over the later systems minus that over the first `n_first`, along the first axis."""
    difference: FloatArray = scores[n_first:].mean(axis=0) - scores[:n_first].mean(axis=0)
    return difference


def as_large_as_observed(
    stack: Stack, *, trials: int, seed: int, run: Run = in_turn
) -> dict[Two, FloatArray]:
    """For each two systems, by position: (metrics, measures) the number of trials whose absolute
    difference is at least the observed one. All pairs see the same exchanges."""
    counts: dict[Two, FloatArray] = {}
    blocks = exchanges(len(stack.values), trials=trials, seed=seed)
    for of_block in run(as_large_in, stack, blocks):
        counts = {pair: counts.get(pair, 0) + count for pair, count in of_block.items()}
    return counts


def as_large_in(stack: Stack, block: Block) -> dict[Two, FloatArray]:
    """`as_large_as_observed` of the trials of one block."""
    observed, leaves = stack.observed[..., None], stack.values.T @ block.weights
    pairs, counts = combinations(range(len(observed)), 2), {}
    for (i, j), differences in differences_after(stack, leaves, pairs):
        as_large = abs(differences) >= abs(observed[j] - observed[i]) - TOLERANCE
        counts[i, j] = as_large.sum(axis=-1).astype(np.float64)
    return counts


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


def holm_of_family(metrics: Sequence[str], p: FloatArray) -> FloatArray:
    """(metrics, measures) the p-values of the family corrected; NaN of the others."""
    found, family = np.full(p.shape, np.nan), list(family_of(metrics))
    found[family] = holm(p[family])
    return found
