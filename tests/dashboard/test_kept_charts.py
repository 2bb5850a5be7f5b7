"""Charts that several sessions look at are drawn once."""

import pandas as pd

from corescore.plots.template import chart, points
from dashboard.widgets.charts import kept


def test_a_chart_is_drawn_once_for_a_table_and_anew_for_another():
    drawn = []

    def draw(table, measure):
        drawn.append(measure)
        mark = points(table["x"], table[measure], ["", ""], {})
        return chart([mark], height=100, margin=(0, 0, 0, 0))

    table = pd.DataFrame({"x": [1, 2], "f1": [3.0, 4.0], "recall": [5.0, 6.0]})
    keep = kept(draw)
    first = keep(table, "f1")
    assert keep(table.copy(), "f1") is first
    assert drawn == ["f1"]
    assert list(keep(table, "recall").data[0].y) == [5.0, 6.0]
    assert list(keep(table.assign(f1=[3.0, 4.5]), "f1").data[0].y) == [3.0, 4.5]
    assert drawn == ["f1", "recall", "f1"]
