"""Coreference links of one side, correct if the other has them: all, or as few as MUC counts."""

from dataclasses import dataclass

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.counting.comparison import View


@dataclass(frozen=True)
class Links:
    """Links between own mentions, in text order. A wrong link of the key is a missing one.

    first, second  (links,) the two own mentions, `first` standing first in the text
    correct        (links,) whether the other side has the link
    cell           (links,) the cell that holds a correct link; −1 of any other
    """

    first: IntArray
    second: IntArray
    correct: BoolArray
    cell: IntArray


def spanning_links(
    view: View, documents: BoolArray | None = None, *, among: BoolArray | None = None
) -> Links:
    """As many links as hold each own entity together, as many of them correct as can be.

    Each mention but the first of its entity is linked to the nearest one before it in the same
    cell, or else to the nearest one before it in the same entity: a spanning tree of each entity,
    in which cell j of entity i has n_ij − 1 correct links, and a_i − 1 − Σ_j (n_ij − 1) links are
    not correct, as MUC counts them (Vilain et al. 1995). Where repeats are scored as they stand, a
    mention has a link for each of its cells.

    documents  (documents,) True where links are needed; all if None.
    among      (mentions,) True for those between which links are needed, in place of documents
    """
    selected = _selected(view, documents) if among is None else among
    of_cell = _grouped(view.pair_own, view.pair_cell, selected)
    of_entity = _grouped(np.arange(len(selected)), view.own_entity, selected)
    correct = _neighbours(*of_cell)
    wrong = _neighbours(*of_entity)
    unlinked = ~np.isin(wrong[1], correct[1])
    cells = of_cell[1][1:][np.diff(of_cell[1]) == 0]
    return _links(correct, cells, (wrong[0][unlinked], wrong[1][unlinked]))


def all_links(
    view: View, documents: BoolArray | None = None, *, among: BoolArray | None = None
) -> Links:
    """Every link of every own entity; as `spanning_links`, a link for each cell that has it."""
    selected = _selected(view, documents) if among is None else among
    of_cell = _grouped(view.pair_own, view.pair_cell, selected)
    of_entity = _grouped(np.arange(len(selected)), view.own_entity, selected)
    correct, place = _pairs(*of_cell)
    every, _ = _pairs(*of_entity)
    n = len(selected)
    wrong = ~np.isin(every[0] * n + every[1], correct[0] * n + correct[1])
    cells = np.repeat(of_cell[1], place)
    return _links(correct, cells, (every[0][wrong], every[1][wrong]))


def _selected(view: View, documents: BoolArray | None) -> BoolArray:
    """(mentions,) whether a mention's document is one of `documents`."""
    if documents is None:
        return np.ones(len(view.own.document), dtype=bool)
    return documents[view.own.document]


def _grouped(mention: IntArray, group: IntArray, selected: BoolArray) -> tuple[IntArray, IntArray]:
    """The selected mentions and their groups, one group after the other, each in text order."""
    kept = selected[mention]
    mention, group = mention[kept], group[kept]
    order = np.lexsort((mention, group))
    return mention[order], group[order]


def _neighbours(mention: IntArray, group: IntArray) -> tuple[IntArray, IntArray]:
    """Each mention but the first of its group, with the one before it as first of the two."""
    same = np.diff(group) == 0
    return mention[:-1][same], mention[1:][same]


def _pairs(mention: IntArray, group: IntArray) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """Each two mentions of a group, and how many stand before each in its group."""
    start = np.searchsorted(group, group)
    place = np.arange(len(group)) - start
    n_before = np.cumsum(place) - place
    number = np.arange(place.sum()) - np.repeat(n_before, place)
    return (mention[np.repeat(start, place) + number], np.repeat(mention, place)), place


def _links(
    correct: tuple[IntArray, IntArray], cells: IntArray, wrong: tuple[IntArray, IntArray]
) -> Links:
    """Correct and wrong links in one text order: by their second mention, then by their first."""
    first = np.concatenate([correct[0], wrong[0]])
    second = np.concatenate([correct[1], wrong[1]])
    cell = np.concatenate([cells, np.full(len(wrong[0]), -1)])
    order = np.lexsort((first, second))
    return Links(first[order], second[order], cell[order] >= 0, cell[order])


WHICH_LINKS = {"minimum": spanning_links, "all": all_links}
