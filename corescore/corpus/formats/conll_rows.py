"""The rows of several CoNLL documents as arrays: where they stand, and the cells of their columns.

Rows are as they should be where a plain look at them tells all: the same number of columns in a
sentence, a word and an entity cell in each. `are_odd` says which of them need a second look.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.formats.byte_cells import (
    BLANK,
    Cells,
    Stretches,
    decoded,
    encoded,
    spaced_cells,
    tabbed_cells,
)
from corescore.corpus.formats.conll_brackets import MOST_BRACKETS, NOTHING

_IS_NOTHING: BoolArray = np.isin(np.arange(256), [ord(cell) for cell in NOTHING if cell])
_COMMENT = ord("#")


class Piece(NamedTuple):
    """Lines of a document, from the beginning of a sentence on.

    document  its number in the batch
    line      the first line's number, counted from 0 at the line after the header
    """

    document: int
    line: int
    text: str


@dataclass(frozen=True)
class Rows:
    """The lines of some pieces of documents that are neither empty nor comments.

    cells     of all their lines
    line      (rows,) the line of each row, counted as in `Piece`
    document  (rows,) its document
    begins    (rows,) whether it is the first of a sentence
    first, n  (rows,) its first cell, and how many it has
    """

    cells: Cells
    line: IntArray
    document: IntArray
    begins: BoolArray
    first: IntArray
    n: IntArray

    @classmethod
    def of(cls, pieces: Sequence[Piece], *, tabbed: bool) -> "Rows":
        """The rows of pieces, with tabs or blanks between columns.

        No name of a document begins with a number sign; its rows could be taken for comments.
        """
        ended = [text if text.endswith("\n") else f"{text}\n" for _, _, text in pieces]
        n_lines = np.array([text.count("\n") for text in ended], dtype=np.int64)
        cells = (tabbed_cells if tabbed else spaced_cells)(encoded("".join(["\n", *ended])))
        filled = np.flatnonzero(cells.n)
        at = filled[cells.at(cells.first[filled]).first_bytes != _COMMENT]
        piece = np.repeat(np.arange(len(pieces)), n_lines)[at]
        n_blank = np.cumsum(cells.n == 0)[at]
        begins = np.append(True, (np.diff(n_blank) > 0) | (np.diff(piece) > 0))[: len(at)]
        before = np.array([piece.line for piece in pieces]) - (np.cumsum(n_lines) - n_lines)
        document = np.array([piece.document for piece in pieces])[piece]
        return cls(cells, at + before[piece], document, begins, cells.first[at], cells.n[at])

    def column(self, number: IntArray | int) -> Stretches:
        """The cell of each row in a column; of a row that has not so many columns its last cell."""
        return self.cells.at(self.first + np.minimum(number, self.n - 1))

    def text(self, start: int, stop: int) -> str:
        """Rows as they stand in the file, with the lines between them."""
        last = self.first[stop - 1] + self.n[stop - 1] - 1
        begin, end = self.cells.before[self.first[start]] + 1, self.cells.ends[last]
        return decoded(self.cells.data[begin:end])


def are_filled(cells: Stretches) -> BoolArray:
    """(cells,) whether a cell holds more than a sign that there is nothing."""
    is_sign: BoolArray = _IS_NOTHING[cells.first_bytes] & (cells.lengths == 1)
    return ~is_sign & (cells.lengths > 0)


def are_odd(rows: Rows, place: IntArray, words: Stretches, entities: Stretches) -> BoolArray:
    """(rows,) whether a row needs a second look.

    place            (rows,) the column of its word
    words, entities  (rows,) its word, and its last cell
    """
    odd: BoolArray = (rows.n < place + 2) | (words.lengths == 0)
    odd |= (entities.lengths == 0) | (entities.first_bytes == BLANK)
    odd |= entities.lengths > MOST_BRACKETS  # there may be too many in it
    odd[1:] |= ~rows.begins[1:] & (np.diff(rows.n) != 0)
    return odd
