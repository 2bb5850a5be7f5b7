"""A metric of a small key and response worked out as in a textbook: formulas with their numbers.

Computed in fractions, from the same small table that the scorer counts.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES

Entities = Sequence[Collection[Hashable]]

RECALL, PRECISION, F1 = MEASURES

# Arithmetic: what it comes to, and how it is written ----------------------------------------------


class Expression(NamedTuple):
    """Part of a computation: its value, and how it is written as plain text and in LaTeX.

    is_sum    whether it stands in brackets within another expression
    is_taken  whether it is a term of a sum that is taken away
    """

    value: Fraction
    text: str
    latex: str
    is_sum: bool = False
    is_taken: bool = False

    @property
    def within(self) -> str:
        """Its text within another expression."""
        return f"({self.text})" if self.is_sum else self.text


def number(value: Fraction | float) -> Expression:
    """3, or the fraction 1/3."""
    exact = Fraction(value)
    return Expression(exact, str(exact), _fraction(exact, r"\tfrac"))


def _fraction(value: Fraction, command: str) -> str:
    above, below = value.as_integer_ratio()
    return str(above) if below == 1 else rf"{command}{{{above}}}{{{below}}}"


def square(n: int) -> Expression:
    """n²"""
    return Expression(Fraction(n**2), f"{n}²", f"{n}^2")


def product(*factors: Expression, tight: bool = False) -> Expression:
    """a · b · c; `tight` without blanks in text, above the line of a fraction."""
    value = Fraction(1)
    for factor in factors:
        value *= factor.value
    text = ("·" if tight else " · ").join(factor.text for factor in factors)
    return Expression(value, text, r" \cdot ".join(factor.latex for factor in factors))


def minus(term: Expression) -> Expression:
    """A term of a sum that is taken away."""
    return term._replace(value=-term.value, is_taken=True)


def total(terms: Iterable[Expression]) -> Expression:
    """a + b − c; a lone term as it is, and 0 if there is nothing to add."""
    every = tuple(terms)
    if len(every) < 2:
        return every[0] if every else number(0)
    text, latex = every[0].within, _latex_within(every[0])
    for term in every[1:]:
        text += f" {'−' if term.is_taken else '+'} {term.within}"
        latex += f" {'-' if term.is_taken else '+'} {_latex_within(term)}"
    return Expression(sum((term.value for term in every), Fraction(0)), text, latex, is_sum=True)


def _latex_within(term: Expression) -> str:
    return f"({term.latex})" if term.is_sum else term.latex


def difference(n: Fraction | float, *less: Fraction | float) -> Expression:
    """n − a − b"""
    return total([number(n), *(minus(number(one)) for one in less)])


def ratio(above: Expression, below: Expression) -> Expression:
    """a/b, small, within another expression."""
    latex = rf"\tfrac{{{above.latex}}}{{{below.latex}}}"
    return Expression(above.value / below.value, f"{above.within}/{below.within}", latex)


class Summand(NamedTuple):
    """A term of a numerator: which own entity earns it, and with which of the other side, if with
    one (their places)."""

    term: Expression
    own: int
    other: int | None = None

    @property
    def text(self) -> str:
        return self.term.within


class Quotient(NamedTuple):
    """A whole computation: a / b = value. 0/0 is 0, as in the reference scorer.

    summands  the terms of the numerator, where each is an entity's; none otherwise
    """

    above: Expression
    below: Expression
    summands: tuple[Summand, ...] = ()

    @classmethod
    def of(cls, summands: Iterable[Summand], below: Expression) -> "Quotient":
        """The terms of entities, added up, by what they could be."""
        every = tuple(summands)
        return cls(total(summand.term for summand in every), below, every)

    @property
    def value(self) -> Fraction:
        return self.above.value / self.below.value if self.below.value else Fraction(0)

    @property
    def text(self) -> str:
        written = f"{self.above.within} / {self.below.within}"
        return f"{written} = {self.value}" if self.below.value else f"{written}, taken as 0"

    @property
    def latex(self) -> str:
        written = rf"\frac{{{self.above.latex}}}{{{self.below.latex}}}"
        if not self.below.value:
            return rf"{written} \text{{, taken as }} 0"
        result = _fraction(self.value, r"\frac")
        return written if written == result else f"{written} = {result}"


class Step(NamedTuple):
    """One line of a computation: what it gives, and the formula with its numbers."""

    name: str
    quotient: Quotient

    @property
    def summands(self) -> tuple[Summand, ...]:
        return self.quotient.summands

    @property
    def latex(self) -> str:
        return self.quotient.latex

    @property
    def value(self) -> Fraction:
        return self.quotient.value


# The steps of a metric ----------------------------------------------------------------------------

Half = Callable[[Contingency], Quotient]  # the recall of a table of one document

Steps = Callable[[Contingency], list[Step]]


def in_halves(half: Half, part: str = "") -> Steps:
    """Recall, precision with the sides swapped, and F1.

    part  what the steps are of, such as " of coreference links"
    """
    return lambda table: with_f1(half(table), half(table.swapped), part)


def with_f1(recall: Quotient, precision: Quotient, part: str = "") -> list[Step]:
    """Recall, precision and 2·R·P / (R + P)."""
    r, p = number(recall.value), number(precision.value)
    f1 = Quotient(product(number(2), r, p), total([r, p]))
    quotients = zip(MEASURES, (recall, precision, f1), strict=True)
    return [Step(measure + part, quotient) for measure, quotient in quotients]


def mean_step(name: str, steps: Sequence[Step], weights: Sequence[int] = ()) -> Step:
    """The mean of the values of several steps, each with its weight."""
    values = [number(step.value) for step in steps]
    if not weights:
        return Step(name, Quotient(total(values), number(len(values))))
    weighted = zip(weights, values, strict=True)
    above = total(product(number(weight), value) for weight, value in weighted)
    return Step(name, Quotient(above, number(sum(weights))))


def table_of(key: Entities, response: Entities) -> Contingency:
    """The table of a document with these entities."""
    n = [len({*own} & {*other}) for own in key for other in response]
    shared = np.array(n, dtype=np.int64).reshape(len(key), len(response))
    of_key, of_response = np.nonzero(shared)
    a, b = (np.array([*map(len, side)], dtype=np.int64) for side in (key, response))
    sizes = a, np.zeros_like(a), b, np.zeros_like(b)
    return Contingency(1, *sizes, of_key, of_response, shared[of_key, of_response])


Row = tuple[int, list[tuple[int, int, int]]]


def rows(table: Contingency) -> list[Row]:
    """The size of each own entity, and for each other one that it overlaps its place, the
    mentions that they share, and its size."""
    overlaps: list[Row] = [(size, []) for size in table.key_sizes.tolist()]
    columns = table.cell_key, table.cell_response, table.cell_sizes
    sizes = table.response_sizes[table.cell_response]
    for own, other, n, size in np.column_stack([*columns, sizes]).tolist():
        overlaps[own][1].append((other, n, size))
    return overlaps


def n_pairs(n: int) -> int:
    return n * (n - 1) // 2
