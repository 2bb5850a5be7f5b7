"""How numbers and nouns are written. Fractions come in, percent goes out."""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import floor, isclose, isnan, nan
from textwrap import fill

from corescore.util import TOLERANCE, WHOLE

RATIOS = {"recall": "recall", "precision": "precision", "f1": "F1"}
ALPHA = 0.05  # the level of significance
_SPELLED = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# What moves a terminal's cursor or turns text around: C0 without tab and line feed, C1, bidi.
_ACTED_UPON = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# The spaces of p = 0.109 and p < 0.001, of A 0 and B 12
_INSEPARABLE = re.compile(r"(?<=\bp) (?=[=<] \d)|(?<=\bp [=<]) (?=\d)|(?<=\b[AB]) (?=\d)")

# Numbers ------------------------------------------------------------------------------------------


def written(value: float, spec: str = ".2f") -> str:
    """A number by its format, with a true minus sign: −0.40; "–" if there is none."""
    return "–" if isnan(value) else f"{value:{spec}}".replace("-", "−")


def percent(value: float) -> str:
    """A fraction in percent with two decimals, never −0.00; "–" if empty."""
    return written(100 * value, "z.2f")


def signed(difference: float) -> str:
    """+1.23, −0.40, 0.00: a difference of fractions in points; "–" if there is none."""
    text = written(100 * difference, "+.2f")
    return "0.00" if text in ("+0.00", "−0.00") else text


def signed_points(difference: float) -> str:
    """+1.23 points, 0.00 points; "less than 0.01 points" where only rounding makes it 0.00."""
    return "less than 0.01 points" if rounds_to_zero(difference) else f"{signed(difference)} points"


def gap_points(gap: float) -> str:
    """The same of the size of a difference: 1.23 points."""
    return signed_points(abs(gap)).removeprefix("+")


def rounds_to_zero(difference: float) -> bool:
    """Whether a difference that there is would be printed as 0.00."""
    return abs(difference) > TOLERANCE and percent(abs(difference)) == percent(0)


def interval(low: float, high: float) -> str:
    """[−7.13, −3.67]: the ends of an interval of differences, in points; "–" if there is none."""
    return "–" if isnan(low) else f"[{signed(low)}, {signed(high)}]"


def spanned(low: float, high: float) -> str:
    """61.32–65.02: the ends of an interval of fractions, in percent; "–" if there is none."""
    return "–" if isnan(low) else f"{percent(low)}–{percent(high)}"


def signed_count(difference: float) -> str:
    """+172, −247, 0: a difference of two counts."""
    return written(difference, "+,.0f") if difference else "0"


def share(fraction: float) -> str:
    """83%; never 0 or 100 for a share that only rounds to them."""
    if 0 < fraction < 0.01:
        return "under 1%"
    if 0.99 < fraction < 1:
        return "over 99%"
    return f"{100 * fraction:.0f}%"


def mean(value: float, deviation: float) -> str:
    """61.23 ± 0.45: a mean and the standard deviation, in percent; of one value itself."""
    return percent(value) + ("" if isnan(deviation) else f" ± {percent(deviation)}")


def p_value(p: float) -> str:
    """0.047, < 0.001; "–" where nothing was tested. Below ALPHA as written too: 0.0498. Halves are
    rounded up: 1/16 is 0.063, and not below what p cannot be below.
    """
    if p < 0.001:
        return "< 0.001"
    rounded = nan if isnan(p) else floor(1000 * p + 0.5) / 1000
    return written(p, ".4f") if p < ALPHA <= rounded else written(rounded, ".3f")


def p_equals(p: float, name: str = "p") -> str:
    """p = 0.047, p < 0.001."""
    return f"{name} {p_value(p)}" if p < 0.001 else f"{name} = {p_value(p)}"


def p_below(least: float) -> str:
    """p cannot be below 0.0625: to three significant digits, as it is not rounded to a zero."""
    return f"p cannot be below {least:.3g}"


def count(number: float, places: int = 2) -> str:
    """1,384, or 912.47 where it is not a whole number; nothing if there is none."""
    if isnan(number):
        return ""
    rounded = round(number)
    return f"{rounded:,}" if abs(number - rounded) < WHOLE else f"{number:,.{places}f}"


def number(value: float) -> str:
    """A whole number, or at most three decimals: 2, 162.5, 0.667."""
    text = count(value, 3)
    return text.rstrip("0").rstrip(".") if "." in text else text


def fraction(numerator: float, denominator: float) -> str:
    """18/29; nothing for a score that is not a single fraction."""
    return "" if isnan(denominator) else f"{count(numerator)}/{count(denominator)}"


def fraction_of(value: float) -> str:
    """1/2: the fraction that a number was divided from; of one without a short fraction, 0.4142."""
    fraction = Fraction(value).limit_denominator(9999)
    exact = isclose(fraction, value, rel_tol=1e-12, abs_tol=1e-12)
    return f"{fraction.numerator}/{fraction.denominator}" if exact else written(value, ".4f")


def exact(value: float) -> str:
    """A whole number, or as the fraction that it is: 2, 14/3."""
    return fraction_of(value).removesuffix("/1")


def ratio(numerator: int, denominator: int) -> str:
    """A fraction and its value: 2/3 = 0.667."""
    return f"{numerator}/{denominator} = {numerator / denominator:.3f}"


def worked(expression: str, value: float) -> str:
    """An expression and its value, 2/5 = 0.4; only the value if the expression says no more."""
    result = number(value)
    return result if expression == result else f"{expression} = {result}"


# Words --------------------------------------------------------------------------------------------


def spelled(n: int) -> str:
    """none, one, …, ten; larger numbers in digits."""
    return _SPELLED[n] if n < len(_SPELLED) else count(n)


def out_of(n: int, total: int) -> str:
    """all six, two of the six."""
    return f"all {spelled(total)}" if n == total else f"{spelled(n)} of the {spelled(total)}"


def ordinal(number: float) -> str:
    """1st, 2nd, 3rd, 11th, 21st."""
    n = round(number)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{'th' if n % 100 in (11, 12, 13) else ending}"


def plural(noun: str) -> str:
    """documents, entities, keys, analyses, losses."""
    if noun.endswith("sis"):
        return f"{noun[:-2]}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def counted(number: float, noun: str = "mention") -> str:
    """1 document, 2 documents, 3 entities."""
    amount = count(number)
    return f"{amount} {noun if amount == '1' else plural(noun)}"


def key_singletons(number: int, singletons: int) -> str:
    """How many of a number of incorrectly resolved mentions are singletons in the key; nothing if
    none is."""
    if not singletons:
        return ""
    if singletons == number:
        return "a singleton in the key" if number == 1 else "all singletons in the key"
    are = "is a singleton" if singletons == 1 else "are singletons"
    return f"of which {singletons:,} {are} in the key"


def with_key_singletons(words: str, number: int, singletons: int) -> str:
    """The words, then `key_singletons`."""
    return ", ".join(filter(None, (words, key_singletons(number, singletons))))


def incorrectly_resolved(number: int, singletons: int) -> str:
    """1,375 incorrectly resolved mentions, of which 873 are singletons in the key."""
    mentions = counted(number, "incorrectly resolved mention")
    return with_key_singletons(mentions, number, singletons)


def listed(names: Iterable[str]) -> str:
    """a, b and c"""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def heading_of(column: str) -> str:
    """The heading of a table's column: "F1", "recall errors", "right non-coreference"."""
    return RATIOS.get(column, column.replace("_", " ").replace("non coref", "non-coref"))


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def harmless(text: str) -> str:
    r"""Text in which control characters are written out, as `\x1b`."""
    return _ACTED_UPON.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def unbroken(text: str) -> str:
    """The text with spaces that no line is broken at, as in p = 0.109 and B 12."""
    return type(text)(_INSEPARABLE.sub("\u00a0", text))


def folded(text: str, width: int, indent: str = "") -> str:
    """The text with its long lines broken between words, but for the rows of tables."""
    return "\n".join(
        line
        if len(line) <= width or "  " in line.strip()
        else fill(line, width, subsequent_indent=indent, break_long_words=False)
        for line in text.split("\n")
    )


def one_line(text: str, most: int = 600) -> str:
    """Text as a message has it: on one line, without control characters, at most so long; of a
    longer one the middle is left out."""
    plain = harmless(text).replace("\n", "\\n")
    if len(plain) <= most:
        return plain
    end = most // 4
    return f"{plain[: most - end - 1]}…{plain[-end:]}"
