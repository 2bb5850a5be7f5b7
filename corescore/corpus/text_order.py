"""The mentions of a document in text order, and its entities numbered in the order they appear."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import count
from operator import itemgetter

import numpy as np

from corescore.arrays import IntArray

# (start, end, entity id) of each mention; an array if the ids are whole numbers
Rows = IntArray | Iterable[tuple[int, int, Hashable]]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Rows in text order.

    table   (mentions, 3) `Document.rows`
    order   (mentions,) which of the rows, as given, stands where
    number  of each entity id
    listed  `Document.listed`
    """

    table: IntArray
    order: IntArray
    number: dict[Hashable, int]
    listed: tuple[int, ...]


def in_text_order(name: str, rows: Rows) -> Ordered:
    """The rows of the document of this name, put in order.

    Raises ValueError for a span without a word or before the document.
    """
    start, end, ids = _columns(rows)
    order = np.lexsort((-end, start))
    in_order = [*map(ids.__getitem__, order.tolist())]
    number = dict(zip(dict.fromkeys(in_order), count()))
    table = np.empty((len(ids), 3), dtype=np.int64)
    table[:, 0], table[:, 1] = start[order], end[order]
    table[:, 2] = [*map(number.__getitem__, in_order)]
    if (table[:1, 0] < 0).any() or (end <= start).any():
        raise ValueError(f"document '{name}' has a span that is not 0 ≤ start < end")
    if not _span_twice(table):
        return Ordered(table, order, number, ())
    again = np.lexsort((table[:, 2], -table[:, 1], table[:, 0]))
    return Ordered(table[again], order[again], number, _listed(table, order))


def _span_twice(table: IntArray) -> bool:
    start, end = table[:, 0], table[:, 1]
    return bool(((start[1:] == start[:-1]) & (end[1:] == end[:-1])).any())


def _listed(table: IntArray, order: IntArray) -> tuple[int, ...]:
    """The entities as the rows open them that stood in this order before they were sorted."""
    given = np.empty_like(table)
    given[order] = table
    start, end, entity = given.T
    opened = np.lexsort((end - start > 1, start))
    return tuple(dict.fromkeys(entity[opened].tolist()))


def _columns(rows: Rows) -> tuple[IntArray, IntArray, list[Hashable]]:
    """The starts, the ends and the entity ids."""
    if isinstance(rows, np.ndarray):
        return rows[:, 0], rows[:, 1], rows[:, 2].tolist()
    given = [*rows]
    start, end = (
        np.fromiter(map(itemgetter(at), given), dtype=np.int64, count=len(given)) for at in (0, 1)
    )
    return start, end, [*map(itemgetter(2), given)]
