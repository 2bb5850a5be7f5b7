"""What the page ranks."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from corescore.analysis.systems.many import Groups, Ranking, with_shared_ranks
from dashboard.session.loaded import Loaded
from dashboard.views.many_systems.cached import Results
from dashboard.views.two_systems.shown import metrics_of


@dataclass(frozen=True)
class Shown:
    """All responses, ranked by one measure.

    metric  the one looked at closely
    tested  by metric, which responses differ, where those that do not share a rank; else empty
    """

    loaded: Loaded
    results: Results
    ranking: Ranking
    metric: str
    tested: Mapping[str, Groups]

    @cached_property
    def exported(self) -> pd.DataFrame:
        """A row for each metric and response: `Ranking.table`, with shared_rank if tested."""
        table = self.ranking.table
        return with_shared_ranks(table, self.tested) if self.tested else table

    @cached_property
    def table(self) -> pd.DataFrame:
        """The same, with the rank that is shown as rank, and by_score if that is another."""
        table = self.exported
        if not self.tested:
            return table
        return table.assign(rank=table["shared_rank"], by_score=table["rank"])

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
        return f"{self.loaded.signature} | {ranking.trials:,} trials | seed {ranking.seed}"
