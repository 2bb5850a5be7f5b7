"""The kinds of intervals that a difference has.

Is a difference significant? Counts of documents are resampled; nothing is scored twice.
"""

from typing import Literal

Kind = Literal["simultaneous", "single"]

# The columns of `Pair.significance` with the ends of each kind: that of the test, which agrees with
# the corrected p, and that of the bootstrap (BCa), for each metric alone.
INTERVALS: dict[Kind, tuple[str, str]] = {
    "simultaneous": ("tested_low", "tested_high"),
    "single": ("bca_low", "bca_high"),
}
