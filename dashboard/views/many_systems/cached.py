"""The ranking of all loaded responses, cached by their files, policies, resamples and seed."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from corescore import Result
from corescore.analysis.systems.documents import document_correlation
from corescore.analysis.systems.many import Groups, Ranking
from corescore.analysis.systems.many import groups as group_responses
from corescore.analysis.systems.many import ranking as rank_responses
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System

Results = dict[str, Result]


def _stamps(loaded: Loaded) -> list[str]:
    files = (loaded.files.key, *loaded.files.responses)
    return [part for file in files for part in (file.name, file.stamp)]


# All responses that can be scored count, not only A and B.
_BY_FILES: dict[str | type[Any], Callable[[Any], Any]] = {
    Loaded: _stamps,
    dict: lambda results: [(name, repr(result.policies)) for name, result in results.items()],
}


@cached(max_entries=16, show_spinner="Ranking again on resamples of the documents", by=_BY_FILES)
def ranking(loaded: Loaded, results: Results, *, measure: str, trials: int, seed: int) -> Ranking:
    """The ranks of the results under each metric, and on that many resamples."""
    return rank_responses(results, measure=measure, trials=trials, seed=seed)


@cached(max_entries=64, show_spinner="Testing each two responses", by=_BY_FILES)
def groups(
    loaded: Loaded, results: Results, metric: str, *, measure: str, trials: int, seed: int
) -> Groups:
    """Which of the results cannot be told apart under one metric."""
    return group_responses(results, metric, measure=measure, trials=trials, seed=seed)


@cached(max_entries=16, by=BY_CONTENT)
def over_documents(system: System, *, measure: str) -> pd.DataFrame:
    """How alike the metrics score the documents of a system: `document_correlation`."""
    return document_correlation(system.result, measure=measure)
