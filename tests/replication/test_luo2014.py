"""Luo et al. 2014: exact values, systems, claims."""

import csv
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from corescore import PolicyError
from corescore.metrics import METRIC_IDS, METRICS
from corescore.plots import experiments as experiment_plots
from corescore.replication.experiment import in_paper, run
from corescore.replication.luo2014 import (
    BOUNDARY_CASES,
    CORRELATION,
    OTHERS,
    POSTER,
    SYSTEM_SCORES,
    TABLE_1,
    TABLE_2,
    TOY_EXAMPLES,
)
from corescore.replication.moosavi2016.systems import RANKING as TABLE_5
from tests.support import oracle
from tests.support.own_metric import OWN, exactly
from tests.support.strategies import corpora_of

# The experiments of Luo et al. 2014 and Pradhan et al. 2014: exact values and checks --------------


def table_of(experiment, metrics=METRICS, **values):
    return run(experiment, experiment.setting(values, metrics=metrics)).table


def holds(outcome):
    return [check.holds for _, check in outcome.checks]


# Luo et al. 2014: the toy examples ----------------------------------------------------------------


def test_an_example_of_ones_own_takes_the_first_ones_place():
    setting = TOY_EXAMPLES.setting({"key": "{xy}{z}", "response": "{xyz}"})
    outcome = run(TOY_EXAMPLES, setting)
    assert holds(outcome)[1:] == [True] * 4
    table = outcome.table.set_index(["example", "metric"])
    # F of the links 2·1 / (1 + 3); nothing of the others
    assert table.loc[("{xy}{z} / {xyz}", "blanc"), "f1"] == exactly(Fraction(2, 4) / 2)
    other = run(BOUNDARY_CASES, BOUNDARY_CASES.setting({"key": "{a}", "response": "{ab}"}))
    assert holds(other) == holds(in_paper(BOUNDARY_CASES))
    assert other.table["example"].iloc[0] == "{a} / {ab}"
    slash = table_of(TOY_EXAMPLES, key="{a / b}", response="{a / b}")  # it may be a mention
    assert set(slash[slash["example"].str.startswith("{a /")]["f1"].round(9)) == {0, 1}


# Boundary cases -----------------------------------------------------------------------------------


def test_links_that_the_other_side_does_not_have_at_all():
    check = in_paper(TOY_EXAMPLES).by_claim["on-no-list"]
    # {abc}{de} has the ten links of five mentions, {bc}{efg} those of another five
    key, response = (set(map("".join, combinations(side, 2))) for side in ("abcde", "bcefg"))
    assert ", ".join(sorted(key - response)) in check.numbers
    assert check.numbers.endswith(", ".join(sorted(response - key)))


# Correlation over documents -----------------------------------------------------------------------

PAIRS = [
    ([[0, 1, 2], [3]], [[0, 1, 2], [3]]),
    ([[0, 1, 2], [3]], [[0, 1], [2], [3]]),
    ([[0, 1], [2, 3]], [[0, 1, 2, 3]]),
    ([[0, 1], [2, 3], [4]], [[0, 1], [2, 3, 4]]),
    ([[0, 1, 2, 3]], [[0, 2], [1, 3]]),
    ([[0], [1]], [[0], [1]]),  # nothing for MUC
]


def correlated(pairs=PAIRS, metrics=METRICS, **values):
    key, response = corpora_of(pairs)
    setting = CORRELATION.setting(values, metrics=metrics, key=key, response=response)
    return run(CORRELATION, setting)


@pytest.mark.parametrize("measure", ["recall", "f1"])
def test_the_correlation_is_that_of_the_documents_both_metrics_score(measure):
    outcome = correlated()
    documents = outcome.drawn.set_index(["metric", "other"])["documents"]
    assert (documents["muc", "bcub"], documents["bcub", "bcub"]) == (5, 6)
    table = outcome.table.set_index(["metric", "other", "measure"])["correlation"]
    scores = (
        [float(getattr(oracle.score(m, [_sets(p)], empty=None), measure)) for p in PAIRS[:5]]
        for m in ("muc", "bcub")
    )
    expected = np.corrcoef(*scores)[0, 1]
    assert table["muc", "bcub", measure] == pytest.approx(expected, abs=1e-12)
    assert (("conll", "bcub", measure) in table.index) == (measure == "f1")


def _sets(pair):
    return tuple([frozenset(entity) for entity in side] for side in pair)


def test_the_matrix_is_symmetric_with_ones_and_has_every_metric_and_the_average():
    table = correlated(metrics=(*METRICS, OWN)).drawn
    matrix = table.pivot(index="metric", columns="other", values="correlation")
    assert set(matrix) == {*METRIC_IDS, "conll", "own"}
    assert matrix["own"].isna().all()  # it never varies
    known = matrix.drop(index="own", columns="own").to_numpy()
    assert known == pytest.approx(known.T, abs=1e-12)
    assert np.diag(known) == pytest.approx(1)


def test_the_order_alone_gives_other_numbers():
    pearson, spearman, kendall = (
        correlated(coefficient=name).drawn["correlation"]
        for name in ("pearson", "spearman", "kendall")
    )
    assert not np.allclose(pearson, spearman)
    assert not np.allclose(spearman, kendall)
    with pytest.raises(PolicyError, match="pearson"):
        correlated(coefficient="eye")


# BLANC against the other metrics over the systems of CoNLL: figures, correlations, claims ---------

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


# Pearson's r of F1 over 14 English systems of 2012 and five of 2011, to three decimals, by another
# program
def outcome(**values):
    return run(SYSTEM_SCORES, SYSTEM_SCORES.setting(values))


def rows_of(printed):
    """The lines of a file of printed figures, read by nothing of the project."""
    lines = printed.path.read_text("utf-8").splitlines()
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


def correlated_of_luo2014_systems(coefficient):
    systems = english().values()
    columns = {name: [f1[name] for f1 in systems] for name in (*OTHERS, "blanc")}
    return {name: SCIPY[coefficient](columns[name], columns["blanc"]) for name in OTHERS}


def test_the_table_has_blanc_of_53_participants_and_f1_of_19():
    table = outcome().table
    assert len(table) == 3 * (18 + 35) + 4 * (14 + 5)
    keys = ["task", "language", "system", "metric", "measure"]
    assert not table.duplicated(keys).any()
    by_key = table.set_index(keys)
    assert by_key["score"]["CoNLL-2011", "English", "irwin", "blanc", "recall"] == exactly(0.0362)
    chen = by_key.loc[("CoNLL-2012", "Chinese", "chen", "blanc", "precision")]
    assert chen["score"] == chen["blanc"] == exactly(0.6244)
    yuan = by_key.loc[("CoNLL-2012", "English", "yuan", "muc", "f1")]
    assert (yuan["score"], yuan["blanc"]) == (exactly(0.6255), exactly(0.5211))
    assert "stamborg" not in set(table.query("metric == 'muc'")["system"])


@pytest.mark.parametrize("coefficient", SCIPY)
def test_the_correlations_and_their_p_are_scipys(coefficient):
    table = outcome(coefficient=coefficient).table
    for name, expected in correlated_of_luo2014_systems(coefficient).items():
        rows = table[table["metric"] == name]
        assert rows["correlation"].to_numpy() == pytest.approx(expected.statistic, abs=1e-12)
        assert rows["p"].to_numpy() == pytest.approx(expected.pvalue)
        assert (rows["systems"] == 19).all()
    assert table.loc[table["metric"] == "blanc", "correlation"].isna().all()


def test_blanc_correlates_with_all_four():
    claims = outcome().by_claim
    found = claims["correlates"]
    assert found.holds is True
    assert "F1 over 19 systems: MUC 0.890, B³ 0.974, CEAFₘ 0.977, CEAFₑ 0.961" in found.numbers
    assert claims["most"].numbers == "CEAFₘ 0.977, B³ 0.974, CEAFₑ 0.961, MUC 0.890"


def test_each_system_is_a_point_and_the_correlation_stands_above_its_panel():
    figure = experiment_plots.draw(SYSTEM_SCORES.chart, outcome().drawn)
    assert [trace.name for trace in figure.data] == ["MUC", "B³", "CEAFₘ", "CEAFₑ"]
    for name, trace in zip(OTHERS, figure.data, strict=True):
        expected = sorted((f1[name], f1["blanc"]) for f1 in english().values())
        drawn = sorted(zip(trace.x, trace.y, strict=True))
        assert sum(drawn, ()) == pytest.approx(sum(expected, ()))
    titles = [annotation.text for annotation in figure.layout.annotations]
    names = ("MUC", "B³", "CEAF<sub>m</sub>", "CEAF<sub>e</sub>")
    values = [found.statistic for found in correlated_of_luo2014_systems("pearson").values()]
    assert titles[:4] == [
        f"<b>{name}<br>correlation {value:.2f}</b>"
        for name, value in zip(names, values, strict=True)
    ]
