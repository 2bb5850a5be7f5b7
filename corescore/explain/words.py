"""Numbers and names as the sentences of this room write them."""

from collections.abc import Sequence


def counted(n: float, noun: str = "mention") -> str:
    """1 mention, 2 mentions, 1,384 mentions."""
    return f"{n:,.0f} {noun}{'' if round(n) == 1 else 's'}"


def number(value: float) -> str:
    """A whole number, or three decimals at most: 2, 162.5, 0.667."""
    rounded = round(value)
    whole = abs(value - rounded) < 5e-9
    return f"{rounded:,}" if whole else decimals(value).rstrip("0").rstrip(".")


def decimals(value: float) -> str:
    """Three decimals: 0.667."""
    return f"{value:,.3f}"


def ratio(numerator: int, denominator: int) -> str:
    """A fraction and its value: 2/3 = 0.667."""
    return f"{numerator}/{denominator} = {decimals(numerator / denominator)}"


def worked(expression: str, value: float) -> str:
    """An expression and its value, 2/5 = 0.400; the value alone where nothing is to be worked."""
    told = number(value)
    return told if expression == told else f"{expression} = {told}"


def bracketed_sum(terms: Sequence[str]) -> str:
    """(a + b + c), shortened where there are many; a lone term as it stands, 0 if there is none."""
    if len(terms) > 8:
        terms = [*terms[:7], "…"]
    return f"({' + '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
