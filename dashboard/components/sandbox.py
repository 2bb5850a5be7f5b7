"""A toy as boxes of mentions: what sandbox.js draws, and the edits that it reports."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from corescore.analysis.errors.classes import CORRECT
from corescore.sentences.names import MENTION_WORDS
from corescore.teaching.toy import Entities, Toy, statuses
from dashboard.components.mentions import STATUSES
from dashboard.components.page import draw

LETTERS = {status: STATUSES[status].letter for status in MENTION_WORDS} | {CORRECT: ""}
HINT = (
    "Drag a mention into another box, or an entity’s number onto another entity to merge them. "
    "Keys: arrows move between mentions, Enter picks up and drops, Escape cancels, S splits, "
    "Delete leaves out."
)


@dataclass(frozen=True)
class Word:
    """A word of the sentence, the mentions that open before it, how many close after it."""

    text: str
    opens: tuple[str, ...]
    closes: int


@dataclass(frozen=True)
class Chip:
    """A mention: its words, its status, and its entity on either side; −1 is none."""

    words: str
    style: str
    status: str
    letter: str
    key: int
    response: int


@dataclass(frozen=True)
class Side:
    """The entities of key or response, and the mentions that it lacks."""

    id: str
    title: str
    entities: Entities
    lacks: tuple[str, ...]
    lacking: str


@dataclass(frozen=True)
class Sample:
    """An entry of the legend."""

    style: str
    letter: str
    status: str
    meaning: str


@dataclass(frozen=True)
class Boxes:
    """What sandbox.js draws.

    news      what screen readers read out
    taken     the number of the last edit that was taken over; those up to it may be reported again
    is_dense  whether the boxes are drawn close together; they always are if there are many mentions
    """

    words: tuple[Word, ...]
    mentions: dict[str, Chip]
    sides: tuple[Side, Side]
    legend: tuple[Sample, ...]
    hint: str
    news: str
    taken: int
    is_dense: bool


def sandbox_boxes(boxes: Boxes, *, key: str, on_edits: Callable[[Any], None]) -> None:
    """Draw a toy; `on_edits` is called with the edits that are made."""
    draw(
        "sandbox",
        *(f"sandbox/{name}.js" for name in ("boxes", "outbox", "sandbox")),
        key=key,
        css=["sandbox/sandbox.css"],
        data=asdict(boxes),
        edits=on_edits,
    )


def boxes_of(toy: Toy, *, news: str, taken: int = 0, is_dense: bool = False) -> Boxes:
    """The toy as it is drawn."""
    return Boxes(
        words=_words(toy),
        mentions=_chips(toy),
        sides=(
            Side("key", "Key", toy.key, toy.spurious, "not in the key"),
            Side("response", "Response", toy.response, toy.missing, "missing"),
        ),
        legend=tuple(
            Sample(_style(status), LETTERS[status], status, meaning)
            for status, meaning in MENTION_WORDS.items()
        ),
        hint=HINT,
        news=news,
        taken=taken,
        is_dense=is_dense,
    )


def _style(status: str) -> str:
    return status.replace(" ", "-")


def _chips(toy: Toy) -> dict[str, Chip]:
    key, response = (
        {mention: number for number, entity in enumerate(side) for mention in entity}
        for side in (toy.key, toy.response)
    )
    return {
        mention: Chip(
            toy.sentence.said(mention),
            _style(status),
            status,
            LETTERS[status],
            key.get(mention, -1),
            response.get(mention, -1),
        )
        for mention, status in statuses(toy).items()
    }


def _words(toy: Toy) -> tuple[Word, ...]:
    places = toy.sentence.mentions
    return tuple(
        Word(
            word,
            tuple(name for name, place in places.items() if place.start == at),
            sum(place.end == at + 1 for place in places.values()),
        )
        for at, word in enumerate(toy.sentence.words)
    )
