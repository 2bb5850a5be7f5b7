"""The list of errors in a browser: found, read one after another, exported, and linked to."""

import csv
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.support.browser import (
    downloaded,
    expect_to_fit,
    open_at,
    turn_to,
    wait_until_idle,
    watched,
)

FIND = "type:pronoun antecedent.type:proper given:wrong"


def selected_by(url):
    return parse_qs(urlsplit(url).query)


class ErrorsPage:
    """The parts of the page."""

    def __init__(self, page):
        self.page = page
        self.headline = page.locator(".headline").first
        self.search = page.get_by_role("combobox", name="Search the errors")
        self.rows = page.locator(".error-list .row")
        self.place = page.locator(".error-list .at")
        self.opened = page.locator('.error-list .row[aria-selected="true"]')
        self.panel = page.locator(".st-key-error_panel")

    def find(self, query):
        self.rows.first.wait_for()
        wait_until_idle(self.page)
        self.page.keyboard.press("/")
        expect(self.search).to_be_focused()
        self.search.fill(query)
        self.search.press("Enter")
        self.search.press("Escape")
        expect(self.headline).to_contain_text("match")

    def expect_open(self, number, words):
        expect(self.place).to_have_text(re.compile(rf"^{number:,} of "))
        expect(self.opened.locator(".mention .words")).to_have_text(words)
        expect(self.panel.locator(".error-card h2 bdi")).to_have_text(words)
        expect(self.panel.locator(".passage .note q")).to_have_text(words)

    def tag(self, name):
        """Tag the error that is open, and wait until that is said to be saved."""
        box = self.panel.get_by_role("combobox", name="Tags")
        box.click()
        box.fill(name)
        box.press("Enter")
        expect(self.panel).to_contain_text("Saved in")

    def words(self, number):
        return self.rows.nth(number).locator(".mention .words").inner_text()


@pytest.mark.slow
def test_pronouns_with_a_wrong_antecedent_are_found_read_exported_and_linked_to(
    chromium, stranger, address
):
    with watched(chromium, address) as page:
        open_at(page, address)
        turn_to(page, "Errors")
        errors = ErrorsPage(page)
        errors.find(FIND)
        page.get_by_role("combobox", name="Sort by").select_option(label="cost in LEA")
        expect(page.locator(".error-list .heads")).to_contain_text("LEA")
        words = [errors.words(number) for number in range(3)]
        wait_until_idle(page)
        for number, of_row in enumerate(words, 1):
            page.keyboard.press("n")
            errors.expect_open(number, of_row)
            expect(errors.panel).to_contain_text("Credit towards recall")
            expect(errors.panel.locator(".chain")).to_have_count(2)
        page.keyboard.press("p")
        errors.expect_open(2, words[1])
        errors.tag("world knowledge")
        errors.expect_open(2, words[1])
        download = downloaded(page, "error-list-cautious", "CSV")
        text = download.path().read_text(encoding="utf-8")
        exported = list(csv.DictReader(text.splitlines()))
        assert [row["mention"] for row in exported[:3]] == words
        assert [row["tag"] for row in exported[:3]] == ["", "world knowledge", ""]
        assert f"of {len(exported):,}" in errors.place.inner_text()
        page.wait_for_url(re.compile("row="))
        link, headline = page.url, errors.headline.inner_text()
    with watched(stranger, address) as page:
        open_at(page, link)
        errors = ErrorsPage(page)
        errors.expect_open(2, words[1])
        assert errors.headline.inner_text() == headline
        expect(errors.search).to_have_value(FIND)
        assert [errors.words(number) for number in range(3)] == words
        expect(page).to_have_url(link)


@pytest.mark.slow
def test_keys_open_and_close_rows_and_back_and_forward_find_them_again(page, address):
    open_at(page, f"{address}/errors?find=class:missing")
    errors = ErrorsPage(page)
    first, second = (errors.words(number) for number in range(2))
    page.get_by_role("listbox", name="Enter opens one").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    errors.expect_open(2, second)
    page.keyboard.press("p")
    errors.expect_open(1, first)
    page.go_back()
    errors.expect_open(2, second)
    page.go_forward()
    errors.expect_open(1, first)
    page.reload()
    errors.expect_open(1, first)
    page.keyboard.press("Escape")
    expect(errors.panel).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type(" n p")
    expect(errors.search).to_have_value("class:missing n p")
    expect(errors.panel).to_have_count(0)


@pytest.mark.slow
def test_a_click_opens_a_row_and_its_text_and_the_list_is_kept(page, address):
    open_at(page, f"{address}/errors?order=cost.lea")
    errors = ErrorsPage(page)
    words = errors.words(1)
    errors.rows.nth(1).click()
    errors.expect_open(2, words)
    wait_until_idle(page)
    place = page.url
    errors.panel.get_by_role("link", name="Text").click()
    page.mouse.move(0, 0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("it do here")
    expect(page.locator(".passage .note q")).to_have_text(words)
    turn_to(page, "Errors")
    errors.expect_open(2, words)
    expect(page.get_by_role("combobox", name="Sort by")).to_have_value("cost.lea")
    page.wait_for_url(lambda url: selected_by(url) == selected_by(place))


@pytest.mark.slow
def test_the_panel_fits_beside_the_list_or_below_it(page, address):
    open_at(page, f"{address}/errors")
    errors = ErrorsPage(page)
    for width in (1440, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        wait_until_idle(page)
        errors.rows.nth(5).click()  # which the list, lower than before, would no longer show
        expect_to_stand_in_sight(page, errors, width)
        page.keyboard.press("Escape")
        expect(errors.panel).to_have_count(0)


def expect_to_stand_in_sight(page, errors, width):
    errors.panel.locator(".passage").wait_for()
    expect_to_fit(page)
    wait_until_idle(page)
    shown, scroller = errors.panel.bounding_box(), page.locator(".scroller").bounding_box()
    row, notes = errors.opened.bounding_box(), page.locator(".st-key-errors_below").bounding_box()
    assert scroller["y"] <= row["y"]
    assert row["y"] + row["height"] <= scroller["y"] + scroller["height"]
    is_beside = shown["x"] > scroller["x"] + scroller["width"]
    is_below = shown["y"] > scroller["y"] + scroller["height"]
    assert (is_beside, is_below) == (width > 1250, width <= 1250)
    assert shown["y"] < 760
    assert is_beside or notes["y"] > shown["y"] + shown["height"]
