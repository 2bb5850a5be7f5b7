"""The experiments of Pradhan et al. 2014: the worked example, and the systems scored again."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from corescore import InputError
from corescore.metrics import METRICS
from corescore.replication.experiment import run
from corescore.replication.pradhan2014.example import WORKED_EXAMPLE
from tests.support import oracle
from tests.support.half import OWN, exactly
from tests.support.strategies import partition_pairs

SIX = [metric.id for metric in METRICS]


def table_of(experiment, metrics=METRICS, **values):
    return run(experiment, experiment.setting(values, metrics=metrics)).table


def holds(outcome):
    return [check.holds for _, check in outcome.checks]


# The worked example -------------------------------------------------------------------------------

EXACT = {
    ("muc", "recall"): Fraction(1 + 1, 2 + 3),
    ("muc", "precision"): Fraction(1 + 1, 1 + 1 + 3),
    ("bcub", "recall"): (Fraction(4 + 1, 3) + Fraction(1 + 4, 4)) / 7,
    ("bcub", "precision"): (Fraction(4, 2) + Fraction(1 + 1, 2) + Fraction(4, 4)) / 8,
    ("ceafm", "recall"): Fraction(2 + 2, 7),
    ("ceafm", "precision"): Fraction(2 + 2, 8),
    ("ceafe", "recall"): (Fraction(4, 5) + Fraction(4, 8)) / 2,
    ("ceafe", "precision"): (Fraction(4, 5) + Fraction(4, 8)) / 3,
    ("blanc", "recall of coreference links"): Fraction(2, 9),
    ("blanc", "precision of coreference links"): Fraction(2, 8),
    ("blanc", "recall of non-coreference links"): Fraction(8, 12),
    ("blanc", "precision of non-coreference links"): Fraction(8, 20),
    ("blanc", "f1"): (Fraction(2 * 2, 9 + 8) + Fraction(2 * 8, 12 + 20)) / 2,
    ("lea", "recall"): (3 * Fraction(1, 3) + 4 * Fraction(1, 6)) / 7,
    ("lea", "precision"): (2 + 0 + 4 * Fraction(1, 6)) / 8,
}
FORMULAS = {
    ("muc", "recall"): "((3 − 2) + (4 − 3)) / ((3 − 1) + (4 − 1)) = 2/5",
    ("bcub", "recall"): "(2²/3 + 1²/3 + 1²/4 + 2²/4) / 7 = 5/12",
    ("ceafe", "recall"): "(2·2/(3 + 2) + 2·2/(4 + 4)) / 2 = 13/20",
    ("blanc", "recall of non-coreference links"): "(15 − 6 − 3 + 2) / (21 − 9) = 2/3",
    ("lea", "precision"): "(2 · 1/1 + 2 · 0/1 + 4 · 1/6) / 8 = 1/3",
    ("muc", "f1"): "2 · 2/5 · 2/5 / (2/5 + 2/5) = 2/5",
}


@pytest.fixture(scope="module")
def worked():
    return run(WORKED_EXAMPLE).table.set_index(["metric", "step"])


@pytest.mark.parametrize("step", EXACT, ids=" ".join)
def test_the_worked_example_is_exact(worked, step):
    assert Fraction(worked.loc[step, "exact"]) == EXACT[step]
    assert worked.loc[step, "value"] == exactly(EXACT[step])


@pytest.mark.parametrize("step", FORMULAS, ids=" ".join)
def test_formulas_have_the_numbers_of_the_example(worked, step):
    assert worked.loc[step, "formula"] == FORMULAS[step]


def test_every_metric_has_its_steps(worked):
    steps = worked.reset_index().groupby("metric", sort=False)["step"].count()
    assert steps.to_dict() == {**dict.fromkeys(SIX, 3), "blanc": 9, "conll": 1}


def test_the_claims_of_the_worked_example_hold():
    outcome = run(WORKED_EXAMPLE)
    assert holds(outcome) == [True] * 7
    blanc = outcome.checks[4][1]
    assert "F1 25/68 = 36.76" in blanc.numbers


def test_with_other_partitions_the_printed_values_no_longer_hold_but_the_scorers_do():
    setting = WORKED_EXAMPLE.setting({"key": "{ab}{c}", "response": "{abc}{d}"})
    assert holds(run(WORKED_EXAMPLE, setting)) == [False] * 6 + [True]


def test_a_metric_of_ones_own_shows_its_counts():
    table = table_of(WORKED_EXAMPLE, metrics=(*METRICS, OWN)).set_index(["metric", "step"])
    assert table.loc[("own", "recall"), "formula"] == "1 / 2"
    assert table.loc[("own", "f1"), "value"] == 0.5
    alone = run(WORKED_EXAMPLE, WORKED_EXAMPLE.setting(metrics=(OWN,)))
    assert set(alone.table["metric"]) == {"own"}
    assert holds(alone) == [None] * 7


def braces(side):
    return "".join("{" + "".join("abcdefg"[m] for m in sorted(e)) + "}" for e in side) or "{}"


@settings(max_examples=60)
@given(partition_pairs())
def test_the_steps_lead_where_the_oracle_leads(pair):
    table = table_of(WORKED_EXAMPLE, key=braces(pair[0]), response=braces(pair[1]))
    exact = table.set_index(["metric", "step"])["exact"]
    for metric in SIX:
        expected = oracle.score(metric, [pair], empty=Fraction(0))
        steps = (exact[metric, step] for step in ("recall", "precision", "f1"))
        assert tuple(map(Fraction, steps)) == tuple(expected)
    conll = oracle.score("conll", [pair], empty=Fraction(0))
    assert Fraction(exact["conll", "f1"]) == conll.f1


def test_a_worked_example_that_is_no_partition_is_refused():
    with pytest.raises(InputError, match="entities in braces"):
        WORKED_EXAMPLE.setting({"response": "abc"})
