"""Writing JSON Lines in the shape of e2e-coref."""

import json
from collections.abc import Iterable
from typing import Any

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import more_than_spans, unwritable
from corescore.corpus.formats.json.attributes import OUR_FIELDS, attribute_fields
from corescore.corpus.formats.json.e2e import (
    GENRE,
    GOLD,
    LEMMAS,
    NAMED,
    NAMED_SPANS,
    PREDICTED,
    TAGS,
    e2e_document,
)
from corescore.corpus.formats.json.objects import Entry
from corescore.corpus.problems import InputError


def write_jsonl(corpus: Corpus) -> str:
    """One object a line: doc_key, sentences and clusters; speakers, pos, lemmas and genre if known.

    A document that was read as such a line, and has its words, keeps all other fields of the line,
    but for `predicted_clusters`: the clusters written are the only ones.

    Heads, minimum spans, types and split antecedents stand in fields of our own (see `attributes`),
    and `named_mentions` where words are only names of mentions, `named_spans` of named spans.
    Raises InputError for a document whose name or mentions a line cannot hold: discontinuous
    mentions, empty nodes.
    """
    problems = [
        problem
        for document in corpus
        for problem in (*unwritable(document), *more_than_spans(document))
    ]
    if problems:
        raise InputError(problems)
    return "".join(
        json.dumps(_line(document), ensure_ascii=False)
        + (document.original.newline if document.original else "\n")
        for document in corpus
    )


def _line(document: Document) -> dict[str, Any]:
    clusters = [[[m.start, m.end - 1] for m in entity] for entity in document.entities]
    return {**_text(document), GOLD: clusters, **attribute_fields(document)}


def _text(document: Document) -> dict[str, Any]:
    """All fields but those of the mentions: as they were read, if the text is still the same."""
    original = document.original
    if original is not None and original.format == "jsonl":
        values = json.loads(original.text)
        kept = {name: values[name] for name in values if name not in (PREDICTED, *OUR_FIELDS)}
        entry = Entry(document.file, 0, original.text, {**kept, GOLD: []}, 1, [])
        as_read = e2e_document(entry, GOLD)
        if _same_text(as_read, document):
            name = "doc_key" if "doc_key" in kept else "id"
            return kept if as_read.name == document.name else {**kept, name: document.name}
    return _plain_text(document)


def _same_text(one: Document, other: Document) -> bool:
    return _said_of_text(one) == _said_of_text(other)


def _said_of_text(document: Document) -> tuple[object, ...]:
    text = document.words, document.sentence_starts, document.speakers
    of_words = document.tags, document.lemmas
    return *text, *of_words, document.named_mentions, document.named_spans


def _plain_text(document: Document) -> dict[str, Any]:
    values: dict[str, Any] = {
        "doc_key": document.name,
        "sentences": [list(document.words[start:end]) for start, end in document.sentences],
    }
    if document.genre:
        values[GENRE] = document.genre
    if document.named_mentions:
        values[NAMED] = True
    if document.named_spans:
        spans = document.named_spans.items()
        values[NAMED_SPANS] = {name: [start, end - 1] for name, (start, end) in spans}
    if document.speakers:
        of_words: Iterable[tuple[str, int]] = (
            (speaker, end - start)
            for speaker, (start, end) in zip(document.speakers, document.sentences, strict=True)
        )
        values["speakers"] = [[speaker] * n for speaker, n in of_words]
    for field, given in ((TAGS, document.tags), (LEMMAS, document.lemmas)):
        if given:
            values[field] = [list(given[start:end]) for start, end in document.sentences]
    return values
