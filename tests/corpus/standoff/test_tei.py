"""TEI: elements that refer to an entity, over words that are found in the text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import format_of_bytes, read_bytes
from tests.support.messages import message_of, refusal_of
from tests.support.together import texts

TEXT = """\
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><title><rs ref="#x">No text</rs></title></teiHeader>
<text><body><head>Birth<hi>day</hi></head>
<p><persName ref="#mia" type="person">Mia</persName> gave <rs ref="#ann"><rs ref="#mia">her</rs>
sister</rs> a <rs>bike</rs>.</p><p><rs ref="#mia  #ann">They</rs> ran.</p></body></text>
</TEI>
"""


def tei(text):
    return read_bytes(text.encode(), "mia.xml")


def test_mentions_are_elements_that_refer():
    (document,) = tei(TEXT)
    assert document.name == "mia"
    assert " ".join(document.words) == "Birthday Mia gave her sister a bike . They ran ."
    assert document.sentence_starts == (0, 1, 8)
    assert texts(document) == [["Mia", "her"], ["They"], ["her sister"]]
    assert document.attributes.entity_type == ("person", "", "", "")
    (warning,) = tei(TEXT).warnings
    assert re.fullmatch(r"mia\.xml: 1 name without 'ref' or 'key' not taken .*", warning)


def test_a_text_without_a_header_is_enough():
    (document,) = tei('<text><rs ref="#d">The dog</rs> barks. <rs key="#d">It</rs> ate.</text>')
    assert texts(document) == [["It", "The dog"]]


def test_other_markup_in_an_element_text_is_left_to_other_formats():
    assert format_of_bytes(b'<text><m id="1">Mia</m> ran.</text>', "x").id != "tei"
    assert format_of_bytes(b'<text><rs ref="#d">It</rs> ran.</text>', "x").id == "tei"


def test_mentions_that_cut_words_are_counted():
    (warning,) = tei('<text>The <rs ref="#d">dog</rs>house</text>').warnings
    assert warning.endswith("'dog' became 'doghouse'")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<text>\n<rs >So</rs></text>", "mia.xml:1: a TEI text in which nothing refers to an"),
        ("<TEI>\n<text/><text/></TEI>", "mia.xml:1: 2 elements <text>; expected one. Split"),
        ("<teiCorpus/>", "mia.xml:1: 0 elements <text>; expected one."),
        ('<text>\n<rs ref="#a"> </rs></text>', "mia.xml:2: an empty <rs>; expected words in it"),
    ],
)
def test_files_without_a_text_of_mentions_are_refused(text, said):
    assert message_of(tei, text).startswith(said)


@settings(max_examples=200)
@given(st.integers(0, len(TEXT)), st.text('<>/rs ref="# p\n', max_size=4))
def test_any_file_with_a_piece_exchanged_is_read_or_refused(at, piece):
    text = TEXT[:at] + piece + TEXT[at + len(piece) :]
    lines = refusal_of(read_bytes, text.encode(), "mia.xml", format="tei")
    assert all(line.startswith("mia.xml") for line in lines)
