"""A published experiment run again, with its plot."""

from collections.abc import Sequence
from typing import Any

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import METRICS, Metric
from corescore.replication import EXPERIMENTS, current
from corescore.replication.experiment import Outcome as Made
from corescore.replication.experiment import Value, run


class Outcome(Made):
    """What `experiment` returns: see `corescore.replication.experiment.Outcome` for its table and
    the checks of the paper's claims."""

    def plot(self) -> Any:
        """The plotly figure of its table; None for an experiment that is only a table."""
        from corescore.plots.experiments import draw

        return draw(self.experiment.chart, self.drawn)

    def _repr_html_(self) -> str:
        """What a notebook shows: which claims hold, the table, and the printed figures beside."""
        from corescore.rendering.notebook import outcome

        return str(outcome(self))


def experiment(
    name: str,
    key: Corpus | None = None,
    response: Corpus | None = None,
    *,
    metrics: Sequence[Metric] = METRICS,
    policies: Policies = DEFAULTS,
    **values: Value,
) -> Outcome:
    """Run a published experiment again: experiment("luo2014-table1").

    name           one that `corescore experiments` lists
    key, response  the data of an experiment on data
    policies       how these are scored
    values         its parameters, by default as in the paper

    Raises PolicyError for a name, parameter or value that is not known, for an experiment on data
    without data, and for policies given to one that is not on data.
    """
    known = {one.id: one for one in EXPERIMENTS}
    chosen = known[choose("experiment", current(name), known)]
    setting = chosen.setting(values, metrics=metrics, key=key, response=response, policies=policies)
    made = run(chosen, setting)
    return Outcome(made.experiment, made.setting, made.table, made.checks)
