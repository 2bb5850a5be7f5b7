"""The first visit of pages that compute much: of 100 novels, and of a book of 60,000 mentions.

A page is opened once the server has nothing left to compute, as where somebody has read the first
page before. Beside the time on the clock stands that of the server's processor, which tells the
same on a machine that does other things meanwhile.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.app import CHROMIUM
from tests.benchmarks.much import app_on, files_of, load, seconds_of, turn, wait
from tests.benchmarks.timing import Row, milliseconds
from tests.support.browser import IDLE, open_at
from tests.support.chromium import find_chromium
from tests.support.synthetic import LONG, Shape

NOVELS = Shape(
    documents=100, words=2_100, mentions=330, entities=60, missing=0.15, merged=0.1, moved=0.1
)
AT_REST = 1.0  # seconds in which the server computes next to nothing


def rows() -> Iterator[Row]:
    """One row per page and each file that is made."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM)
        for what, shape, n_responses, visit in (
            ("100 novels", NOVELS, 1, _novels),
            ("100 novels twice", NOVELS, 2, _compared),
            ("a book", LONG, 1, _book),
        ):
            files = files_of(shape, Path(folder, what))
            with app_on(files[: 1 + n_responses]) as (address, pid):
                page = browser.new_page()
                page.set_default_timeout(300_000)
                page.add_init_script(path=IDLE)
                load(page, address)
                for name, goal, work in visit(page, address):
                    yield _row(f"app with {what}, {name}", goal, pid, work)
                page.close()
        browser.close()


Visit = Iterator[tuple[str, str, Callable[[], float | None]]]


def _novels(page: Page, address: str) -> Visit:
    yield "first visit of Errors", "errors of novels", partial(turn, page, "Errors")
    yield "Perturb's first numbers", "perturbed novels", partial(_perturb, page)
    anew = f"{address}/perturb?seed=2"  # another seed: curves that no session has
    yield "Perturb until its curves stand", "curves of novels", partial(_open, page, anew)
    yield "adding a step", "step of novels", partial(_add_step, page)
    turn(page, "Export")
    yield "the report", "files of novels", partial(_make_report, page)
    yield "all tables as ZIP", "files of novels", partial(_download_tables, page)


def _compared(page: Page, _address: str) -> Visit:
    yield "first visit of Two systems", "", partial(turn, page, "Compare")
    turn(page, "Overview")
    yield "Two systems again", "comparison of novels", partial(turn, page, "Compare")


def _book(page: Page, _address: str) -> Visit:
    for name in ("Credit", "Entities"):
        yield f"first visit of {name}", "page of a book", partial(turn, page, name)


def _perturb(page: Page) -> None:
    """Until the scores stand before and after; curves and text come later."""
    page.get_by_role("link", name="Perturb", exact=True).click()
    page.wait_for_selector(".st-key-before_after .main-svg")


def _open(page: Page, url: str) -> float:
    open_at(page, url)
    return wait(page)


def _add_step(page: Page) -> float:
    """Until the scores, the text and the curves of the second step stand."""
    page.get_by_role("combobox", name="Add a step").click()
    page.get_by_role("option", name="Drop mentions", exact=True).click()
    page.get_by_text("2. Drop").wait_for()
    return wait(page)


def _make_report(page: Page) -> float:
    page.get_by_role("button", name="Make the report").click()
    page.get_by_role("button", name="Download the report").wait_for()
    return wait(page)


def _download_tables(page: Page) -> None:
    with page.expect_download() as given:
        page.get_by_role("button", name="Download all tables").click()
    given.value.path()


def _row(what: str, goal: str, pid: int, work: Callable[[], float | None]) -> Row:
    rest(pid)
    before = processor(pid)
    taken = seconds_of(work)
    spent = processor(pid) - before
    return Row(what, taken, None, f"{milliseconds(spent)} of the server's processor", goal=goal)


def rest(pid: int) -> None:
    """Wait until the server has nothing left to compute."""
    before = processor(pid)
    while True:
        time.sleep(AT_REST)
        now = processor(pid)
        if now - before < AT_REST / 20:
            return
        before = now


def processor(pid: int) -> float:
    """Seconds that the process has computed; of Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
