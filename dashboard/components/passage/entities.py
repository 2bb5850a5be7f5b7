"""Whole entities at a glance: the letter and colour of each, and where in the document it is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from corescore.corpus.documents import Document
from corescore.wording import counted
from dashboard.components.passage.mentions import KEY, Drawn, extent
from dashboard.components.passage.search import Search
from dashboard.components.passage.values import Entities, Row, Tint
from dashboard.components.strip.strip import STRETCHES

COLOURS, PATTERNS = 7, 3  # of passage.css
NO_TINT = Tint("", -1, 0)
MOST_ROWS = 40
_SHORT = 32  # letters of a name


def tints(every: Sequence[Drawn], side: int) -> dict[int, Tint]:
    """How each entity of a side with two mentions or more is told apart, the largest first.

    An entity of a response has the letter of the key entity with which it shares most mentions,
    unless another shares more: where A follows the key, the text looks alike.
    """
    of_key = _numbered(_sizes(every, KEY))
    if side == KEY:
        return {entity: _tint(number) for entity, number in of_key.items()}
    sizes = _sizes(every, side)
    taken = _partners(every, side, of_key, sizes)
    free = len(of_key)
    numbers = {}
    for entity in _numbered(sizes):
        numbers[entity] = taken.get(entity, free)
        free += entity not in taken
    return {entity: _tint(number) for entity, number in numbers.items()}


def _sizes(every: Sequence[Drawn], side: int) -> Counter[int]:
    return Counter(d.entities[side] for d in every if side in d.lines)


def _numbered(sizes: Counter[int]) -> dict[int, int]:
    """The entities of several mentions by size, numbered from 0; of equal ones the first first."""
    several = sorted((-size, entity) for entity, size in sizes.items() if size > 1)
    return {entity: number for number, (_, entity) in enumerate(several)}


def _partners(
    every: Sequence[Drawn], side: int, of_key: Mapping[int, int], sizes: Mapping[int, int]
) -> dict[int, int]:
    """For entities of a side, the number of the key entity with which each shares most mentions."""
    shared = Counter((d.entities[KEY], d.entities[side]) for d in every if KEY in d.lines)
    taken: dict[int, int] = {}
    free = set(of_key)
    for (key, other), _ in shared.most_common():
        if key in free and sizes.get(other, 0) > 1 and other not in taken:
            taken[other] = of_key[key]
            free.remove(key)
    return taken


def _tint(number: int) -> Tint:
    """Colours come again where entities are many; letters do not."""
    return Tint(_letter(number), number % COLOURS, number // COLOURS % PATTERNS)


def _letter(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    before, last = divmod(number, len(ascii_uppercase))
    return (_letter(before - 1) if before else "") + ascii_uppercase[last]


def entities(
    document: Document,
    every: Sequence[Drawn],
    side: int,
    told: Mapping[int, Tint],
    *,
    whose: str,
    names: Mapping[int, str] | None = None,
    search: Search | None = None,
    coloured: bool,
) -> Entities:
    """The largest entities of a side and where in the document they are; if words are searched
    for, those with a mention that has them.

    told   of `tints`
    whose  the side's name
    names  of the entities; by default the words of their first mentions
    """
    mentions = _mentions(every, side)
    wanted = {entity for entity, of in mentions.items() if len(of) > 1}
    if search:
        wanted = _having(mentions, search.places)
    largest = sorted(wanted, key=lambda entity: (-len(mentions[entity]), entity))[:MOST_ROWS]
    width = max(1, -(-extent(document, every) // STRETCHES))
    words = {entity: document.text(mentions[entity][0].mention) for entity in largest}
    words |= {entity: name for entity, name in (names or {}).items() if entity in words}
    rows = [_row(words[of], mentions[of], told.get(of, NO_TINT), width) for of in largest]
    what = f"with “{search.query}”" if search else "of several mentions"
    title = f"{counted(len(wanted), 'entity')} of {whose} {what}"
    if len(largest) < len(wanted):
        title += f", the {len(largest)} largest"
    return Entities(title, rows, -(-extent(document, every) // width), coloured)


def _mentions(every: Sequence[Drawn], side: int) -> dict[int, list[Drawn]]:
    mentions: dict[int, list[Drawn]] = {}
    for d in every:
        if side in d.lines:
            mentions.setdefault(d.entities[side], []).append(d)
    return mentions


def _having(mentions: Mapping[int, Sequence[Drawn]], found: Sequence[tuple[int, int]]) -> set[int]:
    """The entities with a mention that has one of the spans."""
    ends = dict(found)
    return {
        entity
        for entity, of in mentions.items()
        if any(ends.get(at, d.end + 1) <= d.end for d in of for at in range(d.start, d.end))
    }


def _row(words: str, mentions: Sequence[Drawn], tint: Tint, width: int) -> Row:
    first_at: dict[int, str] = {}
    for d in mentions:
        first_at.setdefault(d.start // width, d.at)
    name = words if len(words) <= _SHORT else f"{words[: _SHORT - 1].rstrip()}…"
    return Row(tint, name, counted(len(mentions)), list(first_at), list(first_at.values()))
