"""Cells of the coreference column: mentions with the labels of their brackets."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_BRACKET = re.compile(r"(\(?)([^()|\s]+)(\)?)")
_LABEL = re.compile(r"(?:(.*?)-)?0*([0-9]+)(?:-.*)?")


class Labelled(NamedTuple):
    """A mention, half-open, and what its brackets hold: "12", or "person-12" where ids are typed.

    What opens it may say more than what closes it: `(person-12-Mia`, `person-12)`.
    """

    start: int
    end: int
    opening: str
    closing: str

    @property
    def type(self) -> str:
        """What stands before the number; "" if nothing does."""
        found = _LABEL.fullmatch(self.opening)
        return (found and found[1]) or ""

    @property
    def number(self) -> str:
        """The number of its entity, without leading zeros."""
        return _number(self.opening)


def _number(label: str) -> str:
    found = _LABEL.fullmatch(label)
    return found[2] if found else label


def labels(cell: str) -> list[tuple[bool, str, bool]]:
    """(opens, label, closes) of each bracket of a cell."""
    if "(" not in cell and ")" not in cell:
        return []
    return [(bool(a), label, bool(b)) for a, label, b in _BRACKET.findall(cell) if a or b]


def mentions_of(cells: Sequence[str]) -> list[Labelled]:
    """The mentions of a column, in the order in which they close; of one number the inner first."""
    opened: dict[str, list[tuple[int, str]]] = defaultdict(list)
    found = []
    for at, cell in enumerate(cells):
        for opens, label, closes in labels(cell):
            number = _number(label)
            if opens:
                opened[number].append((at, label))
            if closes and opened[number]:
                start, opening = opened[number].pop()
                found.append(Labelled(start, at + 1, opening, label))
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
