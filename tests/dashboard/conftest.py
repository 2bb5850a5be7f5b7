"""What the tests of the dashboard share."""

import pytest
from streamlit import config

from tests.support.browser import open_at, watched
from tests.support.pages import GIVEN


@pytest.fixture(scope="session", autouse=True)
def _no_usage_statistics():
    """As `dashboard.launch` starts the app; they take 7% of a run."""
    config.set_option("browser.gatherUsageStats", False)


@pytest.fixture(autouse=True)
def _no_files_given(monkeypatch):
    for variable in GIVEN:
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="module")
def opened(chromium, address):
    """A page that goes from place to place, and an empty one."""
    with watched(chromium, address) as page, watched(chromium, address) as paper:
        page.bring_to_front()
        open_at(page, address)
        yield page, paper
