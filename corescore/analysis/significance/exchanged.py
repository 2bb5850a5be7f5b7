"""The differences of two systems after exchanges on documents: what every test is made of."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
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
    stack = Stack.of(a, b)
    observed = observed_difference(stack, 0, 1)
    blocks = exchanges(len(stack.values), trials=trials, seed=seed)
    found = list(run(exchanged_in, stack, blocks))
    differences = np.concatenate([of_block for of_block, _ in found], axis=-1)
    moments, n = sum(sums for _, sums in found), differences.shape[-1]
    if not is_enumerated(len(stack.values)):  # the observed order was not drawn
        moments = moments + np.stack([observed**2, observed, np.ones_like(observed)], axis=-1)
        n += 1
    return Exchanged(
        stack.names, observed, differences, moments / n, trials, seed, len(stack.values)
    )


def exchanged_in(stack: Stack, block: Block) -> tuple[FloatArray, FloatArray]:
    """Of the exchanges of one block: the differences, and the sums of D², D·w and w²."""
    weights = block.weights
    ((_, differences),) = differences_after(stack, stack.values.T @ weights)
    shares = document_shares(stack)
    moved = shares.sum(axis=-1, keepdims=True) - 2 * shares @ weights
    products = (differences**2, differences * moved, moved**2)
    return differences, np.stack([of.sum(axis=-1) for of in products], axis=-1)


def differences_after(stack: Stack, leaves: FloatArray) -> Iterator[tuple[Two, FloatArray]]:
    """For each two systems: their positions, and (metrics, measures, trials) the later minus the
    earlier after the exchanges of each trial.

    leaves  (columns, trials) the sums over the documents that a trial exchanges
    """
    stays = stack.total - leaves
    for i, j in combinations(range(len(stack.columns)), 2):
        earlier, later = stack.columns[i], stack.columns[j]
        exchanged = stays[earlier] + leaves[later], stays[later] + leaves[earlier]
        yield (i, j), stack.scores(exchanged[1]) - stack.scores(exchanged[0])


def observed_difference(stack: Stack, earlier: int, later: int) -> FloatArray:
    """(metrics, measures) the later system of a stack minus the earlier over all documents."""
    scores = [stack.scores(stack.total[stack.columns[at]]) for at in (earlier, later)]
    return (scores[1] - scores[0])[..., 0]
