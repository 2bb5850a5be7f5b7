"""Every page of the dashboard as a browser draws it, in states that a link can open."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from corescore.teaching.pitfalls import PITFALLS
from dashboard.navigation import _SECTIONS
from tests.support.browser import open_at, wait_until_idle

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
AXE = Axe().axe_script
WIDTHS = (1440, 1024)
RESIZING = 20_000  # milliseconds
# What a page shows only where its address asks for it.
MORE = (
    "text?document=news_harbour&mention=0-4",
    "credit?metric=BLANC&document=news_harbour&mention=0-4",
    "perturb?do=more-precise",
    "experiments?experiment=moosavi2016-table1",
    "experiments?experiment=moosavi2016-fig7",
    "experiments?experiment=luo2014-systems",
    f"pitfalls?card={PITFALLS[0].id}&revealed=yes",
    "errors?tab=by+kind",
    "metrics?metric=blanc",
)
PLACES = (*(entry[0] for section in _SECTIONS.values() for entry in section), *MORE)

# Where a rule of axe is not asked: Streamlit's own markup, which an app cannot change.
STREAMLITS = {
    # A section of the side bar is a <div> between the <ul> and its <li>.
    "list": "[data-testid=stSidebarNavItems]",
    "listitem": "[data-testid=stSidebarNavItems]",
    # Its <pre> has no tabindex; browsers let Tab reach every box that scrolls.
    "scrollable-region-focusable": "[data-testid=stCode]",
}
# Where text may be smaller: an index below or above the line, and what is never drawn but read out.
INDICES = ".katex-html .mtight, .katex-html .vlist-s, .katex-mathml"
# Signatures are read by programs, too; Streamlit writes the ends of a slider. Its tables scroll by
# themselves, with keys of their own.
NO_WORDS = "pre, code, textarea, .signature, [data-testid=stSlider]"
SCROLLS = "[data-testid=stCode], [data-testid=stDataFrame]"
# One stop leads to all of a group, which has keys of its own.
GROUPS = (
    "[role=radiogroup], [role=tablist], [data-testid=stDataFrame], [data-testid=stSelectbox], "
    "[data-testid=stNumberInput], .strip, .sandbox .side, .credit"
)
MOST_STOPS = 1000  # on a page: one that never comes to its end keeps the keyboard in


@dataclass(frozen=True)
class Look:
    """What stands out on a page: grave violations that axe finds, text that is too small, boxes to
    scroll sideways by the width of the window, and all its words."""

    violations: list[str]
    small: list[str]
    wide: dict[int, list[str]]
    words: str


def open_place(page, address, place):
    """Open a page by its address, and wait until all of it has been drawn."""
    open_at(page, f"{address}/{place}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wait_until_drawn(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def wait_until_drawn(page):
    wait_until_idle(page)
    page.evaluate(LOOK)
    page.wait_for_function("look.isDrawn()")


def looks(page, address) -> Iterator[tuple[str, Look]]:
    """Each place, and what it looks like."""
    for place in PLACES:
        open_place(page, address, place)
        page.evaluate(AXE)
        yield (
            place,
            Look(
                violations=page.evaluate("look.violations", STREAMLITS),
                small=page.evaluate("except => look.small(12, except)", INDICES),
                wide={width: _wide(page, width) for width in WIDTHS},
                words=page.evaluate("look.words", NO_WORDS),
            ),
        )


def _wide(page, width):
    """What is too wide for a window, once charts and tables have found their size in it."""
    page.set_viewport_size({"width": width, "height": 900})
    with suppress(PlaywrightTimeoutError):
        page.wait_for_function("except => !look.wide(except).length", arg=SCROLLS, timeout=RESIZING)
    return page.evaluate("look.wide", SCROLLS)


def walk_by_keyboard(page) -> dict[str, list[str]]:
    """What Tab passes by, and what does not show that it has the focus, on a page that is open."""
    page.add_style_tag(content="* { transition: none !important }")
    page.evaluate("look.begin()")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("look.stop()"):
            return {
                kind: found for kind, found in page.evaluate("look.missed", GROUPS).items() if found
            }
    return {"left": ["the end of the page"]}
