"""What the page shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from corescore import InputError
from corescore.analysis.errors.classes import Incorrect
from corescore.analysis.perturbation.base import uses_incorrect
from corescore.corpus.files import Format
from corescore.sentences import perturbation as sentences
from dashboard.components.passage.mentions import Drawn
from dashboard.session.loaded import Loaded, System
from dashboard.views.perturb import cached
from dashboard.views.perturb.cached import Perturbed
from dashboard.views.perturb.steps import Steps, write_steps

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Shown:
    """A system's response before and after some steps."""

    loaded: Loaded
    system: System
    steps: Steps
    seed: int
    left_behind: str

    @property
    def perturbed(self) -> Perturbed:
        """The response after the steps."""
        return self._cached(cached.perturbed)

    @property
    def other_reading(self) -> "Shown | None":
        """The same with the other reading of incorrectly resolved mentions, if there is one."""
        steps = cached.in_other_reading(self.system, self.steps)
        return replace(self, steps=steps) if steps else None

    @property
    def incorrect(self) -> Incorrect | None:
        """The reading of the first step that uses one."""
        return next((step.incorrect for step in self.steps if uses_incorrect(step)), None)

    def written(self, known: Format) -> str | InputError:
        """The response after the steps in a format, or what of it the format cannot hold."""
        return self._cached(cached.written, known)

    def drawn(self, document: str) -> tuple[Drawn, ...]:
        """The mentions of a document before and after the steps, as the page draws them."""
        return self._cached(cached.drawn, document)

    def _cached(self, compute: Callable[..., _Found], *of: object) -> _Found:
        steps, how = write_steps(self.steps), {"seed": self.seed, "left_behind": self.left_behind}
        return compute(self.loaded, self.system, steps, *of, **how)

    @property
    def signature(self) -> str:
        """The score's signature, then the steps and how they were applied."""
        return sentences.signature(self.system.result, self.steps, self.seed, self.left_behind)
