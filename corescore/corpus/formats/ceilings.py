"""How much may come out of what is packed.

A file of a few kilobytes can unpack to gigabytes, made so on purpose. Text shrinks to a tenth or
so, such a bomb to a thousandth: both the size and the ratio have a ceiling.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from corescore.corpus.problems import InputError, PolicyError, Problem

VARIABLE = "CORESCORE_UNPACK_LIMIT"  # of the environment, so that it holds in other processes, too
# What a worker was told by who asked it, for one task: others of its threads may be told otherwise.
_TOLD: ContextVar[str | None] = ContextVar("unpack limit", default=None)
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(?:([kMGT]?)B)?\s*", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True)
class Ceiling:
    """How many bytes may come out of a file.

    most   at most so many
    ratio  at most so many for each packed byte; 0 for any number
    free   so many whatever the ratio is
    """

    most: int = 2_000_000_000
    ratio: int = 200
    free: int = 100_000_000

    def most_of(self, packed: int) -> int:
        """How many bytes may come out of so many packed ones."""
        return min(self.most, max(self.free, self.ratio * packed)) if self.ratio else self.most

    def refusal(self, packed: int, file: str) -> InputError:
        """That more comes out of so many packed bytes."""
        found = f"{packed:,} bytes that unpack to more than {self.most_of(packed):,}"
        expected = f"at most {self.most:,}"
        if self.ratio:
            expected += f", and beyond {self.free:,} at most {self.ratio} times the packed size"
        advice = f"If you trust it, unpack it yourself, or raise the limit: {VARIABLE}=8GB."
        return InputError([Problem(file, 0, found, expected, advice)])


FILES = Ceiling()
# A pipe or a device tells no size and may never end, so that its text is held up to here.
STREAMS = Ceiling(most=200_000_000)
# Whoever can open the app can upload: reading takes up to 50 times the memory of a text.
UPLOADS = Ceiling(most=500_000_000, free=10_000_000)


def ceiling_in_force(default: Ceiling = FILES) -> Ceiling:
    """The default, or what `limit_in_force` says: a size, at any ratio.

    Raises PolicyError if it says no size.
    """
    given = limit_in_force()
    return Ceiling(_bytes(given), ratio=0) if given else default


def limit_in_force() -> str | None:
    """What `told_to_unpack_up_to` or the environment says, if anything."""
    return _TOLD.get() or os.environ.get(VARIABLE)


def _bytes(text: str) -> int:
    size = _SIZE.fullmatch(text)
    if size is None:
        raise PolicyError(f"the unpack limit is {text!r}; expected a size such as 8GB or 500MB")
    return int(float(size[1]) * _UNITS[(size[2] or "").lower()])


@contextmanager
def unpacking_up_to(size: str | None) -> Iterator[None]:
    """Set the environment's limit, if one is given, for this process and those that it starts.

    Raises PolicyError if it is no size.
    """
    before = os.environ.get(VARIABLE)
    if size is not None:
        _bytes(size)
        os.environ[VARIABLE] = size
    try:
        yield
    finally:
        if size is not None:
            os.environ.pop(VARIABLE)
            os.environ.update({VARIABLE: before} if before is not None else {})


@contextmanager
def told_to_unpack_up_to(size: str | None) -> Iterator[None]:
    """Go by a limit, if one is given, in this thread alone, whatever the environment says."""
    before = _TOLD.set(size)
    try:
        yield
    finally:
        _TOLD.reset(before)
