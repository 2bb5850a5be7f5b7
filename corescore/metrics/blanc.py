"""BLANC: coreference and non-coreference links, each scored, then averaged.

Recasens & Hovy 2011 for mentions that both sides have; Luo et al. 2014 for all others.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from corescore.bibliography import LUO_2014, RECASENS_2011
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import MEASURES, Counts, Score, empty_score, score_counts
from corescore.counting.policies import Blanc
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, Metric, Unit, described
from corescore.metrics.textbook import (
    Quotient,
    Step,
    Summand,
    difference,
    in_halves,
    mean_step,
    minus,
    n_pairs,
    number,
    rows,
    total,
)
from corescore.util import FloatArray


def blanc_counts(table: Contingency) -> Counts:
    """Links that both sides have, of those of the key and of the response; two parts.

    Coreference: ΣC(n_ij) of ΣC(a_i) and ΣC(b_j). Non-coreference: C(m) − ΣC(n_i·) − ΣC(n_·j)
    + ΣC(n_ij) of C(A) − ΣC(a_i) and C(B) − ΣC(b_j). In links. Luo et al. 2014.
    """
    key, response = pairs(table.n_key_mentions), pairs(table.n_response_mentions)
    return _both_parts(table, table.key_links, key, table.response_links, response)


def blanc_shared_counts(table: Contingency) -> Counts:
    """The same among the mentions that both sides have, as in Recasens & Hovy 2011.

    Coreference: ΣC(n_ij) of ΣC(n_i·) and ΣC(n_·j); the other pairs of the m shared mentions are
    the non-coreference links. The paper knows no twinless mentions, so they are left out.
    """
    every = pairs(table.n_shared_mentions)
    return _both_parts(
        table, table.key_links_of_shared, every, table.response_links_of_shared, every
    )


def _both_parts(
    table: Contingency, key: FloatArray, of_key: FloatArray, response: FloatArray, of_r: FloatArray
) -> Counts:
    """Coreference links, then the other pairs of mentions: (documents,) links and pairs of the
    key and of the response."""
    both, every = table.shared_links, pairs(table.n_shared_mentions)
    apart = every - table.key_links_of_shared - table.response_links_of_shared + both
    return Counts.of_parts(
        Counts.of(both, key, both, response),
        Counts.of(apart, of_key - key, apart, of_r - response),
    )


def blanc_luo_counts(table: Contingency) -> Counts:
    """`blanc_counts` and a third part, the mentions, which decides where nobody has a link."""
    m, a, b = table.n_shared_mentions, table.n_key_mentions, table.n_response_mentions
    return Counts.of_parts(blanc_counts(table), Counts.of(m, a, m, b))


def blanc_credit(table: Contingency, *, shared_only: bool = False) -> tuple[Unit, ...]:
    """1 for each link that both sides have, in the part of its kind."""
    return tuple(
        Unit.of_one(table, kind, part=part, shared_only=shared_only)
        for part, kind in enumerate((COREFERENCE_LINK, NON_COREFERENCE_LINK))
    )


def blanc_score(
    counts: Counts, *, empty: float, rule: Blanc = "reference", weight: float = 0.5
) -> Score[FloatArray]:
    """R, P and F of each part, then the mean of the two. Range 0 to 1. F is not the harmonic mean.

    rule    when a part counts, and the score where none does. reference: a part of which the key
            has a link; empty. This is what the reference scorer v8.01 prints. luo2014: a part of
            which either side has one; 1 if both sides have the same mentions (a third part), else
            0 (Luo et al. 2014, §4.1). corefud: the same; 0, as in the CorefUD scorer. scorch: parts
            as under reference; 1 if the key has all mentions of the response, else 0
    weight  of the coreference links where both parts count; the others weigh the rest. A part's
            0/0 is 0 there
    """
    parts = [score_counts(counts.part(at), empty=empty) for at in (0, 1)]
    by_both = rule in ("luo2014", "corefud")
    lacks = [
        of.recall_denominator + (of.precision_denominator if by_both else 0) == 0 for of in parts
    ]
    nothing = np.full(len(lacks[0]), 0.0 if rule == "corefud" else empty)
    if rule in ("luo2014", "scorch"):
        mentions = score_counts(counts.part(2), empty=1)
        same = (mentions.recall == 1) | (rule == "scorch")
        nothing = 1.0 * (same & (mentions.precision == 1))
    means = {}
    for measure in MEASURES:
        c, n = (getattr(of, measure) for of in parts)
        mean = weight * np.nan_to_num(c) + (1 - weight) * np.nan_to_num(n)
        means[measure] = np.select([lacks[0] & lacks[1], *lacks], [nothing, n, c], mean)
    both = dict(zip(("coreference", "non_coreference"), parts, strict=True))
    return replace(empty_score(len(nothing)), **means, parts=both)


def coreference(table: Contingency) -> Quotient:
    """Links that both sides have / links."""
    above = [
        Summand(number(n_pairs(n)), own, other)
        for own, (_, cells) in enumerate(rows(table))
        for other, n, _ in cells
    ]
    return Quotient.of(above, total(number(n_pairs(size)) for size in table.key_sizes.tolist()))


def non_coreference(table: Contingency) -> Quotient:
    """All links of the shared mentions − linked here − linked there + linked on both / others."""
    every = pairs(table.n_shared_mentions).item()
    here, there = table.key_links_of_shared.item(), table.response_links_of_shared.item()
    both = number(table.shared_links.item())
    above = total([number(every), minus(number(here)), minus(number(there)), both])
    return Quotient(above, difference(pairs(table.n_key_mentions).item(), table.key_links.item()))


def blanc_steps(table: Contingency, *, weights: tuple[int, ...] = ()) -> list[Step]:
    """Both parts, then the means of those that count: the kinds of link that the key has.

    Empty parts are treated as in the reference scorer (Pradhan et al. 2014).

    weights  of the two parts; none if they weigh the same
    """
    halves = (
        (coreference, " of coreference links"),
        (non_coreference, " of non-coreference links"),
    )
    parts = [in_halves(half, of)(table) for half, of in halves]
    counting = [part for part in parts if part[0].quotient.below.value]
    by = weights if len(counting) == 2 else ()
    means = [
        mean_step(name, [part[at] for part in counting], by) for at, name in enumerate(MEASURES)
    ]
    return [*parts[0], *parts[1], *means]


BLANC = Metric(
    **described("blanc"),
    counts=blanc_counts,
    credit=blanc_credit,
    score=blanc_score,
    steps=blanc_steps,
    repeats="links",
    recount="entities",
)

BLANC_VARIANTS = {
    "reference": BLANC,
    "luo2014": replace(
        BLANC,
        paper=LUO_2014.cited,
        counts=blanc_luo_counts,
        score=partial(blanc_score, rule="luo2014"),
    ),
    "recasens2011": replace(
        BLANC,
        paper=RECASENS_2011.cited,
        counts=blanc_shared_counts,
        credit=partial(blanc_credit, shared_only=True),
    ),
    "corefud": replace(BLANC, score=partial(blanc_score, rule="corefud")),
    "scorch": replace(BLANC, counts=blanc_luo_counts, score=partial(blanc_score, rule="scorch")),
}
