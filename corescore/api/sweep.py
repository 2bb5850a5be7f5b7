"""A perturbation in many doses, with its tables and plot."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pandas as pd

from corescore.analysis.perturbation import sweep
from corescore.analysis.perturbation.perturbation import Perturbation
from corescore.analysis.perturbation.spec import MOST_DOSES
from corescore.analysis.perturbation.sweep import band_table, check_seeds, dosed, run_table
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.counts import MEASURES
from corescore.metrics import CONLL, METRIC_IDS
from corescore.scoring.scores import Scores


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
        from corescore.plots.sweeps import curves

        choose("measure", measure, MEASURES)
        table = self.table
        return curves(table[(table["measure"] == measure) & (table["metric"] != CONLL.id)], measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: mean F1 under each metric at each dose."""
        from corescore.rendering.notebook.tables import doses

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
