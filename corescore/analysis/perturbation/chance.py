"""Random numbers and selections; each document has its own generator.

Only `Generator.random` is used, and as often for every dose: the same seed gives the same
selections everywhere, and a higher dose selects what a lower one does and more.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from corescore.arrays import AnyArray, BoolArray, FloatArray, IntArray
from corescore.corpus.problems import PolicyError
from corescore.tolerances import STEP_PLACES

_Each = Sequence[np.random.Generator]


@dataclass
class Generators:
    """A generator for each document. What they draw is kept, so that another dose need not draw,
    and put into order, the same numbers again."""

    each: _Each
    _drawn: list[AnyArray] = field(default_factory=list)
    _at: int = 0

    def __len__(self) -> int:
        return len(self.each)

    def draw(self, draw: Callable[[_Each], AnyArray]) -> AnyArray:
        """What is drawn next; read-only."""
        if self._at == len(self._drawn):
            made = draw(self.each)
            made.flags.writeable = False
            self._drawn.append(made)
        self._at += 1
        return self._drawn[self._at - 1]

    def again(self) -> "Generators":
        """The same from the start, for another dose of the same perturbation."""
        return Generators(self.each, self._drawn)


def generators(names: Iterable[str], seed: int) -> Generators:
    """A generator for each document, seeded with `seed` and its name, whatever else is in the
    corpus. Raises PolicyError for a seed below 0."""
    if seed < 0:
        raise PolicyError(f"seed is {seed}; expected a whole number from 0")
    codes = (zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names)
    return Generators([np.random.Generator(np.random.PCG64((seed, code))) for code in codes])


def uniform(rngs: Generators, document: IntArray) -> FloatArray:
    """(items,) a number in [0, 1) for each item; `document` is the document of each, ascending."""
    return rngs.draw(lambda each: _uniform(each, document))


def _uniform(each: _Each, document: IntArray) -> FloatArray:
    counts = np.bincount(document, minlength=len(each)).tolist()
    numbers = [rng.random(n) for rng, n in zip(each, counts, strict=True)]
    return np.concatenate([np.zeros(0), *numbers])


def rounded(amount: FloatArray, u: FloatArray) -> IntArray:
    """`amount` rounded down, or up with the probability of its fraction.

    amount  ≥ 0; taken to nine decimals, so that 0.29 · 100 is 29
    u       a number in [0, 1) for each
    """
    amount = np.round(amount, STEP_PLACES)
    whole = np.floor(amount)
    return (whole + (u < amount - whole)).astype(np.int64)


def ranks(group: IntArray, *priorities: AnyArray) -> IntArray:
    """(items,) the rank of each item in its group, from 0, by ascending priorities."""
    order = np.lexsort((*priorities[::-1], group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return place


def quotas(
    rngs: Generators, available: IntArray, *, share: float = 1.0, number: int | None = None
) -> IntArray:
    """(documents,) how many items to select: a share of those `available`, or a number.

    A share that is not a whole number is rounded at random (`rounded`), so that it is met on
    average over many small documents.
    """
    u, wished = uniform(rngs, np.arange(len(rngs))), share * available.astype(np.float64)
    wanted = rounded(wished, u) if number is None else np.full(len(rngs), number)
    return np.minimum(wanted, available)


def selected(
    rngs: Generators,
    document: IntArray,
    *first: AnyArray,
    share: float = 1.0,
    number: int | None = None,
) -> BoolArray:
    """(items,) which items are selected: the `quotas` of each document.

    document  (items,) ascending
    first     (items,) priorities that decide before chance does, the lowest first
    """
    available = np.bincount(document, minlength=len(rngs))
    quota = quotas(rngs, available, share=share, number=number)
    place = rngs.draw(lambda each: ranks(document, *first, _uniform(each, document)))
    taken: BoolArray = place < quota[document]
    return taken
