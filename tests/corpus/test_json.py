"""The JSON that other systems and data sets write: each is found by its content and read."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Mention, score
from corescore.corpus.files import FORMATS, format_of_bytes, read_bytes
from corescore.corpus.formats.json_systems import JSON_FORMATS
from corescore.corpus.formats.jsonl import write_jsonl
from tests.support.messages import message_of, refusal_of
from tests.support.texts import texts

# The JSON that other systems and data sets write: each is found by its content and read -----------

ALLENNLP = {"document": ["Mia", "fed", "her", "cat", "."], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]}
MAVERICK = {
    "tokens": ["Mia", "fed", "her", "cat", "."],
    "clusters_token_offsets": [[[0, 0], [2, 2]], [[2, 3]]],
    "clusters_token_text": [["Mia", "her"], ["her cat"]],
}
FASTCOREF = {
    "text": "Mia fed her cat.\nIt purred.",
    "clusters": [[[0, 3], [8, 11]], [[8, 15], [17, 19]]],
    "clusters_strings": [["Mia", "her"], ["her cat", "It"]],
}


def corenlp_mention(sentence, start, end, **more):
    return {"sentNum": sentence, "startIndex": start, "endIndex": end, **more}


PRECO = {
    "id": "p1",
    "sentences": [["Mia", "fed", "her", "cat", "."], [], ["It", "purred", "."]],
    "mention_clusters": [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4], [2, 0, 1]]],
}
CORENLP = {
    "docId": "a.txt",
    "sentences": [
        {"index": 0, "tokens": [{"word": w, "pos": "X"} for w in ("Mia", "fed", "her", "cat")]},
        {"index": 1, "tokens": [{"word": "It"}, {"word": "purred"}]},
    ],
    "corefs": {
        "7": [
            corenlp_mention(1, 3, 5, headIndex=4, type="NOMINAL", text="her cat"),
            corenlp_mention(2, 1, 2, headIndex=1, type="PRONOMINAL"),
        ],
        "9": [corenlp_mention(1, 1, 2, type="PROPER", text="Mia")],
    },
}
SCORCH = {"name": "s", "type": "clusters", "clusters": {"0": ["a", "b"], "x": ["c"], "y": []}}
GRAPH = {
    "name": "s",
    "type": "graph",
    "mentions": ["a", "b", "c", "d", "e"],
    "links": [["a", "b"], ["d", "c"], ["c", "a"], ["c", "b"]],
}
SCIERC = {
    "doc_key": "k",
    "sentences": [["A", "parser", "is", "fast", "."], ["It", "wins", "."]],
    "clusters": [[[0, 1], [5, 5]]],
    "ner": [[[0, 1, "Method"]], [[5, 5, "Generic"], [5, 5, "Other"]]],
    "relations": [[], []],
}
EMORY = json.loads(
    """{"episodes": [{"scenes": [{"scene_id": "c01", "utterances": [
        {"speakers": ["Ann", "Bob"],
         "tokens": [["I", "saw", "him"], ["They", "left"]],
         "character_entities": [[[0, 1, "Ann"], [2, 3, "Bob"]], [[0, 1, "Bob", "Ann"]]]},
        {"speakers": [],
         "tokens": [["We", "know", "people", "and", "people"]],
         "character_entities": [
             [[0, 1, "Ann", "Bob"], [2, 3, "#GENERAL#"], [4, 5, "#GENERAL#"]]]}
    ]}]}]}"""
)
WL_COREF = {
    "document_id": "nw/x",
    "part_id": 0,
    "cased_words": ["Mia", "fed", "her", "cat", ".", "It", "purred"],
    "sent_id": [0, 0, 0, 0, 0, 1, 1],
    "speaker": ["Ann", "Ann", "Ann", "Ann", "Ann", "_", "_"],
    "clusters": [[[0, 1], [2, 3]], [[2, 4], [5, 6]]],
}
INDISCRIM = {
    "id": "d",
    "text": "Mia fed her cat. It purred.",
    "sentences": [
        {
            "id": 0,
            "speaker": None,
            "tokens": [
                {"id": n, "text": word, "upos": "PROPN" if n == 1 else "_", "lemma": word}
                for n, word in enumerate(("Mia", "fed", "her", "cat", "."), start=1)
            ],
        },
        {
            "id": 1,
            "speaker": "Ann",
            "tokens": [{"id": 1.0, "text": "It"}, {"id": 1.2, "text": "_"}],
        },
    ],
    "coref_chains": [[[0, 0, 0], [0, 2, 2]], [[0, 2, 3], [1, 0, 0], [1, 1, 1]]],
    "genre": "news",
}
TEXT2TEXT = {
    "doc_id": "d",
    "tokens": ["Vio", "##", "##él", "a", "Mia"],
    "clusters_token_offsets": [[[1, 1], [2, 2]], [[3, 4]]],
    "clusters_text_mentions": [["_", "él"], ["a Mia"]],
}
EACH = {
    "wl-coref": WL_COREF,
    "indiscrim": INDISCRIM,
    "text2text": TEXT2TEXT,
    "allennlp": ALLENNLP,
    "maverick": MAVERICK,
    "fastcoref": FASTCOREF,
    "preco": PRECO,
    "corenlp": CORENLP,
    "scorch": SCORCH,
    "scierc": SCIERC,
    "emory": EMORY,
}


def corpus_of(values, **changes):
    changed = {**values, **changes}
    kept = {name: value for name, value in changed.items() if value is not ...}
    return read_bytes(json.dumps(kept).encode(), "x.json")


def document_of(values, **changes):
    (document,) = corpus_of(values, **changes)
    return document


def refusal(values, **changes):
    return message_of(corpus_of, values, **changes)


def spans_of(document):
    return [[(m.start, m.end) for m in entity] for entity in document.entities]


# --- Finding out ---------------------------------------------------------------------------------


@pytest.mark.parametrize("id, values", EACH.items())
@pytest.mark.parametrize("layout", ["a line", "many lines", "a list"])
def test_each_format_is_found_by_its_content(id, values, layout):
    text = json.dumps([values] if layout == "a list" else values, indent=2 * (layout != "a line"))
    data = text.replace("\n", "") if layout == "a line" else text
    assert format_of_bytes(data.encode(), "x").id == id
    assert len(read_bytes(data.encode(), "x")) == 1
    assert read_bytes(data.encode(), "x") == read_bytes(data.encode(), "x", format=id)


def test_each_json_format_is_tried_before_json_lines():
    ids = [known.id for known in JSON_FORMATS]
    assert {*EACH, "stanza"} == {*ids[: ids.index("jsonl")]}
    assert {*ids} <= {known.id for known in FORMATS}


# --- Positions of words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values, field", [(ALLENNLP, "clusters"), (MAVERICK, "clusters_token_offsets")]
)
def test_inclusive_ends_turn_half_open_and_documents_are_numbered(values, field):
    corpus = read_bytes(f"{json.dumps(values)}\n{json.dumps(values)}\n".encode(), "x")
    assert [document.name for document in corpus] == ["1", "2"]
    assert spans_of(corpus["2"]) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert corpus["2"].words == ("Mia", "fed", "her", "cat", ".")
    assert corpus.warnings == (
        "x:1: the documents have no doc_key; they are named 1, 2, … in their order.",
    )
    assert document_of(values, doc_key="d").name == "d"
    assert refusal(values, **{field: [[[4, 5]]]}).startswith("x.json:1: the span [4, 5] ")


def test_texts_that_are_not_at_the_positions_are_told():
    warning, _ = corpus_of(MAVERICK, clusters_token_text=[["Mia", "Mia"], ["hercat"]]).warnings
    assert warning == (
        "x.json:1: 'clusters_token_text' has 1 text unlike the text at the positions, such "
        "as 'Mia' instead of 'her'. The positions are used."
    )
    for missing in (None, ...):
        assert len(corpus_of(MAVERICK, clusters_token_text=missing).warnings) == 1
    none = corpus_of(MAVERICK, clusters_token_text=[]).warnings[0]
    assert "3 texts unlike" in none
    assert "such as nothing instead of 'Mia'" in none
    (of_characters, _) = corpus_of(
        FASTCOREF, clusters_strings=[["Mia", "her"], ["a", "It"]]
    ).warnings
    assert "such as 'a' instead of 'her cat'" in of_characters
    wrong = {"9": [corenlp_mention(1, 1, 2, text="fed")]}
    (of_sentences,) = corpus_of(CORENLP, corefs=wrong).warnings
    assert "such as 'fed' instead of 'Mia'" in of_sentences


def test_preco_counts_in_its_sentences():
    found = document_of(PRECO)
    assert found.name == "p1"
    assert found.sentence_starts == (0, 5)
    assert spans_of(found) == [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]


@pytest.mark.parametrize(
    "wrong", [[0, 4, 6], [3, 0, 1], [0, 1, 1], [-1, 0, 1], [0, 1], [1, 0, 1], "a"]
)
def test_mentions_of_preco_are_checked(wrong):
    message = refusal(PRECO, mention_clusters=[[wrong]])
    assert message.startswith(f"x.json:1: the mention {json.dumps(wrong)} in 3 sentences;")


def test_corenlp_counts_from_one_and_keeps_heads_and_types():
    found = document_of(CORENLP)
    assert found.name == "a.txt"
    assert found.words == ("Mia", "fed", "her", "cat", "It", "purred")
    assert found.sentence_starts == (0, 4)
    assert found.tags == ("X", "X", "X", "X", "", "")
    assert spans_of(found) == [[(0, 1)], [(2, 4), (4, 5)]]
    assert found.attributes.head.tolist() == [-1, 3, 4]
    assert found.attributes.mention_type == ("name", "nominal", "pronoun")
    assert corpus_of(CORENLP).warnings == ()


@pytest.mark.parametrize(
    "mention",
    [
        corenlp_mention(3, 1, 2),
        corenlp_mention(0, 1, 2),
        corenlp_mention(2, 1, 4),
        corenlp_mention(2, 0, 1),
        corenlp_mention(2, 2, 2),
        corenlp_mention(2, "1", 2),
        {},
        7,
    ],
)
def test_mentions_of_corenlp_are_checked(mention):
    message = refusal(CORENLP, corefs={"7": [mention]})
    assert message.startswith("x.json:1: a mention of entity 7 with sentNum, startIndex, endIndex")


# --- Characters ----------------------------------------------------------------------------------


def test_characters_of_fastcoref_are_put_onto_words():
    found = document_of(FASTCOREF)
    assert found.words == ("Mia", "fed", "her", "cat", ".", "It", "purred", ".")
    assert found.sentence_starts == (0, 5)
    assert spans_of(found) == [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]


def test_positions_of_words_are_not_taken_for_those_of_characters():
    message = refusal(FASTCOREF, clusters=[[[0, 1], [2, 4]], [[5, 7]]], clusters_strings=...)
    assert message.startswith(
        "x.json:1: 3 spans that all cut words, up to 7 in a text of 8 words; "
    )
    assert len(document_of(FASTCOREF, clusters=[[[0, 1], [8, 11]]], clusters_strings=...).rows) == 2


@pytest.mark.parametrize("span", [[3, 4], [0, 28], [-1, 2], [4, 4]])
def test_characters_are_checked(span):
    message = refusal(FASTCOREF, clusters=[[span]])
    assert message.startswith(f"x.json:1: the span {span} in a text of 27 characters; expected")


@pytest.mark.parametrize("span", [[0], [None, None], [0, 1.5], {"start": 0, "end": 3}])
def test_a_span_is_two_characters(span):
    message = refusal(FASTCOREF, clusters=[[span]])
    assert message.startswith(f"x.json:1: {json.dumps(span)} in a cluster; expected [start, end]")


# --- Names of mentions ---------------------------------------------------------------------------


def test_mentions_of_scorch_are_known_by_their_names():
    key, response = corpus_of(SCORCH), corpus_of(GRAPH)
    assert key["s"].named_mentions
    assert texts(key["s"]) == [["a", "b"], ["c"]]
    assert texts(response["s"]) == [["a", "b", "c", "d"], ["e"]]
    assert score(key, response)["muc"].recall == 1


@pytest.mark.parametrize(
    "values, field, value, found",
    [
        (SCORCH, "type", "x", "the type 'x'"),
        (SCORCH, "clusters", [], "clusters in another shape"),
        (SCORCH, "clusters", {"0": [1]}, "clusters in another shape"),
        (GRAPH, "links", [["a"]], "a graph in another shape"),
        (GRAPH, "links", [["a", "z"]], "a link to 'z'"),
        (GRAPH, "mentions", {"a": 1}, "a graph in another shape"),
    ],
)
def test_files_of_scorch_are_checked(values, field, value, found):
    assert refusal(values, **{field: value}).startswith(f"x.json:1: {found}; expected")


# --- Entity types, several names -----------------------------------------------------------------


def test_the_first_label_of_a_span_is_its_entity_type():
    found = document_of(SCIERC)
    assert spans_of(found) == [[(0, 2), (5, 6)]]
    assert found.attributes.entity_type == ("Method", "Generic")
    assert document_of(SCIERC, ner=[[], []]).attributes is None
    assert refusal(SCIERC, ner=[[1]]).startswith("x.json:1: 'ner' in another shape")


def test_predicted_labels_go_with_predicted_clusters():
    line = {**SCIERC, "predicted_clusters": [[[0, 0]]], "predicted_ner": [[[0, 0, "X", 0.5]], []]}
    (found,) = read_bytes(json.dumps(line).encode(), "x", side="response")
    assert found.mentions == (Mention(0, 1),)
    assert found.attributes.entity_type == ("X",)


def test_scenes_are_documents_and_names_are_entities():
    found = document_of(EMORY)
    assert found.name == "c01"
    assert found.speakers == ("Ann, Bob", "Ann, Bob", "")
    assert spans_of(found) == [[(0, 1)], [(2, 3)], [(3, 4), (5, 6)], [(7, 8)], [(9, 10)]]
    assert found.split_antecedents == ((2, (0, 1)),)


@pytest.mark.parametrize(
    "field, value, found",
    [
        ("tokens", [1], "'tokens' in another shape in scene c01"),
        ("character_entities", [[]], "'character_entities' in another shape"),
        ("character_entities", [[[2, 4, "Ann"]], []], "the mention [2, 4, 'Ann'] in scene c01"),
        ("character_entities", [[[0, 1]], []], "the mention [0, 1] in scene c01"),
    ],
)
def test_scenes_are_checked(field, value, found):
    (scene,) = EMORY["episodes"][0]["scenes"]
    changed = {**scene, "utterances": [{**scene["utterances"][0], field: value}]}
    assert refusal({"episodes": [{"scenes": [changed]}]}).startswith(f"x.json:1: {found}")
    assert refusal({"episodes": 1}).startswith("x.json:1: 'episodes' in another shape")
    nameless = {**scene, "scene_id": None}
    assert "None as 'scene_id'" in refusal({"episodes": [{"scenes": [nameless]}]})


# --- Anything ------------------------------------------------------------------------------------


SOME = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 4) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("tokens", "word", "scenes", "0")), inner, max_size=3)
    ),
    max_leaves=10,
)


@pytest.mark.parametrize("id, values", [*EACH.items(), ("scorch", GRAPH), ("jsonl", SCIERC)])
@given(st.data())
def test_any_values_are_read_or_refused(id, values, data):
    other = {"predicted_ner", "subtoken_map", "speakers", "pos", "tokens"}
    field = data.draw(st.sampled_from(sorted({*values} | other)))
    changed = json.dumps({**values, field: data.draw(SOME)})
    side = data.draw(st.sampled_from(("key", "response")))
    lines = refusal_of(read_bytes, changed.encode(), "x", format=id, side=side)
    assert all(line.startswith(("x:1: ", "x: no document")) for line in lines)
    refusal_of(read_bytes, json.dumps(data.draw(SOME)).encode(), "x", format=id, side=side)


# Stanza's own JSON: words that name the chains they are in ----------------------------------------


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
    assert corpus.warnings == ("x.json: the document has no name: named 'x', as its file.",)


@pytest.mark.parametrize(
    "middle, expected",
    [
        ([part(0), part(0, **ONE)], [[0, 3, 0], [1, 2, 0]]),
        ([part(0, start=True), part(0, end=True)], [[0, 2, 0], [1, 3, 0]]),
    ],
)
def test_mentions_of_one_chain_may_nest_or_meet_in_a_word(middle, expected):
    first, last = word(1, "a", part(0, start=True)), word(3, "c", part(0, end=True))
    assert stanza([[first, word(2, "b", *middle), last]])["x"].rows.tolist() == expected


@pytest.mark.parametrize(
    "words, found",
    [
        ([word(1, "a", part(0, end=True))], "chain 0, which ends at word 0 without a start"),
        ([word(1, "a", part(0, start=True))], "chain 0, whose mention at word 0 has no end"),
        ([word(1, "a", {"is_start": True})], "'coref_chains' in another shape at word 0"),
        ([word(1, "a", 7)], "'coref_chains' in another shape at word 0"),
        ([word(1, None)], "entry 1 without a text"),
        ([word(1, "a"), 7], "entry 2 without a text"),
        ([word(1, "a"), word([2, 3], "b", part(0, **ONE))], "entry 2, a token of several words"),
    ],
)
def test_what_is_not_stanzas_is_refused(words, found):
    assert message_of(stanza, [words]).startswith(f"x.json: {found}")
    assert message_of(stanza, [words, 7]).startswith("x.json: JSON in another shape")


CHAINS_IN_MISC = [
    [
        word(1, "Mia", misc="start_char=0|coref_chains=unit-repr-id0"),
        word(2, "fed", misc="x=1", ner="O"),
        word(3, "her", coref_chains="unit-id0,start-id1"),
        word(4, "cat", ner="end-id1"),
    ]
]


def test_chains_are_read_as_conllu_has_them():
    (found,) = stanza(CHAINS_IN_MISC)
    assert found.rows.tolist() == [[0, 1, 0], [2, 4, 1], [2, 3, 0]]


@pytest.mark.parametrize(
    "misc, told",
    [
        (
            "Entity=(1)",
            "x.json: 'Entity=(1)' at word 1, which may be coreference; expected lists of",
        ),
        (
            "x=1|EntityId=1",
            "x.json: 'EntityId=1' at word 1, which may be coreference; expected lists",
        ),
        (
            "coref_chains=[1]",
            "x.json: 'coref_chains' in another shape at word 1; expected lists of",
        ),
    ],
)
def test_other_coreference_of_words_is_refused_by_name(misc, told):
    assert message_of(stanza, [[word(1, "a"), word(2, "b", misc=misc)]]).startswith(told)


@pytest.mark.parametrize(
    "empty", [{"sentences": [["a", "b"]]}, {"tokens": ["a", "b"]}, {"text": "a b"}]
)
def test_empty_clusters_beside_others_are_refused(empty):
    given = {"doc_key": "d", **empty, "clusters": [], "coref_sets": [[[0, 1]]]}
    told = "x.json:1: 'clusters', which is empty, and 'coref_sets', which is not; expected the clus"
    assert message_of(read_bytes, json.dumps(given).encode(), "x.json").startswith(told)
    none = {**given, "coref_sets": []}
    assert len(read_bytes(json.dumps(none).encode(), "x.json")) == 1


@pytest.mark.parametrize("name", ["coref_chains", "corefs"])
def test_words_in_lists_are_not_those_of_coref_data_and_corenlp(name):
    values = {"id": "d", "sentences": [["a", "b"]], "clusters": [], name: [[[0, 0, 1]]]}
    message = message_of(read_bytes, json.dumps(values).encode(), "x.json")
    assert message.startswith(
        f"x.json:1: 'sentences' as lists of words beside '{name}'; expected the"
    )
    assert message.endswith(
        f"Write '{name}' as 'clusters', and count the words of the document from 0."
    )


# --- Systems that have words, sentences or empty nodes in a layout of their own ------------------


def test_ends_of_wl_coref_are_exclusive_and_its_sentences_and_parts_are_read():
    document = document_of(WL_COREF)
    assert spans_of(document) == [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]
    assert document.sentence_starts == (0, 5)
    assert document.speakers == ("Ann", "")
    assert document.name == "nw/x"
    assert document_of(WL_COREF, part_id=2).name == "nw/x; part 2"
    assert document_of(WL_COREF, part_id=2, document_id="nw/x_2").name == "nw/x_2"
    assert document_of(WL_COREF, document_id=..., doc_key="k").name == "k"
    assert "'sent_id' in another shape" in refusal(WL_COREF, sent_id=[0])


def test_clusters_that_wl_coref_predicts_are_the_response():
    both = json.dumps({**WL_COREF, "span_clusters": [[[0, 1]]], "word_clusters": [[0]]}).encode()
    assert len(read_bytes(both, "x", side="response")["nw/x"].rows) == 1
    assert len(read_bytes(both, "x")["nw/x"].rows) == 4
    alone = corpus_of(WL_COREF, clusters=..., span_clusters=[[[0, 1]]])
    assert alone.warnings == ("x.json:1: the key has only 'span_clusters'; is it one?",)


def test_fastcoref_over_words_has_positions_of_words():
    words = ["Mia", "fed", "her", "cat"]
    texts = [[["Mia"], ["her"]], [["her", "cat"]]]
    clusters = [[[0, 1], [2, 3]], [[2, 4]]]
    corpus = corpus_of(FASTCOREF, text=words, clusters=clusters, clusters_strings=texts)
    assert spans_of(corpus["x"]) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert corpus.warnings == ("x.json:1: the document has no doc_key: named 'x', as its file.",)


def test_sentences_of_coref_data_have_their_tokens_and_ends_are_inclusive():
    document = document_of(INDISCRIM)
    assert spans_of(document) == [[(0, 1), (2, 3)], [(2, 4), (5, 6), (6, 7)]]
    assert [*document.empty_nodes] == [6]
    assert document.empty_nodes[6].number == 2
    assert (document.sentence_starts, document.speakers) == ((0, 5), ("", "Ann"))
    assert (document.tags[0], document.lemmas[0], document.genre) == ("PROPN", "Mia", "news")
    message = refusal(INDISCRIM, coref_chains=[[[0, 4, 5]]])
    assert "the mention [0, 4, 5] in 2 sentences; expected [sentence, start, end], both" in message


def test_words_with_two_number_signs_are_empty_nodes_in_text2text():
    document = document_of(TEXT2TEXT)
    assert document.words == ("Vio", "_", "él", "a", "Mia")
    assert {at: node.number for at, node in document.empty_nodes.items()} == {1: 1, 2: 2}
    assert spans_of(document) == [[(1, 2), (2, 3)], [(3, 5)]]
    assert document.name == "d"


@pytest.mark.parametrize("field", ["doc_key", "id", "document_id", "doc_id", "doc_name"])
def test_common_names_are_names(field):
    values = {field: "d", "tokens": ["Mia"], "clusters": []}
    assert [document.name for document in corpus_of(values)] == ["d"]
    text = write_jsonl(corpus_of(values))
    assert json.loads(text) == values


def test_a_single_document_is_named_by_its_file_and_keeps_that_name():
    values = {"tokens": ["Mia"], "clusters": []}
    corpus = corpus_of(values)
    assert corpus.warnings == ("x.json:1: the document has no doc_key: named 'x', as its file.",)
    assert json.loads(write_jsonl(corpus))["doc_key"] == "x"
    message = message_of(read_bytes, f"{json.dumps(values)}\n{json.dumps(values)}".encode(), "x")
    assert message.startswith("x:2: no name; expected 'doc_key' or 'id', a name.")


WORDS = "'sentences' (or 'tokens') and 'clusters', lists of [start, end] words, both inside (jsonl)"
CHARACTERS = "'text' and 'clusters', lists of [start, end) characters (fastcoref)"


@pytest.mark.parametrize(
    "values, found, layout, advice",
    [
        (
            {"text": "a b", "tokens": [{"text": "a"}], "spans": [{}], "relations": [{}]},
            "this looks like Prodigy's relations: no clusters, only 'text', 'tokens',",
            CHARACTERS,
            "Make a cluster of the spans that its relations link",
        ),
        (
            {"story": [[[0, 0], [2, 2]]]},
            "no clusters, only 'story'",
            WORDS,
            'Write {"doc_key": "story", "clusters": …}, one line per document.',
        ),
        (
            {"model": "m", "role": "assistant", "content": []},
            "this looks like the response of a language model's API: no clusters, only 'model',",
            WORDS,
            "Save the text of the answer alone",
        ),
        (
            {"id": 1, "data": {}, "annotations": []},
            "an export of Label Studio",
            CHARACTERS,
            "regions",
        ),
        (
            {"mentions": [], "clusters": [["a", "b"]], "resolved": "a a"},
            'the output of NeuralCoref: "a" in a cluster',
            CHARACTERS,
            "Strings do not show which occurrence is meant",
        ),
        (
            {"text": "a b", "tokens": [{"id": 0}], "spans": {"coref_clusters_1": []}},
            "a spaCy Doc: no clusters",
            CHARACTERS,
            "corescore.from_spacy",
        ),
        (
            {"tokenized_doc": {"orig_tokens": ["a"]}, "clusters": [[[[0, 0], "a"]]]},
            "the output of fast-coref: clusters, but words in 'tokenized_doc'",
            WORDS,
            "the positions alone",
        ),
        ({"clusters": [["a", "b"]]}, '"a" in a cluster', WORDS, "give positions"),
        (
            {"text": "a b", "coreference_groups": [[{"start": 0, "end": 1}]]},
            "no clusters, only 'text', 'coreference_groups'",
            CHARACTERS,
            "If 'coreference_groups' has them, write them so",
        ),
        ({"entities": [{"mentions": []}]}, "no clusters", WORDS, "If 'entities' has them"),
        ({"tokens": ["a"], "chains": [[[0, 0]]]}, "no clusters", WORDS, "If 'chains' has them"),
        ({"entities": [{"mentions": ["a"]}]}, "no clusters", WORDS, "which occurrence is meant"),
        (
            {"word_list": ["a", "b"], "clusters": [[[0, 0]]]},
            "clusters, but words in 'word_list'",
            WORDS,
            "Rename 'word_list'.",
        ),
    ],
    ids=itertools.count(),
)
def test_another_layout_is_told_at_once_with_the_nearest(values, found, layout, advice):
    message = refusal(values)
    assert found in message
    assert f"; expected the nearest layout, {layout}. " in message
    assert advice in message


def test_positions_beside_their_text_are_told():
    message = refusal({"tokens": ["a"], "clusters": [[[[0, 0], "a"]]]})
    assert "Write the positions alone: [0, 0]." in message
