"""Charts of two systems."""

import numpy as np
import pytest

from corescore.analysis.systems.documents import (
    compared_documents,
)
from corescore.plots import compare as compare_plots
from corescore.plots.compare import dumbbells, parts
from tests.support.rivals import damaged, partitions, results

CORPUS = partitions(24, seed=1)
A, B = results(CORPUS, damaged(CORPUS, 0.2, seed=2), damaged(CORPUS, 0.5, seed=3))
PAIR = A.compare(B, trials=200)


def test_each_document_is_a_point_that_knows_its_name():
    table = compared_documents(A, B).query("metric == 'lea'")
    (trace,) = compare_plots.documents(table, "lea", "f1").data
    assert list(trace.customdata) == list(A.documents)
    assert trace.x == pytest.approx((100 * table["a"]).to_numpy())
    open_ = [symbol == "circle-open" for symbol in trace.marker.symbol]
    assert open_ == (table["winner"] == "B").tolist()


def test_what_the_points_mean_stands_above_them():
    table = compared_documents(A, B).query("metric == 'lea'")
    (told,) = compare_plots.documents(table, "lea", "f1").layout.annotations
    assert (told.yref, told.y, told.yanchor) == ("y domain", 1, "bottom")


def test_the_line_of_no_difference_leaves_room_for_numbers_that_are_near_it():
    table = PAIR.significance.query("measure == 'f1'").set_index("metric")
    shapes = dumbbells(table, "f1").layout.shapes
    pieces = [(one.y0, one.y1) for one in shapes if one.x0 == one.x1 == 0 and one.xref == "x2"]
    assert len(pieces) == len(table)
    for row in range(len(table)):
        assert not any(low < row - 0.2 and high > row - 0.45 for low, high in pieces)


def test_the_observed_difference_stands_in_the_histogram_of_all_trials():
    drawn = PAIR.randomised("lea")
    figure = compare_plots.randomised(drawn, 0.02, "lea")
    assert sum(figure.data[0].y) == PAIR.trials
    assert [line.x0 for line in figure.layout.shapes] == [2.0, -2.0]
    bars = compare_plots.randomised_table(drawn, 0.02)
    assert list(bars["exchanges"]) == list(figure.data[0].y)
    assert list(bars["to"])[:-1] == list(bars["from"])[1:]


def test_few_exchanges_are_counted_whole():
    figure = compare_plots.randomised(np.array([0.01, -0.01, 0.02, -0.02]), 0.02, "lea")
    assert figure.layout.yaxis.dtick == 1


def test_a_bar_of_parts_is_whole():
    figure = parts(PAIR.verdicts, list(PAIR.verdicts.index), ["#000000"] * 6, heads="abcde")
    bars = [trace for trace in figure.data if trace.y is not None]
    total = [sum(bar.x[row] for bar in bars) for row in range(len(PAIR.verdicts))]
    assert total == pytest.approx([100] * len(PAIR.verdicts))
    beside = [note.text for note in figure.layout.annotations]
    numbers = [f"{n:,}" for _, column in PAIR.verdicts.items() for n in column]
    assert sorted(beside) == sorted([*"abcde", *numbers])
