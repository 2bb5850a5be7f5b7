"""A corpus out of what a system holds in Python: clusters over words, over characters, a spaCy Doc.

Each function gives a corpus of one document (`from_spacy` one for each Doc, `from_entities` one of
each side), which `corescore.score` takes; the two sides need the same document names and words.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from numbers import Number
from typing import Any, Literal, Protocol
from warnings import warn

from corescore.corpus.documents import UNNAMED, Corpus, Document
from corescore.corpus.formats.standoff import Offsets, widened_warnings
from corescore.corpus.problems import choose, refusal
from corescore.wording import counted

Ends = Literal["inclusive", "exclusive"]
ENDS: tuple[Ends, ...] = ("inclusive", "exclusive")
Spans = Iterable[Sequence[int]]
Clusters = Iterable[Spans] | Mapping[Any, Spans]
Entities = Iterable[Collection[Hashable]] | Mapping[Any, Collection[Hashable]] | Iterable[Hashable]


class SpacyDoc(Protocol):
    """What is asked of a spaCy Doc, so that spaCy need not be installed."""

    spans: Mapping[str, Iterable[Any]]

    def __iter__(self) -> Iterator[Any]: ...


def from_clusters(
    tokens: Iterable[str] | Iterable[Iterable[str]],
    clusters: Clusters,
    *,
    ends: Ends,
    name: str = UNNAMED,
) -> Corpus:
    """Clusters of (start, end) word positions, counted from 0.

    tokens  the words, or the sentences as lists of words; positions are those in the document
    ends    "inclusive" if a mention's end is its last word, "exclusive" if it is the word after;
            there is no default, since a wrong guess would go unnoticed

    >>> from corescore import from_clusters
    >>> corpus = from_clusters(["Ann", "saw", "her", "dog"], [[(0, 0), (2, 2)]], ends="inclusive")
    >>> [corpus["document"].text(mention) for mention in corpus["document"].mentions]
    ['Ann', 'her']

    A mapping of clusters is taken by its values. Warns of a mention in two clusters.

    Raises InputError for a span that is not in the text, PolicyError for other `ends`, and
    TypeError for tokens or clusters of another type, such as a text.
    """
    after = int(choose("ends", ends, ENDS) == "inclusive")
    sentences = _sentences(tokens)
    words = [word for sentence in sentences for word in sentence]
    rows = []
    for start, end, cluster in _spans(clusters, name):
        if not 0 <= start < end + after <= len(words):
            expected = f"0 ≤ start {'≤' if after else '<'} end ≤ {len(words) - after}"
            fault = f"the span ({start}, {end}) in a document of {counted(len(words), 'word')}"
            raise refusal(name, fault, expected, f"The ends are {ends}.")
        rows.append((start, end + after, cluster))
    starts = [sum(map(len, sentences[:i])) for i, sentence in enumerate(sentences) if sentence]
    document = Document.of_rows(name, rows, words=words, sentence_starts=starts)
    warn_of_repeats(document, name)
    return Corpus((document,), name)


def from_char_clusters(text: str, clusters: Clusters, *, name: str = UNNAMED) -> Corpus:
    """Clusters of [start, end) characters of a text, as fastcoref and others give them.

    A word is a run of letters and digits, or any other single non-blank character. A mention that
    cuts a word takes the whole word; the `warnings` of the corpus give the number of such mentions.

    >>> from corescore import from_char_clusters
    >>> corpus = from_char_clusters("Ann's dog likes her.", [[(0, 3), (16, 19)]])
    >>> corpus["document"].words
    ('Ann', "'", 's', 'dog', 'likes', 'her', '.')
    >>> [(mention.start, mention.end) for mention in corpus["document"].mentions]
    [(0, 1), (5, 6)]

    A mapping of clusters is taken by its values. Warns of a mention in two clusters.

    Raises InputError for a span that is not in the text or has no word, TypeError for a text or
    clusters of another type.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"the text is a {type(text).__name__}; expected a str. Use from_clusters for words."
        )
    offsets = Offsets(text)
    rows = []
    for start, end, cluster in _spans(clusters, name):
        runs = offsets.runs((start, end))
        if not runs:
            fault = f"the span ({start}, {end}) in a text of {counted(len(text), 'character')}"
            expected = f"0 ≤ start < end ≤ {len(text)}, around a word"
            advice = "The end is the character after the mention."
            raise refusal(name, fault, expected, advice)
        rows.append((*runs[0], cluster))
    starts = offsets.sentence_starts
    document = Document.of_rows(name, rows, words=offsets.words, sentence_starts=starts)
    warn_of_repeats(document, name)
    return Corpus((document,), name, tuple(widened_warnings(name, offsets.widened)))


def from_spacy(
    *docs: SpacyDoc, names: Sequence[str] = (), prefix: str = "coref_clusters"
) -> Corpus:
    """The span groups `coref_clusters_1`, `coref_clusters_2`, … of spaCy Docs, one entity each.

    Sentences, parts of speech (`tag_`) and lemmas (`lemma_`) are taken if the Doc has them.

    names   of the documents; "document" for one Doc, "1", "2", … for several if left out
    prefix  what the keys of the span groups begin with, before an underscore and a number

    Raises InputError if a Doc has span groups, but none with this prefix.

    >>> import corescore
    >>> corescore.from_spacy(nlp("Mia fed her cat."))  # a pipeline that finds entities
    Corpus: 1 document, 4 words, 2 mentions in 1 entity
    """
    given = [*names] or ([UNNAMED] if len(docs) == 1 else [str(n + 1) for n in range(len(docs))])
    if len(given) != len(docs) or len({*given}) != len(given):
        fault = f"{counted(len({*given}), 'name')} for {counted(len(docs), 'document')}"
        raise refusal(UNNAMED, fault, "a name of its own for each", "Name each.")
    return Corpus(
        tuple(_spacy_document(doc, name, prefix) for doc, name in zip(docs, given, strict=True))
    )


def from_entities(
    key: Entities, response: Entities, *, name: str = UNNAMED
) -> tuple[Corpus, Corpus]:
    """A document of each side, whose entities are collections of mentions of any kind, or a label
    of each mention: two mentions are the same if they are equal."""
    sides = [
        _items_of(
            side, f"the {called}", "entities, each a collection of mentions, as [{1, 2}, {3}]"
        )
        for side, called in ((key, "key"), (response, "response"))
    ]
    are_labels = (
        side and all(isinstance(one, str | bytes | Number) for one in side) for side in sides
    )
    if not isinstance(key, Set) and not isinstance(response, Set) and all(are_labels):
        sides = _of_labels(*sides)
    names: dict[Hashable, str] = {}

    def corpus(entities: Sequence[Any], side: str) -> Corpus:
        position: dict[str, int] = {}
        rows = []
        for number, entity in enumerate(entities):
            for mention in _mentions(entity, f"entity {number + 1} of the {side}"):
                known = names.setdefault(mention, f"{mention}#{len(names)}")
                word = position.setdefault(known, len(position))
                rows.append((word, word + 1, number))
        made = Document.of_rows(name, rows, words=tuple(position), named_mentions=True)
        return Corpus((made,))

    return corpus(sides[0], "key"), corpus(sides[1], "response")


def _items_of(given: Any, called: str, expected: str) -> list[Any]:
    """The items of a collection, or the values of a mapping; TypeError for anything else."""
    if isinstance(given, Mapping):
        values = [*given.values()]
        if not any(map(_is_flat, values)):
            return values
        raise TypeError(
            f"{called} maps {next(iter(given))!r} to {values[0]!r}; expected {expected}. A mapping "
            "is taken by its values: invert one from mentions to entities."
        )
    if _is_flat(given) or hasattr(given, "columns"):
        raise TypeError(f"{called} is of type {type(given).__name__}; expected {expected}")
    return [*given]


def _is_flat(value: object) -> bool:
    """Whether it is one value, such as a number or a text, not a collection."""
    return isinstance(value, str | bytes) or not isinstance(value, Iterable)


def _of_labels(key: list[Any], response: list[Any]) -> list[list[Any]]:
    """The positions with each label, as scikit-learn's clustering metrics take two of them."""
    expected, advice = "a label of each mention on both sides", "Give entities to leave some out."
    if len(key) != len(response):
        fault = f"{counted(len(key), 'label')} in the key and {len(response)} in the response"
        raise refusal(UNNAMED, fault, expected, advice)
    made = []
    for labels, side in ((key, "key"), (response, "response")):
        members: dict[Hashable, list[int]] = {}
        for at, label in enumerate(labels):
            if label != label:
                fault = f"label {at + 1} of the {side} is NaN"
                raise refusal(UNNAMED, fault, expected, advice)
            members.setdefault(label, []).append(at)
        made.append([*members.values()])
    return made


def _mentions(entity: Any, called: str) -> Iterator[Hashable]:
    """The mentions of an entity, a span that is a list as a tuple."""
    if _is_flat(entity) or isinstance(entity, Mapping):
        given = repr(entity) if _is_flat(entity) else f"a {type(entity).__name__}"
        raise TypeError(f"{called} is {given}; expected a collection of mentions, such as {{1, 2}}")
    for mention in entity:
        listed = isinstance(mention, list) or getattr(mention, "ndim", 0) == 1
        known = tuple(mention) if listed and all(map(_is_flat, mention)) else mention
        try:
            if hash(known) is None or known != known:
                raise TypeError("it does not equal itself")
        except TypeError as error:
            raise TypeError(
                f"{called} has the mention {mention!r}; expected a number, a text, "
                "a span or another hashable value. Score each document by itself, and add the "
                "results."
            ) from error
        yield known


def _spacy_document(doc: SpacyDoc, name: str, prefix: str) -> Document:
    if not hasattr(doc, "spans"):
        raise TypeError(f"a {type(doc).__name__} is given; expected a spaCy Doc, such as nlp(text)")
    tokens = [*doc]
    pattern = re.compile(rf"{re.escape(prefix)}_[0-9]+")
    keys = [key for key in doc.spans if pattern.fullmatch(key)]
    if not keys and len(doc.spans):
        fault = f"the span groups {', '.join(sorted(doc.spans))[:60]}"
        expected = f"some whose keys are {prefix}_1, {prefix}_2, …"
        raise refusal(name, fault, expected, "Name their prefix.")
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


def warn_of_repeats(document: Document, called: str) -> None:
    """Warn of mentions that are listed twice, the caller of the public function that calls this."""
    repeated = [span for span, n in Counter(map(tuple, document.spans.tolist())).items() if n > 1]
    if repeated:
        text = document.text_at(*repeated[0])
        text = text.rpartition("#")[0] if document.named_mentions else text
        warn(
            f"{called} lists {counted(len(repeated), 'mention')} more than once, such as "
            f"{text!r}. Each counts in its first entity, unless the policy repeats is another",
            stacklevel=3,
        )


def _sentences(tokens: Any) -> list[list[str]]:
    """The words of each sentence. TypeError for anything but words, or sentences of words."""
    expected = "expected a list of words, or of sentences"
    if _is_flat(tokens) or isinstance(tokens, Mapping | Set):
        raise TypeError(
            f"the tokens are a {type(tokens).__name__}; {expected}. For a text and "
            "positions in characters, use from_char_clusters."
        )
    given = [*tokens]
    sentences = [given] if all(map(_is_flat, given)) else given
    made = []
    for sentence in sentences:
        words = [sentence] if _is_flat(sentence) else [*sentence]
        for word in words:
            if _is_flat(sentence) or not _is_flat(word) or word is None or isinstance(word, Number):
                raise TypeError(f"the tokens have {word!r} in place of a word; {expected}")
        made.append([str(word) for word in words])
    return made


def _spans(clusters: Clusters, name: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, number of the cluster) of each mention; positions may be numpy's."""
    expected = "clusters, each a list of (start, end)"
    for number, cluster in enumerate(_items_of(clusters, "clusters", expected)):
        for span in _items_of(cluster, f"cluster {number + 1}", "a list of (start, end)"):
            try:
                start, end = (value.__index__() for value in span)
            except (TypeError, ValueError, AttributeError) as error:
                fault, advice = f"{span!r} in a cluster", "Count from 0."
                raise refusal(name, fault, "(start, end), two whole numbers", advice) from error
            yield start, end, number
