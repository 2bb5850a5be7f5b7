"""Charts of errors."""

import numpy as np

import corescore
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import gain_table, impact_table
from corescore.plots import errors as error_plots

PARTS = corescore.score_entities(
    [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}]
)


def test_the_chart_writes_every_gain_and_the_sum():
    table = gain_table(impact_table(PARTS.comparison))
    figure = error_plots.gains(table, {kind: kind for kind in KINDS}, "after fixing it")
    assert np.shape(figure.data[0].text) == (7, 7)
    assert len(figure.layout.annotations) == 7
