"""What a perturbation did to the scores and to the mentions."""

from dataclasses import replace

import pytest
from hypothesis import given

from corescore import Corpus, score
from corescore.analysis.errors.classes import INCORRECT
from corescore.analysis.perturbation import PERTURBATIONS, Drop, LessPreciseA, MorePrecise, perturb
from corescore.analysis.perturbation.effects import (
    ADDED,
    FALL,
    KEPT,
    MOVED,
    REMOVED,
    RISE,
    SAME,
    changed_documents,
    expectation,
    expectation_table,
    mention_changes,
    other_reading,
)
from corescore.metrics import METRIC_IDS
from tests.support.strategies import corpora_of, document_of, pair_corpora, partition_pairs

KEY = Corpus((document_of([{0, 1, 2}, {3, 4}, {5, 6}], "d"),))
# 0 and 3 have only wrong partners; 5 and 6 are missing
RESPONSE = Corpus((document_of([{1, 2}, {0, 3}], "d"),))


def effects_of(step):
    before = score(KEY, RESPONSE)
    after = score(KEY, perturb(KEY, RESPONSE, [step], seed=1))
    return expectation_table(before, after, expectation([step]))


def test_removing_the_incorrectly_resolved_is_expected_to_leave_recall_and_raise_precision():
    table = effects_of(MorePrecise())
    assert set(zip(table["measure"], table["expected"], strict=True)) == {
        ("recall", SAME),
        ("precision", RISE),
    }
    recall = table[table["measure"] == "recall"].set_index("metric")
    kept = {
        "muc": True,
        "bcub": False,  # two self-links fewer
        "ceafm": False,
        "ceafe": False,
        "blanc": False,  # non-coreference links fewer
        "lea": True,
    }
    assert recall["kept"][list(kept)].to_dict() == kept
    assert recall.index.tolist() == list(METRIC_IDS)
    # B³ counted 2·2/3 + 1/3 + 1/2 of 7 mentions and counts 2·2/3 without the two
    assert recall.loc["bcub", "before"] == pytest.approx((4 / 3 + 1 / 3 + 1 / 2) / 7)
    assert recall.loc["bcub", "change"] == pytest.approx(-(1 / 3 + 1 / 2) / 7)


def test_a_key_singleton_left_alone_may_raise_recall_but_none_should_fall():
    """Key {0} {1 2}, response {0 1} {2}: without 1, which has a link in the key, 0 is correct."""
    key, response = corpora_of([([{0}, {1, 2}], [{0, 1}, {2}])])
    step = MorePrecise(incorrect="linked")
    after = score(key, perturb(key, response, [step], seed=1))
    table = expectation_table(score(key, response), after, expectation([step]))
    recall = table[table["measure"] == "recall"].set_index("metric")
    assert recall.loc["lea", ["before", "after", "kept"]].tolist() == [
        0,
        pytest.approx(1 / 3),
        True,
    ]
    assert not recall.loc["bcub", "kept"]  # a self-link fewer
    assert recall.loc["muc", "kept"]


def test_where_steps_pull_different_ways_nothing_is_expected():
    assert expectation([MorePrecise(), LessPreciseA()]).recall == SAME
    assert expectation([MorePrecise(), LessPreciseA()]).precision == ""
    assert expectation([Drop()]).recall == ""
    assert expectation([LessPreciseA(), LessPreciseA()]).precision == FALL


def test_the_other_reading_is_of_all_steps_that_use_one():
    add, drop = LessPreciseA(), Drop(of="incorrectly-resolved", share=0.5)
    steps = (MorePrecise(), add, drop, Drop())
    linked = tuple(replace(step, incorrect="linked") for step in steps[:3])
    assert other_reading(steps) == (*linked, Drop())
    assert other_reading((*linked, Drop())) == steps
    assert other_reading((MorePrecise(), linked[1])) == ()
    assert other_reading((Drop(), Drop(of="spurious", incorrect="linked"))) == ()


def test_mentions_are_kept_removed_added_or_moved():
    before = document_of([{0, 1, 2}, {3, 4}])
    after = document_of([{0, 1, 4}, {5, 3}])
    table = mention_changes(before, after)
    assert table["start"].tolist() == [0, 1, 2, 3, 4, 5]
    assert table["change"].tolist() == [KEPT, KEPT, REMOVED, KEPT, MOVED, ADDED]
    assert table["before_entity"].fillna(0).tolist() == [1, 1, 1, 2, 2, 0]
    assert table["after_entity"].fillna(0).tolist() == [1, 1, 0, 2, 1, 2]


@given(partition_pairs())
def test_every_mention_before_and_after_has_one_row_in_text_order(pair):
    before, after = map(document_of, pair)
    table = mention_changes(before, after)
    spans = list(zip(table["start"], table["end"], strict=True))
    assert set(spans) == {tuple(s) for d in (before, after) for s in d.spans.tolist()}
    assert spans == sorted(set(spans), key=lambda span: (span[0], -span[1]))
    assert (table["before_entity"].isna() == (table["change"] == ADDED)).all()
    assert (table["after_entity"].isna() == (table["change"] == REMOVED)).all()


@given(partition_pairs())
def test_of_what_is_the_same_everything_is_kept(pair):
    document = document_of(pair[0])
    assert set(mention_changes(document, document)["change"]) <= {KEPT}


@given(pair_corpora())
def test_changed_documents_are_counted_together_as_each_alone(pairs):
    before, after = corpora_of(pairs)
    counts = changed_documents(before, after)
    for old, new in zip(before, after, strict=True):
        n_changed = int((mention_changes(old, new)["change"] != KEPT).sum())
        assert counts.get(old.name, 0) == n_changed
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


@given(pair_corpora())
@pytest.mark.parametrize("incorrect", INCORRECT)
@pytest.mark.parametrize(
    "kind", ["more-precise", "less-precise-a", "less-precise-b", "less-precise-b-printed"]
)
def test_muc_and_lea_keep_the_expected_recall_whatever_the_response(kind, incorrect, pairs):
    key, response = corpora_of(pairs)
    step = PERTURBATIONS[kind](incorrect=incorrect)
    after = score(key, perturb(key, response, [step], seed=1))
    table = expectation_table(score(key, response), after, expectation([step]))
    of_links = table[(table["measure"] == "recall") & table["metric"].isin(["muc", "lea"])]
    assert of_links["kept"].all()


def test_nothing_is_kept_or_broken_where_nothing_changed():
    result = score(KEY, KEY)
    assert expectation_table(result, result, expectation([MorePrecise()])).empty
