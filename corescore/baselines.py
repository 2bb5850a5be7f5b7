"""Boundary systems and two simple ones, all on the key's own mentions."""

from collections.abc import Callable, Hashable

from corescore.documents import Corpus, Document, Mention
from corescore.problems import choose

# A phrase's head stands before what follows it: a preposition, a relative pronoun, a comma.
_PREPOSITIONS = (
    *("about", "after", "at", "before", "behind", "beside", "between", "by", "during", "for"),
    *(
        "from",
        "in",
        "into",
        "near",
        "of",
        "on",
        "over",
        "through",
        "to",
        "under",
        "with",
        "without",
    ),
)
_RELATIVES = ("that", "when", "where", "which", "who", "whom", "whose")
_AFTER_THE_HEAD = frozenset((*_PREPOSITIONS, *_RELATIVES, ",", ";", ":", "(", "-"))
_POSSESSIVE = frozenset(("'s", "’s", "'", "’"))


def baseline(key: Corpus, *, kind: str) -> Corpus:
    """A response that has the key's mentions and groups them by a rule; ids of BASELINES.

    singletons   each mention is an entity of its own
    one-entity   all mentions of a document are one entity
    same-string  mentions of the same words are one entity, whatever their case
    same-head    mentions of the same head are one entity; the head of an English phrase is taken
                 to be the last word before the first preposition, relative pronoun or comma

    Raises PolicyError for an unknown kind.
    """
    group = BASELINES[choose("kind", kind, BASELINES)]
    return Corpus(tuple(_grouped(document, group) for document in key))


def _grouped(document: Document, group: Callable[[Document, Mention], Hashable]) -> Document:
    mentions = dict.fromkeys(document.mentions)
    return document.with_entities((m.start, m.end, group(document, m)) for m in mentions)


def _itself(document: Document, mention: Mention) -> Hashable:
    return mention


def _anything(document: Document, mention: Mention) -> Hashable:
    return document.name


def _string(document: Document, mention: Mention) -> Hashable:
    return document.text(mention).lower()


def _head(document: Document, mention: Mention) -> Hashable:
    words = [word.lower() for word in document.words[mention.start : mention.end]]
    cuts = (at for at, word in enumerate(words) if at and word in _AFTER_THE_HEAD)
    before = words[: next(cuts, len(words))]
    return next((word for word in reversed(before) if word not in _POSSESSIVE), before[-1])


BASELINES: dict[str, Callable[[Document, Mention], Hashable]] = {
    "singletons": _itself,
    "one-entity": _anything,
    "same-string": _string,
    "same-head": _head,
}
