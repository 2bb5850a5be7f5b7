"""What the tests of the dashboard share."""

import pytest

from dashboard.session.given import DATA_SETS_VARIABLE, FILES_VARIABLE


@pytest.fixture(autouse=True)
def _no_files_given(monkeypatch):
    monkeypatch.delenv(FILES_VARIABLE, raising=False)
    monkeypatch.delenv(DATA_SETS_VARIABLE, raising=False)
