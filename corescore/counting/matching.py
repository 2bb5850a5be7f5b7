"""Which response mention is which key mention, over all documents at once."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Document, Pieces
from corescore.corpus.problems import Stage, refusal
from corescore.counting.assignment import best_assignment, components_of, dense_solver
from corescore.counting.min_spans import Labels, minimum_labels
from corescore.counting.policies import DEFAULTS, Match, Policies
from corescore.counting.sides import (
    MOST_PLACES,
    Shapes,
    Side,
    flatten,
    identities,
    listed_before,
    numbered,
    place_of,
    side_of,
)
from corescore.util import BoolArray, FloatArray, IntArray, by_key, ranges

# Both sides as scorers take them that look mentions up: spans may be listed several times ---------


class ListedSide(NamedTuple):
    """One side as a scorer that looks mentions up takes it: spans may be listed several times.

    side    the mentions as listed, repeats included
    place   (mentions,) the place of each in `last`
    last    each mention once, in the entity that lists it last
    hidden  (mentions once,) whether a singleton that was left out listed it after that
    """

    side: Side
    place: IntArray
    last: Side
    hidden: BoolArray


def listings(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies,
    shapes: Shapes,
    labels: Labels | tuple[None, None],
) -> tuple[ListedSide, ListedSide]:
    """Both sides with their repeats, where mentions that a side lists twice are looked up.

    listed     every mention stays; so it does under "stanza" and "e2e"
    reference  every mention of the key stays; of the response, one that an entity before listed
               already goes if the key has it. CoNLL reference scorer v8.01
    table      a mention listed twice in one entity is one mention; others stay. CorefUD scorer 1.2

    Entities are in the order in which their first mentions are met (`Document.met`), and under
    match "min-span" end, the shorter first; under "reference" in that in which the file opens them,
    under "table" in the text order of their first mentions, the longer first. Singletons are
    dropped first, if the policy says so; under "e2e" and "stanza" a mention that one lists last is
    then found in no entity.
    """
    both = zip((key, response), policies.of_sides, labels, strict=True)
    key_side, response_side = (_listed_side(side, of, shapes, told) for side, of, told in both)
    key_rank, response_rank = (_entity_ranks(side, policies) for side in (key, response))
    key_code, response_code = identities(key_side, response_side, policies)
    if policies.repeats == "reference":
        before = _in_entity_before(response_code, response_rank[response_side.entity])
        stays = ~(before & np.isin(response_code, key_code))
        response_side, response_code = response_side.keep(stays), response_code[stays]
    return (
        _listing(key_side, key_code, key_rank, key, policies.of_sides[0]),
        _listing(response_side, response_code, response_rank, response, policies.of_sides[1]),
    )


def _in_entity_before(code: IntArray, rank: IntArray) -> BoolArray:
    """(mentions,) whether an entity of lower rank, or the same one, has listed a mention before."""
    order = np.lexsort((rank, code))
    before = np.zeros(len(order), dtype=bool)
    before[order[1:]] = code[order[1:]] == code[order[:-1]]
    return before


def _listed_side(
    documents: Sequence[Document], policies: Policies, shapes: Shapes, labels: IntArray | None
) -> Side:
    side = side_of(documents, shapes, labels)
    if policies.lookup == "table":
        side = side.keep(~listed_before(side, policies, side.entity))
    drops = policies.singletons == "drop" and policies.repeats not in _DROP_LAST
    return side.without_singletons if drops else side


_DROP_LAST = ("e2e", "stanza")  # singletons, once mentions are looked up


def _entity_ranks(documents: Sequence[Document], policies: Policies) -> IntArray:
    """(entities,) the rank of each entity of each document in its order."""
    ranks = []
    for document in documents:
        order = document.listed if policies.repeats == "reference" else document.met
        if policies.match == "min-span" and not (order or policies.repeats == "reference"):
            start, end, entity = document.rows.T  # no span is there twice, but minimum spans are
            order = (*dict.fromkeys(entity[np.lexsort((-start, end))].tolist()),)
        in_order = policies.lookup == "table" or not order
        ranks.append(np.argsort(range(document.n_entities) if in_order else order))
    return np.concatenate([np.zeros(0, dtype=np.int64), *ranks])


def _listing(
    side: Side, code: IntArray, rank: IntArray, documents: Sequence[Document], policies: Policies
) -> ListedSide:
    rows = _last(side, code, rank)
    hidden = np.zeros(1 + code.max(initial=0), dtype=bool)
    if policies.singletons == "drop" and policies.repeats in _DROP_LAST:
        is_linked = np.bincount(side.entity)[side.entity] > 1
        hidden[code[rows]] = ~is_linked[rows]
        side, code = side.keep(is_linked), code[is_linked]
        rows = _last(side, code, rank)
    place_of_code = np.zeros(len(hidden), dtype=np.int64)
    place_of_code[code[rows]] = np.arange(len(rows))
    again = np.setdiff1d(np.arange(len(code)), rows)
    places = tuple(place_of(side, documents, at) for at in again[:MOST_PLACES].tolist())
    last = side.keep(rows)._replace(n_repeats=len(again), repeats=places)
    return ListedSide(side, place_of_code[code], last, hidden[code[rows]])


def _last(side: Side, code: IntArray, rank: IntArray) -> IntArray:
    """The rows of a side in which the entity of highest rank lists each mention, ascending."""
    order = np.lexsort((rank[side.entity], code))
    is_last = np.append(code[order][1:] != code[order][:-1], True)[: len(order)]
    return np.sort(order[is_last])


# Steps of matching: which of the mentions that the steps before have left over are paired ---------


class DistinctMentions(NamedTuple):
    """Different mentions of one side, ordered by document, first word, last word and length.

    code    (mentions,) a number, the same for the same mention of either side
    side    the mentions in flat arrays
    size    (mentions,) the number of words
    pieces  the pieces of each discontinuous mention, by its position here
    """

    code: IntArray
    side: Side
    size: IntArray
    pieces: dict[int, Pieces]

    @classmethod
    def of(cls, side: Side, code: IntArray, shapes: Sequence[Pieces]) -> "DistinctMentions":
        """The mentions of a side, each once; `shapes` are the pieces of each shape by number."""
        _, rows = np.unique(code, return_index=True)
        once = side.keep(rows)
        size, pieces = once.end - once.start, {}
        for at in np.flatnonzero(once.shapes).tolist():
            pieces[at] = shapes[once.shapes[at]]
            size[at] = sum(end - start for start, end in pieces[at])
        order = np.lexsort((size, once.end, once.start, once.document))
        return cls(code[rows], once, size, pieces).at(order)

    def at(self, which: IntArray) -> "DistinctMentions":
        """Those at these positions."""
        pieces = {
            new: self.pieces[old]
            for new, old in enumerate(which.tolist() if self.pieces else ())
            if old in self.pieces
        }
        return DistinctMentions(self.code[which], self.side.keep(which), self.size[which], pieces)

    def without(self, paired: IntArray) -> "DistinctMentions":
        """Those that are not at these positions."""
        return self.at(np.delete(np.arange(len(self.code)), paired))

    def runs(self, mention: int) -> Pieces:
        """The (start, end) of each piece of a mention."""
        return self.pieces.get(mention) or (
            (int(self.side.start[mention]), int(self.side.end[mention])),
        )


class Pairs(NamedTuple):
    """Positions in the key's and the response's mentions, one pair a row."""

    key: IntArray
    response: IntArray


MOST_CELLS = 1 << 24  # of the matrix of a document: 128 MB
# Mentions of both sides, pairs of them and weights (> 0) → the pairs that use each mention once at
# most and whose weights add up to the most.
Assign = Callable[[DistinctMentions, DistinctMentions, Pairs, FloatArray], Pairs]
Step = Callable[[DistinctMentions, DistinctMentions], Pairs]


def by_component(
    key: DistinctMentions, response: DistinctMentions, candidates: Pairs, weight: FloatArray
) -> Pairs:
    """An `Assign` that solves each group of mentions that depend on each other by itself."""
    order = np.lexsort((candidates.response, candidates.key))
    at_key, at_response = candidates.key[order], candidates.response[order]
    parts = components_of(at_key, at_response)
    chosen = best_assignment(parts, weight[order])
    return Pairs(at_key[chosen], at_response[chosen])


def by_document(
    key: DistinctMentions, response: DistinctMentions, candidates: Pairs, weight: FloatArray
) -> Pairs:
    """An `Assign` that solves each document as one matrix, as the CorefUD scorer does: the same
    sum, but where several assignments are as good it can be another one. A document whose matrix
    would not fit is solved by components."""
    rows, columns = [], []
    of_pair = key.side.document[candidates.key]
    for document in np.unique(of_pair).tolist():
        k, r = (np.flatnonzero(side.side.document == document) for side in (key, response))
        within = of_pair == document
        if len(k) * len(r) > MOST_CELLS:
            its = Pairs(candidates.key[within], candidates.response[within])
            solved = by_component(key, response, its, weight[within])
            rows.append(solved.key)
            columns.append(solved.response)
            continue
        row, column = candidates.key[within] - k[0], candidates.response[within] - r[0]
        matrix = np.zeros((len(k), len(r)))
        matrix[row, column] = weight[within]
        row, column = dense_solver()(-matrix)
        made = matrix[row, column] > 0
        rows.append(k[row[made]])
        columns.append(r[column[made]])
    none = np.zeros(0, dtype=np.int64)
    return Pairs(np.concatenate([none, *rows]), np.concatenate([none, *columns]))


def same_mentions(key: DistinctMentions, response: DistinctMentions) -> Pairs:
    """The mentions that are the same on both sides."""
    _, *places = np.intersect1d(key.code, response.code, assume_unique=True, return_indices=True)
    return Pairs(*places)


def left_over(
    how: Match, assign: Assign, key: DistinctMentions, response: DistinctMentions
) -> Pairs:
    """The pairs of mentions that are not the same, as `match` describes them."""
    if how == "head":
        heads = (_place_codes(of.side.document, of.side.heads) for of in (key, response))
        pairs = equal_pairs(*heads)
        share = _common_words(key, response, pairs) / key.size[pairs.key]
        return assign(key, response, pairs, share)
    pairs = _around_core(key, response)
    share = response.size[pairs.response] / key.size[pairs.key]
    if how == "lenient":
        share = share + len(key.code)  # more than all shares together
    return assign(key, response, pairs, share)


def overlapping(key: DistinctMentions, response: DistinctMentions) -> tuple[Pairs, IntArray]:
    """All pairs of mentions with a word in common, and how many they have."""
    (at_key, of_key), (at_response, of_response) = _every_word(key), _every_word(response)
    both = equal_pairs(of_key, of_response)
    width = max(len(response.code), 1)
    codes = at_key[both.key] * width + at_response[both.response]
    code, common = np.unique(codes, return_counts=True)
    return Pairs(*np.divmod(code, width)), common


def _around_core(key: DistinctMentions, response: DistinctMentions) -> Pairs:
    """All pairs whose response mention lies within the key mention and covers its core."""
    mention, words = _every_word(response)
    start, end = key.side.cores.T
    on_core = equal_pairs(_place_codes(key.side.document, start), words)
    pairs = Pairs(on_core.key, mention[on_core.response])
    cores = DistinctMentions(key.code, key.side._replace(start=start, end=end), end - start, {})
    covers = _common_words(cores, response, pairs) == cores.size[pairs.key]
    within = _common_words(key, response, pairs) == response.size[pairs.response]
    return Pairs(pairs.key[covers & within], pairs.response[covers & within])


def _every_word(mentions: DistinctMentions) -> tuple[IntArray, IntArray]:
    """The mention and the place of each word of each mention."""
    runs = [(at, *run) for at, pieces in mentions.pieces.items() for run in pieces]
    whole = np.delete(np.arange(len(mentions.code)), [*mentions.pieces])
    columns = np.array(runs, dtype=np.int64).reshape(-1, 3)
    mention = np.append(whole, columns[:, 0])
    which, words = ranges(
        np.append(mentions.side.start[whole], columns[:, 1]),
        np.append(mentions.side.end[whole], columns[:, 2]),
    )
    return mention[which], _place_codes(mentions.side.document[mention[which]], words)


def _common_words(key: DistinctMentions, response: DistinctMentions, pairs: Pairs) -> IntArray:
    """(pairs,) the number of words that both mentions of each pair have."""
    k, r, own, other = pairs.key, pairs.response, key.side, response.side
    common = np.minimum(own.end[k], other.end[r]) - np.maximum(own.start[k], other.start[r])
    has_gap = np.isin(k, [*key.pieces]) | np.isin(r, [*response.pieces])
    for at in np.flatnonzero(has_gap).tolist():
        both = ((one, two) for one in key.runs(k[at]) for two in response.runs(r[at]))
        common[at] = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in both)
    positive: IntArray = np.maximum(common, 0)
    return positive


def _place_codes(document: IntArray, position: IntArray) -> IntArray:
    """(n,) one number for each position of each document."""
    return (document << _POSITION_BITS) | position


_POSITION_BITS = 40


def equal_pairs(key: IntArray, response: IntArray) -> Pairs:
    """All pairs of equal values."""
    order = np.argsort(key, kind="stable")
    at_key, at_response = equal_values(key[order], response)
    return Pairs(order[at_key], at_response)


def equal_values(key: IntArray, response: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of equal values, as two index arrays, the second ascending; `key` ascends from 0
    or more."""
    # Two ascending runs are merged, which takes a quarter of the time of looking each value up.
    both = np.concatenate([response, key])
    order = np.argsort(both, kind="stable")
    both = both.take(order)  # faster than by an index of its own
    equal = np.flatnonzero(both[1:] == both[:-1])
    at_response, at_key = order.take(equal), order.take(equal + 1) - len(response)
    if at_response.max(initial=-1) >= len(response) or at_key.min(initial=0) < 0:  # a value twice
        first, end = (np.searchsorted(key, response, side=of) for of in ("left", "right"))
        at_response, at_key = ranges(first, end)
        return at_key, at_response
    if (at_response[1:] < at_response[:-1]).any():
        by_response = np.argsort(at_response, kind="stable")
        at_key, at_response = at_key[by_response], at_response[by_response]
    return at_key, at_response


# Zeros of both sides matched by the words that they depend on -------------------------------------

Parents = frozenset[tuple[int, str]]


def same_zeros(
    key_documents: Sequence[Document],
    response_documents: Sequence[Document],
    assign: Assign,
    key: DistinctMentions,
    response: DistinctMentions,
) -> Pairs:
    """Zeros with zeros, one to one, so that the sum of 10·F(parent and relation) + F(parent) is
    greatest.

    A zero is a mention whose head is an empty node. F is the harmonic mean of the shares of the
    parents that both empty nodes have; 0 for one without parents, and across sentences. Pairs of 0
    are not made. CorefUD scorer 1.2.
    """
    at_key, of_key = _zeros(key_documents, key)
    at_response, of_response = _zeros(response_documents, response)
    in_sentence = by_key(
        (sentence, (other, parents)) for other, (sentence, parents) in enumerate(of_response)
    )
    scored = (
        (
            one,
            other,
            10 * _set_f1(parents, others) + _set_f1(_parent_words(parents), _parent_words(others)),
        )
        for one, (sentence, parents) in enumerate(of_key)
        for other, others in in_sentence[sentence]
    )
    columns = np.array([row for row in scored if row[2] > 0], dtype=np.float64).reshape(-1, 3)
    candidates = Pairs(columns[:, 0].astype(np.int64), columns[:, 1].astype(np.int64))
    paired = assign(key.at(at_key), response.at(at_response), candidates, columns[:, 2])
    return Pairs(at_key[paired.key], at_response[paired.response])


def _zeros(
    documents: Sequence[Document], mentions: DistinctMentions
) -> tuple[IntArray, list[tuple[tuple[int, int], Parents]]]:
    """The position of each zero; and its document and sentence, and the parents of its head."""
    numbers, contexts = [], []
    heads = zip(mentions.side.document.tolist(), mentions.side.heads.tolist(), strict=True)
    for mention, (document, head) in enumerate(heads):
        node = documents[document].empty_nodes.get(head)
        if node is not None:
            sentence = bisect_right(documents[document].sentence_starts, head)
            numbers.append(mention)
            contexts.append(((document, sentence), node.parents))
    return np.array(numbers, dtype=np.int64), contexts


def _parent_words(parents: Parents) -> frozenset[int]:
    return frozenset(position for position, _ in parents)


def _set_f1(key: frozenset[object], response: frozenset[object]) -> float:
    """2·common / (|key| + |response|), the harmonic mean of both shares; 0 if one is empty."""
    both = len(key) + len(response)
    return 2 * len(key & response) / both if key and response else 0.0


MOST_CODES = 2**62

MOST_REPEATED = 2_000_000  # pairs of repeated mentions; each takes about 150 bytes for a moment


class Matching(NamedTuple):
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

    @property
    def sides(self) -> tuple[Side, Side]:
        """The key and the response."""
        return self.key, self.response

    def without(self, mentions: BoolArray) -> "Matching":
        """The same without the response mentions that are True."""
        stays = ~mentions[self.response_mention]
        number = np.cumsum(~mentions) - 1
        return self._replace(
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
    has_zeros = any(document.empty_nodes for document in (*key, *response))
    by_dependency = policies.zeros == "dependent" and has_zeros
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
    if policies.match == "exact" and not (by_dependency or shapes or listed):
        return Matching(len(key), *sides, *exact_pairs(*sides), listed)
    assign = by_document if policies.lookup == "table" else by_component
    steps: list[Step] = [same_mentions]
    if by_dependency:
        steps.insert(0, partial(same_zeros, key, response, assign))
    if policies.match in ("head", "partial", "lenient"):
        steps.append(partial(left_over, policies.match, assign))
    pairs = _loose_pairs(sides, policies, tuple(shapes), steps)
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
        problem = f"a span of document '{document.name}' listed {many} times on the two sides"
        expected = f"repeats that make at most {MOST_REPEATED:,} pairs of mentions"
        advice = "Remove the repeats, or score by another value of --repeats."
        place = document.place
        raise refusal(place, problem, expected, advice)


def exact_pairs(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """Pairs of mentions of one document with the same start and end, as two index arrays.

    Every key row of a span is paired with every response row of it, which is one pair unless
    repeats are scored as they stand.
    """
    both = (key, response)
    n_documents = 1 + max(int(side.document[-1:].max(initial=0)) for side in both)
    width = 1 + max(int(side.end.max(initial=0)) for side in both)
    if n_documents * width**2 > MOST_CODES:
        return equal_values(*numbered(*((side.document, side.start, -side.end) for side in both)))
    codes = [side.document * width for side in both]
    for code, side in zip(codes, both, strict=True):
        code += side.start
        code *= width
        code -= side.end
        code += width - 1
    return equal_values(*codes)


def _loose_pairs(
    sides: tuple[Side, Side], policies: Policies, shapes: Sequence[Pieces], steps: Iterable[Step]
) -> tuple[IntArray, IntArray]:
    """The pairs that the steps make one after the other, as two index arrays."""
    key_code, response_code = identities(*sides, policies)
    k = DistinctMentions.of(sides[0], key_code, shapes)
    r = DistinctMentions.of(sides[1], response_code, shapes)
    # By the code of a response mention: the key mention's
    partner = np.full(1 + response_code.max(initial=0), -1)
    for step in steps:
        pairs = step(k, r)
        partner[r.code[pairs.response]] = k.code[pairs.key]
        k, r = k.without(pairs.key), r.without(pairs.response)
    return equal_pairs(key_code, partner[response_code])
