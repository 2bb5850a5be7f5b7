"""Scores beside the metrics: mention identification, pairwise links, the Rand index.

Diagnostics that look at the mentions themselves, not at the table of entities: zeros, and how
far mentions overlap. Both are the CorefUD scorer's, and scored when they are named.
"""

from collections.abc import Iterator

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import Counts
from corescore.counting.matching import DistinctMentions, by_component, overlapping
from corescore.counting.sides import Side
from corescore.metrics.blanc import coreference, non_coreference
from corescore.metrics.metric import Metric, described
from corescore.metrics.textbook import Quotient, number, total
from corescore.util import BoolArray, as_rows


def mention_counts(table: Contingency) -> Counts:
    """Recall m / A, precision m / B: mentions found, whatever entity they are in.

    Range 0 to 1, in mentions; empty where a side has no mention.
    """
    shared = table.n_shared_mentions
    return Counts.of(shared, table.n_key_mentions, shared, table.n_response_mentions)


def link_counts(table: Contingency) -> Counts:
    """Recall ΣC(n_ij) / ΣC(a_i), precision ΣC(n_ij) / ΣC(b_j): BLANC's coreference part alone.

    Range 0 to 1, in links; empty where a side has only singletons.
    """
    shared = table.shared_links
    return Counts.of(shared, table.key_links, shared, table.response_links)


def rand_counts(table: Contingency) -> Counts:
    """Links of either kind that both sides have, of all pairs of mentions: C(A) and C(B).

    With the same mentions on both sides, recall, precision and F1 are the Rand index. Range 0 to
    1, in links; empty where a side has fewer than two mentions. Rand 1971.
    """
    in_key, in_response = table.key_links_of_shared, table.response_links_of_shared
    both = pairs(table.n_shared_mentions) - in_key - in_response + 2 * table.shared_links
    return Counts.of(both, pairs(table.n_key_mentions), both, pairs(table.n_response_mentions))


def _mention_half(table: Contingency) -> Quotient:
    return Quotient(number(table.cell_sizes.sum()), number(table.key_sizes.sum()))


def _link_half(table: Contingency) -> Quotient:
    half = coreference(table)
    return Quotient(number(half.above.value), number(half.below.value))


def _rand_half(table: Contingency) -> Quotient:
    """Links of both kinds, added up."""
    halves = coreference(table), non_coreference(table)
    return Quotient(
        total(number(of.above.value) for of in halves),
        total(number(of.below.value) for of in halves),
    )


MENTIONS = Metric(
    **described("mentions"),
    counts=mention_counts,
    half=_mention_half,
    recount="entities",
    repeats="once",
)

LINKS = Metric(
    **described("links"),
    counts=link_counts,
    half=_link_half,
    recount="entities",
    repeats="once",
)

RAND = Metric(
    **described("rand"),
    counts=rand_counts,
    half=_rand_half,
    recount="entities",
    repeats="once",
)


def zero_counts(comparison: Comparison) -> Counts:
    """Correctly linked zeros of the key's and of the response's zeros that are anaphors.

    A zero is a mention whose head is an empty node; the first mention of an entity is no anaphor.
    A zero of the key is correct if its partner's entity holds a partner of a mention before it in
    its entity; wrongly linked if not; missed if it has no partner, or one that is first in its
    entity. A zero of the response that is an anaphor and no partner is spurious. Recall is
    correct / (correct + wrongly linked + missed), precision correct / (correct + wrongly linked +
    spurious). Range 0 to 1, in zeros; empty without such zeros. CorefUD scorer 1.2.

    Under look-up "table" a partner is, as there, the same mention of the other side if there is
    one, and only else the one that the table names.
    """
    if not comparison.has_empty_nodes:
        return Counts.of(*np.zeros((4, len(comparison.key))))
    rows = np.zeros((len(comparison.key), 3))  # correct, wrongly linked, missed
    matching, look_ups = comparison.matching, comparison.look_ups
    key, response = matching.sides
    partner = comparison.recall.own_partner if look_ups is None else look_ups.partner
    if matching.listings:  # a mention of several entities is asked for in each
        key, partner = matching.listings[0].side, partner[matching.listings[0].place]
    is_zero, is_first = _zeros(key, comparison.key), _firsts(response)
    used = np.zeros(len(response.start), dtype=bool)
    for entity in _in_text_order(key):
        met: set[int] = set()
        for place, mention in enumerate(entity):
            twin = int(partner[mention])
            response_entity = int(response.entity[twin]) if twin >= 0 else -1
            if place and is_zero[mention]:
                if twin >= 0:
                    used[twin] = True
                missed = twin < 0 or is_first[twin]
                rows[key.document[mention], 2 if missed else int(response_entity not in met)] += 1
            met.add(response_entity)
    spurious = _zeros(response, comparison.response) & ~is_first & ~used
    n_spurious = add_up(response.document[spurious], np.ones(spurious.sum()), len(rows))
    correct, wrong, missed = rows.T
    return Counts.of(correct, correct + wrong + missed, correct, correct + wrong + n_spurious)


def _zeros(side: Side, documents: tuple[Document, ...]) -> BoolArray:
    """(mentions,) whether the head is an empty node."""
    heads = as_rows(side.document, side.heads)
    return np.array([head in documents[at].empty_nodes for at, head in heads], dtype=bool)


def _in_text_order(side: Side) -> Iterator[list[int]]:
    """The mentions of each entity by first word and last word."""
    order = np.lexsort((side.end, side.start, side.entity))
    cuts = np.flatnonzero(np.diff(side.entity[order])) + 1
    return (part.tolist() for part in np.split(order, cuts) if len(part))


def _firsts(side: Side) -> BoolArray:
    """(mentions,) whether a mention is the first of its entity."""
    first = np.zeros(len(side.start), dtype=bool)
    first[[entity[0] for entity in _in_text_order(side)]] = True
    return first


def overlap_counts(comparison: Comparison) -> Counts:
    """Words in common of the mentions of both sides, of all words of the key's and the response's.

    Mentions are assigned to each other one to one so that they have the most words in common,
    whatever the matching pairs. A mention in two entities counts twice where both are scored.
    Range 0 to 1, in words of mentions; empty where a side has no mention. The mention overlap
    ratio (MOR) of the CorefUD scorer 1.2.
    """
    matching = comparison.matching
    listings = matching.listings
    sides = [one.side for one in listings] if listings else matching.sides
    key, response = (
        DistinctMentions.of(side, np.arange(len(side.start)), matching.shapes) for side in sides
    )
    pairs, common = overlapping(key, response)
    made = by_component(key, response, pairs, common.astype(np.float64))
    width = max(len(response.code), 1)
    pair = np.searchsorted(pairs.key * width + pairs.response, made.key * width + made.response)
    n = matching.n_documents
    shared = add_up(key.side.document[made.key], common[pair], n)
    words = [add_up(of.side.document, of.size, n) for of in (key, response)]
    return Counts.of(shared, words[0], shared, words[1])


def _not_in_a_table(table: Contingency) -> Counts:
    raise PolicyError("zeros and overlaps are counted from mentions, not from a table of entities")


ZEROS = Metric(**described("zero"), counts=_not_in_a_table, of_mentions=zero_counts)

OVERLAP = Metric(**described("mor"), counts=_not_in_a_table, of_mentions=overlap_counts)

MENTION_DIAGNOSTICS = (ZEROS, OVERLAP)
