"""Two results compared, with a plot.

The errors that a query finds.

A perturbation in many doses, with its tables and plot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from corescore.analysis.perturbation import MOST_DOSES, sweep
from corescore.analysis.perturbation.base import Perturbation
from corescore.analysis.perturbation.sweep import band_table, check_seeds, dosed, run_table
from corescore.analysis.systems import pair
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.counts import MEASURES
from corescore.metrics import CONLL, METRIC_IDS
from corescore.scoring.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

    from corescore.rendering.tables import Shown


class Pair(pair.Pair):
    """What `Result.compare` returns: see `corescore.analysis.systems.pair.Pair` for its tables."""

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure of both under each of the six and, for F1, the CoNLL average: A filled
        and B open, in percent, b − a in points with its interval, and whether it is significant.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        from corescore.plots.compare import dumbbells

        choose("measure", measure, MEASURES)
        table = self.significance
        rows = table[table["measure"] == measure].set_index("metric")
        shown = [*METRIC_IDS] + (["conll"] if measure == "f1" else [])
        return dumbbells(rows.loc[[metric for metric in shown if metric in rows.index]], measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: F1 of both, their differences, and which are significant."""
        from corescore.rendering.tables import differences

        return str(differences(self))


@dataclass(frozen=True)
class ErrorList:
    """What `Result.find` returns.

    table         the rows of `Result.error_table` that the query finds, in order, with their index
    query, order  as they were given
    scores        the result that has these errors
    """

    table: "pd.DataFrame"
    query: str
    order: str
    scores: Scores

    def __len__(self) -> int:
        return len(self.table)

    def top(self, number: int | None) -> "ErrorList":
        """The first of the list; None means all."""
        return replace(self, table=self.table[:number])

    def with_contexts(self, *, words: int = 8) -> "pd.DataFrame":
        """The table with `words` words before and after each mention, the antecedent it was given
        and the one it should have had: columns mention_before, mention_after and so on."""
        from corescore.analysis.error_table.table import with_contexts

        return with_contexts(self.scores.comparison, self.table, words=words)

    def show(self, *, most: int = 10, words: int = 40) -> "Shown":
        """The first errors of the list for a notebook: what is told of each, what its fix gains,
        and `words` words before and after it, once with the mentions of the key and once with
        those of the response. The mention is framed, the others of its entity are underlined.

        Raises PolicyError for a number below 1.
        """
        from corescore.rendering.notebook import errors

        return errors(self.scores, self.table, self.query, most=most, words=words)


class Sweep(sweep.Sweep):
    """What `Result.sweep` returns. Nothing is scored before a table or plot is asked for."""

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each dose, metric and measure: mean, low and high over the seeds, as
        fractions; low and high are the quantiles 0.1 and 0.9."""
        shown = [name for name in (*METRIC_IDS, CONLL.id) if name in self.result.scores]
        return band_table(run_table(self, shown))

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure: a line with its band for each metric over the doses.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        from corescore.plots.experiments import curves

        choose("measure", measure, MEASURES)
        table = self.table
        return curves(table[(table["measure"] == measure) & (table["metric"] != CONLL.id)], measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: mean F1 under each metric at each dose."""
        from corescore.rendering.tables import doses

        return str(doses(self.table, self.signature, seeds=len(self.seeds)))


def swept(
    result: Scores,
    perturbation: Perturbation,
    *,
    doses: Sequence[float],
    seeds: int,
    left_behind: str,
) -> Sweep:
    """See `corescore.Result.sweep`."""
    check_seeds(seeds)
    if not doses:
        raise PolicyError("there is no dose; expected shares from 0 to 1")
    if len(doses) > MOST_DOSES:
        raise PolicyError(f"there are {len(doses)} doses; expected {MOST_DOSES} at most")
    if result.policies.keeps_repeats:
        repeats = result.policies.repeats
        raise PolicyError(f"repeats is '{repeats}'; a sweep expects one of: first, error")
    return Sweep(
        result=result,
        perturbation=dosed(perturbation),
        doses=tuple(doses),
        seeds=tuple(range(1, seeds + 1)),
        left_behind=left_behind,
    )
