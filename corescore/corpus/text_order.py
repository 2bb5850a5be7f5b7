"""The mentions of a document in text order, and its entities numbered in the order they appear."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import count
from operator import itemgetter

import numpy as np

from corescore.arrays import IntArray

Row = tuple[int, int, Hashable]  # (start, end, entity id) of a mention
# Those of all mentions; an array if the ids are whole numbers
Rows = IntArray | Iterable[Row]
FEW = 16


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
    if not isinstance(rows, np.ndarray):
        rows = [*rows]
        if len(rows) <= FEW and (found := _few(rows)):
            return found
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


def _few(rows: list[Row]) -> Ordered | None:
    """The same of a few rows, for files of many short documents: NumPy's calls take longer. None
    if a span is wrong or there twice."""
    order = sorted(range(len(rows)), key=lambda at: (rows[at][0], -rows[at][1]))
    number: dict[Hashable, int] = {}
    table = []
    before = (-1, -1)
    for at in order:
        start, end, entity = rows[at]
        if not 0 <= start < end or before == (start, end):
            return None
        before = start, end
        table.append((start, end, number.setdefault(entity, len(number))))
    ordered = np.array(table, dtype=np.int64).reshape(-1, 3)
    return Ordered(ordered, np.array(order, dtype=np.int64), number, ())


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


def _columns(rows: IntArray | list[Row]) -> tuple[IntArray, IntArray, list[Hashable]]:
    """The starts, the ends and the entity ids."""
    if isinstance(rows, np.ndarray):
        return rows[:, 0], rows[:, 1], rows[:, 2].tolist()
    start, end = (
        np.fromiter(map(itemgetter(at), rows), dtype=np.int64, count=len(rows)) for at in (0, 1)
    )
    return start, end, [*map(itemgetter(2), rows)]
