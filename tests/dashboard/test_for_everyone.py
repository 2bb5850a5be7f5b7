"""Pages that everybody can read: for a screen reader, with weak eyes, in both themes and widths.

States of pages that only an address opens are in `test_states_for_everyone`.
"""

import pytest

from tests.support.browser import turn_to
from tests.support.everyone import PAGES, problems

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_and_use_a_page(opened, name):
    page, paper = opened
    turn_to(page, name)
    assert problems(page, paper) == {}
