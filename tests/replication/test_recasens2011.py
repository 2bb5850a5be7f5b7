"""The experiments of Recasens & Hovy 2011: their figures as derivations, their claims' checks."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import InputError
from corescore.metrics import METRICS, metric_of
from corescore.metrics.variants import weighted_blanc
from corescore.replication import EXPERIMENTS
from corescore.replication.claims import wide
from corescore.replication.experiment import in_paper, run
from corescore.replication.partitions import of_sizes, partitions_of, score_partitions, toy_pair
from corescore.replication.recasens2011.blanc import SYSTEMS, eight_systems
from tests.support import oracle
from tests.support.half import OWN, exactly
from tests.support.strategies import partition_pairs

OF_PAPER = {e.id: e for e in EXPERIMENTS if e.paper.name == "Recasens & Hovy 2011"}
SIX = [metric.id for metric in METRICS]


@pytest.fixture(scope="module")
def outcomes():
    return {name: in_paper(experiment) for name, experiment in OF_PAPER.items()}


def table_of(name, metrics=METRICS, **values):
    experiment = OF_PAPER[name]
    return run(experiment, experiment.setting(values, metrics=metrics)).table


def f1_of(table, *names):
    """F1 by the columns named; a plain index where there is one."""
    return table.set_index(list(names))["f1"]


def harmonic(recall, precision):
    return 2 * recall * precision / (recall + precision)


# Figure 1 -----------------------------------------------------------------------------------------


def test_figure_1_comes_out(outcomes):
    f1 = f1_of(outcomes["recasens2011-fig1"].table, "metric")
    bcub = harmonic(
        (7 + 2 + Fraction(4, 2) + Fraction(4 + 1, 3)) / 14,
        (7 + Fraction(1 + 1, 2) + Fraction(4, 2) + Fraction(4 + 1, 3)) / 14,
    )
    assert f1["muc"] == exactly(Fraction(2 * (1 + 1), (1 + 2) + (1 + 1 + 2)))
    assert f1["bcub"] == exactly(bcub)
    assert f1["ceafm"] == exactly(Fraction(7 + 1 + 2 + 2, 14))
    assert f1["blanc"] == exactly(
        (Fraction(2 * 2, (2 + 2) + (2 + 3)) + Fraction(2 * 84, (84 + 3) + (84 + 2))) / 2
    )


def test_figure_1_with_another_response_has_other_links():
    table = table_of("recasens2011-fig1", key="{ab}{c}", response="{a}{bc}")
    links = table.iloc[0][["right_coreference", "wrong_coreference"]].tolist()
    assert links == [0, 1]
    assert set(table["right_non_coreference"]) == {1}  # ac
    assert set(table["wrong_non_coreference"]) == {1}  # ab


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{ab}{bc}", "two entities"),
        ("{ab", "'{ab'"),
        ("{a}\n{b}", "more than one line"),
        ("", "no document"),
        ("# {a}", "no document"),
    ],
)
def test_a_text_that_is_no_partition_is_refused(text, found):
    with pytest.raises(InputError, match=r".") as caught:
        OF_PAPER["recasens2011-fig1"].setting({"key": text})
    assert found in str(caught.value)


def test_the_same_name_is_the_same_mention_on_both_sides():
    assert toy_pair("{b a}{long}", "{long}{c}") == ([[0, 1], [2]], [[2], [3]])


# Tables 8 to 11 -----------------------------------------------------------------------------------

# (right, wrong) coreference links of A to H; the key has 6 + 3 + 1 of C(70, 2) = 2415
SYSTEM_LINKS = {
    "A": (10, 1),
    "B": (10, 4),
    "C": (10 - 3, 0),
    "D": (10, 4 * 3),
    "E": (10 - 4, 2 * 2),
    "F": (10 - 6, 4),
    "G": (0, 0),
    "H": (10, 2415 - 10),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_blanc_of_the_eight_systems(name, outcomes):
    right, wrong = SYSTEM_LINKS[name]
    n = 2415 - 10
    f1_c = Fraction(2 * right, 10 + right + wrong)
    f1_n = Fraction(2 * (n - wrong), n + (2415 - right - wrong))
    table = outcomes["recasens2011-tables8-11"].table
    row = table[(table["response"] == name) & (table["metric"] == "blanc")].iloc[0]
    assert row["f1"] == exactly((f1_c + f1_n) / 2)
    assert (row["right_coreference"], row["wrong_coreference"]) == (right, wrong)
    assert row["right_non_coreference"] == n - wrong
    assert row["wrong_non_coreference"] == 10 - right


def test_every_system_partitions_the_mentions_of_the_key():
    for key, response in eight_systems(n_singletons=7):
        mentions = sorted(m for entity in response for m in entity)
        assert mentions == sorted(m for entity in key for m in entity) == list(range(16))


def test_fewer_singletons_lower_bcub_and_leave_muc():
    many, few = (
        f1_of(table_of("recasens2011-tables8-11", singletons=n), "metric", "response")
        for n in (61, 4)
    )
    assert few["bcub", "D"] < many["bcub", "D"]
    assert few["muc"].drop("H").to_dict() == many["muc"].drop("H").to_dict()


# BLANC with a weight α ----------------------------------------------------------------------------


@given(partition_pairs(), st.floats(0, 1))
def test_blanc_alpha_is_blanc_at_one_half_and_lies_between_its_parts(pair, weight):
    half, other = weighted_blanc(0.5), weighted_blanc(weight)
    blanc = next(metric for metric in METRICS if metric.id == "blanc")
    metrics = [blanc, half, replace(other, id="other")]
    scores = score_partitions([pair], metrics).set_index("metric")
    assert scores.loc["blanc_0.5", "f1"] == exactly(scores.loc["blanc", "f1"])
    parts = [oracle.ratios(count, empty=Fraction(0)).f1 for count in oracle.blanc(pair)]
    assert min(parts) - 1e-12 <= scores.loc["other", "f1"] <= max(parts) + 1e-12


# Figures 6 and 7 ----------------------------------------------------------------------------------


def test_figure_6_goes_through_every_number_of_right_links(outcomes):
    table = outcomes["recasens2011-fig6"].drawn
    assert sorted(set(table["right_coreference"])) == list(range(10 + 1))
    assert (table["low"] <= table["f1"] + 1e-12).all()
    assert (table["f1"] <= table["high"] + 1e-12).all()
    responses = table[table["metric"] == "muc"]["responses"]
    assert responses.sum() == 5 * 3 * 2  # the ways to cut 4, 3 and 2
    blanc = f1_of(table[table["metric"] == "blanc"], "right_coreference")
    n = 2405
    for right in range(11):
        f1_n = Fraction(2 * n, n + 2415 - right)
        assert blanc[right] == exactly((Fraction(2 * right, 10 + right) + f1_n) / 2)


def test_over_all_ways_to_split_the_entities_blanc_is_above_muc_as_often_as_the_note_says(outcomes):
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
    (claim,) = (one for one, _ in outcomes["recasens2011-fig6"].checks if one.id == "above-muc")
    assert all(f" {n}" in claim.note for n in counts)


def test_figure_6_lists_the_metrics_in_their_order(outcomes):
    outcome = outcomes["recasens2011-fig6"]
    assert outcome.drawn["metric"].tolist() == [*SIX, "conll"] * 11
    orders = outcome.table[outcome.table["order"] != ""]
    assert orders["metric"].tolist() == [*SIX, "conll"] * 7 * 6


def test_figure_7_is_blanc_of_the_shares():
    table = table_of("recasens2011-fig7", steps=2)
    assert len(table) == 3 * 3
    f1 = f1_of(table, "right_coreference", "right_non_coreference")
    assert (f1[0, 0], f1[1, 1]) == (0, 1)
    f1_c = Fraction(2 * 5, 10 + 5)  # half of the ten, nothing wrong beside them
    f1_n = Fraction(2 * 2405, 2405 + 2405 + 5)
    assert f1[0.5, 1] == exactly((f1_c + f1_n) / 2)


# Claims, and metrics of the reader's own ----------------------------------------------------------

FALSE = {
    ("recasens2011-table1", "as-printed"),
    ("recasens2011-table1", "merged-entities"),
    ("recasens2011-fig4-5", "bcub-prefers-rag-bag"),
    ("recasens2011-fig6", "slope"),
    ("recasens2011-fig7", "front-face"),
    ("recasens2011-desiderata", "precision-weighs-more"),
    ("recasens2011-desiderata", "fine"),
}
# What needs responses that are not public: only the printed figures tell.
IN_PRINT = {
    *(
        ("recasens2011-tables3-16", claim)
        for claim in ("one-entity", "not-alike", "luo-first", "closer")
    ),
    *(("recasens2011-tables14-15", claim) for claim in ("no-two-alike", "first", "conservative")),
}
# These have scores of their own, or published ones, and do not score by the reader's metrics.
OWN_SCORES = (
    *("recasens2011-fig7", "recasens2011-table2"),
    *("recasens2011-tables3-16", "recasens2011-tables14-15"),
)


@pytest.mark.parametrize("name", OF_PAPER)
def test_the_claims_hold_but_for_those_known_not_to(name, outcomes):
    checks = {(name, claim): check for claim, check in outcomes[name].by_claim.items()}
    assert checks
    assert all(check.numbers for check in checks.values())
    in_print = IN_PRINT & set(checks)
    assert {claim for claim, check in checks.items() if check.holds is None} == in_print
    assert all(checks[claim].printed.holds for claim in in_print)
    assert {claim for claim, check in checks.items() if check.holds is False} == FALSE & set(checks)


@pytest.mark.parametrize("name", [n for n in OF_PAPER if n not in OWN_SCORES])
def test_a_metric_of_ones_own_stands_beside_the_six(name, outcomes):
    with_own = table_of(name, metrics=(*METRICS, OWN))
    assert set(with_own["metric"]) == set(outcomes[name].table["metric"]) | {"own"}
    if "f1" in with_own:
        assert set(with_own[with_own["metric"] == "own"]["f1"]) == {0.5}


@pytest.mark.slow
def test_without_the_six_there_is_nothing_to_tell_their_claims_by(outcomes):
    told = {}
    for name, experiment in OF_PAPER.items():
        outcome = run(experiment, experiment.setting(metrics=(OWN,)))
        told[name] = {claim for claim, check in outcome.by_claim.items() if check.holds is not None}
    # Links and the Rand index, the weights of BLANC, and the surface bring their own scores
    every = {name: set(outcome.by_claim) for name, outcome in outcomes.items()}
    assert told == {
        "recasens2011-fig1": {"links"},
        "recasens2011-table1": {"as-printed", "no-normalisation", "rand-likes-singletons"},
        "recasens2011-table2": every["recasens2011-table2"],
        "recasens2011-tables3-16": {"baselines", "repeated"},
        "recasens2011-fig4-5": {"larger-bag", "rag-bag", "size-against-quantity"},
        "recasens2011-tables8-11": {
            *("rand-order", "rand-close", "errors"),
            *("printed-9", "printed-10"),
        },
        "recasens2011-tables12-13": {"as-printed", "leap"},
        "recasens2011-tables14-15": every["recasens2011-tables14-15"]
        - {"no-two-alike", "first", "conservative"},
        "recasens2011-boundaries": set(),
        "recasens2011-fig6": set(),
        "recasens2011-fig7": every["recasens2011-fig7"],
        "recasens2011-desiderata": set(),
    }
