"""Which mentions of a document a passage draws, and with which status."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pandas as pd

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
from corescore.analysis.perturbation.sweep import ADDED, KEPT, MOVED, REMOVED
from corescore.corpus.documents import Document, Mention, Pieces
from corescore.corpus.english import UNKNOWN
from corescore.rendering.html import Window
from dashboard.components.page import Strip

KEY, FIRST, SECOND = range(3)  # the sides, in the order of their lines


class Status(NamedTuple):
    """How a mention's status is shown: name of its style, its letter, its name in words."""

    style: str
    letter: str
    words: str


_LOOKS = {
    CORRECT: ("correct", "c"),
    UNLINKED: ("unlinked", "u"),
    INCORRECTLY_RESOLVED: ("wrong", "i"),
    SPAN_ERROR: ("off", "o"),
    MISSING: ("missing", "m"),
    SPURIOUS: ("spurious", "s"),
    DUPLICATED: ("twice", "d"),
    BOTH_CORRECT: ("correct", "c"),
    ONLY_A: ("only-a", "a"),
    ONLY_B: ("only-b", "b"),
    BOTH_WRONG: ("wrong", "w"),
    KEPT: ("correct", "k"),
    REMOVED: ("missing", "x"),
    ADDED: ("spurious", "n"),
    MOVED: ("wrong", "m"),
}
STATUSES: Mapping[str, Status] = {
    kind: Status(*looks, "new" if kind == ADDED else kind) for kind, looks in _LOOKS.items()
}

ERRORS = frozenset(kind for kind, status in STATUSES.items() if status.style != "correct")

DIFFERENCES = (ONLY_A, ONLY_B)

THE_KEY = "the key"

BEFORE_AND_AFTER = ("the output before", "the output after")


@dataclass(frozen=True)
class Drawn:
    """A span with lines under it.

    kind      its status: a key of STATUSES
    type      pronoun, name, nominal or unknown
    entities  its entity on each side, counted from 1; 0 is none
    lines     the sides that have it with this span; a span that is off is drawn twice
    pieces    of a discontinuous mention; () of every other
    """

    start: int
    end: int
    kind: str
    type: str
    entities: tuple[int, ...]
    lines: tuple[int, ...]
    pieces: Pieces = ()

    @property
    def mention(self) -> Mention:
        """The words that it has."""
        return Mention(self.start, self.end, self.pieces)

    @property
    def span(self) -> str:
        """How the page and the URL name it."""
        return f"{self.start}-{self.end}"

    @property
    def is_error(self) -> bool:
        """Whether the next-error key stops here: of a span that is off only at the key's."""
        again = self.kind == SPAN_ERROR and KEY not in self.lines
        return self.kind in ERRORS and not again

    def shares(self, other: "Drawn") -> bool:
        """Whether any side has both in one entity."""
        both = zip(self.entities, other.entities, strict=True)
        return any(own and own == others for own, others in both)


def of_one_system(table: pd.DataFrame) -> tuple[Drawn, ...]:
    """What is drawn of the rows of a `mention_table` for one document, in text order."""
    columns = ["start", "end", "class", "type", "key_entity", "response_entity"]
    drawn = []
    is_off = has_two_spans(table)
    for off, (start, end, kind, type_, *entities) in zip(
        is_off, _rows(table, columns), strict=True
    ):
        lines = (KEY,) if off else _sides(entities)
        drawn.append(Drawn(start, end, kind, type_, tuple(entities), lines))
    columns[:2] = ["response_start", "response_end"]
    drawn += [
        Drawn(start, end, kind, type_, tuple(entities), (FIRST,))
        for start, end, kind, type_, *entities in _rows(table[is_off], columns)
    ]
    return tuple(sorted(drawn, key=lambda one: (one.start, -one.end)))


def has_two_spans(table: pd.DataFrame) -> "pd.Series[bool]":
    """Which rows of a `mention_table` have other words in the response than in the key: span
    errors, perhaps only by their gaps, and mentions that match otherwise than exactly."""
    moved = table["response_start"].ne(table["start"]) | table["response_end"].ne(table["end"])
    moved = table["response_start"].notna() & moved.fillna(False).astype(bool)
    return moved | table["class"].eq(SPAN_ERROR)


def has_span(table: pd.DataFrame, start: int, end: int) -> "pd.Series[bool]":
    """Which rows of a `mention_table` have this span on either side."""
    in_key = table["start"].eq(start) & table["end"].eq(end)
    in_response = table["response_start"].eq(start) & table["response_end"].eq(end)
    return in_key | in_response.fillna(False).astype(bool)


def with_pieces(drawn: Iterable[Drawn], documents: Sequence[Document]) -> tuple[Drawn, ...]:
    """The mentions with the pieces that they have in the documents, one for each side."""
    if all(document.attributes is None for document in documents):
        return tuple(drawn)
    return tuple(
        replace(d, pieces=documents[d.lines[0]].mention(d.start, d.end).pieces) for d in drawn
    )


def of_two_systems(table: pd.DataFrame) -> tuple[Drawn, ...]:
    """What is drawn of the rows of an `outcome_table` for one document, in text order."""
    columns = ["start", "end", "outcome", "type", "key_entity", "a_entity", "b_entity"]
    return tuple(
        Drawn(start, end, kind, type_, tuple(entities), _sides(entities))
        for start, end, kind, type_, *entities in _rows(table, columns)
    )


def of_changes(table: pd.DataFrame) -> tuple[Drawn, ...]:
    """What is drawn of the rows of `sweep.mention_changes`, in text order."""
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


def find(drawn: Sequence[Drawn], span: tuple[int, int] | None) -> Drawn | None:
    """The mention of that span, the first if there are several."""
    return next((d for d in drawn if (d.start, d.end) == span), None)


def kept(
    drawn: Sequence[Drawn],
    *,
    kinds: Collection[str] = (),
    type_: str | None = None,
    entity: int | None = None,
    spans: Collection[tuple[int, int]] | None = None,
    selected: Drawn | None = None,
    of_selected: bool = False,
) -> tuple[Drawn, ...]:
    """What passes the filters; the selected mention always does.

    kinds      statuses; none means all
    type_      a mention type
    entity     a key entity's number
    spans      first words and ends; None means all
    of_selected  only what shares an entity with the selected mention
    """
    return tuple(
        d
        for d in drawn
        if d is selected
        or (
            (not kinds or d.kind in kinds)
            and type_ in (None, d.type)
            and entity in (None, d.entities[KEY])
            and (spans is None or (d.start, d.end) in spans)
            and (not of_selected or selected is None or d.shares(selected))
        )
    )


def entity_names(document: Document, drawn: Sequence[Drawn]) -> dict[int, str]:
    """A name for each key entity: its number and the words of its first mention."""
    names: dict[int, str] = {}
    for d in drawn:
        if KEY in d.lines and d.entities[KEY] not in names:
            words = document.text(d.mention)
            short = words if len(words) <= 32 else f"{words[:30]}…"
            names[d.entities[KEY]] = f"{d.entities[KEY]}: {short}"
    return dict(sorted(names.items()))


def extent(document: Document, drawn: Iterable[Drawn]) -> int:
    """How many words the document has; a file of two columns may have none but its mentions'."""
    return len(document.words) or max((d.end for d in drawn), default=0)


def window_of(pieces: Sequence[Window], word: int) -> int:
    """The number of the window that has the word, counted from 1."""
    return max(1, bisect_right([window.start for window in pieces], word))


# The records that passage.js draws: a window on a document with its mentions ----------------------

Mark = tuple[str, str, str]  # the letter of a status, the entity of the key, that of the response


@dataclass(frozen=True)
class Word:
    """A word, the mentions that start at it, and its lanes: for each line under it the mention
    that the line belongs to, or −1. The shorter of two nested mentions is nearer to the text.
    `about` says of a word that is not in the text what it is."""

    text: str
    starts: list[int]
    lanes: list[int]
    about: str = ""


@dataclass(frozen=True)
class Line:
    """A sentence, or what the window has of it."""

    number: int
    start: int
    end: int
    speaker: str
    words: list[Word]


@dataclass(frozen=True)
class Tint:
    """How an entity is told apart: its letter ("" for none), the number of its colour (−1 for none)
    and that of its pattern."""

    letter: str
    colour: int
    pattern: int


@dataclass(frozen=True)
class Label:
    """A mention: where it is, how it is marked, and what screen readers read out; where the text
    is coloured by entity, how its entity is told apart; and of each side the entities to which its
    own refers together, if any does."""

    span: str
    runs: Pieces
    text: str
    style: str
    mark: Mark
    entities: tuple[int, ...]
    lines: tuple[int, ...]
    says: str
    tint: Tint | None = None
    antecedents: Sequence[Sequence[int]] = ()


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

    span: str
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
    """One row per metric: its name, the share that each response that has the mention earns (or
    one response towards recall and precision) as a fraction, and why, with the share in percent."""

    letters: list[str]
    rows: list[tuple[str, list[str]]]
    reasons: list[str]


@dataclass(frozen=True)
class Row:
    """An entity over the whole document.

    stretches  in which of `STRETCHES` stretches of the document it has a mention
    ats        the first of its mentions in each of them
    """

    tint: Tint
    name: str
    size: str
    stretches: list[int]
    ats: list[str]


@dataclass(frozen=True)
class Entities:
    """Entities at a glance.

    title     whose they are, and how many are left out
    coloured  whether the text is coloured by entity
    """

    title: str
    rows: list[Row]
    n_stretches: int
    coloured: bool


@dataclass(frozen=True)
class Hits:
    """Words that were searched for: the spans near the window, their numbers in the document from
    1, and how many there are."""

    query: str
    places: list[tuple[int, int]]
    numbers: list[int]
    n: int


@dataclass(frozen=True)
class Passage:
    """A window on a document.

    sides   how many there are
    noun    what the next-error key stops at: "error", "difference" or "change"
    errors  where these are: those in the window and near to it or to the selected mention
    numbers their numbers in the document, from 1; n_errors: how many the document has
    chosen  the mention that is selected; empty if there is none
    antecedents  of the selected mention, on each side that has it, in words
    walks   whether the strip, the buttons and the keys n and p lead through the document; not where
            the passage is part of something that has keys of its own
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
    numbers: list[int]
    n_errors: int
    chains: list[Chain]
    credit: Credit
    strip: Strip
    entities: Entities | None = None
    hits: Hits | None = None
    walks: bool = True
    antecedents: str = ""
