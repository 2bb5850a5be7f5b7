"""brat standoff: mentions by characters, links of several kinds, LitBank's own use of it."""

import gzip
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Mention, read
from corescore.corpus.files import format_of, read_bytes
from corescore.corpus.reading import each_response
from tests.support.every_format import BRAT as ANN
from tests.support.every_format import TEXT
from tests.support.messages import message_of, refusal_of
from tests.support.together import (
    put,
    read_every_way,
    read_together,
    refused_together,
    texts,
    zipped,
)

FILES = {"d.ann": ANN, "d.txt": TEXT}


def one(ann=ANN, text=TEXT):
    (document,) = read_together({"d.ann": ann, "d.txt": text})
    return document


def warnings(ann, text=TEXT):
    return read_together({"d.ann": ann, "d.txt": text}).warnings


def test_mentions_stand_on_the_words_of_the_text(tmp_path):
    (document,) = read_every_way(tmp_path, FILES, "d.ann")
    assert document.name == "d"
    assert document.words == (
        *["Mia", "gave", "her", "sister", "a", "bike", "."],
        *["The", "girls", "rode", "it", "."],
    )
    assert document.sentence_starts == (0, 7)
    assert texts(document) == [["Mia", "her"], ["a bike", "it"], ["her sister"]]
    assert document.attributes.entity_type == ("Person", "Person", "Person", "Thing", "Thing")


def test_the_format_is_found_by_folder_and_by_archive(tmp_path):
    put(tmp_path, FILES)
    assert {format_of(tmp_path).id, format_of(tmp_path / "d.ann").id} == {"brat"}


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


def test_other_relations_are_counted_and_no_coreference_is_told():
    ann = ANN.replace("Coref", "Bridging").replace("*\tEquiv T4 T5\n", "")
    assert len(one(ann).entities) == 5
    relation, nothing = warnings(ann)
    assert relation == "all.zip/d.ann: 1 relation not read as coreference: Bridging"
    assert nothing.startswith("all.zip/d.ann: no coreference relation: each mention is taken as")


def test_triggers_of_events_are_no_mentions():
    document = one(ANN + "T6\tGive 4 8\tgave\nE1\tGive:T6 Agent:T1\nA1\tPast E1\n#1\tNote T6\tso\n")
    assert "gave" not in {document.text(mention) for mention in document.mentions}


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
    ("text", "ann"),
    [
        (TEXT.replace("\n", "\r\n"), ANN),  # characters counted with LF
        (TEXT.replace("\n", "\r\n"), ANN.replace("43 45", "44 46")),  # and with CR LF
        ("\ufeff" + TEXT, ANN),
        (TEXT, ANN.replace("\n", "\r\n")),
    ],
)
def test_line_ends_and_marks_may_be_counted_or_not(text, ann):
    assert one(ann, text) == one()


def test_a_file_without_annotations_is_a_document_without_mentions():
    document = one(ann="")
    assert (document.words[0], len(document.rows)) == ("Mia", 0)


def test_an_ann_file_without_its_text_is_told_which_one(tmp_path):
    said = "d.ann: mentions without their words; expected 'd.txt', the file of its words, beside it"
    put(tmp_path, {"d.ann": ANN})
    assert message_of(read, tmp_path / "d.ann").startswith(f"{tmp_path}/{said}")
    assert message_of(read, tmp_path).startswith(f"{tmp_path}/{said}")
    assert message_of(read_bytes, ANN.encode(), "d.ann").startswith(said)
    assert message_of(read_bytes, ANN.encode(), "d.ann").endswith("one zip archive to upload them.")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("T9\tPerson 0 2\tMia", "d.ann:8: T9 'Mia' at 0 2, where the text has 'Mi'; expected char"),
        ("T9\tPerson 50 99\tMia", "d.ann:8: T9 'Mia' at 50 99, where the text has ''; expected"),
        ("T9\tPerson 3 3\t", "d.ann:8: T9 '' at 3 3, where the text has ''; expected"),
        ("T9\tPerson 3 4\t ", "d.ann:8: T9 on blanks only; expected words"),
        ("T1\tPerson 0 3\tMia", "d.ann:8: 'T1\tPerson 0 3\tMia'; expected a line of brat"),
        ("T9 Person 0 3", "d.ann:8: 'T9 Person 0 3'; expected a line of brat standoff"),
        ("T9\tPerson 0 9999999999999\tMia", "d.ann:8: 'T9\tPerson 0 9999999999999\tMia'; expected"),
        ("R9\tCoref Arg1:T1 Arg2:T7", "d.ann:8: a link to T7, which is nowhere; expected a T line"),
    ],
)
def test_lines_that_cannot_be_right_are_refused(line, said):
    assert refused_together({**FILES, "d.ann": ANN + line + "\n"}).startswith(f"all.zip/{said}")


def test_a_long_text_is_cut_in_messages():
    message = refused_together({"d.ann": "T1\tX 0 9000\tMia\n", "d.txt": "Mia " * 3000})
    assert re.match(r"all\.zip/d\.ann:1: T1 'Mia' at 0 9000, .* has 'Mia Mia", message)
    assert len(message) < 300


def test_other_files_of_the_folder_are_named_and_not_read():
    corpus = read_together({**FILES, "annotation.conf": "[entities]\nPerson\n", "notes.md": "So."})
    assert corpus.warnings == ("all.zip: 2 files of it not read: annotation.conf, notes.md",)


def test_files_of_other_formats_in_the_folder_are_read_too():
    conll = "#begin document (e)\ne 0 0 It (1)\n#end document\n"
    files = {"a.conll": conll, **FILES, "e.conll": conll}
    assert [document.name for document in read_together(files)] == ["a/e", "d", "e"]
    named = read_together(files, format="brat")
    assert [document.name for document in named] == ["d"]
    (warning,) = named.warnings
    assert re.fullmatch(r"all\.zip: 2 files .* not read: a\.conll, e\.conll", warning)


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


LINES = st.sampled_from([*ANN.splitlines(), "E1\tGive:T1", "#1\tNote T1\tso", "A1\tPast T1", ""])
NOISE = st.text("T1R*E\t 03;9:Mia-_\n", max_size=12)


@settings(max_examples=200)
@given(st.lists(st.one_of(LINES, NOISE), max_size=6), st.text("Mia her\r\n\ufeff", max_size=20))
def test_any_lines_on_any_text_are_read_or_refused(lines, text):
    data = zipped({"d.ann": "\n".join(lines), "d.txt": text})
    assert all("all.zip" in line for line in refusal_of(read_bytes, data, "all.zip", format="brat"))
