"""What metrics, classes, slices and choices are called on a page."""

from corescore.analysis.errors.mentions import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPURIOUS,
    UNLINKED,
)
from corescore.metrics import CONLL, METRICS, name_of

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
    CORRECT: "a correct partner, or alone on both sides",
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
    "antecedent": "distance to the nearest correct antecedent",
    "genre": "genre",
}


def called(metric: str) -> str:
    """A metric inside a sentence: LEA, the CoNLL average."""
    return f"the {name_of(metric)}" if metric == CONLL.id else name_of(metric)


def subscripted(words: str) -> str:
    """Metrics by their names in running text: CEAF_m as CEAFₘ."""
    for metric in METRICS:
        words = words.replace(metric.title, metric.name)
    return words
