"""How numbers and names are written on a page. Fractions come in, percent goes out."""

import math
from collections.abc import Iterable, Sequence

import pandas as pd

from corescore.errors.mentions import INCORRECTLY_RESOLVED, MISSING, RIGHT, SPURIOUS, UNLINKED

# As on the terminal; pages take all their words from here.
from corescore.output import RATIOS as RATIOS
from corescore.output import percent as percent
from corescore.output import signed as signed

TITLES = {
    "muc": "MUC",
    "bcub": "B³",
    "ceafm": "CEAFₘ",
    "ceafe": "CEAFₑ",
    "blanc": "BLANC",
    "lea": "LEA",
    "conll": "CoNLL average",
    "mentions": "Mention identification",
    "links": "Coreference links",
    "rand": "Rand index",
    "blanc.coreference": "BLANC, coreference links",
    "blanc.non_coreference": "BLANC, non-coreference links",
}
SIX = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
CHOICES = {
    "keep": "stay as singletons",
    "drop": "are dropped",
    "largest": "largest first",
    "smallest": "smallest first",
    "random": "at random",
    "alike": "all alike",
    "pairs": "wrong pairs",
    "groups": "few wrong groups",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
}
MENTION_WORDS = {
    RIGHT: "a right partner, or alone on both sides",
    UNLINKED: "alone in the response only",
    INCORRECTLY_RESOLVED: "wrong partners only",
    MISSING: "only the key has it",
    SPURIOUS: "only the response has it",
}
SLICE_NAMES = {
    "type": "mention type",
    "length": "length",
    "size": "size of the entity",
    "position": "place in the document",
    "antecedent": "distance to the nearest right antecedent",
    "genre": "genre",
}


def subscripted(words: str) -> str:
    """The two CEAF as pages write them: CEAFₘ, CEAFₑ."""
    return words.replace("CEAF_m", TITLES["ceafm"]).replace("CEAF_e", TITLES["ceafe"])


def count(number: float) -> str:
    """1,384, or 912.47 where it is no whole number; nothing where there is none."""
    if math.isnan(number):
        return ""
    rounded = round(number)
    return f"{rounded:,}" if abs(number - rounded) < 5e-9 else f"{number:,.2f}"


def fraction(numerator: float, denominator: float) -> str:
    """18/29; nothing for a score that is no single fraction."""
    return "" if math.isnan(denominator) else f"{count(numerator)}/{count(denominator)}"


def counted(number: float, noun: str) -> str:
    """1 document, 2 documents, 3 entities."""
    if round(number) == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count(number)} {plural}"


def listed(names: Iterable[str]) -> str:
    """a, b and c"""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def in_percent(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The table with these columns in percent, for widgets that format numbers themselves."""
    return table.assign(**{column: 100 * table[column] for column in columns})
