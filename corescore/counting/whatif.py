"""Changes of a response, each of them alone, and what has to be counted again after each.

Changes are counted as documents: one table has what they touch as it is, another as it is then.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency, add_up, add_up_mentions
from corescore.util import (
    SIMILARITY,
    Arrays,
    BoolArray,
    FloatArray,
    IntArray,
    picked,
    places_in,
    ranges,
)

Scope = Literal["entities", "components", "documents"]

Similarity = Callable[[Contingency], FloatArray]

Places = tuple[IntArray, IntArray]  # changes, ascending, and an entity of each

MOST_CELLS = 2**19  # of the tables counted at once: some 100 MB


@dataclass(frozen=True, eq=False)
class Steps(Arrays):
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


class Touched(NamedTuple):
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


@dataclass(frozen=True)
class Changes:
    """Changes of the response side of a table. The key stays as it is.

    table     the table before
    document  (changes,) the document of each change
    steps     the steps of each change; a change without steps changes nothing
    dropped   up to how many mentions an entity of the key, and of the response, has that is not
              scored, before or after: 1 where singletons are dropped
    """

    table: Contingency
    document: IntArray
    steps: Steps
    dropped: tuple[int, int] = (0, 0)

    @cached_property
    def before(self) -> Contingency:
        """What is scored of the table before."""
        return _restricted(self._scored, *self._is_scored)

    @cached_property
    def _is_scored(self) -> tuple[BoolArray, BoolArray]:
        return (
            self.table.key_sizes > self.dropped[0],
            self.table.response_sizes > self.dropped[1],
        )

    @cached_property
    def _scored(self) -> Contingency:
        """The same with all entities; those that are not scored are empty."""
        table, (keys, responses) = self.table, self._is_scored
        if keys.all() and responses.all():
            return table
        cells = keys[table.cell_key] & responses[table.cell_response]
        return replace(
            table.with_cells(cells),
            key_sizes=table.key_sizes * keys,
            response_sizes=table.response_sizes * responses,
        )

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
        alignment = scope == "components" and similarity and _Alignment(self._scored, similarity)
        if scope == "entities" or alignment:
            of_key, of_response = np.full(n_key, -1), np.arange(len(table.response_sizes))
        elif scope == "components":
            of_key, of_response = np.split(table.component_of_entity, [n_key])
        else:
            of_key, of_response = table.key_document, table.response_document
        n_groups = max(n_key + len(table.response_sizes), table.n_documents, 1)
        both = ((of_key, self.steps.key), (of_response, self.steps.response))
        change, group = (
            np.tile(self.steps.change, 2),
            np.concatenate([picked(of, of_step) for of, of_step in both]),
        )
        change, group = np.divmod(_distinct((change * n_groups + group)[group >= 0]), n_groups)
        n_cells = np.bincount(of_response[table.cell_response], minlength=n_groups) + 1
        batch = np.cumsum(add_up(change, n_cells[group], len(self.document))) // MOST_CELLS
        for number in np.unique(np.append(batch, 0)):
            among, there = np.flatnonzero(batch == number), batch[change] == number
            some = self if len(among) == len(batch) else self.rows(among)
            groups = np.searchsorted(among, change[there]), group[there]
            if alignment:
                keys, responses = alignment.reach(some)
            elif scope == "entities":
                keys = responses = change[:0], group[:0]
            else:
                keys, responses = _members(groups, of_key), _members(groups, of_response)
            yield some._tables(some.touched(*responses), keys, alone=bool(alignment))

    def _tables(
        self, touched: Touched, keys: Places, *, alone: bool
    ) -> tuple[Contingency, Contingency]:
        """The tables of response and key entities.

        alone  whether to leave out cells with others; else key entities that share mentions with
               the response entities are there too, and cells with others are those of the rest
        """
        table, scored, n = self.table, self._scored, len(self.document)
        width, every = len(table.key_sizes) + 1, np.arange(n)
        wanted, rest = keys[0] * width + keys[1], every * width + width - 1
        of_cell = touched.change[touched.entity] * width + touched.key
        cells: IntArray | slice = slice(None)
        if alone:  # in ascending codes: three times as fast as np.isin
            place = np.searchsorted(wanted, of_cell)
            cells = np.flatnonzero(picked(wanted, place) == of_cell)
        of_cell, entity = of_cell[cells], touched.entity[cells]
        codes = _distinct(np.concatenate([of_cell, wanted, rest]))
        (key_change, key), cell_key = np.divmod(codes, width), np.searchsorted(codes, of_cell)

        def with_rest(sizes: IntArray, whole: FloatArray) -> IntArray:
            """(keys,) mentions of each key entity; of the rest those of no other in the table."""
            sizes = picked(sizes, key, 0)
            sizes[np.searchsorted(codes, rest)] = whole[self.document] - add_up(
                key_change, sizes, n
            )
            return sizes

        key_sizes = with_rest(scored.key_sizes, scored.n_key_mentions)
        here = touched.before > self.dropped[1]
        known = add_up_mentions(cell_key, touched.cell_before[cells] * here[entity], len(codes))
        key_beyond = with_rest(scored.key_shared, scored.n_shared_mentions)
        key_beyond = (key_beyond - known) * (key_sizes > 0) * (not alone)
        beyond = scored.n_response_mentions[self.document] - add_up(
            touched.change, touched.before * here, n
        )
        change = np.append(touched.change, every)
        order = np.argsort(change, kind="stable")
        place = np.argsort(order)
        cell_key = np.append(cell_key, np.arange(len(codes)))
        cell_response = place[np.append(entity, len(touched.change) + key_change)]
        in_order = np.lexsort((cell_response, cell_key))

        def sized(sizes: IntArray, cell_sizes: IntArray) -> Contingency:
            sizes = np.append(sizes * (sizes > self.dropped[1]), beyond).astype(np.int64)[order]
            whole = Contingency(
                n,
                key_sizes,
                key_change,
                sizes,
                change[order],
                cell_key[in_order],
                cell_response[in_order],
                np.append(cell_sizes[cells], key_beyond)[in_order],
            )
            return _restricted(whole, key_sizes > 0, sizes > 0)

        return sized(touched.before, touched.cell_before), sized(touched.after, touched.cell_after)

    def touched(self, change: IntArray, response: IntArray) -> Touched:
        """The response entities that the changes touch, and these."""
        table, steps, width = self.table, self.steps, len(self.table.response_sizes) + 1
        n_key, has_key = max(len(table.key_sizes), 1), steps.key >= 0
        of_step = steps.change * width + steps.response
        codes = _distinct(np.append(of_step, change * width + response))
        (change, response), place = np.divmod(codes, width), np.searchsorted(codes, of_step)
        before = picked(table.response_sizes, response, 0)
        entity, cell = _members((np.arange(len(codes)), response), table.cell_response)
        both = np.append(
            entity * n_key + table.cell_key[cell], (place * n_key + steps.key)[has_key]
        )
        cells, which = np.unique(both, return_inverse=True)
        cell_before = add_up_mentions(which[: len(cell)], table.cell_sizes[cell], len(cells))
        return Touched(
            change,
            response,
            before,
            before + add_up_mentions(place, steps.mentions, len(codes)),
            *np.divmod(cells, n_key),
            cell_before,
            cell_before + add_up_mentions(which[len(cell) :], steps.shared[has_key], len(cells)),
        )

    def rows(self, index: IntArray) -> "Changes":
        """The changes at `index`, ascending."""
        number = np.full(len(self.document), -1)
        number[index] = np.arange(len(index))
        steps = self.steps.rows(number[self.steps.change] >= 0)
        steps = replace(steps, change=number[steps.change])
        return replace(self, document=self.document[index], steps=steps)

    def distinct(self) -> tuple["Changes", IntArray]:
        """The changes that differ, and (changes,) which of them each one is.

        Changes without steps are alike in whatever document.
        """
        order = np.lexsort((self.steps.key, self.steps.response, self.steps.change))
        steps = self.steps.rows(order)
        n_steps = np.bincount(steps.change, minlength=len(self.document))
        _, place = places_in(n_steps)
        rows = np.full((len(self.document), n_steps.max(initial=0), 4), -1)
        rows[steps.change, place] = np.column_stack(steps.columns[1:])
        columns = rows.reshape(len(rows), 4 * rows.shape[1]).T
        order = np.lexsort((np.arange(len(rows)), *columns))
        differs = (columns[:, order[1:]] != columns[:, order[:-1]]).any(axis=0)
        is_first = np.append(True, differs)[: len(rows)]
        first, which = order[is_first], np.empty_like(order)
        which[order] = np.argsort(np.argsort(first))[np.cumsum(is_first) - 1]
        return self.rows(np.sort(first)), which


class _After(NamedTuple):
    """The response entities that changes touch, as nodes, and their cells after the changes.

    change, node           (entities,) the change, and the node in its table
    entity, key            (cells,) the place of the entity among these, and the key entity
    similarity             (cells,) after the change
    """

    change: IntArray
    node: IntArray
    entity: IntArray
    key: IntArray
    similarity: FloatArray


@dataclass(frozen=True)
class _Alignment:
    """The best alignment of a table, and what a change of the response can alter in it.

    Entities are nodes: those of the key, those of the response, and one for new ones or none. The
    alignment M has prices (`_priced`): each node costs at least 0, two nodes together at least
    their similarity, and exactly that if M aligns them; a node that M leaves alone costs 0.

    A change touches some response entities T, and only these get other prices: t costs
    a(t) = max(0, its greatest similarity − price of the key entity, after the change). Two nodes
    then still cost together at least their similarity; the rest is their loss. So, after the
    change, any alignment N is worth

        all prices − the losses of the pairs of N − the prices of the nodes that N leaves alone

    and none is worth more than all prices. M, its pairs worth what they are now, is worth `_gap`
    less: Σ over T of a(t) + price of t's partner − what t and its partner are worth. (If only one
    entity gains by leaving its partner for a key entity that is alone, M with this pair is taken
    instead, and the gap is smaller.) A best N is worth no less, so the losses of its pairs add up
    to the gap at most.

    Of all best N take one that has the most pairs of M. The pairs that only one of the two has form
    paths and cycles, on which pairs of N and of M alternate. On one without an entity of T nothing
    has changed, and M was best: N could take M's pairs there, which contradicts the choice. So
    every node with another partner can be walked to from an entity of T, past no other of T, by
    pairs of N and of M in turn. Only the first pair can have a price that changed, a(t). All losses
    on the walk are those of pairs of N, and add up to the gap at most. `_met` takes all such walks:
    by any pair with its loss, and from each node to its partner in M.

    If the gap is 0, M (or M with the other pair) is best, and no walk goes on after its first pair.
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
        """The key and the response entities whose partners may change with each change, and these
        partners. The best alignment of these entities alone gains or loses as much as the whole.
        """
        after = self._after(changes)
        partner, price = self._priced
        asked = np.zeros(len(after.node))
        np.maximum.at(asked, after.entity, after.similarity - price[after.key])
        change, node = self._met(after, asked, self._gap(after, asked, len(changes.document)))
        n_key, n_nodes = len(self.table.key_sizes), len(partner)
        has_partner = partner[node] >= 0
        partners = (change * n_nodes + partner[node])[has_partner]
        codes = _distinct(np.append(change * n_nodes + node, partners))
        change, node = np.divmod(codes, n_nodes)
        is_key = node < n_key
        return (change[is_key], node[is_key]), (change[~is_key], node[~is_key] - n_key)

    def _after(self, changes: Changes) -> _After:
        """What the changes touch, without entities and cells that are not scored."""
        touched = changes.touched(changes.steps.change[:0], changes.steps.response[:0])
        there = touched.cell_after * (touched.after > changes.dropped[1])[touched.entity] > 0
        there &= self.table.key_sizes[touched.key] > 0
        entity, key = touched.entity[there], touched.key[there]
        table = replace(
            self.table,
            response_sizes=touched.after,
            response_document=changes.document[touched.change],
            cell_key=key,
            cell_response=entity,
            cell_sizes=touched.cell_after[there],
        )
        node = len(self.table.key_sizes) + touched.response
        return _After(touched.change, node, entity, key, self.similarity(table))

    def _gap(self, after: _After, asked: FloatArray, n: int) -> FloatArray:
        """(n changes,) how much less the present alignment is worth than all prices."""
        partner, price = self._priced
        mate = partner[after.node]
        own, free = np.zeros((2, len(mate)))
        np.maximum.at(own, after.entity, after.similarity * (after.key == mate[after.entity]))
        np.maximum.at(free, after.entity, after.similarity * (partner[after.key] < 0))
        more = np.maximum(free - own, 0)
        is_single = add_up(after.change, more > 0, n) == 1
        return add_up(after.change, asked + price[mate] - own - more * is_single[after.change], n)

    def _met(self, after: _After, asked: FloatArray, gap: FloatArray) -> tuple[IntArray, IntArray]:
        """Changes, and a node that each one's walks meet: those of losses up to its gap."""
        (partner, price), (first, other, losses) = self._priced, self._ways
        n_nodes = len(partner)
        change = np.append(after.change, after.change[after.entity])
        met = np.append(after.node, after.key)
        of_cell = asked[after.entity] + price[after.key] - after.similarity
        loss = np.append(np.zeros(len(after.node)), of_cell)
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
                return change, met
            start = partner[met[goes_on]]
            which, way = ranges(first[start], first[start + 1])
            change, met = change[goes_on][which], other[way]
            loss = least[goes_on][which] + losses[way]


def _distinct(codes: IntArray) -> IntArray:
    """The codes, ascending, each once; numpy's own way by hashes takes four times as long."""
    codes = np.sort(codes)
    return codes[np.diff(codes, prepend=-1) > 0]


def _members(groups: Places, group: IntArray) -> Places:
    """The members of groups: whatever each group is of, and the member.

    groups  what each group is of, and its number
    group   (members,) the number of the group of each
    """
    order = np.argsort(group, kind="stable")
    ends = (np.searchsorted(group[order], groups[1], side=side) for side in ("left", "right"))
    which, place = ranges(*ends)
    return groups[0][which], order[place]


def _restricted(table: Contingency, keys: BoolArray, responses: BoolArray) -> Contingency:
    """The table with these entities alone, without empty cells."""
    cells = keys[table.cell_key] & responses[table.cell_response] & (table.cell_sizes > 0)
    return Contingency(
        table.n_documents,
        table.key_sizes[keys],
        table.key_document[keys],
        table.response_sizes[responses],
        table.response_document[responses],
        (np.cumsum(keys) - 1)[table.cell_key[cells]],
        (np.cumsum(responses) - 1)[table.cell_response[cells]],
        table.cell_sizes[cells],
    )
