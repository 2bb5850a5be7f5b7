"""What several pages ask of a system, cached by its files and policies."""

import pandas as pd
import streamlit as st

from corescore import Result
from corescore.analysis.errors.mention_tables import mention_table
from corescore.analysis.errors.mentions import incorrectly_resolved
from corescore.analysis.errors.reports import removal_table
from corescore.analysis.errors.summaries import slice_credit
from corescore.analysis.errors.tables import impact_table, operation_table
from corescore.analysis.overlaps.table import overlap_table
from corescore.analysis.significance.bootstrap import Intervals, score_intervals
from corescore.metrics import METRIC_IDS, Metric, metric_of
from dashboard.session.loaded import BY_CONTENT, System


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def intervals(system: System, *, trials: int) -> Intervals:
    """Between which values a system's scores lie: `corescore.analysis.significance.bootstrap`."""
    return score_intervals(system.result, trials=trials)


@st.cache_resource(max_entries=8, show_spinner="Looking at every mention", hash_funcs=BY_CONTENT)
def mentions(system: System) -> pd.DataFrame:
    """What became of every mention: `corescore.analysis.errors.mention_tables.mention_table`."""
    result = system.result
    return mention_table(result.comparison, singletons=result.policies.singletons)


@st.cache_resource(max_entries=8, show_spinner="Fixing errors", hash_funcs=BY_CONTENT)
def operations(system: System) -> pd.DataFrame:
    """What turns the response into the key: `corescore.analysis.errors.tables.operation_table`."""
    return operation_table(system.result.comparison)


@st.cache_resource(max_entries=8, show_spinner="Fixing errors", hash_funcs=BY_CONTENT)
def impact(system: System, *, shares: bool = False) -> pd.DataFrame:
    """What each kind of error costs: `tables.impact_table` for the six."""
    return impact_table(system.result.comparison, six(system.result), shares=shares)


def n_incorrectly_resolved(system: System) -> int:
    """How many mentions have wrong partners only."""
    return int(incorrectly_resolved(system.result.comparison).sum())


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def removal(system: System) -> pd.DataFrame:
    """Scores without those: `corescore.analysis.errors.reports.removal_table`."""
    return removal_table(system.result)


@st.cache_resource(max_entries=48, show_spinner="Adding up the credit", hash_funcs=BY_CONTENT)
def credit_of_slices(system: System, *, by: str, side: str) -> pd.DataFrame:
    """What the six credit in each slice: `corescore.analysis.errors.summaries.slice_credit`."""
    return slice_credit(system.result.comparison, six(system.result), by=by, side=side)


@st.cache_resource(
    max_entries=32, show_spinner="Finding entities that overlap", hash_funcs=BY_CONTENT
)
def overlaps(system: System, metric: str) -> pd.DataFrame:
    """Entities that overlap, the greatest loss under a metric first: `overlap_table`."""
    return overlap_table(system.result.comparison, metric_of(metric, system.result.metrics))


def six(result: Result) -> list[Metric]:
    """The six metrics as they are in force."""
    return [metric for metric in result.metrics if metric.id in METRIC_IDS]
