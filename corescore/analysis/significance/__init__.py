"""Is a difference significant? Counts of documents are resampled; nothing is scored twice.

Here is what each test takes; pandas is not needed for it.
"""

from typing import Literal

from corescore.wording import counted

TRIALS = 10_000
MOST_TRIALS = 1_000_000  # half a minute and a gigabyte for two systems
SEED = 0
LEVEL = 0.95
FEW_TRIALS = 1_000

Kind = Literal["simultaneous", "single"]

# The columns of `Pair.significance` with the ends of each kind: that of the test, which agrees with
# the corrected p, and that of the bootstrap (BCa), for each metric alone.
INTERVALS: dict[Kind, tuple[str, str]] = {
    "simultaneous": ("tested_low", "tested_high"),
    "single": ("bca_low", "bca_high"),
}


def check(trials: int, seed: int, level: float = LEVEL) -> None:
    """Raise ValueError for fewer than one trial, more than MOST_TRIALS, a negative seed, and a
    level not between 0 and 1."""
    if trials < 1:
        raise ValueError(f"trials is {trials}; expected 1 or more")
    if trials > MOST_TRIALS:
        raise ValueError(f"trials is {trials}; expected {MOST_TRIALS:,} at most")
    if seed < 0:
        raise ValueError(f"seed is {seed}; expected 0 or more")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected more than 0 and less than 1, such as 0.95")


def few_trials(trials: int) -> tuple[str, ...]:
    """A warning if there are too few trials for p-values and intervals that others can repeat."""
    if trials >= FEW_TRIALS:
        return ()
    n = counted(trials, "trial")
    return (f"Only {n}: with fewer than {FEW_TRIALS:,}, another seed may give another p.",)
