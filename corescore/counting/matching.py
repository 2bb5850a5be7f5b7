"""Which response mention is which key mention, over all documents at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.documents import Document
from corescore.corpus.mentions import Pieces
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.listings import Listing, listings
from corescore.counting.minimum_spans import Labels, minimum_labels
from corescore.counting.pairs import (
    Mentions,
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
from corescore.counting.sides import Shapes, Side, flatten, identities
from corescore.counting.zeros import same_zeros

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
    listings: tuple[Listing, Listing] | None = None
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
    k, r = Mentions.of(key, key_code, shapes), Mentions.of(response, response_code, shapes)
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
