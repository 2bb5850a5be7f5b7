"""The formats that are JSON, each as a record that says where words, clusters and texts are.

A format has a function of its own only for what a record cannot say. Documents without a name are
numbered.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from corescore.corpus.documents import Attributes, Corpus, Document
from corescore.corpus.english import NAME, NOMINAL, PRONOUN
from corescore.corpus.formats.format import Format, Notice
from corescore.corpus.formats.json_shapes import (
    PLACES,
    WIDENED,
    Ends,
    JsonObject,
    check_texts,
    clusters_of,
    document_of,
    has_fields,
    has_shape,
    name_or_number,
    parsed,
    read_objects,
    rows_of,
    sentences_of,
    starts_of,
    warn_of_other_texts,
    words_of,
)
from corescore.corpus.formats.jsonl import (
    GOLD,
    JSONL,
    JSONL_EXCLUSIVE,
    JSONL_SUBTOKENS,
    inclusive,
    read_lines,
)
from corescore.corpus.formats.standoff import Offsets, linked

Row = tuple[int, int, Any]


@dataclass(frozen=True)
class Record:
    """A format of JSON objects, each a document.

    document  reads the document of an object, by the fields below
    known_by  sets of fields: the first object of a file has all those of one set
    without   fields that it then does not have
    names     fields: the first that is there is the document's name
    words     the field of its words
    clusters  the field of its clusters, lists of mentions
    ends      of mentions
    texts     the field of the text of each mention, in lists like the clusters
    parts     the documents of an object, if it has several
    """

    id: str
    title: str
    document: "Callable[[Record, JsonObject], Document]"
    known_by: tuple[tuple[str, ...], ...]
    without: tuple[str, ...] = ()
    names: tuple[str, ...] = ("doc_key", "id")
    words: str = ""
    clusters: str = ""
    ends: Ends = "exclusive"
    texts: str = ""
    parts: Callable[[JsonObject], Iterable[JsonObject]] = lambda entry: (entry,)

    @property
    def format(self) -> Format:
        """The format, which is read but not written."""
        return Format(self.id, self.title, (), self._fits, self._read)

    def _fits(self, text: str) -> bool:
        return any(has_fields(text, *fields, without=self.without) for fields in self.known_by)

    def _read(self, text: str, file: str, side: str) -> Corpus:
        return read_objects(text, file, self._documents)

    def _documents(self, entry: JsonObject) -> Iterator[Document]:
        for part in self.parts(entry):
            yield self.document(self, part)

    def name(self, entry: JsonObject) -> str:
        """The name of a document."""
        return name_or_number(entry, *self.names)


# What a record says ------------------------------------------------------------------------------


def _by_word(record: Record, entry: JsonObject) -> Document:
    """Mentions are [start, end] in a list of words."""
    words = words_of(entry, record.words)
    rows = rows_of(entry, record.clusters, words, record.ends)
    if record.texts:
        texts = (" ".join(words[start:end]) for start, end, _ in rows.tolist())
        check_texts(entry, record.texts, texts)
    document = document_of(entry, record.name(entry), [words], rows=rows)
    return entry.notice_ends(document) if record.ends == "inclusive" else document


def _by_sentence(record: Record, entry: JsonObject) -> Document:
    """Mentions are [sentence, start, end] in lists of words."""
    sentences = sentences_of(entry, record.words)
    starts = starts_of(sentences)
    rows = []
    for number, cluster in enumerate(clusters_of(entry, record.clusters, "[sentence, a, b]")):
        for mention in cluster:
            if (span := _span(mention, starts, 0)) is None:
                found = f"the mention {json.dumps(mention)[:40]} in {len(sentences)} sentences"
                expected = "[sentence, start, end], the end after the mention, within the sentence"
                raise entry.problem(found, expected, _COUNT.format(0))
            rows.append((*span, number))
    return document_of(entry, record.name(entry), sentences, rows=rows)


def _span(place: Any, starts: Sequence[int], first: int) -> tuple[int, int] | None:
    """The words at [sentence, start, end], counted from `first`, the end exclusive; None if none.

    starts  the first word of each sentence; last, how many words there are
    """
    if not has_shape(place, (int, int, int)):
        return None
    sentence, start, end = (at - first for at in place)
    if not (0 <= sentence < len(starts) - 1 and 0 <= start < end):
        return None
    before, after = starts[sentence : sentence + 2]
    return (before + start, before + end) if before + end <= after else None


def _by_character(record: Record, entry: JsonObject) -> Document:
    """Mentions are [start, end] in a text, the end exclusive."""
    text = entry.take(
        record.words, str, "'text', a string", "Add the text.", "text in another shape"
    )
    offsets = Offsets(text)
    rows, texts = [], []
    for number, cluster in enumerate(clusters_of(entry, record.clusters)):
        for span in cluster:
            runs = offsets.runs(tuple(span)) if has_shape(span, PLACES) else ()
            if not runs:
                found = f"the span {str(span)[:40]} in a text of {len(text)} characters"
                expected = f"0 ≤ start < end ≤ {len(text)}, around a word"
                raise entry.problem(found, expected, _CHARACTERS)
            rows.append((*runs[0], number))
            texts.append(text[slice(*span)])
    check_texts(entry, record.texts, texts)
    entry.notices.extend(Notice(WIDENED, entry.line, one) for one in offsets.widened)
    return document_of(entry, record.name(entry), offsets.sentences, rows=rows)


_CHECK = "Check the file."
_COUNT = "Count sentences, and the words of each, from {}."
_CHARACTERS = "Count characters of the text from 0; the end is the one after the mention."

# https://docs.allennlp.org/models/main/models/coref/predictors/coref/
# Lost: the spans and antecedents that the model considered; sentences it does not have
ALLENNLP = Record(
    "allennlp",
    "AllenNLP predictor",
    _by_word,
    (("document", "clusters"),),
    without=("sentences", "tokens"),
    words="document",
    clusters="clusters",
    ends="inclusive",
)
# https://github.com/SapienzaNLP/maverick-coref. Lost: the offsets in characters
MAVERICK = Record(
    "maverick",
    "Maverick",
    _by_word,
    (("tokens", "clusters_token_offsets"),),
    words="tokens",
    clusters="clusters_token_offsets",
    ends="inclusive",
    texts="clusters_token_text",
)
# https://preschool-lab.github.io/PreCo/, with singletons. Nothing is lost
PRECO = Record(
    "preco",
    "PreCo",
    _by_sentence,
    (("sentences", "mention_clusters"),),
    names=("id", "doc_key"),
    words="sentences",
    clusters="mention_clusters",
)
# https://github.com/shon-otmazgin/fastcoref. Lost: where a mention begins or ends within a word
FASTCOREF = Record(
    "fastcoref",
    "fastcoref",
    _by_character,
    (("text", "clusters"),),
    without=("sentences", "tokens", "document"),
    words="text",
    clusters="clusters",
    texts="clusters_strings",
)

# CoreNLP -----------------------------------------------------------------------------------------

_PLACE = ("sentNum", "startIndex", "endIndex")

_TYPES = {"PRONOMINAL": PRONOUN, "PROPER": NAME, "NOMINAL": NOMINAL, "LIST": "list"}


def _corenlp(record: Record, entry: JsonObject) -> Document:
    given = entry.take(
        record.words,
        [{"tokens": [{"word": str}]}],
        "'sentences', a list of {'tokens': [{'word': …}, …]}",
        "Let CoreNLP write JSON with the annotators tokenize, ssplit and coref.",
        "sentences in another shape",
    )
    corefs = entry.take(
        record.clusters,
        {str: list},
        "'corefs', an object of lists of mentions",
        "Write {} where there are none.",
        "corefs in another shape",
    )
    sentences = [[token["word"] for token in one["tokens"]] for one in given]
    words, starts = [*chain.from_iterable(sentences)], starts_of(sentences)
    rows, heads, types, ours, theirs = [], [], [], [], []
    for entity, cluster in corefs.items():
        for one in cluster:
            place: Any = [one.get(name) for name in _PLACE] if isinstance(one, dict) else []
            if (span := _span(place, starts, 1)) is None:
                of = f"a mention of entity {entity[:40]}"
                found = f"{of} with {', '.join(_PLACE)} {str(place)[:60]}"
                expected = "a sentence of the document, and words of it, the end after the mention"
                raise entry.problem(found, expected, _COUNT.format(1))
            start, end = span
            head, kind, text = map(one.get, ("headIndex", "type", "text"))
            head = start + head - place[1] if type(head) is int else -1
            rows.append((start, end, entity))
            heads.append(head if start <= head < end else -1)
            types.append(_TYPES.get(str(kind), ""))
            ours.append(" ".join(words[start:end]))
            theirs.append(ours[-1] if text is None else text)
    warn_of_other_texts(entry, "text", ours, theirs)
    tags, lemmas = (
        [
            token[field] if isinstance(token.get(field), str) else ""
            for one in given
            for token in one["tokens"]
        ]
        for field in ("pos", "lemma")
    )
    attributes = Attributes.of(len(rows), head=heads, mention_type=types)
    return document_of(
        entry,
        record.name(entry),
        sentences,
        rows=rows,
        tags=tags,
        lemmas=lemmas,
        attributes=attributes,
    )


# https://stanfordnlp.github.io/CoreNLP/coref.html, also through Stanza's client. It counts from 1,
# ends are exclusive. Lost: which mention represents its entity, number, gender
CORENLP = Record(
    "corenlp",
    "CoreNLP JSON",
    _corenlp,
    (("sentences", "corefs"),),
    names=("docId",),
    words="sentences",
    clusters="corefs",
)

# scorch ------------------------------------------------------------------------------------------


def _scorch(record: Record, entry: JsonObject) -> Document:
    """A mention is its name, any string: there are no words and no positions."""
    kind = entry.values.get("type")
    found, expected = f"the type {str(kind)[:40]!r}", "'clusters' or 'graph'"
    entry.require(kind in ("clusters", "graph"), found, expected, "Name the type of the file.")
    rows: list[Row] = []
    position: dict[str, int] = {}
    for mention, entity in _named(entry) if kind == "clusters" else _connected(entry):
        at = position.setdefault(mention, len(position))
        rows.append((at, at + 1, entity))
    name = record.name(entry)
    return Document.of_rows(name, rows, words=[*position], named_mentions=True, file=entry.file)


def _named(entry: JsonObject) -> Iterator[tuple[str, str]]:
    """(mention, its cluster)."""
    expected, advice = "'clusters', an object of lists of names", "Write {} where there are none."
    found = "clusters in another shape"
    clusters = entry.take("clusters", {str: [str]}, expected, advice, found)
    return ((mention, cluster) for cluster in clusters for mention in clusters[cluster])


def _connected(entry: JsonObject) -> Iterable[tuple[str, str]]:
    """(mention, the one that stands for all that links connect with it)."""
    mentions: Any = entry.values.get("mentions")
    links: Any = entry.values.get("links")
    entry.require(
        has_shape(mentions, [str]) and has_shape(links, [(str, str)]),
        "a graph in another shape",
        "'mentions', a list of names, and 'links', a list of pairs of them",
        "Write [] where there are none.",
    )
    known = {*mentions}
    missing = next((name for link in links for name in link if name not in known), None)
    expected = "links of names in 'mentions'"
    entry.require(missing is None, f"a link to {missing!r}", expected, "Add the mention.")
    return linked(mentions, links).items()


# https://github.com/LoicGrobol/scorch. Nothing is lost
#     {"type": "clusters", "clusters": {"0": ["a", "b"], "1": ["c"]}}
#     {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}
SCORCH = Record(
    "scorch",
    "scorch JSON",
    _scorch,
    (("type", "mentions", "links"), ("type", "clusters")),
    without=("sentences", "tokens"),
    names=("name",),
)

# SciERC ------------------------------------------------------------------------------------------


def _scierc(entry: JsonObject, field: str) -> Document:
    """A document as e2e-coref has it, with the label that `ner` gives to a span as entity type."""
    document = inclusive(entry, field)
    labels = "ner" if field == GOLD else "predicted_ner"
    if entry.values.get(labels) is None:
        return document
    lists = entry.take(
        labels,
        [[(int, int, str, ...)]],
        "a list of [start, end, label] for each sentence",
        "Fix the list or leave it out.",
    )
    types = {(start, end + 1): label for start, end, label, *_ in [*chain(*lists)][::-1]}
    of_mentions = [types.get((start, end), "") for start, end in document.spans.tolist()]
    if document.attributes is not None or not any(of_mentions):
        return document
    return replace(document, attributes=Attributes.of(len(of_mentions), entity_type=of_mentions))


def _scierc_fits(text: str) -> bool:
    return any(
        has_fields(text, "sentences", clusters, labels)
        for clusters in ("clusters", "predicted_clusters")
        for labels in ("ner", "relations", "predicted_ner")
    )


# https://github.com/dwadden/dygiepp/blob/master/doc/data.md. Of several labels of a span the first
# is taken. Lost: relations and events, but for a line that is written again
SCIERC = Format(
    id="scierc",
    title="SciERC / DyGIE++",
    suffixes=(),
    fits=_scierc_fits,
    read=partial(read_lines, document=_scierc),
)

# Emory -------------------------------------------------------------------------------------------

_EMORY = "episodes of scenes of utterances, with 'tokens' and 'character_entities'"


def _scenes(entry: JsonObject) -> Iterator[JsonObject]:
    for episode in entry.take("episodes", [dict], _EMORY, _CHECK):
        for scene in entry.within(episode).take("scenes", [dict], _EMORY, _CHECK):
            name = scene.get("scene_id")
            good = isinstance(name, str) and name.strip() != ""
            found, advice = f"{repr(name)[:40]} as 'scene_id'", "Give each scene a name of its own."
            entry.require(good, found, "a name", advice)
            yield entry.within(scene)


def _emory(record: Record, entry: JsonObject) -> Document:
    """Each list of words is a sentence; the mentions of one name, or of the same ones, an entity.

    An entity of several names has those of each as split antecedents. `#GENERAL#` and `#OTHER#`
    name nobody: such a mention is an entity by itself.
    """
    sentences: list[list[str]] = []
    speakers: list[str] = []
    rows: list[Row] = []
    n_words = 0
    for utterance in entry.take("utterances", [dict], _EMORY, _CHECK):
        said, scene = entry.within(utterance), entry.values["scene_id"]
        found = f"'{record.words}' in another shape in scene {scene}"
        words = said.take(record.words, [[str]], _EMORY, _CHECK, found)
        found = f"'{record.clusters}' in another shape than '{record.words}' in scene {scene}"
        expected = "a list for each sentence"
        mentions = said.take(record.clusters, [list], expected, _CHECK, found)
        said.require(len(mentions) == len(words), found, expected, _CHECK)
        for sentence, of_sentence in zip(words, mentions, strict=True):
            for mention in of_sentence:
                if not (
                    has_shape(mention, (int, int, str, ...))
                    and has_shape(mention[2:], [str])
                    and 0 <= mention[0] < mention[1] <= len(sentence)
                ):
                    found = f"the mention {str(mention)[:60]} in scene {scene}"
                    expected = (
                        "[start, end, name, …] within the sentence, the end after the mention"
                    )
                    raise said.problem(found, expected, "Count words of the sentence from 0.")
                start, names = n_words + mention[0], tuple(sorted({*mention[2:]}))
                entity = names if _people(names) else (start, *names)
                rows.append((start, n_words + mention[1], entity))
            n_words += len(sentence)
        given = utterance.get("speakers")
        known = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
        speakers += [", ".join(known)] * len(words)
        sentences += words
    several = dict.fromkeys(names for *_, names in rows if len(names) > 1 and _people(names))
    split = [(names, _people(names)) for names in several]
    return document_of(
        entry, record.name(entry), sentences, rows=rows, speakers=speakers, split_antecedents=split
    )


def _people(names: Iterable[Any]) -> list[tuple[str]]:
    """The entities of single names."""
    return [(name,) for name in names if isinstance(name, str) and name[:1] != "#"]


# https://github.com/emorynlp/character-identification. Lost: seasons and episodes
EMORY = Record(
    "emory",
    "Emory character identification",
    _emory,
    (("episodes",),),
    without=("sentences", "tokens"),
    names=("scene_id",),
    words="tokens",
    clusters="character_entities",
    parts=_scenes,
)

# Stanza ------------------------------------------------------------------------------------------

_BEGINNING = re.compile(r'\s*\[\s*\[\s*\{\s*"id"\s*:')

_STANZA = (
    "lists of words with 'id', 'text' and, in a mention, 'coref_chains'",
    "Write doc.to_dict() as JSON again.",
)


def _read_stanza(text: str, file: str, side: str) -> Corpus:
    """The one document of a file, `doc.to_dict()`: lists of words with the chains they are in."""
    given = parsed(text, file)
    entry = JsonObject(file, 0, text, {}, 1, [])
    entry.require(has_shape(given, [list]), "JSON in another shape", *_STANZA)
    for at, word in enumerate(chain.from_iterable(given), start=1):
        if not isinstance(word, dict) or type(word.get("text")) is not str:
            raise entry.problem(f"entry {at} without a text", *_STANZA)
        if isinstance(word.get("id"), list) and word.get("coref_chains"):
            raise entry.problem(f"entry {at}, a token of several words, in a mention", *_STANZA)
    sentences = [[word for word in one if not isinstance(word.get("id"), list)] for one in given]
    words = [*chain.from_iterable(sentences)]
    document = document_of(
        replace(entry, line=1),
        "1",
        [[word["text"] for word in sentence] for sentence in sentences],
        rows=[*_chains(words, entry)],
        tags=[str(word.get("xpos") or word.get("upos") or "") for word in words],
        lemmas=[str(word.get("lemma") or "") for word in words],
    )
    return Corpus((document,), file, (f"{file}: the document has no name; it is named 1.",))


def _chains(words: Iterable[dict[str, Any]], entry: JsonObject) -> Iterator[Row]:
    """(start, end, chain) of each mention; of two open ones of a chain, the inner closes first."""
    open_at: dict[int, list[int]] = {}
    for at, word in enumerate(words):
        if (given := word.get("coref_chains")) is None:
            continue
        given = given if isinstance(given, list) else [given]
        places = []
        for one in given:
            if not isinstance(one, dict) or type(one.get("index")) is not int:
                raise entry.problem(f"'coref_chains' in another shape at word {at}", *_STANZA)
            marks = one.get("is_start") is True, one.get("is_end") is True
            places.append((one["index"], *marks))
        for index, starts, ends in places:
            if ends and not starts:
                if not open_at.get(index):
                    found = f"chain {index}, which ends at word {at} without a start"
                    raise entry.problem(found, *_STANZA)
                yield open_at[index].pop(), at + 1, index
        for index, starts, ends in places:
            if starts and ends:
                yield at, at + 1, index
            elif starts:
                open_at.setdefault(index, []).append(at)
    for index, left in open_at.items():
        found = f"chain {index}, whose mention at word {left[0] if left else 0} has no end"
        entry.require(not left, found, *_STANZA)


# https://stanfordnlp.github.io/stanza/coref.html. Lost: everything but words, sentences, lemmas,
# chains and parts of speech: `xpos`, else `upos`
STANZA = Format(
    id="stanza",
    title="Stanza JSON",
    suffixes=(),
    fits=lambda text: bool(_BEGINNING.match(text)),
    read=_read_stanza,
)

# JSON Lines last: it takes whatever is JSON, and says what is wrong with it
JSON_FORMATS = (
    *(one.format for one in (ALLENNLP, PRECO, FASTCOREF, MAVERICK, CORENLP, SCORCH)),
    *(SCIERC, EMORY.format, STANZA, JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS),
)
