"""Charts of documents by their scores."""

import numpy as np
import pandas as pd
import pytest

from corescore.plots.documents import are_alike, distribution


@pytest.mark.parametrize(
    ("sizes", "alike"),
    [([500] * 9, True), ([500, 600, 700], True), ([300, 600, 1200], False), ([0, 0], True)],
)
def test_sizes_are_alike_where_nine_tenths_hardly_differ(sizes, alike):
    assert are_alike(np.array(sizes)) is alike


def summary(**scores):
    return pd.DataFrame({"lea": scores}, dtype=float)


def test_each_document_is_a_dot_at_its_score_and_dots_at_one_score_are_stacked():
    (dots,) = distribution({"A": summary(d=0.5, e=0.5, f=0.75, g=np.nan)}, metric="lea").data
    assert list(dots.customdata) == ["d", "e", "f"]
    assert list(dots.x) == pytest.approx([50, 50, 75])
    assert list(dots.y) == [1, 2, 1]


def test_the_second_system_stands_below():
    up, down = distribution({"A": summary(d=0.5), "B": summary(d=0.25)}, metric="lea").data
    assert (list(up.y), list(down.y)) == ([1], [-1])


def test_a_document_s_name_is_no_markup():
    (dots,) = distribution({"A": summary(**{"<b>d": 0.5})}, metric="lea").data
    assert dots.hovertext[0].startswith("&lt;b&gt;d<br>")


def test_no_document_is_no_dot():
    (dots,) = distribution({"A": summary(d=np.nan)}, metric="lea").data
    assert len(dots.x) == 0
