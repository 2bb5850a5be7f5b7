"""What the kinds of errors are called on a page."""

from corescore.analysis.errors.mentions import SPAN_ERROR
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
)

# Each kind: its name in the plural, what it is, and what fixes it ({} is the mention aimed at).
WORDS = {
    SPAN_ERROR: ("span errors", "a mention with other words than in the key", "make it “{}”"),
    CONFLATED_ENTITIES: ("conflated entities", "parts of two key entities in one", "split it off"),
    EXTRA_MENTION: ("extra mentions", "in an entity that is otherwise in the key", "remove it"),
    EXTRA_ENTITY: ("extra entities", "no mention of it is in the key", "remove it"),
    MISSING_MENTION: ("missing mentions", "of an entity found in part", "add it beside “{}”"),
    MISSING_ENTITY: ("missing entities", "no mention of it was found", "add it"),
    DIVIDED_ENTITY: (
        "divided entities",
        "a key entity in several parts",
        "join it with “{}”",
    ),
}
NAMES = {kind: words[0] for kind, words in WORDS.items()}
