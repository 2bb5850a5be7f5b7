"""LEA with another importance of entities than their size (Moosavi & Strube 2016, §4).

BLANC_α: BLANC with other weights of its two parts (Recasens & Hovy 2011, §4.1.3).

CEAF on links: what aligned entities share is counted in links (Moosavi & Strube 2016, §3.3).

ACE-Value: what a response's errors cost, against a response without entities (Doddington et
al. 2004).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from functools import partial
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from corescore.bibliography import (
    DODDINGTON_2004,
    HOLEN_2013,
    LUO_2005,
    MOOSAVI_2016,
    RECASENS_2011,
)
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import MEASURES, Counts, Score, empty_score, score_counts
from corescore.metrics.blanc import BLANC, blanc_counts, blanc_score, blanc_steps
from corescore.metrics.blanc import CARD as BLANC_CARD
from corescore.metrics.ceaf import CEAFE, CEAFM, aligned_sum, aligned_summands
from corescore.metrics.lea import LEA
from corescore.metrics.metric import (
    ALIGNED,
    EMPTY_WITHOUT_LINKS,
    GREY,
    KEY_SIZE,
    NO_RIGHT_LINK,
    PAIRS,
    RESPONSE_SIZE,
    SAME_LINKED,
    SHARED,
    Card,
    Formulas,
    Metric,
)
from corescore.metrics.textbook import (
    F1,
    Entities,
    Expression,
    Half,
    Number,
    Product,
    Quotient,
    Ratio,
    Step,
    Sum,
    Summand,
    cells,
    difference,
    in_halves,
    n_mentions,
    n_pairs,
    total,
    whole,
)
from corescore.metrics.variant import card_of
from corescore.util import FloatArray, IntArray

Importance = Callable[[IntArray], FloatArray]

Weights = Callable[[Contingency], tuple[FloatArray, FloatArray]]


def lea_by(
    importance: Importance, *, id: str = "lea-own", title: str = "LEA, own weights"
) -> Metric:
    """LEA whose entities weigh as much as a function of their sizes says.

    importance  (entities,) sizes → (entities,) weights of at least 0, such as `np.sqrt`
    """

    def weights(table: Contingency) -> tuple[FloatArray, FloatArray]:
        return importance(table.key_sizes), importance(table.response_sizes)

    return _lea(weights, id=id, title=title)


def lea_weighted(
    key: ArrayLike, response: ArrayLike, *, id: str = "lea-own", title: str = "LEA, own weights"
) -> Metric:
    """LEA whose entities have weights of their own, such as a column of a table.

    key, response  (entities,) a weight of at least 0 for each entity of a side: the documents in
                   the key's order, the entities of each in the text order of their first
                   mentions, without those that a policy left no mention. Scoring raises
                   ValueError where they are not as many as there are entities.
    """
    sides = np.asarray(key, dtype=np.float64), np.asarray(response, dtype=np.float64)

    def weights(table: Contingency) -> tuple[FloatArray, FloatArray]:
        names, sizes = ("key", "response"), (table.key_sizes, table.response_sizes)
        for name, given, entities in zip(names, sides, sizes, strict=True):
            if given.shape != entities.shape:
                raise ValueError(f"{given.size} weights for {entities.size} {name} entities")
        return sides

    return _lea(weights, id=id, title=title)


def _lea(weights: Weights, *, id: str, title: str) -> Metric:
    return Metric(
        id=id,
        title=title,
        unit="coreference link, weighted by its entity's importance",
        paper=MOOSAVI_2016.cited,
        counts=partial(_counts, weights=weights),
        repeats=LEA.repeats,
        colour=LEA.colour,
    )


def _counts(table: Contingency, *, weights: Weights) -> Counts:
    """Recall Σ_i w_i · (Σ_j C(n_ij) / C(a_i)) / Σ_i w_i; precision with the sides swapped.

    A singleton has one link, to itself. Range 0 to 1, in weight; empty where a side has none.
    Raises ValueError for a weight that is not a number of at least 0.
    """
    key, response = weights(table)
    for side in (key, response):
        if not (np.isfinite(side) & (side >= 0)).all():
            raise ValueError("the weights of entities must be numbers of at least 0")
    return Counts.of(
        table.by_document(table.key_document, key * _resolved(table)),
        table.by_document(table.key_document, key),
        table.by_document(table.response_document, response * _resolved(table.swapped)),
        table.by_document(table.response_document, response),
    )


def _resolved(table: Contingency) -> FloatArray:
    """(key entities,) the share of each entity's links that the response has."""
    same = (table.key_sizes[table.cell_key] == 1) & (table.response_sizes[table.cell_response] == 1)
    correct = add_up(table.cell_key, pairs(table.cell_sizes) + same, len(table.key_sizes))
    resolved: FloatArray = correct / np.maximum(pairs(table.key_sizes), 1)
    return resolved


# Those that have a name ---------------------------------------------------------------------------


def _half(own: Entities, other: Entities, *, weight: Callable[[int], int]) -> Half:
    """Σ weight · (correct links / links) / Σ weights; a singleton has one link, to itself."""
    singletons = {mention for entity in other if len(entity) == 1 for mention in entity}
    above = []
    for at, row in enumerate(cells(own, other)):
        size = len(own[at])
        correct = len(singletons & {*own[at]}) if size == 1 else sum(map(n_pairs, row))
        share = Ratio(whole(correct), whole(max(n_pairs(size), 1)))
        above.append(Summand(Product((whole(weight(size)), share)), at))
    return above, total(whole(weight(len(entity))) for entity in own)


_OPEN = (
    "Moosavi and Strube let an entity weigh as much as it has mentions, and leave open that a task "
    "may weigh entities otherwise: by their type, or by what their mentions tell (Holen 2013). "
    "They name no other function. "
)

_ONE_CARD = card_of(
    LEA,
    id="lea-one",
    name="LEA with entities that weigh the same",
    counts=(
        "Entity by entity: what share of its coreference links has the other side? Each entity "
        "weighs 1. A singleton has one link, to itself, which is correct only if it is a singleton "
        "on both sides."
    ),
    parts=(
        Formulas(
            recall=r"\frac{1}{K} \sum_i \frac{\sum_j \binom{n_{ij}}{2}}{\binom{a_i}{2}}",
            precision=r"\frac{1}{L} \sum_j \frac{\sum_i \binom{n_{ij}}{2}}{\binom{b_j}{2}}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        (r"K,\ L", "entities of the key, of the response"),
        PAIRS,
    ),
    papers=(MOOSAVI_2016, HOLEN_2013),
    history=_OPEN
    + "With equal weights a long entity counts as little as a singleton, as in CEAFₑ.",
)

_LINKS_CARD = card_of(
    LEA,
    id="lea-links",
    name="LEA with entities weighed by their links",
    counts=(
        "Entity by entity: what share of its coreference links has the other side? An entity "
        "weighs as much as it has links. A singleton has one link, to itself, which is correct "
        "only if it is a singleton on both sides."
    ),
    parts=(
        Formulas(
            recall=r"\frac{t + \sum_{i,j} \binom{n_{ij}}{2}}{s + \sum_i \binom{a_i}{2}}",
            precision=r"\frac{t + \sum_{i,j} \binom{n_{ij}}{2}}{u + \sum_j \binom{b_j}{2}}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        (r"t", "mentions that are singletons on both sides"),
        (r"s,\ u", "singletons of the key, of the response"),
        PAIRS,
    ),
    papers=(MOOSAVI_2016, HOLEN_2013),
    history=_OPEN
    + "Weighed by links, one long entity decides the score: it is the score of coreference links, "
    "with singletons.",
)

LEA_ONE = replace(
    lea_by(lambda sizes: np.ones(len(sizes)), id="lea-one", title="LEA, entities alike"),
    textbook=in_halves(partial(_half, weight=lambda size: 1)),
    card=_ONE_CARD,
)

LEA_LINKS = replace(
    lea_by(lambda sizes: np.maximum(pairs(sizes), 1), id="lea-links", title="LEA, by links"),
    textbook=in_halves(partial(_half, weight=lambda size: max(n_pairs(size), 1))),
    card=_LINKS_CARD,
)

_OF_COREFERENCE, _OF_NON_COREFERENCE = (f" of {part.of}" for part in BLANC_CARD.parts[:2])


def weighted_blanc(weight: float) -> Metric:
    """BLANC_α = α · F of the coreference links + (1 − α) · F of the non-coreference links.

    R and P likewise. Where the key lacks a kind of link, the other alone, as in BLANC. Range 0
    to 1; `weight` is α.
    """
    return Metric(
        id=f"blanc_{weight}",
        title=f"BLANC, α = {weight:g}",
        unit=BLANC.unit,
        paper=RECASENS_2011.cited,
        counts=blanc_counts,
        score=partial(_score, weight=weight),
        repeats=BLANC.repeats,
        colour=BLANC.colour,
    )


def _score(counts: Counts, *, empty: float, weight: float) -> Score[FloatArray]:
    plain = blanc_score(counts, empty=empty)
    c, n = plain.parts["coreference"], plain.parts["non_coreference"]
    both = (c.recall_denominator > 0) & (n.recall_denominator > 0)

    def mean(one: FloatArray, other: FloatArray, alone: FloatArray) -> FloatArray:
        weighted = weight * np.nan_to_num(one) + (1 - weight) * np.nan_to_num(other)
        return np.where(both, weighted, alone)

    return replace(
        plain,
        recall=mean(c.recall, n.recall, plain.recall),
        precision=mean(c.precision, n.precision, plain.precision),
        f1=mean(c.f1, n.f1, plain.f1),
    )


# Those that the paper prints ----------------------------------------------------------------------


def _printed(weight: Fraction) -> Metric:
    """The metric with its card and its steps."""
    c, whole_weight = weight.as_integer_ratio()
    n = whole_weight - c
    means = (f"{{{c} {letter}_c + {n} {letter}_n}}" for letter in "RPF")
    mean = Formulas(*(rf"\frac{each}{{{whole_weight}}}" for each in means))
    metric = weighted_blanc(float(weight))
    card = replace(
        BLANC_CARD,
        id=metric.id,
        name=f"BLANC with α = {float(weight):g}",
        counts=(
            "All pairs of mentions, of two kinds: those that corefer, and those that do not. The "
            f"coreference links weigh α = {weight}, the non-coreference links the rest."
        ),
        parts=(*BLANC_CARD.parts[:2], mean),
        unit=(
            "One pair of mentions about which both sides say the same, weighed by α or 1 − α for "
            "its kind."
        ),
        empty=(
            "As BLANC by the rule of the reference scorer: the kinds of link that the key has "
            "count; where it has neither, all is empty."
        ),
        examples=(("{a}", "{a}"), ("{ab}", "{a}{b}")),
        papers=(RECASENS_2011,),
        history=(
            "Recasens and Hovy found that BLANC weighs a single coreference link too much where "
            "the key has few, and offered α to weigh them less; their Tables 12 and 13 show 0.2 "
            "and 0.1. It was given up because each data set would need an α of its own, and "
            "scores under different ones cannot be compared."
        ),
        variants=(),
    )
    return replace(metric, textbook=partial(_steps, weight=weight), card=card)


def _steps(key: Entities, response: Entities, *, weight: Fraction) -> list[Step]:
    """The steps of both parts, then their weighted means; of one that counts alone, itself."""
    plain = blanc_steps(key, response)
    done = {step.name: step for step in plain}
    counting = _counting(key)
    if len(counting) < 2:
        return plain
    c, n = weight.numerator, weight.denominator - weight.numerator
    means = []
    for name in MEASURES:
        one, other = (Number(done[name + of].value) for of in counting)
        above = Sum((Product((whole(c), one)), Product((whole(n), other))))
        means.append(Step(name, Quotient(above, whole(weight.denominator))))
    return [*plain[: -len(MEASURES)], *means]


def _counting(key: Entities) -> Sequence[str]:
    """The kinds of link that the key has."""
    linked, apart = any(len(entity) > 1 for entity in key), len(key) > 1
    kinds = ((_OF_COREFERENCE, linked), (_OF_NON_COREFERENCE, apart))
    return [kind for kind, there in kinds if there]


BLANC_A2 = _printed(Fraction(1, 5))

BLANC_A1 = _printed(Fraction(1, 10))


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
        Formulas(
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
    parts=(Formulas(recall=rf"\frac{{1}}{{K}} {_SHARE}", precision=rf"\frac{{1}}{{L}} {_SHARE}"),),
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


@dataclass(frozen=True)
class Costs:
    """What each error costs; ours by default, 1 for all, since the papers print no table.

    missing_entity, spurious_entity    an entity that is aligned with none
    missing_mention, spurious_mention  a mention that the aligned entity lacks; each mention of an
                                       entity that is aligned with none

    The tables of ACE also told costs by entity type and kind of mention apart, which these do not.
    Raises PolicyError for a cost that is negative or no number, and where nothing that is missing
    costs anything.
    """

    missing_entity: float = 1
    missing_mention: float = 1
    spurious_entity: float = 1
    spurious_mention: float = 1

    def __post_init__(self) -> None:
        for name, cost in asdict(self).items():
            if not (isfinite(cost) and cost >= 0):
                raise PolicyError(f"cost {name} is {cost}; expected a number of at least 0")
        if self.missing_entity + self.missing_mention == 0:
            raise PolicyError("nothing missing costs anything; expected a cost above 0")

    @classmethod
    def of(cls, table: Mapping[str, float]) -> "Costs":
        """From a table of costs by name; the others are 1."""
        names = [field.name for field in fields(cls)]
        return cls(**{choose("cost", name, names): cost for name, cost in table.items()})

    @property
    def aligned(self) -> float:
        """What is saved by aligning two entities, their mentions apart."""
        return self.missing_entity + self.spurious_entity

    @property
    def shared(self) -> float:
        """What is saved by each mention that aligned entities share."""
        return self.missing_mention + self.spurious_mention


def ace_value(
    costs: Costs = Costs(),
    *,
    id: str = "ace",
    title: str = "ACE-Value",
) -> Metric:
    """Value = 1 − cost of the response / cost of a response without entities.

    Entities that share a mention are aligned one to one so that the cost is least. Costs add up
    over documents. Range to 1, below 0 where the errors cost more than leaving out everything;
    empty where the key has no entity. It has no recall and no precision.
    """
    return Metric(
        id=id,
        title=title,
        unit="cost of an error",
        paper=DODDINGTON_2004.cited,
        counts=partial(_ace_value_counts, costs=costs),
        score=_ace_value_score,
        repeats="held",
        colour=GREY,
        textbook=partial(_ace_value_steps, costs=costs),
        card=replace(_CARD, id=id),
    )


def _ace_value_counts(table: Contingency, *, costs: Costs) -> Counts:
    """(empty − cost) of empty, in the columns of recall; nothing in those of precision."""
    n_key = np.bincount(table.key_document, minlength=table.n_documents)
    n_response = np.bincount(table.response_document, minlength=table.n_documents)
    empty = costs.missing_entity * n_key + costs.missing_mention * table.n_key_mentions
    spurious = costs.spurious_entity * n_response
    spurious = spurious + costs.spurious_mention * table.n_response_mentions
    saved = aligned_sum(table, costs.aligned + costs.shared * table.cell_sizes.astype(np.float64))
    nothing = np.zeros(table.n_documents)
    return Counts.of(saved - spurious, empty, nothing, nothing)


def _ace_value_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    value = score_counts(counts, empty=empty).recall
    return replace(empty_score(len(value)), f1=value)


def _ace_value_steps(key: Entities, response: Entities, *, costs: Costs) -> list[Step]:
    """(cost of nothing − cost of the response) / cost of nothing."""
    missing, spurious = (
        Fraction(entity) * len(side) + Fraction(mention) * n_mentions(side)
        for side, entity, mention in (
            (key, costs.missing_entity, costs.missing_mention),
            (response, costs.spurious_entity, costs.spurious_mention),
        )
    )
    saved = aligned_summands(
        key,
        response,
        lambda n, a, b: Number(Fraction(costs.aligned) * (n > 0) + Fraction(costs.shared) * n),
    )
    cost = missing + spurious - total(summand.term for summand in saved).value
    above = Sum((Number(missing), Number(-cost)))
    if cost.denominator == missing.denominator == 1:
        above = difference(int(missing), int(cost))
    return [Step(F1, Quotient(above, Number(missing) if missing else whole(0)))]


_CARD = Card(
    id="ace",
    name="ACE-Value",
    counts=(
        "What the errors of the response cost: entities that are aligned with none, and mentions "
        "that aligned entities do not share. The value is what it saves against a response without "
        "any entity. Entities are aligned one to one, so that the cost is least; each missing or "
        "spurious entity or mention costs 1, unless you give other costs."
    ),
    parts=(Formulas(recall="", precision="", f1=r"\frac{e - c}{e}"),),
    symbols=(
        (r"e", "cost of a response without entities: all that is in the key is missing"),
        (r"c", "cost of the response"),
    ),
    unit="What one missing entity or mention costs.",
    one="both sides have the same entities",
    zero="the errors cost as much as leaving out everything, or the key has no mention",
    empty="Where the key has no mention, it is empty.",
    examples=(("", "{ab}"), ("", "")),
    papers=(DODDINGTON_2004, RECASENS_2011),
    history=(
        "It was the official score of the ACE program, and was given up with it: its costs by "
        "entity type and kind of mention changed from one evaluation to the "
        "next, so values cannot be compared, and 90 percent does not mean that 90 percent is "
        "right. The costs are not in the papers; ours are 1 throughout, and types are not told "
        "apart."
    ),
    bounds=(
        "At most 1, in percent 100; below 0 where the errors cost more than leaving out everything."
    ),
)

ACE = ace_value()
