"""Both sides of a corpus matched and counted, and the same seen from one side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.problems import choose
from corescore.counting.contingency import Contingency, contingency, entities
from corescore.counting.look_ups import LookUps, look_ups
from corescore.counting.matching import Matching, match
from corescore.counting.minimum_spans import Labels
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.sides import Side

SIDES = ("recall", "precision")


@dataclass(frozen=True, eq=False)  # by identity: what is found of one can be kept as long as it is
class Comparison:
    """Paired documents, which of their mentions match, and the table of their entities.

    look_ups  the tables that metrics count by where mentions are looked up, not paired
    """

    key: tuple[Document, ...]
    response: tuple[Document, ...]
    matching: Matching
    table: Contingency
    look_ups: LookUps | None = None

    @cached_property
    def recall(self) -> "View":
        """The key's mentions and entities, compared with the response's."""
        m, (own, other) = self.matching, self._entities
        pairs = (m.key_mention, m.response_mention)
        return _view(self.key, m.key, m.response, own, other, pairs, self._pair_cell, self.table)

    @cached_property
    def precision(self) -> "View":
        """The response's mentions and entities, compared with the key's."""
        m, (other, own) = self.matching, self._entities
        pairs = (m.response_mention, m.key_mention)
        table = self.table.swapped
        names = [document.name for document in self.key]
        response = tuple(map(_named, self.response, names))
        return _view(response, m.response, m.key, own, other, pairs, self._pair_cell, table)

    @cached_property
    def _entities(self) -> tuple[IntArray, IntArray]:
        return entities(self.matching.key)[0], entities(self.matching.response)[0]

    @cached_property
    def _pair_cell(self) -> IntArray:
        n_response = max(len(self.table.response_sizes), 1)
        key, response = self._entities
        m = self.matching
        code = key[m.key_mention] * n_response + response[m.response_mention]
        return np.searchsorted(self.table.cell_key * n_response + self.table.cell_response, code)

    def view(self, side: str) -> "View":
        """`recall` or `precision` by name; PolicyError for another."""
        return self.recall if choose("side", side, SIDES) == "recall" else self.precision


@dataclass(frozen=True)
class View:
    """One side's mentions and entities (own) against the other's.

    documents                  own documents, by the names that the key has for them
    own, other                 both sides' mentions
    own_entity, other_entity   (mentions,) rows of the table, for own and other mentions
    pair_own, pair_other       (pairs,) mentions that match, in the text order of own
    pair_cell                  (pairs,) the cell of each pair
    table                      the table with own as its key side; cells in the order of the corpus'
    """

    documents: tuple[Document, ...]
    own: Side
    other: Side
    own_entity: IntArray
    other_entity: IntArray
    pair_own: IntArray
    pair_other: IntArray
    pair_cell: IntArray
    table: Contingency

    @cached_property
    def own_cell(self) -> IntArray:
        """(mentions,) the cell of each own mention, the first of several; −1 if twinless."""
        cell = np.full(len(self.own.document), -1)
        cell[self.pair_own[::-1]] = self.pair_cell[::-1]
        return cell

    @cached_property
    def own_partner(self) -> IntArray:
        """(mentions,) the other side's mention of each own one; −1 if twinless."""
        partner = np.full(len(self.own.document), -1)
        partner[self.pair_own[::-1]] = self.pair_other[::-1]
        return partner


def _named(document: Document, name: str) -> Document:
    return document if document.name == name else replace(document, name=name)


def _view(
    documents: tuple[Document, ...],
    own: Side,
    other: Side,
    own_entity: IntArray,
    other_entity: IntArray,
    pairs: tuple[IntArray, IntArray],
    pair_cell: IntArray,
    table: Contingency,
) -> View:
    order = np.argsort(pairs[0], kind="stable")
    pair_own, pair_other = pairs[0][order], pairs[1][order]
    sides = (own, other, own_entity, other_entity)
    return View(documents, *sides, pair_own, pair_other, pair_cell[order], table)


def compare(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies = DEFAULTS,
    minimum: Labels | None = None,
) -> Comparison:
    """Match paired documents under the policies, and count their cells.

    minimum  their `minimum_labels`, where these are known already
    """
    matching = match(key, response, policies, minimum)
    return Comparison(
        tuple(key), tuple(response), matching, contingency(matching), look_ups(matching, policies)
    )
