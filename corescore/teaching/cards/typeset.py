"""A computation written in a line of text → LaTeX."""

import re

_FRACTION = re.compile(r"([\d²·]+)/(\d+|\([^()]*\))")
_TIMES = re.compile(r"\s*·\s*")


def typeset(line: str) -> str:
    """`(2²/3 + 1) / 7 = 1/3` as `\\frac{\\tfrac{2^2}{3} + 1}{7} = \\frac{1}{3}`.

    Blanks stand around the `/` between numerator and denominator, and around no other.
    """
    ratio, _, value = line.partition(" = ")
    above, below = (_inner(_bare(side)) for side in ratio.split(" / "))
    written, result = rf"\frac{{{above}}}{{{below}}}", _inner(value).replace("tfrac", "frac")
    return written if written == result else f"{written} = {result}"


def _inner(text: str) -> str:
    """What stands above or below the line: fractions small, signs as LaTeX writes them."""
    text = _FRACTION.sub(lambda found: rf"\tfrac{{{found[1]}}}{{{_bare(found[2])}}}", text)
    return _TIMES.sub(r" \\cdot ", text).replace("−", "-").replace("²", "^2")


def _bare(text: str) -> str:
    """Without brackets around the whole of it."""
    depth, closes = 0, len(text)
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            closes = at
            break
    return text[1:-1] if text.startswith("(") and closes == len(text) - 1 else text
