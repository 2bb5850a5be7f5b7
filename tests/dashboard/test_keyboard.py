"""Pages that can be used without a pointer."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.everyone import MOST_STOPS, open_place, wait_until_drawn

pytestmark = pytest.mark.slow


def tab_to(page, locator):
    """Press Tab until the element has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if locator.evaluate("node => node.getRootNode().activeElement === node"):
            return
    raise AssertionError(f"Tab does not lead to {locator}")


def test_an_error_is_found_and_read_on_text_by_keyboard_alone(page, address):
    open_place(page, address, "overview")
    tab_to(page, page.get_by_test_id("stSidebarNav").get_by_role("link", name="Text", exact=True))
    page.keyboard.press("Enter")
    page.locator(".line .label").first.wait_for()
    wait_until_drawn(page)
    tab_to(page, page.get_by_role("button", name="Next error"))
    page.keyboard.press("Enter")
    expect(page.locator(".chain")).to_have_count(2)
    expect(page.locator(".line .label.lit")).to_be_focused()
    expect(page).to_have_url(re.compile("mention="))
    page.keyboard.press("Escape")
    expect(page.locator(".chain")).to_have_count(0)


def test_a_chart_is_read_as_a_table_by_keyboard_alone(page, address):
    open_place(page, address, "errors?tab=by+kind")
    tab_to(page, page.locator("summary", has_text="As a table").first)
    page.keyboard.press("Enter")
    table = page.get_by_test_id("stDataFrame").filter(has_text="span errors")
    tab_to(page, table.locator("canvas").first)
    expect(table.locator("[role=grid]")).to_contain_text("conflated entities")
