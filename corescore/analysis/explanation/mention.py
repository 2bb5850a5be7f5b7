"""The arithmetic of each metric for one mention, in sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corescore.analysis.credit.units import mention_credit
from corescore.analysis.explanation.facts import MentionFacts, mention_facts
from corescore.counting.comparison import Comparison
from corescore.counting.counts import divide
from corescore.metrics import Metric
from corescore.wording import capital, counted, listed, number, ratio


@dataclass(frozen=True)
class Explanation:
    """What one metric gives one mention.

    sentence         the arithmetic in words and numbers
    credit, possible  what the mention earns and could earn, in the metric's units; of BLANC's
                     parts each as a share of all its links, and then added
    share            the one by the other, at most 1; NaN where nothing could be earned
    """

    metric: str
    sentence: str
    credit: float
    possible: float
    share: float


@dataclass(frozen=True)
class Earned:
    """What one mention earns and could earn of one kind of unit, and what all mentions could."""

    kind: str
    part: int
    credit: float
    possible: float
    whole: float


def where_it_is(comparison: Comparison, mention: int, *, side: str) -> str:
    """Which entities have the mention, and how many mentions those two share."""
    (it,) = mention_facts(comparison, np.array([mention]), side=side)
    opening = f"It is in {it.own_name} ({counted(it.size)})"
    if not it.is_shared:
        return f"{opening}; the {it.other} has no such mention."
    return (
        f"{opening} and in {it.other_name} ({counted(it.other_size)}); "
        f"the two share {counted(it.shared)}."
    )


def explain_mention(
    comparison: Comparison, metrics: Sequence[Metric], mention: int, *, side: str
) -> list[Explanation]:
    """The arithmetic of one mention of the key (recall) or response (precision) side under each
    metric. Where repeats are scored as they stand, the sentence tells its first cell alone."""
    found = []
    for metric in metrics:
        (it,) = mention_facts(comparison, np.array([mention]), side=side, metric=metric)
        earned = _earned(comparison, metric, mention, side)
        credit, possible = _together(earned)
        share = float(divide(np.array(credit), np.array(possible), empty=np.nan))
        sentence = _SENTENCES.get(metric.id, _any_metric)(it, earned)
        found.append(Explanation(metric.id, sentence, credit, possible, min(share, 1.0)))
    return found


def _earned(comparison: Comparison, metric: Metric, mention: int, side: str) -> list[Earned]:
    return [
        Earned(
            unit.kind,
            unit.part,
            float(unit.credit[mention]),
            float(unit.possible[mention]),
            float(unit.possible.sum()),
        )
        for unit in mention_credit(comparison, metric, side=side)
    ]


def _together(earned: Sequence[Earned]) -> tuple[float, float]:
    """Credit and possible; where there are several parts, each as a share of all its links."""
    parts = {e.part for e in earned}
    whole = dict.fromkeys(parts, 1.0)
    if len(parts) > 1:
        whole = {part: sum(e.whole for e in earned if e.part == part) or 1.0 for part in parts}
    credit = sum(e.credit / whole[e.part] for e in earned)
    possible = sum(e.possible / whole[e.part] for e in earned)
    return credit, possible


def _muc(it: MentionFacts, earned: Sequence[Earned]) -> str:
    right, links = (round(2 * value) for value in (earned[0].credit, earned[0].possible))
    if not links:
        return "It is alone in its entity: MUC sees no link, so there is nothing to earn."
    end = "ends" if links == 1 else "end"
    return (
        f"{counted(links, 'spanning link')} of {it.own_name} {end} here; the {it.other} has "
        f"{right} of them: {ratio(right, links)}"
    )


def _bcub(it: MentionFacts, earned: Sequence[Earned]) -> str:
    if not it.is_shared:
        return f"The {it.other} lacks it: 0 of the {counted(it.size)} of {it.own_name}"
    stand = "stands" if it.shared == 1 else "stand"
    return (
        f"{it.shared} of the {counted(it.size)} of {it.own_name} {stand} in {it.other_name}, "
        f"itself among them: {ratio(it.shared, it.size)}"
    )


def _alignment(it: MentionFacts) -> str:
    if it.pair is None:
        return f"{capital(it.own_name)} is aligned with no {it.other} entity"
    also = " (another alignment would be as good)" if it.pair.tied else ""
    has = "has it" if it.is_aligned else "does not have it"
    return (
        f"{capital(it.own_name)} is aligned with {it.other} entity {it.pair.entity}{also}, "
        f"which {has}"
    )


def _ceafm(it: MentionFacts, earned: Sequence[Earned]) -> str:
    return f"{_alignment(it)}: {int(it.is_aligned)} of 1"


def _ceafe(it: MentionFacts, earned: Sequence[Earned]) -> str:
    if not it.is_aligned:
        return f"{_alignment(it)}: 0 of 1/{it.size}"
    sizes = it.size + it.other_size
    return (
        f"{_alignment(it)}: 2/({it.size} + {it.other_size}) = {2 / sizes:.3f} of "
        f"1/{it.size} = {1 / it.size:.3f}"
    )


def _blanc(it: MentionFacts, earned: Sequence[Earned]) -> str:
    """Each part's links that end at the mention, each link as a share of its part."""
    told = [f"{2 * e.credit:,.0f} of its {counted(2 * e.possible, e.kind)}" for e in earned]
    words = f"The {it.other} has {listed(told)}"
    terms = [(2 * e.credit, 2 * e.possible, e.whole) for e in earned if e.whole]
    right, links = (" + ".join(f"{t[i]:,.0f}/{t[2]:,.0f}" for t in terms) for i in (0, 1))
    credit, possible = _together(earned)
    if not possible:
        return f"{words}: nothing to earn"
    return f"{words}; each by all of its kind: ({right}) / ({links}) = {credit / possible:.3f}"


def _lea(it: MentionFacts, earned: Sequence[Earned]) -> str:
    if it.size == 1:
        alone = it.is_shared and it.other_size == 1
        there = "missing" if not it.is_shared else "alone there too" if alone else "not alone there"
        return (
            "It is alone in its entity, and its one link is to itself; in the "
            f"{it.other} it is {there}: {int(alone)} of 1"
        )
    right, links = max(it.shared - 1, 0), it.size - 1
    return (
        f"The {it.other} has {right} of its {counted(links, 'link')} in {it.own_name}: "
        f"{ratio(right, links)}"
    )


def _any_metric(it: MentionFacts, earned: Sequence[Earned]) -> str:
    credit, possible = _together(earned)
    return f"It earns {number(credit)} of {number(possible)}"


_SENTENCES: Mapping[str, Callable[[MentionFacts, Sequence[Earned]], str]] = {
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "blanc": _blanc,
    "lea": _lea,
}
