"""The records that passage.js draws: a window on a document with its mentions."""

from dataclasses import dataclass

from corescore.corpus.mentions import Pieces

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
    errors  where these are: those in the window and near to it or to the selected mention
    numbers their numbers in the document, from 1; n_errors: how many the document has
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
    numbers: list[int]
    n_errors: int
    chains: list[Chain]
    credit: Credit
    strip: Strip
