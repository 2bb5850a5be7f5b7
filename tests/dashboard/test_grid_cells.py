"""What tables show of their numbers, and what they keep."""

import pandas as pd
import pytest
import streamlit as st

from dashboard.widgets.tables import with_cells_written


def shown(values, form=None, missing=None):
    """What stands in the cells of a column of that format."""
    rows = pd.DataFrame({"n": values})
    columns = {"n": st.column_config.NumberColumn("number", width=70, format=form)}
    styler, left = with_cells_written(rows, rows.style, columns, missing)
    assert left["n"]["type_config"].get("format") is None  # it would count instead
    assert (left["n"]["label"], left["n"]["width"]) == ("number", 70)
    pd.testing.assert_frame_equal(styler.data, rows)
    lines = styler.hide(axis="index").to_string(delimiter="|").splitlines()
    return lines[1:]


@pytest.mark.parametrize(
    ("form", "values", "cells"),
    [
        (None, [1234567, -12, 0], ["1,234,567", "−12", "0"]),
        (None, [1234.5, -0.0471, 100.0, -0.00001], ["1,234.5", "−0.0471", "100", "0"]),
        ("%d", [1000, -3], ["1,000", "−3"]),
        ("%+d", [1234, -1234, 0], ["+1,234", "−1,234", "+0"]),
        ("%.2f", [-40.004, 1234.5, -0.001], ["−40.00", "1,234.50", "0.00"]),
        ("%+.2f", [1.234, -10.756, -0.001], ["+1.23", "−10.76", "0.00"]),
        ("%.3f", [-0.0004, 1.5], ["0.000", "1.500"]),
    ],
)
def test_numbers_have_a_minus_sign_and_separators(form, values, cells):
    assert shown(values, form) == cells


@pytest.mark.parametrize(("missing", "cell"), [(None, "None"), ("–", "–"), ("", "")])
def test_a_missing_number_is_what_the_table_says(missing, cell):
    assert shown([1.0, float("nan")], "%.2f", missing) == ["1.00", cell]


def test_other_columns_and_names_alone_stay_as_they_are():
    rows = pd.DataFrame({"name": ["a-b", None], "is": [True, False], "n": [-1, 2]})
    columns = {"name": st.column_config.TextColumn("Name"), "n": "number", "is": None}
    styler, left = with_cells_written(rows, rows.style, columns, "–")
    assert left == columns
    lines = styler.hide(axis="index").to_string(delimiter="|").splitlines()
    assert lines[1:] == ["a-b|True|−1", "–|False|2"]


def test_long_names_of_documents_are_shown_with_what_tells_them_apart():
    names = [f"harbour_corpus_2021_{end}" for end in ("lighthouse", "ferry")]
    rows = pd.DataFrame({"document": names, "word": ["x" * 40] * 2})
    styler, _ = with_cells_written(rows, rows.style, {}, None)
    lines = styler.hide(axis="index").to_string(delimiter="|").splitlines()
    assert lines[1:] == [f"…lighthouse|{'x' * 40}", f"…ferry|{'x' * 40}"]
    pd.testing.assert_frame_equal(styler.data, rows)


def test_a_format_that_is_not_known_is_refused():
    rows = pd.DataFrame({"n": [1]})
    columns = {"n": st.column_config.NumberColumn(format="%.5f")}
    with pytest.raises(KeyError, match=r"%\.5f"):
        with_cells_written(rows, rows.style, columns, None)
