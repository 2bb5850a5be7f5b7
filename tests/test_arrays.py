"""Orders and pairs of numbers against numpy's own sort and plain loops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corescore.counting.pairs import equal_values
from corescore.util import ascending

NUMBERS = st.lists(st.integers(0, 3) | st.integers(0, 2**63 - 1))
FEW = st.lists(st.integers(0, 5))


@given(NUMBERS)
def test_the_order_is_the_stable_one_of_numpy(numbers):
    array = np.array(numbers, dtype=np.int64)
    assert ascending(array).tolist() == np.argsort(array, kind="stable").tolist()


@given(NUMBERS)
def test_numbers_that_are_not_next_to_each_other_in_memory_are_ordered_too(numbers):
    column = np.array([numbers, numbers], dtype=np.int64).T[:, 0]
    assert ascending(column).tolist() == np.argsort(column, kind="stable").tolist()


@given(FEW.map(sorted), st.lists(st.integers(-1, 6)))
def test_all_pairs_of_equal_values_are_found_repeats_too(key, response):
    found = equal_values(np.array(key, dtype=np.int64), np.array(response, dtype=np.int64))
    every = [(i, j) for j, r in enumerate(response) for i, k in enumerate(key) if k == r]
    assert [*zip(*(at.tolist() for at in found), strict=True)] == every
