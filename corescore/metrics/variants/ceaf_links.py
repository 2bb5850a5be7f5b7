"""CEAF on links: what aligned entities share is counted in links (Moosavi & Strube 2016, §3.3)."""

from dataclasses import replace

import numpy as np

from corescore.arrays import FloatArray
from corescore.bibliography import LUO_2005, MOOSAVI_2016
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import Counts
from corescore.metrics.card import (
    ALIGNED,
    EMPTY_WITHOUT_LINKS,
    KEY_SIZE,
    NO_RIGHT_LINK,
    PAIRS,
    RESPONSE_SIZE,
    SAME_LINKED,
    SHARED,
    Card,
    Part,
)
from corescore.metrics.ceaf import CEAFE, CEAFM, aligned_sum, aligned_summands
from corescore.metrics.expressions import Expression, Product, Ratio, Sum, total, whole
from corescore.metrics.metric import Metric
from corescore.metrics.textbook import Entities, Half, in_halves, n_pairs


def ceafm_link_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ C(n_ij)) / ΣC(a_i), precision by ΣC(b_j).

    Range 0 to 1, in links; empty where a side has only singletons.
    """
    linked = _linked(table)
    links = aligned_sum(linked, pairs(linked.cell_sizes))
    key = table.key_links
    response = table.response_links
    return Counts.of(links, key, links, response)


def ceafe_link_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ 2C(n_ij)/(C(a_i) + C(b_j))) / entities of two
    or more mentions; precision with the sides swapped. Range 0 to 1, in such entities; empty
    where a side has none."""
    linked = _linked(table)
    similarity = aligned_sum(linked, _similarity(linked))
    key = table.by_document(table.key_document, table.key_sizes > 1)
    response = table.by_document(table.response_document, table.response_sizes > 1)
    return Counts.of(similarity, key, similarity, response)


def _similarity(table: Contingency) -> FloatArray:
    links = pairs(table.key_sizes)[table.cell_key]
    similarity: FloatArray = (
        2 * pairs(table.cell_sizes) / (links + pairs(table.response_sizes)[table.cell_response])
    )
    return similarity


def _linked(table: Contingency) -> Contingency:
    """The table without the cells of a single mention, which have no link."""
    cells = np.flatnonzero(table.cell_sizes > 1)
    return replace(
        table,
        cell_key=table.cell_key[cells],
        cell_response=table.cell_response[cells],
        cell_sizes=table.cell_sizes[cells],
    )


def _ceafm_half(own: Entities, other: Entities) -> Half:
    above = aligned_summands(own, other, lambda n, a, b: whole(n_pairs(n)))
    return above, total(whole(n_pairs(len(entity))) for entity in own)


def _ceafe_half(own: Entities, other: Entities) -> Half:
    def similarity(n: int, a: int, b: int) -> Expression:
        if n < 2:
            return whole(0)
        links = Product((whole(2), whole(n_pairs(n))), tight=True)
        return Ratio(links, Sum((whole(n_pairs(a)), whole(n_pairs(b)))))

    n_linked = sum(len(entity) > 1 for entity in own)
    return aligned_summands(own, other, similarity), whole(n_linked)


_HISTORY = (
    "Moosavi and Strube name it in passing: counting links instead of mentions would free CEAF of "
    "the mention identification effect. They did not build it, and give no formula; this is our "
    "reading. It says nothing of singletons, and links of entities that are not aligned still "
    "count as wrong. LEA counts them all."
)
_CEAFM_CARD = Card(
    id="ceafm-links",
    name="CEAFₘ on links",
    counts=(
        "Each key entity is aligned with one response entity at most, in the way that is best "
        "overall. Counted are the links, not the mentions, that aligned entities share."
    ),
    parts=(
        Part(
            recall=r"\frac{\sum_{i \sim j} \binom{n_{ij}}{2}}{\sum_i \binom{a_i}{2}}",
            precision=r"\frac{\sum_{i \sim j} \binom{n_{ij}}{2}}{\sum_j \binom{b_j}{2}}",
        ),
    ),
    symbols=(KEY_SIZE, RESPONSE_SIZE, SHARED, ALIGNED, PAIRS),
    unit="One link that lies in both entities of an aligned pair.",
    one=SAME_LINKED,
    zero=NO_RIGHT_LINK,
    empty=EMPTY_WITHOUT_LINKS,
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}")),
    papers=(MOOSAVI_2016, LUO_2005),
    history=_HISTORY,
)
_SHARE = r"\sum_{i \sim j} \frac{2 \binom{n_{ij}}{2}}{\binom{a_i}{2} + \binom{b_j}{2}}"
_CEAFE_CARD = Card(
    id="ceafe-links",
    name="CEAFₑ on links",
    counts=(
        "Each key entity is aligned with one response entity at most, in the way that is best "
        "overall. Added up is how alike the links of aligned entities are; an entity of 2 weighs "
        "as much as one of 20."
    ),
    parts=(Part(recall=rf"\frac{{1}}{{K}} {_SHARE}", precision=rf"\frac{{1}}{{L}} {_SHARE}"),),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        ALIGNED,
        (r"K,\ L", "entities of two or more mentions of the key, of the response"),
        PAIRS,
    ),
    unit="One aligned pair of equal entities of two or more mentions.",
    one=SAME_LINKED,
    zero=NO_RIGHT_LINK,
    empty=EMPTY_WITHOUT_LINKS,
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}")),
    papers=(MOOSAVI_2016, LUO_2005),
    history=_HISTORY,
)

CEAFM_LINKS = Metric(
    id="ceafm-links",
    title="CEAF_m links",
    unit="coreference link of an aligned pair of entities",
    paper=MOOSAVI_2016.cited,
    counts=ceafm_link_counts,
    repeats=CEAFM.repeats,
    name="CEAFₘ on links",
    colour=CEAFM.colour,
    textbook=in_halves(_ceafm_half),
    card=_CEAFM_CARD,
)
CEAFE_LINKS = Metric(
    id="ceafe-links",
    title="CEAF_e links",
    unit="similarity in links of an aligned pair of entities",
    paper=MOOSAVI_2016.cited,
    counts=ceafe_link_counts,
    repeats=CEAFE.repeats,
    name="CEAFₑ on links",
    colour=CEAFE.colour,
    textbook=in_halves(_ceafe_half),
    card=_CEAFE_CARD,
)
