"""Error tables made by hand and by Hypothesis, and data with errors of every sort."""

import pandas as pd
from hypothesis import strategies as st

from corescore import Corpus, Document, write
from corescore.analysis.error_table.query import MATCHES
from corescore.analysis.errors.classes import MENTION_CLASSES
from corescore.analysis.errors.operations import KINDS
from corescore.corpus.english import FINE_TYPES
from tests.support.texts import with_zeros

# What the tests of errors draw and hold against: documents of overlapping spans, small ------------

WORDS = st.sampled_from(["the", "The", "dog", "Ann", "it", "of", "'s", ",", "that"])


@st.composite
def span_pairs(draw, max_words=8):
    """(key, response): one text, entities of nested and overlapping spans, no span twice a side."""
    words = draw(st.lists(WORDS, min_size=1, max_size=max_words))
    spans = [(s, e) for s in range(len(words)) for e in range(s + 1, len(words) + 1)]
    row = st.tuples(st.sampled_from(spans), st.integers(0, 3))
    rows = st.lists(row, max_size=8, unique_by=lambda r: r[0])
    return tuple(
        Document.of_rows("", [(*span, entity) for span, entity in draw(rows)], words=words)
        for _ in range(2)
    )


def span_corpora(max_documents=3):
    """(key, response), corpora of a few such documents."""
    return st.lists(span_pairs(), min_size=1, max_size=max_documents).map(_corpora)


def _corpora(pairs):
    def named(document, number):
        rows = document.rows.tolist()
        return Document.of_rows(f"d{number}", rows, words=document.words)

    return tuple(
        Corpus(tuple(named(pair[side], number) for number, pair in enumerate(pairs)))
        for side in (0, 1)
    )


def partition(document):
    """The entities of a document as a set of sets of spans."""
    return {frozenset((m.start, m.end) for m in entity) for entity in document.entities}


def carried_out(response, table):
    """The partition that a document's operations make of the response, each really carried out.

    table  rows of `operation_table` of this document, in order
    """
    entities = [set(entity) for entity in partition(response)]
    for row in table.itertuples():
        OPERATIONS[row.operation](entities, row)
        entities = [entity for entity in entities if entity]
    return {frozenset(entity) for entity in entities}


def _holder(entities, span):
    (holder,) = (entity for entity in entities if span in entity)
    return holder


def _alter_span(entities, row):
    (span,) = row.spans
    holder = _holder(entities, span)
    assert not any(row.target in entity for entity in entities)
    holder.remove(span)
    holder.add(row.target)


def _split(entities, row):
    holder = _holder(entities, row.spans[0])
    assert holder > set(row.spans)
    holder.difference_update(row.spans)
    entities.append(set(row.spans))


def _remove(entities, row):
    holder = _holder(entities, row.spans[0])
    assert holder >= set(row.spans)
    holder.difference_update(row.spans)


def _introduce(entities, row):
    assert not any(entity & set(row.spans) for entity in entities)
    if row.target is None:
        entities.append(set())
    holder = entities[-1] if row.target is None else _holder(entities, row.target)
    holder.update(row.spans)


def _merge(entities, row):
    """The whole entity of these spans joins that of the target."""
    moved, into = _holder(entities, row.spans[0]), _holder(entities, row.target)
    assert moved == set(row.spans)
    into.update(moved)
    moved.clear()


OPERATIONS = {
    "alter span": _alter_span,
    "split": _split,
    "remove": _remove,
    "introduce": _introduce,
    "merge": _merge,
}


# Error tables made by hand, and by Hypothesis: the columns of the real one, with texts ------------

TEXTS = ("she", "the old town", "Oakland", "a town", "École", "She", "9 to 5", "a.b", "")
DOCUMENTS = ("news_one", "News_one", "fiction/two, a", "bio (3)", 'say "so"', "none")
SLICED = ("type", "length", "size", "position", "antecedent")
TAGS = ("", "world knowledge", "annotation error", "world knowledge, hard", "hard")

_whole = st.one_of(st.none(), st.integers(0, 9))
_span_start = st.one_of(st.none(), st.integers(0, 9))
_points = st.one_of(st.just(float("nan")), st.sampled_from([-0.5, 0.0, 0.1, 0.25, 3.0]))
_kinds = st.lists(st.sampled_from(KINDS[:3]), unique=True, max_size=2).map(", ".join)
_text = st.sampled_from(TEXTS)

_COLUMNS = {
    "id": st.uuids().map(str),
    "document": st.sampled_from(DOCUMENTS),
    "genre": st.sampled_from(["news", "fiction", "other"]),
    "sentence": _whole,
    "start": st.integers(0, 9),
    **{f"slice_{kind}": st.sampled_from(["1 word", "3 to 5 words"]) for kind in SLICED},
    "mention": _text,
    "lemma": st.sampled_from([*TEXTS, "be"]),
    "given_lemma": _text,
    "antecedent_lemma": _text,
    "kind": _kinds,
    "class": st.sampled_from(MENTION_CLASSES),
    "other": st.sampled_from([None, *MENTION_CLASSES]),
    "operation": _whole,
    "fix": st.sampled_from(["remove it", "add it to response entity 3 (Oakland)"]),
    "key_entity": _whole,
    "response_entity": _whole,
    "key_name": _text,
    "response_name": _text,
    "key_size": _whole,
    "response_size": _whole,
    "given": _text,
    "given_start": _span_start,
    "given_type": st.sampled_from(["", *FINE_TYPES]),
    "given_right": st.booleans(),
    "antecedent": _text,
    "antecedent_start": _span_start,
    "antecedent_type": st.sampled_from(["", *FINE_TYPES]),
    "distance_mentions": _whole,
    "distance_sentences": _whole,
    "given_distance_mentions": _whole,
    "given_distance_sentences": _whole,
    "type": st.sampled_from(FINE_TYPES),
    "type_guessed": st.booleans(),
    "type_by_file": st.booleans(),
    "length": st.integers(1, 5),
    "given_split": _text,
    "antecedent_split": _text,
    "string_match": st.sampled_from(MATCHES),
    "nested": st.booleans(),
    "quotation": st.booleans(),
    "cost_lea": _points,
    "cost_conll": _points,
    "tag": st.sampled_from(TAGS),
    "seen": st.booleans(),
    "note": _text,
}
_WHOLE_OR_NONE = [name for name, of in _COLUMNS.items() if of is _whole or of is _span_start]
_SLICES = [name for name in _COLUMNS if name.startswith("slice_")]
_CATEGORIES = ("document", "genre", "class", "other", "type", "string_match", *_SLICES)


_TRUE_OR_FALSE = ("given_right", "nested", "quotation", "type_guessed", "type_by_file", "seen")
_USUAL = {"start": 0, "length": 1, **dict.fromkeys(_TRUE_OR_FALSE, False)}


def error_frames(max_rows=8):
    """Error tables of a few rows in any order."""
    rows = st.lists(st.fixed_dictionaries(_COLUMNS), max_size=max_rows)
    return rows.map(frame_of)


def frame_of(rows):
    """An error table of rows, each column of its type; what a row lacks is missing, or usual."""
    frame = pd.DataFrame([{**_USUAL, **row} for row in rows], columns=list(_COLUMNS))
    texts = [name for name in ("id", "mention", "kind", "fix", "tag", "note") if name in frame]
    return frame.astype(
        {
            **dict.fromkeys(texts, "str"),
            **dict.fromkeys(_WHOLE_OR_NONE, "Int64"),
            **dict.fromkeys(_CATEGORIES, "category"),
            **dict.fromkeys(_TRUE_OR_FALSE, "bool"),
            **dict.fromkeys(("start", "length"), "int64"),
            **dict.fromkeys(("cost_lea", "cost_conll"), "float64"),
        }
    )


# Data with errors of every sort -------------------------------------------------------------------

_WORDS = "the old dog of Ann saw it and it barked at Ann 's cat"


def write_hard_data(folder):
    """The paths of a key and two responses: span errors, mentions listed twice, names of documents
    that a query has to quote, a document without errors."""
    sides = {
        "key": {
            "news_a b": [[(0, 5), (6, 7), (8, 9)], [(4, 5), (11, 12)], [(11, 14)]],
            'odd "name" or not': [[(0, 3), (6, 7)], [(4, 5), (8, 9)]],
            "none": [[(0, 3), (6, 7)]],
        },
        "one": {
            "news_a b": [[(0, 3), (6, 7)], [(8, 9), (4, 5)], [(6, 7), (9, 10)], [(12, 14)]],
            'odd "name" or not': [[(0, 3), (6, 7), (4, 5), (8, 9)], [(9, 10), (10, 11)]],
            "none": [[(0, 3), (6, 7)]],
        },
        "two": {
            "news_a b": [[(0, 5), (6, 7), (8, 9), (4, 5)], [(11, 12)]],
            'odd "name" or not': [[(0, 3)], [(6, 7)], [(4, 5)]],
            "none": [[(0, 3), (6, 7)]],
        },
    }
    return _written(
        folder,
        {
            name: [
                Document.of_entities(d, entities, words=_WORDS.split())
                for d, entities in side.items()
            ]
            for name, side in sides.items()
        },
        "jsonl",
    )


def write_zeros(folder):
    """The paths of a key and two responses in CoNLL-U with empty nodes."""
    parents = ((0, "nsubj"),)
    sides = {
        "key": {(0, 1): (0, parents), (2, 1): (0, parents), (3, 1): (1, parents)},
        "one": {(0, 1): (0, parents), (2, 1): (1, parents), (3, 1): (1, parents)},
        "two": {(0, 1): (0, parents), (2, 1): (0, parents)},
    }
    return _written(folder, {name: [with_zeros(of)] for name, of in sides.items()}, "conllu")


def _written(folder, sides, ending):
    paths = [folder / f"{name}.{ending}" for name in sides]
    for path, documents in zip(paths, sides.values(), strict=True):
        write(Corpus(tuple(documents)), path)
    return paths
