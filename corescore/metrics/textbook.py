"""A metric of a small key and response worked out as in a textbook: formulas with their numbers.

Computed from the two partitions in fractions, independently of the scorer.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from corescore.counting.counts import MEASURES
from corescore.metrics.expressions import (
    Expression,
    Number,
    Product,
    Quotient,
    Sum,
    in_brackets,
    total,
    whole,
)

Entities = Sequence[Collection[Hashable]]
RECALL, PRECISION, F1 = MEASURES


@dataclass(frozen=True)
class Summand:
    """A term of a numerator: which own entity earns it, and with which of the other side, if with
    one (their places)."""

    term: Expression
    own: int
    other: int | None = None

    @property
    def text(self) -> str:
        return in_brackets(self.term)

    @property
    def value(self) -> Fraction:
        return self.term.value


@dataclass(frozen=True)
class Step:
    """One line of a computation: what it gives, and the formula with its numbers.

    summands  the terms of the numerator, where each is an entity's; none otherwise
    """

    name: str
    quotient: Quotient
    summands: tuple[Summand, ...] = ()

    @property
    def formula(self) -> str:
        return self.quotient.text

    @property
    def latex(self) -> str:
        return self.quotient.latex

    @property
    def value(self) -> Fraction:
        return self.quotient.value


Half = tuple[Sequence[Summand], Expression]  # the terms above the line, and what stands below
Textbook = Callable[[Entities, Entities], list[Step]]


def in_halves(half: Callable[[Entities, Entities], Half], of: str = "") -> Textbook:
    """Recall, precision with the sides swapped, and F1.

    half  own and other entities → numerator and denominator
    of    what the steps are of, such as " of coreference links"
    """

    def steps(key: Entities, response: Entities) -> list[Step]:
        recall = _side(RECALL + of, *half(key, response))
        precision = _side(PRECISION + of, *half(response, key))
        return with_f1(recall, precision, of)

    return steps


def _side(name: str, summands: Sequence[Summand], below: Expression) -> Step:
    above = total(summand.term for summand in summands)
    return Step(name, Quotient(above, below), tuple(summands))


def with_f1(recall: Step, precision: Step, of: str = "") -> list[Step]:
    """Recall, precision and 2·R·P / (R + P)."""
    r, p = Number(recall.value), Number(precision.value)
    f1 = Quotient(Product((whole(2), r, p)), Sum((r, p)))
    return [recall, precision, Step(F1 + of, f1)]


def mean_step(name: str, steps: Iterable[Step]) -> Step:
    """The mean of the values of several steps."""
    values = [Number(step.value) for step in steps]
    return Step(name, Quotient(total(values), whole(len(values))))


def cells(own: Entities, other: Entities) -> list[list[int]]:
    """How many mentions own entities (rows) and the other side's share."""
    return [[len({*row} & {*column}) for column in other] for row in own]


def n_mentions(side: Entities) -> int:
    return sum(map(len, side))


def n_pairs(n: int) -> int:
    return n * (n - 1) // 2
