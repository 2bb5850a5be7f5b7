"""Confusion tables: each cell counts the rows that its query finds."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from corescore import score
from corescore.analysis.error_table.confusion import antecedents, confusion, term, types_by_kind
from corescore.analysis.error_table.query import QueryError, parse
from corescore.analysis.error_table.table import error_table
from tests.support.damaged import span_corpora

TABLE = pd.DataFrame(
    {
        "type": ["personal", "personal", "proper", "proper"],
        "kind": ["span error, divided entity", "", "divided entity", "divided entity"],
        "class": ["span error", "unlinked", "correct", "correct"],
        "given_type": ["proper", "", "", "proper"],
        "given_start": pd.array([1, None, None, 4], dtype="Int64"),
        "given_right": [False, False, False, True],
        "antecedent_type": ["personal", "proper", "", "proper"],
        "antecedent_start": pd.array([1, 2, None, 3], dtype="Int64"),
        "cost_conll": [0.5, 0.25, 1.0, -0.5],
        "cost_own": [np.nan, 1.0, 2.0, 3.0],
    }
)


def assert_cells_count_what_their_queries_find(table, found):
    for row in found.counts.index:
        for column in found.counts.columns:
            is_one = parse(found.query(row, column)).matches(table)
            assert is_one.sum() == found.counts.loc[row, column]
            costs = table["cost_conll"].to_numpy()[is_one]
            assert found.gains.loc[row, column] == pytest.approx(costs.sum(), nan_ok=True)


def test_a_mention_with_two_kinds_of_errors_counts_with_both():
    found = types_by_kind(TABLE)
    assert found.counts.columns.tolist() == ["span error", "divided entity", "none"]
    assert found.counts.T.to_dict("list") == {"personal": [1, 1, 1], "proper": [0, 2, 0]}
    assert found.gains.T.to_dict("list") == {"personal": [0.5, 0.5, 0.25], "proper": [0, 0.5, 0]}
    assert_cells_count_what_their_queries_find(TABLE, found)


def test_an_antecedent_that_is_right_is_no_confusion():
    found = antecedents(TABLE)
    assert found.counts.T.to_dict("list") == {"proper": [1, 0, 0], "none": [0, 1, 1]}
    assert found.counts.columns.tolist() == ["personal", "proper", "none"]
    assert_cells_count_what_their_queries_find(TABLE, found)


def test_rows_can_be_those_of_a_query():
    found = types_by_kind(TABLE, within="class:correct or class:unlinked")
    assert found.counts.to_numpy().sum() == 3
    assert_cells_count_what_their_queries_find(TABLE, found)


def test_a_gain_that_a_metric_cannot_tell_is_unknown_in_its_cell_alone():
    gains = types_by_kind(TABLE, metric="own").gains
    assert gains.loc["personal"].isna().tolist() == [True, True, False]
    assert gains.loc["proper"].tolist() == [0, 5, 0]


def test_without_rows_there_are_no_cells():
    assert types_by_kind(TABLE.iloc[:0]).counts.shape == (0, 0)


def test_a_query_that_is_wrong_is_refused():
    with pytest.raises(QueryError):
        confusion(TABLE, "type", "kind", of="type:")


@settings(max_examples=30)
@given(span_corpora())
def test_every_cell_counts_the_rows_of_its_query(corpora):
    table = error_table(score(*corpora).comparison)
    table = table.assign(cost_conll=np.arange(len(table)) / 8)
    for fields in (("class", "kind"), ("doc", "given"), ("genre", "class")):
        assert_cells_count_what_their_queries_find(table, confusion(table, *fields))


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("doc", "a b", 'doc:"a b"'),
        ("doc", 'x"y', 'doc:"x\\"y"'),
        ("doc", "none", 'doc:"none"'),
        ("doc", "a*", 'doc:"a*"'),
        ("class", "span error", "class:span-error"),
        ("entity", 3, "entity:3"),
        ("given", None, "given:none"),
    ],
)
def test_terms_are_written_so_that_they_are_parsed_to_the_same(name, value, written):
    assert term(name, value) == written
    assert str(parse(written)) == written
