"""How much one session may send that no page takes."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit import config, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_routes import create_upload_routes

from dashboard.session.uploads import Waiting
from tests.support.browser import run_beside

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
