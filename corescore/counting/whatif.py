"""Changes of a response, each of them alone, and what has to be counted again after each.

Changes are counted as documents: one table has what they touch as it is, another as it is then.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency, add_up
from corescore.util import SIMILARITY, BoolArray, FloatArray, IntArray, ranges

Scope = Literal["entities", "components", "documents"]

Similarity = Callable[[Contingency], FloatArray]

Places = tuple[IntArray, IntArray]  # changes, and an entity of each

MOST_CELLS = 2**19  # of the tables counted at once: some 100 MB


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
class Touched:
    """Response entities with all of their cells, before and after the changes of some of them.

    change, response         (entities,) the change and the entity, ascending
    before, after            (entities,) the entity's size
    entity, key              (cells,) the place of the response entity among these, and the key
                             entity; ascending
    cell_before, cell_after  (cells,) the cell's size
    """

    change: IntArray
    response: IntArray
    before: IntArray
    after: IntArray
    entity: IntArray
    key: IntArray
    cell_before: IntArray
    cell_after: IntArray

    def cells(self, index: BoolArray) -> "Touched":
        """The same with these cells alone."""
        columns = ("entity", "key", "cell_before", "cell_after")
        return replace(self, **{name: getattr(self, name)[index] for name in columns})


@dataclass(frozen=True)
class Changes:
    """Changes of the response side of a table. The key stays as it is.

    table     the table before
    document  (changes,) the document of each change
    steps     the steps of each change; a change without steps changes nothing
    """

    table: Contingency
    document: IntArray
    steps: Steps

    def tables(
        self, scope: Scope, similarity: Similarity | None = None
    ) -> Iterator[tuple[Contingency, Contingency]]:
        """Tables before and after, of some changes at a time: each change is a document.

        scope       the entities of a change's table: the response entities that it touches with the
                    key entities that share mentions with them; the components of both; or the whole
                    document. All other mentions of the document are in one more entity on each side
        similarity  of components, to leave out what cannot change the best alignment: table →
                    (cells,) what the alignment maximises; of each cell alone
        """
        table, n_key = self.table, len(self.table.key_sizes)
        alignment = _Alignment(table, similarity) if similarity and scope == "components" else None
        if scope == "entities" or alignment:
            of_key, of_response = np.full(n_key, -1), np.arange(len(table.response_sizes))
        elif scope == "components":
            of_key, of_response = np.split(table.component_of_entity, [n_key])
        else:
            of_key, of_response = table.key_document, table.response_document
        n_groups = max(n_key + len(table.response_sizes), table.n_documents, 1)
        of_steps = (
            np.append(of, -1)[of_step]
            for of, of_step in ((of_key, self.steps.key), (of_response, self.steps.response))
        )
        change, group = np.tile(self.steps.change, 2), np.concatenate([*of_steps])
        change, group = np.divmod(_distinct((change * n_groups + group)[group >= 0]), n_groups)
        n_cells = np.bincount(of_response[table.cell_response], minlength=n_groups) + 1
        batch = np.cumsum(add_up(change, n_cells[group], len(self.document))) // MOST_CELLS
        for number in np.unique(np.append(batch, 0)):
            among, there = np.flatnonzero(batch == number), batch[change] == number
            groups = np.searchsorted(among, change[there]), group[there]
            some = self if len(among) == len(batch) else self.rows(among)
            if alignment:
                keys, responses = alignment.reach(some)
                yield some._tables(some._with(*responses), keys, alone=True)
            elif scope == "entities":
                yield some._tables(some.touched, (change[:0], group[:0]))
            else:
                of = some._with(*_members(groups, of_response))
                yield some._tables(of, _members(groups, of_key))

    def _tables(
        self, of: Touched, keys: Places, *, alone: bool = False
    ) -> tuple[Contingency, Contingency]:
        """The tables of response and key entities.

        alone  whether to leave out cells with others; else key entities that share mentions with
               the response entities are there too, and cells with others are those of the rest
        """
        table, n = self.table, len(self.document)
        width, every = len(table.key_sizes) + 1, np.arange(n)
        wanted, rest = keys[0] * width + keys[1], every * width + width - 1
        if alone:
            of_cell = of.change[of.entity] * width + of.key
            place = np.searchsorted(wanted, of_cell)  # ascending: three times as fast as np.isin
            of = of.cells(np.append(wanted, -1)[place] == of_cell)
        of_cell = of.change[of.entity] * width + of.key
        codes = _distinct(np.concatenate([of_cell, wanted, rest]))
        (key_change, key), cell_key = np.divmod(codes, width), np.searchsorted(codes, of_cell)
        key_sizes, key_shared = (np.append(n, 0)[key] for n in (table.key_sizes, table.key_shared))
        for column, whole in (
            (key_sizes, table.n_key_mentions),
            (key_shared, table.n_shared_mentions),
        ):
            others = whole[self.document] - add_up(key_change, column, n)
            column[np.searchsorted(codes, rest)] = others
        key_beyond = (key_shared - _summed(cell_key, of.cell_before, len(codes))) * (not alone)
        beyond = table.n_response_mentions[self.document] - add_up(of.change, of.before, n)
        change = np.append(of.change, every)
        order = np.argsort(change, kind="stable")
        place = np.argsort(order)
        cell_key = np.append(cell_key, np.arange(len(codes)))
        cell_response = place[np.append(of.entity, len(of.change) + key_change)]
        cells = np.lexsort((cell_response, cell_key))

        def sized(sizes: IntArray, cell_sizes: IntArray) -> Contingency:
            sizes, cell_sizes = np.append(sizes, beyond), np.append(cell_sizes, key_beyond)
            there = cells[cell_sizes[cells] > 0]
            whole = Contingency(
                n,
                key_sizes,
                key_change,
                sizes[order].astype(np.int64),
                change[order],
                cell_key[there],
                cell_response[there],
                cell_sizes[there],
            )
            return _kept(whole, whole.key_sizes > 0, whole.response_sizes > 0)

        return sized(of.before, of.cell_before), sized(of.after, of.cell_after)

    @cached_property
    def touched(self) -> Touched:
        """The response entities that the changes touch."""
        return self._with(self.steps.change[:0], self.steps.response[:0])

    def _with(self, change: IntArray, response: IntArray) -> Touched:
        """The same, and these entities."""
        table, steps, width = self.table, self.steps, len(self.table.response_sizes) + 1
        n_key, has_key = max(len(table.key_sizes), 1), steps.key >= 0
        of_step = steps.change * width + steps.response
        codes = _distinct(np.append(of_step, change * width + response))
        (change, response), at = np.divmod(codes, width), np.searchsorted(codes, of_step)
        before = np.append(table.response_sizes, 0)[response]
        entity, cell = _members((np.arange(len(codes)), response), table.cell_response)
        both = np.append(entity * n_key + table.cell_key[cell], (at * n_key + steps.key)[has_key])
        cells, which = np.unique(both, return_inverse=True)
        cell_before = _summed(which[: len(cell)], table.cell_sizes[cell], len(cells))
        return Touched(
            change,
            response,
            before,
            before + _summed(at, steps.mentions, len(codes)),
            *np.divmod(cells, n_key),
            cell_before,
            cell_before + _summed(which[len(cell) :], steps.shared[has_key], len(cells)),
        )

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


@dataclass(frozen=True)
class _Alignment:
    """The best alignment of a table, and what a change of the response can alter in it.

    Entities are nodes: those of the key, those of the response, and one for new ones or none.
    """

    table: Contingency
    similarity: Similarity

    @cached_property
    def _cells(self) -> tuple[IntArray, IntArray, FloatArray]:
        """(cells,) their two nodes and their similarity."""
        table = self.table
        n_key = len(table.key_sizes)
        return table.cell_key, n_key + table.cell_response, self.similarity(table)

    @cached_property
    def _priced(self) -> tuple[IntArray, FloatArray]:
        """(nodes,) the node that each is aligned with, −1 for none, and a price of at least 0.

        Two nodes cost together at least their similarity, and exactly that if they are aligned; one
        that is left alone costs 0. So no alignment is worth more than all prices together. Of such
        prices, key entities have the least.
        """
        key, response, similarity = self._cells
        n_nodes = len(self.table.key_sizes) + len(self.table.response_sizes) + 1
        partner, (worth, price) = np.full(n_nodes, -1), np.zeros((2, n_nodes))
        chosen = best_assignment(self.table.components, similarity)
        partner[key[chosen]], partner[response[chosen]] = response[chosen], key[chosen]
        worth[response[chosen]] = similarity[chosen]
        while True:
            asked = price.copy()
            offers = similarity - worth[response] + price[partner[response]]
            np.maximum.at(asked, key, offers)
            if (asked <= price + SIMILARITY).all():
                break
            price = asked
        price[response[chosen]] = similarity[chosen] - price[key[chosen]]
        return partner, price

    @cached_property
    def _ways(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Where the ways from each node begin, the node that each leads to, and how much less than
        their prices the two nodes are worth."""
        key, response, similarity = self._cells
        partner, price = self._priced
        node = np.append(key, response)
        order = np.argsort(node, kind="stable")
        loss = np.maximum(price[key] + price[response] - similarity, 0)
        first = np.searchsorted(node[order], np.arange(len(partner) + 1))
        return first, np.append(response, key)[order], np.append(loss, loss)[order]

    def reach(self, changes: Changes) -> tuple[Places, Places]:
        """The key and the response entities that the best alignment after each change may align
        otherwise, with their partners.

        With prices that the entities touched can now ask for, no alignment gains more than these
        rise by. The present one, or one in which a single entity touched takes a partner that is
        alone, gains less by `gap`. A better one differs from it along ways that start at the
        entities touched and lead from each node met to its partner, and all losses on them add up
        to `gap` at most.
        """
        (partner, price), of, n_key = self._priced, changes.touched, len(self.table.key_sizes)
        first, other, losses = self._ways
        n, n_nodes, there = len(changes.document), len(partner), of.cell_after > 0
        entity, key = of.entity[there], of.key[there]
        similarity = self.similarity(
            replace(
                self.table,
                response_sizes=of.after,
                response_document=changes.document[of.change],
                cell_key=key,
                cell_response=entity,
                cell_sizes=of.cell_after[there],
            )
        )
        node = n_key + of.response
        mate = partner[node]
        asked, own, free = (
            _greatest(entity, values, len(node))
            for values in (
                similarity - price[key],
                similarity * (key == mate[entity]),
                similarity * (partner[key] < 0),
            )
        )
        more = np.maximum(free - own, 0)
        is_single = add_up(of.change, more > 0, n) == 1
        gap = add_up(of.change, asked + price[mate] - own - more * is_single[of.change], n)
        change, met = np.append(of.change, of.change[entity]), np.append(node, key)
        loss = np.append(np.zeros(len(node)), asked[entity] + price[key] - similarity)
        known, least = np.zeros(0, dtype=np.int64), np.zeros(0)
        while True:
            near = loss <= gap[change] + SIMILARITY
            codes = np.append(known, (change * n_nodes + met)[near])
            every, is_new = np.append(least, loss[near]), np.arange(len(codes)) >= len(known)
            order = np.lexsort((is_new, every, codes))
            kept = order[np.diff(codes[order], prepend=-1) > 0]
            known, least, is_new = codes[kept], every[kept], is_new[kept]
            change, met = np.divmod(known, n_nodes)
            goes_on = is_new & (partner[met] >= 0) & (gap[change] > SIMILARITY)
            if not goes_on.any():
                break
            start = partner[met[goes_on]]
            which, way = ranges(first[start], first[start + 1])
            change, met = change[goes_on][which], other[way]
            loss = least[goes_on][which] + losses[way]
        partners = (change * n_nodes + partner[met])[partner[met] >= 0]
        change, node = np.divmod(_distinct(np.append(known, partners)), n_nodes)
        is_key = node < n_key
        return (change[is_key], node[is_key]), (change[~is_key], node[~is_key] - n_key)


def _greatest(entity: IntArray, values: FloatArray, n: int) -> FloatArray:
    """(n,) the greatest value of each entity's cells, at least 0."""
    greatest = np.zeros(n)
    np.maximum.at(greatest, entity, values)
    return greatest


def _alike(rows: IntArray) -> tuple[IntArray, IntArray]:
    """The first of the rows that are equal, and (rows,) which of them each one is."""
    if not rows.size:
        return np.arange(min(len(rows), 1)), np.zeros(len(rows), dtype=np.int64)
    order = np.lexsort(rows.T)
    differs = np.append(True, (rows[order][1:] != rows[order][:-1]).any(axis=1))
    which = np.empty_like(order)
    which[order] = np.cumsum(differs) - 1
    return order[differs], which


def _distinct(codes: IntArray) -> IntArray:
    """The codes, ascending, each once; numpy's own way by hashes takes four times as long."""
    codes = np.sort(codes)
    return codes[np.diff(codes, prepend=-1) > 0]


def _summed(which: IntArray, values: IntArray, length: int) -> IntArray:
    return add_up(which, values, length).astype(np.int64)


def _members(groups: tuple[IntArray, IntArray], group: IntArray) -> tuple[IntArray, IntArray]:
    """The members of groups: whatever each group is of, and the member.

    groups  what each group is of, and its number
    group   (members,) the number of the group of each
    """
    order = np.argsort(group, kind="stable")
    ends = (np.searchsorted(group[order], groups[1], side=side) for side in ("left", "right"))
    which, place = ranges(*ends)
    return groups[0][which], order[place]


def _kept(table: Contingency, keys: BoolArray, responses: BoolArray) -> Contingency:
    cells = keys[table.cell_key] & responses[table.cell_response]
    return Contingency(
        table.n_documents,
        table.key_sizes[keys],
        table.key_document[keys],
        table.response_sizes[responses],
        table.response_document[responses],
        _numbers(keys)[table.cell_key[cells]],
        _numbers(responses)[table.cell_response[cells]],
        table.cell_sizes[cells],
    )


def _numbers(kept: BoolArray) -> IntArray:
    return np.cumsum(kept) - 1


def dropping_new_singletons(changes: Changes) -> Changes:
    """The changes after which each response entity that they reduce to one mention, or begin with
    one, is dropped. Those that are singletons before stay."""
    of = changes.touched
    single = np.flatnonzero((of.after == 1) & (of.before != 1))
    shared, numbers = (
        _summed(of.entity, of.cell_after * weight, len(of.after))[single] for weight in (1, of.key)
    )
    leaving = _of_one_mention(of.change[single], of.response[single], shared, numbers, -1)
    return replace(changes, steps=Steps.joined(changes.steps, leaving))


def _of_one_mention(
    change: IntArray, response: IntArray, shared: IntArray, key: IntArray, sign: int
) -> Steps:
    """One mention, shared with `key` or not, leaves (−1) or joins (1) each response entity."""
    one = np.full(len(change), sign)
    return Steps(change, response, np.where(shared > 0, key, -1), one, sign * shared)


def without_singletons(changes: Changes, *, of_key: bool) -> Changes:
    """The same changes of the table without the response's singletons and, if `of_key`, the key's.

    A mention that joins a singleton makes a new entity of the two.
    """
    table, steps = changes.table, changes.steps
    keys = table.key_sizes > 1 if of_key else np.ones(len(table.key_sizes), dtype=bool)
    responses = table.response_sizes > 1
    n_left = int(responses.sum())
    is_new = np.append(~responses, True)[steps.response]
    joins = np.append(~responses, False)[steps.response] & (steps.mentions > 0)
    shared = np.minimum(table.response_shared, 1)
    numbers = add_up(table.cell_response, table.cell_key * table.cell_sizes, len(shared))
    of = steps.response[joins]
    met = _of_one_mention(steps.change[joins], of, shared[of], numbers[of].astype(np.int64), 1)
    stays = ~is_new | (steps.response == len(responses)) | joins
    every = Steps.joined(steps.rows(stays), met)
    return Changes(
        _kept(table, keys, responses),
        changes.document,
        _renumbered(
            every, keys, np.append(np.where(responses, _numbers(responses), n_left), n_left)
        ),
    )


def _renumbered(steps: Steps, keys: BoolArray, number: IntArray) -> Steps:
    """The steps with the numbers of what stays; with a key entity that goes nothing is shared."""
    key = np.append(np.where(keys, _numbers(keys), -1), -1)[steps.key]
    shared = np.where(key < 0, 0, steps.shared)
    return replace(steps, response=number[steps.response], key=key, shared=shared)
