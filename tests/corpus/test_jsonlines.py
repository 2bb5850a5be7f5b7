"""JSON Lines: what is read, what is refused and how, and what is written."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, Mention
from corescore.corpus.formats import read_bytes
from corescore.corpus.formats.jsonlines import write_jsonl
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.strategies import corpora, documents

GOOD = {"doc_key": "d", "sentences": [["It", "is"], ["so"]], "clusters": [[[0, 0], [1, 2]]]}
ANY_WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=4)


def jsonl(text, side="key"):
    return read_bytes(text.encode(), "dev.jsonl", format="jsonl", side=side)


def line(**changes):
    values = {**GOOD, **changes}
    return json.dumps({name: value for name, value in values.items() if value is not ...}) + "\n"


def document(side="key", **changes):
    (found,) = jsonl(line(**changes), side=side)
    return found


def message_of(text):
    return messages.message_of(jsonl, text)


# --- There and back ------------------------------------------------------------------------------


@settings(max_examples=100)
@given(corpora(documents(words=ANY_WORDS)))
def test_what_is_written_is_read_again(corpus):
    assert jsonl(write_jsonl(corpus)) == corpus


@pytest.mark.parametrize(
    "document",
    [
        Document.of_entities("d", [[(0, 1)]]),
        Document.of_entities("d", [[(0, 5)]], words=["a"]),
        Document.of_rows("", (), words=["a"]),
        Document.of_rows("d", (), words=["\ud800"]),
    ],
    ids=["mentions without words", "a span past the end", "no name", "half a character"],
)
def test_what_json_cannot_hold_is_refused_and_never_changed(document):
    corpus = Corpus((document,))
    if not refusal_of(write_jsonl, corpus):
        assert read_bytes(write_jsonl(corpus).encode(), "x.jsonl") == corpus


# --- Shapes --------------------------------------------------------------------------------------


def test_ends_are_inside_the_mention():
    assert document().entities == ((Mention(0, 1), Mention(1, 3)),)
    assert document().words == ("It", "is", "so")
    assert document().sentence_starts == (0, 2)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "d"),
        ({"doc_key": ..., "id": "x"}, "x"),
        ({"id": "x"}, "d"),
        ({"doc_key": 7}, "7"),
        ({"doc_key": " d "}, "d"),
        ({"doc_key": "nw/wsj_0"}, "nw/wsj_0"),
    ],
)
def test_the_name_is_doc_key_or_id(changes, name):
    assert document(**changes).name == name


def test_tokens_are_one_sentence():
    found = document(sentences=..., tokens=["It", "is", "so"])
    assert found.words == ("It", "is", "so")
    assert found.sentence_starts == (0,)


def test_empty_sentences_do_not_count():
    assert document(sentences=[[], ["It", "is"], [], ["so"], []]).sentence_starts == (0, 2)


def test_a_document_may_be_without_words():
    assert document(sentences=[], clusters=[]).words == ()
    assert document(sentences=[], clusters=[], speakers=[]).words == ()


def test_the_response_side_is_what_was_predicted_where_a_line_has_both():
    both = {"clusters": [[[0, 0]]], "predicted_clusters": [[[1, 1]]]}
    assert document(**both).mentions == (Mention(0, 1),)
    assert document("response", **both).mentions == (Mention(1, 2),)
    assert document("response").mentions == document().mentions
    only = {"clusters": ..., "predicted_clusters": [[[1, 1]]]}
    assert document(**only).mentions == document("response", **only).mentions == (Mention(1, 2),)


@pytest.mark.parametrize(
    ("speakers", "expected"),
    [
        ([["Ann", "Ann"], ["Bob"]], ("Ann", "Bob")),
        ([["Ann", "Ann"], ["-"]], ("Ann", "")),
        ([["-", "-"], [""]], ()),
        ([[None, None], ["Bob"]], ("", "Bob")),
        (None, ()),
    ],
)
def test_the_speaker_of_a_sentence_is_that_of_its_first_word(speakers, expected):
    assert document(speakers=speakers).speakers == expected


def test_the_speakers_of_tokens_are_a_plain_list():
    found = document(sentences=..., tokens=["It", "is", "so"], speakers=["Ann"] * 3)
    assert found.speakers == ("Ann",)


@pytest.mark.parametrize(
    ("pos", "expected"),
    [
        ([["PRP", "VBZ"], ["RB"]], ("PRP", "VBZ", "RB")),
        ([["PRP", ""], [None]], ("PRP", "", "")),
        ([["-", "_"], ["RB"]], ("", "", "RB")),
        ([["-", "_"], ["*"]], ()),
        ([["", None], [""]], ()),
        (None, ()),
        (..., ()),
    ],
)
def test_the_parts_of_speech_are_one_for_each_word(pos, expected):
    assert document(pos=pos).tags == expected


def test_the_parts_of_speech_of_tokens_are_a_plain_list():
    found = document(sentences=..., tokens=["It", "is", "so"], pos=["PRP", "VBZ", "RB"])
    assert found.tags == ("PRP", "VBZ", "RB")


def test_empty_sentences_have_no_parts_of_speech():
    found = document(sentences=[[], ["It", "is"], [], ["so"]], pos=[[], ["PRP", "VBZ"], [], ["RB"]])
    assert found.tags == ("PRP", "VBZ", "RB")


def test_parts_of_speech_are_written_if_known():
    tagged = document(pos=[["PRP", ""], ["RB"]])
    assert json.loads(write_jsonl(Corpus((tagged,))))["pos"] == [["PRP", ""], ["RB"]]
    assert "pos" not in json.loads(write_jsonl(Corpus((document(),))))


def test_blank_lines_do_not_count_and_lines_may_end_as_on_windows():
    text = f"\n{line()}\n \n{line(doc_key='e')}"
    assert [found.name for found in jsonl(text)] == ["d", "e"]
    assert jsonl(text.replace("\n", "\r\n")) == jsonl(text)


def test_words_may_hold_what_ends_a_line_elsewhere():
    words = ["a\u2028b", "c\x85d", "\n", "\r\n"]
    corpus = Corpus((Document.of_rows("d", (), words=words),))
    assert jsonl(write_jsonl(corpus)) == corpus


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        (line()[:40], "a line that is not JSON or is cut short (column ", "one whole JSON object"),
        ("[1, 2]", "JSON that is no object", "{…}"),
        ("7", "JSON that is no object", "{…}"),
        pytest.param("[" * 100_000, "a line that is not JSON", "one whole JSON object", id="deep"),
        (line(doc_key=...), "no name", "'doc_key' or 'id'"),
        (line(doc_key=None), "no name", "'doc_key' or 'id'"),
        (line(doc_key=" "), "' ' as name", "'doc_key' or 'id'"),
        (line(doc_key=["d"]), "['d'] as name", "'doc_key' or 'id'"),
        (line(sentences=...), "no words", "'sentences', a list of lists of words"),
        (line(sentences=["It"]), "words in another shape", "'sentences', a list of lists"),
        (line(sentences="It"), "words in another shape", "'sentences', a list of lists"),
        (line(sentences=[[1]]), "words in another shape", "'sentences', a list of lists"),
        (line(sentences=..., tokens="It"), "words in another shape", "'tokens', a list of words"),
        (line(clusters=...), "no clusters", "'clusters', a list of lists of [start, end]"),
        (line(clusters={}), "clusters in another shape", "'clusters', a list of lists"),
        (line(clusters=[1]), "clusters in another shape", "'clusters', a list of lists"),
        (line(clusters=[[1]]), "1 in a cluster", "[start, end], two word positions"),
        (line(clusters=[[[1]]]), "[1] in a cluster", "[start, end], two word positions"),
        (line(clusters=[[[0, 1.0]]]), "[0, 1.0] in a cluster", "[start, end]"),
        (line(clusters=[[[0, True]]]), "[0, true] in a cluster", "[start, end]"),
        (line(clusters=[[["0", "1"]]]), '["0", "1"] in a cluster', "[start, end]"),
        (
            line(clusters=[[[0, 3]]]),
            "the span [0, 3] in a document of 3 words",
            "0 ≤ start ≤ end ≤ 2",
        ),
        (line(clusters=[[[-1, 0]]]), "the span [-1, 0] in a document", "0 ≤ start ≤ end"),
        (line(clusters=[[[2, 1]]]), "the span [2, 1] in a document", "0 ≤ start ≤ end"),
        (line(speakers=[["Ann"]]), "'speakers' in another shape", "a name for each word"),
        (line(speakers=[[1, 1], [1]]), "'speakers' in another shape", "a name for each word"),
        (line(speakers=["Ann"] * 3), "'speakers' in another shape", "a name for each word"),
        (line(speakers=5), "'speakers' in another shape", "a name for each word"),
        (line(speakers={"0": "Ann"}), "'speakers' in another shape", "a name for each word"),
        (line(speakers="Ann"), "'speakers' in another shape", "a name for each word"),
        (line(pos=[["PRP"], ["RB"]]), "'pos' in another shape", "a part of speech for each word"),
        (line(pos=[["PRP", "VBZ"]]), "'pos' in another shape", "a part of speech for each word"),
        (line(pos=[["PRP", 1], ["RB"]]), "'pos' in another shape", "a part of speech for each"),
        (line(pos=["PRP", "VBZ", "RB"]), "'pos' in another shape", "a part of speech for each"),
        (line(pos=["ab", "c"]), "'pos' in another shape", "a part of speech for each word"),
        (line(pos={"0": "PRP"}), "'pos' in another shape", "a part of speech for each word"),
        (line(pos="PRP"), "'pos' in another shape", "a part of speech for each word"),
        (line(pos=7), "'pos' in another shape", "a part of speech for each word"),
        pytest.param(
            f'{{"doc_key": {"1" * 5000}}}', "not JSON", "one whole JSON object", id="digits"
        ),
    ],
)
def test_a_problem_names_file_line_what_was_found_and_what_was_expected(text, found, expected):
    message = message_of(f"{line(doc_key='first')}{text}")
    place, _, rest = message.partition(": ")
    assert place == "dev.jsonl:2"
    before, _, after = rest.partition("; expected ")
    assert found in before
    assert expected in after
    assert after.endswith(".")


def test_one_name_for_two_documents_is_refused():
    message = message_of(line() + line())
    assert message.startswith("dev.jsonl:2: a second document 'd'; expected each name once.")


def test_every_bad_line_is_reported_and_at_most_twenty():
    message = message_of("{\n" + line() + "[]\n")
    assert [text.partition(": ")[0] for text in message.split("\n")] == [
        "dev.jsonl:1",
        "dev.jsonl:3",
    ]
    lines = message_of("{\n" * 33).split("\n")
    assert len(lines) == 20 + 1
    assert lines[-1] == "… and 13 more"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 4) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ("doc_key", "id", "sentences", "tokens", "speakers", "pos", "clusters", "predicted_clusters")
)


@settings(max_examples=300)
@given(st.dictionaries(FIELDS, JSON, max_size=4))
@example({"speakers": {"a": 1}})
@example({"tokens": 1, "sentences": [], "pos": [[], 1]})
def test_any_object_is_read_or_refused_with_its_line(changes):
    lines = refusal_of(jsonl, json.dumps({**GOOD, **changes}))
    assert all(line.startswith("dev.jsonl:1: ") for line in lines)
