"""Weights of documents for randomisation and bootstrap, in blocks of trials.

Up to MOST_ENUMERATED documents, two systems are exchanged in all ways that there are; otherwise
trials are drawn. A block is a chunk of work: a function of (stack of counts, block) says what its
trials give, and any process may run it. Stack, block and function can be pickled; drawn blocks
carry the state of the generator, not what it draws. The functions are `exchanged.exchanged_in`,
`randomisation.as_large_in`, `bootstrap.resampled_in`, `crossed.scores_in` and, of many systems,
`corescore.analysis.systems.many.ranks_in`.

Every test takes `run`, a `Run`: where and by how many the blocks are counted. The results are the
same to the bit, for the blocks are: they depend on the seed, the trials and the number of documents
alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from math import ceil, floor, log2
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from corescore.util import AnyArray, FloatArray
from corescore.wording import ALPHA, capital, counted, p_below

if TYPE_CHECKING:
    from corescore.analysis.significance.stack import Stack  # it needs pandas, slow to import

TRIALS = 10_000
MOST_TRIALS = 1_000_000  # half a minute and a gigabyte for two systems
SEED = 0
FEW_DOCUMENTS = 20
FEW_TRIALS = 1_000
MOST_ENUMERATED = 13  # documents: 8,192 exchanges
_MOST_WEIGHTS = 2**20  # 8 MiB a block; a corpus of many documents has more and shorter blocks

Found = TypeVar("Found")


@dataclass
class Block(ABC):
    """Consecutive trials."""

    n_documents: int
    n_trials: int

    @property
    @abstractmethod
    def weights(self) -> FloatArray:
        """(documents, trials) how much each document weighs in each trial."""


@dataclass
class Drawn(Block):
    """Trials that are drawn, and the generator as it is before them."""

    before: np.random.Generator
    _after: np.random.Generator | None = field(default=None, init=False)

    @staticmethod
    @abstractmethod
    def draw(rng: np.random.Generator, n_trials: int, n_documents: int) -> AnyArray:
        """(trials, documents) what the generator draws."""

    @property
    def drawn(self) -> AnyArray:
        """(trials, documents) what is drawn in this block, the same each time."""
        self._after = deepcopy(self.before)
        return self.draw(self._after, self.n_trials, self.n_documents)

    @property
    def after(self) -> np.random.Generator:
        """The generator as it is after this block; nothing is drawn where that is known."""
        if self._after is None:
            self._after = deepcopy(self.before)
            self.draw(self._after, self.n_trials, self.n_documents)
        return self._after


class EveryExchange(Block):
    """A trial for each set of documents, on which two systems are exchanged: 1 there, else 0."""

    @property
    def weights(self) -> FloatArray:
        trials, documents = np.arange(self.n_trials), np.arange(self.n_documents)
        return (trials >> documents[:, None] & 1).astype(np.float64)


class Exchanges(Drawn):
    """Weight 1 where a trial exchanges two systems on a document, with probability ½; else 0."""

    @property
    def weights(self) -> FloatArray:
        return self.drawn.T.astype(np.float64)

    @staticmethod
    def draw(rng: np.random.Generator, n_trials: int, n_documents: int) -> AnyArray:
        return rng.integers(2, size=(n_trials, n_documents), dtype=np.int8)


class Resamples(Drawn):
    """How often each document occurs in a resample: as many documents as the corpus has, drawn with
    replacement."""

    @property
    def weights(self) -> FloatArray:
        picks = self.drawn
        picks += self.n_documents * np.arange(self.n_trials)[:, None]
        times = np.bincount(picks.ravel(), minlength=picks.size)
        return times.reshape(picks.shape).T.astype(np.float64)

    @staticmethod
    def draw(rng: np.random.Generator, n_trials: int, n_documents: int) -> AnyArray:
        return rng.integers(n_documents, size=(n_trials, n_documents))


def blocks_of(
    kind: Callable[[int, int, np.random.Generator], Drawn],
    n_documents: int,
    *,
    trials: int,
    seed: int,
) -> Iterator[Drawn]:
    """Blocks of `Exchanges` or `Resamples` that together have these trials, in order.

    All draws are those of one generator, one block after the other. The sizes of blocks depend only
    on the number of documents, so that a seed gives the same resamples for two systems and for
    thirty. Raises ValueError as `check`.
    """
    check(trials, seed)
    rng = np.random.default_rng(seed)
    size = max(1, _MOST_WEIGHTS // max(n_documents, 1))
    for first in range(0, trials, size):
        block = kind(n_documents, min(size, trials - first), rng)
        yield block
        if first + size < trials:
            rng = block.after


def exchanges(n_documents: int, *, trials: int, seed: int) -> Iterator[Block]:
    """All exchanges of up to MOST_ENUMERATED documents, otherwise drawn ones.

    Raises ValueError as `check`.
    """
    if not is_enumerated(n_documents):
        return iter(blocks_of(Exchanges, n_documents, trials=trials, seed=seed))
    check(trials, seed)
    return iter([EveryExchange(n_documents, n_exchanges(n_documents, trials))])


def is_enumerated(n_documents: int) -> bool:
    """Whether all exchanges of so many documents are tried."""
    return n_documents <= MOST_ENUMERATED


def n_exchanges(n_documents: int, trials: int) -> int:
    """How many exchanges are tried: all 2ⁿ of few documents, otherwise as many as trials."""
    return 2**n_documents if is_enumerated(n_documents) else trials


def p_of(n_as_large: FloatArray, n_documents: int, trials: int) -> FloatArray:
    """c/2ⁿ where all exchanges were tried, of which the observed one is one; (c + 1)/(n + 1) of n
    drawn ones. NaN for a single document: with it the difference only changes its sign.

    n_as_large  c, how many made a difference at least as large as the observed one
    """
    if n_documents < 2:
        return np.full(np.shape(n_as_large), np.nan)
    drawn = 0 if is_enumerated(n_documents) else 1
    p: FloatArray = (n_as_large + drawn) / (n_exchanges(n_documents, trials) + drawn)
    return p


def smallest_p(n_documents: int, trials: int) -> float:
    """What p cannot be below: 2/2ⁿ where all exchanges of n documents are tried, as the observed
    difference and its opposite are among them; otherwise 1/(n + 1) of n drawn ones. NaN for a
    single document."""
    least = np.array([2.0 if is_enumerated(n_documents) else 0.0])
    return float(p_of(least, n_documents, trials)[0])


class Run(Protocol):
    """Something that counts blocks: in this process, in several, on a cluster."""

    def __call__(
        self, count: Callable[["Stack", Block], Found], stack: "Stack", blocks: Iterable[Block]
    ) -> Iterable[Found]:
        """`count(stack, block)` of each block, in the order of the blocks."""


def in_turn(
    count: Callable[["Stack", Block], Found], stack: "Stack", blocks: Iterable[Block]
) -> Iterator[Found]:
    """The `Run` that counts one block after the other in this process."""
    return (count(stack, block) for block in blocks)


def check(trials: int, seed: int) -> None:
    """Raise ValueError for fewer than one trial, more than MOST_TRIALS or a negative seed."""
    if trials < 1:
        raise ValueError(f"trials is {trials}; expected 1 or more")
    if trials > MOST_TRIALS:
        raise ValueError(f"trials is {trials}; expected {MOST_TRIALS:,} at most")
    if seed < 0:
        raise ValueError(f"seed is {seed}; expected 0 or more")


def few_documents(n_documents: int) -> tuple[str, ...]:
    """A warning if there are too few documents for reliable intervals."""
    if n_documents >= FEW_DOCUMENTS:
        return ()
    n = counted(n_documents, "document")
    if n_documents < 2:
        return (f"Only {n}: there are no intervals.",)
    return (f"Only {n}: with fewer than {FEW_DOCUMENTS}, intervals are rough.",)


def few_trials(trials: int) -> tuple[str, ...]:
    """A warning if there are too few trials for p-values and intervals that others can repeat."""
    if trials >= FEW_TRIALS:
        return ()
    n = counted(trials, "trial")
    return (f"Only {n}: with fewer than {FEW_TRIALS:,}, another seed may give another p.",)


def untestable(n_documents: int, n_tests: int, trials: int) -> tuple[str, ...]:
    """A warning if no difference of so many documents can be significant.

    n_tests  the tests that Holm's correction is over
    """
    n = counted(n_documents, "document")
    if n_documents < 2:
        return (f"{capital(n)}: a difference cannot be tested.",)
    least = smallest_p(n_documents, trials)
    if least * n_tests < ALPHA:
        return ()
    by = n if is_enumerated(n_documents) else f"{trials:,} trials"
    known = f"With {by}, {p_below(least)}"
    if least >= ALPHA:
        return (f"{known}: no difference can be significant.",)
    after = f"after Holm’s correction for {n_tests:,} tests no difference can be significant"
    return (f"{known}: {after}; {_needed(n_documents, n_tests)}.",)


def _needed(n_documents: int, n_tests: int) -> str:
    """How many documents, or trials where these are drawn, Holm's correction needs."""
    if is_enumerated(n_documents):
        return f"that takes {floor(log2(n_tests / ALPHA)) + 2} documents"
    return f"take {ceil(n_tests / ALPHA):,} trials or more"
