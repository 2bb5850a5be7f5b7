"""What the tests of the dashboard share."""

import pytest
from streamlit import config

from tests.support.pages import GIVEN


@pytest.fixture(scope="session", autouse=True)
def _no_usage_statistics():
    """As `dashboard.launch` starts the app; they take 7% of a run."""
    config.set_option("browser.gatherUsageStats", False)


@pytest.fixture(autouse=True)
def _no_files_given(monkeypatch):
    for variable in GIVEN:
        monkeypatch.delenv(variable, raising=False)
