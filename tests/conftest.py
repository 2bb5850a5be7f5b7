"""What all tests share: a Hypothesis profile without deadline, so that a slow machine fails none;
one dashboard and one Chromium for all tests of a process."""

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect, sync_playwright

from tests.browser import QUIET, served, watched
from tests.chromium import find_chromium

settings.register_profile(
    "corescore",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("corescore")
expect.set_options(timeout=20_000)  # milliseconds: two browsers and two servers on two cores


@pytest.fixture(scope="session")
def address():
    with served() as url:
        yield url


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium()
    assert path, "no Chromium: set CORESCORE_CHROMIUM, or run python -m tests.chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium, address):
    with watched(chromium, address) as page:
        yield page
