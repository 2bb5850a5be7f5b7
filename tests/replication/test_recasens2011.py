"""Recasens & Hovy 2011: its experiments, desiderata, tables and toys."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, chain, count, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import InputError, PolicyError
from corescore.bibliography import RECASENS_2011
from corescore.metrics import METRIC_IDS, METRICS, metric_of
from corescore.metrics.variants import weighted_blanc
from corescore.replication import EXPERIMENTS
from corescore.replication.claims import wide
from corescore.replication.experiment import in_paper, run
from corescore.replication.partitions import of_sizes, partitions_of, score_partitions
from corescore.replication.recasens2011.desiderata import (
    ALL,
    ALONE,
    DESIDERATA,
    EIGHT,
    FALLS,
    FIGURE_6,
    LARGE,
    MISSED,
    WRONG,
    drawn_labels,
    repair,
    singletons_set_right,
)
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
)
from tests.support import oracle
from tests.support.own_metric import OWN, exactly
from tests.support.samples import BY_ID
from tests.support.strategies import partition_pairs

# The experiments of Recasens & Hovy 2011: their figures as derivations, their claims' -------------

OF_PAPER = {e.id.removeprefix("recasens2011-"): e for e in EXPERIMENTS if e.paper is RECASENS_2011}


def table_of(name, metrics=METRICS, **values):
    experiment = OF_PAPER[name]
    return run(experiment, experiment.setting(values, metrics=metrics)).table


def in_print(name, *index):
    """The table of an experiment as the paper has it."""
    table = in_paper(OF_PAPER[name]).table
    return table.set_index([*index]).sort_index() if index else table


# Figure 1 -----------------------------------------------------------------------------------------


def test_links_of_a_pair_of_ones_own():
    other = table_of("fig1", key="{ab}{c}", response="{a}{bc}").iloc[0]
    kinds = ["right_coreference", "wrong_coreference"]  # bc; ac and ab
    kinds += ["right_non_coreference", "wrong_non_coreference"]
    assert other[kinds].tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    "text, found",
    [
        ("{ab}{bc}", "two entities"),
        ("{ab", "'{ab'"),
        ("{a}\n{b}", "more than one line"),
        ("", "no document"),
        ("# {a}", "no document"),
    ],
)
def test_a_text_that_is_no_partition_is_refused(text, found):
    with pytest.raises(InputError, match=re.escape(found)):
        OF_PAPER["fig1"].setting({"key": text})


# BLANC with a weight α ----------------------------------------------------------------------------


@given(partition_pairs(), st.floats(0, 1))
def test_blanc_alpha_is_blanc_at_one_half_and_lies_between_its_parts(pair, weight):
    half, other = weighted_blanc(0.5), weighted_blanc(weight)
    metrics = [metric_of("blanc"), half, replace(other, id="other")]
    scores = score_partitions([pair], metrics).set_index("metric")
    assert scores.loc["blanc_0.5", "f1"] == exactly(scores.loc["blanc", "f1"])
    parts = [oracle.ratios(count, empty=Fraction(0)).f1 for count in oracle.blanc(pair)]
    assert min(parts) - 1e-12 <= scores.loc["other", "f1"] <= max(parts) + 1e-12


# Figures 6 and 7 ----------------------------------------------------------------------------------


def test_figure_6_goes_through_every_number_of_right_links():
    outcome = in_paper(OF_PAPER["fig6"])
    table = outcome.drawn
    assert table["metric"].tolist() == [*METRIC_IDS, "conll"] * 11
    orders = outcome.table[outcome.table["order"] != ""]
    assert orders["metric"].tolist() == [*METRIC_IDS, "conll"] * 7 * 6
    assert sorted(set(table["right_coreference"])) == list(range(10 + 1))
    assert (table["low"] <= table["f1"] + 1e-12).all()
    assert (table["f1"] <= table["high"] + 1e-12).all()
    responses = table[table["metric"] == "muc"]["responses"]
    assert responses.sum() == 5 * 3 * 2  # the ways to cut 4, 3 and 2
    blanc = table[table["metric"] == "blanc"].set_index("right_coreference")["f1"]
    n = 2405
    for right in range(11):
        f1_n = Fraction(2 * n, n + 2415 - right)
        assert blanc[right] == exactly((Fraction(2 * right, 10 + right) + f1_n) / 2)


def test_over_all_ways_to_split_the_entities_blanc_is_above_muc_as_often_as_the_note_says():
    key = of_sizes([4, 3, 2, *[1] * 61])
    alone = [[*entity] for entity in key[3:]]
    every = [
        [[[e[m] for m in part] for part in of] for of in partitions_of(len(e))] for e in key[:3]
    ]
    pairs = [(key, [*chain.from_iterable(split), *alone]) for split in product(*every)]
    f1 = wide(score_partitions(pairs, [metric_of("blanc"), metric_of("muc")]), "pair")
    apart = (f1["blanc"] - f1["muc"]).round(9)
    counts = len(apart), int((apart > 0).sum()), int((apart < 0).sum())
    assert counts == (150, 137, 12)
    (equal,) = f1.index[apart == 0]
    assert f1.loc[equal].tolist() == [1, 1]
    (claim,) = (one for one in OF_PAPER["fig6"].claims if one.id == "above-muc")
    assert all(f" {n}" in claim.note for n in counts)


def test_figure_7_is_blanc_of_the_shares():
    table = table_of("fig7", steps=2)
    assert len(table) == 3 * 3
    f1 = table.set_index(["right_coreference", "right_non_coreference"])["f1"]
    assert (f1[0, 0], f1[1, 1]) == (0, 1)
    f1_c = Fraction(2 * 5, 10 + 5)  # half of the ten, nothing wrong beside them
    f1_n = Fraction(2 * 2405, 2405 + 2405 + 5)
    assert f1[0.5, 1] == exactly((f1_c + f1_n) / 2)


# Claims, and metrics of the reader's own ----------------------------------------------------------


@pytest.mark.slow
def test_without_the_six_there_is_nothing_to_tell_their_claims_by():
    told = {}
    for name, experiment in OF_PAPER.items():
        outcome = run(experiment, experiment.setting(metrics=(OWN,)))
        told[name] = {claim for claim, check in outcome.by_claim.items() if check.holds is not None}
    # Links and the Rand index, the weights of BLANC, and the surface bring their own scores
    every = {name: {claim.id for claim in one.claims} for name, one in OF_PAPER.items()}
    assert {name: of for name, of in told.items() if of} == {
        "fig1": {"links"},
        "table1": {"rand-likes-singletons"},
        "table2": every["table2"],
        "fig4-5": {"larger-bag", "rag-bag", "size-against-quantity"},
        "tables8-11": {"rand-order", "rand-close", "errors"},
        "tables12-13": {"leap"},
        "tables14-15": every["tables14-15"],
        "fig7": every["fig7"],
    }


# The desiderata of Recasens & Hovy 2011, §3.2 -----------------------------------------------------


labels = st.lists(st.integers(0, 3), min_size=8, max_size=8)


@given(labels, labels)
def test_a_repair_ends_at_the_key_never_lowers_blanc_and_changes_links_of_one_kind(right, given_):
    """A cut takes wrong coreference links away, a join adds right ones; never both."""
    steps = repair(right, given_)
    key, last = steps[-1]
    assert {frozenset(e) for e in last} == {frozenset(e) for e in key}
    f1 = score_partitions(steps, [metric_of("blanc")])["f1"]
    assert f1.iloc[-1] == 1
    assert (np.diff(f1) >= -1e-12).all()
    links = [[oracle.coreference_links([*map(frozenset, s)]) for s in step] for step in steps]
    counts = [(len(ours & theirs), len(ours - theirs)) for theirs, ours in links]
    for (right_before, wrong_before), (right_after, wrong_after) in pairwise(counts):
        gained, lost = right_after - right_before, wrong_before - wrong_after
        assert (gained > 0 and lost == 0) or (gained == 0 and lost > 0)


def test_desiderata_in_numbers():
    table = in_print("desiderata")
    assert set(table[table["check"] == ALL]["of"]) == {203}  # the sixth Bell number
    found = table.set_index(["check", "metric"])["value"].sort_index()
    assert found[FALLS, "blanc"] == 0
    assert found[FALLS, "ceafe"] > 0
    assert found[EIGHT, "muc"] == Fraction(6, 8)
    # The key of Table 8 has 6 + 3 + 1 links: a wrong link, and a missed one
    assert found[WRONG, "muc"] == exactly(Fraction(2 * 6, 6 + 7))
    assert found[MISSED, "muc"] == exactly(Fraction(2 * 5, 6 + 5))
    # Only the entity of four; recall: 61 + 4 right, 3 mentions of a third and 2 of a half
    recall = Fraction(61 + 4 + 1 + 1, 70)
    assert found[LARGE, "bcub"] == exactly(2 * recall / (1 + recall))
    assert found[LARGE, "muc"] == exactly(Fraction(2 * 3, 6 + 3))
    # BLANC alone rises with each step
    flat = table[table["check"].str.startswith("no rise")].groupby("metric")["value"].sum()
    assert flat["blanc"] == 0
    assert all(flat[metric] > 0 for metric in ("muc", "ceafm", "ceafe", "lea"))


def test_another_seed_draws_other_pairs():
    one, again, other = (table_of("desiderata", pairs=5, seed=seed) for seed in (1, 1, 2))
    assert not one.equals(other)
    assert one.equals(again)


def test_a_singleton_is_set_right_on_its_own():
    key = [[0], [1, 2], [3]]
    (chain,) = singletons_set_right(key, [[0, 1, 2], [3]])
    before, after = (response for _, response in chain)
    assert before == [[0, 1, 2], [3]]
    assert after == [[0], [1, 2], [3]]
    assert [*singletons_set_right(key, key)] == []


def test_without_a_singleton_in_the_key_the_other_steps_are_told():
    seed = next(
        seed
        for seed in count()
        for key, _ in drawn_labels(1, seed)
        if all(key.count(label) > 1 for label in key)
    )
    outcome = run(DESIDERATA, DESIDERATA.setting({"pairs": 1, "seed": seed}))
    assert ALONE not in set(outcome.table["check"])
    rises = outcome.by_claim["rises"]
    assert rises.holds
    assert "singletons" not in rises.numbers


# Tables 2, 8 to 11, 14 and 15, and the curves of Figure 6 -----------------------------------------

LINKS = 70 * 69 // 2


# Table 8 ------------------------------------------------------------------------------------------


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


# Tables 14 and 15 ---------------------------------------------------------------------------------


def test_the_links_of_table_15_add_up():
    links = TABLE_15.numbers.set_index("model").drop(columns=["entities", "singletons"])
    assert set(links.sum(axis=1)) == {41944}
    assert set(links["right_coreference"] + links["wrong_non_coreference"]) == {2272}


# Figures 6 and 7 ----------------------------------------------------------------------------------


def test_each_curve_of_figure_6_adds_mention_after_mention_to_the_entities_in_its_order():
    orders = in_paper(FIGURE_6).table.query("order != '' and metric == 'muc'")
    for order, rows in orders.groupby("order"):
        sizes = [int(size) for size in order.split(", ")]
        added = [0, *(n for size in sizes for n in range(1, size))]
        assert rows["right_coreference"].tolist() == [*accumulate(added)]
        # n of MUC's six links
        assert rows["f1"].tolist() == [exactly(Fraction(2 * n, n + 6)) for n in range(len(added))]


# Toys (§3, §4.1.2, Tables 12 and 13) --------------------------------------------------------------

TABLE_1, FIGURES, TABLE_13 = (
    BY_ID[f"recasens2011-{name}"] for name in ("table1", "fig4-5", "tables12-13")
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
