"""Cells of the coreference column: mentions with the labels of their brackets."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from corescore.corpus.formats.conll_brackets import bracket_matches, entity_of, reading_order


class Labelled(NamedTuple):
    """A mention, half-open, and its entity as in the file: "12", or "person-12" with a type.

    opening, closing  what its brackets hold; the first may say more: `(person-12-Mia`, `person-12)`
    """

    start: int
    end: int
    entity: str
    opening: str
    closing: str

    @classmethod
    def of(cls, start: int, end: int, entity: str) -> "Labelled":
        """A mention whose brackets hold no more than its entity."""
        return cls(start, end, entity, entity, entity)


def labels(cell: str) -> list[tuple[bool, str, str, bool]]:
    """(opens, label, entity, closes) of each bracket of a cell that can be read, in the order of
    `parse_cell`."""
    if "(" not in cell and ")" not in cell:
        return []
    found = [
        (bool(match["opens"]), match[0].strip("()|"), entity_of(match), bool(match["closes"]))
        for match in bracket_matches(cell)
        if match is not None
    ]
    return sorted(found, key=lambda bracket: reading_order(bracket[0], bracket[3]))


def mentions_of(cells: Sequence[str]) -> list[Labelled]:
    """The mentions of a column, in the order in which they close; of one entity the inner first."""
    opened: dict[str, list[tuple[int, str]]] = defaultdict(list)
    found = []
    for at, cell in enumerate(cells):
        for opens, label, entity, closes in labels(cell):
            if opens:
                opened[entity].append((at, label))
            if closes and opened[entity]:
                start, opening = opened[entity].pop()
                found.append(Labelled(start, at + 1, entity, opening, label))
    return found


def brackets(n_words: int, mentions: Iterable[Labelled]) -> list[list[str]]:
    """Each word's brackets: what closes (inner first), then what opens (outer first).

    mentions  in text order
    """
    opens: list[list[str]] = [[] for _ in range(n_words)]
    closes: list[list[str]] = [[] for _ in range(n_words)]
    for mention in mentions:
        if mention.end - mention.start == 1:
            opens[mention.start].append(f"({mention.opening})")
        else:
            opens[mention.start].append(f"({mention.opening}")
            closes[mention.end - 1].insert(0, f"{mention.closing})")
    return [[*closing, *opening] for closing, opening in zip(closes, opens, strict=True)]
