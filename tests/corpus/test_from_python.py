"""A corpus out of what a system holds in Python."""

import json
import re
from collections import UserDict
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
from corescore import PolicyError, from_char_clusters, from_clusters, from_spacy
from corescore.corpus.files import read_bytes
from tests.support.messages import message_of

WORDS = ["Mia", "fed", "her", "cat", "."]


def spans_of(corpus, name="document"):
    return [[(m.start, m.end) for m in entity] for entity in corpus[name].entities]


# --- Words ---------------------------------------------------------------------------------------


def test_ends_are_as_they_are_said_to_be():
    inclusive = from_clusters(WORDS, [[(0, 0), (2, 2)], [(2, 3)]], ends="inclusive")
    exclusive = from_clusters(WORDS, [[(0, 1), (2, 3)], [(2, 4)]], ends="exclusive")
    assert inclusive == exclusive
    assert spans_of(inclusive) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert corescore.score(inclusive, exclusive)["conll"].f1 == 1


def test_the_ends_have_to_be_said():
    with pytest.raises(TypeError, match="ends"):
        from_clusters(WORDS, [])
    with pytest.raises(PolicyError, match="expected one of: inclusive, exclusive"):
        from_clusters(WORDS, [], ends="open")


def test_words_may_be_in_sentences_and_positions_of_numpy():
    sentences = [["Mia", "fed"], [], ["her", "cat", "."]]
    made = from_clusters(sentences, [np.array([[0, 0], [2, 3]])], ends="inclusive", name="d")
    assert made["d"].words == tuple(WORDS)
    assert made["d"].sentence_starts == (0, 2)
    assert spans_of(made, "d") == [[(0, 1), (2, 4)]]
    assert from_clusters([], [], ends="inclusive")["document"].words == ()


@pytest.mark.parametrize(
    ("span", "ends", "found"),
    [
        ((4, 5), "inclusive", r"the span \(4, 5\) .* 5 words; expected 0 ≤ start ≤ end"),
        ((-1, 0), "inclusive", r"the span \(-1, 0\)"),
        ((2, 1), "inclusive", r"the span \(2, 1\)"),
        ((2, 2), "exclusive", r"the span \(2, 2\) .* 5 words; expected 0 ≤ start < end"),
        ((4, 6), "exclusive", r"the span \(4, 6\)"),
        ((1,), "exclusive", r"\(1,\) in a cluster"),
        ((0, 1.0), "exclusive", r"\(0, 1\.0\) in a cluster"),
        (7, "exclusive", "7 in a cluster"),
    ],
)
def test_spans_that_are_none_are_refused(span, ends, found):
    message = message_of(from_clusters, WORDS, [[span]], ends=ends)
    assert re.match(f"document: {found}", message)


# --- Characters ----------------------------------------------------------------------------------


TEXT = "Mia fed her cat.\nIt purred, as always: 3.5 times."


def test_characters_are_put_onto_words():
    made = from_char_clusters(TEXT, [[(0, 3), (8, 11)], [(8, 15), (17, 19)]])
    found = made["document"]
    assert [[found.text(m) for m in entity] for entity in found.entities] == [
        ["Mia", "her"],
        ["her cat", "It"],
    ]
    assert found.sentence_starts == (0, 5)
    assert made.warnings == ()


def test_the_same_is_read_from_a_file_of_fastcoref():
    clusters = [[[0, 3], [8, 11]], [[8, 14], [17, 19]]]
    text = json.dumps({"doc_key": "document", "text": TEXT, "clusters": clusters})
    made, read = from_char_clusters(TEXT, clusters), read_bytes(text.encode(), "document")
    assert made == read
    assert made.warnings == read.warnings
    (warning,) = made.warnings
    assert re.fullmatch(r"document: 1 mention cut .* 'her ca' became 'her cat'", warning)


@given(st.text(), st.data())
def test_a_span_gets_the_words_that_it_touches_and_no_others(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    touched = [at for at in range(start, end) if not text[at].isspace()]
    if not touched:
        assert "word" in message_of(from_char_clusters, text, [[(start, end)]])
        return
    made = from_char_clusters(text, [[(start, end)]])
    ((first, last),) = spans_of(made)[0]
    words = made["document"].words
    assert "".join(words) == "".join(text.split())
    before = len("".join(text[:start].split()))
    inside = len("".join(text[start:end].split()))
    edges = [sum(map(len, words[:at])) for at in range(len(words) + 1)]
    assert edges[first] <= before < edges[first + 1]
    assert edges[last - 1] < before + inside <= edges[last]
    whole = (edges[first], edges[last]) == (before, before + inside)
    assert bool(made.warnings) != whole


# --- spaCy ---------------------------------------------------------------------------------------
# A stand-in with what a spaCy Doc offers: its tokens in order, and span groups by their keys.


@dataclass
class Token:
    text: str
    is_sent_start: bool | None = None
    tag_: str = ""


@dataclass
class Span:
    start: int
    end: int


class Doc:
    def __init__(self, tokens, groups):
        self.tokens = tokens
        self.spans = UserDict(groups)

    def __iter__(self):
        return iter(self.tokens)


GROUPS = {
    "coref_clusters_1": [Span(0, 1), Span(2, 3)],
    "coref_clusters_12": [Span(2, 4)],
    "coref_head_clusters_1": [Span(3, 4)],
    "sc": [Span(0, 5)],
}


def test_span_groups_of_spacy_are_entities():
    made = from_spacy(Doc([*map(Token, WORDS)], GROUPS))
    assert spans_of(made) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert made["document"].words == tuple(WORDS)
    assert made["document"].sentence_starts == (0,)
    assert made["document"].tags == ()
    assert made == from_clusters(WORDS, [[(0, 0), (2, 2)], [(2, 3)]], ends="inclusive")


def test_sentences_and_tags_of_spacy_are_taken_where_they_are_known():
    starts = [True, False, True, False, False]
    tokens = [Token(w, is_start, "T") for w, is_start in zip(WORDS, starts, strict=True)]
    made = from_spacy(Doc(tokens, {}))
    assert made["document"].sentence_starts == (0, 2)
    assert made["document"].tags == ("T",) * 5


def test_several_docs_are_numbered_or_named():
    doc = Doc([Token("It")], {})
    assert [document.name for document in from_spacy(doc, doc)] == ["1", "2"]
    assert [document.name for document in from_spacy(doc, doc, names=("a", "b"))] == ["a", "b"]
    assert "1 name for 2 documents" in message_of(from_spacy, doc, doc, names=("a", "a"))


def test_other_span_groups_are_refused_unless_their_prefix_is_named():
    doc = Doc([*map(Token, WORDS)], {"chains_1": [Span(0, 1)]})
    message = message_of(from_spacy, doc)
    assert message.startswith("document: the span groups chains_1; expected some whose keys are ")
    assert spans_of(from_spacy(doc, prefix="chains")) == [[(0, 1)]]
