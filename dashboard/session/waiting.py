"""How much a session may send to the server that no page has taken yet.

Streamlit keeps whatever is sent to its path for uploads, under any id, until the session ends. A
page that takes an upload leaves nothing of it there; what nobody takes is counted.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from dashboard.session.kept import MOST_BYTES

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_UPLOADS = "/_stcore/upload_file/"


@dataclass
class Waiting:
    """An ASGI application that refuses uploads, with status 413, once a session has sent too much.

    most    bytes of a session that wait to be taken, at most
    coming  of each session the bytes that have come of uploads that are not over
    """

    app: "ASGIApp"
    most: int = MOST_BYTES
    coming: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Count what comes of an upload, and break it off where it is too much."""
        if scope["type"] != "http" or not scope["path"].startswith(_UPLOADS):
            await self.app(scope, receive, send)
            return
        session, n_bytes = scope["path"].removeprefix(_UPLOADS).partition("/")[0], 0

        async def counted() -> "Message":
            from starlette.exceptions import HTTPException

            nonlocal n_bytes
            message = await receive()
            size = len(message.get("body", b""))
            n_bytes += size
            self.coming[session] += size
            if self.coming[session] + _n_kept(session) > self.most:
                raise HTTPException(413, "More uploads of one page than fit at once: reload it.")
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self.coming[session] -= n_bytes
            self.coming += Counter()  # keeps those that are not 0


def _n_kept(session: str) -> int:
    """How many bytes Streamlit keeps for a session."""
    files = runtime.get_instance().uploaded_file_mgr
    if not isinstance(files, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for file in [*files.file_storage.get(session, {}).values()])
