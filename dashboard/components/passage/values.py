"""The records that passage.js draws: a window on a document with its mentions."""

from dataclasses import dataclass

from corescore.corpus.documents import Pieces
from dashboard.components.strip.strip import Strip

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
class Tint:
    """How an entity is told apart: its letter ("" for none), the number of its colour (−1 for none)
    and that of its pattern."""

    letter: str
    colour: int
    pattern: int


@dataclass(frozen=True)
class Label:
    """A mention: where it is, how it is marked, and what screen readers read out; and, where the
    text is coloured by entity, how its entity is told apart."""

    at: str
    runs: Pieces
    text: str
    style: str
    mark: Mark
    entities: tuple[int, ...]
    lines: tuple[int, ...]
    says: str
    tint: Tint | None = None


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
    """A row for each metric: its name, what each response that has the mention earns (or one
    response towards recall and precision), and why."""

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
class Found:
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
    found: Found | None = None
    walks: bool = True
