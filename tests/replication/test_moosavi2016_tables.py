"""Moosavi & Strube 2016, Tables 1, 4 and 5 as printed."""

from fractions import Fraction

import numpy as np
import pytest

from corescore.analysis.perturbation.sweep import FALL, NOT_FALL, RISE, SAME
from corescore.counting.counts import MEASURES
from corescore.rendering.papers import finding
from corescore.replication.experiment import in_paper
from corescore.replication.moosavi2016 import systems as checks
from corescore.replication.moosavi2016.systems import (
    TABLE_5,
)
from tests.support.experiments import holding, on_sample, on_toy, side_of_sample
from tests.support.letters import sets
from tests.support.own_metric import exactly
from tests.support.samples import BY_ID, scores_of

# Moosavi & Strube 2016, Table 1 -------------------------------------------------------------------

TABLE_1, TABLE_4 = "moosavi2016-table1", "moosavi2016-table4"
every_response = pytest.mark.parametrize("response", ["cautious", "greedy"])


def test_claims_hold_but_for_what_the_other_sample_does_not_show():
    told = holding(on_sample(TABLE_1, "cautious"))
    assert {name for name in told if not told[name]} == {"f1-less-b", "ceafe-falls"}


def test_counts_are_those_of_the_responses():
    """Of c to i the pairs are three, cannot be more; by threes c, e, g and d, f, h, without i."""
    outcome = on_toy(TABLE_1, sets("ab cd ef ghi"), sets("ab"))
    sizes = outcome.table.groupby("system")[["mentions", "entities"]].first()
    assert sizes.loc[checks.LESS_A].tolist() == [2 + 6, 1 + 3]
    assert sizes.loc[checks.LESS_B].tolist() == [2 + 6, 1 + 2]
    told = outcome.by_claim
    assert (told["count-less-a"].holds, told["count-less-b"].holds) == (True, True)
    assert told["count-less-b"].numbers == "2 wrong entities added; 6 mentions in them; (a) adds 3"
    both = outcome.table.replace({"system": {checks.LESS_A: "a", checks.LESS_B: checks.LESS_A}})
    by_id = {claim.id: claim for claim in BY_ID[TABLE_1].claims}
    assert by_id["count-less-a"].check(both).holds is False  # of three mentions each
    told = holding(on_toy(TABLE_1, sets("ab cd ef"), sets("ac")))  # without a correct link
    assert (told["count-more"], told["count-less-a"]) == (True, True)


# At a glance --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_chart_has_what_each_variant_should_do():
    outcome = on_sample(TABLE_1, "greedy")
    drawn = outcome.drawn.set_index("system")
    assert {*drawn["recall_should"].drop(checks.BASE)} == {SAME}
    assert drawn["precision_should"].groupby("system").first().to_dict() == {
        checks.BASE: "",
        checks.MORE: RISE,
        **dict.fromkeys((checks.LESS_A, checks.LESS_B), FALL),
    }
    other = on_sample(TABLE_1, "greedy", incorrect="linked")
    of_more = other.table["system"] == checks.MORE
    assert {*other.table.loc[of_more, "recall_should"]} == {NOT_FALL}
    for measure in MEASURES:
        one, two = outcome.table, other.table  # each reading is the other's other
        np.testing.assert_allclose(one[f"{measure}_other"], two[measure].astype(float))
        np.testing.assert_allclose(two[f"{measure}_other"], one[measure].astype(float))


@every_response
def test_the_first_sentence_names_whose_recall_changes_and_where_signs_depend_on_the_reading(
    response,
):
    outcome = on_sample(TABLE_1, response)
    sentence = finding(outcome, changed=False)
    changed, same = (sentence.index(names) for names in ("B³, CEAFₘ, CEAFₑ and", "MUC and LEA"))
    assert changed < same < sentence.index("observations")
    assert "CEAFₘ and CEAFₑ (Less precise (a))" in sentence
    assert ("B³ (Less precise (b))" in sentence) == (response == "greedy")
    told = BY_ID[TABLE_1].finding
    assert "other reading" not in told(outcome.table.assign(f1_other=outcome.table["f1"]))
    perfect = on_toy(TABLE_1, sets("ab cd"), sets("ab cd"))
    assert told(perfect.table).endswith("It does not.")


def test_only_the_metrics_of_the_papers_table_are_asked_whether_they_rise():
    table = on_sample(TABLE_1, "greedy").table
    claims = {claim.id: claim for claim in BY_ID[TABLE_1].claims}
    changed = table.copy()
    changed.loc[table["metric"] == "ceafm", ["f1", "recall"]] = 0
    for name in ("f1-less-a", "recall-less-a"):
        assert claims[name].check(changed).holds == claims[name].check(table).holds
    of_blanc = (table["metric"] == "blanc") & (table["system"] == checks.LESS_A)
    fallen = table.assign(f1=table["f1"].mask(of_blanc, 0))
    assert not claims["f1-less-a"].check(fallen).holds


# Moosavi & Strube 2016, Table 4: boundary systems -------------------------------------------------


def test_every_claim_holds_on_the_other_sample():
    assert {*holding(on_sample(TABLE_4, "cautious")).values()} == {True}


def test_the_mentions_of_the_key_alone_and_together():
    outcome, key = on_sample(TABLE_4, "greedy"), side_of_sample("key")
    sizes = [len(entity) for document in key for entity in document.entities]
    n, links = sum(sizes), sum(sizes) - len(sizes)
    for system, metric, measure, expected in (
        ("key-sing", "muc", "f1", 0),
        ("key-sing", "lea", "recall", Fraction(sizes.count(1), n)),
        ("key-sing", "bcub", "recall", Fraction(len(sizes), n)),
        ("key-sing", "bcub", "precision", 1),
        ("key-1ent", "muc", "recall", 1),
        ("key-1ent", "muc", "precision", Fraction(links, n - len(key))),
    ):
        assert scores_of(outcome, metric, measure, system=system) == exactly(expected)


OF_LINKS = ("sys-1ent", "key-1ent-muc", "key-1ent-parts")


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # Full recall of no links is neither true nor false
        ("", "", dict.fromkeys((*OF_LINKS, "sys-sing", "key-sing-bcub"))),
        ("a b", "a b", dict.fromkeys(OF_LINKS) | {"sys-sing": True, "key-sing-bcub": True}),
        # One entity of the key loses to a perfect response
        (
            "ab cd",
            "ab cd",
            {"key-1ent-muc": False, "key-1ent-parts": True, "key-1ent-bcub": True},
        ),
        # A response that finds nothing: B³ and CEAFₑ give no credit either
        ("ab", "cd", {"sys-sing": False}),
    ],
)
def test_what_small_files_tell(key, response, expected):
    told = holding(on_toy(TABLE_4, sets(key), sets(response)))
    assert {name: told[name] for name in expected} == expected


# Moosavi & Strube 2016, Table 5: averages and ranks -----------------------------------------------


def test_the_moves_are_those_against_the_average():
    moves = in_paper(TABLE_5).table.set_index(["system", "metric"])["moves"]
    assert moves["xu", "lea"] == 5 - 9
