"""Who may talk to the server, whatever a config.toml says, and that it talks to nobody."""

import http.client
import json
import re
import subprocess
import sys
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from dashboard.session import files as sources
from tests.benchmarks.load import show_all
from tests.support.browser import (
    OWN_FILES,
    free_port,
    open_at,
    run_beside,
    served,
    turn_to_place,
    wait_until_idle,
    watched,
)
from tests.support.pages import KEY

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
def address(folder):
    """Of a server whose look-ups are noted, started where a config file opens all doors."""
    recorded = RECORD.format(path=str(folder / "met"), home=str(folder), set=SET)
    with served(cwd=folder, before=recorded, ahead=True) as address:
        yield address


def asked(address, path, method="GET", **headers):
    """Status, headers and text of an answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
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


def test_pages_of_other_origins_get_nothing(address):
    for origin in ELSEWHERE:
        assert asked(address, "/", Origin=origin)[0] == 403
        assert asked(address, "/_stcore/stream", Origin=origin, **UPGRADE)[0] == 403
    for origin in ({}, {"Origin": address}):
        assert asked(address, "/", **origin)[0] == 200
        assert asked(address, "/_stcore/stream", **origin, **UPGRADE)[0] == 101


@pytest.mark.parametrize("first", [0, 1])
def test_a_page_that_names_two_origins_gets_nothing(address, first):
    origins = address, ELSEWHERE[0]
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.putrequest("GET", "/")
    for origin in (origins[first], origins[1 - first]):
        connection.putheader("Origin", origin)
    connection.endheaders()
    assert connection.getresponse().status == 403
    connection.close()


def test_a_name_that_is_not_the_servers_gets_nothing(address):
    for host in ("elsewhere.example", "127.0.0.1.elsewhere.example", "", "127.0.0.1; x", "[::1"):
        assert asked(address, "/", Host=host)[0] in (400, 403)
        assert asked(address, "/_stcore/stream", Host=host, **UPGRADE)[0] in (400, 403)
    assert asked(address, "/", Host="localhost")[0] == 200


def test_a_config_file_opens_nothing(address):
    _, _, text = asked(address, "/_stcore/host-config")
    assert json.loads(text)["allowedOrigins"] == []
    _, headers, _ = asked(address, "/")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    status, _, text = asked(address, "/_stcore/agent/interact", method="POST")
    assert (status, json.loads(text)["error"]["code"]) == (403, "not_available")
    for path in ("app/static/icon.png", "_stcore/script-health-check"):
        assert asked(address, f"/{path}")[2] == asked(address, "/")[2]  # the app's own page
    assert asked(address, "/auth/login")[1]["location"] == "/"
    assert asked(address, "/_stcore/upload_file/a/b", method="PUT")[0] == 403


@pytest.mark.slow
def test_nothing_leaves_the_machine_and_one_address_is_listened_on(address, chromium, folder):
    """All pages, an upload, a report, and strangers who ask."""
    run_beside(show_all(address))
    with watched(chromium, address) as page:
        open_at(page, f"{address}/export")
        page.get_by_role("button", name="Make the report").click()
        wait_until_idle(page)
        upload(page)
    for origin in ELSEWHERE:
        asked(address, "/_stcore/stream", Origin=origin, **UPGRADE)
    where = urlsplit(address)
    assert (folder / "met").read_text().splitlines() == [
        f"socket.bind {(where.hostname, where.port)}"
    ]


# With a token ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared():
    with served(share=True) as url:
        yield url


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [
        [],
        ["--token", "of-our-class"],
        ["--no-token"],
    ],
)
def test_the_command_asks_for_a_token_unless_it_is_told_not_to(given):
    port = free_port()
    command = [sys.executable, "-m", "corescore", "dashboard", "--port", str(port), *given]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        where, _, token = server.stdout.readline().split()[-1].partition("/?token=")
        assert token == given[-1] if len(given) == 2 else bool(token) is (not given)
        try:
            assert asked(where, "/")[0] == (403 if token else 200)
            assert asked(where, f"/?token={token}")[0] == 200
        finally:
            server.terminate()


PATHS = (
    *("/", "/text", "/static/index.js", "/_stcore/health", "/_stcore/host-config"),
    *("/_stcore/metrics", "/media/a.png", "/component/a/b.js", "/_stcore/bidi-components/a/b.js"),
)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
                expect(shown(page)).to_have_value(sources.GIVEN)
                wait_until_idle(page)
                assert "token" not in page.url
            one.bring_to_front()
            upload(one)
            other.bring_to_front()
            open_at(other, where)
            expect(shown(other)).to_have_value(sources.GIVEN)
            typed = {"files": [secret, secret], "upload": secret, "document": secret, "a": secret}
            query = urlencode(typed, doseq=True)
            open_at(other, f"{where}/text?{query}")
            for path in ("text", "errors", "sandbox", "perturb"):
                turn_to_place(other, f"{path}?{query}")
                expect(other.get_by_test_id("stException")).to_have_count(0)
                assert "hidden" not in other.locator("body").inner_text()
        outside = stranger.new_page()
        for path in ("/", "/text?document=d"):
            assert outside.goto(where + path).status == 403
            assert "slept" not in outside.content()
        outside.close()
