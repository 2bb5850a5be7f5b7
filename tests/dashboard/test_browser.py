"""Pages in a browser: navigation, keys, charts that are kept."""

import gc
import json
import re
from weakref import ref

import pandas as pd
import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from corescore.plots.compare import parts
from corescore.plots.template import chart, plotly_script, points
from dashboard.navigation import SECTIONS
from dashboard.session.life import held
from dashboard.session.url_names import VIEWS
from dashboard.widgets.charts import kept
from tests.support.browser import (
    LOOK,
    MOST_STOPS,
    OWN_FILES,
    click_at,
    click_point,
    open_at,
    open_place,
    param,
    place_of,
    title_of,
    turn_to,
    wait_until_drawn,
    wait_until_idle,
    watched,
)
from tests.support.pages import APP

# The dashboard in a real Chromium: what it draws, what it asks for, what a pointer does -----------

PAGES = {
    "/": "How do the six metrics disagree about this response?",
    "/documents": "Where does it go wrong?",
    "/text": "What did it do here?",
    "/errors": "What should be fixed first?",
}


def _open(page, address, path):
    open_at(page, address + path)
    expect(title_of(page)).to_have_text(PAGES[path.partition("?")[0]])
    expect(page.locator(".signature").first).to_contain_text("corescore")
    wait_until_idle(page)


def _headline(page):
    return page.locator(".headline").first


def test_the_first_screen_shows_what_it_must_and_sends_no_chart_to_a_cloud(page, address):
    _open(page, address, "/")
    page.locator(".js-plotly-plot .point").first.wait_for()
    chart = page.locator(".js-plotly-plot").first
    for seen in (_headline(page), chart, page.locator(".averages")):
        box = place_of(seen)
        assert box["y"] + box["height"] <= 900
    page.set_viewport_size({"width": 1440, "height": 768})
    own = place_of(page.get_by_text(OWN_FILES))
    assert own["y"] + own["height"] <= 768
    chart.hover()
    buttons = chart.locator(".modebar-btn")
    expect(buttons).to_have_count(1)
    expect(page.get_by_text("Deploy", exact=True)).to_have_count(0)
    expect(buttons).to_have_attribute("data-title", re.compile("download", re.IGNORECASE))


def test_the_first_page_has_its_settings_the_theme_and_room_for_a_bad_upload(chromium, address):
    """By its other name, too; the theme is that of the browser; what is wrong with a file is said
    and leaves the page as it is."""
    with watched(chromium, address, scheme="dark") as page:
        open_at(page, f"{address}/overview?singletons=leave+them+out")
        expect(title_of(page)).to_have_text(PAGES["/"])
        expect(page.locator(".signature").first).to_contain_text("singletons drop")
        for scheme, background in (("dark", "rgb(20, 22, 27)"), ("light", "rgb(255, 255, 255)")):
            page.emulate_media(color_scheme=scheme)
            expect(page.locator(".stApp")).to_have_css("background-color", background)
        page.get_by_text(OWN_FILES).click()
        bad = {"name": "bad.conll", "mimeType": "text/plain", "buffer": b"<b>#begin</b>\njunk\n"}
        page.locator('[data-testid="stFileUploader"] input').first.set_input_files(bad)
        problems = page.get_by_role("alert").filter(has_text="bad.conll")
        expect(problems).to_contain_text("<b>#begin</b>")
        expect(title_of(page)).to_have_text(PAGES["/"])
        expect(page.locator(".signature").first).to_contain_text("over 17 documents")


def test_what_opens_a_folded_sidebar_covers_no_words(chromium, address):
    with watched(chromium, address, width=720) as page:
        _open(page, address, "/text")
        opens = place_of(page.get_by_test_id("stExpandSidebarButton"))
        assert opens["x"] + opens["width"] <= place_of(page.locator(".page-name"))["x"]


def _click_row(page, number):
    table = page.locator('[data-testid="stDataFrame"] canvas').first
    click_at(table, 60, 32 * number + 16)


def test_a_click_on_a_row_or_a_point_opens_its_text_and_back_leads_back(page, address):
    path = "/documents?singletons=leave+them+out&by=LEA&sort=order+of+the+file"
    _open(page, address, path)
    for number, name in ((3, "news_orchard"), (1, "news_harbour"), (1, "news_harbour")):
        _click_row(page, number)
        expect(_headline(page)).to_contain_text(f"In {name}, A (cautious)")
        expect(page.locator(".signature")).to_contain_text("singletons drop")
        page.locator(".line .label").first.wait_for()
        page.go_back()
        expect(title_of(page)).to_have_text(PAGES["/documents"])
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


def test_a_link_with_a_policy_by_its_id_opens_its_page(page, address):
    open_at(page, f"{address}/perturb?singletons=drop")
    expect(page).to_have_url(re.compile("/perturb.singletons=leave"))
    expect(page.get_by_test_id("stSidebarNav").locator("a[aria-current=page]")).to_have_text(
        "Perturb"
    )
    expect(page.locator(".signature").first).to_contain_text("singletons drop")


def test_clicks_that_come_before_a_page_is_drawn_lose_no_setting(page, address):
    page.add_init_script(HASTY)
    open_at(page, f"{address}/?singletons=leave+them+out&a=greedy.conll")
    expect(_headline(page)).to_contain_text("In news_library, A (greedy)")
    expect(page.locator(".signature")).to_contain_text("singletons drop")
    expect(page).to_have_url(re.compile("a=greedy.conll"))
    expect(page).to_have_url(re.compile("singletons=leave"))


# Thirteen pages; those that were pages once are views of others, and their URLs lead --------------

STATE = {
    "links": {"of": "B: greedy", "links": "all links", "document": "news_orchard"},
    "errata": {},
    "many": {"measure": "recall"},
    "data-sets": {"measure": "recall"},
    "pitfalls": {"card": "ceafe-sizes", "revealed": "yes"},
    "export": {"scores_as": "Markdown"},
}


def test_there_are_thirteen_pages():
    titles = [entry.title for section in SECTIONS.values() for entry in section]
    assert len(titles) == 13
    assert {"Papers", "Scoring rules"} < {*titles}


@pytest.mark.parametrize(
    "former",
    [pytest.param(one, marks=[pytest.mark.slow] * (one == "errata")) for one in VIEWS],
)
def test_a_former_page_leads_to_its_view_with_what_its_url_selects(former):
    _, selects, view = VIEWS[former]
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(STATE[former])
    app._page_hash = calc_hash(former)
    app.run()
    assert not app.exception
    assert app.title
    if former == "export":  # once it is open, Share is no part of the link
        assert "share_box" in app.session_state
    else:
        assert param(app, selects) == view
    assert {name: param(app, name) for name in STATE[former]} == STATE[former]


def test_the_mark_leads_to_overview_and_a_switch_to_the_views_of_a_page(page, address):
    open_at(page, f"{address}/links?document=news_orchard&links=all+links")
    expect(page).to_have_url(re.compile(r"/entities\?(?=.*drawn=links).*document=news_orchard"))
    expect(title_of(page)).to_contain_text("Which links does each")
    turn_to(page, "Compare", "many systems")
    expect(title_of(page)).to_contain_text("Which system wins")
    page.get_by_test_id("stLogoLink").first.click()
    wait_until_idle(page)
    expect(title_of(page)).to_contain_text("How do the six")


# Pages that can be used without a pointer ---------------------------------------------------------


# Charts that several sessions look at are drawn once ----------------------------------------------

SQUARE = {"height": 100, "margin": (0, 0, 0, 0)}


def test_a_chart_is_drawn_once_for_a_table_and_anew_for_another():
    drawn = []

    def draw(table, measure):
        drawn.append(measure)
        mark = points(table["x"], table[measure], ["", ""], {})
        return chart([mark], **SQUARE)

    table = pd.DataFrame({"x": [1, 2], "f1": [3.0, 4.0], "recall": [5.0, 6.0]})
    keep = kept(draw)
    first = keep(table, "f1")
    assert keep(table.copy(), "f1") is first
    assert drawn == ["f1"]
    assert list(keep(table, "recall").data[0].y) == [5.0, 6.0]
    assert list(keep(table.assign(f1=[3.0, 4.5]), "f1").data[0].y) == [3.0, 4.5]
    assert drawn == ["f1", "recall", "f1"]


def test_charts_are_let_go_with_an_upload():
    keep = kept(lambda table: chart([points(table["x"], table["y"], ["", ""], {})], **SQUARE))
    table = pd.DataFrame({"x": [1, 2], "y": [3.0, 4.0]})
    held.hold("a session", ["an upload"])
    first = ref(keep(table))
    gc.collect()
    assert first() is not None
    held.let_go(["a session"])
    gc.collect()
    assert first() is None


# The text of a chart stays within it where it has little room -------------------------------------

SCROLLED = "bars => bars.map((bar) => bar.getBoundingClientRect().height)"
DRAW = """([figure, width]) => Plotly.newPlot("chart", figure.data, {...figure.layout, width})"""


def test_counts_of_five_digits_have_room_beside_their_bars(chromium, address):
    """Where the page is narrow, and where it is wide."""
    heads = ["A", "all", "part", "none", "B"]
    table = pd.DataFrame([[10_211, 12_345, 98_765, 20_000, 54_321]] * 2, columns=heads)
    figure = parts(table, ["<b>MUC</b>", "<b>B³</b>"], ["#0072B2"] * 2, heads=heads)
    with watched(chromium, address) as page:
        page.set_content("<div id='chart'></div>")
        page.add_script_tag(content=plotly_script())
        page.evaluate(LOOK)
        for width in (410, 430, 500, 700):
            page.evaluate(DRAW, [json.loads(figure.to_json()), width])
            assert page.evaluate("look.cut()") == []


@pytest.mark.parametrize("n_rows", [1, 3])
def test_the_legend_of_few_bars_names_every_part(chromium, address, n_rows):
    """One that does not fit its chart has a bar to scroll it by."""
    heads = ["A earns more", "both earn all", "equal, not all", "nothing to earn", "B earns more"]
    table = pd.DataFrame([[1_295, 1_979, 2_536, 20, 2_087]] * n_rows, columns=heads)
    figure = parts(table, ["<b>name</b>"] * n_rows, ["#0072B2"] * n_rows, heads=list("abcde"))
    with watched(chromium, address) as page:
        page.set_content("<div id='chart'></div>")
        page.add_script_tag(content=plotly_script())
        for width in (380, 520, 900):
            page.evaluate(DRAW, [json.loads(figure.to_json()), width])
            expect(page.locator(".infolayer .traces text")).to_have_text(heads)
            bars = page.locator(".scrollbar").evaluate_all(SCROLLED)
            assert not any(bars), f"{width} pixels: {bars}"


def test_documents_sorted_by_a_click_on_a_head_are_so_after_back(page, address):
    _open(page, address, "/documents")
    for name in ("name", "name, Z to A", "name", "name, Z to A"):
        _click_row(page, 0)
        expect(page.locator(".st-key-sort input")).to_have_value(name)
    page.wait_for_url("**/documents?sort=name%2C+Z+to+A")
    _click_row(page, 1)
    expect(_headline(page)).to_contain_text("In story_lighthouse, A (cautious)")
    page.go_back()
    expect(title_of(page)).to_have_text(PAGES["/documents"])
    expect(page.locator(".st-key-sort input")).to_have_value("name, Z to A")
    _click_row(page, 1)
    expect(_headline(page)).to_contain_text("In story_lighthouse, A (cautious)")


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
