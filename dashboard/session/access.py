"""Who may talk to the server: pages that it has served itself, under the names that it goes by.

A web page of somebody else that is open in the same browser could otherwise open a session and read
the texts that are loaded. Such a request is refused before Streamlit sees it, which would look up
the machine's address on the internet first.

Other users of the machine reach the server too, and other machines do if it is shared. So it asks
for a token: the printed URL contains it, and on the first visit the browser gets it as a cookie.
"""

import errno
import hmac
import ipaddress
import os
import re
import socket
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Streamlit's page has scripts and styles within it, and makes modules of components from text.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "connect-src 'self' ws://{host} wss://{host}",  # 'self' is not enough for some browsers
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"same-origin"))

# A server that knows this extension of ASGI sends a file by itself. Others send it in pieces, each
# of which changes threads several times and waits there for what pages compute: charts come late.
_FILE = "http.response.pathsend"

_HOST = re.compile(r"[\w.-]+(:[0-9]+)?|\[[0-9a-f:.]+\](:[0-9]+)?", re.ASCII)

TOKEN = "token"  # the parameter of the URL

_NO_TOKEN = """<!doctype html><title>corescore</title><p>This dashboard opens only with its full
URL, which contains a token. Ask the person who started the dashboard for that URL.
<p>If you have opened it in this browser before, <a href="">open this page again</a>."""

_ONWARD = """<!doctype html><title>corescore</title><meta http-equiv="refresh" content="0; url={0}">
<p><a href="{0}">Open the dashboard</a>"""

_NO_NAME = "This server does not answer to that name: open the URL that it printed."

_NO_ORIGIN = "The request comes from a page of another server."


@dataclass
class Doors:
    """An ASGI application that lets through only what its own pages ask for.

    hosts  the names that the server goes by; with "*" among them it goes by any
    token  what a browser has to know, if anything
    port   where the server listens: browsers keep the cookies of all ports together
    """

    app: "ASGIApp"
    hosts: Collection[str]
    token: str = ""
    port: int = 0

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Refuse, with status 403, a Host that is not the server's, an Origin that is not the
        Host's, and who does not know the token; add the headers for the browser to all that is
        answered, and send files in one piece."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        if refusal := self._refusal(host, origins):
            await _refuse(scope, receive, send, refusal)
            return
        policy = b"content-security-policy", _POLICY.format(host=host).encode()

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], policy, *_HEADERS]
            elif message["type"] == _FILE:
                data = Path(message["path"]).read_bytes()
                message = {"type": "http.response.body", "body": data}
            await send(message)

        scope["extensions"] = {**scope.get("extensions", {}), _FILE: {}}
        await self._ask_for_token(scope, receive, send_with_headers)

    def _refusal(self, host: str, origins: Sequence[bytes]) -> str | None:
        is_named = _HOST.fullmatch(host) and (
            "*" in self.hosts or urlsplit(f"//{host}").hostname in self.hosts
        )
        if not is_named:
            return _NO_NAME
        if any(_host(origin.decode("latin-1")) != host for origin in origins):
            return _NO_ORIGIN
        return None

    async def _ask_for_token(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        from starlette.requests import HTTPConnection

        asked = HTTPConnection(scope)
        if not self.token or self._is_token(asked.cookies.get(self._cookie, "")):
            await self.app(scope, receive, send)
        elif scope["type"] == "http" and self._is_token(asked.query_params.get(TOKEN, "")):
            await self._welcome(asked)(scope, receive, send)
        else:
            await _refuse(scope, receive, send, _NO_TOKEN, media_type="text/html")

    @property
    def _cookie(self) -> str:
        return f"corescore-{self.port}"

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _welcome(self, asked: "HTTPConnection") -> "Response":
        """The cookie, in a page that leads on to the same one without the token.

        A redirection would not do: the browser does not send such a cookie along where a page of
        somebody else, such as a mail on the web, has the link.
        """
        from starlette.responses import HTMLResponse

        query = urlencode([pair for pair in asked.query_params.multi_items() if pair[0] != TOKEN])
        path = "/" + asked.url.path.lstrip("/")
        page = HTMLResponse(_ONWARD.format(escape(f"{path}?{query}" if query else path)))
        page.set_cookie(self._cookie, self.token, httponly=True, samesite="strict")
        return page


def _host(origin: str) -> str | None:
    """The host and the port of an origin; None of one that has none, such as "null"."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


async def _refuse(
    scope: "Scope", receive: "Receive", send: "Send", why: str, media_type: str = "text/plain"
) -> None:
    from starlette.responses import Response

    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await Response(why, 403, media_type=media_type)(scope, receive, send)


# Where the server listens: its socket, the names that it goes by, and the URL that opens it -------

FIRST_PORT = 8501

ALONE, EVERYWHERE = "127.0.0.1", "0.0.0.0"

_QUEUE = 2048  # connections that wait while Streamlit is imported

_ELSEWHERE = ("192.0.2.1", 9)  # an address of examples (RFC 5737), to which nothing is sent


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; on the first free port from 8501 if it is None.

    Raises OSError, with advice, if nothing can be served there.
    """
    if port is not None and not 1 <= port <= 65535:
        raise OSError(f"port {port} does not exist; expected 1 to 65535.")
    for number in range(FIRST_PORT, FIRST_PORT + 99) if port is None else ():
        with suppress(_PortTakenError):
            return _opened(host, number)
    return _opened(host, FIRST_PORT + 99 if port is None else port)


class _PortTakenError(OSError):
    """Somebody else listens there."""


def _opened(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform != "win32":  # where two could then listen on one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen(_QUEUE)
    except OSError as error:
        listener.close()
        raise _cannot_listen(host, port, error) from error
    return listener


def _cannot_listen(host: str, port: int, error: OSError) -> OSError:
    if error.errno == errno.EADDRINUSE:
        return _PortTakenError(
            f"port {port} is taken. Choose another with --port, or leave --port out."
        )
    if error.errno == errno.EACCES:
        return OSError(f"port {port} may not be used ({error.strerror}). Choose one above 1023.")
    return OSError(f"cannot serve at {host}:{port} ({error.strerror}); check --host.")


def names(host: str) -> list[str]:
    """The names that the server goes by; "*" is any."""
    return ["*"] if is_everywhere(host) else [host, ALONE, "localhost"]


def is_everywhere(host: str) -> bool:
    """Whether that is every address of the machine."""
    return host in (EVERYWHERE, "::")


def is_alone(host: str) -> bool:
    """Whether only this machine reaches the server."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def url(host: str, port: int, token: str) -> str:
    """What opens the app, from other machines too if they reach it."""
    place = own_address() if is_everywhere(host) else host
    shown = f"[{place}]" if ":" in place else place
    return f"http://{shown}:{port}" + (f"/?token={token}" if token else "")


def own_address() -> str:
    """The address of this machine in its network, as its own table of routes tells it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
        except OSError:
            return "localhost"
        return str(asking.getsockname()[0])


# Where the command line tells the app what to show, and whether to others -------------------------
# Apart, since it is imported early.

CARDS_VARIABLE = "CORESCORE_DASHBOARD_CARDS"

DATA_SETS_VARIABLE = "CORESCORE_DASHBOARD_DATA_SETS"

FILES_VARIABLE = "CORESCORE_DASHBOARD_FILES"

GENRES_VARIABLE = "CORESCORE_DASHBOARD_GENRES"

SHARED_VARIABLE = "CORESCORE_DASHBOARD_SHARED"  # "" if this machine alone reaches the app


def is_shared() -> bool:
    """Whether others than the user of this computer may use the app."""
    return bool(os.environ.get(SHARED_VARIABLE))
