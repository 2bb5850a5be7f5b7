"""Where the cells of columns stand in the bytes of their lines, found for many lines at once.

Splitting text into lines and cells makes a string of each, of which most are never looked at.
Positions cost a tenth of that, and only the cells that are needed become strings.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corescore.arrays import AnyArray, BoolArray, IntArray

Bytes = NDArray[np.uint8]
TAB, NEWLINE, BLANK = b"\t\n "
_HALVES = "surrogatepass"  # half a character, which only a program can give, is kept


def encoded(text: str) -> Bytes:
    """(bytes,) the text in UTF-8."""
    return np.frombuffer(text.encode("utf-8", _HALVES), dtype=np.uint8)


def decoded(data: Bytes) -> str:
    """The text that the bytes are in UTF-8."""
    return data.tobytes().decode("utf-8", _HALVES)


@dataclass(frozen=True)
class Stretches:
    """Stretches of bytes, such as the cells of a column; none holds a newline or the last byte."""

    data: Bytes
    starts: IntArray
    lengths: IntArray

    def __getitem__(self, which: AnyArray) -> "Stretches":
        return Stretches(self.data, self.starts[which], self.lengths[which])

    def where(self, known: BoolArray) -> "Stretches":
        """The same, but empty where this does not hold."""
        return Stretches(self.data, self.starts, np.where(known, self.lengths, 0))

    @property
    def first_bytes(self) -> Bytes:
        """(stretches,) the first byte of each; of an empty one the byte after it."""
        return self.data[self.starts]

    def joined(self) -> Bytes:
        """(sum of lengths + stretches,) one after the other, each with a newline after it."""
        wide = self.lengths + 1
        after = np.cumsum(wide)
        at = np.repeat(self.starts - after + wide, wide)
        found = self.data[at + np.arange(len(at))]
        found[after - 1] = NEWLINE
        return found

    def alone(self) -> "Stretches":
        """The same, with no other bytes kept than theirs."""
        starts = np.cumsum(self.lengths + 1) - self.lengths - 1
        return Stretches(self.joined(), starts, self.lengths)

    @classmethod
    def together(cls, parts: Sequence["Stretches"]) -> "Stretches":
        """The stretches of several texts, one after the other."""
        sizes = np.cumsum([0, *(len(part.data) for part in parts)])
        return cls(
            np.concatenate([part.data for part in parts]),
            np.concatenate([part.starts + n for part, n in zip(parts, sizes[:-1], strict=True)]),
            np.concatenate([part.lengths for part in parts]),
        )

    def texts(self) -> list[str]:
        """Each as a string."""
        return decoded(self.joined()).split("\n")[:-1]


@dataclass(frozen=True)
class Cells:
    """The cells of lines of text.

    data    (bytes,) the text in UTF-8, a newline before it and one at its end
    before  (cells,) the byte before each cell
    ends    (cells,) the byte after it
    first   (lines,) which cell is the first of each line; of a line without cells it means nothing
    n       (lines,) how many it has
    """

    data: Bytes
    before: IntArray
    ends: IntArray
    first: IntArray
    n: IntArray

    def at(self, which: IntArray) -> Stretches:
        """The bytes of some of the cells."""
        starts = self.before[which] + 1
        return Stretches(self.data, starts, self.ends[which] - starts)


def tabbed_cells(data: Bytes) -> Cells:
    """The cells of lines with a tab between columns. An empty line has none."""
    edges = np.flatnonzero(data - np.uint8(TAB) <= NEWLINE - TAB)
    before, ends = edges[:-1], edges[1:]
    last = np.flatnonzero(data[ends] == NEWLINE)
    first = np.append(0, last[:-1] + 1)
    is_empty = before[first] + 1 == ends[last]
    return Cells(data, before, ends, first, np.where(is_empty, 0, last - first + 1))


def spaced_cells(data: Bytes) -> Cells:
    """The cells of lines with blanks or tabs between columns. A line of blanks has none."""
    is_newline = data == NEWLINE
    is_gap = is_newline | (data == BLANK) | (data == TAB)
    edges = np.flatnonzero(is_gap[1:] != is_gap[:-1])
    before, ends = edges[::2], edges[1::2] + 1
    after = np.searchsorted(before, np.flatnonzero(is_newline)[1:])
    first = np.append(0, after[:-1])
    return Cells(data, before, ends, first, after - first)
