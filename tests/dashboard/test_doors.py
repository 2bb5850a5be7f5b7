"""Who may talk to the server, whatever a config.toml says, and that it talks to nobody."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

from dashboard.navigation import _SECTIONS
from tests.support.browser import open_at, served, watched

OPEN_DOORS = """
[server]
enableCORS = false
enableXsrfProtection = false
enableAgentApi = true
corsAllowedOrigins = ["http://elsewhere.example"]
allowedHosts = ["*"]
"""
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
PAGES = [path for section in _SECTIONS.values() for path, _, _ in section]
ELSEWHERE = "http://elsewhere.example", "http://127.0.0.1:1", "http://localhost", "null", "http://["


# Notes each address that the process looks up or connects to.
RECORD = """
import sys
def record(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
        place = arguments[0] if event.startswith("socket.get") else arguments[1]
        with open({path!r}, "a") as file:
            file.write(str(place) + "\\n")
sys.addaudithook(record)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(OPEN_DOORS)
    return folder


@pytest.fixture(scope="module")
def address(folder):
    """Of a server whose look-ups are noted, started where a config file opens all doors."""
    recorded = RECORD.format(path=str(folder / "met"))
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


def test_pages_of_other_origins_get_nothing(address):
    for origin in ELSEWHERE:
        assert asked(address, "/", Origin=origin)[0] == 403
        assert asked(address, "/_stcore/stream", Origin=origin, **UPGRADE)[0] == 403
    for origin in ({}, {"Origin": address}):
        assert asked(address, "/", **origin)[0] == 200
        assert asked(address, "/_stcore/stream", **origin, **UPGRADE)[0] == 101


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


@pytest.mark.slow
def test_no_page_and_no_stranger_makes_the_server_look_elsewhere(address, chromium, folder):
    with watched(chromium, address) as page:
        for path in PAGES:
            open_at(page, f"{address}/{path}")
    for origin in ELSEWHERE:
        asked(address, "/_stcore/stream", Origin=origin, **UPGRADE)
    met = folder / "met"
    places = met.read_text().splitlines() if met.exists() else []
    assert [place for place in places if "127.0.0.1" not in place] == []
