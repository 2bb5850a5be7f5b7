"""Moosavi & Strube 2016, Figure 1 with Tables 2 and 3, and mentions listed twice."""

from fractions import Fraction

import pytest

from corescore.replication.experiment import in_paper
from corescore.replication.moosavi2016.toys import PRINTED, passage, responses
from tests.support.experiments import BY_ID, f1_of, scores_of
from tests.support.half import exactly


@pytest.fixture(scope="module")
def outcomes():
    names = ("moosavi2016-fig1", "moosavi2016-table3", "moosavi2016-repeats")
    return {name: in_paper(BY_ID[name]) for name in names}


# Figure 1 -----------------------------------------------------------------------------------------


def test_the_passage_has_each_mention_in_one_entity():
    entities = passage()
    assert [len(entity) for entity in entities.values()] == [8, 2, 4, 2, 2]
    assert sorted(m for entity in entities.values() for m in entity) == [*range(1, 19)]


@pytest.mark.parametrize(("number", "size"), [(1, 8), (2, 2), (3, 4), (4, 2), (5, 2)])
def test_an_entity_that_is_lost(number, size, outcomes):
    where = {"response": "all but this entity", "number": number}
    for metric, recall in {
        "muc": Fraction(13 - (size - 1), 13),
        "bcub": Fraction(18 - size, 18),
        "ceafe": Fraction(4, 5),
        "lea": Fraction(18 - size, 18),
    }.items():
        assert scores_of(outcomes["moosavi2016-fig1"], metric, "recall", **where) == exactly(recall)
        f1 = scores_of(outcomes["moosavi2016-fig1"], metric, **where)
        assert f1 == exactly(f1_of(recall))


@pytest.mark.parametrize(("number", "size"), [(1, 8), (2, 2), (3, 4)])
def test_one_mention_of_an_entity_among_spurious_ones(number, size, outcomes):
    """Of 18 mentions in 5 entities one is found, in an entity of 3; another one has 2."""
    where = {"response": "one mention of this entity", "number": number}
    outcome = outcomes["moosavi2016-fig1"]
    for metric, recall, precision in (
        ("ceafm", Fraction(1, 18), Fraction(1, 5)),
        ("ceafe", Fraction(2, (size + 3) * 5), Fraction(2, (size + 3) * 2)),
        ("bcub", Fraction(1, size) / 18, Fraction(1, 3) / 5),
        *((name, 0, 0) for name in ("muc", "blanc", "lea", "ceafm-links", "ceafe-links")),
    ):
        assert scores_of(outcome, metric, "recall", **where) == exactly(recall)
        assert scores_of(outcome, metric, "precision", **where) == exactly(precision)


def test_the_loss_of_the_largest_entity_is_told_in_numbers(outcomes):
    check = outcomes["moosavi2016-fig1"].by_claim["ceafe-sizes"]
    assert "CEAF_e 88.89, 88.89; MUC 63.16, 96.00;" in check.numbers


# Table 3 ------------------------------------------------------------------------------------------


def test_the_responses_of_table_2_are_halves_of_the_first_entity():
    first = {*passage()[1]}
    cr1, cr2 = responses()["cr1"], responses()["cr2"]
    assert [len(entity) for entity in cr1] == [4, 4]
    assert {m for entity in cr1 for m in entity} == first
    assert cr2 == cr1[:1]


@pytest.mark.parametrize(
    ("response", "metric", "f1"),
    [
        ("cr1", "muc", f1_of(Fraction(6, 7))),
        ("cr1", "bcub", f1_of(Fraction(4 + 4, 16))),
        ("cr1", "ceafm", Fraction(1, 2)),
        ("cr1", "ceafe", f1_of(Fraction(2, 3), Fraction(1, 3))),
        ("cr1", "blanc", f1_of(Fraction(12, 28))),
        ("cr1", "lea", f1_of(Fraction(12, 28))),
        ("cr2", "muc", f1_of(Fraction(3, 7))),
        ("cr2", "bcub", f1_of(Fraction(4, 16))),
        ("cr2", "ceafm", f1_of(Fraction(4, 8))),
        ("cr2", "ceafe", Fraction(2, 3)),
        ("cr2", "blanc", Fraction(6, 17)),
        ("cr2", "lea", Fraction(6, 17)),
    ],
)
def test_table_3(response, metric, f1, outcomes):
    assert scores_of(outcomes["moosavi2016-table3"], metric, response=response) == exactly(f1)


def test_table_3_prints_what_is_cut_after_two_decimals_but_for_one(outcomes):
    outcome = outcomes["moosavi2016-table3"]
    off = [
        (row["response"], row["metric"])
        for row in PRINTED.numbers.to_dict("records")
        if int(1e4 * scores_of(outcome, row["metric"], response=row["response"]) + 1e-6)
        != round(1e4 * row["f1"])
    ]
    assert off == [("cr2", "blanc")]


def test_what_table_3_prints_bears_out_its_claims_too(outcomes):
    for name in ("half-is-better", "both-are-better"):
        check = outcomes["moosavi2016-table3"].by_claim[name]
        assert (check.holds, check.printed.holds) == (True, True)


# Mentions listed twice ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "metric", "recall"),
    [
        ("{ab}{cd}", "bcub", Fraction(4 + 4, 4 * 4)),
        ("{abc}{cd}", "bcub", Fraction(9 + 4, 4 * 4)),
        ("{ab}{cd}{cd}", "bcub", Fraction(4 + 4 + 4, 4 * 4)),
        ("{ab}{cd}", "lea", Fraction(1 + 1, 6)),
        ("{abc}{cd}", "lea", Fraction(3 + 1, 6)),
        ("{ab}{cd}{cd}", "lea", Fraction(1 + 1 + 1, 6)),
    ],
)
def test_every_listing_adds_its_share(response, metric, recall, outcomes):
    where = {"repeats": "every listing counts", "response": response}
    found = scores_of(outcomes["moosavi2016-repeats"], metric, "recall", **where)
    assert found == exactly(recall)


@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafm", "ceafe", "blanc", "lea"])
def test_the_reference_scorer_sees_a_second_listing_no_more(metric, outcomes):
    outcome = outcomes["moosavi2016-repeats"]
    where = {"repeats": "as the reference scorer counts"}
    once, twice = (
        scores_of(outcome, metric, response=response, **where)
        for response in ("{ab}{cd}", "{ab}{cd}{cd}")
    )
    assert once == twice > 0
