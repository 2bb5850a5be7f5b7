"""Which uploads are held for which sessions, and when they are let go: once all sessions that
opened them have left."""

import time
from collections.abc import Callable, Iterable, Set
from threading import Lock

from dashboard.session.connected import is_connected, this_session
from dashboard.session.sources import File

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
