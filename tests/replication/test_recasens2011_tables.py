"""Recasens & Hovy 2011: tables and toys."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import PolicyError
from corescore.metrics import METRICS
from corescore.replication.experiment import in_paper, run
from corescore.replication.partitions import of_sizes, score_partitions
from corescore.replication.recasens2011.desiderata import FIGURE_6
from corescore.replication.recasens2011.tables import (
    TABLE_15,
    blanc_alone,
    unlinked,
)
from corescore.replication.recasens2011.toys import (
    SYSTEMS,
    TABLES_8_TO_11,
    eight_systems,
    read_weights,
    table_8,
)
from tests.support.own_metric import exactly
from tests.support.samples import BY_ID

# Recasens & Hovy 2011, Tables 2, 3, 8 to 11, 14 to 16, Figures 6 and 7, and their errata ----------

LINKS = 70 * 69 // 2


# Table 8 ------------------------------------------------------------------------------------------


def test_the_links_of_table_8_are_those_in_words():
    sides = {name: {frozenset(e) for e in side} for name, side in table_8().items()}
    assert list(sides) == ["Gold", *SYSTEMS]
    for side in sides.values():
        assert sorted(m for entity in side for m in entity) == list(range(1, 71))
    key = sides["Gold"]
    assert sides["A"] - key == {frozenset({1, 2})}
    assert sides["B"] - key == {frozenset({1, 62, 63, 64, 65})}
    assert sides["D"] - key == {frozenset(range(62, 69))}
    assert {len(entity) for entity in sides["E"] - key} == {3}
    assert len(sides["F"] - key) == 4


@pytest.mark.parametrize("n", [4, 61, 90])
def test_another_number_of_singletons_leaves_the_errors_alone(n):
    """All links but those of H stay wrong or missing as they are."""
    more = dict(zip("ABCDEFGH", (2, 2, 5, 2, 2, 2, 9, 1 - n), strict=True))
    for name, (key, response) in zip(SYSTEMS, eight_systems(n), strict=True):
        assert [len(entity) for entity in key].count(1) == n
        assert sorted(m for entity in response for m in entity) == list(range(n + 9))
        assert len(response) == n + more[name]


# Tables 9 to 11 -----------------------------------------------------------------------------------


def test_a_claim_can_fail_with_other_singletons():
    """With four singletons the Rand index is not squeezed any more."""
    outcome = run(TABLES_8_TO_11, TABLES_8_TO_11.setting({"singletons": 4}))
    checks = outcome.by_claim
    assert checks["rand-close"].holds is False
    assert checks["blanc-order"].holds is not None


# Table 2 ------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 5), min_size=2, max_size=8))
def test_a_response_that_links_nothing_scores_by_entities_and_mentions_alone(sizes):
    """And its BLANC follows from that of one entity."""
    key = of_sizes(sizes)
    mentions = [mention for entity in key for mention in entity]
    pairs = [(key, [[mention] for mention in mentions]), (key, [mentions])]
    wanted = [metric for metric in METRICS if metric.id in ("bcub", "ceafm", "blanc")]
    scores = score_partitions(pairs, wanted).set_index(["metric", "pair"])["f1"]
    for name, expected in unlinked(len(key), len(mentions)).items():
        assert scores[name, 0] == pytest.approx(expected, abs=1e-12)
    if max(sizes) > 1:
        assert blanc_alone(scores["blanc", 1]) == pytest.approx(scores["blanc", 0], abs=1e-12)


# Tables 3 and 16 ----------------------------------------------------------------------------------


# Tables 14 and 15 ---------------------------------------------------------------------------------


def test_the_links_of_table_15_add_up():
    links = TABLE_15.numbers.set_index("model").drop(columns=["entities", "singletons"])
    assert set(links.sum(axis=1)) == {41944}
    assert set(links["right_coreference"] + links["wrong_non_coreference"]) == {2272}


# Figures 6 and 7 ----------------------------------------------------------------------------------


def blanc(right, wrong_n=0):
    """With so many of the ten coreference links, and so many non-coreference links wrong."""
    n = LINKS - 10
    missed = 10 - right
    f1_c = Fraction(2 * right, 10 + right + wrong_n)
    f1_n = Fraction(2 * (n - wrong_n), n + (n - wrong_n) + missed)
    return (f1_c + f1_n) / 2


def test_blanc_is_above_muc_on_each_curve_on_which_mentions_are_added():
    outcome = run(FIGURE_6)
    check = outcome.by_claim["above-muc"]
    assert check.holds is True
    orders = outcome.table[outcome.table["order"] != ""]
    closest = []
    for order, rows in orders.groupby("order"):
        links = rows[rows["metric"] == "muc"].set_index("right_coreference")["f1"]
        sizes = [int(size) for size in order.split(", ")]
        added = [0, *(n for size in sizes for n in range(1, size))]
        assert links.index.tolist() == [sum(added[: n + 1]) for n in range(len(added))]
        for n, (right, muc) in enumerate(links.items()):
            assert muc == exactly(Fraction(2 * n, n + 6))  # n of MUC's six links
            closest.append((blanc(right) - Fraction(2 * n, n + 6), right))
    assert min(apart for apart, right in closest if right < 10) > 0


# Toys of Recasens & Hovy 2011 (§3, §4.1.2, Tables 12 and 13): their figures as --------------------

TABLE_1, FIGURES, TABLE_13, BOUNDARIES = (
    BY_ID[f"recasens2011-{name}"] for name in ("table1", "fig4-5", "tables12-13", "boundaries")
)


def f1_of(outcome, *columns):
    return outcome.table.set_index([*columns])["f1"]


def table_13(**values):
    return run(TABLE_13, TABLE_13.setting(values))


# Table 1 ------------------------------------------------------------------------------------------


def test_a_dash_is_printed_and_an_empty_cell_is_not():
    cells = in_paper(TABLE_1).beside(TABLE_1.printed[0]).set_index(["metric", "response"])
    dash, empty = (cells.loc[(metric, "d"), "printed"] for metric in ("muc", "links"))
    assert (dash, empty) == ("—", "")


# Figures 4 and 5 ----------------------------------------------------------------------------------


def test_the_links_of_figures_4_and_5():
    rows = in_paper(FIGURES).table.drop_duplicates(["figure", "response"])
    links = rows.set_index(["figure", "response"])[["wrong_coreference", "wrong_non_coreference"]]
    for figure, response, wrong, missed in (
        ("Figure 4", "S1", 3, 0),
        ("Figure 4", "S2", 4 * 3 // 2, 0),
        ("Figure 4, more singletons", "S2", 7 * 6 // 2, 0),
        ("Figure 5", "S1", 0, 2),
        ("Figure 5", "S2", 0, 2),
    ):
        assert links.loc[(figure, response)].tolist() == [wrong, missed]


# Tables 12 and 13 ---------------------------------------------------------------------------------


def test_the_weights_and_the_number_of_mentions_can_be_chosen():
    f1 = f1_of(table_13(alpha="1, 0", mentions=9), "metric", "response")
    assert f1["blanc_1.0", "D"] == exactly(Fraction(2 * 1, 1 + 2))
    assert f1["blanc_0.0", "D"] == exactly(Fraction(2 * 34, 35 + 34))  # of C(9, 2) = 36 pairs
    assert table_13(alpha="0.5").by_claim["leap"].holds is None  # whether it shrinks


@pytest.mark.parametrize("text", ["", "half", "0.5 2", "-0.1", "nan", " ".join(["0.5"] * 11)])
def test_weights_that_are_none_are_refused(text):
    with pytest.raises(PolicyError, match="from 0 to 1"):
        read_weights(text)


# Boundary cases -----------------------------------------------------------------------------------


def test_the_boundary_cases():
    f1 = f1_of(in_paper(BOUNDARIES), "metric", "key", "response")["blanc"]
    one, alone, both = "one entity", "all singletons", "both"
    assert f1[one, one] == f1[alone, alone] == 1
    assert f1[one, alone] == f1[alone, one] == 0
    # C(5, 2) links of ten mentions' 45; the response of two entities has C(2, 2) + C(8, 2)
    assert f1[both, one] == exactly(Fraction(2 * 10, 10 + 45) / 2)
    assert f1[both, alone] == exactly(Fraction(2 * 35, 35 + 45) / 2)
    assert f1[one, both] == exactly(Fraction(2 * 29, 45 + 29))
    assert f1[alone, both] == exactly(Fraction(2 * 16, 45 + 16))
    # one link of 45; the response has another
    assert f1["one link", "a wrong pair"] == exactly(Fraction(2 * 43, 44 + 44) / 2)
