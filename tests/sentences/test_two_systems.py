"""Two systems in sentences: who is ahead, and what chance makes of it."""

import math
import re

import pandas as pd
import pytest

from corescore.metrics import METRIC_IDS
from corescore.sentences import compare as verdicts
from tests.support.rivals import damaged, partitions, results

CORPUS = partitions(24, seed=1)
A, B = results(CORPUS, damaged(CORPUS, 0.2, seed=2), damaged(CORPUS, 0.5, seed=3))
PAIR = A.compare(B, trials=200)
TITLES = {"A": "A (one)", "B": "B (two)"}


def of_f1(winner, p_max):
    index = pd.Index(METRIC_IDS, name="metric")
    return pd.DataFrame({"winner": winner, "p": p_max, "p_max": p_max}, index=index)


def test_the_headline_names_the_leader_and_who_is_ahead_elsewhere():
    table = of_f1(["B", "B", "tie", "B", "B", "A"], [1.0] * 6)
    assert verdicts.ahead(table, TITLES, "f1") == (
        "B (two) is ahead under four of the six, A (one) under LEA, they tie under CEAFₘ."
    )
    everywhere = verdicts.ahead(of_f1(["A"] * 6, [1.0] * 6), TITLES, "recall")
    assert everywhere == "A (one) is ahead in recall under all six."
    nowhere = verdicts.ahead(of_f1(["tie"] * 6, [1.0] * 6), TITLES, "precision")
    assert nowhere == "All six give A (one) and B (two) the same precision."


@pytest.mark.parametrize(
    ("p_max", "said"),
    [
        ([0.0004] * 5 + [0.049], "Under all six .* the largest is p = 0.049"),
        ([0.06] * 6, "Under none of the six .* the smallest is p = 0.060"),
        (
            [0.003, 0.01, 0.02, 0.2, 0.02, 0.02],
            "Under MUC, .* the largest is p = 0.020.; under CEAFₑ",
        ),
        ([0.003, 0.01, 0.2, 0.2, 0.2, 0.2], "Under MUC and B³ .* p = 0.003 and p = 0.010"),
    ],
    ids=["all", "none", "most", "some"],
)
def test_the_headline_says_which_differences_are_larger_than_chance(p_max, said):
    assert re.search(said, verdicts.significance(of_f1(["B"] * 6, p_max)))


def test_a_metric_outside_the_six_is_judged_by_its_own_p():
    row = pd.Series({"p": 0.01, "p_max": math.nan})
    assert verdicts.verdict(row) == "p < 0.05"
    assert verdicts.verdict(pd.Series({"p": 0.01, "p_max": 0.06})) == "not significant"


def test_the_sentence_on_chance_counts_the_trials_behind_p():
    said = verdicts.randomisation(PAIR.randomisation, "ceafe", "f1")
    n, p = re.search(r"In ([\d,]+|none) of 200 random .* = (0\.\d+|< 0\.001)", said).groups()
    drawn = abs(PAIR.randomised("ceafe"))
    at = PAIR.randomisation.metrics.index("ceafe")
    expected = int((drawn >= abs(PAIR.randomisation.difference[at, 2]) - 1e-12).sum())
    assert n == ("none" if not expected else str(expected))
    assert float(p) == pytest.approx((expected + 1) / 201, abs=5e-4)
