"""The dashboard in a process of its own, and pages of a browser that watch what goes wrong."""

import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import expect

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _free_port():
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return trial.getsockname()[1]


@contextmanager
def served(*files, cwd=None):
    """The dashboard in a process of its own, as the command line starts it.

    cwd  the project that is served; the one under test if None
    """
    port = _free_port()
    call = f"launch({files[0] if files else None!r}, {list(files[1:])!r}, port={port}, host=host)"
    script = f"from dashboard.launch import launch; host = '127.0.0.1'; {call}"
    server = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL, cwd=cwd)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(10)


def _wait_for(url):
    deadline = time.monotonic() + 30
    while True:
        try:
            return urllib.request.urlopen(url, timeout=5).read()
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
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    wrong = []
    page.on("console", lambda m: wrong.append(_told(m)) if m.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda r: wrong.append(r.url) if not _is_local(r.url, address) else None)
    try:
        yield page
    finally:
        page.close()
    assert not wrong, "\n".join(wrong)


def downloaded(page, name, kind):
    """The download of a table: "Download" under it, and CSV, JSON or Parquet."""
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


def wait_until_idle(page):
    """Until the page has been drawn; a click that comes before may be lost."""
    expect(page.locator('.stApp[data-test-script-state="notRunning"]')).to_be_attached()


def drag(page, name, to):
    """Drag a mention of the response into a box, and wait until the numbers are there."""
    chip = page.locator(f'[data-stop="response {name}"]').bounding_box()
    box = page.locator(f'.response .box[data-to="{to}"]').bounding_box()
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
        "return x.scrollWidth <= x.clientWidth }",
        timeout=5000,
    )


def _told(message):
    """A message of the console, with the address that it is about."""
    return f"{message.text} {message.location.get('url', '')}"


def _is_local(url, address):
    return url.startswith((address, "data:", "blob:"))
