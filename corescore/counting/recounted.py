"""Tables of what changes touch, each change as a document: what has no closed form is recounted."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corescore.arrays import IntArray
from corescore.counting.changes import Changes
from corescore.counting.contingency import Contingency, add_up

MOST_CELLS = 2**19  # of one batch: some 100 MB while it is counted


@dataclass(frozen=True)
class Groups:
    """Entities and cells in groups that do not overlap, such as documents.

    table                     what is grouped
    of_key, of_response       (entities,) the group of each entity
    n                         the number of groups
    """

    table: Contingency
    of_key: IntArray
    of_response: IntArray
    n: int

    @classmethod
    def documents(cls, table: Contingency) -> "Groups":
        """A group a document."""
        return cls(table, table.key_document, table.response_document, table.n_documents)

    @classmethod
    def components(cls, table: Contingency) -> "Groups":
        """A group a connected component of the cells."""
        of_entity, n_key = table.component_of_entity, len(table.key_sizes)
        n = 1 + of_entity.max(initial=-1)
        return cls(table, of_entity[:n_key], of_entity[n_key:], int(n))

    @cached_property
    def keys(self) -> "Members":
        return Members.of(self.of_key, self.n)

    @cached_property
    def responses(self) -> "Members":
        return Members.of(self.of_response, self.n)

    @cached_property
    def cells(self) -> "Members":
        return Members.of(self.of_key[self.table.cell_key], self.n)


@dataclass(frozen=True)
class Members:
    """The members of each group: `order[first[g] : first[g] + count[g]]`."""

    order: IntArray
    first: IntArray
    count: IntArray

    @classmethod
    def of(cls, group: IntArray, n: int) -> "Members":
        count = np.bincount(group, minlength=n)
        return cls(np.argsort(group, kind="stable"), np.cumsum(count) - count, count)

    def of_groups(self, groups: IntArray) -> tuple[IntArray, IntArray]:
        """For each of `groups` its place among them with each of its members."""
        n = self.count[groups]
        which = np.repeat(np.arange(len(groups)), n)
        place = np.arange(len(which)) - np.repeat(np.cumsum(n) - n, n)
        return which, self.order[np.repeat(self.first[groups], n) + place]


@dataclass(frozen=True)
class Touched:
    """The groups that changes touch: (touched,) change and group, ascending by change."""

    change: IntArray
    group: IntArray


def touched_groups(changes: Changes, groups: Groups) -> Touched:
    """The groups of the entities that the steps name; a new entity has none."""
    steps = changes.steps
    old = steps.response < len(groups.of_response)
    of_known = steps.rows(steps.key >= 0)
    change = np.concatenate([steps.change[old], of_known.change])
    group = [groups.of_response[steps.response[old]], groups.of_key[of_known.key]]
    n = max(groups.n, 1)
    return Touched(*np.divmod(np.unique(change * n + np.concatenate(group)), n))


def batches(
    changes: Changes, groups: Groups, touched: Touched
) -> Iterator[tuple[IntArray, Contingency]]:
    """The touched groups after each change, as tables of which each change is a document.

    touched  `touched_groups`, or more

    Yields the changes of a batch, ascending, and their table.
    """
    weight = add_up(touched.change, groups.cells.count[touched.group] + 1, len(changes.document))
    batch = (np.cumsum(weight) // MOST_CELLS).astype(np.int64)
    for number in np.unique(batch).tolist():
        chosen = np.flatnonzero(batch == number)
        first, end = np.searchsorted(touched.change, [chosen[0], chosen[-1] + 1])
        within = slice(first, end)
        of_batch = Touched(touched.change[within] - chosen[0], touched.group[within])
        yield chosen, _after(changes.rows(chosen), groups, of_batch)


def _after(changes: Changes, groups: Groups, touched: Touched) -> Contingency:
    table = changes.table
    n_key, width = max(len(table.key_sizes), 1), len(table.response_sizes) + 1
    at, key = groups.keys.of_groups(touched.group)
    keys = np.sort(touched.change[at] * n_key + key)
    at, response = groups.responses.of_groups(touched.group)
    sizes = changes.sizes
    responses, response_sizes = _changed(
        (touched.change[at] * width + response, table.response_sizes[response]),
        (sizes.change * width + sizes.response, sizes.after - sizes.before),
    )
    at, cell = groups.cells.of_groups(touched.group)
    of_cell = touched.change[at] * n_key + table.cell_key[cell]
    cells = changes.cells
    changed = cells.change * n_key + cells.key
    codes, cell_sizes = _changed(
        (of_cell * width + table.cell_response[cell], table.cell_sizes[cell]),
        (changed * width + sizes.response[cells.entity], cells.after - cells.before),
    )
    of_key, of_response = np.divmod(codes, width)
    change = of_key // n_key
    return Contingency(
        len(changes.document),
        table.key_sizes[keys % n_key],
        keys // n_key,
        response_sizes,
        responses // width,
        np.searchsorted(keys, of_key),
        np.searchsorted(responses, change * width + of_response),
        cell_sizes,
    )


def _changed(
    whole: tuple[IntArray, IntArray], change: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """Codes, ascending, and their sizes: those of `whole` with `change` added; 0 is left out."""
    both = np.concatenate([whole[0], change[0]])
    codes, which = np.unique(both, return_inverse=True)
    sizes = add_up(which, np.concatenate([whole[1], change[1]]), len(codes)).astype(np.int64)
    return codes[sizes > 0], sizes[sizes > 0]
