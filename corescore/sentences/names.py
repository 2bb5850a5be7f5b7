"""What metrics, classes, slices and choices are called on a page."""

from corescore.analysis.errors.mentions import (
    INCORRECTLY_RESOLVED,
    MISSING,
    RIGHT,
    SPURIOUS,
    UNLINKED,
)

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
