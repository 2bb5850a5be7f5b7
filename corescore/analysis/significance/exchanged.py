"""The differences of two systems after exchanges on documents: what every test is made of."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, product
from math import ceil

import numpy as np

from corescore.analysis.significance.resampling import (
    SEED,
    TRIALS,
    Block,
    Run,
    exchanges,
    in_turn,
    is_enumerated,
    n_exchanges,
    smallest_p,
)
from corescore.analysis.significance.shares import document_shares
from corescore.analysis.significance.stack import Stack, measures_of
from corescore.arrays import FloatArray
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES, divide
from corescore.metrics import BESIDE_IDS
from corescore.scoring.tally import Tally
from corescore.tolerances import STEP_PLACES, TOLERANCE

Two = tuple[int, int]  # the positions of two systems in a stack
_ALONE = {"conll", *BESIDE_IDS}  # no part of the family that is corrected for


@dataclass(frozen=True)
class Exchanged:
    """What `trials` exchanges of two systems on documents make of their differences b − a.

    metrics      the ids of the metrics, "conll" last
    observed     (metrics, measures) the difference of the whole corpus, a fraction; NaN for
                 CoNLL's R and P
    differences  (metrics, measures, exchanges) the same after each exchange
    moments      (metrics, measures, 3) means over the exchanges of D², D·w and w², where D is the
                 difference after an exchange and w what the exchange makes of a difference of 1
                 that is spread over the documents by `document_shares`. The observed order of the
                 systems is one of the exchanges.
    trials, seed  as asked for; of few documents all exchanges are made, and nothing is drawn
    """

    metrics: tuple[str, ...]
    observed: FloatArray
    differences: FloatArray
    moments: FloatArray
    trials: int
    seed: int
    n_documents: int

    def differences_of(self, metric: str, measure: str = "f1") -> FloatArray:
        """(exchanges,) the differences of one metric; PolicyError for an unknown metric or
        measure."""
        found: FloatArray = self.differences[self.place(metric, measure)]
        return found

    def place(self, metric: str, measure: str) -> tuple[int, int]:
        """Where a metric and a measure stand in the arrays; PolicyError for an unknown one."""
        choose("metric", metric, self.metrics)
        choose("measure", measure, measures_of(metric))
        return self.metrics.index(metric), MEASURES.index(measure)

    @property
    def n_exchanges(self) -> int:
        """How many exchanges were made."""
        return n_exchanges(self.n_documents, self.trials)

    @property
    def smallest_p(self) -> float:
        """What p cannot be below with so many documents and trials; NaN for a single document."""
        return smallest_p(self.n_documents, self.trials)

    @property
    def family(self) -> tuple[int, ...]:
        """The positions of the metrics that are tested together: all but diagnostics and CoNLL."""
        return family_of(self.metrics)

    @cached_property
    def spread(self) -> FloatArray:
        """(metrics, measures) √mean D²: how far exchanges move the difference from 0. Exchanges
        come in opposites, so that the mean is 0 and this is the standard deviation."""
        return self.spread_at(np.zeros_like(self.observed))

    def spread_at(self, shift: FloatArray) -> FloatArray:
        """(metrics, measures) the same after a shift is taken off b − a: √mean (D − shift·w)²."""
        squares, mixed, shares = np.moveaxis(self.moments, -1, 0)
        variance = np.maximum(squares - 2 * shift * mixed + shift**2 * shares, 0)
        spread: FloatArray = np.sqrt(variance)
        return np.where(spread > TOLERANCE, spread, 0)

    @cached_property
    def studentised(self) -> FloatArray:
        """(metrics, measures, exchanges) |D| by the spread; 0 where no exchange moves anything."""
        return divide(abs(self.differences), self.spread[..., None], empty=0)

    @cached_property
    def largest(self) -> FloatArray:
        """(measures, exchanges) the largest of the family in each exchange, ascending: max T."""
        if not self.family:
            return np.zeros(self.differences.shape[1:])
        return np.sort(self.studentised[list(self.family)].max(axis=0), axis=-1)

    def critical(self, alpha: float) -> FloatArray:
        """(metrics, measures) what |b − a| by its spread must exceed for an adjusted p below
        `alpha`: one number for the family (from max T), another for each other metric.

        Infinite where no p can be below `alpha`.
        """
        found = self.critical_alone(alpha)
        if np.isfinite(found).all():
            found[list(self.family)] = self.largest[:, self.n_exchanges - self._rank(alpha)]
        return found

    def critical_alone(self, alpha: float) -> FloatArray:
        """(metrics, measures) the same for each metric tested alone, for its own p."""
        rank = self._rank(alpha)
        if self.n_documents < 2 or self.smallest_p >= alpha or rank < 1:
            return np.full(self.observed.shape, np.inf)
        at = self.n_exchanges - rank
        found: FloatArray = np.partition(self.studentised, at, axis=-1)[..., at]
        return found

    def _rank(self, alpha: float) -> int:
        """How many exchanges are as large as the observed order where p is `alpha` or just above
        it."""
        drawn = 0 if is_enumerated(self.n_documents) else 1
        return ceil(round(alpha * (self.n_exchanges + drawn), STEP_PLACES)) - drawn


def family_of(metrics: Iterable[str]) -> tuple[int, ...]:
    """The positions of those metrics that are tested together: not of diagnostics and CoNLL."""
    return tuple(at for at, name in enumerate(metrics) if name not in _ALONE)


def exchanged(
    a: Tally, b: Tally, *, trials: int = TRIALS, seed: int = SEED, run: Run = in_turn
) -> Exchanged:
    """Exchange the two systems' counts of each document with probability ½, `trials` times; in all
    2ⁿ ways where there are up to 13 documents.

    Raises ValueError if there are no trials, or the results are not over one key under the same
    policies.
    """
    return exchanged_runs((a,), (b,), trials=trials, seed=seed, run=run)


def exchanged_runs(
    a: Sequence[Tally],
    b: Sequence[Tally],
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Exchanged:
    """The same of two systems with several runs each; scores are means over a system's runs.

    On a document that is exchanged, each run of A has the counts of a run of B, and the other way
    round. As no run of A belongs to any of B, that is done with each run of A and each of B, and
    the differences are averaged. The runs themselves stay: the tests are over documents, and of
    these runs alone.
    """
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
    return Exchanged(
        stack.names, observed, differences, moments / n, trials, seed, len(stack.values)
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


def every_two(stack: Stack) -> tuple[Two, ...]:
    """The positions of each two systems."""
    return tuple(combinations(range(len(stack.columns)), 2))


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
