"""What charts draw, as tables to read."""

import numpy as np
import pandas as pd

from corescore.rendering import drawn


def test_metrics_and_measures_have_their_names_and_fractions_are_in_percent():
    table = pd.DataFrame({"metric": ["ceafe"], "measure": ["f1"], "n_runs": [3], "low": [0.5]})
    assert drawn.readable(table, ["low"]).to_dict("records") == [
        {"metric": "CEAFₑ", "measure": "F1", "n runs": 3, "low %": 50.0}
    ]


def test_a_row_and_a_column_for_each_metric_are_called_by_their_names():
    table = pd.DataFrame([[1.0, 0.5], [0.5, 1.0]], ["muc", "lea"], ["muc", "lea"])
    assert list(drawn.by_metric(table)) == ["metric", "MUC", "LEA"]
    assert list(drawn.by_metric(table)["metric"]) == ["MUC", "LEA"]


def test_gains_are_in_points():
    table = pd.DataFrame({"muc": [0.125, 0.5]}, ["split", "all"])
    shown = drawn.gains(table, {"split": "divided entities"})
    assert shown.to_dict("list") == {"fixed": ["divided entities", "all"], "MUC": [12.5, 50.0]}


def test_shares_of_ranks_are_in_percent():
    shown = drawn.rank_shares(np.array([[0.75, 0.25], [0.25, 0.75]]), ["x", "y"])
    assert shown.to_dict("list") == {
        "response": ["x", "y"],
        "rank 1 %": [75.0, 25.0],
        "rank 2 %": [25.0, 75.0],
    }
