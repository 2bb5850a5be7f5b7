"""Which mentions of two paired documents are scored, under the policy `mentions`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from corescore.arrays import BoolArray
from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_parses import Brackets, parses_of
from corescore.corpus.mentions import Mention
from corescore.counting.policies import Mentions

_VERB_PHRASE = "VP"


Both = tuple[Document, Document]


def with_scored_mentions(pairs: Sequence[Both], mentions: Mentions) -> list[Both]:
    """Key and response of each document, over the same positions, with the mentions scored.

    np-only         no mention that is a verb phrase in the parse of the key, and no entity that
                    has fewer than two mentions left for it. coval, `NP_only`
    without-nested  no mention inside another of its entity. coval, `remove_nested`

    Raises InputError under np-only for keys without a parse.
    """
    if mentions == "all":
        return [*pairs]
    if mentions == "without-nested":
        return [(_without_nested(key), _without_nested(response)) for key, response in pairs]
    parses = parses_of(key for key, _ in pairs)
    return [
        (_without_verb_phrases(key, parse), _without_verb_phrases(response, parse))
        for (key, response), parse in zip(pairs, parses, strict=True)
    ]


def _without_verb_phrases(document: Document, parse: Sequence[Brackets]) -> Document:
    spans = document.spans.tolist()
    is_phrase = np.array([is_verb_phrase(parse[start:end]) for start, end in spans], dtype=bool)
    n = document.n_entities
    n_left = np.bincount(document.entity_of[~is_phrase], minlength=n)
    n_lost = np.bincount(document.entity_of[is_phrase], minlength=n)
    goes = (n_lost > 0) & (n_left < 2)
    return _keep(document, ~is_phrase & ~goes[document.entity_of])


def is_verb_phrase(parse: Sequence[Brackets]) -> bool:
    """Whether a span is a verb phrase, by the brackets of its own words alone.

    So it is if one begins at its first word, is the outermost that does, and is still open at
    every other; it may end after the span.
    """
    if not parse or parse[0].opened[:1] != (_VERB_PHRASE,):
        return False
    n_open = np.cumsum([len(opened) - n_closed for opened, n_closed in parse[:-1]])
    return bool((n_open > 0).all())


def _without_nested(document: Document) -> Document:
    kept = np.ones(len(document.rows), dtype=bool)
    mentions, entities = document.mentions, document.entity_of.tolist()
    order = sorted(range(len(mentions)), key=lambda at: (entities[at], *_outer_first(mentions[at])))
    for _, members in groupby(order, key=entities.__getitem__):
        around: list[Mention] = []
        for at in members:
            mention = mentions[at]
            around = [other for other in around if other.end > mention.start]
            kept[at] = not any(_is_inside(mention, other) for other in around)
            around.append(mention)
    return _keep(document, kept)


def _outer_first(mention: Mention) -> tuple[int, int, int]:
    return mention.start, -mention.end, -sum(end - start for start, end in mention.runs)


def _is_inside(mention: Mention, other: Mention) -> bool:
    return mention != other and all(
        any(start <= own_start and own_end <= end for start, end in other.runs)
        for own_start, own_end in mention.runs
    )


def _keep(document: Document, kept: BoolArray) -> Document:
    """The document with these of its mentions; its entities are numbered anew."""
    if kept.all():
        return document
    old = document.entity_of[kept].tolist()
    number = {entity: new for new, entity in enumerate(dict.fromkeys(old))}
    rows = document.rows[kept]
    rows[:, 2] = [number[entity] for entity in old]
    order = np.lexsort((rows[:, 2], -rows[:, 1], rows[:, 0]))
    attributes = document.attributes
    return replace(
        document,
        rows=rows[order],
        attributes=attributes.take(np.flatnonzero(kept)[order]) if attributes is not None else None,
        split_antecedents=tuple(
            (number[entity], tuple(number[one] for one in antecedents))
            for entity, antecedents in document.split_antecedents
            if {entity, *antecedents} <= number.keys()
        ),
        listed=tuple(number[entity] for entity in document.listed if entity in number),
    )
