"""MMAX2: markables over the words of another file, beside it or in the folder Basedata."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Mention, read
from corescore.corpus.files import read_bytes
from tests.support.messages import message_of, refusal_of
from tests.support.together import (
    put,
    read_every_way,
    read_together,
    refused_together,
    texts,
    zipped,
)

TOP = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {0} SYSTEM "{0}.dtd">\n'
WORDS = TOP.format("words") + "<words>\n{}</words>\n".format(
    "".join(
        f'<word id="word_{n}">{word}</word>\n'
        for n, word in enumerate(
            ["Mia", "gave", "her", "sister", "a", "bike", "&amp;", "ran"], start=1
        )
    )
)
COREF = (
    TOP.format("markables")
    + """\
<markables xmlns="www.eml.org/NameSpaces/coref">
<markable id="markable_1" span="word_3" coref_class="set_1" mention="pronoun"/>
<markable id="markable_2" span="word_1" coref_class="set_1" mention="np" category="person"/>
<markable id="markable_3" span="word_3..word_4" coref_class="set_2" min_ids="word_4"/>
<markable id="markable_4" span="word_5..word_6,word_8" coref_set="set_3"/>
<markable id="markable_5" span="word_8" coref_class="empty" type="pleonastic"/>
</markables>
"""
)
FILES = {"d_coref_level.xml": COREF, "d_words.xml": WORDS}
FOLDERS = {"markables/d_coref_level.xml": COREF, "Basedata/d_words.xml": WORDS}


@pytest.mark.parametrize("files", [FILES, FOLDERS], ids=["beside", "Basedata"])
def test_markables_stand_on_the_words(tmp_path, files):
    (document,) = read_every_way(tmp_path, files, next(iter(files)))
    assert document.name == "d"
    assert document.words == ("Mia", "gave", "her", "sister", "a", "bike", "&", "ran")
    assert texts(document) == [["Mia", "her"], ["a bike … ran"], ["her sister"]]
    assert document.mentions[-1] == Mention(4, 8, ((4, 6), (7, 8)))
    assert document.attributes.minimum.tolist() == [[-1, -1], [3, 4], [-1, -1], [-1, -1]]
    assert document.attributes.entity_type == ("person", "", "", "")
    assert document.attributes.mention_type == ("np", "", "pronoun", "")


def sentences(*spans):
    rows = "".join(f'<markable id="markable_{n}" span="{s}"/>\n' for n, s in enumerate(spans))
    return f"<markables>\n{rows}</markables>"


@pytest.mark.parametrize("files", [FILES, FOLDERS], ids=["beside", "Basedata"])
def test_sentences_are_those_of_their_level(tmp_path, files):
    first = next(iter(files))
    level = sentences("word_1..word_5", "word_6..word_8")
    files = {**files, first.replace("coref", "sentence"): level}
    corpora = read_every_way(tmp_path, files, first)
    assert [document.sentence_starts for document in corpora] == [(0, 5)]
    assert read_together(FILES)["d"].sentence_starts == (0,)


def test_a_sentence_of_other_words_is_refused():
    message = refused_together({**FILES, "d_sentence_level.xml": sentences("word_1", "word_99")})
    assert message.startswith("all.zip/d_sentence_level.xml:3: the span 'word_99' of markable_1;")


def test_markables_without_a_set_are_counted():
    (warning,) = read_together(FILES).warnings
    assert re.fullmatch(r"all\.zip/d_coref_level\.xml: 1 markable in no set not taken .*", warning)


def test_two_folders_of_one_layout_are_two_documents():
    files = {f"{top}/{name}": text for top in "ab" for name, text in FOLDERS.items()}
    assert [document.name for document in read_together(files)] == ["a/d", "b/d"]


def test_each_file_alone_is_told_which_other_is_missing(tmp_path):
    put(tmp_path, FILES)
    (tmp_path / "d_words.xml").rename(tmp_path / "e_words.xml")
    message = message_of(read, tmp_path / "d_coref_level.xml")
    assert "without their words; expected 'd_words.xml'," in message
    message = message_of(read, tmp_path / "e_words.xml")
    assert "the words of MMAX2, without mentions; expected the file of the coreference" in message


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("d_coref_level.xml", '"word_3"', '"word_9"', ":4: the span 'word_9' of markable_1; exp"),
        ("d_coref_level.xml", "word_3..word_4", "word_4..word_3", ":6: the span 'word_4..word_3'"),
        ("d_coref_level.xml", '"word_3"', '""', ":4: the span '' of markable_1; expected words"),
        ("d_words.xml", "word_2", "word_1", ":5: the word 'gave' with id 'word_1'; expected some"),
        ("d_words.xml", "gave", "", ":5: the word '' with id 'word_2'; expected some text, and"),
        ("d_words.xml", "</words>", "", ":13: XML that is"),
    ],
)
def test_files_that_cannot_be_right_are_refused(name, old, new, said):
    message = refused_together({**FILES, name: FILES[name].replace(old, new, 1)})
    assert message.startswith(f"all.zip/{name}{said}")


@settings(max_examples=200)
@given(st.sampled_from(sorted(FILES)), st.integers(0, 700), st.text('<>"/=.,word_1 ', max_size=3))
def test_any_file_with_a_piece_exchanged_is_read_or_refused(name, at, piece):
    text = FILES[name][:at] + piece + FILES[name][at + len(piece) :]
    data = zipped({**FILES, name: text})
    lines = refusal_of(read_bytes, data, "all.zip", format="mmax2")
    assert all(line.startswith("all.zip") for line in lines)


def test_a_byte_order_mark_does_not_matter():
    marked = {name: f"\ufeff{text}" for name, text in FILES.items()}
    assert read_together(marked) == read_together(FILES)
