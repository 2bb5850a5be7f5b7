"""What charts draw, as tables to read."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from corescore.analysis.systems.data_sets import DataSets
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


def test_each_end_of_an_interval_has_its_own_column():
    table = pd.DataFrame(
        {"metric": ["lea"], "measure": ["recall"], "value": [0.5], "t_low": [0.25]}
        | {"t_high": [0.75], "percentile_low": [0.1], "percentile_high": [0.9]}
    )
    shown = drawn.scores_with_intervals({"B": SimpleNamespace(table=table)})
    assert shown.to_dict("records") == [
        {"response": "B", "metric": "LEA", "measure": "recall"}
        | {"score %": 50.0, "from %": 25.0, "to %": 75.0}
    ]


def test_each_system_has_its_own_column_of_scores_beside_the_sizes():
    sizes = {"words": [9, 5], "key_mentions": [3, 2]}
    of = {
        letter: pd.DataFrame({**sizes, "lea": f1}, ["one", "two"])
        for letter, f1 in {"A": [0.25, 0.5], "B": [0.75, 1.0]}.items()
    }
    shown = drawn.documents(of, "lea", {"words": "words", "key_mentions": "mentions"})
    assert shown.to_dict("list") == {
        "document": ["one", "two"],
        "words": [9, 5],
        "key mentions": [3, 2],
        "A %": [25.0, 50.0],
        "B %": [75.0, 100.0],
    }


def test_alignments_that_are_not_perfect_come_first_the_most_similar_before_others():
    rows = [(1, 2, 1.0, True), (2, 1, 0.25, False), (3, 4, 0.75, False), (4, 3, 0.5, False)]
    columns = ["key_entity", "response_entity", "similarity", "perfect"]
    table = pd.DataFrame(rows, columns=columns).assign(document="d")
    key = {n: f"key {n}" for n in range(1, 5)}
    response = {n: f"response {n}" for n in range(1, 5)}
    shown = drawn.alignment(table, key, response)
    assert shown["similarity"].tolist() == [0.75, 0.5, 0.25, 1.0]
    assert shown.iloc[0][["key entity", "response entity"]].tolist() == ["3 key 3", "4 response 4"]


def test_a_rank_has_its_score_and_its_ends_each_in_its_own_column():
    table = pd.DataFrame(
        {"metric": ["lea", "muc"], "response": ["x", "y"], "rank": [2, 1], "score": [0.5, 0.25]}
        | {"first": [0.125, 0.75], "mean_rank": [2.5, 1.5], "low": [1, 2], "high": [4, 3]}
    )
    (row,) = drawn.ranks(table, ["lea"]).to_dict("records")
    assert row == {
        "metric": "LEA",
        "response": "x",
        "rank": 2,
        "score %": 50.0,
        "first in %": 12.5,
        "from": 1,
        "to": 4,
    }


def test_systems_over_data_sets_are_listed_by_mean_rank_not_by_macro_score():
    scores = np.array([[0.5, 0.5, 0.5], [0.99, 0.4, 0.4], [0.1, 0.1, 0.1]])
    found = DataSets("lea", "f1", ("even", "spiky", "last"), ("p", "q", "r"), scores)
    shown = drawn.critical_differences(found)
    assert shown["system"].tolist() == ["even", "spiky", "last"]
    assert shown["mean rank"].is_monotonic_increasing
    assert shown["macro %"].tolist() == pytest.approx([50.0, 59.67, 10.0], abs=0.01)


def test_curves_have_one_metric_after_the_other_with_mean_low_and_high():
    rows = [(0.1, "muc", 0.5, 0.4, 0.6), (0.1, "lea", 0.3, 0.1, 0.7), (0.2, "muc", 0.2, 0.1, 0.3)]
    bands = pd.DataFrame(rows, columns=["dose", "metric", "mean", "low", "high"])
    shown = drawn.curves(bands)
    assert shown["metric"].tolist() == ["LEA", "MUC", "MUC"]
    assert shown.iloc[0, 1:].tolist() == pytest.approx([10, 30, 10, 70])
