"""LitBank's tab files: rows by sentence and word, on a text of a sentence a line."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import read_bytes
from tests.support.messages import refusal_of
from tests.support.together import read_every_way, read_together, refused_together, texts, zipped

TEXT = "Mia gave her sister a bike .\n\nThe bike-riders rode it .\n"
ANN = """\
MENTION	T1	0	0	0	0	Mia	PER	PROP
MENTION	T2	0	2	0	2	her	PER	PRON
COREF	T1	Mia-1
COREF	T4	bike-2
MENTION	T3	0	2	0	3	her sister	PER	NOM
MENTION	T4	2	3	2	3	it	VEH	PRON
COREF	T2	Mia-1
COP	T3	T1
"""


def test_mentions_stand_on_the_words_of_the_text(tmp_path):
    (document,) = read_every_way(tmp_path, {"d.ann": ANN, "d.txt": TEXT}, "d.ann")
    assert texts(document) == [["Mia", "her"], ["her sister"], ["it"]]
    assert document.words[7:9] == ("The", "bike-riders")
    assert document.sentence_starts == (0, 7)
    assert document.attributes.entity_type == ("PER", "PER", "PER", "VEH")
    assert document.attributes.mention_type == ("PROP", "NOM", "PRON", "PRON")


def test_copulas_are_counted():
    (warning,) = read_together({"d.ann": ANN, "d.txt": TEXT}).warnings
    assert re.fullmatch(r"all\.zip/d\.ann: 1 link of copula and apposition not read .*", warning)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "MENTION	T9	0	1	0	1	her	PER	PRON",
            "'her' at 0.1 to 0.1 (there stands 'gave'); expected sentences and words of all.zip/",
        ),
        ("MENTION	T9	0	7	0	7	x	PER	PRON", "'x' at 0.7 to 0.7; expected"),
        ("MENTION	T9	3	0	3	0	x	PER	PRON", "'x' at 3.0 to 3.0; expected"),
        (
            "MENTION	T9	0	1	0	0	Mia	PER	PRON",
            "'Mia' at 0.1 to 0.0; expected",
        ),
        (
            "MENTION	T9	0	x	0	0	Mia	PER	PRON",
            "'Mia' at 0.x to 0.0; expected",
        ),
        (
            "MENTION	T1	0	0	0	0	Mia	PER	PRON",
            "a second mention T1; expected each id once",
        ),
        (
            "MENTION	T9	0	0	Mia	PER	PRON",
            "'MENTION\tT9\t0\t0\tMia\tPER",
        ),
        ("COREF	T1	Mia-2", "a second entity of T1; expected one entity a mention"),
        ("COREF	T9	Mia-2", "a COREF row for T9; expected a MENTION row for it"),
    ],
)
def test_rows_that_cannot_be_right_are_refused(row, said):
    message = refused_together({"d.ann": f"{ANN}{row}\n", "d.txt": TEXT})
    assert message.startswith(f"all.zip/d.ann:9: {said}")


CELLS = st.lists(
    st.sampled_from(["MENTION", "COREF", "COP", "T1", "0", "1", "Mia", ""]), max_size=9
)


@settings(max_examples=200)
@given(st.lists(st.one_of(st.sampled_from(ANN.splitlines()), CELLS.map("\t".join)), max_size=6))
def test_any_rows_are_read_or_refused(rows):
    data = zipped({"d.ann": "\n".join(rows), "d.txt": TEXT})
    lines = refusal_of(read_bytes, data, "all.zip", format="litbank")
    assert all("all.zip" in line for line in lines)
