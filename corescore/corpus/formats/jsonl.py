"""JSON Lines: one document per line, its clusters as inclusive [start, end] word positions.

`doc_key` or `id`, `sentences` or `tokens`, `clusters`, and `predicted_clusters` if the response is
in the same line. `speakers` and `pos` (the part of speech), if given, have one value for each word;
`genre`, a text, is that of the document. A line without words gives a document without: a response
then takes those of its key. One object over many lines and a list of objects are read as well.

Two more formats differ in one thing, and are only read if they are named: `jsonl-exclusive`, whose
ends are the word after the mention, and `jsonl-subtokens`, whose words are BERT subtokens without a
`subtoken_map`, which are joined: `[CLS] E ##hu ##d [SEP]` → `Ehud`.

What a mention has beyond its span is in fields of our own, written only if something is known:

    cluster_heads               [[2, null], …]        the position of each mention's head
    cluster_min_spans           [[[1, 2], null], …]   its minimum span, ends inclusive
    cluster_entity_types        [["person", ""], …]
    cluster_mention_types       [["name", ""], …]
    cluster_split_antecedents   [[2, [0, 1]], …]      cluster 2 refers to clusters 0 and 1

Each of the first four has the shape of `clusters`. Other readers take no notice of them, and read
the same clusters.

Source: https://github.com/kentonl/e2e-coref and https://github.com/mandarjoshi90/coref
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from sys import intern
from typing import Any

import numpy as np

from corescore.corpus.documents import Attributes, Corpus, Document, Original
from corescore.corpus.formats.format import (
    Begin,
    Format,
    Lines,
    Notice,
    Part,
    Parts,
    Place,
    Seen,
    Texts,
    more_than_spans,
    unwritable,
)
from corescore.corpus.formats.json_shapes import (
    EXCLUSIVE_FORMAT,
    PLACES,
    Ends,
    JsonObject,
    ReadObject,
    document_name,
    document_of,
    has_shape,
    is_python,
    one_a_line,
    plain_name,
    read_objects,
    read_pieces,
    rows_of,
    sentences_of,
    warnings_of,
    words_of,
)
from corescore.corpus.problems import InputError, Problem

# Fields of our own --------------------------------------------------------------------------------

HEADS, MINIMUM = "cluster_heads", "cluster_min_spans"

ENTITY_TYPES, MENTION_TYPES = "cluster_entity_types", "cluster_mention_types"

SPLIT_ANTECEDENTS = "cluster_split_antecedents"

OUR_FIELDS = (HEADS, MINIMUM, ENTITY_TYPES, MENTION_TYPES, SPLIT_ANTECEDENTS)


def read_attributes(entry: JsonObject, n_words: int) -> Attributes | None:
    """What the fields say of the mentions, in the order of `clusters`; None without a field."""
    if entry.values.keys().isdisjoint(OUR_FIELDS[:4]):
        return None
    heads = _of_mentions(entry, HEADS, "a position or null")
    minimum = _of_mentions(entry, MINIMUM, "[start, end] or null")
    entity_types = _of_mentions(entry, ENTITY_TYPES, "a name")
    mention_types = _of_mentions(entry, MENTION_TYPES, "a name")
    good = (
        all(head is None or (type(head) is int and 0 <= head < n_words) for head in heads)
        and all(
            s is None or (has_shape(s, PLACES) and 0 <= s[0] <= s[1] < n_words) for s in minimum
        )
        and all(isinstance(name, str) for name in (*entity_types, *mention_types))
    )
    entry.require(good, *_BAD)
    return Attributes.of(
        sum(map(len, entry.values["clusters"])),
        head=[-1 if head is None else head for head in heads],
        minimum=[(-1, -1) if s is None else (s[0], s[1] + 1) for s in minimum],
        entity_type=entity_types,
        mention_type=mention_types,
    )


_BAD = (
    "a field 'cluster_…' in another shape",
    "a value for each mention, in lists like 'clusters'",
    "Fix the field or leave it out.",
)


def _of_mentions(entry: JsonObject, field: str, what: str) -> list[Any]:
    """A value for each mention; empty if the field is not there."""
    given = entry.values.get(field)
    if given is None:
        return []
    clusters = entry.values["clusters"]
    entry.require(
        has_shape(given, [list]) and [*map(len, given)] == [*map(len, clusters)],
        f"'{field}' in another shape than the clusters",
        f"{what} for each mention, in lists like 'clusters'",
        "Fix the field or leave it out.",
    )
    return [value for one in given for value in one]


def read_split_antecedents(entry: JsonObject) -> list[tuple[int, list[int]]]:
    """(cluster, the clusters it refers to) of each split antecedent."""
    given = entry.values.get(SPLIT_ANTECEDENTS)
    known = {*range(len(entry.values["clusters"]))}
    entry.require(
        given is None
        or (
            has_shape(given, [(int, list)])
            and all(has_shape(of, [int]) and known >= {one, *of} for one, of in given)
        ),
        f"'{SPLIT_ANTECEDENTS}' in another shape",
        "a list of [cluster, [cluster, …]], clusters counted from 0",
        "Fix the field or leave it out.",
    )
    return [(one, of) for one, of in given or ()]


def attribute_fields(document: Document) -> dict[str, Any]:
    """The fields that hold what is known of the mentions, none for what is unknown of all."""
    fields: dict[str, Any] = {}
    known = document.attributes
    if known is not None:
        values: dict[str, Sequence[Any]] = {
            HEADS: [head if head >= 0 else None for head in known.head.tolist()],
            MINIMUM: [[s, e - 1] if s >= 0 else None for s, e in known.minimum.tolist()],
            ENTITY_TYPES: known.entity_type,
            MENTION_TYPES: known.mention_type,
        }
        fields = {name: _by_entity(document, of) for name, of in values.items() if any(_known(of))}
    if document.split_antecedents:
        split = [[entity, [*antecedents]] for entity, antecedents in document.split_antecedents]
        fields[SPLIT_ANTECEDENTS] = split
    return fields


def _known(values: Iterable[Any]) -> Iterable[bool]:
    return (value is not None and value != "" for value in values)


def _by_entity(document: Document, values: Sequence[Any]) -> list[list[Any]]:
    lists: list[list[Any]] = [[] for _ in range(document.n_entities)]
    for entity, value in zip(document.entity_of.tolist(), values, strict=True):
        lists[entity].append(value)
    return lists


# Subtokens ----------------------------------------------------------------------------------------

SUBTOKEN_FORMAT = "jsonl-subtokens"

_SPECIAL = frozenset(("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"))

_SEGMENT_ENDS = frozenset(("[CLS]", "[SEP]"))  # of a segment

_ASCII = re.compile(r"\\u00[2-7]")  # a mark could be written so

_CONTINUED = re.compile(r"##\S")

_MARKS = re.compile(r"^(?:##(?=.)|[\u2581\u0120](?=.))")  # of WordPiece, SentencePiece, GPT-2's BPE


def in_words(
    entry: JsonObject, segments: Sequence[Sequence[str]], subtokens: Sequence[str], *, join: bool
) -> dict[str, Any] | None:
    """The values of a document over words; None if it is over words already.

    They are joined by `subtoken_map`, the word of each subtoken, and put into sentences by
    `sentence_map`, the sentence of each; without the first they are joined only if `join` says so,
    by the ## before what continues a word.
    """
    seen = _look_like_subtokens(entry.text, subtokens)
    given: Any = entry.values.get("subtoken_map")
    if has_shape(given, [int]) and len(given) == len(subtokens):
        word_of = given
        entry.require(
            word_of == sorted(word_of),
            "a 'subtoken_map' that goes back to an earlier word",
            "the word of each subtoken, ascending",
            "Give segments that do not overlap.",
        )
    elif join:
        word_of = [*_by_convention(subtokens)]
    else:
        if seen:
            entry.warn_once(
                "the words look like BERT subtokens ([CLS], ##ing) without a 'subtoken_map'; they "
                f"are read as words. To join them, name the format {SUBTOKEN_FORMAT}."
            )
        return None
    if not seen and len({*word_of}) == len(subtokens):
        return None
    entry.warn_once("subtokens are joined to words.")
    return _Joined(entry, segments, subtokens, word_of).values()


def _look_like_subtokens(text: str, words: Sequence[str]) -> bool:
    """Whether words of a JSON text do; words are looked at only if the text has such marks."""
    if not any(mark in text for mark in ("##", *_SEGMENT_ENDS)) and not _ASCII.search(text):
        return False
    return not _SEGMENT_ENDS.isdisjoint(words) or any(map(_CONTINUED.match, words))


def _by_convention(subtokens: Sequence[str]) -> Iterator[int]:
    word = -1
    for subtoken in subtokens:
        word += subtoken not in _SPECIAL and (word < 0 or not _CONTINUED.match(subtoken))
        yield max(word, 0)


class _Joined:
    """The subtokens of a document and the word of each, counted without [CLS] and its like."""

    def __init__(
        self,
        entry: JsonObject,
        segments: Sequence[Sequence[str]],
        subtokens: Sequence[str],
        word_of: Sequence[int],
    ) -> None:
        self.entry = entry
        self.segments = segments
        real = [at for at, subtoken in enumerate(subtokens) if subtoken not in _SPECIAL]
        parts = [[*group] for _, group in groupby(real, key=word_of.__getitem__)]
        self.word_at = {at: word for word, group in enumerate(parts) for at in group}
        self.words = ["".join(_MARKS.sub("", subtokens[at]) for at in group) for group in parts]
        self.first = [group[0] for group in parts]
        self.sentence_of = self._sentences()

    def _sentences(self) -> list[int]:
        """The sentence of each subtoken; its segment where no map says which."""
        given = self.entry.values.get("sentence_map")
        of_segments = [i for i, segment in enumerate(self.segments) for _ in segment]
        if given is None:
            return of_segments
        self.entry.require(
            has_shape(given, [int]) and len(given) == len(of_segments),
            "'sentence_map' in another shape than the words",
            "the sentence of each subtoken",
            "Fix the list or leave it out.",
        )
        return list(given)

    def values(self) -> dict[str, Any]:
        """The values over words."""
        entry = self.entry
        changed: dict[str, Any] = {"sentences": self._in_sentences(self.words)}
        for field in ("speakers", "pos"):
            if _like(entry.values.get(field), self.segments, nested="sentences" in entry.values):
                changed[field] = self._in_sentences(self._of_words(entry.values[field]))
        for field in ("clusters", "predicted_clusters"):
            if isinstance(entry.values.get(field), list):
                changed[field] = [self._cluster(one) for one in entry.values[field]]
        return {**entry.values, **changed}

    def _of_words(self, given: Sequence[Any]) -> list[Any]:
        """The value of the first subtoken of each word."""
        nested = "sentences" in self.entry.values
        flat = [value for one in given for value in one] if nested else given
        return [flat[at] for at in self.first]

    def _in_sentences(self, of_words: Sequence[Any]) -> list[list[Any]]:
        pairs = zip((self.sentence_of[at] for at in self.first), of_words, strict=True)
        return [[value for _, value in group] for _, group in groupby(pairs, key=lambda p: p[0])]

    def _cluster(self, cluster: object) -> object:
        return [self._span(span) for span in cluster] if isinstance(cluster, list) else cluster

    def _span(self, span: Any) -> Any:
        """Of other words than those of the document the positions stay, and are refused later."""
        if not has_shape(span, PLACES):
            return span
        self.entry.require(
            all(at in self.word_at for at in span),
            f"the span {str(span)[:60]}, which begins or ends at no part of a word",
            "subtokens of words",
            "Check the positions: [CLS] and [SEP] count, but are in no mention.",
        )
        return [self.word_at[at] for at in span]


def _like(given: object, segments: Sequence[Sequence[str]], *, nested: bool) -> bool:
    """Whether a field has a value for each subtoken."""
    lists: Any = given if nested else [given]
    return has_shape(lists, [list]) and [*map(len, lists)] == [*map(len, segments)]


# Documents ----------------------------------------------------------------------------------------

GOLD, PREDICTED = "clusters", "predicted_clusters"

WORDS = "sentences", "tokens"

TAGS, LEMMAS = "pos", "lemmas"  # the second is a field of our own

# An object with one of these has words, or positions of something else than words
_OF_WORDS = frozenset((*WORDS, "document", "text", "words", "subtoken_map", "named_mentions"))

# Fields of our own: true where words are only names of mentions; {name: [start, last]} of spans
NAMED, NAMED_SPANS = "named_mentions", "named_spans"

GENRE = "genre"  # of the document, if it is a text


def e2e_document(
    entry: JsonObject, field: str, *, ends: Ends = "inclusive", join_subtokens: bool = False
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
    ours = field == GOLD and ends == "inclusive"
    return document_of(
        entry,
        name,
        sentences,
        speakers=_speakers(entry, sentences),
        tags=_of_words(entry, TAGS, sentences, "a part of speech", ("-", "_", "*")),
        lemmas=_of_words(entry, LEMMAS, sentences, "a lemma", ("_",)),
        rows=rows_of(entry, field, words, ends),
        named_mentions=entry.values.get(NAMED) is True,
        attributes=read_attributes(entry, len(words)) if ours else None,
        split_antecedents=read_split_antecedents(entry) if ours else (),
        named_spans=_named_spans(entry, len(words)),
        original=Original.of("jsonl", entry.text, name, entry.line) if joined is None else None,
        genre=_genre(entry),
    )


def _wordless(entry: JsonObject, name: str, field: str, ends: Ends) -> Document:
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


def _genre(entry: JsonObject) -> str:
    given = entry.values.get(GENRE)
    return given.strip() if isinstance(given, str) else ""


def _sentences(entry: JsonObject) -> list[list[str]]:
    if "sentences" not in entry.values and "tokens" in entry.values:
        return [words_of(entry, "tokens")]
    return sentences_of(entry)


def _speakers(entry: JsonObject, sentences: Sequence[Sequence[str]]) -> list[str]:
    """The speaker of each sentence: that of its first word."""
    speakers = _in_sentences(entry, "speakers", sentences, "a name")
    first = [names[0] if names else None for names in speakers]
    return ["" if name in (None, "-") else str(name) for name in first]


def _of_words(
    entry: JsonObject,
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
    entry: JsonObject,
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
        has_shape(lists, [list])
        and len(lists) == len(sentences)
        and {*map(type, chain.from_iterable(lists))} <= {str, type(None)}
        and (not for_every_word or [*map(len, lists)] == [*map(len, sentences)]),
        f"'{field}' in another shape than the words",
        f"{what} for each word, in lists like 'sentences'",
        "Fix the list or leave it out.",
    )
    return lists


def _named_spans(entry: JsonObject, n_words: int) -> dict[str, tuple[int, int]]:
    given = entry.values.get(NAMED_SPANS)
    entry.require(
        given is None
        or (
            has_shape(given, {str: PLACES})
            and all(0 <= start <= last < n_words for start, last in given.values())
        ),
        f"'{NAMED_SPANS}' in another shape",
        "an object of [start, end], both ends inside the span",
        "Fix the field or leave it out.",
    )
    return {name: (start, last + 1) for name, (start, last) in (given or {}).items()}


# Writing ------------------------------------------------------------------------------------------


def write_jsonl(corpus: Corpus) -> str:
    """One object a line: doc_key, sentences and clusters; speakers, pos, lemmas and genre if known.

    A document that was read as such a line, and has its words, keeps all other fields of the line,
    but for `predicted_clusters`: the clusters written are the only ones.

    Heads, minimum spans, types and split antecedents are in fields of our own, as are
    `named_mentions`, if words are only names of mentions, and `named_spans`.
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
        entry = JsonObject(document.file, 0, original.text, {**kept, GOLD: []}, 1, [])
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


# Files --------------------------------------------------------------------------------------------

ReadDocument = Callable[[JsonObject, str], Document]


def read_jsonl(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file. The response side is `predicted_clusters` if the lines have it.

    Raises InputError with every problem found, each with its line.
    """
    return read_lines(text, file, side, inclusive)


def read_lines(text: str, file: str, side: str, document: ReadDocument) -> Corpus:
    """The documents of a file by a function that reads one with the clusters of a field."""
    return read_objects(text, file, _reading(side, document), partial(_finish, side=side))


def inclusive(entry: JsonObject, field: str) -> Document:
    """The document of an object whose ends are inclusive, which is warned of if it looks wrong."""
    return entry.notice_ends(e2e_document(entry, field))


def _reading(side: str, document: ReadDocument) -> ReadObject:
    first, other = _fields_of(side)

    def documents(entry: JsonObject) -> Iterable[Document]:
        _refuse_by_name(entry)
        field = first if first in entry.values or other not in entry.values else other
        entry.notices.append(Notice(field, entry.line))
        return [document(entry, field)]

    return documents


def _fields_of(side: str) -> tuple[str, str]:
    """The field with the clusters of a side, and that of the other side."""
    return (GOLD, PREDICTED) if side == "key" else (PREDICTED, GOLD)


def _finish(seen: Sequence[Seen], file: str, side: str) -> tuple[str, ...]:
    """The warnings of a file. Raises InputError with every problem found."""
    warnings = warnings_of(seen, file)
    lines: dict[str, list[int]] = {GOLD: [], PREDICTED: []}
    for notice in (notice for of in seen for notice in of.notices):
        if notice.kind in lines:
            lines[notice.kind].append(notice.line)
    first, other = _fields_of(side)
    if lines[first] and lines[other]:
        raise InputError([_mixed(file, first, lines[other])])
    if side == "key" and lines[PREDICTED]:
        about = "the key has only 'predicted_clusters'; is it one?"
        warnings = (*warnings, f"{file}:{lines[PREDICTED][0]}: {about}")
    return warnings


def _mixed(file: str, field: str, lines: Sequence[int]) -> Problem:
    more = f" and {len(lines) - 10} more" if len(lines) > 10 else ""
    shown = ", ".join(map(str, lines[:10]))
    found = f"no '{field}' in line{'s' * (len(lines) > 1)} {shown}{more}, but in others"
    expected = f"'{field}' in every line or in none"
    return Problem(file, lines[0], found, expected, "Add it: [] where there are no clusters.")


def _refuse_by_name(entry: JsonObject) -> None:
    """What is JSON, but of no format that could be read."""
    entry.require(
        "characters" not in entry.values or "sentences" in entry.values,
        "a .book file of BookNLP, which has no positions of mentions",
        "words and clusters of positions",
        "Give BookNLP's .tokens and .entities instead.",
    )


# The first field of an object, if it is its name
_NAMED = re.compile(rb'\s*\{\s*"(doc_key|id)"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*[,}]')


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each line that is not empty, with the lines above it."""
    last: Place | None = None
    end = 0
    for block in blocks:
        at = block.start
        if last is None and not _is_one_a_line(block.data):
            return
        for number, line in enumerate(block.data.splitlines(keepends=True), start=block.line):
            if line.strip():
                if last:
                    yield replace(last, stop=at)
                begin = Begin(number) if last else Begin()
                last = Place(_name_in(line), at if last else 0, 0, begin)
            at += len(line)
        end = at
    if last:
        yield replace(last, stop=end)


def _is_one_a_line(data: bytes) -> bool:
    """Whether the first line that is not empty is an object."""
    first = data.lstrip().split(b"\n", 1)[0].rstrip()
    return not first or (first[:1] == b"{" and first[-1:] == b"}" and not is_python(first.decode()))


def _name_in(line: bytes) -> str | None:
    """The name of the document in a line; None if it has none."""
    match = _NAMED.match(line)
    if match and (match[1] == b"doc_key" or b'"doc_key"' not in line):
        value = json.loads(match[2])
    else:
        values = _values(line)
        value = next((values[name] for name in ("doc_key", "id") if name in values), None)
    return plain_name(str(value)) if isinstance(value, str | int) else None


def _values(line: bytes) -> dict[str, object]:
    """The object in a line; empty if there is none."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return {}  # it is told when the line is read
    return values if isinstance(values, dict) else {}


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    return read_pieces(one_a_line(text, begin.line), file, _reading(side, inclusive))


def _finish_parts(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    return _finish(seen, file, side)


_START = re.compile(r'\{"|\[(?:[{\["\]0-9-]|$)')  # not "[Mia]" of a text


def fits_jsonl(text: str) -> bool:
    """Whether the text begins as a JSON object or list, or as a printed dict (refused by name)."""
    start = text.lstrip()[:200].replace(" ", "").replace("\n", "")
    return bool(_START.match(start)) or is_python(text)


JSONL = Format(
    id="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl", ".jsonlines", ".ndjson", ".json"),
    fits=fits_jsonl,
    read=read_jsonl,
    write=write_jsonl,
    keeps=True,
    parts=Parts(_places, _read_part, _finish_parts),
)

JSONL_EXCLUSIVE = Format(
    id=EXCLUSIVE_FORMAT,
    title="JSON Lines with exclusive ends",
    suffixes=(),
    fits=lambda text: False,  # only if named: nothing in a file shows it
    read=partial(read_lines, document=partial(e2e_document, ends="exclusive")),
)

JSONL_SUBTOKENS = Format(
    id=SUBTOKEN_FORMAT,
    title="JSON Lines over subtokens",
    suffixes=(),
    fits=lambda text: False,  # only if named: nothing in a file shows it
    read=partial(read_lines, document=partial(e2e_document, join_subtokens=True)),
)
