"""What the tests of the page's scripts share."""

import pytest

from tests.support.browser import blank_page


@pytest.fixture
def blank(chromium):
    with blank_page(chromium) as page:
        yield page
