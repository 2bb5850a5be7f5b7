"""What is computed once something is loaded, before pages ask for it."""

from collections.abc import Callable, Iterator
from functools import partial

from dashboard.session import analyses
from dashboard.session.background import Background, Step
from dashboard.session.life import held
from dashboard.session.loaded import Loaded, System

_OF_SYSTEM: tuple[Callable[[System], object], ...] = (
    analyses.mentions,
    analyses.operations,
    analyses.impact,
    analyses.class_counts,
    partial(analyses.impact, shares=True),
)


def steps(loaded: Loaded) -> Iterator[Step]:
    """In parts of a second or less for 200,000 words: the errors of each system, what Perturb
    and Two systems begin with, then the published experiments that need no data."""
    for system in loaded.systems:
        yield partial(analyses.every_error, loaded.beside_other(system.letter))
    from dashboard.views import perturb_steps as perturb
    from dashboard.views import two_systems_shown as two_systems

    yield from perturb.at_first(loaded)
    yield from two_systems.at_first(loaded)
    for analysis in _OF_SYSTEM:
        yield from (partial(analysis, system) for system in loaded.systems)
    from corescore.replication import EXPERIMENTS  # slow to import
    from corescore.replication.experiment import in_paper

    yield from (partial(in_paper, one) for one in EXPERIMENTS if not one.on_data)


background = Background(steps)
held.on_release(background.forget)
