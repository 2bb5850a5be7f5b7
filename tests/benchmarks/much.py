"""The app with much data: a book of 60,000 mentions, and 100 documents of 2,000 words."""

import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from corescore.corpus.documents import Corpus
from corescore.corpus.files import write
from tests.benchmarks.app import CHROMIUM
from tests.benchmarks.timing import Row
from tests.support.browser import IDLE, turn_to, wait_until_idle
from tests.support.chromium import find_chromium
from tests.support.synthetic import HUNDRED, LONG, Shape, synthesise

SHAPES = {"book": LONG, "100 documents": HUNDRED}
PAGES = ("Documents", "Text", "Credit", "Entities", "Errors", "Overview")
CLICKED = ("Entities",)  # pages that show a link to the text before anything is clicked
ROUNDS = 3
DRAWN = (
    "[...document.querySelectorAll('[data-testid=stPlotlyChart]')]"
    ".every(chart => chart.querySelector('.main-svg'))"
)


def rows() -> Iterator[Row]:
    """Of each data set: loading until the first page is drawn, the slowest page switch, and the
    slowest click to the text; a page has come once its run has ended and its charts are drawn."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM)
        for name, shape in SHAPES.items():
            with app_on(files_of(shape, Path(folder, name))) as (address, pid):
                page = browser.new_page()
                page.set_default_timeout(300_000)
                page.add_init_script(path=IDLE)
                yield from _rows(page, f"app with a {name}".replace("a 1", "1"), address, pid)
                page.close()
        browser.close()


def _rows(page: Page, what: str, address: str, pid: int) -> Iterator[Row]:
    loading = seconds_of(partial(load, page, address))
    visits = [{at: seconds_of(partial(turn, page, at)) for at in PAGES} for _ in range(1 + ROUNDS)]
    clicks = {at: statistics.median(_click(page, at) for _ in range(ROUNDS)) for at in CLICKED}
    switches = {at: statistics.median(visit[at] for visit in visits[1:]) for at in PAGES}
    first, again, read = (max(t, key=t.__getitem__) for t in (visits[0], switches, clicks))
    yield Row(f"{what}, loading", loading, megabytes=peak(pid), goal="app with much data")
    slowest = f"{first}, the first time"
    yield Row(f"{what}, first visit", visits[0][first], None, slowest, goal="page of much data")
    yield Row(f"{what}, page switch", switches[again], None, again, goal="page of much data")
    goal = "page of much data"
    yield Row(f"{what}, click to the text", clicks[read], None, f"from {read}", goal=goal)


# The data -----------------------------------------------------------------------------------------


def files_of(shape: Shape, folder: Path) -> list[Path]:
    """A key and two responses; of the second fewer mentions are missing or moved."""
    folder.mkdir()
    better = replace(shape, missing=shape.missing / 2, moved=shape.moved / 2)
    key, response = _corpora(shape)
    paths = [folder / f"{name}.conll" for name in ("key", "a", "b")]
    for path, corpus in zip(paths, (key, response, _corpora(better)[1]), strict=True):
        write(corpus, path)
    return paths


def _corpora(shape: Shape) -> tuple[Corpus, Corpus]:
    """A document a seed, so that the key is the same whatever is damaged in the response."""
    one, seeds = replace(shape, documents=1), range(shape.documents)
    pairs = [synthesise(one, np.random.default_rng(seed)) for seed in seeds]
    key, response = (
        Corpus(
            tuple(
                replace(document, name=f"document{seed}")
                for seed, pair in zip(seeds, pairs, strict=True)
                for document in pair[side]
            )
        )
        for side in (0, 1)
    )
    return key, response


# The app ------------------------------------------------------------------------------------------


@contextmanager
def app_on(files: Sequence[Path]) -> Iterator[tuple[str, int]]:
    """The address of the app on these files, and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "corescore", "dashboard", *map(str, files)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, "--no-token", "--port", str(port)], **quiet)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def load(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".js-plotly-plot .main-svg")
    wait(page)


def turn(page: Page, name: str) -> float:
    turn_to(page, name)
    return wait(page)


def wait(page: Page) -> float:
    """Wait for a page; the seconds since it was drawn, in which no more came."""
    wait_until_idle(page)
    since: float = page.evaluate("(performance.now() - idle.drawn) / 1000")
    if page.evaluate(DRAWN):
        return since
    page.wait_for_function(DRAWN)
    return 0.0


def _click(page: Page, name: str) -> float:
    """From a click on a page's link to the text until its words stand."""
    turn(page, name)
    link = page.locator(".st-key-read a").first
    link.wait_for()

    def follow() -> None:
        link.click()
        page.wait_for_selector(".passage .line")
        wait_until_idle(page)

    return seconds_of(follow)


def seconds_of(work: Callable[[], float | None]) -> float:
    """What the work takes, less what it returns: seconds that went into measuring."""
    start = time.perf_counter()
    measuring = work()
    return time.perf_counter() - start - (measuring or 0.0)


def peak(pid: int) -> float | None:
    """Megabytes that the process had in memory at most; None where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    told = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(told[1]) * 1024 / 1e6 if told else None
