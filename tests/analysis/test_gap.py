"""GAP's own measure."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import InputError
from corescore.__main__ import main
from corescore.analysis.gap import gap_counts, gap_table
from corescore.corpus.files import read_bytes
from tests.support.gap import GAP_FILES, GAP_HEADER, gap_row


def key_of(rows):
    """A key of (pronoun, whether it means A, whether it means B) rows."""
    lines = [gap_row(f"d{at}", *row) for at, row in enumerate(rows)]
    return read_bytes("\n".join([GAP_HEADER, *lines]).encode(), "gap.tsv")


def answers_of(rows):
    """A system's answers: (A, B) of each document."""
    lines = [f"d{at}\t{a}\t{b}" for at, (a, b) in enumerate(rows)]
    return read_bytes("\n".join(lines).encode(), "answers.tsv")


def counts(key, response):
    return {
        group: (
            *(one.true_positives, one.false_positives),
            *(one.false_negatives, one.true_negatives),
        )
        for group, one in gap_counts(key, response).items()
    }


KEY = key_of([("She", True, False), ("his", False, True), ("her", False, False)])


def test_pairs_are_counted_over_all_and_by_gender():
    response = answers_of([(True, True), (True, False), (False, False)])
    assert counts(KEY, response) == {
        "all": (1, 2, 1, 2),
        "masculine": (0, 1, 1, 0),
        "feminine": (1, 1, 0, 2),
    }


def test_a_missing_document_is_a_false_negative_for_each_name():
    response = answers_of([(True, False), (False, True)])
    assert counts(KEY, response)["feminine"] == (1, 0, 2, 1)


def test_the_table_ends_in_the_ratio_of_the_genders():
    # feminine: recall 1/1, precision 1/2, F1 2/3; masculine: 1
    table = gap_table(KEY, answers_of([(True, True), (False, True), (False, False)]))
    assert table["group"].tolist() == ["all", "masculine", "feminine", "feminine / masculine"]
    assert table["f1"].tolist() == pytest.approx([4 / 5, 1, 2 / 3, 2 / 3])
    assert table["precision"].tolist()[:3] == pytest.approx([2 / 3, 1, 1 / 2])
    assert math.isnan(table["recall"].tolist()[3])


def test_a_gender_without_a_correct_pair_has_no_ratio():
    table = gap_table(KEY, answers_of([(False, False)] * 3))
    assert table["f1"].tolist()[:3] == [0, 0, 0]
    assert math.isnan(table["f1"].tolist()[3])


def test_any_response_over_the_texts_is_an_answer():
    text = (
        '{"doc_key": "d0", "tokens": ["Ann", "saw", "Bo", ".", "She"], '
        '"clusters": [[[0, 0], [4, 4], [1, 1]], [[2, 2]]]}'
    )
    assert counts(KEY, read_bytes(text.encode(), "a.jsonl"))["all"] == (1, 0, 4, 1)


LABELS = st.lists(
    st.tuples(st.sampled_from(["she", "He"]), *[st.booleans()] * 4), min_size=1, max_size=6
)


@given(LABELS)
def test_the_counts_are_those_of_the_labels(rows):
    key = key_of([(pronoun, a, b) for pronoun, a, b, _, _ in rows])
    response = answers_of([(a, b) for _, _, _, a, b in rows])
    pairs = [(row[1 + at], row[3 + at]) for row in rows for at in (0, 1)]
    expected = [pairs.count(pair) for pair in ((1, 1), (0, 1), (1, 0), (0, 0))]
    assert counts(key, response)["all"] == tuple(expected)


def test_a_key_without_the_three_spans_is_refused():
    key = read_bytes(b"#begin document (d0)\nd0 0 0 She (1)\n#end document\n", "key.conll")
    with pytest.raises(InputError, match=r"key\.conll: document 'd0' without a pronoun and two"):
        gap_counts(key, key)


def test_the_command_prints_the_table(tmp_path, capsys):
    key, answers = tmp_path / "gap-test.tsv", tmp_path / "answers.tsv"
    for name, text in GAP_FILES.items():
        (tmp_path / name).write_text(text)
    assert main(["gap", str(key), str(answers), "--format", "csv"]) == 0
    header, overall, *_ = capsys.readouterr().out.split("\n")
    assert header.startswith("group,recall,precision,f1,true_positives,false_positives")
    assert overall.startswith(f"all,1.0,{2 / 3},0.8,2,1,0,1,corescore")
    assert main(["gap", str(answers), str(answers)]) == 2
    assert "a key in the format GAP" in capsys.readouterr().err
