"""A document and its mentions → what passage.js draws.

Words and the lines under mentions, whole entities with letters and colours, a legend, words that
are searched for, and one panel per metric.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate, count, pairwise
from string import ascii_uppercase

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
from corescore.analysis.perturbation.sweep import ADDED, KEPT, MOVED, REMOVED
from corescore.corpus.documents import Document
from corescore.metrics import name_of
from corescore.rendering.html import Window
from corescore.rendering.panels import Panels, earned
from corescore.sentences.names import MENTION_WORDS
from corescore.util import by_key
from corescore.wording import capital, counted, listed
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
    Hits,
    Label,
    Line,
    Member,
    Passage,
    Row,
    Tint,
    Word,
    extent,
)
from dashboard.components.page import STRETCHES, Strip, draw, strip


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
    hits, letter = [], text.find(wanted)
    while letter >= 0:
        last = bisect_right(starts, letter + len(wanted) - 1)
        hits.append((bisect_right(starts, letter) - 1, last))
        letter = text.find(wanted, letter + 1)
    return hits


COLOURS, PATTERNS = 7, 3  # of passage.css

NO_TINT = Tint("", -1, 0)

MOST_ROWS = 40

_SHORT = 32  # letters of a name


def tints(every: Sequence[Drawn], side: int) -> dict[int, Tint]:
    """How each entity of a side with two mentions or more is told apart, the largest first.

    An entity of a response has the letter of the key entity with which it shares most mentions,
    unless another shares more: where A follows the key, the text looks alike. Colours come again
    where entities are many; letters do not.
    """
    of_key, own = (_numbered(every, of) for of in (KEY, side))
    shared = Counter((d.entities[KEY], d.entities[side]) for d in every if KEY in d.lines)
    numbers: dict[int, int] = {}
    free, next_free = set(of_key), len(of_key)
    for (key, entity), _ in shared.most_common():
        if key in free and entity in own and entity not in numbers:
            numbers[entity] = of_key[key]
            free.remove(key)
    for entity in own:
        if entity not in numbers:
            numbers[entity] = next_free
            next_free += 1
    return {
        entity: Tint(_letter(n), n % COLOURS, n // COLOURS % PATTERNS)
        for entity, n in ((one, numbers[one]) for one in own)
    }


def _numbered(every: Sequence[Drawn], side: int) -> dict[int, int]:
    """The entities of several mentions by size, numbered from 0; of equal ones the first first."""
    sizes = Counter(d.entities[side] for d in every if side in d.lines)
    several = sorted((-size, entity) for entity, size in sizes.items() if size > 1)
    return {entity: number for number, (_, entity) in enumerate(several)}


def _letter(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    before, last = divmod(number, len(ascii_uppercase))
    return (_letter(before - 1) if before else "") + ascii_uppercase[last]


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
    _entry(SPURIOUS, (FIRST,), "spurious: not in the key"),
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
        shown = range(max(first, window.start), min(last, window.end))
        if shown:
            speaker = document.speakers[number] if document.speakers else ""
            words = []
            for w in shown:
                node = document.empty_nodes.get(w)
                absence = "A word that is not in the text" if node else ""
                absence += ", and that the key does not have" if node and node.absent else ""
                words.append(Word(document.shown_words[w], starting.get(w, []), lanes[w], absence))
            yield Line(number + 1, shown.start, shown.stop, speaker, words)


def _lanes(drawn: Sequence[Drawn], window: Window) -> dict[int, list[int]]:
    """The mentions under each word, from the text downwards; −1 is an empty lane."""
    under: dict[int, list[int]] = {word: [] for word in range(window.start, window.end)}
    spans = [range(max(d.start, window.start), min(d.end, window.end)) for d in drawn]
    for number in sorted(range(len(spans)), key=lambda i: (len(spans[i]), spans[i].start)):
        stacks = [under[word] for word in spans[number]]
        lane = next(at for at in count() if all(of[at : at + 1] in ([], [-1]) for of in stacks))
        for stack in stacks:
            stack.extend([-1] * (lane + 1 - len(stack)))
            stack[lane] = number
    return under


HINT = "Point at a mention to see its entity in key and response. Click it to select it (or Enter)."

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
    documents: Sequence[Document] = (),
) -> Passage:
    """The window's lines of words with the mentions shown, and what stands around them.

    every   all mentions of the document; of them, those `shown` pass the filters
    sides   the names of the sides: THE_KEY, "A" and perhaps "B", or BEFORE_AND_AFTER
    credit  what each metric gives the selected mention, by the response's letter or, of one
            response, by the direction
    coloured_by  the side by whose entities the text is coloured
    walks   whether its strip, its buttons and its keys lead through the document
    names   what the entities of a side are called, by the side
    documents  the document of each side, for its split antecedents
    """
    text = _Text(document, every, sides, names or {}, documents)
    tint_of = {} if coloured_by is None else tints(every, coloured_by)
    inside = [d for d in shown if d.start < window.end and d.end > window.start]
    # What the next-error key stops at: of two responses where they differ, or their errors where
    # the filters leave no difference.
    stops = [d for d in shown if d.kind in DIFFERENCES]
    noun = "difference" if stops else "change" if sides is BEFORE_AND_AFTER else "error"
    stops = stops or [d for d in shown if d.is_error]
    places = list(dict.fromkeys((d.start, d.end) for d in stops))
    near = _near([start for start, _ in places], window, selected)
    rows = [*zip(*filter(None, (credit or {}).values()), strict=True)]
    shares = [[earned(one) for one in row] for row in rows]
    hits = None
    if search:
        numbers = _near([start for start, _ in search.places], window)
        spans = [search.places[n] for n in numbers]
        hits = Hits(search.query, spans, [n + 1 for n in numbers], len(search.places))
    return Passage(
        document=document.name,
        sides=len(sides),
        lines=list(lines(document, inside, window)),
        mentions=[text.label(d, coloured_by, tint_of) for d in inside],
        legend=legend(every, sides),
        hint=HINT,
        noun=noun,
        chosen=selected.span if selected else "",
        errors=[f"{start}-{end}" for start, end in (places[at] for at in near)],
        numbers=[at + 1 for at in near],
        n_errors=len(places),
        chains=text.chains(selected) if selected else [],
        credit=Credit(
            [letter for letter, explained in (credit or {}).items() if explained],
            [
                (name_of(row[0].metric), [share for share, _, _ in of_row])
                for row, of_row in zip(rows, shares, strict=True)
            ],
            [
                f"{' · '.join(in_percent for _, in_percent, _ in of_row)}. "
                + " ".join(dict.fromkeys(why for _, _, why in of_row))
                for of_row in shares
            ],
        ),
        strip=strip(extent(document, stops), [d.start for d in stops], window),
        entities=None
        if coloured_by is None and search is None
        else text.entities(coloured_by or KEY, tint_of, search, coloured=coloured_by is not None),
        hits=hits,
        walks=walks,
        antecedents=text.antecedents(selected) if selected and walks else "",
    )


def _near(starts: Sequence[int], window: Window, selected: Drawn | None = None) -> list[int]:
    """Which of the stops, by their starts, are in the window, or near to it or to the selected."""
    around = [(window.start, window.end)]
    around += [(selected.start, selected.start + 1)] if selected else []
    near: set[int] = set()
    for first, end in around:
        last = bisect_left(starts, end) + NEAR
        near |= {*range(max(0, bisect_left(starts, first) - NEAR), min(len(starts), last))}
    return sorted(near)


@dataclass(frozen=True)
class _Text:
    """A document with all its mentions, and what is told of them; see `passage`. An entity is
    named by its side and its number there."""

    document: Document
    every: Sequence[Drawn]
    sides: Sequence[str]
    names: Mapping[int, Mapping[int, str]]
    documents: Sequence[Document]

    @cached_property
    def members(self) -> Mapping[tuple[int, int], Sequence[Drawn]]:
        """The mentions of each entity, in text order."""
        return by_key(((side, d.entities[side]), d) for d in self.every for side in d.lines)

    @cached_property
    def several(self) -> Mapping[tuple[int, int], Sequence[int]]:
        """The split antecedents of entities that are drawn: the numbers of others of that side."""
        drawn = {of for d in self.every for of in enumerate(d.entities)}
        return {
            (side, own + 1): [one + 1 for one in several if (side, one + 1) in drawn]
            for side, document in enumerate(self.documents)
            for own, several in document.split_antecedents
            if (side, own + 1) in drawn
        }

    @cached_property
    def called(self) -> Mapping[tuple[int, int], str]:
        """What each split antecedent is called: its name, or its first mention."""
        wanted = {(side, one) for (side, _), elements in self.several.items() for one in elements}
        names = {}
        for d in reversed(self.every if wanted else ()):
            for of in wanted.intersection(enumerate(d.entities)):
                names[of] = self.names.get(of[0], {}).get(of[1]) or self.document.text(d.mention)
        return names

    def label(self, d: Drawn, coloured_by: int | None, tint_of: Mapping[int, Tint]) -> Label:
        """A mention: its label, and what became of it in words; of an entity with split
        antecedents also these."""
        status = STATUSES[d.kind]
        places = [
            f"{self._entity(of)} ({counted(len(self.members.get(of, ())), 'mention')})"
            for of in enumerate(d.entities)
            if of[1]
        ]
        first = self.sides[FIRST]
        explained = {
            SPAN_ERROR: f"these are {'the key' if KEY in d.lines else first}’s words; ",
            UNLINKED: f"{first} leaves it alone; ",
            INCORRECTLY_RESOLVED: f"none of its partners in {first} is correct; ",
        }
        says = f"{status.words}: {explained.get(d.kind, '')}{listed(places)}"
        antecedents = [[*self.several.get(of, ())] for of in enumerate(d.entities)]
        for side, elements in enumerate(antecedents):
            if elements:
                says += f" · {capital(self.sides[side])}: {self._refers(side, elements)}"
        tint = None
        if coloured_by is not None:
            of_side = d.entities[coloured_by] if coloured_by in d.lines else 0
            tint = tint_of.get(of_side, NO_TINT)
        return Label(
            d.span,
            d.mention.runs,
            self.document.text(d.mention),
            status.style,
            (status.letter, *_numbers(d)),
            d.entities,
            d.lines,
            says,
            tint,
            antecedents if any(antecedents) else [],
        )

    def _entity(self, entity: tuple[int, int]) -> str:
        whose, number = self.sides[entity[0]], entity[1]
        return f"key entity {number}" if whose == THE_KEY else f"entity {number} of {whose}"

    def _refers(self, side: int, elements: Sequence[int]) -> str:
        names = [self.called[side, one] for one in elements]
        return f"refers to {listed(names)}{' together' if len(names) > 1 else ''}"

    def chains(self, selected: Drawn) -> list[Chain]:
        """All mentions of the selected mention's entity, for each side, in text order; of one with
        split antecedents also the mention of each of these that is nearest before it."""
        chains = []
        for of in enumerate(selected.entities):
            side, entity = of
            members = self.members.get(of, []) if entity else []
            lacks = f"{self.sides[side]} has no such mention"
            title = capital(self._entity(of) if entity else lacks)
            size = counted(len(members), "mention") if members else ""
            elements = self.several.get(of, ())
            note = capital(self._refers(side, elements)) if elements else ""
            place = bisect_left([d.start for d in members], selected.start)
            first = max(0, min(place - MOST_MEMBERS // 2, len(members) - MOST_MEMBERS))
            shown = members[first : first + MOST_MEMBERS]
            if len(shown) < len(members):
                part = (
                    f"Shown: {first + 1:,} to {first + len(shown):,} of {len(members):,}, those "
                    "around the selected mention. Select the first or the last for those beyond."
                )
                note = f"{part} {note}".strip()
            chains.append(Chain(side, title, size, [*map(self._member, shown)], note))
            if elements:
                of_each = [
                    [d for d in self.every if d.entities[side] == element] for element in elements
                ]
                nearest = [
                    next((d for d in reversed(ds) if d.start < selected.start), ds[0])
                    for ds in of_each
                ]
                title = f"Split antecedents in {self.sides[side]}"
                size = counted(len(elements), "entity")
                chains.append(Chain(side, title, size, [*map(self._member, nearest)]))
        return chains

    def antecedents(self, selected: Drawn) -> str:
        """The mention before the selected one in its entity, on each side that has it."""
        before_it = []
        for side, entity in enumerate(selected.entities):
            members = self.members.get((side, entity), ()) if entity else ()
            before = [d for d in members if d.start < selected.start]
            if members:
                words = f"“{_brief(self.document.text(before[-1].mention))}”" if before else "none"
                before_it.append(f"{words} in {self.sides[side]}")
        return f"Antecedent: {', '.join(before_it)}" if before_it else ""

    def _member(self, d: Drawn) -> Member:
        status, line = STATUSES[d.kind], bisect_right(self.document.sentence_starts, d.start)
        return Member(d.span, self.document.text(d.mention), *status, line)

    def entities(
        self, side: int, tint_of: Mapping[int, Tint], search: Search | None, *, coloured: bool
    ) -> Entities:
        """The largest entities of a side and where in the document they are; if words are searched
        for, those with a mention that has them."""
        members = {entity: of for (at, entity), of in self.members.items() if at == side}
        ends = dict(search.places if search else ())
        wanted = {
            entity
            for entity, of in members.items()
            if (
                any(ends.get(at, d.end + 1) <= d.end for d in of for at in range(d.start, d.end))
                if search
                else len(of) > 1
            )
        }
        largest = sorted(wanted, key=lambda entity: (-len(members[entity]), entity))[:MOST_ROWS]
        n_words = extent(self.document, self.every)
        width = max(1, -(-n_words // STRETCHES))
        rows = []
        for entity in largest:
            own, first_at = members[entity], dict[int, str]()
            for d in own:
                first_at.setdefault(d.start // width, d.span)
            words = self.names.get(side, {}).get(entity) or self.document.text(own[0].mention)
            name = _brief(words)
            tint, ats = tint_of.get(entity, NO_TINT), list(first_at.values())
            rows.append(Row(tint, name, counted(len(own)), list(first_at), ats))
        what = f"with “{search.query}”" if search else "of several mentions"
        title = f"{counted(len(wanted), 'entity')} of {self.sides[side]} {what}"
        if len(largest) < len(wanted):
            title += f", the {len(largest)} largest"
        return Entities(title, rows, -(-n_words // width), coloured)


def _brief(words: str) -> str:
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1].rstrip()}…"


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


_SCRIPTS = ("entities.js", "words.js", "beside.js", "chosen.js", "passage.js")


def show_passage(
    passage: Passage,
    *,
    key: str,
    on_mention: Callable[[str], None] = lambda _: None,
    on_place: Callable[[int], None] = lambda _: None,
) -> None:
    """Draw a passage.

    on_mention  called with the mention that was clicked, or "" for none
    on_place    called with the word in another window that was
    """
    draw(
        "passage",
        "strip/strip.js",
        *(f"passage/{name}" for name in _SCRIPTS),
        key=key,
        css=["mentions.css", "strip/strip.css", "passage/passage.css"],
        data=asdict(passage),
        chosen=on_mention,
        place=on_place,
    )


def show_panels(
    panels: Panels,
    strip: Strip,
    *,
    key: str,
    metrics: Sequence[str],
    on_mention: Callable[[str | None], None],
    on_place: Callable[[int | None], None],
    on_metrics: Callable[[str | None], None],
) -> None:
    """Draw the strip of the document's losses, the bar of the selected mention and the panels.

    metrics     whose panels are drawn; all if empty
    on_mention  called with the mention that was clicked, or "" for none
    on_place    called with the first word of the stretch of the strip that was
    on_metrics  called with other metrics that are chosen
    """
    draw(
        "credit",
        "strip/strip.js",
        "credit/credit.js",
        key=key,
        css=["credit.css", "strip/strip.css"],
        data=asdict(panels) | {"strip": asdict(strip), "metrics": list(metrics)},
        mention=on_mention,
        place=on_place,
        metrics=on_metrics,
    )
