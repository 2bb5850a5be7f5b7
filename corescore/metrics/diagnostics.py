"""Scores beside the metrics: mention identification, pairwise links, the Rand index."""

from collections.abc import Sequence

import numpy as np

from corescore.bibliography import LUO_2014, PRADHAN_2014, RAND_1971, RECASENS_2011
from corescore.counting.changes import Changes
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.blanc.card import CARD as BLANC_CARD
from corescore.metrics.blanc.counts import blanc_changes, blanc_counts
from corescore.metrics.blanc.explanation import coreference, non_coreference
from corescore.metrics.card import (
    BOTH,
    EMPTY_WITHOUT_LINKS,
    EMPTY_WITHOUT_MENTIONS,
    KEY_SIZE,
    MENTION_COUNTS,
    NO_RIGHT_LINK,
    NO_SHARED_MENTION,
    PAIRS,
    RESPONSE_SIZE,
    SAME_LINKED,
    SHARED,
    Card,
    Part,
    empty_where,
)
from corescore.metrics.expressions import Expression, Number, Quotient, Sum, total, whole
from corescore.metrics.metric import GREY, Metric
from corescore.metrics.textbook import PRECISION, RECALL, Entities, Step, cells, n_mentions, with_f1


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


def _mention_changes(changes: Changes) -> Counts:
    m, b = changes.shared_mentions, changes.response_mentions
    return Counts.of(m, np.zeros(len(m)), m, b)


def _link_changes(changes: Changes) -> Counts:
    return blanc_changes(changes).part(0)


def _rand_changes(changes: Changes) -> Counts:
    parts = blanc_changes(changes)
    return parts.part(0) + parts.part(1)


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
    parts=(Part(recall=r"\frac{m}{A}", precision=r"\frac{m}{B}"),),
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
    changes=_mention_changes,
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
    parts=(Part(BLANC_CARD.parts[0].recall, BLANC_CARD.parts[0].precision),),
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
    changes=_link_changes,
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
    parts=(Part(recall=r"\frac{c + d}{\binom{A}{2}}", precision=r"\frac{c + d}{\binom{B}{2}}"),),
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
    changes=_rand_changes,
    repeats="once",
    name="Rand index",
    colour=GREY,
    textbook=_rand_steps,
    card=_RAND_CARD,
)
