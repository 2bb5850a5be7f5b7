"""A document and its mentions → what passage.js draws."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED, SPAN_ERROR, UNLINKED
from corescore.analysis.explain import Explanation
from corescore.corpus.documents import Document
from corescore.metrics import name_of
from corescore.rendering.html import Window
from corescore.wording import capital, counted, listed, percent
from dashboard.components.passage.entities import NO_TINT, entities, tints
from dashboard.components.passage.legend import legend
from dashboard.components.passage.lines import lines
from dashboard.components.passage.mentions import (
    BEFORE_AND_AFTER,
    DIFFERENCES,
    FIRST,
    KEY,
    STATUSES,
    THE_KEY,
    Drawn,
    extent,
)
from dashboard.components.passage.search import Search
from dashboard.components.passage.values import (
    Chain,
    Credit,
    Entities,
    Found,
    Label,
    Member,
    Passage,
    Tint,
)
from dashboard.components.strip.strip import strip

HINT = "Point at a mention to see its entity on both sides; click it (or press Enter) to select it."
MOST_MEMBERS = 200  # of an entity in the list beside the text
NEAR = 100  # errors on either side of the window, and of the selected mention, that the page knows


def passage(
    document: Document,
    every: Sequence[Drawn],
    shown: Sequence[Drawn],
    window: Window,
    *,
    sides: Sequence[str],
    selected: Drawn | None = None,
    credit: Mapping[str, Sequence[Explanation]] | None = None,
    coloured_by: int | None = None,
    search: Search | None = None,
    walks: bool = True,
    names: Mapping[int, Mapping[int, str]] | None = None,
) -> Passage:
    """The window's lines of words with the mentions shown, and what stands around them.

    every   all mentions of the document; of them, those `shown` pass the filters
    sides   the names of the sides: THE_KEY, "A" and perhaps "B", or BEFORE_AND_AFTER
    credit  what each metric gives the selected mention, by the response's letter or, of one
            response, by the direction
    coloured_by  the side by whose entities the text is coloured
    walks   whether its strip, its buttons and its keys lead through the document
    names   what the entities of a side are called, by the side
    """
    told = {} if coloured_by is None else tints(every, coloured_by)
    inside = [d for d in shown if d.start < window.end and d.end > window.start]
    sizes = _sizes(every, len(sides))
    noun, stops = _stops(shown, sides)
    places = list(dict.fromkeys((d.start, d.end) for d in stops))
    near = _near([start for start, _ in places], window, selected)
    return Passage(
        document=document.name,
        sides=len(sides),
        lines=list(lines(document, inside, window)),
        mentions=[
            replace(_label(document, d, sizes, sides), tint=_tint(d, coloured_by, told))
            for d in inside
        ],
        legend=legend(every, sides),
        hint=HINT,
        noun=noun,
        chosen=selected.at if selected else "",
        errors=[f"{start}-{end}" for start, end in (places[at] for at in near)],
        numbers=[at + 1 for at in near],
        n_errors=len(places),
        chains=_chains(document, every, selected, sides) if selected else [],
        credit=_credit(credit or {}),
        strip=strip(extent(document, stops), [d.start for d in stops], window),
        entities=_entities(document, every, sides, coloured_by, told, search, names or {}),
        found=_found(search, window) if search else None,
        walks=walks,
    )


def _tint(d: Drawn, side: int | None, told: Mapping[int, Tint]) -> Tint | None:
    if side is None:
        return None
    return told.get(d.entities[side], NO_TINT) if side in d.lines else NO_TINT


def _entities(
    document: Document,
    every: Sequence[Drawn],
    sides: Sequence[str],
    coloured_by: int | None,
    told: Mapping[int, Tint],
    search: Search | None,
    names: Mapping[int, Mapping[int, str]],
) -> Entities | None:
    if coloured_by is None and search is None:
        return None
    side = coloured_by or KEY
    return entities(
        document,
        every,
        side,
        told,
        whose=sides[side],
        names=names.get(side),
        search=search,
        coloured=coloured_by is not None,
    )


def _found(search: Search, window: Window) -> Found:
    near = _near([start for start, _ in search.places], window, None)
    places = [search.places[at] for at in near]
    return Found(search.query, places, [at + 1 for at in near], len(search.places))


def _stops(shown: Sequence[Drawn], sides: Sequence[str]) -> tuple[str, list[Drawn]]:
    """What the next-error key stops at: of two responses where they differ, or their errors where
    the filters leave no difference."""
    differing = [d for d in shown if d.kind in DIFFERENCES]
    if differing:
        return "difference", differing
    return "change" if sides is BEFORE_AND_AFTER else "error", [d for d in shown if d.is_error]


def _near(starts: Sequence[int], window: Window, selected: Drawn | None) -> list[int]:
    """Which of the stops, by their starts, are in the window, or near to it or to the selected."""
    around = [(window.start, window.end)]
    around += [(selected.start, selected.start + 1)] if selected else []
    near = {
        at
        for first, end in around
        for at in range(
            max(0, bisect_left(starts, first) - NEAR),
            min(len(starts), bisect_left(starts, end) + NEAR),
        )
    }
    return sorted(near)


# Mentions -----------------------------------------------------------------------------------------


def _sizes(every: Sequence[Drawn], n_sides: int) -> list[Counter[int]]:
    """For each side the number of mentions of each entity."""
    return [Counter(d.entities[side] for d in every if side in d.lines) for side in range(n_sides)]


def _label(
    document: Document, d: Drawn, sizes: Sequence[Mapping[int, int]], sides: Sequence[str]
) -> Label:
    status, text = STATUSES[d.kind], document.text(d.mention)
    mark = status.letter, *_numbers(d)
    says = _says(d, sizes, sides)
    return Label(d.at, d.mention.runs, text, status.style, mark, d.entities, d.lines, says)


def _numbers(d: Drawn) -> tuple[str, str]:
    """The entities in a mention's label: key/response, or the first that there is."""
    of_key, *others = d.entities
    if len(d.entities) > 2:
        return str(next(entity for entity in d.entities if entity)), ""
    if d.kind == SPAN_ERROR:
        return (str(of_key), "") if KEY in d.lines else ("", f"/{others[0]}")
    if of_key and others[0]:
        return str(of_key), f"/{others[0]}"
    return str(of_key or others[0]), ""


def _says(d: Drawn, sizes: Sequence[Mapping[int, int]], sides: Sequence[str]) -> str:
    """What became of a mention, in words."""
    places = [
        f"{_entity(side, entity, sides)} ({counted(sizes[side].get(entity, 0), 'mention')})"
        for side, entity in enumerate(d.entities)
        if entity
    ]
    explained = _explained(d, sides)
    where = f"{explained}; " if explained else ""
    return f"{STATUSES[d.kind].words}: {where}{listed(places)}"


def _explained(d: Drawn, sides: Sequence[str]) -> str:
    if d.kind == SPAN_ERROR:
        return f"these are {'the key' if KEY in d.lines else sides[FIRST]}’s words"
    if d.kind == UNLINKED:
        return f"{sides[FIRST]} leaves it alone"
    if d.kind == INCORRECTLY_RESOLVED:
        return f"none of its partners in {sides[FIRST]} is correct"
    return ""


def _entity(side: int, entity: int, sides: Sequence[str]) -> str:
    return f"key entity {entity}" if sides[side] == THE_KEY else f"entity {entity} of {sides[side]}"


# Beside the text ----------------------------------------------------------------------------------


def _chains(
    document: Document, every: Sequence[Drawn], selected: Drawn, sides: Sequence[str]
) -> list[Chain]:
    """All mentions of the selected mention's entity, for each side, in text order."""
    chains = []
    for side, entity in enumerate(selected.entities):
        members = [d for d in every if entity and side in d.lines and d.entities[side] == entity]
        lacks = f"{sides[side]} has no such mention"
        title = capital(_entity(side, entity, sides) if entity else lacks)
        size = counted(len(members), "mention") if members else ""
        note = _antecedents(document, entity) if side == KEY and sides[KEY] == THE_KEY else ""
        first, shown = _around(members, selected)
        if len(shown) < len(members):
            note = f"{_part(first, len(shown), len(members))} {note}".strip()
        chains.append(Chain(side, title, size, [_member(document, d) for d in shown], note))
    return chains


def _around(members: Sequence[Drawn], selected: Drawn) -> tuple[int, Sequence[Drawn]]:
    """The mentions of an entity that are listed, those around the selected one, and how many
    stand before them."""
    at = bisect_left([d.start for d in members], selected.start)
    first = max(0, min(at - MOST_MEMBERS // 2, len(members) - MOST_MEMBERS))
    return first, members[first : first + MOST_MEMBERS]


def _part(first: int, n_shown: int, n_members: int) -> str:
    return (
        f"Shown: {first + 1:,} to {first + n_shown:,} of {n_members:,}, those around the selected "
        "mention. Select the first or the last for those beyond."
    )


def _antecedents(key: Document, entity: int) -> str:
    """Which entities a key entity refers to together."""
    for own, several in key.split_antecedents:
        if own + 1 == entity:
            numbers = listed([str(one + 1) for one in several])
            return f"Refers to key entities {numbers} together (split antecedents, not scored)"
    return ""


def _member(document: Document, d: Drawn) -> Member:
    status, text = STATUSES[d.kind], document.text(d.mention)
    line = bisect_right(document.sentence_starts, d.start)
    return Member(d.at, text, status.style, status.letter, status.words, line)


def _credit(told: Mapping[str, Sequence[Explanation]]) -> Credit:
    rows = [*zip(*(explained for explained in told.values() if explained), strict=True)]
    return Credit(
        [letter for letter, explained in told.items() if explained],
        [(name_of(row[0].metric), [percent(one.share) for one in row]) for row in rows],
        [" ".join(dict.fromkeys(one.sentence for one in row)) for row in rows],
    )
