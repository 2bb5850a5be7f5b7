"""Who may talk to the server: pages that it has served itself, under the names that it goes by.

A web page of somebody else that is open in the same browser could otherwise open a session and read
the texts that are loaded. Such a request is refused before Streamlit sees it, which would look up
the machine's address on the internet first.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
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
_HOST = re.compile(r"[\w.-]+(:[0-9]+)?|\[[0-9a-f:.]+\](:[0-9]+)?", re.ASCII)


@dataclass
class Doors:
    """An ASGI application that lets through only what its own pages ask for.

    hosts  the names that the server goes by; with "*" among them it goes by any
    """

    app: "ASGIApp"
    hosts: Collection[str]

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Refuse, with status 403, a Host that is not the server's and an Origin that is not the
        Host's; add the headers for the browser to all that is answered."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        refusal = self._refusal(host, headers.get(b"origin"))
        if refusal:
            await _refuse(scope, receive, send, refusal)
            return
        policy = b"content-security-policy", _POLICY.format(host=host).encode()

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], policy, *_HEADERS]
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _refusal(self, host: str, origin: bytes | None) -> str | None:
        is_named = _HOST.fullmatch(host) and ("*" in self.hosts or _name(host) in self.hosts)
        if not is_named:
            return "This server does not go by that name: open the URL that it has printed."
        if origin is not None and _host(origin.decode("latin-1")) != host:
            return "The page that asks is not one of this server's."
        return None


def _name(host: str) -> str | None:
    """The host without its port."""
    return urlsplit(f"//{host}").hostname


def _host(origin: str) -> str | None:
    """The host and the port of an origin; None of one that has none, such as "null"."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


async def _refuse(scope: "Scope", receive: "Receive", send: "Send", why: str) -> None:
    from starlette.responses import PlainTextResponse

    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why})
    else:
        await PlainTextResponse(why, status_code=403)(scope, receive, send)
