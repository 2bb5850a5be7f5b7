"""Charts that several sessions look at are drawn once."""

import gc
from weakref import ref

import pandas as pd

from corescore.plots.template import chart, points
from dashboard.session.life import held
from dashboard.widgets.charts import kept

SQUARE = {"height": 100, "margin": (0, 0, 0, 0)}


def test_a_chart_is_drawn_once_for_a_table_and_anew_for_another():
    drawn = []

    def draw(table, measure):
        drawn.append(measure)
        mark = points(table["x"], table[measure], ["", ""], {})
        return chart([mark], **SQUARE)

    table = pd.DataFrame({"x": [1, 2], "f1": [3.0, 4.0], "recall": [5.0, 6.0]})
    keep = kept(draw)
    first = keep(table, "f1")
    assert keep(table.copy(), "f1") is first
    assert drawn == ["f1"]
    assert list(keep(table, "recall").data[0].y) == [5.0, 6.0]
    assert list(keep(table.assign(f1=[3.0, 4.5]), "f1").data[0].y) == [3.0, 4.5]
    assert drawn == ["f1", "recall", "f1"]


def test_charts_are_let_go_with_an_upload():
    keep = kept(lambda table: chart([points(table["x"], table["y"], ["", ""], {})], **SQUARE))
    table = pd.DataFrame({"x": [1, 2], "y": [3.0, 4.0]})
    held.hold("a session", ["an upload"])
    first = ref(keep(table))
    gc.collect()
    assert first() is not None
    held.let_go(["a session"])
    gc.collect()
    assert first() is None
