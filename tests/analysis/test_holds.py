"""The difference of two responses under other conditions, each against scoring by hand."""

import numpy as np
import pytest

from corescore import PolicyError, preset, score
from corescore.analysis.systems.pair import held
from tests.support.rivals import corpus, damaged, partitions, results

KEY = partitions(12, seed=1)
FIRST, SECOND = damaged(KEY, 0.3, seed=2), damaged(KEY, 0.4, seed=3)
A, B = results(KEY, FIRST, SECOND)


def rows_of(found, kind):
    return found.table[found.table["kind"] == kind].set_index("condition")


def difference_of(metric, measure="f1", *, averaged=False, **policies):
    a, b = (score(corpus(KEY), corpus(side), **policies) for side in (FIRST, SECOND))
    return getattr((b.means if averaged else b)[metric], measure) - getattr(
        (a.means if averaged else a)[metric], measure
    )


def test_other_metrics_singletons_and_the_mean_are_those_of_scores():
    found = held(A, B, "lea")
    metrics = rows_of(found, "metric")
    assert list(metrics.index) == ["muc", "bcub", "ceafm", "ceafe", "blanc", "conll"]
    for metric, row in metrics.iterrows():
        assert row["difference"] == pytest.approx(difference_of(metric))
    dropped = rows_of(found, "singletons").loc["drop", "difference"]
    assert dropped == pytest.approx(difference_of("lea", singletons="drop"))
    macro = rows_of(found, "average").loc["macro", "difference"]
    assert macro == pytest.approx(difference_of("lea", averaged=True, average="macro"))


def test_other_scorers_are_those_that_have_the_metric():
    assert list(rows_of(held(A, B, "lea"), "scorer").index) == [
        "coval",
        "corefud",
        "ua",
        "ua2",
        "stanza",
    ]
    scorers = rows_of(held(A, B, "ceafe"), "scorer")
    for name in ("perl", "corefud", "e2e"):
        expected = difference_of("ceafe", **preset(name))
        assert scorers.loc[name, "difference"] == pytest.approx(expected)
    expected = difference_of("ceafe", averaged=True, **preset("scorch"))
    assert scorers.loc["scorch", "difference"] == pytest.approx(expected)


def test_the_document_left_out_is_the_one_without_which_the_difference_is_least():
    found = rows_of(held(A, B, "lea"), "document")
    without = {}
    for at in range(len(KEY)):
        rest = [[side[n] for n in range(len(KEY)) if n != at] for side in (KEY, FIRST, SECOND)]
        a, b = results(*rest)
        without[f"d{at}"] = b["lea"].f1 - a["lea"].f1
    least = max(without, key=without.get)  # A is ahead: the difference is below 0
    assert found["difference"].to_dict() == {least: pytest.approx(without[least])}


def test_a_sign_is_kept_reversed_or_lost():
    found = held(A, B, "lea")
    for row in found.table.itertuples():
        expected = "kept" if row.difference < 0 else "reversed" if row.difference > 0 else "tie"
        assert row.outcome == ("none" if np.isnan(row.difference) else expected)
    assert found.count("kept") + len(found.exceptions) + found.count("none") == len(found.table)


def test_one_document_reverses_a_difference_that_rests_on_it():
    """A misses all 9 links of one document, B one of the two of each of three others."""
    three = [frozenset((0, 1)), frozenset((2, 3))]
    key = [[frozenset(range(10))], three, three, three]
    apart = [[frozenset((m,)) for m in range(10)], three, three, three]
    half = [key[0], *([[frozenset((0, 1)), frozenset((2,)), frozenset((3,))]] * 3)]
    a, b = results(key, apart, half)
    found = held(a, b, "muc")
    assert found.difference > 0
    assert found.count("reversed") > 0
    row = rows_of(found, "document").iloc[0]
    assert (row.name, row["outcome"]) == ("d0", "reversed")


def test_tallies_have_no_documents_to_score_again():
    kinds = set(held(A.tally, B.tally, "lea").table["kind"])
    assert kinds == {"metric", "average", "document"}


def test_one_document_cannot_be_left_out():
    alone = results(KEY[:1], FIRST[:1], SECOND[:1])
    assert "document" not in set(held(*alone, "lea").table["kind"])


def test_two_equal_responses_stay_equal():
    found = held(A, A, "lea")
    assert set(found.table["outcome"]) == {"kept"}


def test_what_is_not_there_is_refused():
    with pytest.raises(PolicyError, match="rouge"):
        held(A, B, "rouge")
    with pytest.raises(PolicyError, match="recall"):
        held(A, B, "conll", measure="recall")
    with pytest.raises(ValueError, match="other policies"):
        held(A, score(corpus(KEY), corpus(SECOND), singletons="drop"), "lea")
