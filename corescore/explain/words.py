"""Numbers as the sentences of this room write them."""

from collections.abc import Sequence


def counted(n: float, noun: str = "mention") -> str:
    return f"{n:,.0f} {noun}{'' if round(n) == 1 else 's'}"


def ratio(numerator: int, denominator: int) -> str:
    return f"{numerator}/{denominator} = {three(numerator / denominator)}"


def three(value: float) -> str:
    return f"{value:.3f}"


def number(value: float) -> str:
    rounded = round(value)
    return f"{rounded:,}" if abs(value - rounded) < 5e-9 else f"{value:,.3f}"


def sum_of(terms: Sequence[str]) -> str:
    """(a + b + c), shortened where there are many."""
    if len(terms) > 8:
        terms = [*terms[:7], "…"]
    return f"({' + '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
