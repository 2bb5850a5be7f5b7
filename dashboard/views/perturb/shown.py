"""What the page shows."""

from dataclasses import dataclass

from corescore.sentences import perturbation as sentences
from dashboard.components.passage.mentions import Drawn
from dashboard.session.loaded import Loaded, System
from dashboard.views.perturb import cached
from dashboard.views.perturb.cached import Perturbed
from dashboard.views.perturb.steps import Steps, write_steps


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
        return cached.perturbed(
            self.loaded,
            self.system,
            write_steps(self.steps),
            seed=self.seed,
            left_behind=self.left_behind,
        )

    def drawn(self, document: str) -> tuple[Drawn, ...]:
        """The mentions of a document before and after the steps, as the page draws them."""
        return cached.drawn(
            self.loaded,
            self.system,
            write_steps(self.steps),
            document,
            seed=self.seed,
            left_behind=self.left_behind,
        )

    @property
    def signature(self) -> str:
        """The score's signature, then the steps and how they were applied."""
        return sentences.signature(self.system.result, self.steps, self.seed, self.left_behind)
