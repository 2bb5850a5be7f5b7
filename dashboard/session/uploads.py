"""Uploaded files, kept until all sessions that opened them have left for a while: a reload or a
copied link opens them again.

They are found by a name that nobody can guess.
"""

import secrets
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from dashboard.session.files import UPLOADED, File, Files
from dashboard.session.life import held, hold_files
from dashboard.session.state import Slot, State
from dashboard.session.streamlit_inside import n_bytes_kept

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_UPLOADS, MOST_BYTES = 20, 2_000_000_000

MOST_NAMES = 6  # of files, in a URL


class Kept:
    """The uploads opened last, of all sessions, by their names.

    most, most_bytes  what is kept at most; the oldest uploads go first, the latest always stays
    """

    def __init__(self, most: int = MOST_UPLOADS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._uploads: OrderedDict[str, Files] = OrderedDict()
        self._lock = Lock()

    def keep(self, files: Files) -> tuple[str, Files]:
        """Keep these files; the name to find them by, and they with the content that others that
        are the same have."""
        name = secrets.token_urlsafe()
        with self._lock:
            data = {f.stamp_on_disk: f.data for kept in self._uploads.values() for f in kept.every}
            key, *responses = [
                replace(f, data=data.get(f.stamp_on_disk, f.data)) for f in files.every
            ]
            files = self._uploads[name] = Files(key, tuple(responses))
            while len(self._uploads) > 1 and self._is_too_much():
                self._uploads.popitem(last=False)
        return name, files

    def get(self, name: str) -> Files | None:
        """The files of that name, if they are still here."""
        with self._lock:
            return self._uploads.get(name)

    def forget(self, stamps: Set[str]) -> None:
        """Let go of the uploads with any of these contents."""
        with self._lock:
            for name, files in [*self._uploads.items()]:
                if any(file.stamp_on_disk in stamps for file in files.contents):
                    del self._uploads[name]

    def _is_too_much(self) -> bool:
        sizes = {f.stamp_on_disk: f.size for kept in self._uploads.values() for f in kept.contents}
        return len(self._uploads) > self._most or sum(sizes.values()) > self._most_bytes


class Upload(NamedTuple):
    """Uploaded files by the name that they are kept by, and what they are called; `files` is None
    if they are no longer here."""

    name: str
    files: Files | None
    names: Sequence[str]


class _State(State):
    """Which files this session has uploaded and opened, and what the URL and the tab say of them.

    received  what was uploaded last; `upload` is what is selected
    opened    the files in the boxes, by Streamlit's ids; `genres`: the table that counts
    loading_of  what large files were loaded for
    gone      the files that a link names, the key first, and those of them that are not here
    is_plain, selected_by_link  whether the first URL named no files; what it selected in them
    restored, forgotten  names of files that the tab remembers: shown again, or gone
    """

    upload = Slot[Upload | None](None)
    received = Slot[Files | None](None)
    opened = Slot[Mapping[str, File]]({})
    genres = Slot[File | None](None)
    loading_of = Slot[object](None)
    files_in_url = Slot[Sequence[str]](())
    gone = Slot[tuple[list[str], list[str]] | None](None)
    is_plain = Slot[bool | None](None)
    selected_by_link = Slot[Mapping[str, str]]({})
    restored = Slot[Sequence[str]](())
    forgotten = Slot[Sequence[str] | None](None)


state = _State()
_kept = Kept()

held.on_release(_kept.forget)


def show_upload(files: Files) -> None:
    """Keep uploaded files and show them, on every page and in the URL."""
    hold_files(files.contents)
    name, files = _kept.keep(files)
    state.upload = Upload(name, files, names_of(files))
    state.received, state.data = files, UPLOADED


def reopen(name: str, names: Sequence[str]) -> bool:
    """Select the upload of that name; whether it is still here.

    names  what its files are called, to be told where they are gone
    """
    files = _kept.get(name)
    if files:
        hold_files(files.contents)
    state.upload = Upload(name, files, names)
    return files is not None


def names_of(files: Files) -> list[str]:
    """What files are called: the first few, and how many there are more."""
    names = [file.name for file in files.every]
    more = len(names) - MOST_NAMES
    return names if more <= 0 else [*names[:MOST_NAMES], f"{more} more"]


# How much a session may send to the server that no page has taken yet -----------------------------
# Streamlit keeps whatever is sent to its path for uploads, under any id, until the session ends. A
# page that takes an upload leaves nothing of it there; what nobody takes is counted.

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
            if self.coming[session] + n_bytes_kept(session) > self.most:
                raise HTTPException(413, "This page has more uploads than fit at once: reload it.")
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self.coming[session] -= n_bytes
            self.coming += Counter()  # keeps those that are not 0
