"""Baseline systems that get the mentions of the key, or of a response, and group them by a rule."""

from collections.abc import Callable, Hashable, Iterator

import numpy as np

from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.english import head_position
from corescore.corpus.problems import choose
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import Policies, Words
from corescore.counting.words import with_words_of


def baseline(
    key: Corpus, *, kind: str, mentions_of: Corpus | None = None, words: Words = "error"
) -> Corpus:
    """A response with the key's mentions, grouped by one of BASELINES.

    singletons   each mention is an entity of its own
    one-entity   all mentions of a document are one entity
    same-string  mentions with the same words, ignoring case, are one entity
    same-head    mentions with the same head are one entity; the head of an English phrase is the
                 last word before the first preposition, relative pronoun or comma

    mentions_of  a response to the key: its mentions are grouped instead of the key's
    words        as in `corescore.score`: of key and response

    Raises PolicyError for an unknown kind, InputError for a response that does not fit the key.
    """
    group = BASELINES[choose("kind", kind, BASELINES)]
    documents = key if mentions_of is None else _over_key_words(key, mentions_of, words)
    return Corpus(tuple(_grouped(document, group) for document in documents))


def _over_key_words(key: Corpus, response: Corpus, words: Words) -> Iterator[Document]:
    """The response's documents; those without words over the words of their keys."""
    pairing = pair_documents(key, response, Policies(words=words))
    key_of = {own.name: of for of, own in zip(pairing.key, pairing.response, strict=True)}
    for document in response:
        yield with_words_of(key_of.get(document.name, document), document)


def without_singletons(corpus: Corpus) -> Corpus:
    """The corpus without its entities of one mention."""
    return Corpus(tuple(map(_linked, corpus)))


def _linked(document: Document) -> Document:
    size = np.bincount(document.entity_of, minlength=document.n_entities)
    stays = np.flatnonzero(size[document.entity_of] > 1)
    attributes = document.attributes and document.attributes.take(stays)
    return document.with_entities(document.rows[stays], attributes)


def _grouped(document: Document, group: Callable[[Document, Mention], Hashable]) -> Document:
    first = {mention: at for at, mention in reversed([*enumerate(document.mentions)])}
    rows = np.array(sorted(first.values()), dtype=np.int64)
    mentions = [document.mentions[at] for at in rows.tolist()]
    return document.with_entities(
        [(m.start, m.end, group(document, m)) for m in mentions],
        document.attributes and document.attributes.take(rows),
    )


def _itself(document: Document, mention: Mention) -> Hashable:
    return mention


def _anything(document: Document, mention: Mention) -> Hashable:
    return document.name


def _string(document: Document, mention: Mention) -> Hashable:
    return document.text(mention).lower()


def _head(document: Document, mention: Mention) -> Hashable:
    words = document.words[mention.start : mention.end]
    return words[head_position(words)].lower()


BASELINES: dict[str, Callable[[Document, Mention], Hashable]] = {
    "singletons": _itself,
    "one-entity": _anything,
    "same-string": _string,
    "same-head": _head,
}
