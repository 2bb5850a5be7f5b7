"""Recasens & Hovy 2011: tables and toys."""

from fractions import Fraction
from itertools import pairwise
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import PolicyError
from corescore.metrics import METRICS
from corescore.replication.experiment import in_paper, run
from corescore.replication.partitions import of_sizes, score_partitions
from corescore.replication.recasens2011.desiderata import FIGURE_6
from corescore.replication.recasens2011.tables import (
    TABLE_2,
    TABLE_15,
    TABLES_3_AND_16,
    TABLES_14_AND_15,
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


def test_every_figure_of_tables_9_to_11_comes_out():
    outcome = in_paper(TABLES_8_TO_11)
    for printed, n in zip(TABLES_8_TO_11.printed, (8 * 6, 39, 54 + 8), strict=True):
        beside = outcome.beside(printed)
        told = beside[beside["printed"] != ""]
        assert len(told) == n
        assert told["computed"].notna().all()
        assert not told["differs"].any()
    rand = f1_of(outcome, "metric", "response")["rand"]  # the share of right links
    assert rand["E"] == exactly(Fraction(LINKS - 4 - 4, LINKS))
    assert rand["H"] == exactly(Fraction(10, LINKS))


def test_a_claim_can_fail_with_other_singletons():
    """With four singletons the Rand index is not squeezed any more."""
    outcome = run(TABLES_8_TO_11, TABLES_8_TO_11.setting({"singletons": 4}))
    checks = outcome.by_claim
    assert checks["rand-close"].holds is False
    assert checks["blanc-order"].holds is not None


# Table 2 ------------------------------------------------------------------------------------------


def test_the_shares_of_table_2_are_of_all_entities():
    table = in_paper(TABLE_2).table
    rows = table.set_index(["corpus", "size"])
    assert rows.loc[("ACE-2004", "Singletons"), "share"] == exactly(Fraction(7305, 11989))
    assert rows.loc[("AnCora-Es", "2-mention"), "share"] == exactly(Fraction(4825, 64421))
    of_ace = 7305 + 2126 + 858 + 479 + 287 + 567 + 367
    assert rows.loc[("ACE-2004", "Entities"), "count"] == of_ace == 11989


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


def test_figures_of_a_baseline_follow_from_others():
    outcome = in_paper(TABLES_3_AND_16)
    f1 = f1_of(outcome, "corpus", "system", "metric").sort_index()
    alone = f1["ACE-2", "All-singletons baseline"]
    assert alone["bcub"] == exactly(Fraction(2 * 388, 1000 + 388))
    assert alone["blanc"] == exactly(Fraction(1000 - 2 * 78, 2000 - 3 * 78))
    assert f1.notna().sum() == 2 + 2


# Tables 14 and 15 ---------------------------------------------------------------------------------

MUC = {"B": (280, 1124), "C": (468, 735), "D": (405, 867), "E": (574, 550)}  # links, entities


def test_blanc_of_the_five_models_follows_from_their_links():
    table = in_paper(TABLES_14_AND_15).table
    f1 = table[table["metric"] == "blanc"].set_index("model")["f1"]
    f1_c = Fraction(2 * 1757, (1757 + 4753) + (1757 + 515))
    f1_n = Fraction(2 * 34919, (34919 + 515) + (34919 + 4753))
    assert f1["E. Weak match"] == exactly((f1_c + f1_n) / 2)
    assert f1["A. All-singletons baseline"] == exactly(Fraction(39672, 39672 + 41944))


def test_muc_and_ceaf_are_the_nearest_fractions_of_whole_numbers():
    table = in_paper(TABLES_14_AND_15).table
    table["letter"] = table["model"].str[0]
    rows = table.set_index(["metric", "letter"])
    for letter, (correct, entities) in MUC.items():
        row = rows.loc[("muc", letter)]
        assert (row["correct"], row["of"]) == (correct, 1464 - 746)
        assert row["f1"] == exactly(Fraction(2 * correct, (1464 - 746) + (1464 - entities)))
    counts = {"A": 746, "B": 973, "C": 1034, "D": 1013, "E": 937}
    assert rows.loc["ceafm"]["correct"].to_dict() == counts
    assert rows.loc[("ceafm", "D"), "f1"] == exactly(Fraction(1013, 1464))
    assert rows.loc[("bcub", "A"), "f1"] == exactly(Fraction(2 * 746, 1464 + 746))


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


def test_each_further_link_adds_less():
    gains = [blanc(k + 1) - blanc(k) for k in range(10)]
    assert all(later < earlier for earlier, later in pairwise(gains))
    check = in_paper(FIGURE_6).by_claim["slope"]
    assert check.holds is False
    first, last = (f"{100 * float(gain):.2f} points" for gain in (gains[0], gains[-1]))
    assert check.numbers == f"the first link adds {first}, the last of 10 adds {last}"


def test_muc_is_above_blanc_for_some_choices_of_links_and_not_for_others():
    """2 + 2 of the entity of 4 and the others whole: 2 + 3 + 1 of the links, 5 of MUC's 6."""
    muc = Fraction(2 * 5, 5 + 6)
    assert muc > blanc(6)
    outcome = in_paper(FIGURE_6)
    rows = outcome.drawn.set_index(["metric", "right_coreference"])
    assert rows.loc[("muc", 6), "high"] == exactly(muc)
    assert all(rows.loc[("muc", n), "low"] <= blanc(n) + 1e-12 for n in range(11))
    assert outcome.by_claim["below-others"].holds is True


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


def test_mutual_information_by_each_side_and_errors_in_links():
    """I of response b is the entropy of b, {10, 2}, as b only merges."""
    of_b = (10 * log2(12 / 10) + 2 * log2(12 / 2)) / 12
    of_key = (10 * log2(12 / 5) + 2 * log2(12 / 2)) / 12
    f1 = f1_of(in_paper(TABLE_1), "metric", "response")["h"]
    assert f1["b"] == pytest.approx(2 * of_b / (of_key + of_b))
    assert f1["d"] == pytest.approx(2 * of_key / (of_key + log2(12)))
    assert f1["c"] == 0
    table = in_paper(TABLE_1).table
    rows = table[table["metric"] == "muc"].set_index("response")
    errors = rows[["recall_errors", "precision_errors"]].T.to_dict("list")
    # a moved mention costs MUC one link each way, merging one of precision
    assert (errors["moved"], errors["a"], errors["d"]) == ([1, 1], [0, 1], [9, 0])


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
