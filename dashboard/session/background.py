"""What many pages need, computed once it is loaded, while nobody waits for a page.

All of it is cached where the pages look for it: a page that needs what is under way waits for it,
and nothing is computed twice.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from math import inf
from threading import Condition
from time import monotonic

from dashboard.session.life import give_back_memory
from dashboard.session.loaded import Loaded
from dashboard.session.streamlit_inside import is_connected, this_session

Step = Callable[[], object]
# Seconds without a page, after which work begins and what pages left behind is freed: a browser
# that has just got one still fetches what draws its charts, and would wait.
REST = 2.0
_MOST_RESTS = 10  # that work waits for, at most


def why(error: Exception) -> str:
    """Why some work failed, in words."""
    if isinstance(error, MemoryError):
        return "not enough memory"
    message = str(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def say_failure(work: str, error: Exception) -> None:
    """Say on standard error that some work in the background failed, and why."""
    print(f"corescore dashboard: {work} failed: {why(error)}", file=sys.stderr, flush=True)


class Background:
    """Computes the steps of what was loaded last, in any session, while no page is being drawn."""

    def __init__(self, steps: Callable[[Loaded], Iterator[Step]], *, rest: float = REST) -> None:
        self._steps, self._rest = steps, rest
        self._changed = Condition()
        self._n_drawn = 0  # at this moment
        self._last_drawn = inf  # when a page was; none yet
        self._wanted: Loaded | None = None
        self._session = ""  # that wants it

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """While a page is being drawn no step is begun, nor in the moment after; one under way is
        ended."""
        with self._changed:
            self._n_drawn += 1
        try:
            yield
        finally:
            with self._changed:
                self._n_drawn -= 1
                self._last_drawn = monotonic()
                self._changed.notify_all()

    def want(self, loaded: Loaded) -> None:
        """What of it is not computed yet is to be computed next, while this session is there."""
        with self._changed:
            self._wanted, self._session = loaded, this_session()
            self._changed.notify_all()

    def forget(self, stamps: Set[str]) -> None:
        """Want nothing that was made of these contents."""
        with self._changed:
            files = self._wanted.files.contents if self._wanted else ()
            if any(file.stamp_on_disk in stamps for file in files):
                self._wanted = None

    def work(self) -> None:
        """Compute what is wanted; never ends."""
        while True:
            self._compute()

    def _compute(self) -> None:
        """Compute what is wanted; nothing of it is held afterwards."""
        for step in self._steps(self._next()):
            self.wait_for_pages()
            # The pages show something else, perhaps, or nobody looks at them
            if self._wanted is not None or not is_connected(self._session):
                break
            give_back_memory()
            try:
                with suppress(ValueError):  # the page says it
                    step()
            except Exception as error:
                say_failure("Computing ahead", error)

    def _next(self) -> Loaded:
        """What is wanted, as soon as something is; before, free what pages have left behind.
        Streamlit would do so after every page, and with much data a click that comes then would
        wait for it."""
        self.wait_for_pages()
        gc.collect()
        give_back_memory()
        with self._changed:
            while self._wanted is None:
                self._changed.wait()
            wanted, self._wanted = self._wanted, None
            return wanted

    def wait_for_pages(self) -> None:
        """Wait until a page has been drawn, and none is, nor was in the moment before; for some
        moments only where many users draw one page after the other."""
        latest = monotonic() + _MOST_RESTS * self._rest
        with self._changed:
            while self._n_drawn or monotonic() < min(latest, self._last_drawn + self._rest):
                self._changed.wait(self._rest)
