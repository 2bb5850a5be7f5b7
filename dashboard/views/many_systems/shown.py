"""What the page ranks."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from corescore.analysis.systems.ranking import Ranking
from dashboard.session.loaded import Loaded
from dashboard.views.many_systems.cached import Results
from dashboard.views.two_systems.shown import metrics_of


@dataclass(frozen=True)
class Shown:
    """All responses, ranked by one measure; `metric` is the one looked at closely."""

    loaded: Loaded
    results: Results
    ranking: Ranking
    metric: str

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each metric and response: `Ranking.table`."""
        return self.ranking.table

    @property
    def metrics(self) -> list[str]:
        return metrics_of(self.ranking.measure)

    @property
    def letters(self) -> dict[str, str]:
        """The letters of the systems A and B by their names."""
        return {system.name: system.letter for system in self.loaded.systems}

    @property
    def signature(self) -> str:
        ranking = self.ranking
        return f"{self.loaded.signature} | {ranking.trials} trials | seed {ranking.seed}"
