"""ECB+: texts by themselves, and the texts of a topic as one document."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Mention, read
from corescore.corpus.files import read_bytes
from tests.support.messages import message_of, refusal_of
from tests.support.together import put, read_together, texts, zipped


def xml(words, markables, relations):
    tokens = "".join(
        f'<token t_id="{n}" sentence="{n // 4}" number="{n % 4}">{word}</token>\n'
        for n, word in enumerate(words.split(), start=1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="x.xml" doc_id="D">\n{tokens}'
        f"<Markables>\n{markables}</Markables>\n<Relations>\n{relations}</Relations>\n</Document>\n"
    )


def markable(tag, number, *anchors):
    inside = "".join(f'<token_anchor t_id="{anchor}"/>' for anchor in anchors)
    return f'<{tag} m_id="{number}" >{inside}</{tag}>\n'


def instance(tag, number, name):
    return f'<{tag} m_id="{number}" RELATED_TO="" TAG_DESCRIPTOR="x" instance_id="{name}" />\n'


def relation(tag, *ends, note=""):
    *sources, target = ends
    inside = "".join(f'<source m_id="{source}" />' for source in sources)
    note = f' note="{note}"' if note else ""
    return f'<{tag} r_id="1"{note} >{inside}<target m_id="{target}" /></{tag}>\n'


PERSON, EVENT = "HUMAN_PART_PER", "ACTION_OCCURRENCE"
FIRST = xml(
    "Mia checked in . She took herself there",
    markable(PERSON, 1, 1)
    + markable(EVENT, 2, 2, 3)
    + markable(PERSON, 3, 5)
    + markable(PERSON, 4, 7)
    + markable(EVENT, 5, 6, 8)
    + instance(PERSON, 9, "HUM1")
    + '<HUMAN_PART_PER m_id="10" TAG_DESCRIPTOR="x" />\n',
    relation("CROSS_DOC_COREF", 1, 9, note="HUM1") + relation("INTRA_DOC_COREF", 3, 4, 10),
)
SECOND = xml(
    "Mia ran .",
    markable(PERSON, 1, 1) + markable(EVENT, 2, 2) + instance(PERSON, 8, "HUM1"),
    relation("CROSS_DOC_COREF", 1, 8, note="HUM1"),
)
FILES = {"1/1_10ecb.xml": FIRST, "1/1_2ecb.xml": SECOND, "1/1_1ecbplus.xml": SECOND}
OTHER = {"2/2_1ecb.xml": SECOND, "ECBplus_coreference_sentences.csv": "Topic,File,Sentence Number"}


def test_a_text_is_a_document():
    (document,) = read_bytes(FIRST.encode(), "1_10ecb.xml")
    assert document.name == "1_10ecb"
    assert document.words == ("Mia", "checked", "in", ".", "She", "took", "herself", "there")
    assert document.sentence_starts == (0, 3, 7)
    assert texts(document) == [["Mia"], ["She", "herself"], ["checked in"], ["took … there"]]
    assert document.mentions[3] == Mention(5, 8, ((5, 6), (7, 8)))
    assert document.attributes.entity_type == (PERSON, EVENT, PERSON, EVENT, PERSON)


def test_the_folders_of_topics_are_read_text_by_text(tmp_path):
    put(tmp_path, {**FILES, **OTHER})
    corpus = read(tmp_path)
    assert corpus == read_together({**FILES, **OTHER})
    assert [d.name for d in corpus] == ["1_10ecb", "1_1ecbplus", "1_2ecb", "2_1ecb"]
    (warning,) = corpus.warnings
    assert warning.startswith(f"{tmp_path}: 1 file of it not ")
    assert warning.endswith(f": {[*OTHER][1]}")


def test_a_topic_is_one_document_with_instances_as_entities():
    corpus = read_together({**FILES, **OTHER}, format="ecbplus-topics")
    assert [document.name for document in corpus] == ["1", "2"]
    first = corpus["1"]
    assert first.words[:4] + first.words[-3:] == ("Mia", "ran", ".", "Mia", "Mia", "ran", ".")
    alone = [["checked in"], ["ran"], ["ran"], ["took … there"]]
    assert texts(first) == [["Mia", "Mia", "Mia"], ["She", "herself"], *alone]
    assert first.sentence_starts == (0, 3, 6, 10, 11)


def test_a_topic_is_known_by_the_name_of_its_files():
    message = message_of(read_bytes, FIRST.encode(), "mia.xml", format="ecbplus-topics")
    assert message.startswith("mia.xml: a name without a topic; expected a topic, an underscore")
    assert len(read_bytes(FIRST.encode(), "1_10ecb.xml", format="ecbplus-topics")["1"].words) == 8


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'anchor t_id="8"',
            'anchor t_id="9"',
            "x.xml:16: an anchor on token '9'; expected a",
        ),
        ('source m_id="3"', 'source m_id="7"', "x.xml:22: a link to markable '7'; expected one of"),
        ('_PER m_id="3"', '_PER m_id="1"', "x.xml:2: a second markable of one m_id; expected each"),
        ('t_id="2" s', 't_id="1" s', "x.xml:3: the token 'Mia' with t_id '1'; expected some text"),
        (">took<", "><", "x.xml:8: the token '' with t_id '6'; expected some text, and a number"),
    ],
)
def test_files_that_cannot_be_right_are_refused(old, new, said):
    assert old in FIRST
    assert said in message_of(read_bytes, FIRST.replace(old, new, 1).encode(), "x.xml")


@settings(max_examples=200)
@given(
    st.integers(0, len(FIRST)),
    st.text('<>/="m_id 12token', max_size=4),
    st.sampled_from(["ecbplus", "ecbplus-topics"]),
)
def test_any_file_with_a_piece_exchanged_is_read_or_refused(at, piece, format):
    text = FIRST[:at] + piece + FIRST[at + len(piece) :]
    data = zipped({**FILES, "1/1_10ecb.xml": text})
    lines = refusal_of(read_bytes, data, "all.zip", format=format)
    assert all(line.startswith("all.zip") for line in lines)
