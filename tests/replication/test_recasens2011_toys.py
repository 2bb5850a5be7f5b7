"""Toys of Recasens & Hovy 2011 (§3, §4.1.2, Tables 12 and 13): their figures as derivations."""

import re
from fractions import Fraction
from math import log2

import pytest

from corescore import PolicyError
from corescore.metrics import METRICS
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import in_paper, run
from corescore.replication.partitions import partitions_of, score_partitions
from corescore.replication.recasens2011.blanc import read_weights
from corescore.replication.recasens2011.errata import _OF_SECTION_3, _OPEN_IN_SECTION_3
from corescore.replication.recasens2011.figures import KEY, RESPONSES
from tests.support import oracle
from tests.support.half import exactly

OF_PAPER = {e.id: e for e in EXPERIMENTS if e.paper.name == "Recasens & Hovy 2011"}
TABLE_1, FIGURES, TABLE_13, BOUNDARIES = (
    OF_PAPER[f"recasens2011-{name}"] for name in ("table1", "fig4-5", "tables12-13", "boundaries")
)


def f1_of(outcome):
    return outcome.table.set_index(["metric", "response"])["f1"]


def table_13(**values):
    experiment = OF_PAPER["recasens2011-tables12-13"]
    return run(experiment, experiment.setting(values))


# Table 1 ------------------------------------------------------------------------------------------


def test_table_1_comes_out_but_for_one_figure_and_column_h():
    f1 = f1_of(in_paper(TABLE_1))
    assert f1["links", "b"] == exactly(Fraction(42, 67))
    assert f1["rand", "d"] == exactly(1 - Fraction(21, 66))
    check = in_paper(TABLE_1).by_claim["as-printed"]
    assert check.holds is False
    assert check.numbers == "17 of 18 numbers match; Links of b is 62.69, the paper prints 63.6"
    beside = in_paper(TABLE_1).beside(in_paper(TABLE_1).experiment.printed[0])
    off = beside[beside["differs"]]
    assert {*zip(off["metric"], off["response"], strict=True)} == {
        ("links", "b"),
        ("h", "a"),
        ("h", "b"),
        ("h", "d"),
    }


def test_a_dash_and_an_empty_cell_are_shown_as_they_are_printed():
    cells = (
        in_paper(TABLE_1)
        .beside(in_paper(TABLE_1).experiment.printed[0])
        .set_index(["metric", "response"])
    )
    assert cells.loc[("muc", "d"), "printed"] == "—"
    assert cells.loc[("links", "d"), "printed"] == ""
    assert not cells.loc[[("muc", "d"), ("links", "d")], "differs"].any()


def test_mutual_information_by_each_side():
    """I of response b is the entropy of b, {10, 2}, as b only merges."""
    of_b = (10 * log2(12 / 10) + 2 * log2(12 / 2)) / 12
    of_key = (10 * log2(12 / 5) + 2 * log2(12 / 2)) / 12
    f1 = f1_of(in_paper(TABLE_1))
    assert f1["h", "b"] == pytest.approx(2 * of_b / (of_key + of_b))
    assert f1["h", "d"] == pytest.approx(2 * of_key / (of_key + log2(12)))
    assert f1["h", "c"] == 0


def test_a_moved_mention_costs_muc_one_link_each_way_and_merging_one_of_precision():
    rows = in_paper(TABLE_1).table[in_paper(TABLE_1).table["metric"] == "muc"].set_index("response")
    errors = rows[["recall_errors", "precision_errors"]]
    assert errors.loc["moved"].tolist() == [1, 1]
    assert errors.loc["a"].tolist() == [0, 1]
    assert errors.loc["d"].tolist() == [9, 0]


def test_what_holds_of_table_1_and_what_does_not():
    told = {claim.id: check.holds for claim, check in in_paper(TABLE_1).checks}
    assert {name for name, holds in told.items() if not holds} == {"as-printed", "merged-entities"}


def test_every_response_has_the_mentions_of_the_key():
    mentions = sorted(m for entity in KEY for m in entity)
    for response in RESPONSES.values():
        assert sorted(m for entity in response for m in entity) == mentions


@pytest.mark.parametrize(
    "erratum", [*_OF_SECTION_3, *_OPEN_IN_SECTION_3], ids=lambda erratum: erratum.id
)
def test_an_erratum_is_off_and_its_numbers_are_those_of_the_arithmetic(erratum):
    check = erratum.arithmetic()
    assert not check.holds
    said = re.findall(r"\d+\.\d+", f"{erratum.printed} {erratum.computed}")
    assert [number for number in said if number not in check.numbers] == []


# Figures 4 and 5 ----------------------------------------------------------------------------------


def figure_f1(figure, response, metric):
    rows = in_paper(FIGURES).table.set_index(["figure", "response", "metric"])["f1"]
    return rows[figure, response, metric]


def test_the_links_of_figures_4_and_5():
    rows = in_paper(FIGURES).table.drop_duplicates(["figure", "response"])
    links = rows.set_index(["figure", "response"])[["wrong_coreference", "wrong_non_coreference"]]
    assert links.loc[("Figure 4", "S1")].tolist() == [3, 0]
    assert links.loc[("Figure 4", "S2")].tolist() == [4 * 3 // 2, 0]
    assert links.loc[("Figure 4, more singletons", "S2")].tolist() == [7 * 6 // 2, 0]
    assert (
        links.loc[("Figure 5", "S1")].tolist() == links.loc[("Figure 5", "S2")].tolist() == [0, 2]
    )


def test_bcub_prefers_the_rag_bag_only_where_both_responses_have_one():
    # Precision, of seven mentions; recall is 1: {abcd}{e}{f}{g}, {abcd}{efg}, {abc}{defg}
    one = Fraction(3 * 3 + 1, 4) + 3
    both = Fraction(3 * 3 + 1, 4) + Fraction(3, 3)
    bag = 3 + Fraction(4, 4)
    for figure, response, precision in (
        ("Figure 4", "S1", one / 7),
        ("Figure 4", "S2", bag / 7),
        ("Figure 4, mixed in both", "S1", both / 7),
        ("Figure 4, mixed in both", "S2", bag / 7),
    ):
        expected = 2 * precision / (1 + precision)
        assert figure_f1(figure, response, "bcub") == exactly(expected)
    assert one > bag > both


def test_blanc_scores_both_responses_of_figure_5_alike():
    # 3 of 5 links, 16 of 16 key pairs and of 18 response pairs apart
    expected = (Fraction(6, 8) + Fraction(32, 34)) / 2
    assert figure_f1("Figure 5", "S1", "blanc") == exactly(expected)
    assert figure_f1("Figure 5", "S2", "blanc") == exactly(expected)


# Tables 12 and 13 ---------------------------------------------------------------------------------


def test_all_figures_of_table_13_come_out():
    assert in_paper(TABLE_13).by_claim["as-printed"].numbers == "23 of 23 numbers match"


def test_blanc_alpha_weighs_the_two_parts():
    f1 = f1_of(in_paper(TABLE_13))
    pairs = 18 * 17 // 2
    apart = pairs - 1
    missed = Fraction(2 * apart, apart + pairs)  # A; F of the coreference links is 0
    assert f1["blanc", "A"] == exactly(missed / 2)
    assert f1["blanc_0.2", "A"] == exactly(Fraction(8, 10) * missed)
    found = Fraction(2, 1 + 2)  # D has the link, and a wrong one
    beside = Fraction(2 * (apart - 1), apart + apart - 1)
    assert f1["blanc", "D"] == exactly((found + beside) / 2)
    assert f1["blanc_0.1", "D"] == exactly(Fraction(1, 10) * found + Fraction(9, 10) * beside)


def test_finding_the_link_with_a_wrong_one_beside_it_earns_nothing_but_under_muc_and_blanc():
    f1 = f1_of(in_paper(TABLE_13))
    assert f1["bcub", "A"] == f1["bcub", "D"] == exactly(Fraction(34, 35))  # 17/18 and 18/18
    assert f1["ceafm", "A"] == f1["ceafm", "D"] == exactly(Fraction(17, 18))
    assert f1["lea", "A"] == exactly(f1["lea", "D"])
    assert f1["ceafe", "A"] > f1["ceafe", "D"]
    assert f1["muc", "D"] == exactly(Fraction(2, 3))


def test_the_weights_and_the_number_of_mentions_can_be_chosen():
    f1 = f1_of(table_13(alpha="1, 0", mentions=9))
    assert f1["blanc_1.0", "D"] == exactly(Fraction(2 * 1, 1 + 2))
    assert f1["blanc_0.0", "D"] == exactly(Fraction(2 * 34, 35 + 34))  # of C(9, 2) = 36 pairs


def test_one_weight_cannot_tell_whether_the_leap_shrinks():
    assert table_13(alpha="0.5").by_claim["leap"].holds is None


@pytest.mark.parametrize("text", ["", "half", "0.5 2", "-0.1", "nan", " ".join(["0.5"] * 11)])
def test_weights_that_are_none_are_refused(text):
    with pytest.raises(PolicyError, match="from 0 to 1"):
        read_weights(text)


def test_the_figures_hold_in_print_too():
    in_print = {claim.id: check.printed for claim, check in in_paper(TABLE_13).checks}
    assert {name for name, check in in_print.items() if check and check.holds} == {
        "leap",
        "muc-rises-more",
        "a-and-d-alike",
        "b-above-c",
    }


def test_the_six_are_scored():
    assert {metric.id for metric in METRICS} <= {*in_paper(TABLE_13).table["metric"]}


# Boundary cases -----------------------------------------------------------------------------------


def test_the_boundary_cases():
    f1 = in_paper(BOUNDARIES).table.set_index(["metric", "key", "response"])["f1"]["blanc"]
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


def test_no_partition_without_the_only_link_is_above_half():
    key = [[0, 1], *([mention] for mention in range(2, 6))]
    every = [(key, p) for p in partitions_of(6) if not any({0, 1} <= {*entity} for entity in p)]
    scores = score_partitions(every, [metric for metric in METRICS if metric.id == "blanc"])
    assert len(every) == 203 - 52  # Bell numbers: all, less those that have the link
    # at most 14 of 14 key and of 15 response pairs apart
    assert scores["f1"].max() == exactly(Fraction(2 * 14, 14 + 15) / 2)


def test_only_one_entity_has_no_correct_non_coreference_link():
    key = [[0, 1, 2], [3], [4]]
    apart = {frozenset((m, n)) for m in range(5) for n in range(m)} - set(
        oracle.coreference_links([frozenset(e) for e in key])
    )
    without = [
        p
        for p in partitions_of(5)
        if apart <= set(oracle.coreference_links([frozenset(e) for e in p]))
    ]
    assert [len(p) for p in without] == [1]
