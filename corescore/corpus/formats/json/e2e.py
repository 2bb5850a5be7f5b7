"""A document as e2e-coref and the systems after it have it: an object with words and clusters.

Source: https://github.com/kentonl/e2e-coref and https://github.com/mandarjoshi90/coref
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from sys import intern

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.formats.json.attributes import read_attributes, read_split_antecedents
from corescore.corpus.formats.json.fields import (
    document_name,
    sentences_of,
    starts_of,
    whole_numbers,
    words_of,
)
from corescore.corpus.formats.json.objects import Entry
from corescore.corpus.formats.json.spans import Ends, rows_of
from corescore.corpus.formats.json.subtokens import in_words
from corescore.corpus.mentions import Original

GOLD, PREDICTED = "clusters", "predicted_clusters"
WORDS = "sentences", "tokens"
TAGS, LEMMAS = "pos", "lemmas"  # the second is a field of our own
# An object with one of these has words, or positions of something else than words
_OF_WORDS = frozenset((*WORDS, "document", "text", "words", "subtoken_map", "named_mentions"))
# Fields of our own: true where words are only names of mentions; {name: [start, last]} of spans
NAMED, NAMED_SPANS = "named_mentions", "named_spans"
GENRE = "genre"  # of the document, if it is a text


def e2e_document(
    entry: Entry, field: str, *, ends: Ends = "inclusive", join_subtokens: bool = False
) -> Document:
    """The document of an object, with the clusters of this field.

    An object without words gives a document without: what else it says of words is left out.
    """
    name = document_name(entry, "doc_key", "id")
    if not join_subtokens and entry.values.keys().isdisjoint(_OF_WORDS):
        return _wordless(entry, name, field, ends)
    sentences = _sentences(entry)
    words = [*chain.from_iterable(sentences)]
    joined = in_words(entry, sentences, words, join=join_subtokens)
    if joined is not None:
        entry, sentences = replace(entry, values=joined), joined["sentences"]
        words = [*chain.from_iterable(sentences)]
    starts = starts_of(sentences)
    full = [i for i, sentence in enumerate(sentences) if sentence]
    speakers = _speakers(entry, sentences)
    tags = _of_words(entry, TAGS, sentences, "a part of speech", ("-", "_", "*"))
    lemmas = _of_words(entry, LEMMAS, sentences, "a lemma", ("_",))
    rows = rows_of(entry, field, words, ends)
    ours = field == GOLD and ends == "inclusive"
    return Document.of_rows(
        name,
        rows,
        words=words,
        sentence_starts=[starts[i] for i in full],
        speakers=[speakers[i] for i in full] if any(speakers) else (),
        tags=tags if any(tags) else (),
        lemmas=lemmas if any(lemmas) else (),
        named_mentions=entry.values.get(NAMED) is True,
        file=entry.file,
        lines=np.full(len(words), entry.line),
        attributes=read_attributes(entry, len(words)) if ours else None,
        split_antecedents=read_split_antecedents(entry) if ours else (),
        named_spans=_named_spans(entry, len(words)),
        original=Original.of("jsonl", entry.text, name, entry.line) if joined is None else None,
        genre=_genre(entry),
    )


def _wordless(entry: Entry, name: str, field: str, ends: Ends) -> Document:
    entry.warn_once("a document without words: its clusters alone are read (told once of a file).")
    original = Original.of("jsonl", entry.text, name, entry.line)
    return Document.of_rows(
        name,
        rows_of(entry, field, None, ends),
        file=entry.file,
        lines=np.array([entry.line]),
        original=original if ends == "inclusive" else None,  # by which its ends are known later
        genre=_genre(entry),
    )


def _genre(entry: Entry) -> str:
    given = entry.values.get(GENRE)
    return given.strip() if isinstance(given, str) else ""


def _sentences(entry: Entry) -> list[list[str]]:
    if "sentences" not in entry.values and "tokens" in entry.values:
        return [words_of(entry, "tokens")]
    return sentences_of(entry)


def _speakers(entry: Entry, sentences: Sequence[Sequence[str]]) -> list[str]:
    """The speaker of each sentence: that of its first word."""
    speakers = _in_sentences(entry, "speakers", sentences, "a name")
    first = [names[0] if names else None for names in speakers]
    return ["" if name in (None, "-") else str(name) for name in first]


def _of_words(
    entry: Entry,
    field: str,
    sentences: Sequence[Sequence[str]],
    what: str,
    nothing: tuple[str, ...],
) -> list[str]:
    """What a field says of each word, "" where it says nothing; empty if it is not there."""
    values = _in_sentences(entry, field, sentences, what, for_every_word=True)
    given = [*chain.from_iterable(values)]
    known = {one: "" if one is None or one in nothing else intern(one) for one in {*given}}
    return [*map(known.__getitem__, given)]


def _in_sentences(
    entry: Entry,
    field: str,
    sentences: Sequence[Sequence[str]],
    what: str,
    *,
    for_every_word: bool = False,
) -> list[list[str | None]]:
    """A list for each sentence, as the words are given; empty if the field is not there."""
    given = entry.values.get(field)
    if given is None:
        return []
    lists = given if "sentences" in entry.values else [given]
    entry.require(
        isinstance(lists, list)
        and len(lists) == len(sentences)
        and {*map(type, lists)} <= {list}
        and {*map(type, chain.from_iterable(lists))} <= {str, type(None)}
        and (not for_every_word or [*map(len, lists)] == [*map(len, sentences)]),
        f"'{field}' in another shape than the words",
        f"{what} for each word, in lists like 'sentences'",
        "Fix the list or leave it out.",
    )
    return lists


def _named_spans(entry: Entry, n_words: int) -> dict[str, tuple[int, int]]:
    given = entry.values.get(NAMED_SPANS)
    if given is None:
        return {}
    spans = given.values() if isinstance(given, dict) else [None]
    entry.require(
        all(whole_numbers(s, 2) and 0 <= s[0] <= s[1] < n_words for s in spans),
        f"'{NAMED_SPANS}' in another shape",
        "an object of [start, end], both ends inside the span",
        "Fix the field or leave it out.",
    )
    return {name: (start, last + 1) for name, (start, last) in given.items()}
