"""What entities are called."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import numbers_of_entities
from corescore.analysis.errors.mention_tables import words_of
from corescore.analysis.errors.types import mention_types
from corescore.analysis.explanation.shares import mentions_of
from corescore.arrays import IntArray
from corescore.corpus.english import NAME, NOMINAL
from corescore.corpus.mention_types import COARSE_TYPE, FINE_TYPES
from corescore.counting.comparison import Comparison

TITLE_WORDS = 12
_POSSESSIVE = ("'s", "’s", "'", "’")
_RANK = {NAME: 0, NOMINAL: 1}  # pronouns last


def entity_titles(comparison: Comparison, document: str, *, side: str) -> dict[int, str]:
    """What to call each entity of the key (recall) or the response (precision) in a document, by
    its number: `entity_names`; "–" without words."""
    view = comparison.view(side)
    entities, names = entity_names(comparison, mentions_of(view, document), side=side)
    numbers = numbers_of_entities(view)[entities].tolist()
    return {number: name or "–" for number, name in zip(numbers, names, strict=True)}


def entity_names(
    comparison: Comparison, mentions: IntArray, *, side: str
) -> tuple[IntArray, list[str]]:
    """The entities of these mentions of a side, as rows of the table, and what to call each.

    An entity is called by the most frequent of its proper names, of several the longest, then the
    first; without a name, so by its nominals, and without these by its pronouns. Names differ in
    their words, in any case and without a possessive 's at the end; those of more than
    `TITLE_WORDS` words only count where there is no other mention. "" without words.
    """
    view = comparison.view(side)
    entity = view.own_entity[mentions]
    texts = [_without_possessive(text) for text in _words(comparison, mentions, side=side)]
    length = view.own.end[mentions] - view.own.start[mentions]
    types = mention_types(comparison, side=side).number[mentions]
    rank = np.array([_RANK.get(COARSE_TYPE[fine], 2) for fine in FINE_TYPES])[types]
    columns = (mentions, -length, -_how_often(entity, texts), rank, length > TITLE_WORDS)
    order = np.lexsort((*columns, entity))
    entities, first = np.unique(entity[order], return_index=True)
    return entities, [texts[at] for at in order[first].tolist()]


def _words(comparison: Comparison, mentions: IntArray, *, side: str) -> list[str]:
    other = np.full(len(mentions), -1)
    ends = (mentions, other) if side == "recall" else (other, mentions)
    return words_of(comparison, *ends)


def _without_possessive(text: str) -> str:
    words, _, last = text.rpartition(" ")
    return words if words and last in _POSSESSIVE else text


def _how_often(entity: IntArray, texts: Sequence[str]) -> IntArray:
    """(mentions,) how many mentions of each one's entity have its words."""
    words, different = pd.factorize(np.array([text.casefold() for text in texts], dtype=object))
    _, which, counts = np.unique(
        entity * (len(different) + 1) + words, return_inverse=True, return_counts=True
    )
    often: IntArray = counts[which]
    return often
