"""Mentions by characters or words of a text beside them: brat, LitBank, BookNLP, WebAnno."""

import gzip
import re

import pytest

from corescore import Mention, read
from corescore.corpus.files import each_response, format_of, read_bytes
from tests.support.every_format import BRAT as ANN
from tests.support.every_format import TEXT
from tests.support.messages import message_of
from tests.support.texts import (
    put,
    read_every_way,
    read_together,
    refused_together,
    texts,
)

# brat standoff: mentions by characters, links of several kinds, LitBank's own use of it -----------

FILES = {"d.ann": ANN, "d.txt": TEXT}


def one(ann=ANN, text=TEXT):
    (document,) = read_together({"d.ann": ann, "d.txt": text})
    return document


def warnings(ann, text=TEXT):
    return read_together({"d.ann": ann, "d.txt": text}).warnings


def test_mentions_stand_on_the_words_of_the_text(tmp_path):
    (document,) = read_every_way(tmp_path, FILES, "d.ann")
    assert {format_of(tmp_path).id, format_of(tmp_path / "d.ann").id} == {"brat"}
    assert document.name == "d"
    assert document.words == (
        *["Mia", "gave", "her", "sister", "a", "bike", "."],
        *["The", "girls", "rode", "it", "."],
    )
    assert document.sentence_starts == (0, 7)
    assert texts(document) == [["Mia", "her"], ["a bike", "it"], ["her sister"]]
    assert document.attributes.entity_type == ("Person", "Person", "Person", "Thing", "Thing")
    events = "T6\tGive 4 8\tgave\nE1\tGive:T6 Agent:T1\nA1\tPast E1\n#1\tNote T6\tso\n"
    assert one(ANN + events) == document
    assert len(one(ann="").rows) == 0


def test_a_mention_may_have_several_pieces():
    document = one("T1\tPerson 0 3;13 19\tMia sister\nT2\tThing 20 21;22 26\ta bike\n")
    assert document.mentions == (Mention(0, 4, ((0, 1), (3, 4))), Mention(4, 6))


def test_a_mention_that_cuts_a_word_takes_it_whole():
    (warning,) = warnings("T1\tThing 22 25\tbik\nT2\tPerson 0 3\tMia\nR1\tIdent Arg1:T1 Arg2:T2\n")
    assert re.fullmatch(r"all\.zip/d\.ann: 1 mention cut .* 'bik' became 'bike'", warning)


@pytest.mark.parametrize(
    "name", ["Coref", "Coreference", "coref", "IDENT", "Identity", "SameAs", "Anaphora"]
)
def test_links_of_many_names_are_coreference(name):
    assert ["Mia", "her"] in texts(one(ANN.replace("Coref", name)))


@pytest.mark.parametrize("name", ["Bridging", "Coref-Bridging", "Coreference_Appos"])
def test_other_relations_are_counted_and_no_coreference_is_told(name):
    ann = ANN.replace("Coref", name).replace("*\tEquiv T4 T5\n", "")
    assert len(one(ann).entities) == 5
    relation, nothing = warnings(ann)
    assert relation == f"all.zip/d.ann: 1 relation not read as coreference: {name}"
    assert nothing.startswith("all.zip/d.ann: no coreference relation: each mention is taken as")


def test_attributes_that_may_name_entities_are_refused_where_nothing_is_linked():
    named = "T1\tPerson 0 3\tMia\nA1\tClusterId T1 7\n"
    message = message_of(one, named)
    assert message.startswith(
        "all.zip/d.ann:2: 'A1\tClusterId T1 7', which may name the entity of a"
    )
    assert len(one(f"{ANN}A9\tClusterId T1 7\n").entities) == len(one(ANN).entities)


def test_of_coreference_of_events_no_more_is_said_than_is_so():
    gave, rode = "T1\tGive 4 8\tgave\nE1\tGive:T1\n", "T2\tRide 38 42\trode\nE2\tRide:T2\n"
    events = f"{gave}{rode}R1\tCoref Arg1:E1 Arg2:E2\n"
    assert len(one(events).rows) == 0
    assert warnings(events)[1].endswith("all T lines are triggers of events: there is no mention")
    relation, nothing = warnings(f"{events}T3\tPerson 0 3\tMia\n")
    assert relation.endswith("1 relation not read as coreference: coreference of events")
    assert "no coreference relation between mentions, only between events: each mention" in nothing


def test_litbank_names_an_entity_by_a_second_line_on_the_same_characters():
    ann = (
        "T1\tPROP_PER 0 3\tMia\nT2\tMia-1 0 3\tMia\nT3\tPRON_PER 9 12\ther\nT4\tMia-1 9 12\ther\n"
        "T5\tNOM_PER 9 19\ther sister\nR1\tcop Arg1:T5 Arg2:T1\n"
    )
    document = one(ann)
    assert texts(document) == [["Mia", "her"], ["her sister"]]
    assert document.attributes.entity_type == ("PER",) * 3
    assert document.attributes.mention_type == ("PROP", "NOM", "PRON")
    (warning,) = warnings(ann)
    assert re.fullmatch(r"all\.zip/d\.ann: 1 relation not .*: cop", warning)


@pytest.mark.parametrize(
    "text, ann",
    [
        (TEXT.replace("\n", "\r\n"), ANN),  # characters counted with LF
        (TEXT.replace("\n", "\r\n"), ANN.replace("43 45", "44 46")),  # and with CR LF
        ("\ufeff" + TEXT, ANN),
        (TEXT, ANN.replace("\n", "\r\n")),
    ],
)
def test_line_ends_and_marks_may_be_counted_or_not(text, ann):
    assert one(ann, text) == one()


def test_an_ann_file_without_its_text_is_told_which_one(tmp_path):
    said = "d.ann: mentions without their words; expected 'd.txt', the file of its words, next to"
    put(tmp_path, {"d.ann": ANN})
    assert message_of(read, tmp_path / "d.ann").startswith(f"{tmp_path}/{said}")
    assert message_of(read, tmp_path).startswith(f"{tmp_path}/{said}")
    assert message_of(read_bytes, ANN.encode(), "d.ann").startswith(said)
    assert message_of(read_bytes, ANN.encode(), "d.ann").endswith("one zip archive to upload them.")


@pytest.mark.parametrize(
    "line, said",
    [
        ("T9\tPerson 0 2\tMia", "T9 'Mia' at 0 2, where the text has 'Mi'; expected char"),
        ("T9\tPerson 50 99\tMia", "T9 'Mia' at 50 99, where the text has ''; expected"),
        ("T9\tPerson 3 3\t", "T9 '' at 3 3, where the text has ''; expected"),
        ("T9\tPerson 3 4\t ", "T9 on spaces only; expected words"),
        ("T1\tPerson 0 3\tMia", "'T1\tPerson 0 3\tMia'; expected a line of brat"),
        ("T9 Person 0 3", "'T9 Person 0 3'; expected a line of brat standoff"),
        ("T9\tPerson 0 9999999999999\tMia", "'T9\tPerson 0 9999999999999\tMia'; expected"),
        ("R9\tCoref Arg1:T1 Arg2:T7", "a link to T7, which is nowhere; expected a T line"),
    ],
)
def test_lines_that_cannot_be_right_are_refused(line, said):
    message = refused_together({**FILES, "d.ann": ANN + line + "\n"})
    assert message.startswith(f"all.zip/d.ann:8: {said}")


def test_files_of_other_formats_in_the_folder_are_read_too():
    conll = "#begin document (e)\ne 0 0 It (1)\n#end document\n"
    files = {"a.conll": conll, **FILES, "e.conll": conll}
    assert [document.name for document in read_together(files)] == ["a/e", "d", "e"]
    named = read_together(files, format="brat")
    assert [document.name for document in named] == ["d"]
    (warning,) = named.warnings
    assert re.fullmatch(r"all\.zip: 2 files not read: a\.conll, e\.conll", warning)


def test_both_files_may_be_gzipped(tmp_path):
    zipped_files = {f"{name}.gz": gzip.compress(text.encode()) for name, text in FILES.items()}
    assert read_every_way(tmp_path, zipped_files, "d.ann.gz") == read_together(FILES)


def test_one_bad_pair_of_a_folder_is_told_with_all_others():
    bad = ANN.replace("0 3", "0 2")
    files = {**FILES, "b.ann": bad, "b.txt": TEXT, "c.ann": ANN}
    places = [line.partition(": ")[0] for line in refused_together(files).split("\n")]
    assert places == ["all.zip/b.ann:1", "all.zip/c.ann"]


def test_documents_of_folders_are_known_by_their_paths():
    files = {f"{folder}/d.{end}": FILES[f"d.{end}"] for folder in "ab" for end in ("ann", "txt")}
    assert [document.name for document in read_together(files)] == ["a/d", "b/d"]


def test_the_text_beside_a_response_is_no_response(tmp_path):
    put(tmp_path, {"key.ann": ANN, "key.txt": TEXT, "out/a.ann": ANN, "out/a.txt": TEXT})
    assert each_response(str(tmp_path / "key.ann"), [str(tmp_path / "out")]) == [
        str(tmp_path / "out" / "a.ann")
    ]


# LitBank's tab files: rows by sentence and word, on a text of a sentence a line -------------------

TEXT_OF_LITBANK = "Mia gave her sister a bike .\n\nThe bike-riders rode it .\n"
ANN_OF_LITBANK = """\
MENTION	T1	0	0	0	0	Mia	PER	PROP
MENTION	T2	0	2	0	2	her	PER	PRON
COREF	T1	Mia-1
COREF	T4	bike-2
MENTION	T3	0	2	0	3	her sister	PER	NOM
MENTION	T4	2	3	2	3	it	VEH	PRON
COREF	T2	Mia-1
COP	T3	T1
"""


def test_mentions_stand_on_the_words_of_the_text_of_litbank(tmp_path):
    files = {"d.ann": ANN_OF_LITBANK, "d.txt": TEXT_OF_LITBANK}
    (document,) = corpus = read_every_way(tmp_path, files, "d.ann")
    assert texts(document) == [["Mia", "her"], ["her sister"], ["it"]]
    assert document.words[7:9] == ("The", "bike-riders")
    assert document.sentence_starts == (0, 7)
    assert document.attributes.entity_type == ("PER", "PER", "PER", "VEH")
    assert document.attributes.mention_type == ("PROP", "NOM", "PRON", "PRON")
    (warning,) = corpus.warnings
    assert ": 1 link of copula and apposition not read " in warning


@pytest.mark.parametrize(
    "row, said",
    [
        (
            "MENTION T9 0 1 0 1 her PER PRON",
            "'her' at 0.1 to 0.1 (the text there is 'gave'); expected sentences and words of "
            "all.zip/",
        ),
        ("MENTION T9 0 7 0 7 x PER PRON", "'x' at 0.7 to 0.7; expected"),
        ("MENTION T9 3 0 3 0 x PER PRON", "'x' at 3.0 to 3.0; expected"),
        ("MENTION T9 0 1 0 0 Mia PER PRON", "'Mia' at 0.1 to 0.0; expected"),
        ("MENTION T9 0 x 0 0 Mia PER PRON", "'Mia' at 0.x to 0.0; expected"),
        ("MENTION T1 0 0 0 0 Mia PER PRON", "a second mention T1; expected each id once"),
        ("MENTION T9 0 0 Mia PER PRON", "'MENTION\tT9\t0\t0\tMia\tPER"),
        ("COREF T1 Mia-2", "a second entity of T1; expected one entity per mention"),
        ("COREF T9 Mia-2", "a COREF row for T9; expected a MENTION row for it"),
    ],
)
def test_rows_that_cannot_be_right_are_refused(row, said):
    ann = ANN_OF_LITBANK + row.replace(" ", "\t") + "\n"
    message = refused_together({"d.ann": ann, "d.txt": TEXT_OF_LITBANK})
    assert message.startswith(f"all.zip/d.ann:9: {said}")


# BookNLP: mentions by word numbers, on the words of a second table --------------------------------

HEADER = "paragraph_ID\tsentence_ID\ttoken_ID_within_document\tword\tfine_POS_tag\n"
WORDS = [
    ("Mia", "NNP", 0),
    ('"', "''", 0),
    ("gave", "VBD", 0),
    ("her", "PRP$", 0),
    ("it", "PRP", 1),
]
TOKENS = HEADER + "".join(f"0\t{s}\t{i}\t{w}\t{t}\n" for i, (w, t, s) in enumerate(WORDS))
TOP = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
ENTITIES = TOP + "7\t0\t0\tPROP\tPER\tMia\n7\t3\t3\tPRON\tPER\ther\n9\t3\t4\tNOM\tVEH\ther it\n"


def test_mentions_stand_on_the_words_of_the_tokens(tmp_path):
    files = {"emma.entities": ENTITIES, "emma.tokens": TOKENS}
    (document,) = read_every_way(tmp_path, files, "emma.entities")
    assert document.name == "emma"
    assert texts(document) == [["Mia", "her"], ["her it"]]
    assert document.sentence_starts == (0, 4)
    assert document.tags == ("NNP", "''", "VBD", "PRP$", "PRP")
    assert document.attributes.entity_type == ("PER", "VEH", "PER")
    assert document.attributes.mention_type == ("PROP", "NOM", "PRON")


@pytest.mark.parametrize(
    "entities, tokens, said",
    [
        *(
            (f"{TOP}7\t{start}\t{end}\tPROP\tPER\tit\n", TOKENS, f"x.entities:2: {found}")
            for start, end, found in (
                (4, 5, "a mention from word 4 to 5;"),
                (1, 0, "a mention from word 1 to 0;"),
                (3, 9, "a mention from word 3 to 9;"),
                (0, 0, "'it' from word 0 to 0, where"),
            )
        ),
        (TOP + "\t0\t0\tPROP\tPER\tMia\n", TOKENS, "x.entities:2: a mention without an entity;"),
        (TOP + "7\t0\t0\n", TOKENS, "x.entities:2: 3 columns; expected 6, as in line 1."),
        (TOP[:-6] + "\n", TOKENS, "x.entities:1: no column text; expected a header with COREF"),
        (ENTITIES, "word\n", "x.tokens:1: no column sentence_ID and token_ID_within_document;"),
        (ENTITIES, TOKENS + "0\t1\t4\tso\tRB\n", "x.tokens:7: a second word 4; expected each"),
    ],
)
def test_rows_that_cannot_be_right_are_refused_of_booknlp(entities, tokens, said):
    message = refused_together({"x.entities": entities, "x.tokens": tokens})
    assert message.startswith(f"all.zip/{said}")


def test_the_words_alone_are_refused_by_their_name():
    message = message_of(read_bytes, TOKENS.encode(), "emma.tokens")
    assert message.startswith("emma.tokens:1: the words of BookNLP (.tokens), without mentions;")
    message = message_of(read_bytes, ENTITIES.encode(), "emma.entities")
    assert "expected 'emma.tokens'," in message


# WebAnno TSV 3: layers of spans with relations, chains, stacked and numbered values ---------------

TOP_OF_WEBANNO = "#FORMAT=WebAnno TSV 3.3\n"
RELATIONS = (
    TOP_OF_WEBANNO
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
    TOP_OF_WEBANNO
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


def one_of_webanno(text=RELATIONS):
    (document,) = webanno(text)
    return document


def test_relations_link_the_spans_of_a_layer():
    document = one_of_webanno()
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
    assert ["Mia"] in texts(one_of_webanno(text))
    assert re.match(r"mia\.tsv: 2 relations not .*: ", webanno(text).warnings[0])


def test_a_relation_without_a_partner_is_none():
    assert ["Mia"] in texts(one_of_webanno(RELATIONS.replace("1-1[0_2]", "_")))


def test_chains_have_their_elements():
    document = one_of_webanno(CHAINS)
    assert texts(document) == [["Mia", "her"], ["her sister"]]
    assert document.attributes.entity_type == ("name", "", "pron")


def test_chains_of_several_layers_are_entities_of_their_own():
    layer = "#T_CH=custom.CoreferenceInanimateLink|referenceRelation|referenceType\n"
    text = re.sub(r"(?m)^(1-.*)$", r"\1\t_\t_", CHAINS).replace("\n\n", f"\n{layer}\n", 1)
    text = text.replace("gave\t_\t_\t_\t_", "gave\t_\t_\t*->1-1\tverb[1]")
    assert texts(one_of_webanno(text)) == [["Mia", "her"], ["gave"], ["her sister"]]


def test_a_tab_at_the_end_of_rows_is_optional():
    assert one_of_webanno(re.sub(r"(?m)(?<=\w|\])$", "\t", RELATIONS)) == one_of_webanno()


def test_spans_without_the_first_feature_are_mentions_only_by_a_relation():
    text = RELATIONS.replace("person\tnew\t_", "_\tnew\t_").replace("object[4]", "_")
    assert texts(one_of_webanno(text)) == [["Mia", "her"], ["The bell", "new"], ["her sister"]]
    assert webanno(text).warnings[-1] == (
        "mia.tsv: 1 span of custom.Referent without 'entity' and without a relation not taken as "
        "mentions"
    )


def test_a_span_on_a_part_of_a_word_takes_the_word():
    row = "1-1\t0-3\tMia\tperson\tnew\t_\t_\n"
    part = "1-1\t0-3\tMia\t_\t_\t_\t_\t\n1-1.1\t0-2\tMi\tperson\tnew\t_\t_\t\n"
    text = RELATIONS.replace(row, part).replace("1-1[0_2]", "1-1.1[0_2]")
    assert texts(one_of_webanno(text)) == texts(one_of_webanno())
    assert webanno(text).warnings[-1] == (
        "mia.tsv: 1 row of parts of words: their spans took the whole words"
    )


def test_bars_and_brackets_of_a_value_are_marked():
    document = one_of_webanno(RELATIONS.replace("person\tnew", r"per\|son\[1\]" + "\tnew"))
    assert document.attributes.entity_type[0] == "per|son[1]"


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("1-2\t4-8", "x\t4-8", "8: 'x\t4-8\tgave\t_\t_\t_\t_'; expected sentence-word"),
        ("gave\t_", "gave", "8: 6 columns; expected sentence-word, characters, word and 4"),
        ("1-2\t4-8", "1-1\t4-8", "8: the row 1-1; expected each word once"),
        ("1-1[0_2]", "1-2[0_2]", "9: the relation '1-2[0_2]'; expected one between two"),
        ("1-1[0_2]", "1-1[7_2]", "9: the relation '1-1[7_2]'; expected one between two"),
        ("1-1[0_2]", "so", "9: the relation 'so'; expected one between two spans"),
        ("custom.Coref", "Dependency", "1: the layers Dependency; expected layers #T_"),
        ("#T_RL=custom.Coref|type|BT_custom.Referent\n", "#T_SP=a|b|c\n", "1: no layer of"),
        ("BT_custom.Referent", "BT_custom.Other", "1: the relation layer custom.Coref on"),
        ("BT_custom.Referent", "other", "3: the relation layer custom.Coref without a col"),
        ("*->1-1", "so", "6: 'so' in a chain; expected a cell such as *->2-1"),
    ],
)
def test_files_that_cannot_be_right_are_refused(old, new, said):
    text = RELATIONS if old in RELATIONS else CHAINS
    assert message_of(webanno, text.replace(old, new, 1)).startswith(f"mia.tsv:{said}")
