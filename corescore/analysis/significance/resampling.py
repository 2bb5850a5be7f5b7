"""Random weights of documents for randomisation and bootstrap, in blocks of trials.

A block is a chunk of work: a function of (stack of counts, block) says what its trials give, and
any process may run it. Stack, block and function can be pickled; blocks carry the state of the
generator, not what it draws. The functions are `randomisation.as_large_in`,
`randomisation.differences_in`, `bootstrap.resampled_in` and, of many systems,
`corescore.analysis.systems.ranking.ranks_in`.

Every test takes `run`, a `Run`: where and by how many the blocks are counted. The results are the
same to the bit, for the blocks are: they depend on the seed, the trials and the number of documents
alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from corescore.arrays import AnyArray, FloatArray
from corescore.wording import counted

if TYPE_CHECKING:
    from corescore.analysis.significance.stack import Stack  # it needs pandas, slow to import

TRIALS = 10_000
SEED = 0
FEW_DOCUMENTS = 20
_MOST_WEIGHTS = 2**20  # 8 MiB a block; a corpus of many documents has more and shorter blocks

Found = TypeVar("Found")


@dataclass
class Block(ABC):
    """Consecutive trials, and the generator as it is before them."""

    n_documents: int
    n_trials: int
    before: np.random.Generator
    _after: np.random.Generator | None = field(default=None, init=False)

    @property
    @abstractmethod
    def weights(self) -> FloatArray:
        """(documents, trials) how much each document weighs in each trial."""

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


class Exchanges(Block):
    """Weight 1 where a trial exchanges two systems on a document, with probability ½; else 0."""

    @property
    def weights(self) -> FloatArray:
        return self.drawn.T.astype(np.float64)

    @staticmethod
    def draw(rng: np.random.Generator, n_trials: int, n_documents: int) -> AnyArray:
        return rng.integers(2, size=(n_trials, n_documents), dtype=np.int8)


class Resamples(Block):
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
    kind: Callable[[int, int, np.random.Generator], Block],
    n_documents: int,
    *,
    trials: int,
    seed: int,
) -> Iterator[Block]:
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
    """Raise ValueError for fewer than one trial or a negative seed."""
    if trials < 1:
        raise ValueError(f"trials is {trials}; expected 1 or more")
    if seed < 0:
        raise ValueError(f"seed is {seed}; expected 0 or more")


def warnings(n_documents: int) -> tuple[str, ...]:
    """A warning if there are too few documents for reliable p-values and intervals."""
    if n_documents >= FEW_DOCUMENTS:
        return ()
    n = counted(n_documents, "document")
    return (f"Only {n}: with fewer than {FEW_DOCUMENTS}, p-values and intervals are rough.",)
