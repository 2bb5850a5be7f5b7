"""The dashboard in a process of its own, and pages of a browser that watch what goes wrong."""

import asyncio
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

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
def served(*files, cwd=None, before="", ahead=False, share=False, data_sets=None):
    """The dashboard in a process of its own, as the command line starts it.

    cwd     the folder where it starts: the project under test if None; a copy of it is served
    before  what the process does first
    ahead   whether what many pages need is computed once they are loaded, beside other tests
    share   whether others may use it; only then the address has a token
    data_sets  a folder of them
    """
    port = free_port()
    key, responses = (files[0] if files else None), list(files[1:])
    how = f"port={port}, host='127.0.0.1', ahead={ahead}, share={share}"
    how += "" if share else ", token=''"
    how += f", data_sets={str(data_sets)!r}" if data_sets else ""
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
        page.get_by_role("button", name=kind, exact=True).click()
    return download.value


def turn_to(page, name):
    """Go to a page by its link in the side bar, and wait until all of it has come.

    Quicker than its address, which would load the whole app again.
    """
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    heading = page.get_by_test_id("stSidebarNav").locator("a[aria-current=page]")
    expect(heading).to_have_text(name)
    wait_until_idle(page)


def turn_to_place(page, place):
    """Go to a place, a page with what its link selects, as Back and Forward of a browser do.

    Quicker than to open it, which would load the whole app again; what was selected before stays.
    """
    go = "at => { history.pushState(null, '', at); dispatchEvent(new PopStateEvent('popstate')) }"
    page.evaluate(go, f"/{place}")
    wait_until_idle(page)


def open_at(page, url):
    """Open a page by its address, and wait until all of it has come."""
    page.goto(url)
    wait_until_idle(page)


def wait_until_idle(page):
    """Until the page has been drawn and waits for nothing; a click that comes before may be lost.

    It can be told of pages that `watched` yields.
    """
    page.wait_for_function("idle.holds()", polling=50)


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


def drag(page, name, to):
    """Drag a mention of the response into a box, and wait until the numbers are there."""
    chip = place_of(page.locator(f'[data-stop="response {name}"]'))
    box = place_of(page.locator(f'.response .box[data-to="{to}"]'))
    before = page.locator(".toy-scores").inner_text()
    page.mouse.move(chip["x"] + 8, chip["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 12, box["y"] + box["height"] - 8, steps=4)
    page.mouse.up()
    expect(page.locator(".toy-scores")).not_to_have_text(before, use_inner_text=True)


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
