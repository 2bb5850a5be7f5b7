"""A thousand cases of `make fuzz`, always the same ones."""

from random import Random

import pytest

from tests.fuzzing.targets import TARGETS

CASES = 1000 // len(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_damaged_input_is_read_or_refused_in_words(target):
    for number in range(CASES):
        TARGETS[target](Random(f"{target} {number}"))
