"""What entities are called on a page."""

import numpy as np

from corescore.analysis.credit.tables import numbers_of_entities, texts
from corescore.analysis.explanation.shares import mentions_of
from corescore.counting.comparison import View

TITLE_WORDS = 12


def entity_titles(view: View, document: str) -> dict[int, str]:
    """What to call each own entity of a document, by its number: its longest mention of at most
    `TITLE_WORDS` words, the first of several, or its first mention."""
    rows = mentions_of(view, document)
    numbers = numbers_of_entities(view)[view.own_entity[rows]]
    length = view.own.end[rows] - view.own.start[rows]
    order = np.lexsort((rows, -np.where(length <= TITLE_WORDS, length, 0), numbers))
    entities, first = np.unique(numbers[order], return_index=True)
    names = texts(view.documents, view.own, rows[order[first]])
    return dict(zip(entities.tolist(), (name or "–" for name in names), strict=True))
