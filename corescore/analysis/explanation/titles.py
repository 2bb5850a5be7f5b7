"""What entities are called on a page."""

import numpy as np

from corescore.analysis.credit.tables import numbers_of_entities, texts
from corescore.analysis.explanation.shares import mentions_of
from corescore.arrays import IntArray
from corescore.counting.comparison import View

TITLE_WORDS = 12


def entity_titles(view: View, document: str) -> dict[int, str]:
    """What to call each own entity of a document, by its number: `entity_names`."""
    rows = mentions_of(view, document)
    entities, names = entity_names(view, rows)
    return dict(zip(numbers_of_entities(view)[entities].tolist(), names, strict=True))


def entity_names(view: View, mentions: IntArray) -> tuple[IntArray, list[str]]:
    """The own entities of these mentions, as rows of the table, and what to call each: its longest
    mention of at most `TITLE_WORDS` words, the first of several, or its first mention."""
    entity = view.own_entity[mentions]
    length = view.own.end[mentions] - view.own.start[mentions]
    order = np.lexsort((mentions, -np.where(length <= TITLE_WORDS, length, 0), entity))
    entities, first = np.unique(entity[order], return_index=True)
    names = texts(view.documents, view.own, mentions[order[first]])
    return entities, [name or "–" for name in names]
