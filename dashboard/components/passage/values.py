"""What passage.js draws of a document and its mentions."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
from corescore.corpus.documents import Document
from corescore.corpus.mentions import Pieces
from corescore.metrics import name_of
from corescore.rendering.html import Window
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import capital, counted, listed, percent
from dashboard.components.passage.mentions import (
    BEFORE_AND_AFTER,
    DIFFERENCES,
    FIRST,
    KEY,
    SECOND,
    STATUSES,
    THE_KEY,
    Drawn,
)

HINT = "Point at a mention to see its entity on both sides; click it (or press Enter) to select it."
STRIP_BINS = 150
HAS_CORRECT = MENTION_WORDS[CORRECT]
Mark = tuple[str, str, str]  # the letter of a status, the entity of the key, that of the response


@dataclass(frozen=True)
class Word:
    """A word, the mentions that start at it, and its lanes: for each line under it the mention
    that the line belongs to, or −1. The shorter of two nested mentions is nearer to the text.
    `told` says of a word that is not in the text what it is."""

    text: str
    starts: list[int]
    lanes: list[int]
    told: str = ""


@dataclass(frozen=True)
class Line:
    """A sentence, or what the window has of it."""

    number: int
    start: int
    end: int
    speaker: str
    words: list[Word]


@dataclass(frozen=True)
class Label:
    """A mention: where it is, how it is marked, and what screen readers read out."""

    at: str
    runs: Pieces
    text: str
    style: str
    mark: Mark
    entities: tuple[int, ...]
    lines: tuple[int, ...]
    says: str


@dataclass(frozen=True)
class Entry:
    """An entry of the legend."""

    style: str
    lines: tuple[int, ...]
    mark: Mark
    words: str


@dataclass(frozen=True)
class Member:
    """A mention of an entity, in the list beside the text."""

    at: str
    text: str
    style: str
    letter: str
    words: str
    line: int


@dataclass(frozen=True)
class Chain:
    """The mentions of the selected mention's entity on one side; `note` is about the entity."""

    side: int
    title: str
    size: str
    members: list[Member]
    note: str = ""


@dataclass(frozen=True)
class Credit:
    """A row for each metric: its name, and what each response that has the mention earns."""

    letters: list[str]
    rows: list[tuple[str, list[str]]]


@dataclass(frozen=True)
class Strip:
    """The whole document as a row of bars: how many stops of the next-error key each has.

    words, width  of the document, and of each bar
    window        the first word that is shown, and the first after it
    """

    words: int
    width: int
    counts: list[int]
    window: tuple[int, int]


@dataclass(frozen=True)
class Passage:
    """A window on a document.

    sides   how many there are
    noun    what the next-error key stops at: "error", "difference" or "change"
    errors  where these are
    chosen  the mention that is selected; empty if there is none
    """

    document: str
    sides: int
    lines: list[Line]
    mentions: list[Label]
    legend: list[Entry]
    hint: str
    noun: str
    chosen: str
    errors: list[str]
    chains: list[Chain]
    credit: Credit
    strip: Strip


def passage(
    document: Document,
    every: Sequence[Drawn],
    shown: Sequence[Drawn],
    window: Window,
    *,
    sides: Sequence[str],
    selected: Drawn | None = None,
    credit: Mapping[str, Sequence[Explanation]] | None = None,
) -> Passage:
    """The window's lines of words with the mentions shown, and what stands around them.

    every   all mentions of the document; of them, those `shown` pass the filters
    sides   the names of the sides: THE_KEY, "A" and perhaps "B", or BEFORE_AND_AFTER
    credit  what each metric gives the selected mention, by the response's letter
    """
    inside = [d for d in shown if d.start < window.end and d.end > window.start]
    sizes = _sizes(every, len(sides))
    noun, stops = _stops(shown, sides)
    return Passage(
        document=document.name,
        sides=len(sides),
        lines=list(_lines(document, inside, window)),
        mentions=[_label(document, d, sizes, sides) for d in inside],
        legend=_legend(every, sides),
        hint=HINT,
        noun=noun,
        chosen=selected.at if selected else "",
        errors=list(dict.fromkeys(d.at for d in stops)),
        chains=_chains(document, every, selected, sides) if selected else [],
        credit=_credit(credit or {}),
        strip=_strip(document, stops, window),
    )


def _stops(shown: Sequence[Drawn], sides: Sequence[str]) -> tuple[str, list[Drawn]]:
    """What the next-error key stops at: of two responses where they differ, or their errors where
    the filters leave no difference."""
    differing = [d for d in shown if d.kind in DIFFERENCES]
    if differing:
        return "difference", differing
    return "change" if sides is BEFORE_AND_AFTER else "error", [d for d in shown if d.is_error]


# Mentions -----------------------------------------------------------------------------------------


def _sizes(every: Sequence[Drawn], n_sides: int) -> list[dict[int, int]]:
    """For each side the number of mentions of each entity."""
    sizes: list[dict[int, int]] = [{} for _ in range(n_sides)]
    for d in every:
        for side in d.lines:
            sizes[side][d.entities[side]] = sizes[side].get(d.entities[side], 0) + 1
    return sizes


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


# The legend ---------------------------------------------------------------------------------------


def _legend(every: Sequence[Drawn], sides: Sequence[str]) -> list[Entry]:
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
        chains.append(Chain(side, title, size, [_member(document, d) for d in members], note))
    return chains


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
    rows = zip(*(explained for explained in told.values() if explained), strict=True)
    return Credit(
        [letter for letter, explained in told.items() if explained],
        [(name_of(row[0].metric), [percent(one.share) for one in row]) for row in rows],
    )


def _strip(document: Document, stops: Sequence[Drawn], window: Window) -> Strip:
    last = max((d.mention.end for d in stops), default=0)
    n_words = len(document.words) or last  # a file of two columns may have no words
    width = max(1, -(-n_words // STRIP_BINS))
    counts = [0] * -(-n_words // width)
    for d in stops:
        counts[d.start // width] += 1
    return Strip(n_words, width, counts, (window.start, window.end))


# The words ----------------------------------------------------------------------------------------


def _lines(document: Document, drawn: Sequence[Drawn], window: Window) -> Iterator[Line]:
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
