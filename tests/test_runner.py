"""How the tests are run."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import draw_fewer


@pytest.mark.parametrize(("full", "few"), [(300, 80), (30, 8), (10, 5), (3, 3)])
def test_a_quick_run_draws_8_examples_for_30_but_at_least_5(full, few):
    drawn = []

    @settings(max_examples=full, database=None)
    @given(st.integers())
    def on_what_is_drawn(number):
        drawn.append(number)

    draw_fewer([SimpleNamespace(obj=on_what_is_drawn)])
    on_what_is_drawn()
    assert len(drawn) == few
