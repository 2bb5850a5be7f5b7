"""The dashboard in a real Chromium: what it draws, what it asks for, what a pointer does."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import (
    OWN_FILES,
    click_at,
    click_point,
    open_at,
    place_of,
    wait_until_idle,
    watched,
)

PAGES = {
    "/": "How do the six disagree about this response?",
    "/documents": "Where is it bad?",
    "/text": "What did it do here?",
    "/errors": "What should be fixed first?",
}


def _open(page, address, path):
    open_at(page, address + path)
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[path.partition("?")[0]])
    expect(page.locator(".signature").first).to_contain_text("corescore")
    wait_until_idle(page)
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


def _headline(page):
    return page.locator(".headline")


@pytest.mark.slow
def test_the_first_screen_shows_what_it_must_and_sends_no_chart_to_a_cloud(page, address):
    _open(page, address, "/")
    page.locator(".js-plotly-plot .point").first.wait_for()
    for seen in (_headline(page), page.locator(".js-plotly-plot"), page.locator(".averages")):
        box = place_of(seen)
        assert box["y"] + box["height"] <= 900
    page.set_viewport_size({"width": 1440, "height": 768})
    own = place_of(page.get_by_text(OWN_FILES))
    assert own["y"] + own["height"] <= 768
    page.locator(".js-plotly-plot").hover()
    buttons = page.locator(".modebar-btn")
    expect(buttons).to_have_count(1)
    expect(page.get_by_text("Deploy", exact=True)).to_have_count(0)
    expect(buttons).to_have_attribute("data-title", re.compile("download", re.IGNORECASE))


@pytest.mark.slow
def test_the_first_page_has_its_settings_the_theme_and_room_for_a_bad_upload(chromium, address):
    """By its other name, too; the theme is that of the browser; what is wrong with a file is said
    and leaves the page as it is."""
    with watched(chromium, address, scheme="dark") as page:
        open_at(page, f"{address}/overview?singletons=leave+them+out")
        expect(page.get_by_role("heading", level=1)).to_have_text(PAGES["/"])
        expect(page.locator(".signature").first).to_contain_text("singletons drop")
        for scheme, background in (("dark", "rgb(20, 22, 27)"), ("light", "rgb(255, 255, 255)")):
            page.emulate_media(color_scheme=scheme)
            expect(page.locator(".stApp")).to_have_css("background-color", background)
        page.get_by_text(OWN_FILES).click()
        bad = {"name": "bad.conll", "mimeType": "text/plain", "buffer": b"<b>#begin</b>\njunk\n"}
        page.locator('[data-testid="stFileUploader"] input').first.set_input_files(bad)
        problems = page.get_by_role("alert").filter(has_text="bad.conll")
        expect(problems).to_contain_text("<b>#begin</b>")
        expect(page.get_by_role("heading", level=1)).to_have_text(PAGES["/"])
        expect(page.locator(".signature").first).to_contain_text("over 17 documents")


def _click_row(page, number):
    table = page.locator('[data-testid="stDataFrame"] canvas').first
    click_at(table, 60, 32 * number + 16)


@pytest.mark.slow
def test_documents_sorted_by_a_click_on_a_head_are_so_after_back(page, address):
    _open(page, address, "/documents")
    for name in ("name", "name, Z to A", "name", "name, Z to A"):
        _click_row(page, 0)
        expect(page.locator(".st-key-sort input")).to_have_value(name)
    page.wait_for_url("**/documents?sort=name%2C+Z+to+A")
    _click_row(page, 1)
    expect(_headline(page)).to_contain_text("In story_lighthouse, A (cautious)")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES["/documents"])
    expect(page.locator(".st-key-sort input")).to_have_value("name, Z to A")
    _click_row(page, 1)
    expect(_headline(page)).to_contain_text("In story_lighthouse, A (cautious)")


@pytest.mark.slow
def test_a_click_on_a_row_or_a_point_opens_its_text_and_back_leads_back(page, address):
    path = "/documents?singletons=leave+them+out&by=LEA&sort=order+of+the+file"
    _open(page, address, path)
    for number, name in ((3, "news_orchard"), (1, "news_harbour"), (1, "news_harbour")):
        _click_row(page, number)
        expect(_headline(page)).to_contain_text(f"In {name}, A (cautious)")
        expect(page.locator(".signature")).to_contain_text("singletons drop")
        page.locator(".line .label").first.wait_for()
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text(PAGES["/documents"])
        expect(page.locator(".js-plotly-plot .point").first).to_be_visible()
        # The page says what was selected when Back first led to it.
        settings = {*path.split("?")[1].split("&"), "document=news_orchard"}
        page.wait_for_url(lambda url: set(url.partition("?")[2].split("&")) == settings)  # noqa: B023
    click_point(page.locator(".js-plotly-plot .point").nth(4))
    expect(_headline(page)).to_contain_text("A (cautious) finds")
    expect(page).to_have_url(re.compile(r"/text\b"))


# Clicks the link to Text as soon as it is there, and then Next.
HASTY = """
const steps = [
  () => [...document.querySelectorAll('[data-testid="stSidebarNavLink"]')]
    .find((link) => link.textContent.includes("Text")),
  () => location.pathname === "/text" && [...document.querySelectorAll("button:enabled")]
    .find((button) => button.textContent.trim() === "Next"),
];
new MutationObserver(() => {
  const found = steps[0]?.();
  if (found) steps.shift() && found.click();
}).observe(document, { childList: true, subtree: true, attributes: true });
"""


@pytest.mark.slow
def test_a_link_with_a_policy_by_its_id_opens_its_page(page, address):
    open_at(page, f"{address}/perturb?singletons=drop")
    expect(page).to_have_url(re.compile("/perturb.singletons=leave"))
    expect(page.get_by_test_id("stSidebarNav").locator("a[aria-current=page]")).to_have_text(
        "Perturb"
    )
    expect(page.locator(".signature").first).to_contain_text("singletons drop")


@pytest.mark.slow
def test_clicks_that_come_before_a_page_is_drawn_lose_no_setting(page, address):
    page.add_init_script(HASTY)
    open_at(page, f"{address}/?singletons=leave+them+out&a=greedy.conll")
    expect(_headline(page)).to_contain_text("In news_library, A (greedy)")
    expect(page.locator(".signature")).to_contain_text("singletons drop")
    expect(page).to_have_url(re.compile("a=greedy.conll"))
    expect(page).to_have_url(re.compile("singletons=leave"))


@pytest.mark.slow
def test_settings_outlive_a_page_switch_and_a_copied_link(page, address):
    _open(page, address, "/?singletons=leave+them+out&a=greedy.conll")
    page.get_by_role("link", name="Text").click()
    expect(_headline(page)).to_contain_text("A (greedy) finds")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(_headline(page)).to_contain_text("In news_library, A (greedy)")
    _open(page, address, page.url.removeprefix(address))
    expect(_headline(page)).to_contain_text("In news_library, A (greedy)")
    expect(page.locator(".signature")).to_contain_text("singletons drop")
