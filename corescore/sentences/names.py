"""What metrics, classes, slices and choices are called on a page, in text and in HTML."""

import re
from collections.abc import Mapping
from unicodedata import normalize

from markupsafe import Markup, escape

from corescore.analysis.errors import classes as status
from corescore.bibliography import LUO_2014, RECASENS_2011
from corescore.metrics import CONLL, name_of
from corescore.wording import RATIOS

SystemTitles = Mapping[str, str]  # what sentences call the systems, by their letters

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
    status.CORRECT: "a correct partner, or alone on both sides",
    status.UNLINKED: "alone in the response only",
    status.INCORRECTLY_RESOLVED: "wrong partners only",
    status.MISSING: "only the key has it",
    status.SPURIOUS: "only the response has it",
}
SLICE_NAMES = {
    "type": "mention type",
    "length": "length",
    "size": "size of the entity",
    "position": "place in the document",
    "antecedent": "distance to the nearest correct antecedent",
    "genre": "genre",
}
BLANC_RULES = {
    "reference": "reference scorer",
    "luo2014": LUO_2014.name,
    "recasens2011": RECASENS_2011.name,
}
# What some experiments show as if it were a metric.
CURVES = {"non_coreference": "Non-coreference links", "correct_links": "Correct links"}
_SUBSCRIPT = re.compile("[ₐ-ₜ]")


def metric_title(metric: str) -> str:
    """What a metric is called, be it registered, a kind of BLANC, or the reader's own."""
    weight = metric.removeprefix("blanc_")
    blanc = BLANC_RULES.get(metric, "" if weight == metric else f"α = {weight}")
    return f"BLANC, {blanc}" if blanc else CURVES.get(metric) or name_of(metric)


def measured(metric: str, measure: str) -> str:
    """LEA F1; CoNLL alone, which has no other measure."""
    name = name_of(metric)
    return name if metric == CONLL.id else f"{name} {RATIOS[measure]}"


def escaped(words: str) -> Markup:
    """Words in HTML, or a chart's pseudo-HTML, the metrics’ names with their subscripts."""
    drawn = _SUBSCRIPT.sub(lambda found: f"<sub>{normalize('NFKC', found[0])}</sub>", escape(words))
    return Markup(drawn)


def title(metric: str) -> Markup:
    """A metric's name in HTML."""
    return escaped(name_of(metric))
