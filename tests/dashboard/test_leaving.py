"""What sessions uploaded is let go once they have left, and with it all that was made of it."""

import gc
import time
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit
from weakref import ref

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from dashboard.session import analyses, life
from dashboard.session import uploads as kept
from dashboard.session.caching import cached
from dashboard.session.files import File, Files
from dashboard.session.life import Held
from dashboard.session.uploads import Kept
from tests.support.browser import PATIENCE, open_at, served, watched
from tests.support.pages import KEY, QUICK, RESPONSE, SESSION, run, upload


class Sessions:
    """Which are here, and what time it is."""

    def __init__(self, *here):
        self.here, self.time = set(here), 0.0

    def held(self):
        return Held(self.here.__contains__, lambda: self.time)


def test_a_session_is_absent_once_it_has_not_been_here_for_so_long():
    sessions = Sessions("a", "b")
    held = sessions.held()
    for session in ("a", "b"):
        held.see(session)
    sessions.time = 100
    assert held.absent(60) == []
    sessions.here.remove("a")
    sessions.time = 159
    assert held.absent(60) == []
    sessions.time = 160
    assert held.absent(60) == ["a"]


def test_what_is_let_go_is_what_no_other_session_has_opened():
    held, forgotten = Sessions("b").held(), []
    held.on_release(forgotten.append)
    held.hold("a", {"key", "of a"})
    held.hold("b", {"key"})
    assert held.let_go(["a"]) == {"of a"}
    assert forgotten == [{"of a"}]
    assert held.among(["key", "of a"]) == {"key"}
    assert held.let_go(["b"]) == {"key"}
    assert held.let_go(["b"]) == frozenset()


def test_an_upload_is_forgotten_with_its_files():
    uploads = Kept()
    names = [
        uploads.keep(Files(File("k", "key", b"k"), (File("r", stamp, b"r"),)))[0]
        for stamp in ("one", "two")
    ]
    uploads.forget({"one"})
    assert [uploads.get(name) is None for name in names] == [True, False]


def test_results_made_of_an_upload_are_forgotten_and_no_others():
    made = []

    @cached(max_entries=8)
    def work(stamps, _more=None, *, by):
        made.append((stamps, by))
        return object()

    life.held.hold("somebody", {"upload"})
    for _ in range(2):
        work(("of the sample",), by="x")
        work(("of the sample", "upload"), "not counted", by="x")
        work(("of the sample", "upload repaired"), by="x")
    assert len(made) == 3
    life.held.let_go(["somebody"])
    work(("of the sample",), by="x")
    assert len(made) == 3
    work(("of the sample", "upload"), by="x")
    work(("of the sample", "upload repaired"), by="x")
    assert len(made) == 5


def test_nothing_that_was_made_of_an_upload_outlives_its_session():
    """Bytes, texts, scores and tables; under Streamlit's test runner, which is one session."""
    key, response = (text.replace(b"slept", b"dozed") for text in (KEY, RESPONSE))
    app = upload(run(view=QUICK), ("mine.conll", key), ("out.conll", response))
    loaded = app.session_state["loaded"]
    system, name = loaded.systems[0], app.query_params["upload"]
    made = [loaded.key, system.result, analyses.mentions(system), analyses.every_error(system)]
    still_there = [ref(one) for one in made]
    assert kept._kept.get(name)
    del app, loaded, system, made
    gc.collect()
    assert all(one() is not None for one in still_there)
    life.held.let_go([SESSION])
    gc.collect()
    assert [one() for one in still_there] == [None] * 4
    assert kept._kept.get(name) is None


FEW_FILES = """
import logging, resource
from dashboard.session import life
resource.setrlimit(resource.RLIMIT_NOFILE, (80, 80))
life.CLOSE = 12.0
logging.getLogger("asyncio").disabled = True  # a traceback for each connection refused takes long
"""


@pytest.mark.long
@pytest.mark.slow
def test_a_server_that_has_no_more_files_to_open_comes_back_when_browsers_have_gone(chromium):
    """A session that is left keeps three files open for a while."""
    with served(before=FEW_FILES) as address:
        page = chromium.new_page()
        for _ in range(30):
            with suppress(PlaywrightError), page.expect_websocket(timeout=2000):
                page.goto(address, wait_until="commit", timeout=2000)
        page.close()
        deadline = time.monotonic() + PATIENCE / 1000
        while not serves_at_once(30, address):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        with watched(chromium, address) as page:
            open_at(page, address)
            expect(page.get_by_role("heading", level=1)).to_be_visible()


def serves_at_once(n, address):
    """Whether as many connections, all open, are answered."""
    place = urlsplit(address)
    try:
        with ExitStack() as stay_open:
            for _ in range(n):
                to = HTTPConnection(place.hostname, place.port, timeout=5)
                stay_open.callback(to.close)
                to.request("GET", "/_stcore/health")
                to.getresponse()
    except OSError:
        return False
    return True
