"""BLANC against the other metrics over published system scores: figures, correlations, claims."""

import csv
import io
import re
from itertools import groupby, product

import pytest
from scipy import stats

from corescore.__main__ import main
from corescore.plots import experiments as experiment_plots
from corescore.replication.experiment import run
from corescore.replication.luo2014 import systems as luo_2014_systems
from corescore.replication.luo2014.systems import OTHERS, SYSTEM_SCORES, published

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
# The source has a further column that we do not take: the mean of CEAF_m, MUC and B³ (R, P, F)
MEANS = {
    "Spanish closed gold relaxcor": (48.91, 79.26, 56.50),
    "Spanish closed gold sucre": (66.09, 69.03, 67.51),
    "Spanish closed gold tanl-1": (49.55, 71.53, 56.07),
    "Spanish closed regular sucre": (43.78, 41.57, 42.61),
    "Spanish closed regular tanl-1": (43.06, 62.46, 48.97),
    "Italian closed gold sucre": (63.59, 61.69, 62.58),
    "Italian open regular tanl-1": (54.32, 44.42, 48.85),
    "Italian closed regular sucre": (56.83, 65.29, 60.66),
    "Italian closed regular ubiu": (21.44, 18.02, 19.46),
    "Catalan closed gold relaxcor": (56.12, 81.20, 64.30),
    "Catalan closed gold sucre": (66.45, 68.18, 67.28),
    "Catalan closed gold tanl-1": (49.21, 71.60, 55.88),
    "Catalan closed regular sucre": (45.53, 35.42, 39.80),
    "Catalan closed regular tanl-1": (42.82, 60.07, 48.19),
}
CHOICES = {
    "all": lambda row: True,
    "gold annotation": lambda row: row["annotation"] == "gold",
    "regular annotation": lambda row: row["annotation"] == "regular",
    "Spanish": lambda row: row["language"] == "Spanish",
    "Italian": lambda row: row["language"] == "Italian",
    "Catalan": lambda row: row["language"] == "Catalan",
}
every_setting = pytest.mark.parametrize(
    ("coefficient", "chosen"), [*product(SCIPY, ["all", "Italian"]), ("pearson", "gold annotation")]
)
STRONG, WINNERS, MEANS_FIT, BLANC_BELOW = range(4)


def outcome(**values):
    return run(SYSTEM_SCORES, SYSTEM_SCORES.setting(values))


def check(claim, **values):
    return outcome(**values).checks[claim][1]


def rows_of(table):
    return table.to_dict("records")


def by_system(chosen="all"):
    """Each system's F1 by metric, from what was published and by no code of the experiment."""
    found = {}
    for row in filter(CHOICES[chosen], rows_of(published())):
        key = (row["language"], row["information"], row["annotation"], row["system"])
        found.setdefault(key, {})[row["metric"]] = row["f1"]
    return found


def correlated(coefficient, chosen="all"):
    systems = by_system(chosen).values()
    columns = {name: [f1[name] for f1 in systems] for name in (*OTHERS, "blanc")}
    return {name: SCIPY[coefficient](columns[name], columns["blanc"]).statistic for name in OTHERS}


@pytest.fixture
def published_with(monkeypatch, tmp_path):
    """Puts other digits in place of some that occur once in the published scores."""

    def replace(digits, others):
        text = luo_2014_systems.SCORES.read_text(encoding="utf-8")
        assert text.count(digits) == 1
        path = tmp_path / "systems.csv"
        path.write_text(text.replace(digits, others), encoding="utf-8")
        monkeypatch.setattr(luo_2014_systems, "SCORES", path)
        return path.read_text(encoding="utf-8")

    return replace


# The published scores -----------------------------------------------------------------------------


def test_the_figures_have_the_means_that_stand_beside_them_in_the_source():
    table = published().query("metric != 'blanc'")
    keys = ["language", "information", "annotation", "system"]
    means = table.groupby(keys)[["recall", "precision", "f1"]].mean()
    assert {" ".join(key) for key in means.index} == MEANS.keys()
    for key, row in means.iterrows():
        # Each of three is rounded, and so is their mean
        assert 100 * row.to_numpy() == pytest.approx(MEANS[" ".join(key)], abs=0.01 + 1e-9)


def test_every_system_has_each_metric_once():
    table = outcome().table
    assert len(table) == 4 * len(MEANS)
    keys = ["language", "annotation", "information", "system", "metric"]
    assert not table.duplicated(keys).any()
    assert table[["recall", "precision", "f1", "blanc"]].stack().between(0, 1).all()


@pytest.mark.parametrize(
    ("digits", "wrong"), [("24.70", "24.07"), ("78.24", "78.26"), ("27.09", "27.19")]
)
def test_a_slip_in_a_score_is_found_and_named(published_with, digits, wrong):
    slipped = published_with(digits, wrong)
    found = check(MEANS_FIT)
    assert found.holds is False
    assert "41 of 42 numbers" in found.numbers
    (line,) = (line for line in slipped.splitlines() if wrong in line)
    assert f"of {line.split(',')[3]} (" in found.numbers


def test_the_f_of_muc_bcub_and_ceafm_is_the_harmonic_mean():
    furthest = max(
        abs(2 * row["recall"] * row["precision"] / (row["recall"] + row["precision"]) - row["f1"])
        for row in rows_of(published())
        if row["metric"] != "blanc"
    )
    found = check(MEANS_FIT)
    assert found.holds is True
    assert found.numbers == f"42 of 42 numbers; at most {100 * furthest:.2f} points off"


def test_the_f_of_blanc_is_below_the_harmonic_mean(published_with):
    below = [
        2 * row["recall"] * row["precision"] / (row["recall"] + row["precision"]) - row["f1"]
        for row in rows_of(published())
        if row["metric"] == "blanc"
    ]
    found = check(BLANC_BELOW)
    assert found.holds is (min(below) > 0)
    assert f"by {100 * min(below):.2f} to {100 * max(below):.2f} points" in found.numbers
    published_with("81.82,55.55", "81.82,65.55")
    assert check(BLANC_BELOW).holds is False
    assert "above for relaxcor (Spanish, gold, closed)" in check(BLANC_BELOW).numbers


# Correlations -------------------------------------------------------------------------------------


@every_setting
def test_the_correlations_are_scipys(coefficient, chosen):
    table = outcome(coefficient=coefficient, systems=chosen).table
    assert len(table) == 4 * len(by_system(chosen))
    for name, expected in correlated(coefficient, chosen).items():
        shown = table.loc[table["metric"] == name, "correlation"]
        assert shown.to_numpy() == pytest.approx(expected, abs=1e-12)
    assert table.loc[table["metric"] == "blanc", "correlation"].to_numpy() == pytest.approx(1)


@every_setting
def test_strong_is_080_or_more_with_each_of_five_systems_or_more(coefficient, chosen):
    found = check(STRONG, coefficient=coefficient, systems=chosen)
    n = len(by_system(chosen))
    if n < 5:
        assert found.holds is None
        assert f"MUC: {n} systems, too few" in found.numbers
        return
    expected = correlated(coefficient, chosen)
    assert found.holds is all(value >= 0.8 for value in expected.values())
    numbers = re.findall(r"(-?[\d.]+) over (\d+) systems", found.numbers)
    assert numbers == [(f"{expected[name]:.3f}", str(n)) for name in OTHERS]


@pytest.mark.parametrize("chosen", CHOICES)
def test_winners_are_counted_on_every_data_set_with_two_systems(chosen):
    systems = sorted(by_system(chosen).items())
    groups = [list(group) for _, group in groupby(systems, key=lambda item: item[0][:3])]
    groups = [group for group in groups if len(group) > 1]

    def best(group, name):
        return max(group, key=lambda item: item[1][name])[0]

    alike = [sum(best(g, name) == best(g, "blanc") for g in groups) for name in OTHERS]
    found = check(WINNERS, systems=chosen)
    assert found.holds is all(n == len(groups) for n in alike)
    assert found.numbers.endswith("MUC {}, B³ {}, CEAF_m {}".format(*alike))
    assert f"on {len(groups)} data set{'s' if len(groups) > 1 else ''} with" in found.numbers


# On the page and in the shell ---------------------------------------------------------------------


def test_the_page_says_whose_figures_these_are():
    for words in ("could not be read", "unofficial", "josubg/semeval2010", "nothing is scored"):
        assert words in SYSTEM_SCORES.setup
    assert not SYSTEM_SCORES.printed  # it would be called printed in the paper


def test_each_system_is_a_point_against_each_of_the_others():
    table = outcome(systems="gold annotation").drawn
    figure = experiment_plots.draw(SYSTEM_SCORES.chart, table)
    assert [trace.name for trace in figure.data] == ["MUC", "B³", "CEAFₘ"]
    f1 = by_system("gold annotation")
    for name, trace in zip(OTHERS, figure.data, strict=True):
        assert trace.mode == "markers"
        expected = sorted((100 * of["blanc"], 100 * of[name]) for of in f1.values())
        drawn = sorted(zip(trace.x, trace.y, strict=True))
        assert sum(drawn, ()) == pytest.approx(sum(expected, ()))
    assert "Spanish, gold, closed, relaxcor" in "".join(figure.data[0].hovertext)
    titles = [annotation.text for annotation in figure.layout.annotations]
    expected = correlated("pearson", "gold annotation")
    names = ("MUC", "B³", "CEAF<sub>m</sub>")
    assert titles[:3] == [
        f"<b>{name}, correlation {value:.2f}</b>"
        for name, value in zip(names, expected.values(), strict=True)
    ]


def test_it_runs_from_the_shell(capsys):
    arguments = ["--csv", "--set", "coefficient=kendall", "--set", "systems=regular annotation"]
    assert main(["experiment", SYSTEM_SCORES.id, *arguments]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 4 * 7
    expected = correlated("kendall", "regular annotation")
    for row in rows:
        assert float(row["correlation"]) == pytest.approx(expected.get(row["metric"], 1))
        assert "systems regular annotation | coefficient kendall" in row["signature"]
    assert main(["experiment", SYSTEM_SCORES.id, "--set", "systems=none"]) == 2
    assert "gold annotation" in capsys.readouterr().err
