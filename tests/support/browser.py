"""The dashboard in a process of its own, and pages of a browser that watch what goes wrong."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from corescore.teaching.pitfalls import PITFALLS
from dashboard.navigation import SECTIONS

# The dashboard in a process of its own, and pages of a browser that watch what goes wrong ---------

IDLE = Path(__file__).with_name("idle.js")
OWN_FILES = "Open your own files"  # the box of uploads
PATIENCE = 120_000  # milliseconds: two browsers and two servers on two cores that others use, too
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def free_port():
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return trial.getsockname()[1]


@contextmanager
def served(*files, cwd=None, before="", ahead=False, share=False):
    """The dashboard in a process of its own, as the command line starts it.

    cwd     the folder where it starts: the project under test if None; a copy of it is served
    before  what the process does first
    ahead   whether what many pages need is computed once they are loaded, beside other tests
    share   whether others may use it; only then the address has a token
    """
    port = free_port()
    key, responses = (files[0] if files else None), list(files[1:])
    how = f"port={port}, host='127.0.0.1', ahead={ahead}, share={share}"
    how += "" if share else ", token=''"
    call = f"launch({key!r}, {responses!r}, {how})"
    script = f"{before}\nfrom dashboard.launch import launch\n{call}"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    server = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=cwd, env=environment, text=True
    )
    try:
        address = server.stdout.readline().split()[-1]
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield address
    finally:
        server.terminate()
        server.wait(PATIENCE / 1000)


def _wait_for(url):
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return urllib.request.urlopen(url, timeout=5).read()
        except urllib.error.HTTPError as answer:
            return answer.read()  # that no stranger gets in
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@contextmanager
def watched(chromium, address, *, width=1440, scheme="light"):
    """A page that fails the test on a console error or a request to another host.

    chromium  a context, to which the page is added, or a browser, where it has a context of its own
    """
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.add_init_script(path=IDLE)
    wrong = []
    page.on("console", lambda m: wrong.append(_told(m)) if m.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda r: wrong.append(r.url) if not _is_local(r.url, address) else None)
    try:
        yield page
    finally:
        page.close()
    assert not wrong, "\n".join(wrong)


def run_beside(work):
    """What a coroutine returns, run in another thread: in this one a browser's loop may run."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


def downloaded(page, name, kind):
    """The download of a table: "Download" under it, and CSV, JSON or Parquet."""
    wait_until_idle(page)
    page.locator(f".st-key-download-{name}").get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        push(page, kind, exact=True)
    return download.value


def turn_to(page, name, view=None):
    """Go to a page by its link in the sidebar, and wait until all of it has come; then to one of
    its views by the switch beside its name.

    Quicker than its address, which would load the whole app again.
    """
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    heading = page.get_by_test_id("stSidebarNav").locator("a[aria-current=page]")
    expect(heading).to_have_text(name)
    wait_until_idle(page)
    if view:
        page.locator(".st-key-page_name").get_by_role("radio", name=view, exact=True).click()
        wait_until_idle(page)


def turn_to_place(page, place):
    """Go to a place, a page with what its link selects, as Back and Forward of a browser do.

    Quicker than to open it, which would load the whole app again; what was selected before stays.
    """
    go = "at => { history.pushState(null, '', at); dispatchEvent(new PopStateEvent('popstate')) }"
    page.evaluate(go, f"/{place}")
    wait_until_idle(page)


def title_of(page):
    return page.get_by_role("heading", level=1)


def push(page, name, **how):
    """Click the button of this name."""
    page.get_by_role("button", name=name, **how).click()


def open_at(page, url):
    """Open a page by its address, and wait until all of it has come."""
    page.goto(url)
    wait_until_idle(page)


def wait_until_idle(page):
    """Until the page has been drawn, without an exception, and waits for nothing; a click that
    comes before may be lost.

    It can be told of pages that `watched` yields.
    """
    page.wait_for_function("idle.holds()", polling=50)
    assert page.get_by_test_id("stException").all_inner_texts() == []


# The rectangle of an element, once it is the same in three frames one after another; null where it
# is not shown any more, as where the page has drawn another in its place.
SETTLED = """node => new Promise((tell) => {
  let last = "", same = 0;
  const look = () => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const now = [x, y, width, height].join(" ");
    same = now === last ? same + 1 : 0;
    last = now;
    if (!width || !height) tell(null);
    else if (same === 2) tell({ x, y, width, height });
    else requestAnimationFrame(look);
  };
  look();
})"""


def place_of(locator):
    """Where an element is, once the page has been drawn and the element no longer moves."""
    wait_until_idle(locator.page)
    place = None
    while place is None:
        locator.wait_for()
        place = locator.evaluate(SETTLED)
    return place


def click_at(locator, x, y):
    """Click a place in an element, given in pixels from its upper left corner.

    The pointer comes in two moves, as a hand's does: a table that is drawn learns from a move which
    of its cells is clicked.
    """
    place_of(locator)
    locator.scroll_into_view_if_needed()
    place = place_of(locator)
    mouse, at = locator.page.mouse, (place["x"] + x, place["y"] + y)
    mouse.move(at[0] - 2, at[1] - 2)
    mouse.move(*at)
    mouse.click(*at)


def click_point(point):
    """Click the middle of a point of a chart, above which the chart's own layer takes the click."""
    place = place_of(point)
    click_at(point, place["width"] / 2, place["height"] / 2)


# A split and two deletions in the sandbox, quicker than the app can draw one of them.
THREE_EDITS = """root => {
  const at = (stop) => root.querySelector(`[data-stop="response ${stop}"]`);
  const press = (stop, key) =>
    at(stop).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("entity 2", "s");
  press("c", "Delete");
  press("entity 0", "Delete");
}"""


def drag(page, name, to):
    """Drag a mention of the response into a box, and wait until the numbers are there."""
    chip = place_of(page.locator(f'[data-stop="response {name}"]'))
    box = place_of(page.locator(f'.response .box[data-to="{to}"]'))
    before = page.locator(".toy-scores").inner_text()
    drag_into(page, chip, box)
    expect(page.locator(".toy-scores")).not_to_have_text(before, use_inner_text=True)


def drag_into(page, chip, box):
    """Drag what is in a place into another."""
    page.mouse.move(chip["x"] + 8, chip["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 12, box["y"] + box["height"] - 8, steps=4)
    page.mouse.up()


def expect_to_fit(page):
    """The page is no wider than its window, once its charts have found their size."""
    page.wait_for_function(
        "m => { const x = document.querySelector('[data-testid=stMain]'); "
        "return x.scrollWidth <= x.clientWidth }"
    )


def _told(message):
    """A message of the console, with the address that it is about."""
    return f"{message.text} {message.location.get('url', '')}"


def _is_local(url, address):
    return url.startswith((address, "data:", "blob:"))


# The script of a component on a page with nothing else, and the app that answers it ---------------

ADDRESS = "http://blank.localhost"  # of no server: a page of an address may keep texts and copy
SCRIPT = Path(__file__).with_name("blank.js")
SOON = 20_000  # milliseconds: without a server all comes at once
PAGE = """<!doctype html><title>blank</title>
<style>
  body { margin: 0; font: 16px sans-serif }
  main { margin-left: 300px; padding: 0 40px } /* the sidebar, and the room around a page */
  :root { --st-background-color: #fff; --st-text-color: #111; --st-base-font-size: 16px }
</style>
<main class="stApp" data-testid="stMain"></main>"""


@contextmanager
def blank_page(chromium, **looks):
    """An empty page that fails the test on an error or a request."""
    with watched(chromium, ADDRESS, **looks) as page:
        page.route("**/*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.add_init_script(path=SCRIPT)
        page.goto(ADDRESS)
        page.set_default_timeout(SOON)
        expect.set_options(timeout=SOON)
        try:
            yield page
        finally:
            expect.set_options(timeout=PATIENCE)


class Drawn:
    """A component of the app, drawn on an empty page."""

    def __init__(self, page, app, component):
        self.page, self.app, self.component = page, app, f"corescore_{component}"
        self.draw()

    @property
    def _proto(self):
        found = [one.proto for one in self.app.get("bidi_component")]
        (proto,) = (one for one in found if one.component_name == self.component)
        return proto

    @property
    def data(self):
        """What the app sends the script."""
        return json.loads(self._proto.json)

    def draw(self):
        """Give the script what the app sends now."""
        proto = self._proto
        given = {"js": proto.js_content, "css": proto.css_content, "data": proto.json}
        given["isolated"] = proto.isolate_styles
        self.page.evaluate("([name, given]) => blank.draw(name, given)", [self.component, given])

    def remove(self):
        """Take it off the page."""
        self.page.evaluate("name => blank.remove(name)", self.component)

    def press(self, label):
        """Press a button of the app beside it, and draw the answer."""
        next(button for button in self.app.button if button.label == label).click().run()
        self.draw()

    def sent(self):
        """What the script has sent since, once it has sent something: names with values."""
        self.page.wait_for_function("blank.sent.length")
        return self.page.evaluate("blank.taken()")

    def answer(self, *, last=False):
        """Give the app what the script has sent, and draw its answer; what it was.

        last  whether only the last of it arrives, as of what is sent while the app is at work
        """
        sent = self.sent()
        self.app = tell(self.app, self._proto.id, sent[-1:] if last else sent)
        self.draw()
        return sent

    def is_quiet(self):
        """Whether the script has sent nothing since."""
        return not self.page.evaluate("blank.sent.length")


def tell(app, component, sent):
    """Run the app with what the script of a component has sent."""
    states = app._tree.get_widget_states()
    triggers = f"$$STREAMLIT_INTERNAL_KEY_{component}__events"
    states.widgets.add(id=triggers, json_trigger_value=json.dumps(sent))
    return app._run(states)


def param(app, name):
    """A setting in the URL of the app; "" if it has none of this name."""
    found = app.query_params.get(name) or [""]
    return found[0] if isinstance(found, list) else found


# Every page of the dashboard as a browser draws it, in states that a link can open ----------------

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
AXE = Axe().axe_script
WIDTHS = (1440, 1280, 1024, 960)  # the last as 1440 at 150%
RESIZING = 20_000  # milliseconds
# What a page shows only where its address asks for it.
MORE = (
    "text?document=news_harbour&mention=0-4",
    "credit?metric=BLANC&document=news_harbour&mention=0-4",
    "compare?one=LEA&trials=200",
    "perturb?do=more-precise",
    "experiments?experiment=moosavi2016-table1",
    "experiments?experiment=moosavi2016-fig7",
    "experiments?experiment=luo2014-systems",
    *("links", "many", "data-sets", "lesson?about=LEA", "lesson?step=0"),
    f"pitfalls?card={PITFALLS[0].id}&revealed=yes",
    "errors?tab=by+kind",
    "metrics?metric=blanc",
)
# By their names in the sidebar.
PAGES = tuple(entry.title for section in SECTIONS.values() for entry in section)

# Where a rule of axe is not asked: Streamlit's own markup, which an app cannot change.
STREAMLITS = {
    # A section of the sidebar is a <div> between the <ul> and its <li>.
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
# How far below the top of a window of this size the first text, chart or table begins, at most; and
# how many words a page opens with, at most, outside of its tables, charts and texts of the user.
ROOFS = {(1440, 900): 200, (1024, 768): 240}
MOST_WORDS = 350
STRIDE = 10  # steps of the keyboard between two looks
MOST_STOPS = 1000  # on a page: one that never comes to its end keeps the keyboard in


def open_place(page, address, place):
    """Open a page by its address, and wait until all of it has been drawn."""
    open_at(page, f"{address}/{place}")
    _expect_all_drawn(page)


def _expect_all_drawn(page):
    expect(title_of(page)).to_be_visible()
    wait_until_drawn(page)


def wait_until_drawn(page):
    wait_until_idle(page)
    page.evaluate(LOOK)
    page.wait_for_function("look.isDrawn()")


def problems(page, paper):
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
    found = {"axe": page.evaluate("look.violations", asked)}
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


def opening(page):
    """In pixels, where the first datum of the page that is open begins, by the window's width, and
    the number of words that it opens with."""
    _expect_all_drawn(page)
    found = {"words": page.evaluate("look.prose()")}
    for width, height in ROOFS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("look.isFitted()")
        found[f"datum, {width}"] = page.evaluate("look.datum()")
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    return found


def _cut(paper, picture):
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


def _saved(page):
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


def _left(page, look, arg=None):
    """What a look finds, once charts and tables have found their size in a window."""
    with suppress(PlaywrightTimeoutError):
        page.wait_for_function(f"arg => !({look})(arg).length", arg=arg, timeout=RESIZING)
    return page.evaluate(look, arg)


def _missed(page):
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
