"""Columns are registered once: a heading on a page, in a report, in a notebook and in the shell is
the same, and each column of a public table has one."""

import re
from dataclasses import replace
from functools import cache

import pandas as pd

import corescore
from corescore.analysis.errors.tables import LEVELS, impact_report
from corescore.analysis.systems.runs import PairOverRuns
from corescore.metrics import SCORE_IDS, name_of
from corescore.rendering import html
from corescore.rendering.columns import PERCENT, PLAIN, POINTS, column, columns_of
from corescore.rendering.compared import difference_table
from corescore.rendering.text import Table
from corescore.util import bundled
from tests.api.test_surface import TABLES
from tests.support.shell import printed

FOLDER = bundled("sample_data")
FILES = [str(FOLDER / f"{name}.conll") for name in ("key", "cautious", "greedy")]
SIGNIFICANCE = ["metric", "a", "b", "difference", "p", "p_max", "p_holm"]


@cache
def pair():
    key, a, b = map(corescore.read, FILES)
    return corescore.compare(corescore.score(key, a), corescore.score(key, b), trials=100)


def frames():
    yield from (table for _, tables in TABLES.values() for table in tables)
    result = pair().a
    yield from (of(result) for of in LEVELS.values())
    yield impact_report(result)
    yield PairOverRuns([pair().a], [pair().b], trials=100).significance


def test_each_number_of_a_public_table_has_an_entry_that_writes_it():
    """Another one would be printed as a fraction with four decimals."""
    names = {str(name) for table in frames() for name in table.select_dtypes("float")}
    names -= {"one"}  # a data set that is so called
    sums = {name for name in names if name.endswith(("_numerator", "_denominator"))}
    assert len(names) > 40
    assert {name for name in names - sums if column(name).write is None} == set()


def test_an_entry_has_a_heading_and_says_its_unit():
    for one in columns_of("any table"):
        assert one.head
        assert one.unit in ("", PERCENT, POINTS, PLAIN)
        assert one.titled == (f"{one.head} %" if one.unit == PERCENT else one.head)


def test_a_column_of_a_metric_is_headed_by_its_title_and_in_percent():
    table = Table(pd.DataFrame({metric: [0.5] for metric in SCORE_IDS}))
    assert table.heads == [*map(name_of, SCORE_IDS)]
    assert table.rows() == [["50.00"] * len(SCORE_IDS)]


def heads_of(markup):
    return re.findall(r'<th scope="col"[^>]*>(.*?)</th>', str(markup))


def test_page_report_and_shell_give_a_column_the_same_heading(monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    lines = printed(f"compare {' '.join(FILES)} --trials 100").splitlines()
    heads = next(line for line in lines if "p (max T)" in line)
    significance = pair().significance.query("measure == 'f1'").set_index("metric")
    shown = html.drawn(difference_table(pair(), significance))
    of_report = dict(
        zip(
            (one.of[0] for one in difference_table(pair(), significance).shown),
            heads_of(shown),
            strict=True,
        )
    )
    of_page = difference_table(pair(), significance, every=True).shown
    of_page = {one.of[0]: one.titled for one in of_page}
    for name in SIGNIFICANCE:
        assert column(name).head in re.split(r"\s{2,}", heads.strip())
        assert of_report[name] == column(name).titled
        assert of_page[name] == of_report[name]


def test_a_table_in_every_format_has_its_rows_notes_and_signature():
    frame = pd.DataFrame({"metric": ["ceafm", "lea"], "f1": [0.5, float("nan")], "name": "a<b"})
    table = Table(frame, title="Scores", said=["Said."], notes=["Note 1."], signature="made")
    assert table.rows() == [["CEAFₘ", "50.00", "a<b"], ["LEA", "–", "a<b"]]
    shown = str(html.drawn(table))
    assert "CEAF<sub>m</sub>" in shown
    assert heads_of(shown) == ["metric", "F1", "name"]
    assert heads_of(html.table_rows(replace(table, notes=[]))) == ["metric", "F1 %", "name"]
    for text in (table.text("table"), table.text("latex"), shown):
        assert all(one in text for one in ("Said.", "Note 1.", "made", "50.00"))
    assert "a&lt;b" in table.text("markdown")
    assert table.text("table").startswith("Said.\n\n")
    assert table.text("latex").endswith("Said.\n")
    header, row, *_ = table.text("csv").splitlines()
    assert (header, row) == ("metric,f1,name,signature", "ceafm,0.5,a<b,made")


def test_words_begin_at_their_left_edge_and_numbers_end_aligned():
    frame = pd.DataFrame({"document": ["x"], "f1": [0.5], "p": [0.25]})
    assert Table(frame).left == {0}


def test_a_cell_that_repeats_the_one_above_is_blank_where_that_is_asked_for():
    frame = pd.DataFrame({"document": ["x", "x", "y"], "response": ["A", "B", "B"]})
    assert Table(frame, once=["document"]).rows() == [["x", "A"], ["", "B"], ["y", "B"]]


def test_words_in_a_column_that_has_numbers_elsewhere_stay_words():
    frame = pd.DataFrame({"lea": ["yes"], "mentions": ["of both"], "f1": ["–"]})
    assert Table(frame).rows() == [["yes", "of both", "–"]]


def test_fractions_and_long_texts():
    frame = pd.DataFrame({"f1": [0.5], "text": ["abcdef"]})
    assert Table(frame, fractions=True).rows() == [["0.5000", "abcdef"]]
    assert Table(frame, longest=4).rows() == [["50.00", "abc…"]]
