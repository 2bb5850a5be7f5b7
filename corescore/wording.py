"""How numbers and nouns are written. Fractions come in, percent goes out."""

import math
from collections.abc import Iterable, Sequence

import pandas as pd

from corescore.tolerances import WHOLE

RATIOS = {"recall": "recall", "precision": "precision", "f1": "F1"}
ALPHA = 0.05  # the level of significance


def percent(value: float) -> str:
    """A fraction as percent with two decimals; "–" if empty."""
    return "–" if math.isnan(value) else f"{100 * value:.2f}"


def signed(difference: float) -> str:
    """+1.23, −0.40, 0.00: a difference of fractions in points; "–" if there is none."""
    if math.isnan(difference):
        return "–"
    text = f"{100 * difference:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text.replace("-", "−")


def p_value(p: float) -> str:
    """0.047, < 0.001; "–" where nothing was tested. Below ALPHA as written too: 0.0498."""
    if math.isnan(p):
        return "–"
    if p < 0.001:
        return "< 0.001"
    return f"{p:.4f}" if p < ALPHA and f"{p:.3f}" == f"{ALPHA:.3f}" else f"{p:.3f}"


def count(number: float) -> str:
    """1,384, or 912.47 where it is no whole number; nothing where there is none."""
    if math.isnan(number):
        return ""
    rounded = round(number)
    return f"{rounded:,}" if abs(number - rounded) < WHOLE else f"{number:,.2f}"


def fraction(numerator: float, denominator: float) -> str:
    """18/29; nothing for a score that is no single fraction."""
    return "" if math.isnan(denominator) else f"{count(numerator)}/{count(denominator)}"


def counted(number: float, noun: str = "mention") -> str:
    """1 document, 2 documents, 3 entities."""
    if round(number) == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count(number)} {plural}"


def listed(names: Iterable[str]) -> str:
    """a, b and c"""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def number(value: float) -> str:
    """A whole number, or three decimals at most: 2, 162.5, 0.667."""
    rounded = round(value)
    whole = abs(value - rounded) < WHOLE
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


def in_percent(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The table with these columns in percent, for widgets that format numbers themselves."""
    return table.assign(**{column: 100 * table[column] for column in columns})
