"""A toy as plain values for sandbox.js. No Streamlit here."""

from typing import Any

from corescore.analysis.errors.mentions import (
    INCORRECTLY_RESOLVED,
    MISSING,
    RIGHT,
    SPURIOUS,
    UNLINKED,
)
from corescore.sentences.names import MENTION_WORDS
from corescore.teaching.toy.links import statuses
from corescore.teaching.toy.toy import Toy

LETTERS = {RIGHT: "", UNLINKED: "u", INCORRECTLY_RESOLVED: "i", MISSING: "m", SPURIOUS: "s"}
HINT = (
    "Drag a mention into another box, or an entity’s number onto another entity to merge them. "
    "Keys: arrows walk, Enter picks up and drops, Escape cancels, S splits, Delete leaves out."
)


def values(toy: Toy, *, news: str) -> dict[str, Any]:
    """What sandbox.js draws, and the news that it has read out to those who cannot see it."""
    key, response = (
        {mention: number for number, entity in enumerate(side) for mention in entity}
        for side in (toy.key, toy.response)
    )
    return {
        "words": _words(toy),
        "mentions": {
            mention: {
                "words": toy.sentence.said(mention),
                "status": status.replace(" ", "-"),
                "statusWords": status,
                "letter": LETTERS[status],
                "key": key.get(mention, -1),
                "response": response.get(mention, -1),
            }
            for mention, status in statuses(toy).items()
        },
        "sides": [
            _side("key", "Key", toy.key, "not in the key", toy.spurious),
            _side("response", "Response", toy.response, "missing", toy.missing),
        ],
        "legend": [
            [status.replace(" ", "-"), LETTERS[status], status, meaning]
            for status, meaning in MENTION_WORDS.items()
        ],
        "hint": HINT,
        "news": news,
    }


def _side(
    name: str,
    title: str,
    entities: tuple[tuple[str, ...], ...],
    out_title: str,
    out: tuple[str, ...],
) -> dict[str, Any]:
    return {
        "id": name,
        "title": title,
        "entities": [list(entity) for entity in entities],
        "outTitle": out_title,
        "out": list(out),
    }


def _words(toy: Toy) -> list[list[Any]]:
    """[word, the mentions that open before it, how many close after it]."""
    places = toy.sentence.mentions
    return [
        [
            word,
            [name for name, place in places.items() if place.start == at],
            sum(place.end == at + 1 for place in places.values()),
        ]
        for at, word in enumerate(toy.sentence.words)
    ]
