"""Two results compared, with a plot."""

from typing import Any

from corescore.analysis.systems import pair
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS


class Pair(pair.Pair):
    """What `Result.compare` returns: see `corescore.analysis.systems.pair.Pair` for its tables."""

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure of both under each of the six and, for F1, the CoNLL average: A filled
        and B open, in percent, b − a in points with its interval, and whether it is significant.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        from corescore.plots.dumbbells import dumbbells

        choose("measure", measure, MEASURES)
        table = self.significance
        rows = table[table["measure"] == measure].set_index("metric")
        shown = [*METRIC_IDS] + (["conll"] if measure == "f1" else [])
        return dumbbells(rows.loc[[metric for metric in shown if metric in rows.index]], measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: F1 of both, their differences, and which are significant."""
        from corescore.rendering.notebook.tables import differences

        return str(differences(self))
