"""How changes of the response change the best alignment of entities."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corescore.arrays import BoolArray, FloatArray, IntArray, ranges
from corescore.counting.changes import Changes
from corescore.counting.contingency import Contingency, add_up
from corescore.counting.prices import Priced, priced
from corescore.counting.realignment import Realignment
from corescore.tolerances import SIMILARITY

Similarity = Callable[[Contingency], FloatArray]
MOST_CELLS = 2**20  # of the entities touched that are looked at together: some 100 MB


def aligned_changes(changes: Changes, similarity: Similarity) -> FloatArray:
    """(changes,) how the summed similarity of the best alignment changes.

    similarity  table → (cells,) what the alignment maximises; of each cell alone

    Prices of the entities (`prices`) tell for most changes that the alignment as it stands, or with
    one entity more, is still the best. After the others it is repaired (`realignment`).
    """
    table, weight = changes.table, similarity(changes.table)
    best = priced(table, weight)
    change, repaired = np.zeros(len(changes.document)), Realignment(table, weight, best)
    for chosen in _batches(changes):
        touched = _Touched.of(changes.rows(chosen), similarity)
        change[chosen], is_best = touched.aligned(best)
        for at in np.flatnonzero(~is_best).tolist():
            change[chosen[at]] = repaired.gain(touched.similar(at))
    return change


def _batches(changes: Changes) -> Iterator[IntArray]:
    n = np.bincount(changes.table.cell_response, minlength=len(changes.table.response_sizes) + 1)
    sizes = changes.sizes
    weight = changes.by_change(sizes.change, n[sizes.response]) + 1
    batch = (np.cumsum(weight) // MOST_CELLS).astype(np.int64)
    for number in np.unique(batch).tolist():
        yield np.flatnonzero(batch == number)


@dataclass(frozen=True)
class _Touched:
    """The response entities that changes touch, with all their cells afterwards.

    changes  the changes; `entity` is a row of their sizes
    entity, key, similarity  (cells,) of each cell after its change, ascending by change
    """

    changes: Changes
    entity: IntArray
    key: IntArray
    similarity: FloatArray

    @classmethod
    def of(cls, changes: Changes, similarity: Similarity) -> "_Touched":
        table = _after(changes)
        return cls(changes, table.cell_response, table.cell_key, similarity(table))

    def aligned(self, best: Priced) -> tuple[FloatArray, BoolArray]:
        """(changes,) how much more the alignment is worth as it stands, and whether none is better.

        An entity may leave its partner for one that nobody is aligned with, if only one does. What
        all prices together rise by, if the entities touched ask what they must, is the most that
        any alignment can gain.
        """
        sizes, entity = self.changes.sizes, self.entity
        n = len(sizes.change)
        partner = np.append(best.response_partner, -1)[sizes.response]
        worth = np.append(best.worth, 0.0)[partner]
        price = np.append(best.response_price, 0.0)[sizes.response]
        asked = _greatest(entity, self.similarity - best.key_price[self.key], n)
        own = _greatest(entity, self.similarity * (self.key == partner[entity]), n)
        free = _greatest(entity, self.similarity * (best.key_partner[self.key] < 0), n)
        most, gained, leave = (
            self.changes.by_change(sizes.change, values)
            for values in (asked - price, np.maximum(own, free) - worth, free > own)
        )
        return gained, (most - gained <= SIMILARITY) & (leave <= 1)

    def similar(self, change: int) -> dict[int, dict[int, float]]:
        """The similarities of the entities that a change touches, by response and key entity."""
        sizes = self.changes.sizes
        rows = slice(*np.searchsorted(sizes.change, [change, change + 1]))
        found: dict[int, dict[int, float]] = {one: {} for one in sizes.response[rows].tolist()}
        cells = slice(*np.searchsorted(self._change, [change, change + 1]))
        columns = sizes.response[self.entity[cells]], self.key[cells], self.similarity[cells]
        for response, key, value in zip(*(column.tolist() for column in columns), strict=True):
            found[response][key] = value
        return found

    @cached_property
    def _change(self) -> IntArray:
        return self.changes.sizes.change[self.entity]


def _greatest(entity: IntArray, values: FloatArray, n: int) -> FloatArray:
    """(n,) the greatest value of each entity's cells, at least 0."""
    greatest = np.zeros(n)
    np.maximum.at(greatest, entity, values)
    return greatest


def _after(changes: Changes) -> Contingency:
    """The key and the response entities that changes touch, each by itself, with their cells."""
    table, sizes, cells = changes.table, changes.sizes, changes.cells
    n_key = max(len(table.key_sizes), 1)
    entity, cell = _cells_of(table, sizes.response)
    both = np.concatenate([entity * n_key + table.cell_key[cell], cells.entity * n_key + cells.key])
    codes, which = np.unique(both, return_inverse=True)
    change = np.concatenate([table.cell_sizes[cell], cells.after - cells.before])
    cell_sizes = add_up(which, change, len(codes)).astype(np.int64)
    entity, key = np.divmod(codes[cell_sizes > 0], n_key)
    return replace(
        table,
        response_sizes=sizes.after,
        response_document=changes.document[sizes.change],
        cell_key=key,
        cell_response=entity,
        cell_sizes=cell_sizes[cell_sizes > 0],
    )


def _cells_of(table: Contingency, responses: IntArray) -> tuple[IntArray, IntArray]:
    """For each of some response entities its place among them with each of its cells."""
    order = np.argsort(table.cell_response, kind="stable")
    ends = np.arange(len(table.response_sizes) + 2)
    first = np.searchsorted(table.cell_response[order], ends)
    which, place = ranges(first[responses], first[responses + 1])
    return which, order[place]
