"""Which response mention is which key mention, over all documents at once."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

import numpy as np

from corescore.corpus.documents import Document, EmptyNode, Pieces
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.min_spans import Labels, minimum_labels
from corescore.counting.pairs import (
    Assign,
    DistinctMentions,
    Pairs,
    Step,
    by_component,
    by_document,
    equal_values,
    most_around_core,
    same_head,
    same_mentions,
    within_around_core,
)
from corescore.counting.policies import DEFAULTS, Match, Policies
from corescore.counting.sides import (
    MOST_PLACES,
    Shapes,
    Side,
    columns_of,
    flatten,
    identities,
    listed_before,
    place_of,
    repeats_in_order,
    side_of,
)
from corescore.util import BoolArray, IntArray

# Both sides as scorers take them that look mentions up: spans may be listed several times ---------


@dataclass(frozen=True)
class ListedSide:
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
) -> tuple[ListedSide, ListedSide]:
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


def _listing(
    side: Side, code: IntArray, rank: IntArray, documents: Sequence[Document]
) -> ListedSide:
    order = np.lexsort((rank[side.entity], code))
    is_last = np.append(code[order][1:] != code[order][:-1], True)[: len(order)]
    rows = np.sort(order[is_last])
    place_of_code = np.zeros(1 + code.max(initial=0), dtype=np.int64)
    place_of_code[code[rows]] = np.arange(len(rows))
    again = np.setdiff1d(np.arange(len(order)), rows)
    places = tuple(place_of(side, documents, at) for at in again[:MOST_PLACES].tolist())
    last = replace(side.keep(rows), n_repeats=len(again), repeats=places)
    return ListedSide(side, place_of_code[code], last)


# Zeros of both sides matched by the words that they depend on -------------------------------------

Parents = frozenset[tuple[int, str]]


def same_zeros(
    key_documents: Sequence[Document],
    response_documents: Sequence[Document],
    key: DistinctMentions,
    response: DistinctMentions,
    *,
    assign: Assign,
) -> Pairs:
    """Zeros with zeros, one to one, so that the sum of 10·F(parent and relation) + F(parent) is
    greatest.

    A zero is a mention whose head is an empty node. F is the harmonic mean of the shares of the
    parents that both empty nodes have; 0 for one without parents, and across sentences. Pairs of 0
    are not made. CorefUD scorer 1.2.
    """
    at_key, of_key = _zeros(key_documents, key)
    at_response, of_response = _zeros(response_documents, response)
    in_sentence = defaultdict(list)
    for other, (sentence, parents) in enumerate(of_response):
        in_sentence[sentence].append((other, parents))
    scored = (
        (one, other, 10 * _f1(parents, others) + _f1(_words(parents), _words(others)))
        for one, (sentence, parents) in enumerate(of_key)
        for other, others in in_sentence[sentence]
    )
    columns = np.array([row for row in scored if row[2] > 0], dtype=np.float64).reshape(-1, 3)
    candidates = Pairs(columns[:, 0].astype(np.int64), columns[:, 1].astype(np.int64))
    found = assign(key.at(at_key), response.at(at_response), candidates, columns[:, 2])
    return Pairs(at_key[found.key], at_response[found.response])


def _zeros(
    documents: Sequence[Document], mentions: DistinctMentions
) -> tuple[IntArray, list[tuple[tuple[int, int], Parents]]]:
    """The position of each zero; and its document and sentence, and the parents of its head."""
    at, found = [], []
    heads = zip(mentions.document.tolist(), mentions.head.tolist(), strict=True)
    for mention, (document, head) in enumerate(heads):
        node = documents[document].empty_nodes.get(head)
        if node is not None:
            sentence = bisect_right(documents[document].sentence_starts, head)
            at.append(mention)
            found.append(((document, sentence), node.parents))
    return np.array(at, dtype=np.int64), found


def _words(parents: Parents) -> frozenset[int]:
    return frozenset(position for position, _ in parents)


def _f1(key: frozenset[object], response: frozenset[object]) -> float:
    """2·common / (|key| + |response|), the harmonic mean of both shares; 0 if one is empty."""
    both = len(key) + len(response)
    return 2 * len(key & response) / both if key and response else 0.0


MOST_CODES = 2**62

MOST_REPEATED = 2_000_000  # pairs of repeated mentions; each takes about 150 bytes for a moment


@dataclass(frozen=True)
class Matching:
    """Both sides, and the pairs of mentions that match: indices into the sides' mentions.

    listings  the sides as listed, of which `key` and `response` are the `last`; None where no
              mention is looked up
    shapes    the pieces of each shape of the sides' mentions
    """

    n_documents: int
    key: Side
    response: Side
    key_mention: IntArray
    response_mention: IntArray
    listings: tuple[ListedSide, ListedSide] | None = None
    shapes: tuple[Pieces, ...] = ((),)

    def without(self, mentions: BoolArray) -> "Matching":
        """The same without the response mentions that are True."""
        stays = ~mentions[self.response_mention]
        number = np.cumsum(~mentions) - 1
        return replace(
            self,
            response=self.response.keep(~mentions),
            key_mention=self.key_mention[stays],
            response_mention=number[self.response_mention[stays]],
        )


def match(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies = DEFAULTS,
    minimum: Labels | None = None,
) -> Matching:
    """Match the mentions of paired documents, one to one.

    key, response  documents of both sides, the n-th of one paired with the n-th of the other, with
                   their positions in common
    minimum        their `minimum_labels`, where these are known already

    Under zeros "dependent", zeros are matched with zeros first, by the words that they depend on.
    Of the others, those that are the same mention match. Then, if `match` is not "exact", those
    left over are assigned to each other:

    head     the same head; the greatest sum of |k ∩ r| / |k|. Mentions with the same words and
             other heads are not the same
    partial  the response mention lies within the key mention and covers its head, or all of its
             minimum span if the key names these instead of heads; the greatest sum of |r| / |k|
    lenient  as partial, but first as many pairs as possible

    Under "min-span" mentions are the same if their minimum spans are: see `minimum_labels`.

    k and r are the words of the two mentions; a head that is not known is the first word, but a
    key mention whose minimum span is not known among known ones matches only exactly. Where several
    assignments are as good, mentions are taken by first word, last word and length, and
    scipy's solver decides. The rules are those of the CorefUD scorer 1.2, by minimum spans those of
    the Universal Anaphora scorer (`Min`); "lenient" is Recasens & Hovy 2011, §4.2.

    Raises InputError for repeats under `repeats="error"`, for repeats under "all" that make more
    than `MOST_REPEATED` pairs, and for keys without parses under "min-span".
    """
    shapes: Shapes = {}
    by_minimum = policies.match == "min-span"
    labels = (minimum or minimum_labels(key, response)) if by_minimum else (None, None)
    listed = listings(key, response, policies, shapes, labels) if policies.looks_up else None
    if listed:
        sides = listed[0].last, listed[1].last
    else:
        of_key, of_response = policies.of_sides
        sides = (
            flatten(key, of_key, shapes, labels[0]),
            flatten(response, of_response, shapes, labels[1], Stage.RESPONSE_REPEATS),
        )
    if policies.repeats == "all":
        _refuse_too_many(key, *sides, policies)
    has_zeros = any(document.empty_nodes for document in (*key, *response))
    by_dependency = policies.zeros == "dependent" and has_zeros
    if policies.match == "exact" and not (by_dependency or shapes or listed):
        return Matching(len(key), *sides, *exact_pairs(*sides), listed)
    assign = by_document if policies.lookup == "table" else by_component
    zeros = [partial(same_zeros, key, response, assign=assign)] if by_dependency else []
    last = [partial(step, assign=assign) for step in LAST_STEPS[policies.match]]
    steps: list[Step] = [*zeros, same_mentions, *last]
    pairs = _loose_pairs(*sides, policies, steps, tuple(shapes))
    return Matching(len(key), *sides, *pairs, listed, tuple(shapes))


def _refuse_too_many(
    documents: Sequence[Document], key: Side, response: Side, policies: Policies
) -> None:
    """Raise InputError if mentions that are listed again, each paired with all that are the same,
    make too many pairs."""
    if not (key.n_repeats and response.n_repeats):
        return
    codes = identities(key, response, policies)
    n_codes = 1 + max(int(of_side.max(initial=0)) for of_side in codes)
    times = [np.bincount(of_side, minlength=n_codes) for of_side in codes]
    repeated = times[0] * times[1] - np.minimum(*times)
    if repeated.sum() > MOST_REPEATED:
        worst = int(np.argmax(repeated))
        document = documents[key.document[np.argmax(codes[0] == worst)]]
        many = " and ".join(f"{of_side[worst]:,}" for of_side in times)
        found = f"a span of document '{document.name}' listed {many} times on the two sides"
        expected = f"repeats that make at most {MOST_REPEATED:,} pairs of mentions"
        advice = "Remove the repeats, or score by another value of --repeats."
        place = document.file or document.name
        raise InputError([Problem(place, 0, found, expected, advice)])


# How the mentions left over are matched, after those that are the same.
LAST_STEPS: dict[Match, tuple[Callable[..., Pairs], ...]] = {
    "exact": (),
    "head": (same_head,),
    "partial": (within_around_core,),
    "lenient": (most_around_core,),
    "min-span": (),
}


def exact_pairs(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """Pairs of mentions of one document with the same start and end, as two index arrays.

    Every key row of a span is paired with every response row of it, which is one pair unless
    repeats are scored as they stand.
    """
    return equal_values(*_codes(key, response))


def _codes(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """One number for each span of either side, ascending in text order (the longer first)."""
    n_documents = 1 + max(int(side.document.max(initial=0)) for side in (key, response))
    width = 1 + max(int(side.end.max(initial=0)) for side in (key, response))
    if n_documents * width**2 > MOST_CODES:  # far positions: their ranks will do
        places = np.unique(np.concatenate([key.start, key.end, response.start, response.end]))
        key, response = _at_ranks(key, places), _at_ranks(response, places)
        width = len(places)
    key_code, response_code = (
        (side.document * width + side.start) * width + (width - 1 - side.end)
        for side in (key, response)
    )
    return key_code, response_code


def _at_ranks(side: Side, places: IntArray) -> Side:
    """The side with its positions numbered by their places among all."""
    start, end = (np.searchsorted(places, positions) for positions in (side.start, side.end))
    return replace(side, start=start, end=end)


def _loose_pairs(
    key: Side, response: Side, policies: Policies, steps: Iterable[Step], shapes: Sequence[Pieces]
) -> tuple[IntArray, IntArray]:
    """The pairs that the steps make one after the other, as two index arrays."""
    key_code, response_code = identities(key, response, policies)
    k, r = (
        DistinctMentions.of(key, key_code, shapes),
        DistinctMentions.of(response, response_code, shapes),
    )
    partner = np.full(
        1 + response_code.max(initial=0), -1
    )  # by the code of a response mention: the key mention's
    for step in steps:
        found = step(k, r)
        partner[r.code[found.response]] = k.code[found.key]
        k, r = k.without(found.key), r.without(found.response)
    order = np.argsort(key_code, kind="stable")
    at, response_mention = equal_values(key_code[order], partner[response_code])
    return order[at], response_mention
