"""The formats that are JSON, in the order in which a file is tried on them.

What AllenNLP's coreference predictor prints: the words in `document`, and `clusters`.

Clusters are inclusive [start, end] word positions, here turned half-open. The documents have no
names (one in `doc_key` or `id` is taken), so they are numbered. Lost: sentences, which it does not
have, and the spans and antecedents that the model considered.

Source: https://docs.allennlp.org/models/main/models/coref/predictors/coref/

The JSON of Stanford CoreNLP, also through Stanza's client: `sentences` of tokens, and `corefs`.

A mention is `sentNum`, `startIndex` and `endIndex`; all count from 1, the end is exclusive. Its
`headIndex` and `type` are kept. Lost: which mention represents its entity, number, gender.

Source: https://stanfordnlp.github.io/CoreNLP/coref.html

Emory's character identification: scenes of dialogue, each mention with the names it stands for.

Each scene is a document, each utterance's `tokens` are sentences. `character_entities` has, for
each sentence, [start, end, name, …] with an exclusive end. The mentions of one name in a scene are
an entity; those of several names are one of their own, with the entities of these names as its
split antecedents. `#GENERAL#` and `#OTHER#` name nobody: such a mention is an entity by itself.
Lost: seasons and episodes.

Source: https://github.com/emorynlp/character-identification

What fastcoref writes: a `text`, `clusters` over its characters and their `clusters_strings`.

Offsets are [start, end) characters, and put onto the words of
`corescore.corpus.formats.marked_text`; the strings are compared with the text. The documents have
no names (one in `doc_key` or `id` is taken),
so they are numbered. Lost: nothing but where a mention begins or ends within a word.

Source: https://github.com/shon-otmazgin/fastcoref

What Maverick returns, written as JSON: `tokens` and `clusters_token_offsets`.

Offsets are inclusive [start, end] word positions, here turned half-open; `clusters_token_text` is
compared with the words. The documents have no names (one in `doc_key` or `id` is taken), so they
are numbered. Lost: the offsets in characters.

Source: https://github.com/SapienzaNLP/maverick-coref

PreCo: `sentences`, and `mention_clusters` of [sentence, start, end) with singletons.

Sentences and words are counted from 0, ends are exclusive already. Nothing is lost.

Source: https://preschool-lab.github.io/PreCo/

SciERC and DyGIE++: JSON Lines as e2e-coref has them, with entities and relations beside.

`clusters` are inclusive [start, end] positions in the document, here turned half-open; the label
that `ner` gives to the same span is a mention's entity type. DyGIE++ writes `predicted_clusters`
and `predicted_ner`. Lost: relations and events, but for a line that is written again.

Source: https://github.com/dwadden/dygiepp/blob/master/doc/data.md

scorch's JSON: `{"type": "clusters", …}` and `{"type": "graph", …}`, mentions by their names.

    {"type": "clusters", "clusters": {"0": ["a", "b"], "1": ["c"]}}
    {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}

A name is any string: there are no words and no positions, so that a mention is the same on both
sides if its name is. Entities of a graph are what its links connect. Nothing is lost.

Source: https://github.com/LoicGrobol/scorch

Stanza's own JSON, `doc.to_dict()`: sentences as lists of words, each with its `coref_chains`.

A word names each mention that it is in by its chain's `index`; `is_start` and `is_end` mark the
first and last word, the last inside the mention and here turned half-open. Part of speech: `xpos`,
else `upos`. The file is one document without a name. Lost: everything but words, sentences, parts
of speech, lemmas and chains.

Source: https://stanfordnlp.github.io/stanza/coref.html
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from corescore.corpus.documents import Attributes, Corpus, Document
from corescore.corpus.english import NAME, NOMINAL, PRONOUN
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json_shapes import (
    Entry,
    Row,
    are_sentences,
    check_texts,
    clusters_of,
    has_fields,
    name_or_number,
    parsed,
    read_objects,
    rows_of,
    sentences_of,
    starts_of,
    warn_of_other_texts,
    whole_numbers,
    with_ends_warning,
    words_of,
)
from corescore.corpus.formats.jsonl import (
    GOLD,
    JSONL,
    JSONL_EXCLUSIVE,
    JSONL_SUBTOKENS,
    e2e_document,
    read_lines,
)
from corescore.corpus.formats.standoff import Offsets, widened_warnings
from corescore.corpus.problems import InputError, Problem


def read_allennlp(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return with_ends_warning(read_objects(text, file, _documents))


def _documents(entry: Entry) -> Iterable[Document]:
    words = words_of(entry, "document")
    yield Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows_of(entry, "clusters", words),
        words=words,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _fits(text: str) -> bool:
    return has_fields(text, "document", "clusters", without=("sentences", "tokens"))


ALLENNLP = Format(
    id="allennlp", title="AllenNLP predictor", suffixes=(), fits=_fits, read=read_allennlp
)

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
    return read_objects(text, file, _corenlp_documents)


def _corenlp_documents(entry: Entry) -> Iterable[Document]:
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


def _corenlp_fits(text: str) -> bool:
    return has_fields(text, "sentences", "corefs")


CORENLP = Format(
    id="corenlp", title="CoreNLP JSON", suffixes=(), fits=_corenlp_fits, read=read_corenlp
)

_SHAPE = "episodes of scenes of utterances, with 'tokens' and 'character_entities'"


def read_emory(text: str, file: str, side: str = "key") -> Corpus:
    """The scenes of a file; `side` makes no difference."""
    return read_objects(text, file, _emory_documents)


def _emory_documents(entry: Entry) -> Iterator[Document]:
    for episode in _objects(entry, entry.values, "episodes"):
        for scene in _objects(entry, episode, "scenes"):
            yield _scene(entry, scene)


def _objects(entry: Entry, values: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    given = values.get(field)
    good = isinstance(given, list) and all(isinstance(one, dict) for one in given)
    entry.require(good, f"'{field}' in another shape", _SHAPE, "Check the file.")
    return given or []


def _scene(entry: Entry, scene: dict[str, Any]) -> Document:
    name = scene.get("scene_id")
    good = isinstance(name, str) and name.strip() != ""
    entry.require(
        good, f"{repr(name)[:40]} as 'scene_id'", "a name", "Give each scene a name of its own."
    )
    sentences: list[list[str]] = []
    speakers: list[str] = []
    mentions: list[list[list[Any]]] = []
    for utterance in _objects(entry, scene, "utterances"):
        words = _emory_sentences(entry, utterance, str(name))
        sentences += words
        mentions += _emory_mentions(entry, utterance, words, str(name))
        speakers += [", ".join(_speakers(utterance))] * len(words)
    starts = starts_of(sentences)
    rows = [
        (at + start, at + end, _entity(names, at + start))
        for at, of_sentence in zip(starts, mentions, strict=True)
        for start, end, *names in of_sentence
    ]
    full = [i for i, sentence in enumerate(sentences) if sentence]
    n_words = sum(map(len, sentences))
    several = {entity: None for *_, entity in rows if not all(map(_is_nobody, entity))}
    return Document.of_rows(
        str(name).strip(),
        rows,
        words=[word for sentence in sentences for word in sentence],
        sentence_starts=[starts[i] for i in full],
        speakers=[speakers[i] for i in full] if any(speakers) else (),
        file=entry.file,
        lines=np.full(n_words, entry.line),
        split_antecedents=[
            (entity, [(one,) for one in entity if not _is_nobody(one)])
            for entity in several
            if len(entity) > 1
        ],
    )


def _emory_sentences(entry: Entry, utterance: dict[str, Any], scene: str) -> list[list[str]]:
    given = utterance.get("tokens")
    good = are_sentences(given)
    entry.require(good, f"'tokens' in another shape in scene {scene}", _SHAPE, "Check the file.")
    return given or []


def _emory_mentions(
    entry: Entry, utterance: dict[str, Any], words: list[list[str]], scene: str
) -> list[list[list[Any]]]:
    """The mentions of each sentence."""
    given = utterance.get("character_entities")
    good = (
        isinstance(given, list)
        and len(given) == len(words)
        and all(isinstance(of_sentence, list) for of_sentence in given)
    )
    found = f"'character_entities' in another shape than 'tokens' in scene {scene}"
    entry.require(good, found, "a list for each sentence", "Check the file.")
    mentions = given or []
    for of_sentence, sentence in zip(mentions, words, strict=True):
        for mention in of_sentence:
            entry.require(
                _is_mention(mention, len(sentence)),
                f"the mention {str(mention)[:60]} in scene {scene}",
                "[start, end, name, …] within the sentence, the end after the mention",
                "Count words of the sentence from 0.",
            )
    return mentions


def _is_mention(mention: object, n_words: int) -> bool:
    return (
        isinstance(mention, list)
        and len(mention) >= 3
        and [*map(type, mention[:2])] == [int, int]
        and all(isinstance(name, str) for name in mention[2:])
        and 0 <= mention[0] < mention[1] <= n_words
    )


def _speakers(utterance: dict[str, Any]) -> list[str]:
    given = utterance.get("speakers")
    return [name for name in given if isinstance(name, str)] if isinstance(given, list) else []


def _entity(names: Iterable[str], at: int) -> tuple[str, ...]:
    """The names, in one order; of nobody the place as well, so that no two are one entity."""
    entity = tuple(sorted({*names}))
    return entity if not all(map(_is_nobody, entity)) else (f"#{at}", *entity)


def _is_nobody(name: str) -> bool:
    return name.startswith("#")


def _emory_fits(text: str) -> bool:
    return has_fields(text, "episodes", without=("sentences", "tokens"))


EMORY = Format(
    id="emory",
    title="Emory character identification",
    suffixes=(),
    fits=_emory_fits,
    read=read_emory,
)


def read_fastcoref(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    widened: list[str] = []

    def documents(entry: Entry) -> Iterable[Document]:
        offsets = Offsets(_text(entry))
        yield _document(entry, offsets)
        widened.extend(offsets.widened)

    corpus = read_objects(text, file, documents)
    return Corpus(corpus.documents, file, (*corpus.warnings, *widened_warnings(file, widened)))


def _text(entry: Entry) -> str:
    given = entry.values.get("text")
    expected = "'text', a string"
    entry.require(isinstance(given, str), "text in another shape", expected, "Add the text.")
    return str(given)


def _document(entry: Entry, offsets: Offsets) -> Document:
    words = offsets.tokens.words
    rows = [*_rows(entry, offsets)]
    return Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows,
        words=words,
        sentence_starts=offsets.sentence_starts,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _rows(entry: Entry, offsets: Offsets) -> Iterator[Row]:
    text, texts = offsets.text, []
    for number, cluster in enumerate(clusters_of(entry, "clusters")):
        for span in cluster:
            found = f"the span {str(span)[:40]} in a text of {len(text)} characters"
            expected = f"0 ≤ start < end ≤ {len(text)}, around a word"
            advice = "Count characters of the text from 0; the end is the one after the mention."
            good = whole_numbers(span, 2) and 0 <= span[0] < span[1] <= len(text)
            mention = offsets.mention([span]) if good else None
            if mention is None:
                raise entry.problem(found, expected, advice)
            yield mention.start, mention.end, number
            texts.append(text[slice(*span)])
    check_texts(entry, "clusters_strings", texts)


def _fastcoref_fits(text: str) -> bool:
    return has_fields(text, "text", "clusters", without=("sentences", "tokens", "document"))


FASTCOREF = Format(
    id="fastcoref", title="fastcoref", suffixes=(), fits=_fastcoref_fits, read=read_fastcoref
)


def read_maverick(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return with_ends_warning(read_objects(text, file, _maverick_documents))


def _maverick_documents(entry: Entry) -> Iterable[Document]:
    words = words_of(entry, "tokens")
    rows = rows_of(entry, "clusters_token_offsets", words)
    texts = (" ".join(words[start:end]) for start, end in rows[:, :2].tolist())
    check_texts(entry, "clusters_token_text", texts)
    yield Document.of_rows(
        name_or_number(entry, "doc_key", "id"),
        rows,
        words=words,
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _maverick_fits(text: str) -> bool:
    return has_fields(text, "tokens", "clusters_token_offsets")


MAVERICK = Format(
    id="maverick", title="Maverick", suffixes=(), fits=_maverick_fits, read=read_maverick
)


def read_preco(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return read_objects(text, file, _preco_documents)


def _preco_documents(entry: Entry) -> Iterable[Document]:
    sentences = sentences_of(entry)
    words = [word for sentence in sentences for word in sentence]
    starts = starts_of(sentences)
    yield Document.of_rows(
        name_or_number(entry, "id", "doc_key"),
        _preco_rows(entry, sentences, starts),
        words=words,
        sentence_starts=[at for at, words in zip(starts, sentences, strict=True) if words],
        file=entry.file,
        lines=np.full(len(words), entry.line),
    )


def _preco_rows(entry: Entry, sentences: list[list[str]], starts: list[int]) -> Iterator[Row]:
    for number, cluster in enumerate(clusters_of(entry, "mention_clusters", "[sentence, a, b]")):
        for mention in cluster:
            good = whole_numbers(mention, 3) and (
                0 <= mention[0] < len(sentences)
                and 0 <= mention[1] < mention[2] <= len(sentences[mention[0]])
            )
            entry.require(
                good,
                f"the mention {json.dumps(mention)[:40]} in {len(sentences)} sentences",
                "[sentence, start, end], the end after the mention, within the sentence",
                "Count sentences, and the words of each, from 0.",
            )
            sentence, start, end = mention
            yield starts[sentence] + start, starts[sentence] + end, number


def _preco_fits(text: str) -> bool:
    return has_fields(text, "sentences", "mention_clusters")


PRECO = Format(id="preco", title="PreCo", suffixes=(), fits=_preco_fits, read=read_preco)


def read_scierc(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file. The response side is `predicted_clusters` if the lines have it."""
    return with_ends_warning(read_lines(text, file, side, _scierc_document))


def _scierc_document(entry: Entry, field: str) -> Document:
    document = e2e_document(entry, field)
    types = _types(entry, "ner" if field == GOLD else "predicted_ner")
    if document.attributes is not None or not types:
        return document
    spans = document.spans.tolist()
    of_mentions = [types.get((start, end), "") for start, end in spans]
    if not any(of_mentions):
        return document
    return replace(document, attributes=Attributes.of(len(spans), entity_type=of_mentions))


def _types(entry: Entry, field: str) -> dict[tuple[int, int], str]:
    """The label of each span, the first where there are several."""
    given = entry.values.get(field)
    if given is None:
        return {}
    lists = given if isinstance(given, list) else [given]
    entry.require(
        all(isinstance(one, list) and all(map(_is_label, one)) for one in lists),
        f"'{field}' in another shape",
        "a list of [start, end, label] for each sentence",
        "Fix the list or leave it out.",
    )
    labels = [label for one in lists for label in one]
    return {(start, end + 1): label for start, end, label, *_ in reversed(labels)}


def _is_label(value: Any) -> bool:
    is_long = isinstance(value, list) and len(value) >= 3
    return is_long and [*map(type, value[:3])] == [int, int, str]


def _scierc_fits(text: str) -> bool:
    return any(
        has_fields(text, "sentences", clusters, labels)
        for clusters in ("clusters", "predicted_clusters")
        for labels in ("ner", "relations", "predicted_ner")
    )


SCIERC = Format(
    id="scierc", title="SciERC / DyGIE++", suffixes=(), fits=_scierc_fits, read=read_scierc
)


def read_scorch(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference."""
    return read_objects(text, file, _scorch_documents)


def _scorch_documents(entry: Entry) -> Iterable[Document]:
    kind = entry.values.get("type")
    entry.require(
        kind in ("clusters", "graph"),
        f"the type {str(kind)[:40]!r}",
        "'clusters' or 'graph'",
        "Name the type of the file.",
    )
    entities = _clusters(entry) if kind == "clusters" else _components(entry)
    position: dict[str, int] = {}
    rows = [
        (at := position.setdefault(mention, len(position)), at + 1, number)
        for number, entity in enumerate(entities)
        for mention in entity
    ]
    yield Document.of_rows(
        name_or_number(entry, "name"),
        rows,
        words=tuple(position),
        named_mentions=True,
        file=entry.file,
    )


def _clusters(entry: Entry) -> Sequence[Sequence[str]]:
    clusters = entry.values.get("clusters")
    entities = [*clusters.values()] if isinstance(clusters, dict) else [None]
    good = all(_are_names(entity) for entity in entities)
    expected = "'clusters', an object of lists of names"
    entry.require(good, "clusters in another shape", expected, "Write {} where there are none.")
    return [entity for entity in entities if entity is not None]


def _components(entry: Entry) -> Iterable[Sequence[str]]:
    mentions, links = entry.values.get("mentions"), entry.values.get("links")
    entry.require(
        _are_names(mentions)
        and isinstance(links, list)
        and all(_are_names(link) and len(link) == 2 for link in links),
        "a graph in another shape",
        "'mentions', a list of names, and 'links', a list of pairs of them",
        "Write [] where there are none.",
    )
    entity = {mention: [mention] for mention in mentions or ()}
    for one, other in links or ():
        missing = next((name for name in (one, other) if name not in entity), None)
        expected = "links of names in 'mentions'"
        entry.require(missing is None, f"a link to {missing!r}", expected, "Add the mention.")
        larger, smaller = sorted((entity[one], entity[other]), key=len, reverse=True)
        if larger is not smaller:
            larger += smaller
            entity.update(dict.fromkeys(smaller, larger))
    return {id(members): members for members in entity.values()}.values()


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _scorch_fits(text: str) -> bool:
    of_graph = has_fields(text, "type", "mentions", "links")
    return of_graph or has_fields(text, "type", "clusters", without=("sentences", "tokens"))


SCORCH = Format(id="scorch", title="scorch JSON", suffixes=(), fits=_scorch_fits, read=read_scorch)

Word = dict[str, Any]

_BEGINNING = re.compile(r'\s*\[\s*\[\s*\{\s*"id"\s*:')

_STANZA_SHAPE = "lists of words with 'id', 'text' and, in a mention, 'coref_chains'"


def read_stanza(text: str, file: str, side: str = "key") -> Corpus:
    """The document of a file; `side` makes no difference. InputError names the first problem."""
    sentences = _stanza_sentences(parsed(text, file), file)
    starts = starts_of(sentences)
    words = [word for sentence in sentences for word in sentence]
    tags = [str(word.get("xpos") or word.get("upos") or "") for word in words]
    lemmas = [str(word.get("lemma") or "") for word in words]
    document = Document.of_rows(
        "1",
        _stanza_rows(words, file),
        words=[word["text"] for word in words],
        sentence_starts=[at for at, some in zip(starts, sentences, strict=True) if some],
        tags=tags if any(tags) else (),
        lemmas=lemmas if any(lemmas) else (),
        file=file,
        lines=np.ones(len(words), dtype=np.int64),
    )
    return Corpus((document,), file, (f"{file}: the document has no name; it is named 1.",))


def _stanza_sentences(values: object, file: str) -> list[list[Word]]:
    """The words of each sentence, without the entries for tokens of several words."""
    if not isinstance(values, list) or not all(isinstance(one, list) for one in values):
        raise _problem(file, "JSON in another shape")
    for at, entry in enumerate(chain.from_iterable(values), start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            raise _problem(file, f"entry {at} without a text")
        if isinstance(entry.get("id"), list) and entry.get("coref_chains"):
            raise _problem(file, f"entry {at}, a token of several words, in a mention")
    return [[word for word in one if not isinstance(word.get("id"), list)] for one in values]


def _stanza_rows(words: Sequence[Word], file: str) -> Iterator[Row]:
    """(start, end, chain) of each mention; of two open ones of a chain, the inner closes first."""
    open_at: dict[int, list[int]] = {}
    for at, word in enumerate(words):
        places = [_place(one, at, file) for one in _list(word.get("coref_chains"))]
        for index, starts, ends in places:
            if ends and not starts:
                if not open_at.get(index):
                    raise _problem(file, f"chain {index}, which ends at word {at} without a start")
                yield open_at[index].pop(), at + 1, index
        for index, starts, ends in places:
            if starts and ends:
                yield at, at + 1, index
            elif starts:
                open_at.setdefault(index, []).append(at)
    for index, left in open_at.items():
        if left:
            raise _problem(file, f"chain {index}, whose mention at word {left[0]} has no end")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _place(value: object, at: int, file: str) -> tuple[int, bool, bool]:
    """(chain, whether a mention starts, whether it ends)."""
    if not isinstance(value, dict) or type(value.get("index")) is not int:
        raise _problem(file, f"'coref_chains' in another shape at word {at}")
    return value["index"], value.get("is_start") is True, value.get("is_end") is True


def _problem(file: str, found: str) -> InputError:
    return InputError(
        [Problem(file, 0, found, _STANZA_SHAPE, "Write doc.to_dict() as JSON again.")]
    )


def _stanza_fits(text: str) -> bool:
    return bool(_BEGINNING.match(text))


STANZA = Format(id="stanza", title="Stanza JSON", suffixes=(), fits=_stanza_fits, read=read_stanza)

# JSON Lines last: it takes whatever is JSON, and says what is wrong with it
JSON_FORMATS = (
    *(ALLENNLP, PRECO, FASTCOREF, MAVERICK, CORENLP, SCORCH, SCIERC, EMORY, STANZA),
    *(JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS),
)
