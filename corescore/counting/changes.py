"""Changes of a response, each of them alone: mentions that leave, join or move."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corescore.arrays import AnyArray, BoolArray, FloatArray, IntArray
from corescore.counting.contingency import Contingency, add_up, pairs


@dataclass(frozen=True)
class Steps:
    """What a change does to a response entity; a mention that moves takes two steps.

    change    (steps,) the change that a step belongs to
    response  (steps,) the response entity; one more than there are stands for a new one
    key       (steps,) the key entity of its mentions; −1 if the key lacks them
    mentions  (steps,) how many mentions it gains; negative if it loses some
    shared    (steps,) how many of them the key has; 0 if `key` is −1
    """

    change: IntArray
    response: IntArray
    key: IntArray
    mentions: IntArray
    shared: IntArray

    @classmethod
    def joined(cls, *several: "Steps") -> "Steps":
        """All steps of several."""
        columns = zip(*map(_columns, several), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def rows(self, index: IntArray | BoolArray) -> "Steps":
        """The steps at `index`."""
        return Steps(*(column[index] for column in _columns(self)))


def _columns(steps: Steps) -> tuple[IntArray, ...]:
    return steps.change, steps.response, steps.key, steps.mentions, steps.shared


@dataclass(frozen=True)
class Sizes:
    """The response entities that changes touch, ascending by change.

    change, response  (touched,) the change and the entity
    before, after     (touched,) the entity's size
    """

    change: IntArray
    response: IntArray
    before: IntArray
    after: IntArray


@dataclass(frozen=True)
class Cells:
    """The cells that changes touch, ascending by change.

    change, key    (touched,) the change and the key entity
    entity         (touched,) the response entity, as a row of `Sizes`
    before, after  (touched,) the cell's size
    """

    change: IntArray
    key: IntArray
    entity: IntArray
    before: IntArray
    after: IntArray


@dataclass(frozen=True)
class Changes:
    """Changes of the response side of a table. The key stays as it is.

    table     the table before
    document  (changes,) the document of each change
    steps     what each change does; a change without steps changes nothing
    """

    table: Contingency
    document: IntArray
    steps: Steps

    @cached_property
    def sizes(self) -> Sizes:
        """The response entities touched."""
        steps, n = self.steps, len(self.table.response_sizes)
        codes, which = np.unique(steps.change * (n + 1) + steps.response, return_inverse=True)
        change, response = np.divmod(codes, n + 1)
        before = np.append(self.table.response_sizes, 0)[response]
        return Sizes(change, response, before, before + _summed(which, steps.mentions, len(codes)))

    @cached_property
    def cells(self) -> Cells:
        """The cells touched."""
        steps, sizes = self.steps.rows(self.steps.key >= 0), self.sizes
        n = max(len(self.table.key_sizes), 1)
        width = len(self.table.response_sizes) + 1
        touched = sizes.change * width + sizes.response
        entity = np.searchsorted(touched, steps.change * width + steps.response)
        codes, which = np.unique(entity * n + steps.key, return_inverse=True)
        entity, key = np.divmod(codes, n)
        before = _cell_sizes(self.table, key, sizes.response[entity])
        after = before + _summed(which, steps.shared, len(codes))
        return Cells(sizes.change[entity], key, entity, before, after)

    def by_change(self, change: IntArray, values: AnyArray) -> FloatArray:
        """(changes,) the sum of `values` of each change."""
        return add_up(change, values, len(self.document))

    def of_sizes(self, value: Callable[[IntArray], AnyArray]) -> FloatArray:
        """(changes,) how Σ_j value(b_j) changes."""
        sizes = self.sizes
        return self.by_change(sizes.change, value(sizes.after) - value(sizes.before))

    def of_cells(
        self, value: Callable[[IntArray], AnyArray], weight: AnyArray | None = None
    ) -> FloatArray:
        """(changes,) how Σ_ij value(n_ij) · weight_i changes.

        weight  (key entities,); 1 if None
        """
        cells = self.cells
        by_key = self._ones_of_key if weight is None else weight
        change = (value(cells.after) - value(cells.before)) * by_key[cells.key]
        return self.by_change(cells.change, change)

    def within_entities(
        self, value: Callable[[IntArray], AnyArray], weight: AnyArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """(touched,) Σ_i value(n_ij) · weight_i of each row of `sizes`, before and after."""
        table, cells = self.table, self.cells
        by_key = self._ones_of_key if weight is None else weight
        whole = add_up(
            table.cell_response,
            value(table.cell_sizes) * by_key[table.cell_key],
            len(table.response_sizes) + 1,
        )
        before = whole[self.sizes.response]
        change = (value(cells.after) - value(cells.before)) * by_key[cells.key]
        return before, before + add_up(cells.entity, change, len(before))

    @property
    def _ones_of_key(self) -> FloatArray:
        return np.ones(len(self.table.key_sizes))

    @cached_property
    def shared_mentions(self) -> FloatArray:
        """(changes,) how many more mentions both sides have."""
        return self.of_cells(lambda n: n)

    @cached_property
    def response_mentions(self) -> FloatArray:
        """(changes,) how many more mentions the response has."""
        return self.of_sizes(lambda b: b)

    @cached_property
    def response_entities(self) -> FloatArray:
        """(changes,) how many more entities the response has."""
        return self.of_sizes(np.sign)

    @cached_property
    def key_links_of_shared(self) -> FloatArray:
        """(changes,) how ΣC(n_i·) changes."""
        cells, n = self.cells, max(len(self.table.key_sizes), 1)
        codes, which = np.unique(cells.change * n + cells.key, return_inverse=True)
        change, key = np.divmod(codes, n)
        before = self.table.key_shared[key]
        after = before + _summed(which, cells.after - cells.before, len(codes))
        return self.by_change(change, pairs(after) - pairs(before))

    @cached_property
    def response_links_of_shared(self) -> FloatArray:
        """(changes,) how ΣC(n_·j) changes."""
        before, after = self.within_entities(lambda n: n)
        return self.by_change(self.sizes.change, pairs(after) - pairs(before))

    def pairs_of(self, in_document: FloatArray, change: FloatArray) -> FloatArray:
        """(changes,) how C(x) changes, x being a number of mentions of the touched document.

        in_document  (documents,) x before
        change       (changes,) what is added to it
        """
        before = in_document[self.document]
        return pairs(before + change) - pairs(before)

    def rows(self, index: IntArray) -> "Changes":
        """The changes at `index`, ascending."""
        number = np.full(len(self.document), -1)
        number[index] = np.arange(len(index))
        steps = self.steps.rows(number[self.steps.change] >= 0)
        steps = replace(steps, change=number[steps.change])
        return Changes(self.table, self.document[index], steps)

    def distinct(self) -> tuple["Changes", IntArray]:
        """The changes that differ, and (changes,) which of them each one is.

        Changes without steps are alike in whatever document.
        """
        order = np.lexsort((self.steps.key, self.steps.response, self.steps.change))
        steps = self.steps.rows(order)
        n_steps = np.bincount(steps.change, minlength=len(self.document))
        place = np.arange(len(order)) - np.repeat(np.cumsum(n_steps) - n_steps, n_steps)
        rows = np.full((len(self.document), n_steps.max(initial=0), 4), -1)
        rows[steps.change, place] = np.column_stack(_columns(steps)[1:])
        first, which = _alike(rows.reshape(len(rows), 4 * rows.shape[1]))
        order = np.argsort(first)
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        return self.rows(first[order]), number[which]


def _alike(rows: IntArray) -> tuple[IntArray, IntArray]:
    """The first of the rows that are equal, and (rows,) which of them each one is."""
    if not rows.size:
        return np.arange(min(len(rows), 1)), np.zeros(len(rows), dtype=np.int64)
    order = np.lexsort(rows.T)
    differs = np.append(True, (rows[order][1:] != rows[order][:-1]).any(axis=1))
    which = np.empty_like(order)
    which[order] = np.cumsum(differs) - 1
    return order[differs], which


def _summed(which: IntArray, values: IntArray, length: int) -> IntArray:
    return add_up(which, values, length).astype(np.int64)


def _cell_sizes(table: Contingency, key: IntArray, response: IntArray) -> IntArray:
    """The size of the cell of each two entities; 0 if they share nothing."""
    width = len(table.response_sizes) + 1
    codes = np.append(table.cell_key * width + table.cell_response, -1)
    wanted = key * width + response
    at = np.searchsorted(codes[:-1], wanted)
    return np.where(codes[at] == wanted, np.append(table.cell_sizes, 0)[at], 0)
