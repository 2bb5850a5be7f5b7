"""Scores beside the metrics: mention identification, pairwise links, the Rand index.

Diagnostics that look at the mentions themselves, not at the table of entities: zeros, and how
far mentions overlap. Both are the CorefUD scorer's, and scored when they are named.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from corescore.bibliography import LUO_2014, PRADHAN_2014, RAND_1971, RECASENS_2011
from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency, add_up
from corescore.counting.counts import Counts
from corescore.counting.pairs import DistinctMentions, by_component, overlapping
from corescore.counting.sides import Side
from corescore.metrics.blanc import CARD as BLANC_CARD
from corescore.metrics.blanc import blanc_counts, coreference, non_coreference
from corescore.metrics.metric import (
    BOTH,
    EMPTY_WITHOUT_LINKS,
    EMPTY_WITHOUT_MENTIONS,
    GREY,
    KEY_SIZE,
    MENTION_COUNTS,
    NO_RIGHT_LINK,
    NO_SHARED_MENTION,
    PAIRS,
    RESPONSE_SIZE,
    SAME_LINKED,
    SHARED,
    Card,
    Formulas,
    Metric,
    empty_where,
)
from corescore.metrics.textbook import (
    PRECISION,
    RECALL,
    Entities,
    Expression,
    Number,
    Quotient,
    Step,
    Sum,
    cells,
    n_mentions,
    total,
    whole,
    with_f1,
)
from corescore.util import BoolArray


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
    return blanc_counts(table).part(0)


def rand_counts(table: Contingency) -> Counts:
    """Links of either kind that both sides have, of all pairs of mentions: C(A) and C(B).

    With the same mentions on both sides, recall, precision and F1 are the Rand index. Range 0 to
    1, in links; empty where a side has fewer than two mentions. Rand 1971.
    """
    counts = blanc_counts(table)
    return counts.part(0) + counts.part(1)


def _mention_steps(key: Entities, response: Entities) -> list[Step]:
    shared = sum(map(sum, cells(key, response)))
    return _steps((whole(shared),) * 2, (whole(n_mentions(key)), whole(n_mentions(response))))


def _link_steps(key: Entities, response: Entities) -> list[Step]:
    return _steps(*_links(key, response))


def _rand_steps(key: Entities, response: Entities) -> list[Step]:
    """Links of both kinds, added up."""
    (both, links) = _links(key, response)
    apart = [non_coreference(*sides) for sides in ((key, response), (response, key))]
    above = [Sum((n, Number(q.above.value))) for n, q in zip(both, apart, strict=True)]
    below = [Sum((n, Number(q.below.value))) for n, q in zip(links, apart, strict=True)]
    return _steps(above, below)


def _links(key: Entities, response: Entities) -> tuple[list[Number], list[Number]]:
    """Coreference links that both sides have, and those of each side, for recall and precision."""
    halves = [coreference(*sides) for sides in ((key, response), (response, key))]
    above = [Number(total(summand.term for summand in terms).value) for terms, _ in halves]
    return above, [Number(below.value) for _, below in halves]


def _steps(above: Sequence[Expression], below: Sequence[Expression]) -> list[Step]:
    recall, precision = (
        Step(name, Quotient(*sides))
        for name, *sides in zip((RECALL, PRECISION), above, below, strict=True)
    )
    return with_f1(recall, precision)


_MENTIONS_CARD = Card(
    id="mentions",
    name="mention identification",
    counts="The mentions that both sides have, whatever entity they were put in.",
    parts=(Formulas(recall=r"\frac{m}{A}", precision=r"\frac{m}{B}"),),
    symbols=(BOTH, MENTION_COUNTS),
    unit="One mention that both sides have.",
    one="both sides have the same mentions",
    zero=NO_SHARED_MENTION,
    empty=EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(PRADHAN_2014,),
)

MENTIONS = Metric(
    id="mentions",
    title="Mentions",
    unit="mention",
    paper=PRADHAN_2014.cited,
    counts=mention_counts,
    recount="entities",
    repeats="once",
    name="Mention identification",
    colour=GREY,
    textbook=_mention_steps,
    card=_MENTIONS_CARD,
)

_LINKS_CARD = Card(
    id="links",
    name="the score of coreference links",
    counts=(
        "Every pair of mentions of one entity: how many of them both sides have. It is the first "
        "part of BLANC, on its own."
    ),
    parts=(Formulas(BLANC_CARD.parts[0].recall, BLANC_CARD.parts[0].precision),),
    symbols=(KEY_SIZE, RESPONSE_SIZE, SHARED, PAIRS),
    unit="One coreference link that both sides have. An entity of n mentions has n(n − 1)/2.",
    one=SAME_LINKED,
    zero=NO_RIGHT_LINK,
    empty=EMPTY_WITHOUT_LINKS,
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}")),
    papers=(RECASENS_2011, LUO_2014),
)

LINKS = Metric(
    id="links",
    title="Links",
    unit="coreference link",
    paper=RECASENS_2011.cited,
    counts=link_counts,
    recount="entities",
    repeats="once",
    name="Coreference links",
    colour=GREY,
    textbook=_link_steps,
    card=_LINKS_CARD,
)

_RAND_CARD = Card(
    id="rand",
    name="the Rand index",
    counts=(
        "All pairs of mentions: of how many do both sides say the same, that they corefer or that "
        "they do not? Each pair weighs the same, so the kind with more pairs decides."
    ),
    parts=(
        Formulas(recall=r"\frac{c + d}{\binom{A}{2}}", precision=r"\frac{c + d}{\binom{B}{2}}"),
    ),
    symbols=(
        (r"c", "pairs that corefer on both sides"),
        (r"d", "pairs that both sides have and that corefer on neither"),
        MENTION_COUNTS,
        PAIRS,
    ),
    unit="One pair of mentions about which both sides say the same.",
    one="both sides have the same entities, and two or more mentions",
    zero="there is no pair of mentions about which both sides say the same",
    empty=empty_where("has fewer than two mentions"),
    examples=(("{a}", "{ab}"), ("{a}", "{a}")),
    papers=(RAND_1971, RECASENS_2011),
)

RAND = Metric(
    id="rand",
    title="Rand",
    unit="link of either kind",
    paper=RAND_1971.cited,
    counts=rand_counts,
    recount="entities",
    repeats="once",
    name="Rand index",
    colour=GREY,
    textbook=_rand_steps,
    card=_RAND_CARD,
)

_SCORER = "CorefUD scorer 1.2"


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
    if not any(document.empty_nodes for document in (*comparison.key, *comparison.response)):
        return Counts.of(*np.zeros((4, len(comparison.key))))
    rows = np.zeros((len(comparison.key), 3))  # correct, wrongly linked, missed
    matching, look_ups = comparison.matching, comparison.look_ups
    key, response = matching.key, matching.response
    partner = comparison.recall.own_partner if look_ups is None else look_ups.partner
    if matching.listings:  # a mention of several entities is asked for in each
        key, partner = matching.listings[0].side, partner[matching.listings[0].place]
    is_zero, is_first = _zeros(key, comparison.key), _firsts(response)
    used = np.zeros(len(response.start), dtype=bool)
    for entity in _in_text_order(key):
        met: set[int] = set()
        for place, mention in enumerate(entity):
            found = int(partner[mention])
            of = int(response.entity[found]) if found >= 0 else -1
            if place and is_zero[mention]:
                if found >= 0:
                    used[found] = True
                missed = found < 0 or is_first[found]
                rows[key.document[mention], 2 if missed else int(of not in met)] += 1
            met.add(of)
    spurious = _zeros(response, comparison.response) & ~is_first & ~used
    n_spurious = add_up(response.document[spurious], np.ones(spurious.sum()), len(rows))
    correct, wrong, missed = rows.T
    return Counts.of(correct, correct + wrong + missed, correct, correct + wrong + n_spurious)


def _zeros(side: Side, documents: tuple[Document, ...]) -> BoolArray:
    """(mentions,) whether the head is an empty node."""
    heads = zip(side.document.tolist(), side.heads.tolist(), strict=True)
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
    sides = [one.side for one in listings] if listings else [matching.key, matching.response]
    key, response = (
        DistinctMentions.of(side, np.arange(len(side.start)), matching.shapes) for side in sides
    )
    found, common = overlapping(key, response)
    made = by_component(key, response, found, common.astype(np.float64))
    width = max(len(response.code), 1)
    pair = np.searchsorted(found.key * width + found.response, made.key * width + made.response)
    n = matching.n_documents
    shared = add_up(key.document[made.key], common[pair], n)
    words = [add_up(side.document, side.size, n) for side in (key, response)]
    return Counts.of(shared, words[0], shared, words[1])


def _not_in_a_table(table: Contingency) -> Counts:
    raise PolicyError("zeros and overlaps are counted from mentions, not from a table of entities")


ZEROS = Metric(
    id="zero",
    title="zeros",
    unit="zero that is linked to the correct entity",
    paper=_SCORER,
    counts=_not_in_a_table,
    of_mentions=zero_counts,
    name="Zero anaphora",
    colour=GREY,
)

OVERLAP = Metric(
    id="mor",
    title="MOR",
    unit="word that two assigned mentions have in common",
    paper=_SCORER,
    counts=_not_in_a_table,
    of_mentions=overlap_counts,
    name="Mention overlap",
    colour=GREY,
)

MENTION_DIAGNOSTICS = (ZEROS, OVERLAP)
