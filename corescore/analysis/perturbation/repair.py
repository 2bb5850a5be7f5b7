"""The perturbation that repairs a response: it adds missing links."""

from dataclasses import dataclass, replace

import numpy as np

from corescore.analysis.perturbation.chance import Generators
from corescore.analysis.perturbation.draft import Draft
from corescore.analysis.perturbation.mentions import Mentions
from corescore.analysis.perturbation.perturbation import Dosed, fresh
from corescore.arrays import BoolArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Repair(Dosed):
    """Adds missing links, those that MUC counts.

    The parts of a key entity are its intersections with response entities, and each of its missing
    mentions. The largest part is its home (the first of several; if the response has no mention of
    it, a new entity with its first mention). Each other part is one missing link, added by moving
    the whole part to the home.

    No correct link is ever lost. At share 1 the response has all links of the key, and MUC's
    recall is 1. Wrong links are not fixed, and new ones may arise where a home has mentions of
    other key entities. A mention that is alone in the key has no link to add.
    """

    id = "repair"
    about = "Add missing links"

    @property
    def description(self) -> str:
        return f"Add {self.amount('the missing links')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        parts = _parts(draft)
        others = np.flatnonzero(~parts.is_home)
        document = draft.comparison.table.key_document[parts.key_entity[others]]
        taken = others[self.selected(rngs, document)]
        return _regrouped(draft, parts, taken).plus(_added(draft, parts, taken))


@dataclass(frozen=True)
class _Parts:
    """The parts of all key entities, ascending, the home of each first.

    cell, mention  (parts,) the cell that a part is, or the missing key mention; the other is −1
    is_home        (parts,) whether the part is the home of its key entity
    home           (key entities,) the response entity that is its home, or a new one's number
    """

    key_entity: IntArray
    cell: IntArray
    mention: IntArray
    is_home: BoolArray
    home: IntArray


def _parts(draft: Draft) -> _Parts:
    table, recall = draft.comparison.table, draft.comparison.recall
    n_cells, n_missing = len(table.cell_key), len(draft.missing)
    key_entity = np.concatenate([table.cell_key, recall.own_entity[draft.missing]])
    size = np.concatenate([table.cell_sizes, np.zeros(n_missing, dtype=np.int64)])
    cell = np.concatenate([np.arange(n_cells), np.full(n_missing, -1)])
    mention = np.concatenate([np.full(n_cells, -1), draft.missing])
    order = np.lexsort((-size, key_entity))
    is_home = np.diff(key_entity[order], prepend=-1) != 0
    home_cell = cell[order][is_home]
    new = fresh(draft, np.arange(len(home_cell)))
    home = np.where(home_cell < 0, new, np.append(table.cell_response, -1)[home_cell])
    return _Parts(key_entity[order], cell[order], mention[order], is_home, home)


def _regrouped(draft: Draft, parts: _Parts, taken: IntArray) -> Mentions:
    """The response's mentions after moving the parts `taken` to their homes."""
    table, view = draft.comparison.table, draft.comparison.precision
    moved = taken[parts.cell[taken] >= 0]
    entity_of_cell = table.cell_response.copy()
    entity_of_cell[parts.cell[moved]] = parts.home[parts.key_entity[moved]]
    entity = draft.mentions.entity.copy()
    entity[view.pair_own] = entity_of_cell[view.pair_cell]
    return replace(draft.mentions, entity=entity)


def _added(draft: Draft, parts: _Parts, taken: IntArray) -> Mentions:
    """The missing mentions among the parts `taken`, and the first mentions of new homes."""
    is_taken = np.zeros(len(parts.cell), dtype=bool)
    is_taken[taken] = True
    is_taken |= parts.is_home & np.isin(parts.key_entity, parts.key_entity[taken])
    added = np.flatnonzero(is_taken & (parts.cell < 0))
    return draft.key_mentions(parts.mention[added], parts.home[parts.key_entity[added]])
