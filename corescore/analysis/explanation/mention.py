"""What each metric gives one mention, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from corescore.analysis.credit.units import mention_credit
from corescore.analysis.explanation.facts import mention_facts
from corescore.counting.comparison import Comparison
from corescore.counting.counts import divide
from corescore.metrics import Metric
from corescore.metrics.explanation import Earned, together
from corescore.wording import counted, number


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
    metric. Where repeats are scored as they stand, the sentence is about its first cell alone."""
    return [_explained(comparison, metric, mention, side) for metric in metrics]


def _explained(comparison: Comparison, metric: Metric, mention: int, side: str) -> Explanation:
    if metric.credit is None:
        return Explanation(metric.id, metric.no_credit, nan, nan, nan)
    earned = _earned(comparison, metric, mention, side)
    credit, possible = together(earned)
    share = float(divide(np.array(credit), np.array(possible), empty=np.nan))
    sentence = f"It earns {number(credit)} of {number(possible)}"
    if metric.explanation:
        (it,) = mention_facts(comparison, np.array([mention]), side=side, metric=metric)
        sentence = metric.explanation.sentence(it, earned)
    return Explanation(metric.id, sentence, credit, possible, min(share, 1.0))


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
