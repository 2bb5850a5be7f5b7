"""The desiderata of Recasens & Hovy 2011, §3.2."""

from fractions import Fraction
from itertools import count, pairwise

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from corescore.metrics import METRICS
from corescore.replication.experiment import in_paper, run
from corescore.replication.partitions import score_partitions
from corescore.replication.recasens2011.desiderata import (
    ALL,
    ALONE,
    DESIDERATA,
    EIGHT,
    FALLS,
    LARGE,
    MISSED,
    WRONG,
    _widest_gap,
    drawn_labels,
    repair,
    singletons_set_right,
)
from tests.support import oracle
from tests.support.half import exactly


def outcome_of(**values):
    return run(DESIDERATA, DESIDERATA.setting(values))


def table_of(**values):
    return outcome_of(**values).table


# Desiderata ---------------------------------------------------------------------------------------

labels = st.lists(st.integers(0, 3), min_size=8, max_size=8)


@given(labels, labels)
def test_a_repair_ends_at_the_key_and_never_lowers_blanc(right, given_):
    steps = repair(right, given_)
    key, last = steps[-1]
    assert {frozenset(e) for e in last} == {frozenset(e) for e in key}
    blanc = next(metric for metric in METRICS if metric.id == "blanc")
    f1 = score_partitions(steps, [blanc])["f1"]
    assert f1.iloc[-1] == 1
    assert (np.diff(f1) >= -1e-12).all()


@given(labels, labels)
def test_a_step_of_a_repair_changes_links_of_one_kind(right, given_):
    """A cut takes wrong coreference links away, a join adds right ones; never both."""
    counts = []
    for key, response in repair(right, given_):
        ours, theirs = (
            oracle.coreference_links([frozenset(e) for e in s]) for s in (response, key)
        )
        counts.append((len(ours & theirs), len(ours - theirs)))
    for (right_before, wrong_before), (right_after, wrong_after) in pairwise(counts):
        gained, lost = right_after - right_before, wrong_before - wrong_after
        assert (gained > 0 and lost == 0) or (gained == 0 and lost > 0)


def test_desiderata_in_numbers():
    table = in_paper(DESIDERATA).table
    values = table.set_index(["check", "metric"])["value"]
    assert set(table[table["check"] == ALL]["of"]) == {203}  # the sixth Bell number
    assert values[FALLS, "blanc"] == 0
    assert values[FALLS, "ceafe"] > 0
    assert values[EIGHT, "muc"] == Fraction(6, 8)


def test_another_seed_draws_other_pairs():
    one, other = (table_of(pairs=5, seed=seed) for seed in (1, 2))
    assert not one.equals(other)
    assert one.equals(table_of(pairs=5, seed=1))


def test_a_wrong_link_and_a_missed_one():
    """The key of Table 8 has 6 + 3 + 1 links and 2405 pairs apart."""
    found = in_paper(DESIDERATA).table.set_index(["check", "metric"])["value"].sort_index()
    wrong = (Fraction(2 * 10, 10 + 11) + Fraction(2 * 2404, 2405 + 2404)) / 2
    missed = (Fraction(2 * 9, 10 + 9) + Fraction(2 * 2405, 2405 + 2406)) / 2
    assert found[WRONG, "blanc"] == exactly(wrong)
    assert found[MISSED, "blanc"] == exactly(missed)
    assert wrong > missed
    assert found[WRONG, "muc"] == exactly(Fraction(2 * 6, 6 + 7))
    assert found[MISSED, "muc"] == exactly(Fraction(2 * 5, 6 + 5))


def test_only_the_entity_of_four():
    found = in_paper(DESIDERATA).table.set_index(["check", "metric"])["value"].sort_index()
    # recall: 61 + 4 right, 3 mentions of a third and 2 of a half; precision is 1
    recall = Fraction(61 + 4 + 1 + 1, 70)
    assert found[LARGE, "bcub"] == exactly(2 * recall / (1 + recall))
    assert found[LARGE, "muc"] == exactly(Fraction(2 * 3, 6 + 3))


def test_f1_is_the_same_when_key_and_response_are_swapped():
    """So that F1 cannot weigh precision more; but for BLANC where the key lacks a kind of link."""
    labels = [sides for sides in drawn_labels(40, 3) if all(1 < len({*s}) < 8 for s in sides)]
    pairs = [repair(*sides)[0] for sides in labels]
    there, back = (
        score_partitions(each, METRICS)["f1"] for each in (pairs, [(r, k) for k, r in pairs])
    )
    assert len(pairs) > 20
    assert np.allclose(there, back)


def test_the_widest_gap_is_from_zero_to_one():
    assert _widest_gap(pd.Series([0.5, 0.25, 0.5])) == 0.5
    assert _widest_gap(pd.Series([0.75, 0.875])) == 0.75


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
    outcome = outcome_of(pairs=1, seed=seed)
    assert ALONE not in set(outcome.table["check"])
    rises = outcome.by_claim["rises"]
    assert rises.holds
    assert "singletons" not in rises.numbers


def test_blanc_alone_rises_with_each_step():
    rises = in_paper(DESIDERATA).by_claim["rises"]
    n_flat = in_paper(DESIDERATA).table[
        in_paper(DESIDERATA).table["check"].str.startswith("no rise")
    ]
    flat = n_flat.groupby("metric")["value"].sum()
    assert rises.holds
    assert flat["blanc"] == 0
    assert all(flat[metric] > 0 for metric in ("muc", "ceafm", "ceafe", "lea"))
