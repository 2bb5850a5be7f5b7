"""The ranking of all responses that are loaded, cached by their files, policies and draws."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from corescore.dashboard.state import Loaded, System
from corescore.responses.documents import document_correlation
from corescore.responses.ranking import Groups, Ranking
from corescore.responses.ranking import groups as group
from corescore.responses.ranking import ranking as rank
from corescore.scoring import Policies, Result

Results = Mapping[str, Result]
Draws = tuple[int, int]


def ranking(loaded: Loaded, results: Results, *, measure: str, trials: int, seed: int) -> Ranking:
    """The ranks of the results under each metric, and on that many resamples."""
    of = _stamps(loaded, results)
    return _ranking(of, _policies(results), measure, (trials, seed), results)


@st.cache_resource(
    max_entries=16,
    show_spinner="Ranking again on resamples of the documents",
    hash_funcs={Policies: repr},
)
def _ranking(
    stamps: tuple[str, ...], policies: Policies, measure: str, draws: Draws, _results: Results
) -> Ranking:
    trials, seed = draws
    return rank(_results, measure=measure, trials=trials, seed=seed)


def groups(
    loaded: Loaded, results: Results, metric: str, *, measure: str, trials: int, seed: int
) -> Groups:
    """Which of the results cannot be told apart under one metric."""
    of = _stamps(loaded, results)
    return _groups(of, _policies(results), metric, measure, (trials, seed), results)


@st.cache_resource(
    max_entries=64, show_spinner="Testing each two responses", hash_funcs={Policies: repr}
)
def _groups(
    stamps: tuple[str, ...],
    policies: Policies,
    metric: str,
    measure: str,
    draws: Draws,
    _results: Results,
) -> Groups:
    trials, seed = draws
    return group(_results, metric, measure=measure, trials=trials, seed=seed)


def over_documents(system: System, *, measure: str) -> pd.DataFrame:
    """How alike the metrics score the documents of a system: `document_correlation`."""
    return _over_documents(system.stamps, system.result.policies, measure, system.result)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Policies: repr})
def _over_documents(
    stamps: tuple[str, ...], policies: Policies, measure: str, _result: Result
) -> pd.DataFrame:
    return document_correlation(_result, measure=measure)


def _stamps(loaded: Loaded, results: Results) -> tuple[str, ...]:
    files = (loaded.files.key, *loaded.files.responses)
    return (*results, *(part for file in files for part in (file.name, file.stamp)))


def _policies(results: Results) -> Policies:
    return next(iter(results.values())).policies
