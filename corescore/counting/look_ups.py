"""The tables of scorers that look each listed mention up in the entities of the other side."""

from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.counting.contingency import Contingency, contingency_of
from corescore.counting.listings import Listing
from corescore.counting.matching import Matching
from corescore.counting.pairs import equal_values
from corescore.counting.policies import Policies
from corescore.counting.sides import identities


@dataclass(frozen=True)
class LookUps:
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
    key, response = matching.key, matching.response
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


def _looked_up(own: Listing, other: Listing, partner: IntArray) -> tuple[IntArray, IntArray]:
    """Each listed mention that has a partner, and where the partner is listed last."""
    last = np.zeros(len(other.last.start), dtype=np.int64)
    order = np.flatnonzero(_is_last(other))
    last[other.place[order]] = order
    found = partner[own.place]
    listed = np.flatnonzero(found >= 0)
    return listed, last[found[listed]]


def _is_last(listing: Listing) -> BoolArray:
    """(mentions,) whether a listed mention stands in the entity that lists it last."""
    last: BoolArray = listing.side.entity == listing.last.entity[listing.place]
    return last


def _held(own: Listing, other: Listing, partner: IntArray) -> tuple[IntArray, IntArray]:
    """Each listed mention with one mention of every entity of the other side that holds its
    partner."""
    width = 1 + other.side.entity.max(initial=0)
    codes, rows = np.unique(other.place * width + other.side.entity, return_index=True)
    held, listed = equal_values(codes // width, partner[own.place])
    return listed, rows[held]
