"""Every page of the dashboard as a browser draws it, in states that a link can open."""

import re
from contextlib import suppress
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from corescore.teaching.pitfalls import PITFALLS
from dashboard.navigation import _SECTIONS
from tests.support.browser import open_at, wait_until_idle

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
AXE = Axe().axe_script
WIDTHS = (1440, 1366, 1280, 1024)
RESIZING = 20_000  # milliseconds
# What a page shows only where its address asks for it.
MORE = (
    "text?document=news_harbour&mention=0-4",
    "credit?metric=BLANC&document=news_harbour&mention=0-4",
    "compare?one=LEA&margin=2&trials=200",
    "perturb?do=more-precise",
    "experiments?experiment=moosavi2016-table1",
    "experiments?experiment=moosavi2016-fig7",
    "experiments?experiment=luo2014-systems",
    f"pitfalls?card={PITFALLS[0].id}&revealed=yes",
    "errors?tab=by+kind",
    "metrics?metric=blanc",
)
# By their names in the side bar.
PAGES = tuple(name for section in _SECTIONS.values() for _, name, *_ in section)

# Where a rule of axe is not asked: Streamlit's own markup, which an app cannot change.
STREAMLITS = {
    # A section of the side bar is a <div> between the <ul> and its <li>.
    "list": "[data-testid=stSidebarNavItems]",
    "listitem": "[data-testid=stSidebarNavItems]",
    # Its <pre> has no tabindex; browsers let Tab reach every box that scrolls.
    "scrollable-region-focusable": "[data-testid=stCode]",
}
# The rules that may find something in one theme and nothing in the other: asked for each look once.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
# Where text may be smaller: an index below or above the line, and what is never drawn but read out.
INDICES = ".katex-html .mtight, .katex-html .vlist-s, .katex-mathml"
# Signatures are read by programs, too; Streamlit writes the ends of a slider. Its tables scroll by
# themselves, with keys of their own.
NO_WORDS = "pre, code, textarea, .signature, [data-testid=stSlider]"
SCROLLS = "[data-testid=stCode], [data-testid=stDataFrame]"
# One stop leads to all of a group, which has keys of its own.
GROUPS = (
    "[role=radiogroup], [role=tablist], [data-testid=stDataFrame], [data-testid=stSelectbox], "
    "[data-testid=stMultiSelect], [data-testid=stButtonGroup], [data-testid=stNumberInput], "
    "[data-testid=stFileUploader], .strip, .sandbox .side, .credit"
)
# With a hyphen for a minus sign; five digits without a comma; thousands set off by something else.
ODD_NUMBERS = re.compile(
    r"(?<![\w.,–-])-\.?\d[\d.,]*|(?<![\d.])\b\d{5,}\b"
    r"|(?<![§\d.])\b\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3})+\b"
)
STRIDE = 10  # steps of the keyboard between two looks
MOST_STOPS = 1000  # on a page: one that never comes to its end keeps the keyboard in


def open_place(page, address, place):
    """Open a page by its address, and wait until all of it has been drawn."""
    open_at(page, f"{address}/{place}")
    _expect_all_drawn(page)


def _expect_all_drawn(page):
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wait_until_drawn(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def wait_until_drawn(page):
    wait_until_idle(page)
    page.evaluate(LOOK)
    page.wait_for_function("look.isDrawn()")


def problems(page, paper) -> dict[str, object]:
    """What keeps somebody from reading or using the page that is open; the window is as wide as
    the first of WIDTHS.

    paper  an empty page, where what the cameras of the charts save is looked at
    """
    _expect_all_drawn(page)
    if page.evaluate("!window.axe"):
        page.evaluate(AXE)
    asked = {"except": STREAMLITS, "ofColours": OF_COLOURS}
    # The theme that the page before was left in comes first.
    first = page.evaluate("look.scheme()")
    found: dict[str, object] = {"axe": page.evaluate("look.violations", asked)}
    for scheme in (first, "light" if first == "dark" else "dark"):
        turn_on(page, scheme)
        found[f"axe, {scheme}"] = page.evaluate("look.colours", asked)
    found["small text"] = page.evaluate("except => look.small(12, except)", INDICES)
    found["numbers"] = sorted(set(ODD_NUMBERS.findall(page.evaluate("look.words", NO_WORDS))))
    found["cut off in a picture"] = [text for one in _saved(page) for text in _cut(paper, one)]
    for width in WIDTHS:
        _resize(page, width)
        found[f"scrolls, {width}"] = _left(page, "except => look.wide(except)", SCROLLS)
        found[f"cut off, {width}"] = _left(page, "() => look.cut()")
    _resize(page, WIDTHS[0])
    found["by keyboard"] = _missed(page)
    return {aspect: what for aspect, what in found.items() if what}


def _cut(paper, picture) -> list[str]:
    """The texts that a saved chart cuts off."""
    paper.set_content(picture)
    paper.evaluate(LOOK)
    return paper.evaluate("look.cut('body > svg')")


def turn_on(page, scheme):
    page.evaluate(LOOK)
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("scheme => look.scheme() === scheme", arg=scheme)
    wait_until_drawn(page)
    page.wait_for_function("look.isStill()")


def _resize(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("look.isFitted()")


def _saved(page) -> list[str]:
    """The pictures that the cameras of the charts save."""
    pictures = []
    charts = page.locator(".js-plotly-plot:visible").all()
    assert len(charts) == page.get_by_test_id("stPlotlyChart").filter(visible=True).count()
    for chart in charts:
        chart.hover()
        with page.expect_download() as download:
            chart.locator(".modebar-btn").click()
        pictures.append(download.value.path().read_text(encoding="utf-8"))
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    return pictures


def _left(page, look, arg=None) -> list[str]:
    """What a look finds, once charts and tables have found their size in a window."""
    with suppress(PlaywrightTimeoutError):
        page.wait_for_function(f"arg => !({look})(arg).length", arg=arg, timeout=RESIZING)
    return page.evaluate(look, arg)


def _missed(page) -> dict[str, list[str]]:
    """What Tab passes by, and what does not show that it has the focus, on a page that is open."""
    page.add_style_tag(content="* { transition: none !important }")
    page.evaluate("look.begin()")
    for _ in range(MOST_STOPS // STRIDE):
        for _ in range(STRIDE):
            page.keyboard.press("Tab")
        if page.evaluate("look.isAround()"):
            found = page.evaluate("look.missed", GROUPS)
            return {kind: what for kind, what in found.items() if what}
    return {"left": ["the end of the page"]}
