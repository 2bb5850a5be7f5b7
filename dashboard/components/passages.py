"""A document and its mentions → plain values for passage.js. No Streamlit here.

Text out of files is handed over as text that the script never reads as HTML.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from corescore.analysis.errors.mentions import (
    CORRECT,
    DUPLICATED,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.analysis.errors.outcomes import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.explanation.mention import Explanation
from corescore.analysis.perturbation.effects import ADDED, KEPT, MOVED, REMOVED
from corescore.corpus.documents import Document, Mention
from corescore.corpus.english import UNKNOWN
from corescore.metrics import name_of
from corescore.rendering.html import Window
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import capital, counted, listed, percent

KEY, FIRST, SECOND = range(3)  # the sides, in the order of their lines
STRIP_BINS = 150


@dataclass(frozen=True)
class Status:
    """How a mention's status is shown: name of its style, its letter, its name in words."""

    style: str
    letter: str
    words: str


STATUSES: Mapping[str, Status] = {
    CORRECT: Status("correct", "c", "correct"),
    UNLINKED: Status("unlinked", "u", "unlinked"),
    INCORRECTLY_RESOLVED: Status("wrong", "i", "incorrectly resolved"),
    SPAN_ERROR: Status("off", "o", "span error"),
    MISSING: Status("missing", "m", "missing"),
    SPURIOUS: Status("spurious", "s", "spurious"),
    DUPLICATED: Status("twice", "d", "duplicated"),
    BOTH_CORRECT: Status("correct", "c", "both correct"),
    ONLY_A: Status("only-a", "a", "only A correct"),
    ONLY_B: Status("only-b", "b", "only B correct"),
    BOTH_WRONG: Status("wrong", "w", "both wrong"),
    KEPT: Status("correct", "k", "kept"),
    REMOVED: Status("missing", "x", "removed"),
    ADDED: Status("spurious", "n", "new"),
    MOVED: Status("wrong", "m", "moved"),
}
DIFFERENCES = (ONLY_A, ONLY_B)
THE_KEY = "the key"
BEFORE_AND_AFTER = ("the output before", "the output after")
HAS_CORRECT = MENTION_WORDS[CORRECT]


@dataclass(frozen=True)
class Drawn:
    """A span with lines under it.

    kind      its status: a key of STATUSES
    type      pronoun, name, nominal or unknown
    entities  its entity on each side, counted from 1; 0 is none
    lines     the sides that have it with this span; a span that is off is drawn twice
    """

    start: int
    end: int
    kind: str
    type: str
    entities: tuple[int, ...]
    lines: tuple[int, ...]

    @property
    def at(self) -> str:
        """How the page and the URL name it."""
        return f"{self.start}-{self.end}"

    @property
    def is_error(self) -> bool:
        """Whether the next-error key stops here: of a span that is off only at the key's."""
        again = self.kind == SPAN_ERROR and KEY not in self.lines
        return STATUSES[self.kind].style != "correct" and not again

    def shares(self, other: "Drawn") -> bool:
        """Whether any side has both in one entity."""
        both = zip(self.entities, other.entities, strict=True)
        return any(own and own == others for own, others in both)


def of_one_system(table: pd.DataFrame) -> tuple[Drawn, ...]:
    """What is drawn of the rows of a `mention_table` for one document, in text order."""
    columns = ["start", "end", "class", "type", "key_entity", "response_entity"]
    drawn = []
    for start, end, kind, type_, *entities in _rows(table, columns):
        numbers = tuple(entities)
        lines = tuple(side for side, entity in enumerate(numbers) if entity)
        if kind == SPAN_ERROR:
            lines = (KEY,)
        drawn.append(Drawn(start, end, kind, type_, numbers, lines))
    off = table[table["class"] == SPAN_ERROR]
    columns[:2] = ["response_start", "response_end"]
    drawn += [
        Drawn(start, end, kind, type_, tuple(entities), (FIRST,))
        for start, end, kind, type_, *entities in _rows(off, columns)
    ]
    return tuple(sorted(drawn, key=_text_order))


def of_two_systems(table: pd.DataFrame) -> tuple[Drawn, ...]:
    """What is drawn of the rows of an `outcome_table` for one document, in text order."""
    columns = ["start", "end", "outcome", "type", "key_entity", "a_entity", "b_entity"]
    return tuple(
        Drawn(start, end, kind, type_, tuple(entities), _sides(entities))
        for start, end, kind, type_, *entities in _rows(table, columns)
    )


def of_changes(table: pd.DataFrame) -> tuple[Drawn, ...]:
    """What is drawn of the rows of `effects.mention_changes`, in text order."""
    columns = ["start", "end", "change", "before_entity", "after_entity"]
    return tuple(
        Drawn(start, end, kind, UNKNOWN, tuple(entities), _sides(entities))
        for start, end, kind, *entities in _rows(table, columns)
    )


def _sides(entities: Sequence[int]) -> tuple[int, ...]:
    return tuple(side for side, entity in enumerate(entities) if entity)


def _rows(table: pd.DataFrame, columns: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    """The rows as plain values; 0 where an entity is missing."""
    numbers = [name for name in columns if table[name].dtype == "Int64"]
    plain = table[list(columns)].assign(**{name: table[name].fillna(0) for name in numbers})
    return zip(*(plain[name].tolist() for name in columns), strict=True)


def _text_order(drawn: Drawn) -> tuple[int, int]:
    return drawn.start, -drawn.end


def find(drawn: Sequence[Drawn], span: tuple[int, int] | None) -> Drawn | None:
    """The mention of that span, the first if there are several."""
    return next((d for d in drawn if (d.start, d.end) == span), None)


def kept(
    drawn: Sequence[Drawn],
    *,
    kinds: Collection[str] = (),
    type_: str | None = None,
    entity: int | None = None,
    chosen: Drawn | None = None,
    of_chosen: bool = False,
) -> tuple[Drawn, ...]:
    """What passes the filters; the chosen mention always does.

    kinds      statuses; none means all
    type_      a mention type
    entity     a key entity's number
    of_chosen  only what shares an entity with the chosen mention
    """
    return tuple(
        d
        for d in drawn
        if d is chosen
        or (
            (not kinds or d.kind in kinds)
            and type_ in (None, d.type)
            and entity in (None, d.entities[KEY])
            and (not of_chosen or chosen is None or d.shares(chosen))
        )
    )


def entity_names(document: Document, drawn: Sequence[Drawn]) -> dict[int, str]:
    """A name for each key entity: its number and the words of its first mention."""
    names: dict[int, str] = {}
    for d in drawn:
        if KEY in d.lines and d.entities[KEY] not in names:
            words = document.text(Mention(d.start, d.end))
            short = words if len(words) <= 32 else f"{words[:30]}…"
            names[d.entities[KEY]] = f"{d.entities[KEY]}: {short}"
    return dict(sorted(names.items()))


# The window -------------------------------------------------------------------------------------


def window_of(pieces: Sequence[Window], word: int) -> int:
    """The number of the window that has the word, counted from 1."""
    return max(1, bisect_right([window.start for window in pieces], word))


# What passage.js draws --------------------------------------------------------------------------


def passage(
    document: Document,
    every: Sequence[Drawn],
    shown: Sequence[Drawn],
    window: Window,
    *,
    sides: Sequence[str],
    chosen: Drawn | None = None,
    credit: Mapping[str, Sequence[Explanation]] | None = None,
) -> dict[str, Any]:
    """The window's lines of words with the mentions shown, and what stands around them.

    every  all mentions of the document; of them, those `shown` pass the filters
    sides  the names of the sides: THE_KEY, "A" and perhaps "B", or BEFORE_AND_AFTER
    credit  what each metric gives the chosen mention, by the response's letter

    Each word has its text, the mentions that start at it, and its lanes: for each line under it
    the mention it belongs to, or −1. The shorter of two nested mentions is the nearer to the text.
    """
    inside = [d for d in shown if d.start < window.end and d.end > window.start]
    sizes = _sizes(every, len(sides))
    noun, stops = _stops(shown, sides)
    return {
        "document": document.name,
        "sides": len(sides),
        "lines": list(_lines(document, inside, _lanes(inside, window), window)),
        "mentions": [_mention(document, d, sizes, sides) for d in inside],
        "legend": _legend(every, sides),
        "hint": HINT,
        "noun": noun,
        "chosen": chosen.at if chosen else "",
        "errors": list(dict.fromkeys(d.at for d in stops)),
        "chains": _chains(document, every, chosen, sides) if chosen else [],
        "credit": _credit(credit or {}),
        "strip": strip(document, stops, window),
    }


def _stops(shown: Sequence[Drawn], sides: Sequence[str]) -> tuple[str, list[Drawn]]:
    """What the next-error key stops at, and what it calls it: of two responses where they differ,
    or their errors where the filters leave no difference."""
    differing = [d for d in shown if d.kind in DIFFERENCES]
    if differing:
        return "difference", differing
    return "change" if sides is BEFORE_AND_AFTER else "error", [d for d in shown if d.is_error]


HINT = "Point at a mention to see its entity on both sides; click it (or press Enter) to select it."


def _sizes(every: Sequence[Drawn], n_sides: int) -> list[dict[int, int]]:
    """For each side the number of mentions of each entity."""
    sizes: list[dict[int, int]] = [{} for _ in range(n_sides)]
    for d in every:
        for side in d.lines:
            sizes[side][d.entities[side]] = sizes[side].get(d.entities[side], 0) + 1
    return sizes


def _mention(
    document: Document, d: Drawn, sizes: Sequence[Mapping[int, int]], sides: Sequence[str]
) -> dict[str, Any]:
    status = STATUSES[d.kind]
    return {
        "at": d.at,
        "start": d.start,
        "end": d.end,
        "text": document.text(Mention(d.start, d.end)),
        "style": status.style,
        "mark": [status.letter, *_numbers(d)],
        "entities": list(d.entities),
        "lines": list(d.lines),
        "says": describe(d, sizes, sides),
    }


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


def describe(d: Drawn, sizes: Sequence[Mapping[int, int]], sides: Sequence[str]) -> str:
    """What became of a mention, in words."""
    places = [
        f"{_entity(side, entity, sides)} ({counted(sizes[side].get(entity, 0), 'mention')})"
        for side, entity in enumerate(d.entities)
        if entity
    ]
    where = f"{_explained(d, sides)}; " if _explained(d, sides) else ""
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


def _legend(every: Sequence[Drawn], sides: Sequence[str]) -> list[dict[str, Any]]:
    """What the lines and letters mean; a mention listed twice only where there is one."""
    if len(sides) > 2:
        return [_entry(*entry) for entry in _LEGEND_OF_TWO]
    if sides[KEY] != THE_KEY:
        return [_entry(*entry) for entry in _LEGEND_OF_CHANGES]
    first = sides[FIRST]
    entries = [
        (
            CORRECT,
            (KEY, FIRST),
            ("1", "/2"),
            f"correct: {HAS_CORRECT} (key entity 1, {first}’s 2)",
        ),
        (UNLINKED, (KEY, FIRST), ("1", "/2"), f"unlinked: {MENTION_WORDS[UNLINKED]}"),
        (
            INCORRECTLY_RESOLVED,
            (KEY, FIRST),
            ("1", "/2"),
            f"incorrectly resolved: {MENTION_WORDS[INCORRECTLY_RESOLVED]}",
        ),
        (SPAN_ERROR, (KEY, FIRST), ("1", ""), f"span error ({first}’s dashed)"),
        (MISSING, (KEY,), ("1", ""), "missing: only the key has it"),
        (SPURIOUS, (FIRST,), ("2", ""), f"spurious: only {first} has it"),
        (DUPLICATED, (FIRST,), ("2", ""), f"duplicated: {first} has it again"),
    ]
    twice = any(d.kind == DUPLICATED for d in every)
    return [_entry(*entry) for entry in entries if twice or entry[0] != DUPLICATED]


def _entry(
    kind: str, lines: tuple[int, ...], numbers: tuple[str, str], words: str
) -> dict[str, Any]:
    status = STATUSES[kind]
    mark = [status.letter, *numbers]
    return {"style": status.style, "lines": list(lines), "mark": mark, "words": words}


_LEGEND_OF_TWO = (
    (
        BOTH_CORRECT,
        (KEY, FIRST, SECOND),
        ("1", ""),
        f"both correct: {HAS_CORRECT} (lines: key, A, B)",
    ),
    (ONLY_A, (KEY, FIRST), ("1", ""), "only A correct"),
    (ONLY_B, (KEY, SECOND), ("1", ""), "only B correct"),
    (BOTH_WRONG, (KEY,), ("1", ""), "both wrong: no correct partner"),
    (SPURIOUS, (FIRST,), ("2", ""), "spurious: the key lacks it"),
)
_LEGEND_OF_CHANGES = (
    (KEPT, (KEY, FIRST), ("1", "/2"), "kept (entity 1 before, 2 after)"),
    (REMOVED, (KEY,), ("1", ""), "removed"),
    (ADDED, (FIRST,), ("2", ""), "new"),
    (MOVED, (KEY, FIRST), ("1", "/2"), "moved to another entity"),
)


def _chains(
    document: Document, every: Sequence[Drawn], chosen: Drawn, sides: Sequence[str]
) -> list[dict[str, Any]]:
    """All mentions of the chosen mention's entity, for each side, in text order."""
    chains = []
    for side, entity in enumerate(chosen.entities):
        members = [d for d in every if entity and side in d.lines and d.entities[side] == entity]
        lacks = f"{sides[side]} has no such mention"
        title = _entity(side, entity, sides) if entity else lacks
        chains.append(
            {
                "side": side,
                "title": capital(title),
                "size": counted(len(members), "mention") if members else "",
                "members": [_member(document, d) for d in members],
            }
        )
    return chains


def _credit(told: Mapping[str, Sequence[Explanation]]) -> dict[str, Any]:
    """A row for each metric: its name, and what each response that has the mention earns."""
    rows = zip(*(explained for explained in told.values() if explained), strict=True)
    return {
        "letters": [letter for letter, explained in told.items() if explained],
        "rows": [[name_of(row[0].metric), [percent(one.share) for one in row]] for row in rows],
    }


def _member(document: Document, d: Drawn) -> dict[str, Any]:
    status = STATUSES[d.kind]
    return {
        "at": d.at,
        "text": document.text(Mention(d.start, d.end)),
        "style": status.style,
        "letter": status.letter,
        "words": status.words,
        "line": bisect_right(document.sentence_starts, d.start),
    }


def strip(document: Document, stops: Sequence[Drawn], window: Window) -> dict[str, Any]:
    """The whole document as a row of bars: each a stretch of words and how many stops of the
    next-error key it has."""
    n_words = len(document.words)
    width = max(1, -(-n_words // STRIP_BINS))
    counts = [0] * -(-n_words // width)
    for d in stops:
        counts[d.start // width] += 1
    return {
        "words": n_words,
        "width": width,
        "counts": counts,
        "window": [window.start, window.end],
    }


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


def _lines(
    document: Document, drawn: Sequence[Drawn], lanes: Mapping[int, list[int]], window: Window
) -> Iterable[dict[str, Any]]:
    """A line a sentence, with its number and its speaker."""
    starting: dict[int, list[int]] = {}
    for number, d in enumerate(drawn):
        starting.setdefault(max(d.start, window.start), []).append(number)
    bounds = [*document.sentence_starts, len(document.words)]
    for number, (first, last) in enumerate(pairwise(bounds)):
        words = range(max(first, window.start), min(last, window.end))
        if words:
            yield {
                "number": number + 1,
                "start": words.start,
                "end": words.stop,
                "speaker": document.speakers[number] if document.speakers else "",
                "words": [[document.words[w], starting.get(w, []), lanes[w]] for w in words],
            }
