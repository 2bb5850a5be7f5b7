"""A metric of a small key and response worked out as in a textbook: formulas with their numbers.

Computed from the two partitions in fractions, independently of the scorer.

Arithmetic as a tree: it has a value, and is written as plain text and in LaTeX.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from corescore.counting.counts import MEASURES


class Expression(Protocol):
    """Part of a computation."""

    @property
    def value(self) -> Fraction: ...
    @property
    def text(self) -> str: ...
    @property
    def latex(self) -> str: ...


@dataclass(frozen=True)
class Number:
    """3, or the fraction 1/3."""

    value: Fraction

    @property
    def text(self) -> str:
        return str(self.value)

    @property
    def latex(self) -> str:
        return self.displayed.replace("frac", "tfrac")

    @property
    def displayed(self) -> str:
        """LaTeX of a number that stands alone."""
        above, below = self.value.as_integer_ratio()
        return str(above) if below == 1 else rf"\frac{{{above}}}{{{below}}}"


@dataclass(frozen=True)
class Square:
    """n²"""

    base: int

    @property
    def value(self) -> Fraction:
        return Fraction(self.base**2)

    @property
    def text(self) -> str:
        return f"{self.base}²"

    @property
    def latex(self) -> str:
        return f"{self.base}^2"


@dataclass(frozen=True)
class Product:
    """a · b · c; `tight` without blanks in text, above the line of a fraction."""

    factors: tuple[Expression, ...]
    tight: bool = False

    @property
    def value(self) -> Fraction:
        product = Fraction(1)
        for factor in self.factors:
            product *= factor.value
        return product

    @property
    def text(self) -> str:
        return ("·" if self.tight else " · ").join(factor.text for factor in self.factors)

    @property
    def latex(self) -> str:
        return r" \cdot ".join(factor.latex for factor in self.factors)


@dataclass(frozen=True)
class Minus:
    """A term of a sum that is taken away."""

    term: Expression

    @property
    def value(self) -> Fraction:
        return -self.term.value

    @property
    def text(self) -> str:
        return self.term.text

    @property
    def latex(self) -> str:
        return self.term.latex


@dataclass(frozen=True)
class Sum:
    """a + b − c, of two terms or more; in brackets within another expression."""

    terms: tuple[Expression, ...]

    @property
    def value(self) -> Fraction:
        return sum((term.value for term in self.terms), Fraction(0))

    @property
    def text(self) -> str:
        return self._joined("−", [in_brackets(term) for term in self.terms])

    @property
    def latex(self) -> str:
        written = [f"({t.latex})" if isinstance(t, Sum) else t.latex for t in self.terms]
        return self._joined("-", written)

    def _joined(self, minus: str, written: list[str]) -> str:
        signs = [minus if isinstance(term, Minus) else "+" for term in self.terms[1:]]
        rest = (f" {sign} {term}" for sign, term in zip(signs, written[1:], strict=True))
        return written[0] + "".join(rest)


@dataclass(frozen=True)
class Ratio:
    """a/b, small, within another expression."""

    above: Expression
    below: Expression

    @property
    def value(self) -> Fraction:
        return self.above.value / self.below.value

    @property
    def text(self) -> str:
        return f"{in_brackets(self.above)}/{in_brackets(self.below)}"

    @property
    def latex(self) -> str:
        return rf"\tfrac{{{self.above.latex}}}{{{self.below.latex}}}"


@dataclass(frozen=True)
class Quotient:
    """A whole computation: a / b = value. 0/0 is 0, as in the reference scorer."""

    above: Expression
    below: Expression

    @property
    def value(self) -> Fraction:
        return self.above.value / self.below.value if self.below.value else Fraction(0)

    @property
    def text(self) -> str:
        written = f"{in_brackets(self.above)} / {in_brackets(self.below)}"
        return f"{written} = {self.value}" if self.below.value else f"{written}, taken as 0"

    @property
    def latex(self) -> str:
        written = rf"\frac{{{self.above.latex}}}{{{self.below.latex}}}"
        if not self.below.value:
            return rf"{written} \text{{, taken as }} 0"
        result = Number(self.value).displayed
        return written if written == result else f"{written} = {result}"


def in_brackets(expression: Expression) -> str:
    """The text of an expression, in brackets if it is a sum."""
    return f"({expression.text})" if isinstance(expression, Sum) else expression.text


def whole(n: int) -> Number:
    return Number(Fraction(n))


def difference(n: int, *less: int) -> Sum:
    """n − a − b"""
    return Sum((whole(n), *(Minus(whole(number)) for number in less)))


def total(terms: Iterable[Expression]) -> Expression:
    """The sum; a lone term as it is, and 0 if there is nothing to add."""
    every = tuple(terms)
    if len(every) == 1:
        return every[0]
    return Sum(every) if every else whole(0)


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
