"""Both sides of a corpus matched and counted, and the same seen from one side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.problems import choose
from corescore.counting.contingency import Contingency, contingency, contingency_of, entities
from corescore.counting.matching import ListedSide, Matching, equal_values, match
from corescore.counting.min_spans import Labels
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.sides import Side, identities
from corescore.counting.split_antecedents import BothPlurals, OfElements, Plurals, with_plurals_once
from corescore.util import IntArray
from corescore.wording import counted

# The tables of scorers that look each listed mention up in the entities of the other side ---------


class LookUps(NamedTuple):
    """Three tables over the entities as listed, repeats included, which differ in their cells.

    recall     the key's mentions by the response entity that each is looked up in
    precision  the response's mentions by the key entity that each is looked up in; under repeats
               "reference" with `cell_held`
    members    the key's mentions that each response entity holds
    partner    (key mentions,) its partner of the response, −1 without one; under look-up "table"
               the same mention if there is one, and only else the one that it is looked up as

    A mention that several entities list is looked up in the last of them.
    """

    recall: Contingency
    precision: Contingency
    members: Contingency
    partner: IntArray


def look_ups(matching: Matching, policies: Policies) -> LookUps | None:
    """The look-ups of a matching; None where mentions are paired instead."""
    if matching.listings is None:
        return None
    key, response = matching.listings
    to_response, to_key, partner = _partners(matching, policies)
    sides = matching.n_documents, key.side, response.side
    precision = contingency_of(*sides, *_looked_up(response, key, to_key)[::-1])
    if policies.repeats == "reference":
        held = contingency_of(*sides, *_held(response, key, to_key)[::-1])
        precision = replace(precision, cell_held=_in_cells_of(precision, held))
    return LookUps(
        contingency_of(*sides, *_looked_up(key, response, to_response)),
        precision,
        contingency_of(*sides, *_held(key, response, to_response)),
        partner,
    )


def _in_cells_of(table: Contingency, other: Contingency) -> IntArray:
    """(cells,) the other table's sizes of the cells of a table, all of which it has."""
    width = max(len(table.response_sizes), 1)
    known, wanted = (one.cell_key * width + one.cell_response for one in (other, table))
    return other.cell_sizes[np.searchsorted(known, wanted)]


def _partners(matching: Matching, policies: Policies) -> tuple[IntArray, IntArray, IntArray]:
    """The partner of each mention of the key, and of the response, −1 without one; and
    `LookUps.partner`.

    Under look-up "table" as the CorefUD scorer 1.2 finds them: T[k] = r for all pairs of mentions
    that are not the same, then T[r] = k; the partner of m is T[m], or m itself without an entry,
    if the other side has that mention.
    """
    key, response = matching.sides
    k, r = matching.key_mention, matching.response_mention
    to_response, to_key = np.full(len(key.start), -1), np.full(len(response.start), -1)
    if policies.lookup == "pairs":
        to_response[k], to_key[r] = r, k
        return to_response, to_key, to_response
    key_code, response_code = identities(key, response, policies)
    n_codes = 1 + max(key_code.max(initial=-1), response_code.max(initial=-1))
    table = np.arange(n_codes)
    other = key_code[k] != response_code[r]
    table[key_code[k[other]]] = response_code[r[other]]
    table[response_code[r[other]]] = key_code[k[other]]
    of_key, of_response = np.full(n_codes, -1), np.full(n_codes, -1)
    of_key[key_code], of_response[response_code] = np.arange(len(key_code)), np.arange(len(to_key))
    to_response, same = of_response[table[key_code]], of_response[key_code]
    return to_response, of_key[table[response_code]], np.where(same < 0, to_response, same)


def _looked_up(own: ListedSide, other: ListedSide, partner: IntArray) -> tuple[IntArray, IntArray]:
    """Each listed mention that has a partner, and where the partner is listed last."""
    last = np.zeros(len(other.last.start), dtype=np.int64)  # of each mention, in `other.side`
    order = np.flatnonzero(other.side.entity == other.last.entity[other.place])
    last[other.place[order]] = order
    partners = partner[own.place]
    listed = np.flatnonzero(~np.append(other.hidden, True)[partners])
    return listed, last[partners[listed]]


def _held(own: ListedSide, other: ListedSide, partner: IntArray) -> tuple[IntArray, IntArray]:
    """Each listed mention with one mention of every entity of the other side that holds its
    partner."""
    width = 1 + other.side.entity.max(initial=0)
    codes, rows = np.unique(other.place * width + other.side.entity, return_index=True)
    held, listed = equal_values(codes // width, partner[own.place])
    return listed, rows[held]


SIDES = ("recall", "precision")


@dataclass(frozen=True, eq=False)
class WithPlurals:
    """The documents of which a side has split antecedents, compared once more.

    documents   where they stand among all
    comparison  with their singletons, and with plurals of the same elements merged
    drops       whether the policies leave out singletons of the key and of the response
    others      of key and response, by document: the entities that are elements only
    """

    documents: IntArray
    comparison: "Comparison"
    drops: tuple[bool, bool]
    others: tuple[tuple[frozenset[int], ...], ...]

    @cached_property
    def elements(self) -> OfElements:
        """The table in which each mention is once, and the plurals by its entities."""
        comparison = self.comparison
        return comparison.table, self._plurals(*comparison.matching.sides)

    @cached_property
    def listed(self) -> BothPlurals:
        """The plurals by the entities of the tables of look-ups."""
        assert self.comparison.matching.listings
        key, response = self.comparison.matching.listings
        return self._plurals(key.side, response.side)

    def _plurals(self, key: Side, response: Side) -> BothPlurals:
        comparison, others = self.comparison, self.others
        return Plurals.of(comparison.key, key, others[0]), Plurals.of(
            comparison.response, response, others[1]
        )


@dataclass(frozen=True, eq=False)  # by identity: what is found of one can be kept as long as it is
class Comparison:
    """Paired documents, which of their mentions match, and the table of their entities.

    look_ups  the tables that metrics count by where mentions are looked up, not paired
    plurals   the documents with split antecedents, where these are scored; None if there is none
    """

    key: tuple[Document, ...]
    response: tuple[Document, ...]
    matching: Matching
    table: Contingency
    look_ups: LookUps | None
    plurals: WithPlurals | None

    def __repr__(self) -> str:
        sizes = (sum(len(one.rows) for one in side) for side in (self.key, self.response))
        counts = " and ".join(f"{size:,}" for size in sizes)
        return f"Comparison: {counted(len(self.key), 'document')}, {counts} mentions"

    @property
    def has_empty_nodes(self) -> bool:
        """Whether a document of either side has any."""
        return any(document.empty_nodes for document in (*self.key, *self.response))

    @property
    def names(self) -> list[str]:
        """The names of the key's documents."""
        return [document.name for document in self.key]

    @cached_property
    def recall(self) -> "View":
        """The key's mentions and entities, compared with the response's."""
        return self._view(self.key, of_key=True)

    @cached_property
    def precision(self) -> "View":
        """The response's mentions and entities, compared with the key's."""
        documents = (
            document if document.name == name else replace(document, name=name)
            for document, name in zip(self.response, self.names, strict=True)
        )
        return self._view(tuple(documents), of_key=False)

    def _view(self, documents: tuple[Document, ...], *, of_key: bool) -> "View":
        m, (key, response) = self.matching, self._entities
        own, other = (m.key, key, m.key_mention), (m.response, response, m.response_mention)
        if not of_key:
            own, other = other, own
        order = np.argsort(own[2], kind="stable")
        return View(
            documents,
            own[0],
            other[0],
            own[1],
            other[1],
            own[2][order],
            other[2][order],
            self._pair_cell[order],
            self.table if of_key else self.table.swapped,
        )

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
        return self._first_of(self.pair_cell)

    @cached_property
    def own_partner(self) -> IntArray:
        """(mentions,) the other side's mention of each own one; −1 if twinless."""
        return self._first_of(self.pair_other)

    def _first_of(self, of_pairs: IntArray) -> IntArray:
        """(mentions,) what the first pair of each own mention has; −1 if twinless."""
        values = np.full(len(self.own.document), -1)
        values[self.pair_own[::-1]] = of_pairs[::-1]
        return values


def compare(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies = DEFAULTS,
    minimum: Labels | None = None,
) -> Comparison:
    """Match paired documents under the policies, and count their cells.

    minimum  their `minimum_labels`, where these are known already

    Raises InputError as `match` does and, where split antecedents are scored, for an entity that is
    its own.
    """
    plurals = with_plurals(key, response, policies)
    matching = match(key, response, policies, minimum)
    table, looked_up = contingency(matching), look_ups(matching, policies)
    return Comparison(tuple(key), tuple(response), matching, table, looked_up, plurals)


def with_plurals(
    key: Sequence[Document], response: Sequence[Document], policies: Policies
) -> WithPlurals | None:
    """The documents with split antecedents, if these are scored and there are any."""
    pairs = zip(key, response, strict=True)
    numbers = [n for n, (k, r) in enumerate(pairs) if k.split_antecedents or r.split_antecedents]
    if not numbers or policies.split_antecedents == "drop":
        return None
    own = replace(policies, singletons="keep", split_antecedents="drop")
    once = [[with_plurals_once(of[n]) for n in numbers] for of in (key, response)]
    (k, r), others = zip(*(zip(*of, strict=True) for of in once), strict=True)
    of_key, of_response = policies.of_sides
    drops = of_key.singletons == "drop", of_response.singletons == "drop"
    return WithPlurals(np.array(numbers), compare(k, r, own), drops, others)
