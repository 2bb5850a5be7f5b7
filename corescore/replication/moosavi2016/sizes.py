"""What scores tell of the response that was scored: how many links and entities it has.

Recall and precision of a metric are one sum over two totals, of the key and of the response. So the
total of the response is the key's, times recall, over precision: links by MUC (of each entity one
fewer than it has mentions), entities by CEAF_e. Printed scores are rounded, which leaves bounds.
"""

from dataclasses import dataclass

import pandas as pd

from corescore.replication.moosavi2016.data import column
from corescore.tolerances import HALF_A_PLACE, WHOLE
from corescore.wording import written

EXACT, PRINTED = 0.0, HALF_A_PLACE  # how far a computed and a printed fraction may be off


@dataclass(frozen=True)
class Bounded:
    """A number, and the bounds that it is within."""

    value: float
    low: float
    high: float

    def __add__(self, other: "Bounded") -> "Bounded":
        return Bounded(self.value + other.value, self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Bounded") -> "Bounded":
        return Bounded(self.value - other.value, self.low - other.high, self.high - other.low)

    def times(self, other: "Bounded") -> "Bounded":
        """The product of two numbers that are not negative."""
        return Bounded(self.value * other.value, self.low * other.low, self.high * other.high)

    def allows(self, number: float) -> bool:
        return bool(self.low - WHOLE <= number <= self.high + WHOLE)

    def meets(self, other: "Bounded") -> bool:
        """Whether both can be the same number."""
        return bool(self.low <= other.high + WHOLE and other.low <= self.high + WHOLE)

    def __str__(self) -> str:
        """1,020 exactly, or with how far it may be off: 1,019.9 ± 2.4."""
        off = max(self.high - self.value, self.value - self.low)
        if off < WHOLE:
            return written(self.value, ",.0f")
        return f"{written(self.value, ',.1f')} ± {off:.1f}"


@dataclass(frozen=True)
class Sizes:
    """Of a response: links as MUC counts them, and entities."""

    links: Bounded
    entities: Bounded

    @property
    def mentions(self) -> Bounded:
        return self.links + self.entities

    def __sub__(self, other: "Sizes") -> "Sizes":
        return Sizes(self.links - other.links, self.entities - other.entities)


def response_total(
    table: pd.DataFrame, system: str, metric: str, key_total: float, half: float = EXACT
) -> Bounded | None:
    """What a metric divides precision by; `half` is how far a score may be off. None if nothing
    earned credit."""
    recall, precision = (column(table, system, of)[metric] for of in ("recall", "precision"))
    if min(recall, precision) <= half:
        return None
    low, high = ((recall + sign * half) / (precision - sign * half) for sign in (-1, 1))
    return Bounded(key_total * recall / precision, key_total * low, key_total * high)


def response_sizes(table: pd.DataFrame, system: str, half: float = EXACT) -> Sizes | None:
    """By the scores of MUC and CEAF_e; the table has columns key_mentions and key_entities."""
    mentions, entities = (table[name].iloc[0] for name in ("key_mentions", "key_entities"))
    links = response_total(table, system, "muc", mentions - entities, half)
    counted = response_total(table, system, "ceafe", entities, half)
    return Sizes(links, counted) if links and counted else None


def mention_precision(table: pd.DataFrame, system: str, half: float = EXACT) -> Bounded:
    """The sum of B³ precision over the mentions that `response_sizes` tells of."""
    sizes, precision = response_sizes(table, system, half), column(table, system, "precision")
    assert sizes
    value = precision["bcub"]
    return sizes.mentions.times(Bounded(value, value - half, value + half))
