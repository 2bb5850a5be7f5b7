"""Removing incorrectly resolved mentions is scoring the response without them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import score
from corescore.analysis.errors.classes import INCORRECT
from corescore.analysis.errors.tables import by_kind, removal_table
from corescore.metrics import METRICS
from tests.support.strategies import corpora_of, pair_corpora


def without_incorrectly_resolved(key, response, incorrect="all"):
    """The response without the mentions whose links are all wrong, from the definition; with
    "linked", singletons in the key stay."""

    def partners(mention, side):
        return {m for entity in side if mention in entity for m in entity} - {mention}

    in_key = {mention for entity in key for mention in entity}
    wrong = {
        mention
        for entity in response
        for mention in entity
        if mention in in_key
        and partners(mention, response)
        and not partners(mention, response) & partners(mention, key)
        and (incorrect == "all" or partners(mention, key))
    }
    return [entity - wrong for entity in response if entity - wrong]


@given(pairs=pair_corpora(), incorrect=st.sampled_from(INCORRECT))
def test_removal_scores_the_rest_and_leaves_the_recall_of_muc_and_lea(pairs, incorrect):
    table = removal_table(score(*corpora_of(pairs)), incorrect=incorrect)
    without = [(k, without_incorrectly_resolved(k, r, incorrect)) for k, r in pairs]
    rest = score(*corpora_of(without))
    for metric in METRICS:
        row, expected = table.loc[metric.id], rest[metric.id]
        assert row["recall_after"] == pytest.approx(expected.recall, abs=1e-12)
        assert row["precision_after"] == pytest.approx(expected.precision, abs=1e-12)
    for metric in ("muc", "lea") if incorrect == "all" else ("muc",):
        before, after = table.loc[metric, "recall"], table.loc[metric, "recall_after"]
        assert after == pytest.approx(before, abs=1e-12)


def test_each_kind_is_counted_with_an_example():
    table = by_kind(score(*corpora_of([([{0, 1}, {2}], [{0, 1, 2}])]))).set_index("kind")
    assert table.loc["conflated entities", ["errors", "documents"]].tolist() == [1, 1]
    assert table.loc["missing entity", "errors"] == 0
    assert len(table) == 7


@pytest.mark.parametrize("repeats", ["first", "listed", "reference"])
def test_a_mention_listed_twice_does_not_make_the_recall_of_muc_and_lea_fall(repeats):
    """The key lists 0 in two entities; in the response, 1 has no partner of its last one."""
    pairs = [([{0, 1}, {0, 2, 3}], [{0, 1, 2}, {3}])]
    result = score(*corpora_of(pairs), repeats=repeats)
    table = removal_table(result)
    assert table.loc[["muc", "lea"], "recall_change"].tolist() == [0, 0]
    if repeats == "first":
        assert table.loc["muc", "recall"] == result["muc"].recall
