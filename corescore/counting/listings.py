"""Both sides as scorers take them that look mentions up: spans may be listed several times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.documents import Document
from corescore.corpus.mentions import EmptyNode
from corescore.counting.minimum_spans import Labels
from corescore.counting.policies import Policies
from corescore.counting.sides import (
    MOST_PLACES,
    Shapes,
    Side,
    columns_of,
    identities,
    listed_before,
    place_of,
    repeats_in_order,
    side_of,
)


@dataclass(frozen=True)
class Listing:
    """One side as a scorer that looks mentions up takes it: spans may be listed several times.

    side    the mentions as listed, repeats included
    place   (mentions,) the place of each in `last`
    last    each mention once, in the entity that lists it last
    """

    side: Side
    place: IntArray
    last: Side


def listings(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies,
    shapes: Shapes,
    labels: Labels | tuple[None, None] = (None, None),
) -> tuple[Listing, Listing]:
    """Both sides with their repeats, under `repeats="listed"` or "reference", or look-up "table".

    listed     every mention stays
    reference  every mention of the key stays; of the response, one that an entity before listed
               already goes if the key has it. CoNLL reference scorer v8.01
    table      a mention listed twice in one entity is one mention; others stay. A zero at the
               tenth empty node after a word stands at the first. CorefUD scorer 1.2

    Entities are in the order in which the file opens them; under "listed" in the order in which a
    mention of theirs ends first, the shorter first; under "table" in that of their first mentions.
    Singletons are dropped first, if the policy says so.
    """
    both = zip((key, response), policies.of_sides, labels, strict=True)
    key_side, response_side = (_listed(side, of, shapes, told) for side, of, told in both)
    key_rank, response_rank = (_ranks(side, policies) for side in (key, response))
    key_code, response_code = identities(key_side, response_side, policies)
    if policies.repeats == "reference":
        before = _in_entity_before(response_code, response_rank[response_side.entity])
        stays = ~(before & np.isin(response_code, key_code))
        response_side, response_code = response_side.keep(stays), response_code[stays]
    return (
        _listing(key_side, key_code, key_rank, key),
        _listing(response_side, response_code, response_rank, response),
    )


def _in_entity_before(code: IntArray, rank: IntArray) -> BoolArray:
    """(mentions,) whether an entity of lower rank, or the same one, has listed a mention before."""
    order = np.lexsort((rank, code))
    before = np.zeros(len(order), dtype=bool)
    before[order[1:]] = code[order[1:]] == code[order[:-1]]
    return before


def _listed(
    documents: Sequence[Document], policies: Policies, shapes: Shapes, labels: IntArray | None
) -> Side:
    side = side_of(documents, shapes, labels)
    if policies.lookup == "table":
        side = _by_decimals(side, documents)
        in_order = repeats_in_order(side, policies)
        side = side.keep(
            ~listed_before(*columns_of(side, policies), side.entity, in_order=in_order)
        )
    return side.without_singletons if policies.singletons == "drop" else side


def _by_decimals(side: Side, documents: Sequence[Document]) -> Side:
    """A zero at the tenth empty node after a word stands at the first, for its number, such as
    6.10, is taken for a decimal one; so at the twentieth, and so on."""
    start, end = side.start.copy(), side.end.copy()
    for at in np.flatnonzero(end - start == 1).tolist():
        nodes, place = documents[side.document[at]].empty_nodes, int(start[at])
        if place in nodes and nodes[place].number % 10 == 0:
            start[at] = _decimal_place(nodes, place)
            end[at] = start[at] + 1
    return replace(side, start=start, end=end)


def _decimal_place(nodes: Mapping[int, EmptyNode], place: int) -> int:
    """The position of the empty node of the same decimal number; its own if there is none."""
    number = int(str(nodes[place].number).rstrip("0"))
    before = range(place - 1, -1, -1)
    run = takewhile(nodes.__contains__, before)  # those after the same word
    return next((at for at in run if nodes[at].number == number), place)


def _ranks(documents: Sequence[Document], policies: Policies) -> IntArray:
    """(entities,) the rank of each entity of each document in its order."""
    ranks = []
    for document in documents:
        start, end, entity = document.rows.T
        rank = np.argsort(document.listed or range(document.n_entities))
        if policies.lookup == "table":
            rank = _met(entity, np.lexsort((end, start)))
        elif policies.repeats == "listed":
            rank = _met(entity, np.lexsort((rank[entity], -start, end)))
        ranks.append(rank)
    return np.concatenate([np.zeros(0, dtype=np.int64), *ranks])


def _met(entity: IntArray, order: IntArray) -> IntArray:
    """(entities,) the rank of each entity where mentions are met in an order."""
    return np.argsort([*dict.fromkeys(entity[order].tolist())])


def _listing(side: Side, code: IntArray, rank: IntArray, documents: Sequence[Document]) -> Listing:
    order = np.lexsort((rank[side.entity], code))
    is_last = np.append(code[order][1:] != code[order][:-1], True)[: len(order)]
    rows = np.sort(order[is_last])
    place_of_code = np.zeros(1 + code.max(initial=0), dtype=np.int64)
    place_of_code[code[rows]] = np.arange(len(rows))
    again = np.setdiff1d(np.arange(len(order)), rows)
    places = tuple(place_of(side, documents, at) for at in again[:MOST_PLACES].tolist())
    last = replace(side.keep(rows), n_repeats=len(again), repeats=places)
    return Listing(side, place_of_code[code], last)
