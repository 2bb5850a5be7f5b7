"""A document and its mentions → what passage.js draws.

A document's words with lines under its mentions.

Whole entities at a glance: the letter and colour of each, and where in the document it is.

What the lines and letters of a passage mean.

The words of a window on a document, and the mentions under each of them.

Words that are searched for in a document.

A passage once for each metric, its mentions shaded by the credit that the metric gives.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, pairwise
from string import ascii_uppercase

import streamlit as st

from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.explain import Explanation
from corescore.analysis.perturbation.effects import ADDED, KEPT, MOVED, REMOVED
from corescore.corpus.documents import Document
from corescore.metrics import name_of
from corescore.rendering.html import Window
from corescore.rendering.panels import Panels
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import capital, counted, listed, percent
from dashboard.components.mentions import (
    BEFORE_AND_AFTER,
    DIFFERENCES,
    FIRST,
    KEY,
    SECOND,
    STATUSES,
    THE_KEY,
    Chain,
    Credit,
    Drawn,
    Entities,
    Entry,
    Found,
    Label,
    Line,
    Member,
    Passage,
    Row,
    Tint,
    Word,
    extent,
)
from dashboard.components.page import STRETCHES, Strip, script, strip, style


@dataclass(frozen=True)
class Search:
    """What is searched for, and the spans of words where it is, in text order."""

    query: str
    places: Sequence[tuple[int, int]]


def places(document: Document, query: str) -> list[tuple[int, int]]:
    """Where the words of a document have the query: spans of words, in text order.

    Case does not count, nor how many spaces there are; a hit begins with a word, and may end within
    one: "bank" finds "Banks", "ank" does not. Empty for an empty query.
    """
    wanted = " " + " ".join(query.casefold().split())
    if wanted == " ":
        return []
    words = [word.casefold() for word in document.words]
    text = "".join(f" {word}" for word in words)
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    found, at = [], text.find(wanted)
    while at >= 0:
        last = bisect_right(starts, at + len(wanted) - 1)
        found.append((bisect_right(starts, at) - 1, last))
        at = text.find(wanted, at + 1)
    return found


COLOURS, PATTERNS = 7, 3  # of passage.css

NO_TINT = Tint("", -1, 0)

MOST_ROWS = 40

_SHORT = 32  # letters of a name


def tints(every: Sequence[Drawn], side: int) -> dict[int, Tint]:
    """How each entity of a side with two mentions or more is told apart, the largest first.

    An entity of a response has the letter of the key entity with which it shares most mentions,
    unless another shares more: where A follows the key, the text looks alike.
    """
    of_key = _numbered(_entity_sizes(every, KEY))
    if side == KEY:
        return {entity: _entity_tint(number) for entity, number in of_key.items()}
    sizes = _entity_sizes(every, side)
    taken = _partners(every, side, of_key, sizes)
    free = len(of_key)
    numbers = {}
    for entity in _numbered(sizes):
        numbers[entity] = taken.get(entity, free)
        free += entity not in taken
    return {entity: _entity_tint(number) for entity, number in numbers.items()}


def _entity_sizes(every: Sequence[Drawn], side: int) -> Counter[int]:
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


def _entity_tint(number: int) -> Tint:
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


HAS_CORRECT = MENTION_WORDS[CORRECT]


def legend(every: Sequence[Drawn], sides: Sequence[str]) -> list[Entry]:
    """What the lines and letters mean; a mention listed twice only where there is one."""
    if len(sides) > 2:
        return list(_OF_TWO_SYSTEMS)
    if sides[KEY] != THE_KEY:
        return list(_OF_CHANGES)
    first, both = sides[FIRST], (KEY, FIRST)
    entries = [
        _entry(CORRECT, both, f"correct: {HAS_CORRECT} (key entity 1, {first}’s 2)"),
        _entry(UNLINKED, both, f"unlinked: {MENTION_WORDS[UNLINKED]}"),
        _entry(
            INCORRECTLY_RESOLVED,
            both,
            f"incorrectly resolved: {MENTION_WORDS[INCORRECTLY_RESOLVED]}",
        ),
        _entry(SPAN_ERROR, both, f"span error ({first}’s dashed)", ("1", "")),
        _entry(MISSING, (KEY,), "missing: only the key has it"),
        _entry(SPURIOUS, (FIRST,), f"spurious: only {first} has it"),
    ]
    if any(d.kind == DUPLICATED for d in every):
        entries.append(_entry(DUPLICATED, (FIRST,), f"duplicated: {first} has it again"))
    return entries


def _entry(
    kind: str, lines: tuple[int, ...], words: str, numbers: tuple[str, str] | None = None
) -> Entry:
    """numbers  of key entity 1 and response entity 2, unless others are given"""
    of_lines: dict[tuple[int, ...], tuple[str, str]] = {(KEY,): ("1", ""), (FIRST,): ("2", "")}
    of_key, of_response = numbers or of_lines.get(lines, ("1", "/2"))
    status = STATUSES[kind]
    return Entry(status.style, lines, (status.letter, of_key, of_response), words)


_ONE = ("1", "")

_OF_TWO_SYSTEMS = (
    _entry(
        BOTH_CORRECT,
        (KEY, FIRST, SECOND),
        f"both correct: {HAS_CORRECT} (lines: key, A, B)",
        _ONE,
    ),
    _entry(ONLY_A, (KEY, FIRST), "only A correct", _ONE),
    _entry(ONLY_B, (KEY, SECOND), "only B correct", _ONE),
    _entry(BOTH_WRONG, (KEY,), "both wrong: no correct partner"),
    _entry(SPURIOUS, (FIRST,), "spurious: the key lacks it"),
)

_OF_CHANGES = (
    _entry(KEPT, (KEY, FIRST), "kept (entity 1 before, 2 after)"),
    _entry(REMOVED, (KEY,), "removed"),
    _entry(ADDED, (FIRST,), "new"),
    _entry(MOVED, (KEY, FIRST), "moved to another entity"),
)


def lines(document: Document, drawn: Sequence[Drawn], window: Window) -> Iterator[Line]:
    """A line a sentence."""
    starting: dict[int, list[int]] = {}
    for number, d in enumerate(drawn):
        starting.setdefault(max(d.start, window.start), []).append(number)
    lanes = _lanes(drawn, window)
    bounds = [*document.sentence_starts, len(document.words)]
    for number, (first, last) in enumerate(pairwise(bounds)):
        at = range(max(first, window.start), min(last, window.end))
        if at:
            speaker = document.speakers[number] if document.speakers else ""
            words = [
                Word(document.shown_words[w], starting.get(w, []), lanes[w], _told(document, w))
                for w in at
            ]
            yield Line(number + 1, at.start, at.stop, speaker, words)


def _told(document: Document, at: int) -> str:
    node = document.empty_nodes.get(at)
    if node is None:
        return ""
    told = "A word that is not in the text"
    return f"{told}, and that the key does not have" if node.absent else told


def _lanes(drawn: Sequence[Drawn], window: Window) -> dict[int, list[int]]:
    """The mentions under each word, from the text downwards; −1 is an empty lane."""
    under: dict[int, list[int]] = {word: [] for word in range(window.start, window.end)}
    spans = [range(max(d.start, window.start), min(d.end, window.end)) for d in drawn]
    for number in sorted(range(len(spans)), key=lambda i: (len(spans[i]), spans[i].start)):
        stacks = [under[word] for word in spans[number]]
        lane = next(lane for lane in range(len(drawn)) if all(_free(s, lane) for s in stacks))
        for stack in stacks:
            stack.extend([-1] * (lane + 1 - len(stack)))
            stack[lane] = number
    return under


def _free(stack: Sequence[int], lane: int) -> bool:
    return lane >= len(stack) or stack[lane] == -1


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


_SCRIPTS = ("entities.js", "words.js", "beside.js", "chosen.js", "passage.js")


def show_passage(
    passage: Passage,
    *,
    key: str,
    on_mention: Callable[[], None] = lambda: None,
    on_place: Callable[[], None] = lambda: None,
) -> None:
    """Draw a passage.

    on_mention  called when a mention is clicked: `st.session_state[key]["chosen"]`, or "" for none
    on_place    called when a word in another window is: `st.session_state[key]["place"]`
    """
    component = st.components.v2.component(
        "corescore_passage",
        css=style("mentions.css", "strip/strip.css", "passage/passage.css"),
        js=script("strip/strip.js", *(f"passage/{name}" for name in _SCRIPTS)),
    )
    component(data=asdict(passage), key=key, on_chosen_change=on_mention, on_place_change=on_place)


def show_panels(
    panels: Panels,
    strip: Strip,
    *,
    key: str,
    on_mention: Callable[[], None],
    on_place: Callable[[], None],
) -> None:
    """Draw the strip of the document's losses and the panels.

    on_mention  called when a mention is clicked: `st.session_state[key].mention`, or "" for none
    on_place    called when a stretch of the strip is: its first word, `st.session_state[key].place`
    """
    component = st.components.v2.component(
        "corescore_credit",
        css=style("credit.css", "strip/strip.css"),
        js=script("strip/strip.js", "credit/credit.js"),
    )
    values = asdict(panels) | {"strip": asdict(strip)}
    component(data=values, key=key, on_mention_change=on_mention, on_place_change=on_place)
