"""A corpus out of what a system holds in Python: clusters over words, over characters, a spaCy Doc.

Each function gives a corpus of one document (`from_spacy` one for each Doc, `from_entities` one of
each side), which `corescore.score` takes; the two sides need the same document names and words.
"""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.standoff import Offsets, widened_warnings
from corescore.corpus.problems import InputError, Problem, choose
from corescore.wording import counted

Ends = Literal["inclusive", "exclusive"]
ENDS: tuple[Ends, ...] = ("inclusive", "exclusive")
Clusters = Iterable[Iterable[Sequence[int]]]
NAME = "document"


class SpacyDoc(Protocol):
    """What is asked of a spaCy Doc, so that spaCy need not be installed."""

    spans: Mapping[str, Iterable[Any]]

    def __iter__(self) -> Iterator[Any]: ...


def from_clusters(
    tokens: Sequence[str] | Sequence[Sequence[str]],
    clusters: Clusters,
    *,
    ends: Ends,
    name: str = NAME,
) -> Corpus:
    """Clusters of (start, end) word positions, counted from 0.

    tokens  the words, or the sentences as lists of words; positions are those in the document
    ends    "inclusive" if a mention's end is its last word, "exclusive" if it is the word after;
            there is no default, since a wrong guess would go unnoticed

    >>> corpus = from_clusters(["Ann", "saw", "her", "dog"], [[(0, 0), (2, 2)]], ends="inclusive")
    >>> [corpus["document"].text(mention) for mention in corpus["document"].mentions]
    ['Ann', 'her']

    Raises InputError for a span that is not in the text, PolicyError for other `ends`, and
    TypeError if the tokens are one string.
    """
    after = int(choose("ends", ends, ENDS) == "inclusive")
    if isinstance(tokens, str):
        raise TypeError(
            "the tokens are a str; expected a list of words, or of sentences. For a text and "
            "positions in characters, use from_char_clusters."
        )
    sentences = [[*one] for one in tokens] if _are_sentences(tokens) else [[*tokens]]
    words = [str(word) for sentence in sentences for word in sentence]
    rows = []
    for start, end, cluster in _spans(clusters, name):
        if not 0 <= start < end + after <= len(words):
            expected = f"0 ≤ start {'≤' if after else '<'} end ≤ {len(words) - after}"
            found = f"the span ({start}, {end}) in a document of {len(words)} words"
            raise InputError([Problem(name, 0, found, expected, f"The ends are {ends}.")])
        rows.append((start, end + after, cluster))
    starts = [sum(map(len, sentences[:i])) for i, sentence in enumerate(sentences) if sentence]
    return Corpus((Document.of_rows(name, rows, words=words, sentence_starts=starts),), name)


def from_char_clusters(text: str, clusters: Clusters, *, name: str = NAME) -> Corpus:
    """Clusters of [start, end) characters of a text, as fastcoref and others give them.

    A word is a run of letters and digits, or any other single non-blank character. A mention that
    cuts a word takes the whole word; the `warnings` of the corpus give the number of such mentions.

    >>> corpus = from_char_clusters("Ann's dog likes her.", [[(0, 3), (16, 19)]])
    >>> corpus["document"].words
    ('Ann', "'", 's', 'dog', 'likes', 'her', '.')
    >>> [(mention.start, mention.end) for mention in corpus["document"].mentions]
    [(0, 1), (5, 6)]

    Raises InputError for a span that is not in the text or has no word.
    """
    offsets = Offsets(text)
    rows = []
    for start, end, cluster in _spans(clusters, name):
        runs = offsets.runs((start, end))
        if not runs:
            found = f"the span ({start}, {end}) in a text of {len(text)} characters"
            expected = f"0 ≤ start < end ≤ {len(text)}, around a word"
            advice = "The end is the character after the mention."
            raise InputError([Problem(name, 0, found, expected, advice)])
        rows.append((*runs[0], cluster))
    starts = offsets.sentence_starts
    document = Document.of_rows(name, rows, words=offsets.words, sentence_starts=starts)
    return Corpus((document,), name, tuple(widened_warnings(name, offsets.widened)))


def from_spacy(
    *docs: SpacyDoc, names: Sequence[str] = (), prefix: str = "coref_clusters"
) -> Corpus:
    """The span groups `coref_clusters_1`, `coref_clusters_2`, … of spaCy Docs, one entity each.

    Sentences, parts of speech (`tag_`) and lemmas (`lemma_`) are taken if the Doc has them.

    names   of the documents; "document" for one Doc, "1", "2", … for several if left out
    prefix  what the keys of the span groups begin with, before an underscore and a number

        nlp = spacy.load("en_coreference_web_trf")
        response = corescore.from_spacy(nlp(text))
        corescore.score(key, response)

    Raises InputError if a Doc has span groups, but none with this prefix.
    """
    given = [*names] or ([NAME] if len(docs) == 1 else [str(n + 1) for n in range(len(docs))])
    if len(given) != len(docs) or len({*given}) != len(given):
        found = f"{counted(len({*given}), 'name')} for {counted(len(docs), 'document')}"
        raise InputError([Problem(NAME, 0, found, "a name of its own for each", "Name each.")])
    return Corpus(
        tuple(_spacy_document(doc, name, prefix) for doc, name in zip(docs, given, strict=True))
    )


Entities = Iterable[Collection[Hashable]]


def from_entities(key: Entities, response: Entities, *, name: str = NAME) -> tuple[Corpus, Corpus]:
    """A document of each side, whose entities are collections of mentions of any kind: two mentions
    are the same if they are equal."""
    names: dict[Hashable, str] = {}

    def corpus(entities: Entities, side: str) -> Corpus:
        if isinstance(entities, str) or not isinstance(entities, Iterable):
            raise TypeError(
                f"the {side} is a {type(entities).__name__}; expected entities, each a collection "
                "of mentions, such as [{1, 2}, {3}]. Score files with score."
            )
        position: dict[str, int] = {}
        rows = []
        for number, entity in enumerate(entities):
            if not isinstance(entity, Iterable):
                raise TypeError(
                    f"entity {number + 1} of the {side} is {entity!r}; expected a collection of "
                    "mentions, such as {1, 2}"
                )
            for mention in entity:
                try:
                    known = names.setdefault(mention, f"{mention}#{len(names)}")
                except TypeError as error:
                    raise TypeError(
                        f"entity {number + 1} of the {side} has the mention {mention!r}; expected "
                        "a hashable value, such as a number, a string or a tuple"
                    ) from error
                at = position.setdefault(known, len(position))
                rows.append((at, at + 1, number))
        made = Document.of_rows(name, rows, words=tuple(position), named_mentions=True)
        return Corpus((made,))

    return corpus(key, "key"), corpus(response, "response")


def _spacy_document(doc: SpacyDoc, name: str, prefix: str) -> Document:
    if not hasattr(doc, "spans"):
        raise TypeError(f"a {type(doc).__name__} is given; expected a spaCy Doc, such as nlp(text)")
    tokens = [*doc]
    pattern = re.compile(rf"{re.escape(prefix)}_[0-9]+")
    keys = [key for key in doc.spans if pattern.fullmatch(key)]
    if not keys and len(doc.spans):
        found = f"the span groups {', '.join(sorted(doc.spans))[:60]}"
        expected = f"some whose keys are {prefix}_1, {prefix}_2, …"
        raise InputError([Problem(name, 0, found, expected, "Name their prefix.")])
    tags = [str(token.tag_) for token in tokens]
    lemmas = [str(getattr(token, "lemma_", "")) for token in tokens]
    starts = [at for at, token in enumerate(tokens) if at == 0 or token.is_sent_start]
    return Document.of_rows(
        name,
        [(span.start, span.end, key) for key in keys for span in doc.spans[key]],
        words=[token.text for token in tokens],
        sentence_starts=starts,
        tags=tags if any(tags) else (),
        lemmas=lemmas if any(lemmas) else (),
    )


def _are_sentences(tokens: Sequence[Any]) -> bool:
    return bool(tokens) and not isinstance(tokens[0], str)


def _spans(clusters: Clusters, name: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, number of the cluster) of each mention; positions may be numpy's."""
    for number, cluster in enumerate(clusters):
        for span in cluster:
            try:
                start, end = (value.__index__() for value in span)
            except (TypeError, ValueError, AttributeError) as error:
                found, advice = f"{span!r} in a cluster", "Count from 0."
                problem = Problem(name, 0, found, "(start, end), two whole numbers", advice)
                raise InputError([problem]) from error
            yield start, end, number
