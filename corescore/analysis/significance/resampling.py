"""What chance draws: documents to exchange and documents to take, block by block."""

from collections.abc import Iterator

import numpy as np

from corescore.arrays import FloatArray
from corescore.wording import counted

TRIALS = 10_000
SEED = 0
FEW_DOCUMENTS = 20
_MOST_WEIGHTS = 2**20  # 8 MiB a block; a corpus of many documents has more and shorter blocks


def swaps(n_documents: int, *, trials: int, seed: int) -> Iterator[FloatArray]:
    """(documents, block) 1 where a trial exchanges the two systems on a document, else 0, each
    with probability ½. ValueError as `check`."""
    check(trials, seed)
    rng = np.random.default_rng(seed)
    for size in _blocks(n_documents, trials):
        yield rng.integers(2, size=(size, n_documents), dtype=np.int8).T.astype(np.float64)


def resamples(n_documents: int, *, trials: int, seed: int) -> Iterator[FloatArray]:
    """(documents, block) how often a resample of as many documents has each; drawn with
    replacement. ValueError as `check`."""
    check(trials, seed)
    rng = np.random.default_rng(seed)
    for size in _blocks(n_documents, trials):
        drawn = rng.integers(n_documents, size=(size, n_documents))
        drawn += n_documents * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=drawn.size)
        yield times.reshape(drawn.shape).T.astype(np.float64)


def check(trials: int, seed: int) -> None:
    """Raise ValueError for less than one trial or a negative seed."""
    if trials < 1:
        raise ValueError(f"trials is {trials}; expected 1 or more")
    if seed < 0:
        raise ValueError(f"seed is {seed}; expected 0 or more")


def _blocks(n_documents: int, trials: int) -> Iterator[int]:
    """Sizes of blocks that add up to `trials`; they depend on the documents alone, so that one
    seed draws the same for two systems and for thirty."""
    size = max(1, _MOST_WEIGHTS // max(n_documents, 1))
    for first in range(0, trials, size):
        yield min(size, trials - first)


def warnings(n_documents: int) -> tuple[str, ...]:
    """What to say of so few documents that chance is hard to tell."""
    if n_documents >= FEW_DOCUMENTS:
        return ()
    n = counted(n_documents, "document")
    return (f"Only {n}: with fewer than {FEW_DOCUMENTS}, p-values and intervals are rough.",)
