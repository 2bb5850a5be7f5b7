"""JSON Lines: one document per line, its clusters as inclusive [start, end] word positions.

`doc_key` or `id` (or `document_id`, `doc_id`, `doc_name`; the only document of a file may have
none), `sentences` or `tokens`, `clusters`, and `predicted_clusters` if the response is
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
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, groupby
from typing import Any

import numpy as np

from corescore.corpus.documents import Attributes, Corpus, Document, JoinedWords, Original
from corescore.corpus.formats.format import (
    Begin,
    Lines,
    Parts,
    Place,
    more_than_spans,
    tool_of,
    unwritable,
)
from corescore.corpus.formats.json_objects import (
    EXCLUSIVE_FORMAT,
    OVER_CHARACTERS,
    OVER_WORDS,
    PLACES,
    JsonObject,
    Record,
    Unordered,
    document_of,
    has_shape,
    in_order,
    is_python,
    mentions_of,
    one_a_line,
    plain_name,
    sentences_of,
)
from corescore.corpus.problems import Problems, refuse

GOLD, PREDICTED = "clusters", "predicted_clusters"

# An object with one of these has words, or positions of something else than words
_OF_WORDS = {"sentences", "tokens", "document", "text", "words", "subtoken_map", "named_mentions"}

# Fields of other names that may be words, and that may be clusters
_MAY_BE_WORDS = re.compile("token|word|sentence", re.IGNORECASE)

_MAY_BE_CLUSTERS = re.compile("cluster|coref|chain|entit|mention|link|relation", re.IGNORECASE)

# Fields of our own: true where words are only names of mentions; {name: [start, last]} of spans
NAMED, NAMED_SPANS = "named_mentions", "named_spans"

# A value for each mention, in lists like the clusters
HEADS, MINIMUM = "cluster_heads", "cluster_min_spans"

ENTITY_TYPES, MENTION_TYPES = "cluster_entity_types", "cluster_mention_types"

_OF_MENTIONS = {
    HEADS: "a position or null",
    MINIMUM: "[start, end] or null",
    ENTITY_TYPES: "a name",
    MENTION_TYPES: "a name",
}

SPLIT_ANTECEDENTS = "cluster_split_antecedents"

# Subtokens ----------------------------------------------------------------------------------------

_SPECIAL = frozenset(("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"))

_SEGMENT_ENDS = frozenset(("[CLS]", "[SEP]"))

_CONTINUED = re.compile(r"##\S")

_MARKS = re.compile(r"^(?:##(?=.)|[\u2581\u0120](?=.))")  # of WordPiece, SentencePiece, GPT-2's BPE


def _over_words(
    record: Record, entry: JsonObject, segments: Sequence[Sequence[str]], words: Sequence[str]
) -> JsonObject:
    """A document over words; the same if it is over words already.

    Subtokens are joined by `subtoken_map`, the word of each, and put into sentences by
    `sentence_map`, the sentence of each; without the first they are joined only if the format says
    so, by the ## before what continues a word. [CLS] and its like are left out.
    """
    values = entry.values
    given: Any = values.get("subtoken_map")
    text = words.joined if isinstance(words, JoinedWords) else "\n".join(words)
    may_be = "#" in text or "[" in text  # one is in each mark that is looked for
    if not may_be and given is None and not record.joins:
        return entry
    subtokens = [*chain.from_iterable(segments)]
    seen = may_be and (
        not _SEGMENT_ENDS.isdisjoint(subtokens) or any(map(_CONTINUED.match, subtokens))
    )
    word_of: list[int] = []
    if has_shape(given, [int]) and len(given) == len(subtokens):
        word_of = given
        entry.require(
            word_of == sorted(word_of),
            "a 'subtoken_map' that goes back to an earlier word",
            "the word of each subtoken, ascending",
            "Give segments that do not overlap.",
        )
        if not seen and len({*word_of}) == len(subtokens):
            return entry
    elif record.joins:
        for subtoken in subtokens:
            word = word_of[-1] if word_of else -1
            word += subtoken not in _SPECIAL and (word < 0 or not _CONTINUED.match(subtoken))
            word_of.append(word)
        if not seen and len({*word_of}) == len(subtokens):
            return entry
    else:
        if seen:
            entry.warn_once(
                "the words look like BERT subtokens ([CLS], ##ing) without a 'subtoken_map'. They "
                "are read as words. To join them, name the format jsonl-subtokens."
            )
        return entry
    entry.warn_once("subtokens are joined to words.")
    real = [at for at, subtoken in enumerate(subtokens) if subtoken not in _SPECIAL]
    parts = [[*group] for _, group in groupby(real, key=word_of.__getitem__)]
    word_at = {at: word for word, group in enumerate(parts) for at in group}
    sentence_of = [number for number, segment in enumerate(segments) for _ in segment]
    if (given := values.get("sentence_map")) is not None:
        entry.require(
            has_shape(given, [int]) and len(given) == len(subtokens),
            "'sentence_map' in another shape than the words",
            "the sentence of each subtoken",
            "Fix the list or leave it out.",
        )
        sentence_of = given

    def in_sentences(of_words: Iterable[Any]) -> list[list[Any]]:
        pairs = zip((sentence_of[group[0]] for group in parts), of_words, strict=True)
        return [[value for _, value in group] for _, group in groupby(pairs, key=lambda p: p[0])]

    def over_words(span: Any) -> Any:
        """Of other words than those of the document the positions stay, and are refused later."""
        if not has_shape(span, PLACES):
            return span
        entry.require(
            all(at in word_at for at in span),
            f"the span {str(span)[:60]}, which begins or ends at no part of a word",
            "subtokens of words",
            "Check the positions: [CLS] and [SEP] count, but are in no mention.",
        )
        return [word_at[at] for at in span]

    joined = ("".join(_MARKS.sub("", subtokens[at]) for at in group) for group in parts)
    changed: dict[str, Any] = {"sentences": in_sentences(joined)}
    for field in ("speakers", "pos"):
        lists: Any = values.get(field) if "sentences" in values else [values.get(field)]
        if has_shape(lists, [list]) and [*map(len, lists)] == [*map(len, segments)]:
            of_subtokens = [*chain.from_iterable(lists)]
            changed[field] = in_sentences(of_subtokens[group[0]] for group in parts)
    for field in (GOLD, PREDICTED):
        if isinstance(given := values.get(field), list):
            changed[field] = [
                [*map(over_words, one)] if isinstance(one, list) else one for one in given
            ]
    return replace(entry, values={**values, **changed})


# Reading ------------------------------------------------------------------------------------------


def read_line(record: Record, entry: JsonObject, field: str) -> list[Unordered]:
    """The document of an object, with the clusters of this field.

    An object without words gives a document without: what else it says of words is left out.
    """
    values = entry.values
    entry.require(
        "characters" not in values or "sentences" in values,
        "a .book file of BookNLP, which has no positions of mentions",
        "words and clusters of positions",
        "Give BookNLP's .tokens and .entities instead.",
    )
    _require_clusters(entry)
    name = record.name(entry)
    given = values.get("genre")
    genre = given.strip() if isinstance(given, str) else ""
    original = Original.of("jsonl", entry.text, name, entry.line)
    is_inclusive = record.ends == "inclusive"
    if not record.joins and values.keys().isdisjoint(_OF_WORDS):
        text = "a document without words: its clusters alone are read (reported once per file)."
        entry.warn_once(text)
        return [
            document_of(
                entry,
                name,
                (),
                rows=mentions_of(entry, field, None, record.ends),
                lines=np.array([entry.line]),
                original=original if is_inclusive else None,  # by which its ends are known later
                genre=genre,
            )
        ]
    flat = "sentences" not in values and "tokens" in values
    sentences, words = sentences_of(entry, "tokens" if flat else "sentences", flat=flat)
    joined = _over_words(record, entry, sentences, words)
    if joined is not entry:
        entry, sentences = joined, joined.values["sentences"]
        words = JoinedWords.of(*sentences)
    speakers = _in_sentences(entry, "speakers", sentences, "a name")
    first = [names[0] if names else None for names in speakers]
    ours = field == GOLD and is_inclusive
    return [
        document_of(
            entry,
            name,
            sentences,
            speakers=["" if name in (None, "-") else str(name) for name in first],
            tags=_of_words(entry, "pos", sentences, "a part of speech", frozenset("-_*")),
            lemmas=_of_words(entry, "lemmas", sentences, "a lemma", frozenset("_")),
            words=words,
            rows=mentions_of(entry, field, words, record.ends),
            named_mentions=entry.values.get(NAMED) is True,
            attributes=_attributes(entry, len(words)) if ours else None,
            split_antecedents=_split_antecedents(entry) if ours else (),
            named_spans=_named_spans(entry, len(words)),
            original=original if entry.values is values else None,
            genre=genre,
        )
    ]


def _require_clusters(entry: JsonObject) -> None:
    """Refuse an object without clusters, or with clusters of strings, whatever else it may have."""
    values = entry.values
    clusters = values.get(GOLD, values.get(PREDICTED, ""))
    is_list, has_words = isinstance(clusters, list), not values.keys().isdisjoint(_OF_WORDS)
    named = [
        one
        for one in (clusters if is_list else ())
        if type(one) is list and one and type(one[0]) is str and has_shape(one, [str])
    ]
    if is_list and has_words and not named:
        return
    others = [name for name in values if name not in _OF_WORDS and _MAY_BE_WORDS.search(name)]
    words = [name for name in others if _holds_texts(values[name])]
    without = bool(words) and not has_words
    if clusters != "" and not named and not without:
        return
    fields = ", ".join(f"'{name[:20]}'" for name in [*values][:6])
    title, advice = tool_of(values)
    fault = f"no clusters, only {fields}" if fields else "no clusters"
    if named:
        fault = f"{json.dumps(named[0][0], ensure_ascii=False)[:40]} in a cluster"
        advice = advice or _OF_STRINGS
    elif clusters != "":
        fault, advice = f"clusters, but words in '{words[0]}'", advice or f"Rename '{words[0]}'."
    elif around := _around(values):
        fault = f"no clusters, but in '{around[:20]}'"
        advice = f"Take the objects out of '{around[:20]}': one document per line."
    elif not advice:
        may_be = [name for name in values if _MAY_BE_CLUSTERS.search(name)]
        may_be = [name for name in may_be if isinstance(values[name], list | dict)]
        advice = f"If '{may_be[0]}' has them, write them so; []" if may_be else "Write []"
        advice += " if there are none."
        bare = [one for one in values if values[one] and has_shape(values[one], [[PLACES]])]
        if bare and not may_be:
            advice = f'Write {{"doc_key": "{bare[0]}", "clusters": …}}, one line per document.'
        if may_be and re.fullmatch(r'\D*\["\D*', json.dumps(values[may_be[0]])):
            advice = _OF_STRINGS  # a list of them, and no number
    has_text = isinstance(values.get("text"), str) or "'text'" in advice
    by_character = has_text and not words and "sentences" not in values
    layout = f"{OVER_CHARACTERS} (fastcoref)" if by_character else f"{OVER_WORDS} (jsonl)"
    of_tool = f"this looks like {title}: " if title else ""
    raise entry.problem(f"{of_tool}{fault}", f"the nearest layout, {layout}", advice)


_OF_STRINGS = "Strings do not show which occurrence is meant: give positions, or mark the text."


def _around(values: dict[str, Any]) -> str:
    """The field that holds an object with clusters, or a list of these; "" if none does."""
    for name, value in values.items():
        for one in value[:1] if isinstance(value, list) else [value]:
            if isinstance(one, dict) and not one.keys().isdisjoint((GOLD, PREDICTED)):
                return name
    return ""


def _holds_texts(value: Any) -> bool:
    """Whether it is a list of texts, or of lists or objects with texts, or an object with one."""
    if isinstance(value, dict):
        return any(map(_holds_texts, value.values()))
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(first, list):
        return _holds_texts(first)
    return isinstance(first, str) or (isinstance(first, dict) and "text" in first)


def _of_words(
    entry: JsonObject,
    field: str,
    sentences: Sequence[Sequence[str]],
    what: str,
    nothing: Set[str],
) -> Sequence[str]:
    """What a field says of each word, "" where it says nothing; empty if it is not there."""
    values = _in_sentences(entry, field, sentences, what, for_every_word=True)
    if not values:
        return ()
    given = ["" if one is None else one for one in chain.from_iterable(values)]
    words = JoinedWords.of(given)
    if isinstance(words, JoinedWords):
        return words.without(nothing)
    return ["" if one in nothing else one for one in words]


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


def _attributes(entry: JsonObject, n_words: int) -> Attributes | None:
    """What the fields say of the mentions, in the order of `clusters`; None without a field."""
    if entry.values.keys().isdisjoint(_OF_MENTIONS):
        return None
    clusters = entry.values[GOLD]
    advice = "Fix the field or leave it out."
    of_mentions: list[list[Any]] = []
    for field, what in _OF_MENTIONS.items():
        given = entry.values.get(field)
        given = [] if given is None else given
        entry.require(
            has_shape(given, [list]) and (not given or [*map(len, given)] == [*map(len, clusters)]),
            f"'{field}' in another shape than the clusters",
            f"{what} for each mention, in lists like 'clusters'",
            advice,
        )
        of_mentions.append([*chain.from_iterable(given)])
    heads, minimum, entity_types, mention_types = of_mentions
    entry.require(
        all(head is None or (type(head) is int and 0 <= head < n_words) for head in heads)
        and all(s is None or _is_span(s, n_words) for s in minimum)
        and all(isinstance(name, str) for name in (*entity_types, *mention_types)),
        "a field 'cluster_…' in another shape",
        "a value for each mention, in lists like 'clusters'",
        advice,
    )
    return Attributes.of(
        sum(map(len, clusters)),
        head=[-1 if head is None else head for head in heads],
        minimum=[(-1, -1) if s is None else (s[0], s[1] + 1) for s in minimum],
        entity_type=entity_types,
        mention_type=mention_types,
    )


def _is_span(value: Any, n_words: int) -> bool:
    """Whether a value is [start, end] of some of the words, both ends inside."""
    return has_shape(value, PLACES) and 0 <= value[0] <= value[1] < n_words


def _split_antecedents(entry: JsonObject) -> list[tuple[int, list[int]]]:
    """(cluster, the clusters it refers to) of each split antecedent."""
    given = entry.values.get(SPLIT_ANTECEDENTS)
    if not given:
        return []
    known = {*range(len(entry.values[GOLD]))}
    entry.require(
        has_shape(given, [(int, list)])
        and all(has_shape(of, [int]) and known >= {one, *of} for one, of in given),
        f"'{SPLIT_ANTECEDENTS}' in another shape",
        "a list of [cluster, [cluster, …]], clusters counted from 0",
        "Fix the field or leave it out.",
    )
    return [(one, of) for one, of in given]


def _named_spans(entry: JsonObject, n_words: int) -> dict[str, tuple[int, int]]:
    given = entry.values.get(NAMED_SPANS)
    if given is None:
        return {}
    entry.require(
        isinstance(given, dict) and all(_is_span(span, n_words) for span in given.values()),
        f"'{NAMED_SPANS}' in another shape",
        "an object of [start, end], both ends inside the span",
        "Fix the field or leave it out.",
    )
    return {name: (start, last + 1) for name, (start, last) in given.items()}


# Writing ------------------------------------------------------------------------------------------


def write_jsonl(corpus: Corpus) -> str:
    """One object per line: doc_key, sentences, clusters; speakers, pos, lemmas and genre if known.

    A document that was read as such a line, and has its words, keeps all other fields of the line,
    but for `predicted_clusters`: the clusters written are the only ones.

    Heads, minimum spans, types and split antecedents are in fields of our own, as are
    `named_mentions`, if words are only names of mentions, and `named_spans`.
    Raises InputError for a document whose name or mentions a line cannot hold: discontinuous
    mentions, empty nodes.
    """
    refuse(
        problem
        for document in corpus
        for problem in (*unwritable(document), *more_than_spans(document))
    )
    return "".join(
        json.dumps(_line(document), ensure_ascii=False)
        + (document.original.newline if document.original else "\n")
        for document in corpus
    )


def _line(document: Document) -> dict[str, Any]:
    """The fields of the text, as they were read if it is still the same; then the mentions."""
    clusters = [[[m.start, m.end - 1] for m in entity] for entity in document.entities]
    original = document.original
    if original is not None and original.format == "jsonl":
        left_out = {PREDICTED, *_OF_MENTIONS, SPLIT_ANTECEDENTS}
        values = json.loads(original.text)
        kept = {name: value for name, value in values.items() if name not in left_out}
        entry = JsonObject(document.file, 0, original.text, {**kept, GOLD: []})
        (as_read,) = in_order(read_line(_INCLUSIVE, entry, GOLD), Problems())
        if as_read.called(document.name) == document.with_entities(()):
            named = next((name for name in _INCLUSIVE.names if name in kept), "")
            if not named or as_read.name != document.name:
                kept[named or "doc_key"] = document.name
            return {**kept, GOLD: clusters, **_of_mentions(document)}
    return {**_of_text(document), GOLD: clusters, **_of_mentions(document)}


def _of_text(document: Document) -> dict[str, Any]:
    sentences = document.sentences
    values: dict[str, Any] = {
        "doc_key": document.name,
        "sentences": [list(document.words[start:end]) for start, end in sentences],
    }
    if document.genre:
        values["genre"] = document.genre
    if document.named_mentions:
        values[NAMED] = True
    if document.named_spans:
        spans = document.named_spans.items()
        values[NAMED_SPANS] = {name: [start, end - 1] for name, (start, end) in spans}
    if document.speakers:
        spoken = zip(document.speakers, sentences, strict=True)
        values["speakers"] = [[speaker] * (end - start) for speaker, (start, end) in spoken]
    for field, given in (("pos", document.tags), ("lemmas", document.lemmas)):
        if given:
            values[field] = [list(given[start:end]) for start, end in sentences]
    return values


def _of_mentions(document: Document) -> dict[str, Any]:
    """The fields that hold what is known of the mentions, none for what is unknown of all."""
    fields: dict[str, Any] = {}
    if (known := document.attributes) is not None:
        values: dict[str, Sequence[Any]] = {
            HEADS: [head if head >= 0 else None for head in known.head.tolist()],
            MINIMUM: [[s, e - 1] if s >= 0 else None for s, e in known.minimum.tolist()],
            ENTITY_TYPES: known.entity_type,
            MENTION_TYPES: known.mention_type,
        }
        entities = document.entity_of.tolist()
        for field, given in values.items():
            if any(value is not None and value != "" for value in given):
                lists: list[list[Any]] = [[] for _ in range(document.n_entities)]
                fields[field] = lists
                for entity, value in zip(entities, given, strict=True):
                    lists[entity].append(value)
    if document.split_antecedents:
        split = [[entity, [*antecedents]] for entity, antecedents in document.split_antecedents]
        fields[SPLIT_ANTECEDENTS] = split
    return fields


# Files --------------------------------------------------------------------------------------------

# The first field of an object, if it is its name
_NAMED = re.compile(rb'\s*\{\s*"(doc_key|id)"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*[,}]')


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each line that is not empty, with the lines above it."""
    last: Place | None = None
    end = 0
    for block in blocks:
        start = block.start
        if last is None and not _is_one_a_line(block.data):
            return
        for number, line in enumerate(block.data.splitlines(keepends=True), start=block.line):
            if line.strip():
                if last:
                    yield last._replace(stop=start)
                begin = Begin(number) if last else Begin()
                last = Place(_name_in(line), start if last else 0, 0, begin)
            start += len(line)
        end = start
    if last:
        yield last._replace(stop=end)


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
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            return None  # it is told when the line is read
        names = _INCLUSIVE.names if isinstance(values, dict) else ()
        value = next((values[name] for name in names if name in values), None)
    return plain_name(str(value)) if isinstance(value, str | int) else None


_START = re.compile(r'\{"|\[(?:\[*[{"\]0-9-]|\[*$)')  # not "[Mia]" or "[[her] cat]" of a text


def fits_jsonl(text: str) -> bool:
    """Whether the text begins as a JSON object or list, or as a printed dict (refused by name)."""
    start = text.lstrip()[:200].replace(" ", "").replace("\n", "")
    return bool(_START.match(start)) or is_python(text)


_INCLUSIVE = Record(
    "jsonl", "JSON Lines", read_line, numbered=False, predicted=PREDICTED, ends="inclusive"
)

JSONL = _INCLUSIVE.format._replace(
    suffixes=(".jsonl", ".jsonlines", ".ndjson", ".json"),
    fits=fits_jsonl,
    write=write_jsonl,
    keeps=True,
    parts=Parts(
        _places,
        lambda text, file, side, begin: _INCLUSIVE.part(
            one_a_line(text, begin.line), file, side, begin.line
        ),
        lambda seen, file, side, texts: _INCLUSIVE.warnings(seen, file, side),
    ),
)

# Only if named: nothing in a file shows the two

_EXCLUSIVE = replace(
    _INCLUSIVE, id=EXCLUSIVE_FORMAT, title="JSON Lines with exclusive ends", ends="exclusive"
)

_SUBTOKENS = replace(
    _INCLUSIVE, id="jsonl-subtokens", title="JSON Lines over subtokens", joins=True
)

JSONL_EXCLUSIVE, JSONL_SUBTOKENS = _EXCLUSIVE.format, _SUBTOKENS.format
