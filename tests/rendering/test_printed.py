"""Printed figures beside the computed ones, as text and as HTML."""

import re
from dataclasses import replace

import pandas as pd
import pytest

from corescore.rendering.papers import (
    MOST_COLUMNS,
    as_table,
    html_table,
    sentence,
    text_table,
    with_digits_of,
)
from corescore.replication.experiment import in_paper
from corescore.replication.luo2014.systems import SYSTEM_SCORES
from corescore.replication.printed import Printed

CELLS = """# Doe & Roe 2020, Table 2.
response,metric,f1 %,mentions
cr1,muc,92.30,"1,464"
cr1,ceafe,44.4,
cr2,muc,—,12
cr2,ceafe,50,—
"""
COMPUTED = pd.DataFrame(
    {
        "response": ["cr1", "cr1", "cr2", "cr2"],
        "metric": ["muc", "ceafe", "muc", "ceafe"],
        "f1": [0.92307, 0.4644, 0.25, float("nan")],
        "mentions": [1463, 7, 12, 3],
    }
)
ON = ("response", "metric")


@pytest.fixture
def printed(tmp_path):
    path = tmp_path / "table2.csv"
    path.write_text(CELLS, encoding="utf-8")
    return Printed("Table 2", path)


@pytest.mark.parametrize(
    ("cell", "value", "shown"),
    [
        ("92.30", 92.30769, "92.31"),
        ("57.9", 57.84, "57.8"),
        ("1,464", 1463.0, "1,463"),
        ("12", 12.0, "12"),
        ("-0.1", -0.25, "−0.2"),
        ("5/12", 5 / 12, "5/12"),
        ("5/12", 0.41, "41/100"),
        ("5/12", 0.123456789, "0.1235"),
        ("—", 0.25, "0.25"),
        ("", 7.0, "7"),
        ("92.30", float("nan"), ""),
    ],
)
def test_a_computed_number_has_as_many_digits_as_the_printed_one(cell, value, shown):
    assert with_digits_of(cell, value) == shown


def test_a_line_of_text_has_each_figure_printed_and_computed(printed):
    table = text_table(printed.beside(COMPUTED), printed)
    assert table.header == [
        *ON,
        *("F1 % printed", "F1 % computed"),
        *("mentions printed", "mentions computed"),
    ]
    assert table.rows == [
        ["cr1", "muc", "92.30", "92.31", "1,464", "≠ 1,463"],
        ["cr1", "ceafe", "44.4", "≠ 46.4", "–", "7"],
        ["cr2", "muc", "—", "25.00", "12", "12"],
        ["cr2", "ceafe", "50", "–", "—", "3"],
    ]
    assert table.notes[0] == (
        "2 of 4 recomputed figures match what is printed to within its last digit; 2 differ (≠)."
    )


def test_what_is_nowhere_computed_has_no_column_for_it(printed):
    table = text_table(printed.beside(COMPUTED.drop(columns="f1")), printed)
    assert table.header[2:] == ["F1 % printed", "mentions printed", "mentions computed"]


def test_in_html_a_response_has_a_row_and_a_metric_its_columns(printed):
    table = as_table(printed.beside(COMPUTED), ON)
    assert table.groups == [
        ("MUC", ["F1 %", "mentions"]),
        ("CEAF<sub>e</sub>", ["F1 %", "mentions"]),
    ]
    assert [row.header for row in table.rows] == ["cr1", "cr2"]
    assert [pair.printed for pair in table.rows[0].pairs] == ["92.30", "1,464", "44.4", ""]
    assert [pair.computed for pair in table.rows[1].pairs] == ["25.00", "12", "", "3"]
    text = html_table(table, "Table <2>")
    assert '<td class="differs" title="1 less than printed"><b>≠</b> 1,463</td>' in text
    assert "Table &lt;2&gt;" in text
    assert text.count(">printed<") == text.count(">computed<") == 2


def test_one_figure_of_each_metric_needs_no_second_head(printed, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("response,metric,f1 %\ncr1,muc,92.30\ncr1,lea,60\n", encoding="utf-8")
    beside = Printed("Table 3", path).beside(COMPUTED)
    table = as_table(beside, ON)
    assert table.groups == [("MUC", []), ("LEA", [])]
    assert html_table(table, "").count("<tr>") == 3  # a head, printed, computed
    assert re.fullmatch(
        r"The recomputed figure matches .* last digit\. In percent\.", sentence(beside, printed)
    )


def test_figures_that_are_not_computed_have_one_line(printed):
    beside = printed.beside(COMPUTED[["response", "metric"]])
    text = html_table(as_table(beside, ON), "")
    assert "computed" not in text
    assert sentence(beside, printed) == "As the paper has it; nothing of it is recomputed."


def test_on_data_it_is_said_what_the_numbers_are_of(printed):
    beside = printed.beside(COMPUTED).assign(differs=False)
    words = sentence(beside, printed, ran_on="b.conll against key.conll")
    assert words == "Printed for the paper's systems; computed on b.conll against key.conll."
    assert "≠" not in html_table(as_table(beside, ON), "")
    other = replace(printed, same_data=False)
    assert sentence(beside, other) == "Printed for the paper's systems; computed on other data."


def test_a_table_too_wide_has_a_row_for_each_metric(tmp_path):
    path = tmp_path / "wide.csv"
    metrics = [f"m{n}" for n in range(MOST_COLUMNS + 1)]
    lines = "".join(f"cr1,{metric},50\n" for metric in metrics)
    path.write_text(f"response,metric,f1 %\n{lines}", encoding="utf-8")
    table = as_table(Printed("Table 4", path).beside(COMPUTED), ON)
    assert [row.header for row in table.rows] == [f"cr1, {metric}" for metric in metrics]
    assert table.groups == [("", ["F1"])]
    assert re.search(r"<th scope=\"col\">F1</th>", html_table(table, ""))


def test_names_of_rows_are_written_as_words():
    printed = SYSTEM_SCORES.printed[0]
    beside = in_paper(SYSTEM_SCORES).beside(printed)
    rows = as_table(beside, printed.on).rows
    assert [row.header for row in rows] == ["BLANC, recall", "BLANC, precision", "BLANC, F1"]
