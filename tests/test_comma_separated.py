"""CSV whose rows stay rows, and whose cells no spreadsheet computes."""

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore.rendering.tables import KINDS
from corescore.rendering.text import render_frame
from corescore.util import csv_of, inert, without_apostrophe

CELLS = st.text(st.sampled_from("=+-@'\"\r\n\t,;a1. "), max_size=6) | st.sampled_from(
    ["-1", "-1.5", "-.5", "-1e-7", "-1a", "-1,=2", '-"', "1", "a"]
)
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=4)
FORMULA = "=HYPERLINK(A1)"


def read(text):
    return [*csv.reader(io.StringIO(text, newline=""))]


@given(ROWS)
def test_what_is_written_is_read_again(rows):
    assert read(csv_of(rows)) == rows


@given(ROWS)
def test_no_cell_begins_a_formula_and_each_can_be_had_back(rows):
    safe = read(inert(csv_of(rows)))
    assert not [c for row in safe for c in row if c[:1] in {*"=+-@\t\r"} and not _is_number(c)]
    assert [[without_apostrophe(cell) for cell in row] for row in safe] == rows


def _is_number(cell):
    try:
        return float(cell) == float(cell)
    except ValueError:
        return False


@pytest.mark.parametrize("word", ["a\rb", "\r", "a\r\nb", "a\nb"])
def test_a_line_end_in_a_word_breaks_no_row(word):
    frame = pd.DataFrame({"word": [word, "x"], "n": [-1.5, float("nan")]})
    rows = read(render_frame(frame, "made", format="csv"))
    assert rows == [["word", "n", "signature"], [word, "-1.5", "made"], ["x", "", "made"]]
    for shown in ("table", "markdown"):
        plain = pd.DataFrame({"word": ["a b", "x"], "n": frame["n"]})
        lines = render_frame(frame, "made", format=shown).splitlines()
        assert len(lines) == len(render_frame(plain, "made", format=shown).splitlines())


def test_downloads_of_the_app_are_inert_and_numbers_stay_numbers():
    frame = pd.DataFrame({"text": [FORMULA, "x"], "difference": [-1.5, 2.0]})
    (write,) = [kind.write for kind in KINDS if kind.ending == "csv"]
    assert read(write(frame, "made"))[1:] == [
        [f"'{FORMULA}", "-1.5", "made"],
        ["x", "2.0", "made"],
    ]
