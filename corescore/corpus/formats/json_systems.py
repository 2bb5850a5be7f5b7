"""The formats that are JSON, each as a record that says where words, clusters and texts are.

A format has a function of its own only for what a record cannot say. Documents without a name are
numbered.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise, product
from typing import Any

from corescore.corpus.documents import Attributes, Corpus, EmptyNode, Row
from corescore.corpus.english import NAME, NOMINAL, PRONOUN
from corescore.corpus.formats.conllu import carrier_in, chains_in
from corescore.corpus.formats.format import Format, Notice, name_of_file
from corescore.corpus.formats.inline import json_in_fences
from corescore.corpus.formats.json_objects import (
    NAMES,
    OVER_WORDS,
    PLACES,
    WIDENED,
    JsonObject,
    Record,
    Unordered,
    check_texts,
    clusters_of,
    document_of,
    has_shape,
    in_order,
    mentions_of,
    parsed,
    sentences_of,
    starts_of,
)
from corescore.corpus.formats.jsonl import (
    GOLD,
    JSONL,
    JSONL_EXCLUSIVE,
    JSONL_SUBTOKENS,
    PREDICTED,
    read_line,
)
from corescore.corpus.formats.standoff import Offsets, linked
from corescore.corpus.formats.tasks import empty_nodes
from corescore.corpus.problems import Problems
from corescore.wording import counted

_CHECK = "Check the file."
_COUNT = "Count sentences, and the words of each, from {}."

# What a record says ------------------------------------------------------------------------------


def _by_word(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """Mentions are [start, end] in a list of words."""
    (words,), _ = sentences_of(entry, record.words, flat=True)
    yield _in_words(record, entry, field, words)


def _in_words(
    record: Record, entry: JsonObject, field: str, words: Sequence[str], **more: Any
) -> Unordered:
    """A document of one sentence; mentions are [start, end] of these words."""
    mentions = mentions_of(entry, field, words, record.ends)
    spans = zip(mentions.starts, mentions.ends, strict=True)
    texts = [" ".join(words[start : end + mentions.after]) for start, end in spans]
    _check_texts(record, entry, texts)
    return document_of(entry, record.name(entry), [words], rows=mentions, **more)


def _by_word_and_sentence(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """The same with the number of each word's sentence, and what is said of each word."""
    (words,), _ = sentences_of(entry, record.words, flat=True)
    of_words: dict[str, list[Any]] = {"sent_id": [0] * len(words), "speaker": [], "pos": []}
    for name in filter(entry.values.__contains__, of_words):
        given: Any = entry.values[name]
        good = isinstance(given, list) and len(given) == len(words)
        fault = f"'{name}' in another shape than '{record.words}'"
        entry.require(good, fault, "a value for each word", "Fix the list or leave it out.")
        of_words[name] = given
    sentence_of, speakers, tags = of_words.values()
    starts = [at for at, one in enumerate(sentence_of) if at == 0 or one != sentence_of[at - 1]]
    name, part = record.name(entry), entry.values.get("part_id")
    if type(part) is int and part > 0 and not name.endswith(f"_{part}"):
        name = f"{name}; part {part}"
    yield document_of(
        entry,
        name,
        [words[start:end] for start, end in pairwise([*starts, len(words)])],
        rows=mentions_of(entry, field, words, record.ends),
        speakers=[
            "" if (speaker := speakers[at]) in (None, "-", "_") else str(speaker) for at in starts
        ]
        if speakers
        else (),
        tags=[str(tag or "") for tag in tags],
    )


def _with_empty_nodes(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """Mentions are [start, end] in a list of words, some of which are empty nodes."""
    (given,), _ = sentences_of(entry, record.words, flat=True)
    words, nodes = empty_nodes(given)
    yield _in_words(record, entry, field, words, empty_nodes=nodes, as_text=True)


def _indiscrim(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """Mentions are [sentence, start, end] in sentences of tokens, both ends inside; a token whose
    id has a fraction is an empty node."""
    advice = "Add the words of the document."
    given, tokens, words = _of_tokens(record, entry, field, "text", advice)
    rows = _rows_in_sentences(entry, field, words, 1)
    ids = [token.get("id") for token in tokens]
    nodes = {
        at: EmptyNode(round(one % 1 * 10))
        for at, one in enumerate(ids)
        if isinstance(one, float) and one % 1
    }
    yield document_of(
        entry,
        record.name(entry),
        words,
        rows=rows,
        speakers=_texts_in(given, "speaker"),
        tags=_texts_in(tokens, "upos", "_"),
        lemmas=_texts_in(tokens, "lemma", "_"),
        empty_nodes=nodes,
        genre=_texts_in([entry.values], "genre")[0],
    )


def _texts_in(objects: Iterable[dict[str, Any]], field: str, nothing: str = "") -> list[str]:
    """The text that each object has in a field; "" if it has none there, or what means nothing."""
    values = (one.get(field) for one in objects)
    return [value if isinstance(value, str) and value != nothing else "" for value in values]


def _of_tokens(
    record: Record, entry: JsonObject, field: str, text: str, advice: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[list[str]]]:
    """The sentences of a document, all their tokens, and the words of each sentence, which its
    tokens have as `text`."""
    layout = f"a list of {{'tokens': [{{'{text}': …}}, …]}}"
    entry.require(
        not has_shape(entry.values.get(record.words), [[str]]),
        f"'{record.words}' as lists of words beside '{field}'",
        f"the nearest layout, {OVER_WORDS} (jsonl); in {record.title} '{record.words}' is {layout}",
        f"Write '{field}' as 'clusters', and count the words of the document from 0.",
    )
    expected, fault = f"'{record.words}', {layout}", "sentences in another shape"
    given: list[dict[str, Any]] = entry.take(
        record.words, [{"tokens": [{text: str}]}], expected, advice, fault
    )
    tokens = [token for one in given for token in one["tokens"]]
    return given, tokens, [[token[text] for token in one["tokens"]] for one in given]


def _check_texts(record: Record, entry: JsonObject, ours: Iterable[str]) -> None:
    given = entry.values.get(record.texts)
    if given is not None:
        lists = given if isinstance(given, list) else [given]
        theirs = chain.from_iterable(one if isinstance(one, list) else [one] for one in lists)
        joined = (" ".join(one) if has_shape(one, [str]) else one for one in theirs)
        check_texts(entry, record.texts, ours, joined)


def _by_sentence(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """Mentions are [sentence, start, end] in lists of words."""
    sentences, _ = sentences_of(entry, record.words)
    rows = _rows_in_sentences(entry, field, sentences, 0)
    yield document_of(entry, record.name(entry), sentences, rows=rows)


def _rows_in_sentences(
    entry: JsonObject, field: str, sentences: Sequence[Sequence[str]], after: int
) -> list[Row]:
    """Mentions are [sentence, start, end]; `after` is 1 if the end is inside, else 0."""
    starts, rows = starts_of(sentences), list[Row]()
    for number, cluster in enumerate(clusters_of(entry, field, "[sentence, start, end]")):
        for mention in cluster:
            if (span := _span(mention, starts, 0, after)) is None:
                among = counted(len(sentences), "sentence")
                fault = f"the mention {json.dumps(mention)[:40]} in {among}"
                ends = (
                    "both ends inside the mention and the sentence"
                    if after
                    else "the end after the mention, within the sentence"
                )
                expected = f"[sentence, start, end], {ends}"
                raise entry.problem(fault, expected, _COUNT.format(0))
            rows.append((*span, number))
    return rows


def _span(place: Any, starts: Sequence[int], first: int, after: int = 0) -> tuple[int, int] | None:
    """The words at [sentence, start, end], counted from `first`; None if there are none.

    starts  the first word of each sentence; last, how many words there are
    after   1 if the end is inside, else 0
    """
    if not has_shape(place, (int, int, int)):
        return None
    sentence, start, end = (at - first for at in place)
    end += after
    if not (0 <= sentence < len(starts) - 1 and 0 <= start < end):
        return None
    before, after = starts[sentence : sentence + 2]
    return (before + start, before + end) if before + end <= after else None


def _by_character(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """Mentions are [start, end] in a text, or in a list of its words, the end exclusive."""
    if isinstance(entry.values.get(record.words), list):
        yield from _by_word(record, entry, field)
        return
    fault = "text in another shape"
    text = entry.take(record.words, str, "'text', a string", "Add the text.", fault)
    offsets = Offsets(text)
    rows, texts, last = [], [], 0
    for number, cluster in enumerate(clusters_of(entry, field)):
        for span in cluster:
            if not has_shape(span, PLACES):
                fault, expected = f"{json.dumps(span)[:40]} in a cluster", "[start, end]"
                raise entry.problem(fault, expected, "Write the positions of characters alone.")
            if not (runs := offsets.runs(tuple(span))):
                fault = f"the span {str(span)[:40]} in a text of {counted(len(text), 'character')}"
                expected = f"0 ≤ start < end ≤ {len(text)}, around a word"
                advice = (
                    "Count characters of the text from 0. The end is the one after the mention."
                )
                raise entry.problem(fault, expected, advice)
            rows.append((*runs[0], number))
            texts.append(text[slice(*span)])
            last = max(last, span[1])
    words = counted(len(offsets.words), "word")
    entry.require(
        not 1 < len(rows) == len(offsets.widened) or last > len(offsets.words),
        f"{len(rows)} spans that all cut words, up to {last} in a text of {words}",
        "positions of characters in 'text'",
        "If they count words, write a list of words as 'text', each end after the mention.",
    )
    _check_texts(record, entry, texts)
    entry.notices.extend(Notice(WIDENED, entry.line, one) for one in offsets.widened)
    yield document_of(entry, record.name(entry), offsets.sentences, rows=rows)


_NOT_JSONL = ("sentences", "tokens")

# https://docs.allennlp.org/models/main/models/coref/predictors/coref/
# Lost: the spans and antecedents that the model considered; sentences it does not have
ALLENNLP = Record(
    "allennlp",
    "AllenNLP predictor",
    _by_word,
    (("document", "clusters"),),
    without=_NOT_JSONL,
    words="document",
    ends="inclusive",
)
# https://github.com/SapienzaNLP/maverick-coref. Lost: the offsets in characters
MAVERICK = Record(
    "maverick",
    "Maverick",
    _by_word,
    (("tokens", "clusters_token_offsets"),),
    without=("clusters_text_mentions",),
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
    names=("id", *NAMES),
    words="sentences",
    clusters="mention_clusters",
)
# https://github.com/vdobrovolskii/wl-coref, its data and what predict.py writes. Lost: dependencies
# and the clusters of heads alone
WL_COREF = Record(
    "wl-coref",
    "wl-coref",
    _by_word_and_sentence,
    (("cased_words", "clusters"), ("cased_words", "span_clusters")),
    without=_NOT_JSONL,
    names=("document_id", *NAMES),
    words="cased_words",
    predicted="span_clusters",
)
# https://github.com/ianporada/coref-data. Lost: dependencies
INDISCRIM = Record(
    "indiscrim",
    "coref-data (indiscrim)",
    _indiscrim,
    (("sentences", "coref_chains"),),
    names=("id", *NAMES),
    words="sentences",
    clusters="coref_chains",
)
# https://github.com/ondfa/text2text-coref. Lost there: gaps, and what empty nodes depend on
TEXT2TEXT = Record(
    "text2text",
    "text2text-coref JSON",
    _with_empty_nodes,
    (("tokens", "clusters_token_offsets", "clusters_text_mentions"),),
    words="tokens",
    clusters="clusters_token_offsets",
    ends="inclusive",
    texts="clusters_text_mentions",
)
# https://github.com/shon-otmazgin/fastcoref, over a text or its words. Lost: where a mention begins
# or ends within a word
FASTCOREF = Record(
    "fastcoref",
    "fastcoref",
    _by_character,
    (("text", "clusters"),),
    without=(*_NOT_JSONL, "document"),
    words="text",
    texts="clusters_strings",
)

# CoreNLP -----------------------------------------------------------------------------------------

_PLACE = ("sentNum", "startIndex", "endIndex")

_TYPES = {"PRONOMINAL": PRONOUN, "PROPER": NAME, "NOMINAL": NOMINAL, "LIST": "list"}


def _corenlp(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    advice = "Let CoreNLP write JSON with the annotators tokenize, ssplit and coref."
    _, tokens, words = _of_tokens(record, entry, field, "word", advice)
    expected, advice = "'corefs', an object of lists of mentions", "Write {} if there are none."
    corefs = entry.take(field, {str: list}, expected, advice, "corefs in another shape")
    starts, rows, heads, types, ours, theirs = starts_of(words), [], [], [], [], []
    for entity, one in ((entity, one) for entity, cluster in corefs.items() for one in cluster):
        place: Any = [one.get(name) for name in _PLACE] if isinstance(one, dict) else []
        if (span := _span(place, starts, 1)) is None:
            fault = f"a mention of entity {entity[:40]} with {', '.join(_PLACE)} {str(place)[:60]}"
            expected = "a sentence of the document, and words of it, the end after the mention"
            raise entry.problem(fault, expected, _COUNT.format(1))
        start, end = span
        head, kind, text = map(one.get, ("headIndex", "type", "text"))
        head = start + head - place[1] if type(head) is int else -1
        rows.append((start, end, entity))
        heads.append(head if start <= head < end else -1)
        types.append(_TYPES.get(str(kind), ""))
        ours.append(" ".join(token["word"] for token in tokens[start:end]))
        theirs.append(ours[-1] if text is None else text)
    check_texts(entry, "text", ours, theirs)
    yield document_of(
        entry,
        record.name(entry),
        words,
        rows=rows,
        tags=_texts_in(tokens, "pos"),
        lemmas=_texts_in(tokens, "lemma"),
        attributes=Attributes.of(len(rows), head=heads, mention_type=types),
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


def _scorch(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """A mention is its name, any string: there are no words and no positions."""
    kind = entry.values.get("type")
    fault, expected = f"the type {str(kind)[:40]!r}", "'clusters' or 'graph'"
    entry.require(kind in ("clusters", "graph"), fault, expected, "Name the type of the file.")
    if kind == "clusters":
        expected, advice = (
            "'clusters', an object of lists of names",
            "Write {} if there are none.",
        )
        clusters = entry.take(field, {str: [str]}, expected, advice, "clusters in another shape")
        named = [(mention, cluster) for cluster in clusters for mention in clusters[cluster]]
    else:
        mentions: Any = entry.values.get("mentions")
        links: Any = entry.values.get("links")
        entry.require(
            has_shape(mentions, [str]) and has_shape(links, [(str, str)]),
            "a graph in another shape",
            "'mentions', a list of names, and 'links', a list of pairs of them",
            "Write [] if there are none.",
        )
        known = {*mentions}
        for name in chain.from_iterable(links):
            expected = "links of names in 'mentions'"
            entry.require(name in known, f"a link to {name!r}", expected, "Add the mention.")
        named = [*linked(mentions, links).items()]
    position: dict[str, int] = {}
    rows: list[Row] = []
    for mention, entity in named:
        word = position.setdefault(mention, len(position))
        rows.append((word, word + 1, entity))
    name, words = record.name(entry), [*position]
    yield Unordered(name, rows, {"words": words, "named_mentions": True, "file": entry.file})


# https://github.com/LoicGrobol/scorch. Nothing is lost
#     {"type": "clusters", "clusters": {"0": ["a", "b"], "1": ["c"]}}
#     {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}
SCORCH = Record(
    "scorch",
    "scorch JSON",
    _scorch,
    (("type", "mentions", "links"), ("type", "clusters")),
    without=_NOT_JSONL,
    names=("name",),
)

# SciERC ------------------------------------------------------------------------------------------


def _scierc(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """A document as e2e-coref has it, with the label that `ner` gives to a span as entity type."""
    (document,) = read_line(record, entry, field)
    labels = "ner" if field == GOLD else "predicted_ner"
    if entry.values.get(labels) is not None:
        expected = "a list of [start, end, label] for each sentence"
        advice = "Fix the list or leave it out."
        lists = entry.take(labels, [[(int, int, str, ...)]], expected, advice)
        types = {(start, end): label for start, end, label, *_ in [*chain(*lists)][::-1]}
        mentions: Any = document.rows
        spans = zip(mentions.starts, mentions.ends, strict=True)
        of_mentions = [types.get(span, "") for span in spans]
        if document.fields.get("attributes") is None and any(of_mentions):
            attributes = Attributes.of(len(of_mentions), entity_type=of_mentions)
            document.fields["attributes"] = attributes
    yield document


# https://github.com/dwadden/dygiepp/blob/master/doc/data.md. Of several labels of a span the first
# is taken. Lost: relations and events, but for a line that is written again
SCIERC = Record(
    "scierc",
    "SciERC / DyGIE++",
    _scierc,
    tuple(product(("sentences",), (GOLD, PREDICTED), ("ner", "relations", "predicted_ner"))),
    numbered=False,
    predicted=PREDICTED,
    ends="inclusive",
)

# Emory -------------------------------------------------------------------------------------------

_EMORY = "episodes of scenes of utterances, with 'tokens' and 'character_entities'"


def _emory(record: Record, entry: JsonObject, field: str) -> Iterator[Unordered]:
    """Each scene is a document."""
    for episode in entry.take("episodes", [dict], _EMORY, _CHECK):
        for scene in replace(entry, values=episode).take("scenes", [dict], _EMORY, _CHECK):
            name = scene.get("scene_id")
            good = isinstance(name, str) and name.strip() != ""
            fault, advice = f"{repr(name)[:40]} as 'scene_id'", "Give each scene a name of its own."
            entry.require(good, fault, "a name", advice)
            yield _scene(record, replace(entry, values=scene), field)


def _scene(record: Record, entry: JsonObject, field: str) -> Unordered:
    """Each list of words is a sentence; the mentions of one name, or of the same ones, an entity.

    An entity of several names has those of each as split antecedents. `#GENERAL#` and `#OTHER#`
    name nobody: such a mention is an entity by itself.
    """
    sentences: list[list[str]] = []
    speakers: list[str] = []
    rows: list[Row] = []
    split: dict[tuple[str, ...], list[tuple[str]]] = {}
    n_words = 0
    in_scene = f"in scene {entry.values['scene_id']}"
    for utterance in entry.take("utterances", [dict], _EMORY, _CHECK):
        spoken = replace(entry, values=utterance)
        fault = f"'{record.words}' in another shape {in_scene}"
        words = spoken.take(record.words, [[str]], _EMORY, _CHECK, fault)
        fault = f"'{field}' in another shape than '{record.words}' {in_scene}"
        expected = "a list for each sentence"
        mentions = spoken.take(field, [list], expected, _CHECK, fault)
        spoken.require(len(mentions) == len(words), fault, expected, _CHECK)
        for sentence, of_sentence in zip(words, mentions, strict=True):
            for mention in of_sentence:
                entry.require(
                    has_shape(mention, (int, int, str, ...))
                    and has_shape(mention[2:], [str])
                    and 0 <= mention[0] < mention[1] <= len(sentence),
                    f"the mention {str(mention)[:60]} {in_scene}",
                    "[start, end, name, …] within the sentence, the end after the mention",
                    "Count words of the sentence from 0.",
                )
                start, end = n_words + mention[0], n_words + mention[1]
                names = tuple(sorted({*mention[2:]}))
                people = [(name,) for name in names if name[:1] != "#"]
                rows.append((start, end, names if people else (start, *names)))
                if people and len(names) > 1:
                    split[names] = people
            n_words += len(sentence)
        given = utterance.get("speakers")
        known = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
        speakers += [", ".join(known)] * len(words)
        sentences += words
    antecedents = [*split.items()]
    name = record.name(entry)
    return document_of(
        entry, name, sentences, rows=rows, speakers=speakers, split_antecedents=antecedents
    )


# https://github.com/emorynlp/character-identification. Lost: seasons and episodes
EMORY = Record(
    "emory",
    "Emory character identification",
    _emory,
    (("episodes",),),
    without=_NOT_JSONL,
    names=("scene_id",),
    words="tokens",
    clusters="character_entities",
)

# Stanza ------------------------------------------------------------------------------------------

_BEGINNING = re.compile(r'\s*\[\s*\[\s*\{\s*"id"\s*:')

_AS_TEXT = ("coref_chains", "ner")  # may hold chains as CoNLL-U has them, as `misc` may

_STANZA = (
    "lists of words with 'id', 'text' and, in a mention, 'coref_chains'",
    "Write doc.to_dict() as JSON again.",
)


def _read_stanza(text: str, file: str, side: str) -> Corpus:
    """The one document of a file, `doc.to_dict()`: lists of words with the chains they are in."""
    text, aside = json_in_fences(text, file)
    given = parsed(text, file)
    entry = JsonObject(file, 0, text, {})
    entry.require(has_shape(given, [list]), "JSON in another shape", *_STANZA)
    for at, word in enumerate(chain.from_iterable(given), start=1):
        is_word = isinstance(word, dict) and type(word.get("text")) is str
        entry.require(is_word, f"entry {at} without a text", *_STANZA)
        in_none = not (isinstance(word.get("id"), list) and word.get("coref_chains"))
        entry.require(in_none, f"entry {at}, a token of several words, in a mention", *_STANZA)
    sentences = [[word for word in one if not isinstance(word.get("id"), list)] for one in given]
    words, name = [*chain.from_iterable(sentences)], name_of_file(file)
    unordered = document_of(
        replace(entry, line=1),
        name,
        [[word["text"] for word in sentence] for sentence in sentences],
        rows=[*_chains(words, entry)],
        tags=[str(word.get("xpos") or word.get("upos") or "") for word in words],
        lemmas=[str(word.get("lemma") or "") for word in words],
    )
    warning = f"{file}: the document has no name: named '{name}', as its file."
    return Corpus((*in_order([unordered], Problems()),), file, (*aside, warning))


def _chains(words: Iterable[dict[str, Any]], entry: JsonObject) -> Iterator[Row]:
    """(start, end, chain) of each mention; of two open ones of a chain, the inner closes first."""
    open_at: dict[int, list[int]] = {}
    for at, word in enumerate(words):
        marks = _marks(word, at, entry)
        for index, starts, ends in marks:
            if ends and not starts:
                fault = f"chain {index}, which ends at word {at} without a start"
                entry.require(bool(open_at.get(index)), fault, *_STANZA)
                yield open_at[index].pop(), at + 1, index
        for index, starts, ends in marks:
            if starts and ends:
                yield at, at + 1, index
            elif starts:
                open_at.setdefault(index, []).append(at)
    for index, left in open_at.items():
        fault = f"chain {index}, whose mention at word {left[0] if left else 0} has no end"
        entry.require(not left, fault, *_STANZA)


def _marks(word: dict[str, Any], position: int, entry: JsonObject) -> list[tuple[int, bool, bool]]:
    """(number, whether a mention starts, whether one ends) of each chain of a word: of objects, or
    of a text as in the last column of CoNLL-U."""
    given, misc = word.get("coref_chains"), word.get("misc")
    fault = f"'coref_chains' in another shape at word {position}"
    if given is None or isinstance(given, str):
        known = (f"{name}={word[name]}" for name in _AS_TEXT if isinstance(word.get(name), str))
        text = misc if isinstance(misc, str) else ""
        try:
            marks = [*chains_in("|".join(known))] or [*chains_in(text)]
        except ValueError as error:
            raise entry.problem(fault, *_STANZA) from error
        if not marks and (other := carrier_in(f"\t{text}")):
            seen = f"'{other[1][:40]}' at word {position}, which may be coreference"
            raise entry.problem(seen, _STANZA[0], "Give the CoNLL-U file that has it.")
        return marks
    chains = given if isinstance(given, list) else [given]
    good = all(isinstance(one, dict) and type(one.get("index")) is int for one in chains)
    entry.require(good, fault, *_STANZA)
    return [
        (one["index"], one.get("is_start") is True, one.get("is_end") is True) for one in chains
    ]


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
    *(one.format for one in (ALLENNLP, PRECO, FASTCOREF, MAVERICK, WL_COREF, INDISCRIM, TEXT2TEXT)),
    *(one.format for one in (CORENLP, SCORCH, SCIERC, EMORY)),
    *(STANZA, JSONL, JSONL_EXCLUSIVE, JSONL_SUBTOKENS),
)
