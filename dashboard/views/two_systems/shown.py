"""What the page compares."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from corescore.analysis.systems.pair import Pair
from corescore.metrics import METRIC_IDS
from dashboard.session.loaded import Loaded
from dashboard.views.two_systems import cached


@dataclass(frozen=True)
class Shown:
    """The two systems that are loaded, compared by one measure."""

    loaded: Loaded
    pair: Pair
    measure: str

    @property
    def names(self) -> list[str]:
        return list(self.loaded.names.values())

    @property
    def n_documents(self) -> int:
        """How many are compared: fewer than the key has where missing ones are left out."""
        return len(self.pair.a.documents)

    @property
    def metrics(self) -> list[str]:
        """The six, and the CoNLL average, which is one of F1 only."""
        return metrics_of(self.measure)

    @cached_property
    def significance(self) -> pd.DataFrame:
        """A row for each metric: `Pair.significance`."""
        table = self.pair.significance
        return table[table["measure"] == self.measure].set_index("metric").loc[self.metrics]

    @cached_property
    def documents(self) -> pd.DataFrame:
        """A row for each document and metric: `compared_documents`."""
        return cached.documents(self.loaded, measure=self.measure)

    @cached_property
    def opposed(self) -> pd.DataFrame:
        """On how many documents each two metrics name different winners."""
        counts = cached.opposed(self.loaded, measure=self.measure)
        return counts.loc[self.metrics, self.metrics]

    @property
    def first_two(self) -> tuple[str, str]:
        """The two metrics whose disagreement is shown first."""
        return ("lea", "conll") if self.measure == "f1" else ("lea", "muc")


def metrics_of(measure: str) -> list[str]:
    """What a measure is shown of: the six and, for F1, the CoNLL average."""
    return [*METRIC_IDS, *(["conll"] if measure == "f1" else [])]
