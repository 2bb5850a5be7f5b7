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
from corescore.corpus.mention_types import COARSE_TYPE, FINE_TYPES, has_content
from corescore.counting.comparison import Comparison

TITLE_WORDS = 12
_SHORT = 6  # words of a name that fits beside a grid
_POSSESSIVE = ("'s", "’s", "'", "’")
_NAME, _NOMINAL, _OTHER = range(3)
_RANK = {NAME: _NAME, NOMINAL: _NOMINAL}


def entity_titles(comparison: Comparison, document: str, *, side: str) -> dict[int, str]:
    """What to call each entity of the key (recall) or the response (precision) in a document, by
    its number: `entity_names`; "–" without words."""
    view = comparison.view(side)
    entities, names = entity_names(comparison, mentions_of(view, document), side=side)
    numbers = numbers_of_entities(view)[entities].tolist()
    return {number: name or "–" for number, name in zip(numbers, names, strict=True)}


def entity_called(number: int, name: str) -> str:
    """What sentences call an entity of a document: "entity 3 (Oakland)"."""
    return f"entity {number} ({name})" if name else f"entity {number}"


def entity_names(
    comparison: Comparison, mentions: IntArray, *, side: str
) -> tuple[IntArray, list[str]]:
    """The entities of these mentions of a side, as rows of the table, and what to call each.

    An entity is called by the most frequent of its proper names, of several the longest of up to
    `_SHORT` words, then the first. Without a name it is called by its most frequent nominal with a
    content word (`has_content`), of several the shortest, then the first; without these by another
    mention, chosen likewise. Mentions differ in their words, in any case and without a possessive
    's at the end; those of more than `TITLE_WORDS` words only count where there is no other, and
    of these the shortest counts. "" without words.
    """
    view = comparison.view(side)
    entity = view.own_entity[mentions]
    texts = [_without_possessive(text) for text in _words(comparison, mentions, side=side)]
    words, different = pd.factorize(np.array([text.casefold() for text in texts], dtype=object))
    types = mention_types(comparison, side=side).number[mentions]
    rank = _rank(types, words, different.tolist())
    length = view.own.end[mentions] - view.own.start[mentions]
    is_short_name = (rank == _NAME) & (length <= _SHORT)
    by_length = np.where(is_short_name, -length, length)
    too_long = np.where(length > TITLE_WORDS, length, 0)
    often = _how_often(entity, words, len(different))
    order = np.lexsort((mentions, by_length, -often, rank, too_long, entity))
    entities, first = np.unique(entity[order], return_index=True)
    return entities, [texts[at] for at in order[first].tolist()]


def _rank(types: IntArray, words: IntArray, different: Sequence[str]) -> IntArray:
    """(mentions,) what a mention is called by first: names, nominals, those without content."""
    rank = np.array([_RANK.get(COARSE_TYPE[fine], _OTHER) for fine in FINE_TYPES])[types]
    without = np.array([not has_content(text.split(" ")) for text in different], dtype=bool)
    ranked: IntArray = np.where((rank == _NOMINAL) & without[words], _OTHER, rank)
    return ranked


def _words(comparison: Comparison, mentions: IntArray, *, side: str) -> list[str]:
    other = np.full(len(mentions), -1)
    ends = (mentions, other) if side == "recall" else (other, mentions)
    return words_of(comparison, *ends)


def _without_possessive(text: str) -> str:
    words, _, last = text.rpartition(" ")
    return words if words and last in _POSSESSIVE else text


def _how_often(entity: IntArray, words: IntArray, n_words: int) -> IntArray:
    """(mentions,) how many mentions of each one's entity have its words."""
    _, which, counts = np.unique(
        entity * (n_words + 1) + words, return_inverse=True, return_counts=True
    )
    often: IntArray = counts[which]
    return often
