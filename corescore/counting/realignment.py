"""An alignment repaired after a change, from the prices of the best one before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Generic, TypeVar

import numpy as np

from corescore.arrays import FloatArray
from corescore.counting.contingency import Contingency
from corescore.counting.prices import Priced

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
