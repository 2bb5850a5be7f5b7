"""BLANC_α: BLANC with other weights of its two parts (Recasens & Hovy 2011, §4.1.3)."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from corescore.arrays import FloatArray
from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import MEASURES, Counts, Score
from corescore.metrics.blanc import BLANC
from corescore.metrics.blanc.card import CARD as BLANC_CARD
from corescore.metrics.blanc.counts import blanc_counts, blanc_score
from corescore.metrics.blanc.explanation import blanc_steps
from corescore.metrics.card import Part
from corescore.metrics.expressions import Number, Product, Quotient, Sum, whole
from corescore.metrics.metric import Metric
from corescore.metrics.textbook import Entities, Step

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
    mean = Part(*(rf"\frac{each}{{{whole_weight}}}" for each in means))
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
