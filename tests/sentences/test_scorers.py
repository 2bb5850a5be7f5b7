"""Sentences about scorers that disagree."""

import pandas as pd
import pytest

from corescore.sentences.scorers import in_combinations, rankings


@pytest.mark.parametrize(
    ("other", "told"), [(386, "94 of 480"), (0, "all 94"), (1500, "94 of 1,594")]
)
def test_the_count_of_combinations_is_the_same_with_and_without_the_changes(other, told):
    names = {"singletons": ["keep"] * 94 + ["drop"] * other, "changed": [0] * 94 + [1] * other}
    grid = pd.DataFrame({**names, "ranking": ["a > b"] * 94 + ["b > a"] * other})
    assert in_combinations(grid) == f"under {told} combinations of policies"
    assert in_combinations(grid) in rankings(grid)
