"""From the start of the app to its first chart, against an empty Streamlit page with one chart."""

import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.benchmarks.timing import Row, milliseconds
from tests.support.browser import QUIET, free_port
from tests.support.chromium import find_chromium

RUNS = 7
HEADINGS = {
    "Documents": "Where does it go wrong?",
    "Text": "What did it do here?",
    "Overview": "How do the six metrics disagree",
}
EMPTY_PAGE = """
import plotly.graph_objects as go
import streamlit as st
st.plotly_chart(go.Figure(go.Bar(x=["MUC", "LEA"], y=[1, 2])))
"""


def rows():
    """A row for the start, one for the switch of pages."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=QUIET)
        script = Path(folder, "page.py")
        script.write_text(EMPTY_PAGE)
        ours, empty = (
            ["-m", "corescore", "dashboard", "--no-token", "--port"],
            [
                *("-m", "streamlit", "run", str(script), "--server.headless=true"),
                *(
                    "--browser.gatherUsageStats=false",
                    "--server.address=127.0.0.1",
                    "--server.port",
                ),
            ],
        )
        times = [
            (_start(browser.new_page(), ours), _start(browser.new_page(), empty))
            for _ in range(RUNS)
        ]
        mine, floor = (statistics.median(column) for column in zip(*times, strict=True))
        against = f"{mine / floor:.2f} times an empty page with one chart ({milliseconds(floor)})"
        yield Row("app, start to first chart", mine, mine / floor, against, goal="app start")
        switch = _switch(browser.new_page(), ours)
        yield Row("app, page switch", switch, goal="page switch")
        browser.close()


@contextmanager
def _server(command):
    port = str(free_port())
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, *command, port], **quiet)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def _open(page, address):
    """Wait until the server answers, then until a chart is drawn."""
    port = int(address.rsplit(":", 1)[1])
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.01)
    page.goto(address)
    page.wait_for_selector(".js-plotly-plot .main-svg", timeout=60_000)


def _start(page, command):
    start = time.perf_counter()
    with _server(command) as address:
        _open(page, address)
        taken = time.perf_counter() - start
    page.close()
    return taken


def _switch(page, command):
    """The median time of a click on a page's name until its heading stands."""
    times = []
    with _server(command) as address:
        _open(page, address)
        for name, heading in [*HEADINGS.items()] * 3:
            start = time.perf_counter()
            page.get_by_role("link", name=name, exact=True).click()
            page.wait_for_selector(f"h1:has-text('{heading}')")
            times.append(time.perf_counter() - start)
    return statistics.median(times[3:])
