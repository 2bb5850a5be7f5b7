"""What the Experiments page runs, cached."""

from collections.abc import Mapping

import pandas as pd

from corescore import Corpus
from corescore.counting.policies import DEFAULTS
from corescore.metrics import METRICS
from corescore.replication import Experiment
from corescore.replication.conformance import conformance
from corescore.replication.experiment import Outcome, Value, in_paper
from corescore.replication.experiment import run as run_experiment
from corescore.replication.papers import ERRATA, OPEN_READINGS, errata_table
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, System


@cached(max_entries=64, by={**BY_CONTENT, Experiment: lambda experiment: experiment.id})
def outcome(
    experiment: Experiment,
    values: Mapping[str, Value] | None = None,
    *,
    _key: Corpus | None = None,
    system: System | None = None,
) -> Outcome:
    """An experiment run with these values; if it runs on data, on a key and a system, under the
    policies that this is scored by.

    Raises PolicyError and InputError as the experiment does.
    """
    if values is None and not experiment.on_data:
        return in_paper(experiment)
    response = system.corpus if system else None
    policies = system.result.policies if system else DEFAULTS
    setting = experiment.setting(values, key=_key, response=response, policies=policies)
    return run_experiment(experiment, setting)


@cached()
def errata(experiment: str) -> pd.DataFrame:
    """Errata and open readings that an experiment computes:
    `corescore.replication.papers.errata_table`."""
    return errata_table(one for one in (*ERRATA, *OPEN_READINGS) if one.experiment == experiment)


@cached()
def conformance_sheet() -> pd.DataFrame:
    """What each of the six can and cannot tell: `corescore.replication.conformance`."""
    return conformance(METRICS)
