"""Counts add, and one place divides."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore.counting.counts import Counts, divide, harmonic_mean, score_counts

FIELDS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)
WHOLE = st.integers(0, 50)


def counts_of(rows):
    return Counts.of(*np.array(rows, dtype=float).reshape(-1, 4).T)


def rows_of(counts):
    return np.hstack([getattr(counts, name) for name in FIELDS]).tolist()


rows = st.lists(st.tuples(WHOLE, WHOLE, WHOLE, WHOLE), min_size=1, max_size=5)


def test_counts_have_a_row_a_document_and_a_column_a_part():
    counts = Counts.of_parts(counts_of([(1, 2, 3, 4)] * 3), counts_of([(5, 6, 7, 8)] * 3))
    assert all(getattr(counts, name).shape == (3, 2) for name in FIELDS)
    assert rows_of(counts.part(1)) == [[5, 6, 7, 8]] * 3


@given(rows)
def test_adding_documents_equals_the_total(drawn):
    added = sum((counts_of([row]) for row in drawn[1:]), start=counts_of(drawn[:1]))
    assert rows_of(added) == rows_of(counts_of(drawn).total())
    assert rows_of(added) == [[sum(column) for column in zip(*drawn, strict=True)]]


@given(rows, rows)
def test_documents_of_two_shards_stand_one_after_the_other(one, two):
    both = Counts.of_documents(counts_of(one), counts_of(two))
    assert rows_of(both) == rows_of(counts_of([*one, *two]))


@given(rows, st.data())
def test_rows_are_the_documents_picked_in_that_order_and_as_often(drawn, data):
    picked = data.draw(st.lists(st.integers(0, len(drawn) - 1), max_size=5))
    counts = counts_of(drawn).rows(np.array(picked, dtype=int))
    assert rows_of(counts) == [[*drawn[at]] for at in picked]


def test_division_by_zero_is_empty_and_nothing_warns():
    with np.errstate(all="raise"):
        found = divide(np.array([1.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0]), empty=np.nan)
    assert found[0] == 1 / 2
    assert np.isnan(found[1:]).all()


@pytest.mark.parametrize(
    ("recall", "precision", "f1"),
    [
        (1 / 2, 1 / 4, 2 * Fraction(1, 8) / Fraction(3, 4)),
        (0, 0, 0),
        (1, 0, 0),
        (1 / 2, np.nan, 0),
        (np.nan, 1 / 2, 0),
    ],
)
def test_the_harmonic_mean(recall, precision, f1):
    found = harmonic_mean(np.array([recall]), np.array([precision]))
    assert found[0] == pytest.approx(float(f1), abs=1e-12)


def test_the_harmonic_mean_of_two_empties_is_empty():
    assert np.isnan(harmonic_mean(np.array([np.nan]), np.array([np.nan])))[0]


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_harmonic_mean_lies_between_recall_and_precision(recall, precision):
    found = harmonic_mean(np.array([recall]), np.array([precision]))[0]
    assert min(recall, precision) - 1e-12 <= found <= max(recall, precision) + 1e-12


def test_a_score_keeps_what_it_was_divided_from():
    score = score_counts(counts_of([(1, 2, 3, 4), (0, 0, 1, 5)]), empty=np.nan)
    first, second = score.row(0), score.row(1)
    assert (first.recall, first.precision) == (1 / 2, 3 / 4)
    assert [getattr(first, name) for name in FIELDS] == [1, 2, 3, 4]
    assert np.isnan(second.recall)
    assert second.f1 == 0
    assert type(first.f1) is float
