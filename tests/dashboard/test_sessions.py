"""Sessions: who may open them, how many there are, what they leave."""

import asyncio
import gc
import http.client
import json
import re
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from itertools import chain
from types import SimpleNamespace
from urllib.parse import urlencode, urlsplit
from weakref import ref

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import FileResponse
from streamlit import config, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_routes import create_upload_routes

from dashboard.navigation import SECTIONS
from dashboard.session import analyses, life
from dashboard.session import files as sources
from dashboard.session import uploads as kept
from dashboard.session.access import Doors
from dashboard.session.caching import cached
from dashboard.session.files import File, Files, file_of
from dashboard.session.life import Held
from dashboard.session.uploads import Kept, Waiting
from tests.support.browser import (
    OWN_FILES,
    free_port,
    open_at,
    push,
    run_beside,
    served,
    title_of,
    turn_to,
    turn_to_place,
    wait_until_idle,
    watched,
)
from tests.support.pages import KEY, QUICK, RESPONSE, SESSION, loaded_in, run
from tests.support.pages import upload as upload_of_leaving

# Who may talk to the server, whatever a config.toml says, and that it talks to nobody -------------

OPEN_DOORS = """
[server]
address = "0.0.0.0"
port = 1
headless = false
runOnSave = true
fileWatcherType = "poll"
enableCORS = false
enableXsrfProtection = false
enableAgentApi = true
enableStaticServing = true
scriptHealthCheckEnabled = true
corsAllowedOrigins = ["http://elsewhere.example"]
allowedHosts = ["*"]
baseUrlPath = "elsewhere"
sslCertFile = "none.pem"
sslKeyFile = "none.pem"
[browser]
serverAddress = "elsewhere.example"
gatherUsageStats = true
[client]
allowedOrigins = ["http://elsewhere.example"]
[theme]
base = "http://elsewhere.example/theme.toml"
"""
SECRETS = """
[auth]
redirect_uri = "http://elsewhere.example"
cookie_secret = "known"
client_id = "known"
client_secret = "known"
server_metadata_url = "http://elsewhere.example"
"""
SET = {"STREAMLIT_SERVER_ENABLE_CORS": "false", "STREAMLIT_SERVER_BASE_URL_PATH": "elsewhere"}
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
ELSEWHERE = "http://elsewhere.example", "http://127.0.0.1:1", "http://localhost", "null", "http://["


# Notes each address that the process looks up, connects to or listens on, and each program it runs.
RECORD = """
import os, sys
os.environ.update({set!r}, HOME={home!r})
NOTED = "socket.bind", "socket.connect", "socket.get", "socket.send", "subprocess", "os.system"
def record(event, arguments):
    if event.startswith(NOTED):
        with open({path!r}, "a") as file:
            file.write(f"{{event}} {{arguments[-1]}}\\n")
sys.addaudithook(record)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(OPEN_DOORS)
    (folder / ".streamlit" / "secrets.toml").write_text(SECRETS)
    return folder


@pytest.fixture(scope="module")
def address_of_doors(folder):
    """Of a server whose look-ups are noted, started where a config file opens all doors."""
    recorded = RECORD.format(path=str(folder / "met"), home=str(folder), set=SET)
    with served(cwd=folder, before=recorded, ahead=True) as address_of_doors:
        yield address_of_doors


def asked(address_of_doors, path, method="GET", **headers):
    """Status, headers and text of an answer."""
    connection = http.client.HTTPConnection(urlsplit(address_of_doors).netloc, timeout=60)
    body = "{}" if method == "POST" else None
    connection.request(method, path, body, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    text = answer.read().decode() if answer.status != 101 else ""
    connection.close()
    return answer.status, dict(answer.getheaders()), text


def shown(page):
    """The box that says which files are shown."""
    return page.get_by_role("combobox", name="Shown", exact=True)


def upload(page):
    """Open a file as key and response, and wait until it is shown."""
    page.get_by_text(OWN_FILES, exact=True).click()
    file = {"name": "own.conll", "mimeType": "text/plain", "buffer": KEY}
    for box in page.get_by_test_id("stFileUploader").all()[:2]:
        box.locator("input").first.set_input_files(file)
        expect(box.get_by_text("own.conll")).to_be_visible()
        wait_until_idle(page)
    expect(shown(page)).to_have_value("uploaded files")
    wait_until_idle(page)


def test_pages_of_other_origins_get_nothing(address_of_doors):
    for origin in ELSEWHERE:
        assert asked(address_of_doors, "/", Origin=origin)[0] == 403
        assert asked(address_of_doors, "/_stcore/stream", Origin=origin, **UPGRADE)[0] == 403
    for origin in ({}, {"Origin": address_of_doors}):
        assert asked(address_of_doors, "/", **origin)[0] == 200
        assert asked(address_of_doors, "/_stcore/stream", **origin, **UPGRADE)[0] == 101


@pytest.mark.parametrize("first", [0, 1])
def test_a_page_that_names_two_origins_gets_nothing(address_of_doors, first):
    origins = address_of_doors, ELSEWHERE[0]
    connection = http.client.HTTPConnection(urlsplit(address_of_doors).netloc, timeout=60)
    connection.putrequest("GET", "/")
    for origin in (origins[first], origins[1 - first]):
        connection.putheader("Origin", origin)
    connection.endheaders()
    assert connection.getresponse().status == 403
    connection.close()


def test_a_name_that_is_not_the_servers_gets_nothing(address_of_doors):
    for host in ("elsewhere.example", "127.0.0.1.elsewhere.example", "", "127.0.0.1; x", "[::1"):
        assert asked(address_of_doors, "/", Host=host)[0] in (400, 403)
        assert asked(address_of_doors, "/_stcore/stream", Host=host, **UPGRADE)[0] in (400, 403)
    assert asked(address_of_doors, "/", Host="localhost")[0] == 200


def test_a_file_is_sent_in_one_piece(tmp_path):
    sent, script, data = [], tmp_path / "plotly.js", bytes(1_000_000)
    script.write_bytes(data)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    run_beside(Doors(FileResponse(script), ["localhost"])(scope, None, send))
    assert sent[1:] == [{"type": "http.response.body", "body": data}]


def test_a_config_file_opens_nothing(address_of_doors):
    _, _, text = asked(address_of_doors, "/_stcore/host-config")
    assert json.loads(text)["allowedOrigins"] == []
    _, headers, _ = asked(address_of_doors, "/")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    status, _, text = asked(address_of_doors, "/_stcore/agent/interact", method="POST")
    assert (status, json.loads(text)["error"]["code"]) == (403, "not_available")
    for path in ("app/static/icon.png", "_stcore/script-health-check"):
        assert (
            asked(address_of_doors, f"/{path}")[2] == asked(address_of_doors, "/")[2]
        )  # the app's own page
    assert asked(address_of_doors, "/auth/login")[1]["location"] == "/"
    assert asked(address_of_doors, "/_stcore/upload_file/a/b", method="PUT")[0] == 403


def test_nothing_leaves_the_machine_and_one_address_is_listened_on(
    address_of_doors, chromium, folder
):
    """All pages, an upload, a report, and strangers who ask."""
    with watched(chromium, address_of_doors) as page:
        open_at(page, address_of_doors)
        for entry in chain(*SECTIONS.values()):
            turn_to(page, entry.title)
        open_at(page, f"{address_of_doors}/export")
        push(page, "Make the report")
        wait_until_idle(page)
        upload(page)
    for origin in ELSEWHERE:
        asked(address_of_doors, "/_stcore/stream", Origin=origin, **UPGRADE)
    where = urlsplit(address_of_doors)
    assert (folder / "met").read_text().splitlines() == [
        f"socket.bind {(where.hostname, where.port)}"
    ]


# With a token ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared():
    with served(share=True) as url:
        yield url


@pytest.mark.slow
@pytest.mark.parametrize("given", [[], ["--no-token"]])
def test_the_command_asks_for_a_token_unless_it_is_told_not_to(given):
    port = free_port()
    command = [sys.executable, "-m", "corescore", "dashboard", "--port", str(port), *given]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        where, _, token = server.stdout.readline().split()[-1].partition("/?token=")
        assert bool(token) is (not given)
        try:
            assert asked(where, "/")[0] == (403 if token else 200)
            assert asked(where, f"/?token={token}")[0] == 200
        finally:
            server.terminate()


@pytest.mark.slow
def test_with_a_token_of_ones_own_links_and_browsers_outlive_a_restart():
    """The link of a class, and a page that was open."""
    given = ["--port", str(free_port()), "--share", "--token", "of-our-class"]
    command = [sys.executable, "-m", "corescore", "dashboard", *given]
    links, cookies = [], []
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            links.append(server.stdout.readline().split()[-1])
            where = f"http://127.0.0.1:{urlsplit(links[0]).port}"
            try:
                status, headers, _ = asked(where, "/?token=of-our-class")
                assert status == 200
                cookies.append(headers["set-cookie"].split("; ")[0])
                assert asked(where, "/text", Cookie=cookies[0])[0] == 200
            finally:
                server.terminate()
    assert links[0] == links[1]


PATHS = (
    *("/", "/text", "/static/index.js", "/_stcore/health", "/_stcore/host-config"),
    *("/_stcore/metrics", "/media/a.png", "/component/a/b.js", "/_stcore/bidi-components/a/b.js"),
)


def test_without_the_token_there_is_nothing(shared):
    where, token = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?token=([\w-]{43})", shared).groups()
    cookie = f"corescore-{urlsplit(where).port}"
    for wrong in ("", token[:-1], f"{token}x", "ü", "é" * 43):
        said = {"Cookie": f"{cookie}={wrong}".encode()} if wrong else {}
        for path in PATHS:
            query = urlencode({"token": wrong}) if wrong else ""
            assert asked(where, f"{path}?{query}", **said)[0] == 403
        for path in ("/_stcore/stream", f"/_stcore/stream?token={token}"):
            assert asked(where, path, **said, **UPGRADE)[0] == 403
        assert asked(where, "/_stcore/upload_file/a/b", method="PUT", **said)[0] == 403


def test_the_first_visit_with_the_token_gives_a_cookie_that_opens_the_rest(shared):
    where, token = shared.split("/?token=")
    status, headers, text = asked(where, f"/text?document=a%26b&token={token}")
    assert (status, token in text) == (200, False)
    assert 'content="0; url=/text?document=a%26b"' in text
    cookie, *rules = headers["set-cookie"].split("; ")
    assert {rule.casefold() for rule in rules} == {"httponly", "path=/", "samesite=strict"}
    assert asked(where, "/text", Cookie=cookie)[0] == 200
    assert asked(where, "/_stcore/stream", Cookie=cookie, **UPGRADE)[0] == 101
    for stranger in ({"Origin": "http://elsewhere.example"}, {"Host": "elsewhere.example"}):
        assert asked(where, "/", Cookie=cookie, **stranger)[0] == 403


def test_a_class_sees_what_was_loaded_and_uploads_stay_with_who_made_them(stranger, tmp_path):
    """Two browsers with the token, and one without."""
    secret = tmp_path / "secret.conll"
    secret.write_bytes(KEY.replace(b"slept", b"hidden"))
    files = [tmp_path / name for name in ("key.conll", "out.conll")]
    for file in files:
        file.write_bytes(KEY)
    with served(*map(str, files), share=True) as url:
        where = url.split("/?")[0]
        with watched(stranger, where) as one, watched(stranger, where) as other:
            for page in (one, other):
                page.bring_to_front()  # one behind another is drawn late
                page.goto(url)
                expect(shown(page)).to_have_value(sources.SHORT[sources.GIVEN])
                wait_until_idle(page)
                assert "token" not in page.url
            one.bring_to_front()
            upload(one)
            other.bring_to_front()
            open_at(other, where)
            expect(shown(other)).to_have_value(sources.SHORT[sources.GIVEN])
            typed = {"files": [secret, secret], "upload": secret, "document": secret, "a": secret}
            query = urlencode(typed, doseq=True)
            open_at(other, f"{where}/text?{query}")
            for path in ("text", "errors", "sandbox", "perturb"):
                turn_to_place(other, f"{path}?{query}")
                assert "hidden" not in other.locator("body").inner_text()
        outside = stranger.new_page()
        for path in ("/", "/text?document=d"):
            assert outside.goto(where + path).status == 403
            assert "slept" not in outside.content()
        outside.close()


# What sessions uploaded is let go once they have left, and with it all that was made of -----------


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
    app = upload_of_leaving(run(QUICK), ("mine.conll", key), ("out.conll", response))
    loaded = loaded_in(app)
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
def test_a_server_that_has_no_more_files_to_open_comes_back_when_browsers_have_gone(chromium):
    """A session that is left keeps three files open for a while."""
    with served(before=FEW_FILES) as address:
        page = chromium.new_page()
        for _ in range(30):
            with suppress(PlaywrightError), page.expect_websocket(timeout=2000):
                page.goto(address, wait_until="commit", timeout=2000)
        page.close()
        while not serves_at_once(30, address):  # no longer than a test may take
            time.sleep(0.2)
        with watched(chromium, address) as page:
            open_at(page, address)
            expect(title_of(page)).to_be_visible()


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


# How much one session may send that no page takes -------------------------------------------------

MOST = 10_000


@pytest.fixture
def files(monkeypatch):
    """Streamlit's own store of uploads."""
    files = MemoryUploadedFileManager("/_stcore/upload_file")
    server = SimpleNamespace(uploaded_file_mgr=files, is_active_session=lambda session: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    before = config.get_option("server.enableXsrfProtection")
    config.set_option("server.enableXsrfProtection", False)
    yield files
    config.set_option("server.enableXsrfProtection", before)


@pytest.fixture
def app(files):
    """Streamlit's own routes for uploads behind the limit."""
    routes = create_upload_routes(runtime.get_instance(), files, None)
    return Starlette(routes=routes, middleware=[Middleware(Waiting, most=MOST)])


async def sent(app, path, size, at_once=None):
    """The status of an upload of so many bytes, sent in pieces once the others are as far."""
    head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    body = head + b"a" * size + b"\r\n--x--\r\n"
    pieces = [body[at : at + 500] for at in range(0, len(body), 500)]
    statuses = []

    async def receive():
        if at_once and len(pieces) == 1:
            await at_once.wait()
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message):
        statuses.append(message.get("status"))

    headers = [(b"content-type", b"multipart/form-data; boundary=x")]
    scope = {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{path}"}
    await app({**scope, "headers": headers, "query_string": b"", "root_path": ""}, receive, send)
    return statuses[0]


def all_sent(app, *uploads):
    return [run_beside(sent(app, path, size)) for path, size in uploads]


def test_uploads_under_any_ids_are_refused_once_a_session_has_sent_too_much(app, files):
    uploads = [(f"one/made-up-{number}", 2000) for number in range(8)]
    assert all_sent(app, *uploads) == [204] * 4 + [413] * 4
    assert all_sent(app, ("other/a", 2000)) == [204]
    assert sum(len(file.data) for file in files.file_storage["one"].values()) == 8000


def test_what_a_page_has_taken_or_removed_makes_room(app, files):
    (*_, last) = uploads = [(f"one/{number}", 2000) for number in range(5)]
    assert all_sent(app, *uploads)[-1] == 413
    files.remove_file("one", "0")
    assert all_sent(app, last) == [204]
    for file in files.get_files("one", ["1", "2", "3", "4"]):
        files.add_file("one", file._replace(data=b""))
    assert all_sent(app, *uploads[:4]) == [204] * 4


def test_uploads_at_the_same_time_count_together(app):
    async def together():
        at_once = asyncio.Event()
        waiting = [sent(app, f"one/{number}", 3000, at_once) for number in range(8)]
        asyncio.get_running_loop().call_later(0.1, at_once.set)
        return await asyncio.gather(*waiting)

    statuses = run_beside(together())
    assert {*statuses} == {204, 413}
    assert statuses.count(204) <= 3
    assert all_sent(app, ("one/later", 100)) == [204]


# Uploads that the server keeps: for how long, and how many ----------------------------------------


def files_of_kept(text, *more):
    return Files(file_of("key.conll", text), (file_of("out.conll", b"x"), *more))


def test_uploads_are_found_by_names_that_are_long_and_never_the_same():
    kept = Kept()
    names = [kept.keep(files_of_kept(b"a"))[0] for _ in range(3)]
    assert len(set(names)) == 3
    assert all(re.fullmatch(r"[\w-]{43}", name) for name in names)  # 256 bits
    assert [kept.get(name) for name in names] == [files_of_kept(b"a")] * 3
    assert kept.get("elsewhere") is None


def test_the_oldest_uploads_make_room():
    kept = Kept(most=2)
    names = [kept.keep(files_of_kept(bytes([n])))[0] for n in range(3)]
    assert [kept.get(name) is None for name in names] == [True, False, False]


def test_uploads_that_hold_too_much_make_room_but_the_latest_stays():
    kept = Kept(most_bytes=100)
    small, large = (kept.keep(files_of_kept(b"a" * size))[0] for size in (90, 200))
    assert kept.get(small) is None
    assert kept.get(large) == files_of_kept(b"a" * 200)


def test_what_uploads_have_in_common_is_kept_once():
    kept = Kept(most_bytes=150)
    text = b"a" * 100
    first, _ = kept.keep(files_of_kept(text))
    _, second = kept.keep(files_of_kept(bytes(text), File("more.conll", "another", b"y")))
    assert second.key.data is kept.get(first).key.data
