"""What all tests share: a Hypothesis profile without deadline, so that a slow machine fails none;
one dashboard and one Chromium for all tests of a process."""

import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, settings
from playwright.sync_api import expect, sync_playwright
from streamlit.components.v2 import manifest_scanner

from tests.support.browser import PATIENCE, QUIET, served, watched
from tests.support.chromium import find_chromium

MAIN = sys.modules["__main__"]

settings.register_profile(
    "corescore",
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# A fault is found or not: the smallest example of it is not asked for.
settings.register_profile(
    "faults", settings.get_profile("corescore"), phases=set(Phase) - {Phase.shrink, Phase.explain}
)
settings.load_profile("corescore")
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items):
    """Files that drive a browser come first: they take longest, and two processes share them."""
    browsers = {"address", "chromium", "stranger"}
    slow = {item.path for item in items if browsers & set(item.fixturenames)}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(autouse=True)
def _own_main():
    """An AppTest leaves its script behind as the main module, which new processes would run."""
    sys.modules["__main__"] = MAIN
    yield
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="session", autouse=True)
def _scanned_once():
    """Each AppTest looks through all installed packages for components, in a fifth of a second."""
    scan = "scan_component_manifests"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, scan, cache(getattr(manifest_scanner, scan)))
        yield


@pytest.fixture(scope="session")
def address():
    with served() as url:
        yield url


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright, tmp_path_factory):
    """A context with a profile on disk, where compiled scripts are kept from page to page: a
    third less to wait for each."""
    profile = tmp_path_factory.mktemp("profile")
    with playwright.chromium.launch_persistent_context(
        profile, executable_path=_path(), args=QUIET, timeout=PATIENCE
    ) as context:
        yield context


@pytest.fixture(scope="session")
def stranger(playwright):
    """Another Chromium, that knows nothing of the first."""
    with playwright.chromium.launch(
        executable_path=_path(), args=QUIET, timeout=PATIENCE
    ) as browser:
        yield browser


def _path():
    path = find_chromium()
    assert path, "no Chromium: set CORESCORE_CHROMIUM, or run python -m tests.support.chromium"
    return path


@pytest.fixture
def page(chromium, address):
    with watched(chromium, address) as page:
        yield page
