"""Changes of a response, each of them alone: mentions that leave, join or move.

Tables of what changes touch, each change as a document: what has no closed form is recounted.

How changes of the response change the best alignment of entities.

An alignment repaired after a change, from the prices of the best one before it.

Prices of entities under their best alignment: they tell without a search what else is best.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import Generic, TypeVar

import numpy as np

from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.util import SIMILARITY, AnyArray, BoolArray, FloatArray, IntArray, ranges


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


MOST_CELLS = 2**19  # of one batch: some 100 MB while it is counted


def batches(changes: Changes) -> Iterator[Contingency]:
    """The document of each change afterwards, as tables of which each change is a document."""
    table = changes.table
    n_cells = np.bincount(table.cell_document, minlength=table.n_documents) + 1
    batch = np.cumsum(n_cells[changes.document]) // MOST_CELLS
    for number in np.unique(batch).tolist():
        yield _after(changes.rows(np.flatnonzero(batch == number)))


def _after(changes: Changes) -> Contingency:
    table, sizes, cells = changes.table, changes.sizes, changes.cells
    n_key, width = max(len(table.key_sizes), 1), len(table.response_sizes) + 1
    change, key = _members(table.key_document, changes.document)
    keys = change * n_key + key
    change, response = _members(table.response_document, changes.document)
    responses, response_sizes = _changed(
        (change * width + response, table.response_sizes[response]),
        (sizes.change * width + sizes.response, sizes.after - sizes.before),
    )
    change, cell = _members(table.cell_document, changes.document)
    touched = cells.change * n_key + cells.key
    codes, cell_sizes = _changed(
        (
            (change * n_key + table.cell_key[cell]) * width + table.cell_response[cell],
            table.cell_sizes[cell],
        ),
        (touched * width + sizes.response[cells.entity], cells.after - cells.before),
    )
    of_key, of_response = np.divmod(codes, width)
    return Contingency(
        len(changes.document),
        table.key_sizes[keys % n_key],
        keys // n_key,
        response_sizes,
        responses // width,
        np.searchsorted(keys, of_key),
        np.searchsorted(responses, of_key // n_key * width + of_response),
        cell_sizes,
    )


def _members(document: IntArray, documents: IntArray) -> tuple[IntArray, IntArray]:
    """For each of some documents its place among them with each of its members.

    document  the document of each member, ascending
    """
    first, end = (np.searchsorted(document, documents, side=side) for side in ("left", "right"))
    return ranges(first, end)


def _changed(
    whole: tuple[IntArray, IntArray], change: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """Codes, ascending, and their sizes: those of `whole` with `change` added; 0 is left out."""
    both = np.concatenate([whole[0], change[0]])
    codes, which = np.unique(both, return_inverse=True)
    sizes = add_up(which, np.concatenate([whole[1], change[1]]), len(codes)).astype(np.int64)
    return codes[sizes > 0], sizes[sizes > 0]


@dataclass(frozen=True)
class Priced:
    """The best alignment of a table, and a price ≥ 0 of each entity: 0 of those left alone.

    Two entities cost together at least their similarity, and exactly that if they are aligned. So
    no alignment is worth more than all prices together, and the best is worth as much.

    key_partner, response_partner  (entities,) the entity that each is aligned with; −1 for none
    key_price, response_price      (entities,)
    worth                          (key entities,) the similarity with its partner; 0 without one
    """

    key_partner: IntArray
    response_partner: IntArray
    key_price: FloatArray
    response_price: FloatArray
    worth: FloatArray


def priced(table: Contingency, similarity: FloatArray) -> Priced:
    """The best alignment, priced half way between the least that the entities of one side can cost
    and the least that those of the other can: the prices that most changes leave valid."""
    n_key, n_response = len(table.key_sizes), len(table.response_sizes)
    chosen = best_assignment(table.components, similarity)
    key, response = table.cell_key[chosen], table.cell_response[chosen]
    partners = np.full(n_key, -1), np.full(n_response, -1)
    worth = np.zeros(n_key), np.zeros(n_response)
    partners[0][key], partners[1][response] = response, key
    worth[0][key] = worth[1][response] = similarity[chosen]
    cells = table.cell_key, table.cell_response
    least_key = _least(cells[1], cells[0], similarity - worth[1][cells[1]], partners[1], n_key)
    least_response = _least(
        cells[0], cells[1], similarity - worth[0][cells[0]], partners[0], n_response
    )
    half = np.zeros(n_response)
    half[response] = (least_response[response] + similarity[chosen] - least_key[key]) / 2
    key_price = np.zeros(n_key)
    key_price[key] = similarity[chosen] - half[response]
    return Priced(*partners, key_price, half, worth[0])


def _least(
    payer: IntArray, own: IntArray, more: FloatArray, partner: IntArray, n: int
) -> FloatArray:
    """(n,) the least prices of one side: the other side's entities pay what is left of their worth.

    payer, own  (cells,) the entities of the other side and of this one
    more        (cells,) by how much the cell is worth more than the payer's own alignment
    partner     the entity of this side that each payer is aligned with; −1 for none
    """
    price = np.zeros(n + 1)  # the last is that of no partner
    partners = partner[payer]
    while True:
        asked = price.copy()
        np.maximum.at(asked, own, more + price[partners])
        if (asked <= price + SIMILARITY).all():
            return price[:-1]
        price = asked


_NOBODY = -1

Value = TypeVar("Value")


class _Over(dict[int, Value], Generic[Value]):
    """Values that differ from those of a list, which stays as it is."""

    def __init__(self, below: list[Value]) -> None:
        super().__init__()
        self._below = below

    def __missing__(self, node: int) -> Value:
        return self._below[node]


class _Similar(dict[int, dict[int, float]]):
    """To each node those that share something with it, and their similarities: put together where
    they are asked for, as few are."""

    def __init__(self, table: Contingency, similarity: FloatArray) -> None:
        super().__init__()
        key, response = table.cell_key, table.cell_response + len(table.key_sizes)
        node, other = np.append(key, response), np.append(response, key)
        order = np.argsort(node, kind="stable")
        n_nodes = len(table.key_sizes) + len(table.response_sizes) + 1
        self._first = np.searchsorted(node[order], np.arange(n_nodes + 1))
        self._other, self._value = other[order], np.append(similarity, similarity)[order]

    def __missing__(self, node: int) -> dict[int, float]:
        at = slice(*self._first[node : node + 2].tolist())
        others = zip(self._other[at].tolist(), self._value[at].tolist(), strict=True)
        self[node] = found = dict(others)
        return found


class Realignment:
    """What the best alignment of a table is worth after changes, each of them alone.

    Nodes are the key entities, then the response entities, then a new one.
    """

    def __init__(self, table: Contingency, similarity: FloatArray, best: Priced) -> None:
        self._n_key = len(table.key_sizes)
        self._table, self._similarity, self._best = table, similarity, best

    @cached_property
    def _price(self) -> list[float]:
        return [*self._best.key_price.tolist(), *self._best.response_price.tolist(), 0.0]

    @cached_property
    def _partner(self) -> list[int]:
        of_key = self._best.key_partner
        partner = np.where(of_key < 0, _NOBODY, of_key + self._n_key)
        return [*partner.tolist(), *self._best.response_partner.tolist(), _NOBODY]

    @cached_property
    def _similar(self) -> "_Similar":
        return _Similar(self._table, self._similarity)

    def gain(self, changed: Mapping[int, Mapping[int, float]]) -> float:
        """How much more the best alignment is worth.

        changed  the response entities that change: to each key entity that shares something with it
                 then, their similarity
        """
        after = {self._n_key + entity: similar for entity, similar in changed.items()}
        repair = _Repair(self._similar, after, _Over(self._price), _Over(self._partner))
        repair.run()
        gained = 0.0
        for node, partner in repair.partner.items():
            if node < self._n_key:
                gained += dict(repair.similar(node)).get(partner, 0.0)
                gained -= self._similar[node].get(self._partner[node], 0.0)
        return gained


@dataclass(frozen=True)
class _Repair:
    """One change carried out: similarities, prices and partners where they differ from before."""

    before: _Similar
    after: Mapping[int, Mapping[int, float]]
    price: _Over[float]
    partner: _Over[int]

    def similar(self, node: int) -> Iterator[tuple[int, float]]:
        """The nodes that share something with this one, and their similarities."""
        if node in self.after:
            yield from self.after[node].items()
            return
        yield from (pair for pair in self.before[node].items() if pair[0] not in self.after)
        yield from ((other, own[node]) for other, own in self.after.items() if node in own)

    def run(self) -> None:
        """The entities that change leave their partners, and all of these find the best ones.

        Prices stay such that two nodes together cost at least their similarity. A node that is
        left alone for good costs nothing.
        """
        loose = []
        for node, similar in self.after.items():
            partner = self.partner[node]
            if partner != _NOBODY:
                self.partner[partner] = self.partner[node] = _NOBODY
                loose.append(partner)
            asked = (value - self.price[other] for other, value in similar.items())
            self.price[node] = max(0.0, max(asked, default=0.0))
        for node in (*loose, *self.after):
            if self.partner[node] == _NOBODY and self.price[node] > 0:
                self._settle(node)

    def _settle(self, start: int) -> None:
        """The way of least loss by which a node finds a partner, or leaves a node of its side
        alone: a shortest path (Dijkstra) over what prices exceed similarities by."""
        reached, crossed, came_from = {start: 0.0}, dict[int, float](), dict[int, int]()
        loss, end, waiting = self.price[start], start, [(0.0, start)]
        while waiting and waiting[0][0] < loss:
            so_far, node = heappop(waiting)
            if so_far > reached[node]:
                continue
            for other, value in self.similar(node):
                if self.partner[node] == other:
                    continue
                step = so_far + max(0.0, self.price[node] + self.price[other] - value)
                if step >= min(loss, crossed.get(other, loss)):
                    continue
                crossed[other], came_from[other] = step, node
                partner = self.partner[other]
                if partner == _NOBODY:
                    loss, end = step, other
                    continue
                reached[partner] = step
                heappush(waiting, (step, partner))
                if step + self.price[partner] < loss:
                    loss, end = step + self.price[partner], partner
        self._reprice(reached, crossed, loss)
        self._exchange(start, end, came_from)

    def _reprice(
        self, reached: Mapping[int, float], crossed: Mapping[int, float], loss: float
    ) -> None:
        for node, way in reached.items():
            if way < loss:
                self.price[node] = max(0.0, self.price[node] - (loss - way))
        for node, way in crossed.items():
            if way < loss:
                self.price[node] += loss - way

    def _exchange(self, start: int, end: int, came_from: Mapping[int, int]) -> None:
        """Each node on the way takes the next partner."""
        if end == start:
            return
        other = end
        if end not in came_from:  # a node of the side of `start`, which is left alone
            other, self.partner[end] = self.partner[end], _NOBODY
        while True:
            node = came_from[other]
            left, self.partner[node], self.partner[other] = self.partner[node], other, node
            if node == start:
                return
            other = left


Similarity = Callable[[Contingency], FloatArray]

MOST_TOUCHED = 2**20  # of the entities touched that are looked at together: some 100 MB


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
    batch = (np.cumsum(weight) // MOST_TOUCHED).astype(np.int64)
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
        table = _realigned(changes)
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


def _realigned(changes: Changes) -> Contingency:
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
