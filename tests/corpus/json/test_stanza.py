"""Stanza's own JSON: words that name the chains they are in."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Document
from corescore.corpus.files import format_of_bytes, read_bytes
from tests.support.messages import message_of, refusal_of
from tests.support.strategies import documents


def part(index, *, start=False, end=False):
    marks = {"is_start": start, "is_end": end}
    mark = {name: True for name, is_so in marks.items() if is_so}
    return {"index": index, "representative_text": "x", **mark}


def word(number, text, *chains, **other):
    return {"id": number, "text": text, **other, **({"coref_chains": chains} if chains else {})}


ONE = {"start": True, "end": True}
SENTENCES = [
    [
        word(1, "Mia", part(0, **ONE), upos="PROPN", xpos="NNP"),
        word(2, "fed", upos="VERB"),
        word(3, "her", part(1, start=True), part(0, **ONE)),
        word(4, "cat", part(1, end=True)),
    ],
    [{"id": [1, 2], "text": "It's"}, word(1, "It", part(1, **ONE)), word(2, "'s")],
]


def stanza(sentences, indent=None):
    return read_bytes(json.dumps(sentences, indent=indent).encode(), "x.json")


@pytest.mark.parametrize("indent", [None, 2])
def test_chains_are_entities(indent):
    (found,) = corpus = stanza(SENTENCES, indent)
    assert format_of_bytes(json.dumps(SENTENCES, indent=indent).encode(), "x").id == "stanza"
    assert found.words == ("Mia", "fed", "her", "cat", "It", "'s")
    assert found.sentence_starts == (0, 4)
    assert found.tags == ("NNP", "VERB", "", "", "", "")
    assert found.rows.tolist() == [[0, 1, 0], [2, 4, 1], [2, 3, 0], [4, 5, 1]]
    assert corpus.warnings == ("x.json: the document has no name; it is named 1.",)


def test_mentions_of_one_chain_may_nest_or_meet_in_a_word():
    inner = [word(1, "a", part(0, start=True)), word(2, "b", part(0), part(0, **ONE))]
    nested = [[*inner, word(3, "c", part(0, end=True))]]
    assert stanza(nested)["1"].rows.tolist() == [[0, 3, 0], [1, 2, 0]]
    first, last = word(1, "a", part(0, start=True)), word(3, "c", part(0, end=True))
    meeting = [[first, word(2, "b", part(0, start=True), part(0, end=True)), last]]
    assert stanza(meeting)["1"].rows.tolist() == [[0, 2, 0], [1, 3, 0]]


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        ([[word(1, "a", part(0, end=True))]], "chain 0, which ends at word 0 without a start"),
        ([[word(1, "a", part(0, start=True))]], "chain 0, whose mention at word 0 has no end"),
        ([[word(1, "a", {"is_start": True})]], "'coref_chains' in another shape at word 0"),
        ([[word(1, "a", 7)]], "'coref_chains' in another shape at word 0"),
        ([[word(1, None)]], "entry 1 without a text"),
        ([[word(1, "a"), 7]], "entry 2 without a text"),
        ([[word(1, "a")], 7], "JSON in another shape"),
        ([[word(1, "a"), word([2, 3], "b", part(0, **ONE))]], "entry 2, a token of several words"),
    ],
)
def test_what_is_not_stanzas_is_refused(sentences, found):
    assert message_of(stanza, sentences).startswith(f"x.json: {found}")


def sentences_of(document):
    """The document as Stanza writes it."""
    chains = [[] for _ in document.words]
    for start, end, entity in document.rows.tolist():
        for at in range(start, end):
            chains[at].append(part(entity, start=at == start, end=at == end - 1))
    words = [word(1, text, *of) for text, of in zip(document.words, chains, strict=True)]
    return [words[start:end] for start, end in document.sentences]


@settings(max_examples=100)
@given(documents(crossing=False, repeats=False))
def test_what_stanza_would_write_is_read(document):
    if document.words:
        (found,) = stanza(sentences_of(document))
        same = {"words": document.words, "sentence_starts": document.sentence_starts}
        assert found == Document.of_rows("1", document.rows.tolist(), **same)


LEAF = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(("a", "id"))
FIELDS = ("id", "text", "coref_chains", "index", "is_start", "is_end")
ANY = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(st.lists(ANY, max_size=3), max_size=3))
def test_any_json_is_read_or_refused(sentences):
    refusal_of(read_bytes, json.dumps(sentences).encode(), "x", format="stanza")
