"""The entities in one cell of a CoNLL file: `(1`, `1)`, `(1)`, `(1|(2)`, `(person-3`.

The bar between brackets may be missing (`(1(3`) or be a `_` (`2)_1)`, as sacr2conll writes it). An
id is a number, or a type and a number as in GUM's files; a name after them (`(person-3-Mia)`) is
left out.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

NOTHING = frozenset(("-", "_", "*", ""))
EXPECTED_BRACKETS = (
    "brackets with numbers such as '(1', '1)', '(1)' or '(1|(2)', or '-' for none",
    "Number the entities and close every bracket.",
)
_BRACKET = re.compile(
    r"\|*(?P<opens>\()?"
    r"(?:(?P<type>[A-Za-z][A-Za-z_]*-)(?P<of_type>[0-9]+)(?:-[^()|]*)?|(?P<number>[0-9]+))"
    r"(?P<closes>\))?\|*"
)
_UNUSUAL = re.compile(r"[A-Za-z]|(?<![0-9])0[0-9]")
_BAR = re.compile(r"(?<=\))_|_(?=\()")

Bracket = tuple[str, bool, bool]


@lru_cache(maxsize=100_000)
def plain_brackets(cell: str) -> tuple[Bracket, ...]:
    """As `parse_cell`; none too where an id has a type or a leading zero."""
    return () if _UNUSUAL.search(cell) else parse_cell(cell)


def parse_cell(cell: str) -> tuple[Bracket, ...]:
    """(entity, opens, closes) of each bracket; none if the cell is wrong.

    In the order in which the reference scorer reads a cell: one-word mentions, what opens, what
    closes, each as written. So `7)|(7` is a one-word mention inside the one that is open.
    """
    brackets: list[Bracket] = []
    for match in bracket_matches(cell):
        if match is None or not (match["opens"] or match["closes"]):
            return ()
        brackets.append((entity_of(match), bool(match["opens"]), bool(match["closes"])))
    return tuple(sorted(brackets, key=lambda bracket: reading_order(*bracket[1:])))


def reading_order(opens: bool, closes: bool) -> int:
    """The place of a kind of bracket in the reading of its cell, from 0."""
    return 2 - opens if opens != closes else 0


def entity_of(match: re.Match[str]) -> str:
    """The id of an entity: its number without leading zeros, after its type if it has one."""
    return (match["type"] or "") + ((match["of_type"] or match["number"]).lstrip("0") or "0")


def bracket_matches(cell: str) -> Iterator[re.Match[str] | None]:
    """What the brackets of a cell match one after the other; None where they do not."""
    cell, at = _BAR.sub("|", cell), 0
    while at < len(cell):
        match = _BRACKET.match(cell, at)
        yield match
        if match is None:
            return
        at = match.end()


def spelled_twice(cells: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """(place, the way it has been written, how it is written there) of numbers such as 1 and 01.

    cells  (place, cell) of each cell in which there are brackets
    """
    ways: dict[str, dict[str, None]] = {}
    for place, cell in cells:
        for match in bracket_matches(cell):
            if match is not None:
                number = match["of_type"] or match["number"]
                seen = ways.setdefault(entity_of(match), {})
                if seen and number not in seen:
                    yield place, next(iter(seen)), number
                seen[number] = None


def types_of(entities: Collection[str]) -> Mapping[str, str]:
    """The type of each entity that has one: "person" of "person-3"."""
    parts = ((entity, entity.rpartition("-")[0]) for entity in entities)
    return {entity: type_ for entity, type_ in parts if type_}


def sharing_a_number(entities: Iterable[str]) -> list[list[str]]:
    """The entities that differ in nothing but their types, such as person-3 and place-3."""
    of_number: dict[str, list[str]] = {}
    for entity in entities:
        of_number.setdefault(entity.rpartition("-")[2], []).append(entity)
    return [sharing for sharing in of_number.values() if len(sharing) > 1]
