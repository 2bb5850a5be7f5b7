"""The experiments of Pradhan et al. 2014: the worked example, and the systems scored again."""

import csv
from fractions import Fraction

import pytest

from corescore import InputError
from corescore.metrics import METRIC_IDS, METRICS
from corescore.replication.experiment import in_paper, run
from corescore.replication.pradhan2014 import TABLE_1, WORKED_EXAMPLE
from tests.support.own_metric import OWN


def table_of(experiment, metrics=METRICS, **values):
    return run(experiment, experiment.setting(values, metrics=metrics)).table


# The worked example -------------------------------------------------------------------------------

FORMULAS = {
    ("muc", "recall"): "((3 − 2) + (4 − 3)) / ((3 − 1) + (4 − 1)) = 2/5",
    ("bcub", "recall"): "(2²/3 + 1²/3 + 1²/4 + 2²/4) / 7 = 5/12",
    ("ceafe", "recall"): "(2·2/(3 + 2) + 2·2/(4 + 4)) / 2 = 13/20",
    ("blanc", "recall of non-coreference links"): "(15 − 6 − 3 + 2) / (21 − 9) = 2/3",
    ("lea", "precision"): "(2 · 1/1 + 2 · 0/1 + 4 · 1/6) / 8 = 1/3",
    ("muc", "f1"): "2 · 2/5 · 2/5 / (2/5 + 2/5) = 2/5",
}


def test_the_worked_example_has_a_formula_for_each_step():
    """The values are held to the printed cells and to the oracle."""
    worked = in_paper(WORKED_EXAMPLE).table
    formulas = worked.set_index(["metric", "step"])["formula"]
    assert {step: formulas[step] for step in FORMULAS} == FORMULAS
    steps = worked.groupby("metric")["step"].count()
    assert steps.to_dict() == {**dict.fromkeys(METRIC_IDS, 3), "blanc": 9, "conll": 1}


def test_the_steps_of_other_partitions_lead_to_the_scorers_numbers():
    table = table_of(WORKED_EXAMPLE, key="{ab}{c}", response="{abc}{d}").dropna(subset="scored")
    assert table["value"].to_numpy() == pytest.approx(table["scored"].to_numpy())
    with pytest.raises(InputError, match="entities in braces"):
        WORKED_EXAMPLE.setting({"response": "abc"})


def test_a_metric_of_ones_own_shows_its_counts():
    table = table_of(WORKED_EXAMPLE, metrics=(*METRICS, OWN)).set_index(["metric", "step"])
    assert table.loc[("own", "recall"), "formula"] == "1 / 2"
    assert table.loc[("own", "f1"), "value"] == 0.5
    alone = run(WORKED_EXAMPLE, WORKED_EXAMPLE.setting(metrics=(OWN,)))
    assert set(alone.table["metric"]) == {"own"}


def test_metrics_that_drop_spurious_mentions_do_not_see_them():
    """B³₀: 4/2 + 1/2 + 1/2 + 4/2 of six mentions with and without h and i; B³ sees them."""
    check = in_paper(WORKED_EXAMPLE).by_claim["manipulation"]
    recall = Fraction(5, 12)

    def f1(precision):
        return f"{float(100 * 2 * recall * precision / (recall + precision)):.2f}"

    seen = f"B³: without {f1(Fraction(5, 6))}, with {f1(Fraction(4, 8))}"
    unseen = f"B³₀: with {f1(Fraction(5, 6))}, without {f1(Fraction(5, 6))}"
    assert check.holds is True
    assert seen in check.numbers
    assert unseen in check.numbers


# The systems scored again -------------------------------------------------------------------------

FIVE = ("bcub", "ceafm", "ceafe", "blanc", "conll")


def test_all_change_but_what_is_printed_once():
    """The cells are read by nothing of the project."""
    change = in_paper(TABLE_1).table.set_index(["data", "system", "metric"])["change"]
    path = next(printed.path for printed in TABLE_1.printed)
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    for *key, before, after in csv.reader(lines[1:]):
        key = tuple(key)
        assert (key[2] in FIVE) == bool(after)
        if after:
            assert change[key] == pytest.approx(float(Fraction(after) - Fraction(before)) / 100)
        else:
            assert change.isna()[key]


@pytest.mark.parametrize(
    "claim, numbers",
    [
        ("changes", "CEAFₑ up by 0.5 to 5.5, down by 2.0"),
        ("changes", "CoNLL down by 2.7 to 8.3"),
    ],
)
def test_a_claim_on_the_systems_is_told_by_its_numbers(claim, numbers):
    assert numbers in in_paper(TABLE_1).by_claim[claim].numbers
