"""JSON Lines: what is read, what is refused and how, and what is written."""

import itertools
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, Mention, score
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.jsonl import write_jsonl
from corescore.counting.pairing import pair_documents
from tests.support import messages
from tests.support.strategies import corpora, documents

GOOD = {"doc_key": "d", "sentences": [["It", "is"], ["so"]], "clusters": [[[0, 0], [1, 2]]]}
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


@st.composite
def known(draw):
    """A document with something known of its mentions, and perhaps names as words."""
    plain = draw(documents(words=ANY_WORDS, lemmas=True))
    n, n_words = len(plain.rows), len(plain.words)
    spans = st.sampled_from([(-1, -1), *((at, at + 1) for at in range(n_words))])
    drawn = {
        "head": st.integers(-1, n_words - 1),
        "minimum": spans,
        "entity_type": st.sampled_from(("", "person")),
        "mention_type": st.text(TEXT, max_size=2),
    }
    each = {name: draw(st.lists(of, min_size=n, max_size=n)) for name, of in drawn.items()}
    something = n and (max(each["head"]) >= 0 or any(each["mention_type"]))
    split = [(0, (1, 2))] if plain.n_entities > 2 and draw(st.booleans()) else []
    return replace(
        plain,
        attributes=Attributes.of(n, **each) if something else None,
        split_antecedents=tuple(split),
        named_mentions=draw(st.booleans()),
        named_spans={"A": (0, n_words)} if n_words and draw(st.booleans()) else {},
    )


@settings(max_examples=100)
@given(corpora(known()))
def test_what_is_written_is_read_again_with_all_that_is_known_of_it(corpus):
    again = jsonl(write_jsonl(corpus))
    assert again == corpus
    assert jsonl(write_jsonl(again)) == corpus


# --- Shapes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes, name",
    [
        ({}, "d"),
        ({"doc_key": ..., "id": "x"}, "x"),
        ({"id": "x"}, "d"),
        ({"doc_key": 7}, "7"),
        ({"doc_key": " d "}, "d"),
        ({"doc_key": "nw/wsj_0"}, "nw/wsj_0"),
    ],
)
def test_the_name_is_doc_key_or_id_and_ends_are_inside_the_mention(changes, name):
    found = document(**changes)
    assert found.name == name
    assert found.entities == ((Mention(0, 1), Mention(1, 3)),)
    assert (found.words, found.sentence_starts) == (("It", "is", "so"), (0, 2))


def test_tokens_are_one_sentence_whose_speakers_and_parts_of_speech_are_plain_lists():
    tags, tokens = ["PRP", "VBZ", "RB"], ["It", "is", "so"]
    found = document(sentences=..., tokens=tokens, speakers=["Ann"] * 3, pos=tags)
    assert (found.words, found.sentence_starts) == (("It", "is", "so"), (0,))
    assert (found.speakers, found.tags) == (("Ann",), (*tags,))


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
    (warning,) = warnings_of(gold_clusters=[[[0, 0], [1, 1]]])
    assert warning.startswith("dev.jsonl:1: 'gold_clusters' is not read, only 'clusters'")
    message = message_of(line() + ONLY_PREDICTED)
    assert message.startswith("dev.jsonl:2: no 'clusters' in line 2, but in others; ")


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("Ann", "Bob", ("Ann", "Bob")),
        ("Ann", "-", ("Ann", "")),
        ("-", "", ()),
        (None, "Bob", ("", "Bob")),
    ],
)
def test_the_speaker_of_a_sentence_is_that_of_its_first_word(first, second, expected):
    assert document(speakers=[[first, "Cy"], [second]]).speakers == expected
    assert document(speakers=None).speakers == ()


@pytest.mark.parametrize(
    "first, second, third, expected",
    [
        ("PRP", "VBZ", "RB", ("PRP", "VBZ", "RB")),
        ("PRP", "", None, ("PRP", "", "")),
        ("-", "_", "RB", ("", "", "RB")),
        ("-", "_", "*", ()),
        ("", None, "", ()),
    ],
)
def test_the_parts_of_speech_are_one_for_each_word(first, second, third, expected):
    assert document(pos=[[first, second], [third]]).tags == expected
    assert document(pos=None).tags == ()


def test_a_word_may_be_empty_or_hold_a_line_feed():
    words = [["a\nb", ""], ["c"]]
    read = document(sentences=words, pos=words)
    assert read.words == read.tags == ("a\nb", "", "c")


def test_blank_lines_do_not_count():
    assert [found.name for found in jsonl(f"\n{line()}\n \n{line(doc_key='e')}")] == ["d", "e"]


# --- What is refused -----------------------------------------------------------------------------


SHAPES = {
    "words in another shape; expected 'sentences', a list of lists": {
        "sentences": (["It"], "It", [[1]])
    },
    "clusters in another shape; expected 'clusters', a list of lists": {"clusters": ("x", [1], 5)},
    "clusters by names; expected 'clusters', a list of lists": {"clusters": ({}, {"a": [[0, 0]]})},
    "'speakers' in another shape than the words; expected a name for each word": {
        "speakers": ([["Ann"]], [[1, 1], [1]], ["Ann"] * 3, 5, {"0": "Ann"}, "Ann")
    },
    "'pos' in another shape than the words; expected a part of speech for each word": {
        "pos": ([["a"], ["b"]], [["a", "b"]], [["a", 1], ["b"]], ["ab", "c"], {"0": "a"}, "a", 7)
    },
}
IN_CLUSTER = "{} in a cluster; expected [start, end], two word positions"
OUTSIDE = "the span {} in a document of 3 words; expected 0 ≤ start ≤ end"


@pytest.mark.parametrize(
    "text, found",
    [
        (line()[:40], "a line that is not JSON or is cut short (column "),
        (f'{{"doc_key": {"1" * 5000}}}', "a line that is not JSON or is cut short"),
        ("[" * 100_000, "a line that is not JSON or is cut short"),
        *((text, f"{text}, which is no JSON object; expected {{") for text in ("[1, 2]", "7")),
        *((line(doc_key=name), "no name; expected 'doc_key' or 'id'") for name in (..., None)),
        (line(doc_key=" "), "' ' as name; expected 'doc_key' or 'id'"),
        (line(doc_key=["d"]), "['d'] as name; expected 'doc_key' or 'id'"),
        (
            line(doc_key="first"),
            "a second document 'first' (the first is in line 1); expected each name once.",
        ),
        *(
            (line(sentences=..., **more), "no words; expected 'sentences', a list of lists of word")
            for more in ({"text": "It"}, {"subtoken_map": [0]}, {"named_mentions": True})
        ),
        (line(sentences=..., tokens="It"), "words in another shape; expected 'tokens', a list of"),
        (
            line(clusters=...),
            "no clusters, only 'doc_key', 'sentences'; expected the nearest layout, 'sentences'",
        ),
        *(
            (line(**{field: value}), found)
            for found, fields in SHAPES.items()
            for field, values in fields.items()
            for value in values
        ),
        *(
            (line(clusters=[[span]]), IN_CLUSTER.format(json.dumps(span)))
            for span in (1, [], [1], [0, 1.0], [0, True], ["0", "1"])
        ),
        *(
            (line(clusters=[[[0, 0], span, [1]]]), OUTSIDE.format(span))
            for span in ([0, 3], [-1, 0], [2, 1], [0, 2**70], [0, 2**63 - 1])
        ),
        (line(clusters=[[[0, 0], [1, 1, 1], [0, 9]]]), IN_CLUSTER.format([1, 1, 1])),
    ],
    ids=itertools.count(),
)
def test_a_problem_names_file_line_what_was_found_and_what_was_expected(text, found):
    message = message_of(f"{line(doc_key='first')}{text}")
    assert message.startswith(f"dev.jsonl:2: {found}")
    assert message.endswith(".")


@pytest.mark.parametrize(
    "changes, advice",
    [
        ({"clusters": {"a": [[0, 0]]}}, "Write the lists alone, without their names."),
        (
            {"clusters": [[{"start": 0, "end": 1}]]},
            "Write the positions alone: [0, 1]. Count words",
        ),
        ({"clusters": [[["It", 0.0, 1.0]]]}, "Write the positions alone: [0, 1]. Count words"),
        ({"sentences": ["It is."]}, "Split the texts into words: a list of words is called 'token"),
        ({"sentences": ..., "words": ["It"]}, "Rename 'words' 'tokens'."),
        ({"sentences": ..., "tokens": [{"form": "It"}]}, "Write the texts of its objects alone."),
    ],
)
def test_the_advice_goes_by_what_is_there(changes, advice):
    assert f". {advice}" in message_of(line(**changes))


def test_documents_within_another_object_are_named():
    message = message_of(json.dumps({"data": [json.loads(line())]}))
    assert "no clusters, but in 'data'; expected the nearest layout" in message
    assert message.endswith("Take the objects out of 'data': one document per line.")


def test_every_bad_line_is_reported_and_reading_stops_after_a_hundred():
    places = [text.partition(": ")[0] for text in message_of("{\n" + line() + "[]\n").split("\n")]
    assert places == ["dev.jsonl:1", "dev.jsonl:3"]
    lines = message_of(line() + "[]\n" * 500 + line()).split("\n")
    assert lines[-2].startswith("dev.jsonl:21: [], which is no")
    assert [number for number, line in enumerate(lines) if "; expected" in line] == [0]
    assert lines[-1] == "… and more"


# --- Without words -------------------------------------------------------------------------------

BARE = {"sentences": ...}
TOLD = (
    "dev.jsonl:1: a document without words: its clusters alone are read (reported once per file)."
)


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


def test_a_key_without_words_is_compared_by_position_and_told_of_once():
    bare, other = jsonl(line(**BARE, speakers=[["Ann"]])), jsonl(line())
    assert score(bare, other).warnings == (TOLD,)
    assert score(bare, other)["bcub"].f1 == score(bare, bare)["bcub"].f1 == 1
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
    assert inclusive.startswith(
        f"{exclusive} The ends look exclusive, each the word after its mention: if they are, name "
        "the format jsonl-exclusive for this file (--key-format or --response-format; "
    )
    characters = "These look like positions of characters, not of words: count words instead."
    assert beyond_the_key([[0, 2], [6, 8]]).endswith(characters)


@pytest.mark.parametrize("span", [[-1, 0], [2, 1], [0, 10_000_000], [0, 10**30]])
def test_positions_of_no_document_are_refused(span):
    message = message_of(line(**BARE, clusters=[[span]]))
    assert re.search(r"without words; .* 0 ≤ start ≤ end ≤ 9999999", message)


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
    assert "name the format jsonl-exclusive for this file" in message
    assert "exclusive" not in message_of(line(**NINE, clusters=[[[0, 0]], [[7, 9]]]))


def test_ends_that_touch_the_next_mention_are_doubted():
    (warning,) = warnings_of(**NINE, clusters=[[[0, 1], [6, 8]], [[2, 5], [5, 6]]])
    assert re.match(r"dev\.jsonl: none .* 4 mentions .* and 2 start ", warning)
    assert "If they are exclusive, name the format jsonl-exclusive for this file" in warning


@pytest.mark.parametrize("clusters", [[[[0, 0], [6, 7]], [[2, 4], [6, 6]]], [[[0, 1], [2, 4]]], []])
def test_inclusive_ends_are_not_doubted(clusters):
    assert warnings_of(**NINE, clusters=clusters) == ()


def test_many_mentions_without_one_of_a_single_word_are_doubted():
    spans = [[at, at + 1] for at in range(0, 40, 2)]
    (warning,) = warnings_of(sentences=[["a"] * 40], clusters=[spans])
    assert "none of the 20 mentions has a single word: the ends" in warning
    assert warnings_of(sentences=[["a"] * 40], clusters=[spans[1:]]) == ()


def exclusive(**changes):
    return read_bytes(line(**changes).encode(), "x", format="jsonl-exclusive")


def test_exclusive_ends_are_read_if_named():
    (found,) = exclusive(**NINE, clusters=[[[0, 1], [6, 7]], [[2, 5], [7, 9]]])
    assert found.rows.tolist() == [[0, 1, 0], [2, 5, 1], [6, 7, 0], [7, 9, 1]]
    (found,) = exclusive(**BARE, clusters=[[[0, 1], [1, 3]]])
    assert found.rows.tolist() == [[0, 1, 0], [1, 3, 0]]
    for wrong in ([3, 3], [7, 10]):
        message = messages.message_of(exclusive, **NINE, clusters=[[wrong]])
        assert message.startswith(f"x:1: the span {wrong} in a document of 9 words; expected 0 ≤ ")


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
    whole_words = jsonl(line(subtoken_map=[0, 1, 2]))
    assert (whole_words["d"], whole_words.warnings) == (document(), ())


@pytest.mark.parametrize("words", [["E", "##hu"], ["[CLS]", "He"]])
def test_marks_of_subtokens_are_noticed_however_they_are_written(words):
    text = line(sentences=[words], clusters=[])
    escaped = text.replace("#", "\\u0023").replace("[CLS]", "\\u005BCLS]")
    assert escaped != text
    assert len(jsonl(text).warnings) == 1
    assert jsonl(escaped).warnings == jsonl(text).warnings


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
    bare = line(**BARE).encode()
    message = messages.message_of(read_bytes, bare, "x", format="jsonl-subtokens")
    assert message.startswith("x:1: no words; expected 'sentences'")


@pytest.mark.parametrize(
    "changes, found",
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


# --- Text that is none ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "escape, found",
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
    "given, name",
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
        f"\n{two(2)[0]}\n",
    ],
)
def test_objects_may_stand_over_many_lines_and_in_a_list(text):
    found = read_bytes(text.encode(), "dev.json").documents
    assert [document.name for document in found] == ["d", "e"][: len(found)]
    assert found[0] == document()
    assert found[-1].lines[0] == 1 + text[: text.rindex("{")].count("\n")


@pytest.mark.parametrize(
    "text, found",
    [
        (two(2)[0][:-1], "dev.jsonl:23: JSON that is broken or is cut short"),
        (f"[{two(None)[0]},\n{two(None)[1]}", "dev.jsonl:2: a JSON list that is cut short"),
        (f"[{two(None)[0]},\n{two(None)[1][:-1]}]", "dev.jsonl:2: JSON that is broken or is cut"),
        (f"[{two(None)[0]}\n{two(None)[1]}]", "dev.jsonl:2: a JSON list that is cut short"),
        (f"[{two(None)[0]}]\n7", "dev.jsonl:1: a JSON list that is cut short, or something after"),
        ("[]", "dev.jsonl: no document"),
        ("[[1]]", "dev.jsonl:1: [1], which is no JSON object"),
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
    corpus = jsonl(line(predicted_clusters=[[[1, 1]]], **others), side="response")
    assert json.loads(write_jsonl(corpus)) == {**GOOD, **others, "clusters": [[[1, 1]]]}


def test_the_line_is_not_kept_for_other_words_and_the_name_is_the_documents():
    (found,) = jsonl(line(note=1, id=2))
    renamed = json.loads(write_jsonl(Corpus((replace(found, name="new"),))))
    assert (renamed["doc_key"], renamed["note"]) == ("new", 1)
    other = json.loads(write_jsonl(Corpus((replace(found, words=("It", "was", "so")),))))
    assert other == {**GOOD, "sentences": [["It", "was"], ["so"]]}


def test_what_is_known_of_mentions_is_kept_in_fields_of_our_own():
    minimum = [(-1, -1), (1, 2), (1, 3)]
    written = Document.of_rows(
        "d",
        [(0, 1, "x"), (0, 3, "y"), (1, 3, "z")],
        words=["a", "b", "c"],
        attributes=Attributes.of(3, head=[0, -1, 2], minimum=minimum),
        split_antecedents=[("z", ["y", "x"])],
    )
    values = json.loads(write_jsonl(Corpus((written,))))
    assert values["cluster_min_spans"] == [[[1, 1]], [None], [[1, 2]]]
    assert values["cluster_split_antecedents"] == [[2, [0, 1]]]
    fewer = json.loads(write_jsonl(Corpus((written.with_entities([(0, 2, 0)]),))))
    assert not [name for name in fewer if name.startswith("cluster_")]


@pytest.mark.parametrize(
    "field, value",
    [
        ("cluster_heads", [[0]]),
        ("cluster_heads", [[0, 3]]),
        ("cluster_heads", 1),
        ("cluster_min_spans", [[[1, 0], None]]),
        ("cluster_entity_types", [[None, "a"]]),
        ("named_spans", {"A": [0, 3]}),
        ("named_spans", [[0, 1]]),
        ("cluster_split_antecedents", [[1, [0]]]),
        ("cluster_split_antecedents", [0]),
    ],
)
def test_fields_of_our_own_in_another_shape_are_refused(field, value):
    message = message_of(line(**{field: value}))
    assert message.startswith("dev.jsonl:1: ")
    assert "another shape" in message


def test_mentions_with_gaps_and_words_that_are_not_in_the_text_are_refused():
    pieces = Attributes.of(1, pieces=[((0, 1), (2, 3))])
    gap = Document.of_rows("d", [(0, 3, 0)], words=["a", "b", "c"], attributes=pieces)
    zero = replace(document(), empty_nodes={1: EmptyNode(1)})
    assert "discontinuous mentions" in messages.message_of(write_jsonl, Corpus((gap,)))
    assert "empty nodes (zeros)" in messages.message_of(write_jsonl, Corpus((zero,)))
