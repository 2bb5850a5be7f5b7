"""BLANC against the other metrics over the systems of CoNLL: figures, correlations, claims."""

import csv
import io
from dataclasses import replace

import pytest
from scipy import stats

from corescore.__main__ import main
from corescore.plots import experiments as experiment_plots
from corescore.replication.experiment import run
from corescore.replication.luo2014 import systems as luo_systems
from corescore.replication.luo2014.systems import OTHERS, SYSTEM_SCORES, TABLE_1, TABLE_2, TABLE_3
from corescore.replication.moosavi2016.table5 import PRINTED as TABLE_5
from corescore.replication.pradhan2014.example import TABLE_1 as POSTER

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
# Pearson's r of F1 over 14 English systems of 2012 and five of 2011, to three decimals, by another
# program
R_OF_19 = {"muc": 0.890, "bcub": 0.974, "ceafm": 0.977, "ceafe": 0.961}


def outcome(**values):
    return run(SYSTEM_SCORES, SYSTEM_SCORES.setting(values))


def check(name, **values):
    return outcome(**values).by_claim[name]


def rows_of(printed):
    """The lines of a file of printed figures, read by nothing of the project."""
    lines = printed.path.read_text(encoding="utf-8").splitlines()
    return [*csv.DictReader(line for line in lines if not line.startswith("#"))]


def english():
    """(F1 by metric, F1 of BLANC) of the English systems whose other scores are printed: those of
    2012 in Table 5 of Moosavi & Strube, and five of 2011 on the poster."""
    blanc = {
        row["system"]: float(row["f1 %"])
        for row in rows_of(TABLE_2)
        if row["language"] == "English"
    }
    found = {}
    for row in rows_of(TABLE_5):
        name = {"chunyuang": "chunyang"}.get(row["system"], row["system"])
        found.setdefault(name, {"blanc": blanc[name]})
        if row["metric"] in OTHERS:
            found[name][row["metric"]] = float(row["f1 %"])
    of_2011 = {row["system"]: float(row["f1 %"]) for row in rows_of(TABLE_1)}
    for row in rows_of(POSTER):
        if row["data"] == "CoNLL-2011" and row["metric"] in OTHERS:
            of_one = found.setdefault(f"{row['system']} 2011", {"blanc": of_2011[row["system"]]})
            of_one[row["metric"]] = float(row["rescored %"] or row["official %"])
    return found


def correlated(coefficient):
    systems = english().values()
    columns = {name: [f1[name] for f1 in systems] for name in (*OTHERS, "blanc")}
    return {name: SCIPY[coefficient](columns[name], columns["blanc"]) for name in OTHERS}


@pytest.fixture
def misprinted(monkeypatch, tmp_path):
    """Puts another line in place of one of a file of printed figures."""

    def put(name, line, other):
        printed = getattr(luo_systems, name)
        text = printed.path.read_text(encoding="utf-8")
        assert text.count(line) == 1
        path = tmp_path / printed.path.name
        path.write_text(text.replace(line, other), encoding="utf-8")
        monkeypatch.setattr(luo_systems, name, replace(printed, path=path))

    return put


def test_the_table_has_blanc_of_53_participants_and_f1_of_19():
    table = outcome().table
    assert len(table) == 3 * (18 + 35) + 4 * (14 + 5)
    keys = ["task", "language", "system", "metric", "measure"]
    assert not table.duplicated(keys).any()
    by_key = table.set_index(keys)
    assert by_key.loc[
        ("CoNLL-2011", "English", "irwin", "blanc", "recall"), "score"
    ] == pytest.approx(0.0362)
    chen = by_key.loc[("CoNLL-2012", "Chinese", "chen", "blanc", "precision")]
    assert chen["score"] == chen["blanc"] == pytest.approx(0.6244)
    yuan = by_key.loc[("CoNLL-2012", "English", "yuan", "muc", "f1")]
    assert (yuan["score"], yuan["blanc"]) == pytest.approx((0.6255, 0.5211))
    assert "stamborg" not in set(table.query("metric == 'muc'")["system"])


@pytest.mark.parametrize("coefficient", SCIPY)
def test_the_correlations_and_their_p_are_scipys(coefficient):
    table = outcome(coefficient=coefficient).table
    for name, expected in correlated(coefficient).items():
        rows = table[table["metric"] == name]
        assert rows["correlation"].to_numpy() == pytest.approx(expected.statistic, abs=1e-12)
        assert rows["p"].to_numpy() == pytest.approx(expected.pvalue)
        assert (rows["systems"] == 19).all()
    assert table.loc[table["metric"] == "blanc", "correlation"].isna().all()


def test_table_3_stands_beside_the_correlation_over_19_and_is_not_said_to_differ():
    beside = outcome().beside(TABLE_3)
    assert len(beside) == 12
    assert not beside["differs"].any()
    by_f1 = beside[beside["measure"] == "f1"].set_index("metric")["computed"]
    assert by_f1.round(3).to_dict() == R_OF_19
    assert beside[beside["measure"] != "f1"]["computed"].isna().all()


def test_blanc_correlates_with_all_four_as_computed_and_in_print():
    found = check("correlates")
    assert found.holds is found.printed.holds is True
    assert "F1 over 19 systems: MUC 0.890, B³ 0.974, CEAF_m 0.977, CEAF_e 0.961" in found.numbers
    # The smallest coefficient has the largest p: t = r √((n − 2) / (1 − r²)) with n − 2 degrees
    t = 0.781 * (51 / (1 - 0.781**2)) ** 0.5
    assert f"p at most {2 * stats.t.sf(t, 51):.1g}" in found.printed.numbers


def test_a_coefficient_near_zero_is_not_significant(misprinted):
    misprinted("TABLE_3", "ceafe,blanc,precision,0.781", "ceafe,blanc,precision,0.181")
    assert check("correlates").printed.holds is False


def test_bcub_and_ceafm_come_first_over_19_systems_and_in_print():
    found = check("most")
    assert found.holds is True
    assert found.numbers == "CEAF_m 0.977, B³ 0.974, CEAF_e 0.961, MUC 0.890"
    assert found.printed.holds is True
    assert "recall: B³ 0.981, MUC 0.975, CEAF_m 0.941" in found.printed.numbers


def test_each_panel_has_a_point_for_each_participant(misprinted):
    assert check("points").holds is True
    misprinted("TABLE_1", "irwin,3.62,28.28,6.28\n", "")
    assert check("points").holds is False


def test_the_f_of_blanc_is_at_most_the_harmonic_mean(misprinted):
    below = []
    for row in (*rows_of(TABLE_1), *rows_of(TABLE_2)):
        r, p, f = (float(row[f"{name} %"]) for name in ("recall", "precision", "f1"))
        below.append(2 * r * p / (r + p) - f)
    found = check("below-the-mean")
    assert found.holds is True
    assert found.numbers.startswith("53 of 53 F1")
    assert f"to {max(below):.2f} points" in found.numbers
    misprinted("TABLE_1", "song,36.88,39.69,30.92", "song,36.88,39.69,40.92")
    found = check("below-the-mean")
    assert found.holds is False
    assert "above it for song, CoNLL-2011" in found.numbers


def test_one_of_14_systems_has_another_blanc_in_table_5():
    found = check("same-blanc")
    assert found.holds is False
    assert found.numbers == "13 of 14 systems; yuan 52.11, there 52.10"
    assert [one.holds for one in found.readings] == [False, True]


def test_each_system_is_a_point_and_the_correlation_stands_above_its_panel():
    figure = experiment_plots.draw(SYSTEM_SCORES.chart, outcome().drawn)
    assert [trace.name for trace in figure.data] == ["MUC", "B³", "CEAFₘ", "CEAFₑ"]
    for name, trace in zip(OTHERS, figure.data, strict=True):
        expected = sorted((f1[name], f1["blanc"]) for f1 in english().values())
        drawn = sorted(zip(trace.x, trace.y, strict=True))
        assert sum(drawn, ()) == pytest.approx(sum(expected, ()))
    titles = [annotation.text for annotation in figure.layout.annotations]
    names = ("MUC", "B³", "CEAF<sub>m</sub>", "CEAF<sub>e</sub>")
    values = [found.statistic for found in correlated("pearson").values()]
    assert titles[:4] == [
        f"<b>{name}<br>correlation {value:.2f}</b>"
        for name, value in zip(names, values, strict=True)
    ]


def test_it_runs_from_the_shell(capsys):
    assert main(["experiment", SYSTEM_SCORES.id, "--csv", "--set", "coefficient=kendall"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    expected = correlated("kendall")
    for row in rows:
        if row["metric"] != "blanc":
            assert float(row["correlation"]) == pytest.approx(expected[row["metric"]].statistic)
        assert "coefficient kendall" in row["signature"]


def test_tables_1_and_2_are_shown_as_printed():
    found = outcome()
    for printed, n in ((TABLE_1, 18), (TABLE_2, 35)):
        beside = found.beside(printed)
        assert len(beside) == 3 * n
        assert beside["computed"].isna().all()  # nobody printed what they were scored from
    assert SYSTEM_SCORES.printed == (TABLE_3, TABLE_1, TABLE_2)
