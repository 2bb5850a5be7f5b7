"""Random weights of documents for randomisation and bootstrap, in blocks of trials."""

from collections.abc import Iterator

import numpy as np

from corescore.arrays import FloatArray
from corescore.wording import counted

TRIALS = 10_000
SEED = 0
FEW_DOCUMENTS = 20
_MOST_WEIGHTS = 2**20  # 8 MiB a block; a corpus of many documents has more and shorter blocks


def swaps(n_documents: int, *, trials: int, seed: int) -> Iterator[FloatArray]:
    """(documents, block) 1 where a trial exchanges the two systems on a document, 0 elsewhere.

    Each has probability ½. Raises ValueError as `check`.
    """
    check(trials, seed)
    rng = np.random.default_rng(seed)
    for size in _blocks(n_documents, trials):
        yield rng.integers(2, size=(size, n_documents), dtype=np.int8).T.astype(np.float64)


def resamples(n_documents: int, *, trials: int, seed: int) -> Iterator[FloatArray]:
    """(documents, block) how often each document occurs in a resample.

    A resample has as many documents as the corpus, drawn with replacement. Raises ValueError as
    `check`.
    """
    check(trials, seed)
    rng = np.random.default_rng(seed)
    for size in _blocks(n_documents, trials):
        picks = rng.integers(n_documents, size=(size, n_documents))
        picks += n_documents * np.arange(size)[:, None]
        times = np.bincount(picks.ravel(), minlength=picks.size)
        yield times.reshape(picks.shape).T.astype(np.float64)


def check(trials: int, seed: int) -> None:
    """Raise ValueError for fewer than one trial or a negative seed."""
    if trials < 1:
        raise ValueError(f"trials is {trials}; expected 1 or more")
    if seed < 0:
        raise ValueError(f"seed is {seed}; expected 0 or more")


def _blocks(n_documents: int, trials: int) -> Iterator[int]:
    """Sizes of blocks that add up to `trials`.

    They depend only on the number of documents, so that a seed gives the same resamples for two
    systems and for thirty.
    """
    size = max(1, _MOST_WEIGHTS // max(n_documents, 1))
    for first in range(0, trials, size):
        yield min(size, trials - first)


def warnings(n_documents: int) -> tuple[str, ...]:
    """A warning if there are too few documents for reliable p-values and intervals."""
    if n_documents >= FEW_DOCUMENTS:
        return ()
    n = counted(n_documents, "document")
    return (f"Only {n}: with fewer than {FEW_DOCUMENTS}, p-values and intervals are rough.",)
