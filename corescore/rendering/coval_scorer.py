"""What coval's scorer.py prints, to the character."""

from collections.abc import Collection, Iterator

import numpy as np

from corescore.corpus.documents import Document
from corescore.metrics import CONLL
from corescore.rendering.python_scorers import conll_line, ratio_line
from corescore.scoring.scores import Scores

METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")
# The policies that its options set; it has no others.
OPTIONS = {"singletons": ("keep", "drop"), "match": ("exact", "min-span")}


def coval_lines(scores: Scores, shown: Collection[str]) -> Iterator[str]:
    """The lines for these metrics, in that scorer's order."""
    if scores.policies.singletons == "drop":
        sides = scores.comparison.key, scores.comparison.response
        key, response = (sum(map(_n_singletons, side)) for side in sides)
        removed = f"{key} and {response} singletons are removed from the key and system files"
        yield f"{removed}, respectively"
    for metric in METRICS:
        if metric in shown:
            yield f"{metric:<10} {ratio_line(scores[metric])}"
    if set(CONLL.members) <= set(shown):
        yield conll_line(scores)


def _n_singletons(document: Document) -> int:
    return int((np.bincount(document.entity_of) == 1).sum())
