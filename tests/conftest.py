"""What all tests share: Hypothesis profiles without deadline, so that a slow machine fails none;
time limits; one dashboard and one Chromium for all tests of a process."""

import gc
import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, is_hypothesis_test, settings
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
# For oracles: `pytest --hypothesis-profile=thousands tests/analysis/test_decomposition.py`
settings.register_profile("thousands", settings.get_profile("corescore"), max_examples=3000)
# A fault is found or not: the smallest example of it is not asked for.
settings.register_profile(
    "faults", settings.get_profile("corescore"), phases=set(Phase) - {Phase.shrink, Phase.explain}
)
settings.load_profile("corescore")
# `make test` draws fewer examples, and the same in each run: it fails by what was changed, never by
# luck. `make test-slow` draws all of them, others each time.
settings.register_profile("quick", settings.get_profile("corescore"), derandomize=True)
QUICK = 8 / 30
FEWEST = 5
SLOW_SECONDS = 900
SERVED = {"playwright", "address", "address_of_doors", "shared"}
expect.set_options(timeout=PATIENCE)


def pytest_make_parametrize_id(val):
    """What has an id, a specification or a name is called by it."""
    names = (getattr(val, key, None) for key in ("id", "spec", "name"))
    return next((name for name in names if isinstance(name, str)), None)


def pytest_collection_modifyitems(items):
    """What needs a browser or the app in a process of its own is slow; its files come first and
    together: of the processes, each of which begins with its share of the list, one starts a
    browser, and others only if they have nothing else."""
    served = [item for item in items if SERVED & set(item.fixturenames)]
    first = {item.path for item in served}
    items.sort(key=lambda item: item.path not in first)
    for item in served:
        item.add_marker("slow")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))
    if settings.get_current_profile_name() == "quick":
        draw_fewer(items)


def draw_fewer(items):
    """Each property is tried on 8 examples for 30: of its own number, too, if it has one."""
    for test in {item.obj for item in items if is_hypothesis_test(getattr(item, "obj", None))}:
        full = test._hypothesis_internal_use_settings
        few = max(min(FEWEST, full.max_examples), round(QUICK * full.max_examples))
        test._hypothesis_internal_use_settings = settings(full, max_examples=few)


def pytest_collection_finish():
    """What was collected lives until the end: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


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
