"""JSON Lines: what is read, what is refused and how, and what is written."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, Mention, score
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.jsonl import write_jsonl
from corescore.counting.pairing import pair_documents
from tests.support import messages
from tests.support.memory import peak_of
from tests.support.messages import refusal_of
from tests.support.strategies import corpora, documents

GOOD = {"doc_key": "d", "sentences": [["It", "is"], ["so"]], "clusters": [[[0, 0], [1, 2]]]}
NO_OBJECT = "JSON that is no object"
TEXT = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
ANY_WORDS = st.text(TEXT, max_size=4)


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
@given(corpora(documents(words=ANY_WORDS, lemmas=True)))
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


ONLY_PREDICTED = line(doc_key="e", clusters=..., predicted_clusters=[[[1, 1]]])


def test_a_response_with_predictions_in_some_lines_is_refused_with_the_others():
    both = line(predicted_clusters=[])
    text = both + line(doc_key="b") + ONLY_PREDICTED + line(doc_key="c")
    message = messages.message_of(jsonl, text, side="response")
    assert message.startswith("dev.jsonl:2: no 'predicted_clusters' in lines 2, 4, but in others; ")
    assert len(jsonl(both + ONLY_PREDICTED, side="response")) == 2
    assert len(jsonl(line() + line(doc_key="b"), side="response")) == 2


def test_a_key_with_nothing_but_predictions_is_doubted_and_one_with_some_is_refused():
    (warning,) = jsonl(ONLY_PREDICTED).warnings
    assert warning.startswith("dev.jsonl:1: the key has only 'predicted_clusters'")
    assert jsonl(ONLY_PREDICTED, side="response").warnings == ()
    message = message_of(line() + ONLY_PREDICTED)
    assert message.startswith("dev.jsonl:2: no 'clusters' in line 2, but in others; ")


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
        ("[1, 2]", NO_OBJECT, "{…}"),
        ("7", NO_OBJECT, "{…}"),
        pytest.param("[" * 100_000, "a line that is not JSON", "one whole JSON object", id="deep"),
        (line(doc_key=...), "no name", "'doc_key' or 'id'"),
        (line(doc_key=None), "no name", "'doc_key' or 'id'"),
        (line(doc_key=" "), "' ' as name", "'doc_key' or 'id'"),
        (line(doc_key=["d"]), "['d'] as name", "'doc_key' or 'id'"),
        (line(sentences=..., text="It"), "no words", "'sentences', a list of lists of words"),
        (line(sentences=..., subtoken_map=[0]), "no words", "'sentences', a list of lists"),
        (line(sentences=..., named_mentions=True), "no words", "'sentences', a list of lists"),
        (line(sentences=["It"]), "words in another shape", "'sentences', a list of lists"),
        (line(sentences="It"), "words in another shape", "'sentences', a list of lists"),
        (line(sentences=[[1]]), "words in another shape", "'sentences', a list of lists"),
        (line(sentences=..., tokens="It"), "words in another shape", "'tokens', a list of words"),
        (line(clusters=...), "no clusters", "'clusters', a list of lists of [start, end]"),
        (line(clusters={}), "clusters in another", "'clusters', a list of lists"),
        (line(clusters=[1]), "clusters in another", "'clusters', a list of lists"),
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
        (line(clusters=[[[-1, 0]]]), "the span [-1, 0] in", "0 ≤ start ≤ end"),
        (line(clusters=[[[2, 1]]]), "the span [2, 1] in", "0 ≤ start ≤ end"),
        (line(clusters=[[[0, 0]], [[0, 2**70]]]), f"the span [0, {2**70}] in", "0 ≤ start ≤ end"),
        (line(clusters=[[[0, 2**63 - 1]]]), f"the span [0, {2**63 - 1}] in", "0 ≤ start ≤ end"),
        (line(clusters=[[[0, 0], [0, 9], [1]]]), "the span [0, 9] in", "0 ≤ start"),
        (line(clusters=[[[0, 0], [1, 1, 1], [0, 9]]]), "[1, 1, 1] in a cluster", "[start, end]"),
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
    lines = message_of(line() + "[]\n" * 500 + line()).split("\n")
    assert lines[-2].startswith("dev.jsonl:21: JSON that is")
    assert lines[-1] == "… and more"


@pytest.mark.slow
def test_a_file_of_broken_lines_takes_little_more_memory_than_its_text():
    n = 20_000
    assert peak_of(jsonl, "b\n" * n) < 25 * n


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


# --- Without words -------------------------------------------------------------------------------

BARE = {"sentences": ...}
TOLD = "dev.jsonl:1: a document without words: its clusters alone are read (told once of a file)."


@pytest.mark.parametrize("field", ["clusters", "predicted_clusters"])
def test_a_response_without_words_takes_those_of_its_key(field):
    key = jsonl(line(clusters=[[[0, 0], [2, 2]]]))
    response = jsonl(line(**BARE, **{"clusters": ..., field: [[[0, 0], [1, 2]]]}), side="response")
    assert response["d"].words == ()
    assert response.warnings == (TOLD,)
    paired = pair_documents(key, response).response[0]
    assert [paired.text(mention) for mention in paired.mentions] == ["It", "is so"]
    assert paired.sentences == ((0, 2), (2, 3))
    assert paired.speakers == key["d"].speakers


def test_a_key_without_words_is_compared_by_position():
    bare, other = jsonl(line(**BARE, speakers=[["Ann"]])), jsonl(line())
    assert score(bare, other).warnings == (TOLD,)
    assert score(bare, other)["bcub"].f1 == score(bare, bare)["bcub"].f1 == 1


def test_documents_without_words_are_told_of_once():
    text = line() + line(**BARE, doc_key="e") + line(**BARE, doc_key="f")
    assert jsonl(text).warnings == (TOLD.replace(":1:", ":2:"),)


def beyond_the_key(*clusters, format="jsonl"):
    response = read_bytes(line(**BARE, clusters=clusters).encode(), "r.jsonl", format=format)
    return messages.message_of(pair_documents, jsonl(line()), response)


def test_positions_past_the_words_of_the_key_are_refused_with_what_they_look_like():
    found = r"r\.jsonl:1: document 'd' .* to word 4; expected .* 3 words, as in dev\.jsonl\."
    inclusive = beyond_the_key([[0, 1], [2, 3]])
    exclusive = beyond_the_key([[0, 1], [2, 4]], format="jsonl-exclusive")
    assert re.match(found, inclusive)
    assert re.match(found, exclusive)
    assert inclusive == (
        f"{exclusive} The ends look exclusive, each the word after its mention: if they are, name "
        "the format jsonl-exclusive."
    )
    characters = "These look like positions of characters, not of words: count words instead."
    assert beyond_the_key([[0, 2], [6, 8]]).endswith(characters)


def test_exclusive_ends_without_words_are_read_if_named():
    text = line(**BARE, clusters=[[[0, 1], [1, 3]]])
    (found,) = read_bytes(text.encode(), "x", format="jsonl-exclusive")
    assert found.rows.tolist() == [[0, 1, 0], [1, 3, 0]]


@pytest.mark.parametrize("span", [[-1, 0], [2, 1], [0, 10_000_000], [0, 10**30]])
def test_positions_of_no_document_are_refused(span):
    message = message_of(line(**BARE, clusters=[[span]]))
    assert re.search(r"without words; .* 0 ≤ start ≤ end ≤ 9999999", message)


def test_subtokens_without_words_are_refused():
    text = line(**BARE).encode()
    message = messages.message_of(read_bytes, text, "dev.jsonl", format="jsonl-subtokens")
    assert message.startswith("dev.jsonl:1: no words; expected 'sentences'")


def test_a_response_without_words_is_written_over_those_of_its_key():
    key, bare = jsonl(line()), jsonl(line(**BARE))
    assert "no words; expected" in messages.message_of(write_jsonl, bare)
    paired = pair_documents(key, bare).response
    assert jsonl(write_jsonl(Corpus(paired))) == key


# --- Positions that are something else -----------------------------------------------------------


NINE = {"sentences": [["Ann", "saw", "the", "old", "dog", "and", "its", "owner", "."]]}


def warnings_of(**changes):
    return jsonl(line(**changes)).warnings


def test_ends_beyond_the_words_by_one_look_exclusive():
    message = message_of(line(**NINE, clusters=[[[0, 1]], [[2, 5], [7, 9]]]))
    assert re.search(r"span \[7, 9\] .* 9 words", message)
    assert message.endswith("name the format jsonl-exclusive.")
    assert "exclusive" not in message_of(line(**NINE, clusters=[[[0, 0]], [[7, 9]]]))


def test_ends_that_touch_the_next_mention_are_doubted():
    (warning,) = warnings_of(**NINE, clusters=[[[0, 1], [6, 8]], [[2, 5], [5, 6]]])
    assert re.match(r"dev\.jsonl: none .* 4 mentions .* and 2 start ", warning)
    assert warning.endswith("if they are exclusive, name the format jsonl-exclusive.")


def test_inclusive_ends_are_not_doubted():
    assert warnings_of(**NINE, clusters=[[[0, 0], [6, 7]], [[2, 4], [6, 6]]]) == ()
    assert warnings_of(**NINE, clusters=[[[0, 1], [2, 4]]]) == ()
    assert warnings_of(**NINE, clusters=[]) == ()


def test_many_mentions_without_one_of_a_single_word_are_doubted():
    spans = [[at, at + 1] for at in range(0, 40, 2)]
    (warning,) = warnings_of(sentences=[["a"] * 40], clusters=[spans])
    assert "none of the 20 mentions has a single word: the ends" in warning
    assert warnings_of(sentences=[["a"] * 40], clusters=[spans[1:]]) == ()


def test_exclusive_ends_are_read_if_named():
    text = line(**NINE, clusters=[[[0, 1], [6, 7]], [[2, 5], [7, 9]]])
    (found,) = read_bytes(text.encode(), "x", format="jsonl-exclusive")
    assert found.rows.tolist() == [[0, 1, 0], [2, 5, 1], [6, 7, 0], [7, 9, 1]]
    for wrong in ([3, 3], [7, 10]):
        text = line(**NINE, clusters=[[wrong]])
        message = messages.message_of(read_bytes, text.encode(), "x", format="jsonl-exclusive")
        assert message.startswith(f"x:1: the span {wrong} in")
        assert "9 words; expected 0 ≤ " in message


def test_positions_of_characters_are_named():
    clusters = [[[0, 3], [22, 25]], [[8, 19]]]
    assert "positions of characters" in message_of(line(**NINE, clusters=clusters))
    message = message_of(line(**NINE, text="Ann saw", clusters=clusters))
    assert message.endswith("name the format fastcoref.")
    assert "characters" not in message_of(line(**NINE, clusters=[[[0, 300]]]))


# --- Subtokens -----------------------------------------------------------------------------------


SUBTOKENS = {
    "sentences": [
        ["[CLS]", "E", "##hu", "##d", "left", ".", "[SEP]"],
        ["[CLS]", "He", "did", "[SEP]"],
    ],
    "speakers": [["[SPL]", *["Ann"] * 5, "[SPL]"], ["[SPL]", "Bob", "Bob", "[SPL]"]],
    "clusters": [[[1, 3], [8, 8]], [[1, 4]]],
    "subtoken_map": [0, 0, 0, 0, 1, 2, 2, 2, 3, 4, 4],
    "sentence_map": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2],
}  # fmt: skip


def test_subtokens_are_joined_by_their_map():
    (found,) = corpus = jsonl(line(**SUBTOKENS))
    assert found.words == ("Ehud", "left", ".", "He", "did")
    assert found.sentence_starts == (0, 3)
    assert found.speakers == ("Ann", "Bob")
    assert found.entities == ((Mention(0, 2),), (Mention(0, 1), Mention(3, 4)))
    assert corpus.warnings == ("dev.jsonl:1: subtokens are joined to words.",)
    assert jsonl(write_jsonl(corpus)) == corpus


def test_marks_of_subtokens_are_noticed_however_they_are_written():
    for words in (["E", "##hu"], ["[CLS]", "He"]):
        text = line(sentences=[words], clusters=[])
        escaped = text.replace("#", "\\u0023").replace("[CLS]", "\\u005BCLS]")
        assert escaped != text
        assert jsonl(escaped).warnings == jsonl(text).warnings
        assert len(jsonl(text).warnings) == 1


def test_sentences_of_subtokens_are_those_of_the_map_or_else_the_segments():
    assert document(**{**SUBTOKENS, "sentence_map": [0] * 4 + [1] * 7}).sentence_starts == (0, 1)
    assert document(**{**SUBTOKENS, "sentence_map": ...}).sentence_starts == (0, 3)


def test_subtokens_without_a_map_are_joined_only_if_asked():
    text = line(**{**SUBTOKENS, "subtoken_map": ...})
    (found,) = corpus = jsonl(text)
    assert found.words[:3] == ("[CLS]", "E", "##hu")
    (warning,) = corpus.warnings
    assert warning.startswith("dev.jsonl:1: the words look like BERT subtokens")
    assert warning.endswith("name the format jsonl-subtokens.")
    (joined,) = read_bytes(text.encode(), "x", format="jsonl-subtokens")
    assert joined == document(**SUBTOKENS)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"clusters": [[[0, 3]]]}, "the span [0, 3], which begins or ends at no part of a word"),
        ({"clusters": [[[1, 11]]]}, "the span [1, 11], which begins or ends"),
        ({"subtoken_map": [0, 0, 0, 0, 1, 2, 2, 2, 1, 4, 4]}, "a 'subtoken_map' that goes back"),
        ({"sentence_map": [0]}, "'sentence_map' in another shape"),
    ],
)
def test_subtokens_that_cannot_be_joined_are_refused(changes, found):
    message = message_of(line(**{**SUBTOKENS, **changes}))
    assert message.startswith(f"dev.jsonl:1: {found}")


def test_a_map_of_whole_words_changes_nothing():
    found = document(subtoken_map=[0, 1, 2])
    assert found == document()
    assert jsonl(line(subtoken_map=[0, 1, 2])).warnings == ()


# --- Text that is none ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("escape", "found"),
    [("\\u0000", "a NUL character"), ("\\ud800", "half a character"), ("\\uDFFFx", "half a")],
)
@pytest.mark.parametrize("field", ["doc_key", "sentences", "speakers", "note"])
def test_what_is_no_text_is_refused_wherever_it_stands(field, escape, found):
    values = {"doc_key": "X", "sentences": [["X", "is"], ["so"]], "speakers": [["X"], ["X"]]}
    text = line(**{field: values.get(field, {"a": ["X"]})}).replace("X", escape)
    assert message_of(line(doc_key="e") + text).startswith(f"dev.jsonl:2: {found}")


def test_a_field_with_two_values_is_refused():
    twice = line()[:-2] + ', "clusters": []}\n'
    message = message_of(line(doc_key="e") + twice)
    assert message.startswith("dev.jsonl:2: two values of 'clusters' in one object; expected one.")
    same = line()[:-2] + f', "clusters": {json.dumps(GOOD["clusters"])}}}\n'
    assert jsonl(same) == jsonl(line())


def test_escapes_that_only_look_so_are_text():
    text = line(sentences=[["X", "Y"], ["Z"]]).replace("X", "\\\\u0000").replace("Y", "\\\\ud800")
    (found,) = jsonl(text.replace("Z", "\\ud83d\\ude00"))
    assert found.words == ("\\u0000", "\\ud800", "😀")


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("(a/b); part 000", "a/b"),
        ("(a/b); part 003", "a/b; part 3"),
        ("(a (b)); part 010", "a (b); part 10"),
        ("(a/b)", "(a/b)"),
        ("a/b; part 000", "a/b; part 000"),
        ("a_0", "a_0"),
    ],
)
def test_a_name_as_conll_has_it_is_what_conll_reads_from_it(given, name):
    (found,) = corpus = jsonl(line(doc_key=given))
    assert found.name == name
    assert f'"doc_key": "{given}"' in write_jsonl(corpus)


# --- One object, or a list of them, over many lines ----------------------------------------------


def two(indent):
    return [json.dumps(json.loads(line(doc_key=name)), indent=indent) for name in ("d", "e")]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(two(2)),
        "\n\n".join(two(None)),
        f"[{', '.join(two(2))}]",
        f"[{', '.join(two(None))}]",
        "\n [\n" + "\n,\n".join(two(4)) + "\n]\n",
    ],
)
def test_objects_may_stand_over_many_lines_and_in_a_list(text):
    found = read_bytes(text.encode(), "dev.json")
    assert [document.name for document in found] == ["d", "e"]
    assert found.documents[0] == document()
    assert found.documents[1].lines[0] == 1 + text[: text.rindex("{")].count("\n")


def test_one_object_over_many_lines_is_one_document():
    (found,) = read_bytes(f"\n{two(2)[0]}\n".encode(), "dev.json")
    assert found == document()
    assert found.lines.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (two(2)[0][:-1], "dev.jsonl:23: JSON that is broken or is cut short"),
        (f"[{two(None)[0]},\n{two(None)[1]}", "dev.jsonl:2: a JSON list that is cut short"),
        (f"[{two(None)[0]},\n{two(None)[1][:-1]}]", "dev.jsonl:2: JSON that is broken or is cut"),
        (f"[{two(None)[0]}\n{two(None)[1]}]", "dev.jsonl:2: a JSON list that is cut short"),
        (f"[{two(None)[0]}]\n7", "dev.jsonl:1: a JSON list that is cut short, or something after"),
        ("[]", "dev.jsonl: no document"),
        ("[[1]]", f"dev.jsonl:1: {NO_OBJECT}"),
        (f"[\n{'[' * 100_000}", "dev.jsonl:2: JSON that is broken"),
        ("{'doc_key': 'd', 'tokens': []}", "dev.jsonl:1: a Python dict as it is printed"),
        ("\n[ {'doc_key': 'd'}]", "dev.jsonl:2: a Python dict as it is printed"),
    ],
)
def test_what_is_not_whole_is_refused_with_its_line(text, found):
    assert message_of(text).startswith(found)
    assert messages.message_of(read_bytes, text.encode(), "dev.jsonl").startswith(found)


def test_a_book_of_booknlp_is_refused_by_its_name():
    text = json.dumps({"characters": [{"id": 1, "mentions": {"proper": [{"n": "Mia", "c": 2}]}}]})
    message = messages.message_of(read_bytes, text.encode(), "x.book")
    assert message.startswith("x.book:1: a .book file of BookNLP, which has no positions")
    assert message.endswith("Give BookNLP's .tokens and .entities instead.")


# --- What is kept in writing ---------------------------------------------------------------------


def test_the_other_fields_of_a_line_are_kept():
    others = {"paragraphs": [[0, 2]], "id": 4, "doc_key": "d", "note": "é"}
    text = line(predicted_clusters=[[[1, 1]]], **others)
    (written,) = [json.loads(one) for one in write_jsonl(jsonl(text, side="response")).splitlines()]
    assert written == {**GOLD_LINE, **others, "clusters": [[[1, 1]]]}


GOLD_LINE = {name: value for name, value in GOOD.items() if name != "clusters"}


def test_lines_end_as_they_did():
    text = (line() + line(doc_key="e")).replace("\n", "\r\n")
    assert write_jsonl(jsonl(text)) == text


def test_the_line_is_not_kept_for_other_words_and_the_name_is_the_documents():
    (found,) = jsonl(line(note=1, id=2))
    renamed = json.loads(write_jsonl(Corpus((replace(found, name="new"),))))
    assert (renamed["doc_key"], renamed["note"]) == ("new", 1)
    other = json.loads(write_jsonl(Corpus((replace(found, words=("It", "was", "so")),))))
    assert other == {**GOOD, "sentences": [["It", "was"], ["so"]]}


KNOWN = Attributes.of(
    3,
    head=[0, -1, 2],
    minimum=[(-1, -1), (1, 2), (1, 3)],
    entity_type=["", "person", "place"],
    mention_type=["pronoun", "", "name"],
)


@st.composite
def known(draw):
    """A document with something known of its mentions, and perhaps names as words."""
    plain = draw(documents(words=ANY_WORDS))
    n, n_words = len(plain.rows), len(plain.words)
    position = st.integers(-1, n_words - 1)
    spans = st.sampled_from([(-1, -1), *((at, at + 1) for at in range(n_words))])
    each = {
        "head": draw(st.lists(position, min_size=n, max_size=n)),
        "minimum": draw(st.lists(spans, min_size=n, max_size=n)),
        "entity_type": draw(st.lists(st.sampled_from(("", "person")), min_size=n, max_size=n)),
        "mention_type": draw(st.lists(st.text(TEXT, max_size=2), min_size=n, max_size=n)),
    }
    something = n and (max(each["head"]) >= 0 or any(each["mention_type"]))
    split = [(0, (1, 2))] if plain.n_entities > 2 and draw(st.booleans()) else []
    return replace(
        plain,
        attributes=Attributes.of(n, **each) if something else None,
        split_antecedents=tuple(split),
        named_mentions=draw(st.booleans()),
        named_spans={"A": (0, n_words)} if n_words and draw(st.booleans()) else {},
    )


@pytest.mark.slow
@settings(max_examples=150)
@given(corpora(known()))
def test_all_that_is_written_is_read_again(corpus):
    again = jsonl(write_jsonl(corpus))
    assert again == corpus
    assert jsonl(write_jsonl(again)) == corpus


def test_what_is_known_of_mentions_is_kept_in_fields_of_our_own():
    rows = [(0, 1, "x"), (0, 3, "y"), (1, 3, "z")]
    written = Document.of_rows(
        "d", rows, words=["a", "b", "c"], attributes=KNOWN, split_antecedents=[("z", ["y", "x"])]
    )
    text = write_jsonl(Corpus((written,)))
    assert jsonl(text).documents == (written,)
    assert json.loads(text)["cluster_min_spans"] == [[[1, 1]], [None], [[1, 2]]]
    assert json.loads(text)["cluster_split_antecedents"] == [[2, [0, 1]]]
    fewer = json.loads(write_jsonl(Corpus((written.with_entities([(0, 2, 0)]),))))
    assert {name for name in fewer if name.startswith("cluster_")} == set()


@pytest.mark.parametrize(
    "changes",
    [
        {"cluster_heads": [[0]]},
        {"cluster_heads": [[0, 3]]},
        {"cluster_heads": 1},
        {"cluster_min_spans": [[[1, 0], None]]},
        {"cluster_entity_types": [[None, "a"]]},
        {"named_spans": {"A": [0, 3]}},
        {"named_spans": [[0, 1]]},
        {"cluster_split_antecedents": [[1, [0]]]},
        {"cluster_split_antecedents": [0]},
    ],
)
def test_fields_of_our_own_in_another_shape_are_refused(changes):
    assert message_of(line(**changes)).startswith("dev.jsonl:1: ")
    assert "another shape" in message_of(line(**changes))


def test_mentions_with_gaps_and_words_that_are_not_in_the_text_are_refused():
    pieces = Attributes.of(1, pieces=[((0, 1), (2, 3))])
    gap = Document.of_rows("d", [(0, 3, 0)], words=["a", "b", "c"], attributes=pieces)
    zero = replace(document(), empty_nodes={1: EmptyNode(1)})
    assert "discontinuous mentions" in messages.message_of(write_jsonl, Corpus((gap,)))
    assert "empty nodes (zeros)" in messages.message_of(write_jsonl, Corpus((zero,)))
