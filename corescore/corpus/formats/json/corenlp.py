"""The JSON of Stanford CoreNLP, also through Stanza's client: `sentences` of tokens, and `corefs`.

A mention is `sentNum`, `startIndex` and `endIndex`; all count from 1, the end is exclusive. Its
`headIndex` and `type` are kept. Lost: which mention represents its entity, number, gender.

Source: https://stanfordnlp.github.io/CoreNLP/coref.html
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.english import NAME, NOMINAL, PRONOUN
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.fields import (
    name_or_number,
    starts_of,
    warn_of_other_texts,
    whole_numbers,
)
from corescore.corpus.formats.json.objects import Entry, has_fields, read_objects
from corescore.corpus.mentions import Attributes

_TYPES = {"PRONOMINAL": PRONOUN, "PROPER": NAME, "NOMINAL": NOMINAL, "LIST": "list"}


@dataclass(frozen=True)
class _Found:
    """A mention, positions in the document and half-open."""

    start: int
    end: int
    entity: str
    head: int
    type: str
    text: object


def read_corenlp(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return read_objects(text, file, _documents)


def _documents(entry: Entry) -> Iterable[Document]:
    sentences = _sentences(entry)
    tokens = [token for sentence in sentences for token in sentence]
    words = [token["word"] for token in tokens]
    tags, lemmas = (_texts(tokens, field) for field in ("pos", "lemma"))
    starts = starts_of(sentences)
    found = _mentions(entry, sentences, starts)
    texts = [(" ".join(words[o.start : o.end]), o.text) for o in found if o.text is not None]
    warn_of_other_texts(entry, "text", *(zip(*texts, strict=True) if texts else ((), ())))
    yield Document.of_rows(
        name_or_number(entry, "docId"),
        [(one.start, one.end, one.entity) for one in found],
        words=words,
        sentence_starts=[at for at, tokens in zip(starts, sentences, strict=True) if tokens],
        tags=tags if any(tags) else (),
        lemmas=lemmas if any(lemmas) else (),
        file=entry.file,
        lines=np.full(len(words), entry.line),
        attributes=Attributes.of(
            len(found), head=[one.head for one in found], mention_type=[one.type for one in found]
        ),
    )


def _texts(tokens: Iterable[Mapping[str, object]], field: str) -> list[str]:
    """What a field says of each word; "" where it is no text."""
    values = (token.get(field) for token in tokens)
    return [value if isinstance(value, str) else "" for value in values]


def _sentences(entry: Entry) -> list[list[dict[str, Any]]]:
    given = entry.values.get("sentences")
    sentences = [
        one.get("tokens") if isinstance(one, dict) else None
        for one in (given if isinstance(given, list) else [None])
    ]
    good = all(
        isinstance(tokens, list)
        and all(isinstance(t, dict) and isinstance(t.get("word"), str) for t in tokens)
        for tokens in sentences
    )
    entry.require(
        good,
        "sentences in another shape",
        "'sentences', a list of {'tokens': [{'word': …}, …]}",
        "Let CoreNLP write JSON with the annotators tokenize, ssplit and coref.",
    )
    return [tokens for tokens in sentences if isinstance(tokens, list)]


def _mentions(
    entry: Entry, sentences: Sequence[Sequence[object]], starts: Sequence[int]
) -> list[_Found]:
    chains = entry.values.get("corefs")
    good = isinstance(chains, dict) and all(isinstance(chain, list) for chain in chains.values())
    expected = "'corefs', an object of lists of mentions"
    entry.require(good, "corefs in another shape", expected, "Write {} where there are none.")
    every = chains.items() if isinstance(chains, dict) else ()
    return [
        _mention(entry, mention, entity, sentences, starts)
        for entity, chain in every
        for mention in chain
    ]


def _mention(
    entry: Entry,
    mention: Mapping[str, Any],
    entity: str,
    sentences: Sequence[Sequence[object]],
    starts: Sequence[int],
) -> _Found:
    names = ("sentNum", "startIndex", "endIndex")
    places = [mention.get(name) for name in names] if isinstance(mention, dict) else []
    sentence, start, end = places if whole_numbers(places, 3) else (0, 0, 0)
    entry.require(
        0 < sentence <= len(sentences) and 0 < start < end <= len(sentences[sentence - 1]) + 1,
        f"a mention of entity {entity[:40]} with {', '.join(names)} {str(places)[:60]}",
        "a sentence of the document, and words of it, the end after the mention",
        "Count sentences, and the words of each, from 1.",
    )
    before = starts[sentence - 1] - 1
    head = mention.get("headIndex")
    kind = mention.get("type")
    return _Found(
        before + start,
        before + end,
        entity,
        before + head if isinstance(head, int) and start <= head < end else -1,
        _TYPES.get(kind, "") if isinstance(kind, str) else "",
        mention.get("text"),
    )


def _fits(text: str) -> bool:
    return has_fields(text, "sentences", "corefs")


CORENLP = Format(id="corenlp", title="CoreNLP JSON", suffixes=(), fits=_fits, read=read_corenlp)
