"""Figures beside the six: mention identification, pairwise links, the Rand index."""

from corescore.bibliography import PRADHAN_2014, RAND_1971, RECASENS_2011
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.blanc import blanc_counts
from corescore.metrics.metric import GREY, Metric


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


MENTIONS = Metric(
    id="mentions",
    title="Mentions",
    unit="mention",
    paper=PRADHAN_2014.cited,
    counts=mention_counts,
    name="Mention identification",
    colour=GREY,
)
LINKS = Metric(
    id="links",
    title="Links",
    unit="coreference link",
    paper=RECASENS_2011.cited,
    counts=link_counts,
    name="Coreference links",
    colour=GREY,
)
RAND = Metric(
    id="rand",
    title="Rand",
    unit="link of either kind",
    paper=RAND_1971.cited,
    counts=rand_counts,
    name="Rand index",
    colour=GREY,
)
