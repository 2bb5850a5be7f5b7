"""What many pages need, computed once it is loaded, while nobody waits for a page.

All of it is cached where the pages look for it: a page that needs what is under way waits for it,
and nothing is computed twice.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Condition

from corescore import InputError, PolicyError
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System

Step = Callable[[], object]

_OF_SYSTEM: tuple[Callable[[System], object], ...] = (
    analyses.mentions,
    analyses.operations,
    analyses.impact,
    analyses.class_counts,
    partial(analyses.impact, shares=True),
)


def steps(loaded: Loaded) -> Iterator[Step]:
    """What is computed, in parts of a second or less for 200,000 words: the errors of each system,
    then what a report with experiments has."""
    for system in loaded.systems:
        yield partial(analyses.every_error, loaded.beside_other(system.letter))
    for analysis in _OF_SYSTEM:
        yield from (partial(analysis, system) for system in loaded.systems)
    from corescore.rendering.report.experiments import charts_in_paper  # slow to import
    from corescore.replication import EXPERIMENTS

    yield from (partial(charts_in_paper, one) for one in EXPERIMENTS if not one.on_data)


class Background:
    """Computes the steps of what was loaded last, in any session, while no page is being drawn."""

    def __init__(self, steps: Callable[[Loaded], Iterator[Step]] = steps) -> None:
        self._steps = steps
        self._changed = Condition()
        self._n_drawn = 0  # at this moment
        self._wanted: Loaded | None = None

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """While a page is being drawn no step is begun; one under way is ended."""
        with self._changed:
            self._n_drawn += 1
        try:
            yield
        finally:
            with self._changed:
                self._n_drawn -= 1
                self._changed.notify_all()

    def want(self, loaded: Loaded) -> None:
        """What of it is not computed yet is to be computed next."""
        with self._changed:
            self._wanted = loaded
            self._changed.notify_all()

    def work(self) -> None:
        """Compute what is wanted; never ends."""
        while True:
            for step in self._steps(self._next()):
                self._wait_for_pages()
                if self._wanted is not None:  # the pages show something else, perhaps
                    break
                with suppress(InputError, PolicyError):  # the page says it
                    step()

    def _next(self) -> Loaded:
        with self._changed:
            while self._wanted is None:
                self._changed.wait()
            wanted, self._wanted = self._wanted, None
            return wanted

    def _wait_for_pages(self) -> None:
        with self._changed:
            while self._n_drawn:
                self._changed.wait()


background = Background()
