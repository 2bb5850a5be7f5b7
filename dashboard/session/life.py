"""Which uploads are held for which sessions, and when they are let go: once all sessions that
opened them have left.
"""

import ctypes
import gc
import sys
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Set
from threading import Lock

from dashboard.session.files import File
from dashboard.session.streamlit_inside import close_session, is_connected, this_session

Forget = Callable[[Set[str]], object]


class Held:
    """What tells the contents of uploads apart (`File.stamp_on_disk`), by the sessions that have
    opened them."""

    def __init__(
        self,
        is_here: Callable[[str], bool] = is_connected,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_here, self._clock = is_here, clock
        self._seen: dict[str, float] = {}  # when each session was here last
        self._stamps: dict[str, set[str]] = {}
        self._forgetting: list[Forget] = []
        self._changing = Lock()

    def see(self, session: str) -> None:
        """A session is here, whether it opens anything or not."""
        with self._changing:
            self._seen[session] = self._clock()

    def hold(self, session: str, stamps: Iterable[str]) -> None:
        """A session has opened these contents."""
        with self._changing:
            self._seen[session] = self._clock()
            self._stamps.setdefault(session, set()).update(stamps)

    def among(self, texts: Iterable[str]) -> frozenset[str]:
        """Those of the texts that are held."""
        wanted = frozenset(texts)
        with self._changing:
            return wanted & frozenset[str]().union(*self._stamps.values())

    def on_release(self, forget: Forget) -> Forget:
        """Have a function called with the contents that are let go."""
        self._forgetting.append(forget)
        return forget

    def absent(self, seconds: float) -> list[str]:
        """The sessions that have not been here for so long."""
        now = self._clock()
        with self._changing:
            for session in filter(self._is_here, self._seen):
                self._seen[session] = now
            return [session for session, seen in self._seen.items() if now - seen >= seconds]

    def let_go(self, sessions: Iterable[str]) -> frozenset[str]:
        """Forget these sessions, and what no other has opened; what that is."""
        with self._changing:
            gone = frozenset[str]().union(
                *(self._stamps.pop(session, set()) for session in sessions)
            )
            for session in sessions:
                self._seen.pop(session, None)
            released = gone.difference(*self._stamps.values())
        for forget in self._forgetting if released else ():
            forget(released)
        return released


held = Held()


def hold_files(files: Iterable[File]) -> None:
    """Hold files for the session whose page is drawn."""
    held.hold(this_session(), {file.stamp_on_disk for file in files})


# Memory that was freed, which the C library would keep for later ----------------------------------


def give_back_memory() -> None:
    """Return it to the system."""
    if sys.platform.startswith("linux"):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not of every C library
        if trim:
            trim(0)


# What is done once the browser of a session has gone: the session is closed, its uploads let go ---
# Both only after a while, since a reload is a browser that goes, and a line may break for a moment.

# Seconds after which a session is closed, which has three files open until then. Streamlit itself
# forgets it after 120, but frees it some time later.
CLOSE = 30.0

STAY = 300.0  # seconds after which its uploads are let go; a reload finds them until then


def look_after_sessions(server: AbstractEventLoop) -> None:
    """Look after sessions that have left, as long as the server runs."""
    while True:
        time.sleep(min(CLOSE, STAY) / 4)
        server.call_soon_threadsafe(_close_absent)
        if held.let_go(held.absent(STAY)):
            gc.collect()
            give_back_memory()


def _close_absent() -> None:
    """Close the sessions that have left. Run by the server's loop, in which they also come back:
    none does meanwhile."""
    for session in held.absent(CLOSE):
        close_session(session)
