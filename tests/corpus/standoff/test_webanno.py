"""WebAnno TSV 3: layers of spans with relations, chains, stacked and numbered values."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import format_of_bytes, read_bytes
from tests.support.messages import message_of, refusal_of
from tests.support.together import texts

TOP = "#FORMAT=WebAnno TSV 3.3\n"
RELATIONS = (
    TOP
    + """\
#T_SP=custom.Referent|entity|status
#T_RL=custom.Coref|type|BT_custom.Referent


#Text=Mia gave her sister a bike
1-1	0-3	Mia	person	new	_	_
1-2	4-8	gave	_	_	_	_
1-3	9-12	her	person[2]|person[3]	giv[2]|new[3]	ana	1-1[0_2]
1-4	13-19	sister	person[3]	new[3]	_	_
1-5	20-21	a	object[4]	new[4]	_	_
1-6	22-26	bike	object[4]	new[4]	_	_

#Text=The bell was new
2-1	27-30	The	object[5]	new[5]	bridge|coref	1-5[4_5]|2-4[0_5]
2-2	31-35	bell	object[5]	new[5]	_	_
2-3	36-39	was	_	_	_	_
2-4	40-43	new	*	_	_	_
"""
)
CHAINS = (
    TOP
    + """\
#T_CH=custom.CoreferenceLink|referenceRelation|referenceType


#Text=Mia gave her sister a bike
1-1	0-3	Mia	*->1-1	name[1]
1-2	4-8	gave	_	_
1-3	9-12	her	*->1-2|*->2-1	pron[1]|*[2]
1-4	13-19	sister	*->2-1	*[2]
"""
)


def webanno(text):
    return read_bytes(text.encode(), "mia.tsv")


def one(text=RELATIONS):
    (document,) = webanno(text)
    return document


def test_relations_link_the_spans_of_a_layer():
    document = one()
    assert document.name == "mia"
    assert document.words[:6] == ("Mia", "gave", "her", "sister", "a", "bike")
    assert document.sentence_starts == (0, 6)
    assert texts(document) == [["Mia", "her"], ["The bell", "new"], ["a bike"], ["her sister"]]
    kinds = ("person", "person", "person", "object", "object", "")
    assert document.attributes.entity_type == kinds
    (warning,) = webanno(RELATIONS).warnings
    assert re.fullmatch(r"mia\.tsv: 1 relation not .*: bridge", warning)


@pytest.mark.parametrize("kind", ["bridge:aggr", "Bridging", "split antecedent", "part-whole"])
def test_relations_that_are_no_identity_are_counted(kind):
    text = RELATIONS.replace("\tana\t", f"\t{kind}\t")
    assert ["Mia"] in texts(one(text))
    assert re.match(r"mia\.tsv: 2 relations not .*: ", webanno(text).warnings[0])


def test_chains_have_their_elements():
    document = one(CHAINS)
    assert texts(document) == [["Mia", "her"], ["her sister"]]
    assert document.attributes.entity_type == ("name", "", "pron")


def test_chains_of_several_layers_are_entities_of_their_own():
    layer = "#T_CH=custom.CoreferenceInanimateLink|referenceRelation|referenceType\n"
    text = re.sub(r"(?m)^(1-.*)$", r"\1\t_\t_", CHAINS).replace("\n\n", f"\n{layer}\n", 1)
    text = text.replace("gave\t_\t_\t_\t_", "gave\t_\t_\t*->1-1\tverb[1]")
    assert texts(one(text)) == [["Mia", "her"], ["gave"], ["her sister"]]


def test_the_format_is_known_by_its_first_line():
    assert format_of_bytes(RELATIONS.encode(), "x").id == "webanno"
    assert format_of_bytes(RELATIONS.replace("\n", "\r\n").encode(), "x").id == "webanno"
    assert one(RELATIONS.replace("\n", "\r\n")) == one()


def test_a_tab_at_the_end_of_rows_is_optional():
    assert one(re.sub(r"(?m)(?<=\w|\])$", "\t", RELATIONS)) == one()


def test_spans_without_the_first_feature_are_mentions_only_by_a_relation():
    text = RELATIONS.replace("person\tnew\t_", "_\tnew\t_").replace(
        "1-6	22-26	bike	obj", "1-6	22-26	bike	obj"
    )
    document = one(text.replace("object[4]", "_"))
    assert texts(document) == [["Mia", "her"], ["The bell", "new"], ["her sister"]]
    warning = webanno(text.replace("object[4]", "_")).warnings[-1]
    assert warning == (
        "mia.tsv: 1 span of custom.Referent without 'entity' and without a relation not taken as "
        "mentions"
    )


def test_a_span_on_a_part_of_a_word_takes_the_word():
    row = "1-1\t0-3\tMia\tperson\tnew\t_\t_\n"
    part = "1-1\t0-3\tMia\t_\t_\t_\t_\t\n1-1.1\t0-2\tMi\tperson\tnew\t_\t_\t\n"
    text = RELATIONS.replace(row, part).replace("1-1[0_2]", "1-1.1[0_2]")
    assert texts(one(text)) == texts(one())
    assert webanno(text).warnings[-1] == (
        "mia.tsv: 1 row of parts of words: their spans took the whole words"
    )


def test_bars_and_brackets_of_a_value_are_marked():
    document = one(RELATIONS.replace("person\tnew", r"per\|son\[1\]" + "\tnew"))
    assert document.attributes.entity_type[0] == "per|son[1]"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1-2\t4-8", "x\t4-8", "mia.tsv:8: 'x\t4-8\tgave\t_\t_\t_\t_'; expected sentence-word"),
        ("gave\t_", "gave", "mia.tsv:8: 6 columns; expected sentence-word, characters, word and 4"),
        ("1-2\t4-8", "1-1\t4-8", "mia.tsv:8: the row 1-1; expected each word once"),
        ("1-1[0_2]", "1-2[0_2]", "mia.tsv:9: the relation '1-2[0_2]'; expected one between two"),
        ("1-1[0_2]", "1-1[7_2]", "mia.tsv:9: the relation '1-1[7_2]'; expected one between two"),
        ("1-1[0_2]", "so", "mia.tsv:9: the relation 'so'; expected one between two spans"),
        ("custom.Coref", "Dependency", "mia.tsv:1: the layers Dependency; expected layers #T_"),
        ("#T_RL=custom.Coref|type|BT_custom.Referent\n", "#T_SP=a|b|c\n", "mia.tsv:1: no layer of"),
        ("BT_custom.Referent", "BT_custom.Other", "mia.tsv:1: the relation layer custom.Coref on"),
        ("BT_custom.Referent", "other", "mia.tsv:3: the relation layer custom.Coref without a col"),
    ],
)
def test_files_that_cannot_be_right_are_refused(old, new, said):
    assert old in RELATIONS
    assert message_of(webanno, RELATIONS.replace(old, new, 1)).startswith(said)


def test_a_cell_of_a_chain_that_names_no_element_is_refused():
    message = message_of(webanno, CHAINS.replace("*->1-1", "so"))
    assert message.startswith("mia.tsv:6: 'so' in a chain; expected a cell such as *->2-1")


PIECES = st.sampled_from(
    [
        *(*RELATIONS.splitlines(keepends=True), *CHAINS.splitlines(keepends=True)),
        *("\t", "\n", "|", "[1]", "1-1", "->", "*", "_", "#T_CH=", "#T_RL=a|BT_a", "1-1.1"),
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=12))
def test_any_pieces_are_read_or_refused(pieces):
    text = TOP + "".join(pieces)
    assert all(line.startswith("x") for line in refusal_of(read_bytes, text.encode(), "x"))


@settings(max_examples=300)
@given(
    st.sampled_from([RELATIONS, CHAINS]),
    st.integers(30, 700),
    st.text("\t|[]_*->1-.0\n", max_size=3),
)
def test_any_file_with_a_piece_exchanged_is_read_or_refused(text, at, piece):
    text = text[:at] + piece + text[at + len(piece) :]
    assert all(line.startswith("x") for line in refusal_of(read_bytes, text.encode(), "x"))
