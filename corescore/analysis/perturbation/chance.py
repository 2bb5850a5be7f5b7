"""Random numbers and choices, each document's from a generator of its own.

Only `Generator.random` is drawn from, and never more or less of it for another dose: the same seed
gives the same choices everywhere, and a higher dose takes what a lower one takes and more.
"""

import zlib
from collections.abc import Iterable, Sequence

import numpy as np

from corescore.arrays import AnyArray, BoolArray, FloatArray, IntArray
from corescore.corpus.problems import PolicyError
from corescore.tolerances import STEP_PLACES

Generators = Sequence[np.random.Generator]


def generators(names: Iterable[str], seed: int) -> Generators:
    """A generator for each document, made of the seed and its name: what else is in the corpus
    makes no difference. PolicyError for a seed below 0."""
    if seed < 0:
        raise PolicyError(f"seed is {seed}; expected a whole number from 0")
    codes = (zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names)
    return [np.random.Generator(np.random.PCG64((seed, code))) for code in codes]


def uniform(rngs: Generators, document: IntArray) -> FloatArray:
    """(items,) a number in [0, 1) for each item, its `document` given, rising."""
    counts = np.bincount(document, minlength=len(rngs)).tolist()
    drawn = [rng.random(n) for rng, n in zip(rngs, counts, strict=True)]
    return np.concatenate([np.zeros(0), *drawn])


def rounded(amount: FloatArray, u: FloatArray) -> IntArray:
    """`amount` rounded down, or up with the probability of its fraction; whole numbers stay.

    amount  ≥ 0; to nine decimals, so that 0.29 · 100 is 29
    u       a number in [0, 1) for each
    """
    amount = np.round(amount, STEP_PLACES)
    whole = np.floor(amount)
    return (whole + (u < amount - whole)).astype(np.int64)


def ranks(group: IntArray, *priorities: AnyArray) -> IntArray:
    """(items,) the place of each item in its group (≥ 0) by rising priorities, the first first."""
    order = np.lexsort((*priorities[::-1], group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return place


def quotas(
    rngs: Generators, available: IntArray, *, share: float = 1.0, number: int | None = None
) -> IntArray:
    """(documents,) how many things to take: a share of those `available` in each, or a number.

    A share that is not whole is rounded up or down by chance (`rounded`), so that many small
    documents get it right on average.
    """
    u, wished = uniform(rngs, np.arange(len(rngs))), share * available.astype(np.float64)
    wanted = rounded(wished, u) if number is None else np.full(len(rngs), number)
    return np.minimum(wanted, available)


def chosen(
    rngs: Generators,
    document: IntArray,
    *first: AnyArray,
    share: float = 1.0,
    number: int | None = None,
) -> BoolArray:
    """(items,) which items to take: the `quotas` of each document.

    document  of each item, rising
    first     what decides before chance does, the lowest first
    """
    available = np.bincount(document, minlength=len(rngs))
    quota = quotas(rngs, available, share=share, number=number)
    taken: BoolArray = ranks(document, *first, uniform(rngs, document)) < quota[document]
    return taken
