"""What the Credit page asks of `corescore.credit` and `corescore.explain`, cached.

Cached by the system's stamps and policies; the results themselves are not hashed.
"""

import pandas as pd
import streamlit as st

from corescore import Result
from corescore.credit.marginal import score_without
from corescore.dashboard.wording import SIX, fraction, percent
from corescore.explain.depth import depth_table
from corescore.explain.mention import Explanation, explain_mention, where_it_is
from corescore.explain.shares import find_mention, share_table
from corescore.metrics import Metric


def metrics_of(result: Result) -> dict[str, Metric]:
    """The six as they are in force."""
    known = {metric.id: metric for metric in result.metrics}
    return {name: known[name] for name in SIX}


@st.cache_data(max_entries=64, show_spinner="Spreading the credit over the mentions")
def shares(stamp: str, side: str, document: str, _result: Result) -> pd.DataFrame:
    """The mentions of a document and what each metric gives them."""
    six = list(metrics_of(_result).values())
    return share_table(_result.comparison, six, side=side, document=document)


@st.cache_data(max_entries=64, show_spinner="Adding up the credit")
def depth(
    stamp: str, metric: str, side: str, by: str, document: str, _result: Result
) -> pd.DataFrame:
    """One metric row by row."""
    chosen = metrics_of(_result)[metric]
    return depth_table(_result.comparison, chosen, side=side, by=by, document=document)


@st.cache_data(max_entries=256, show_spinner=False)
def reasons(
    stamp: str, side: str, document: str, mention: tuple[int, int], _result: Result
) -> tuple[str, list[Explanation]]:
    """Where the selected mention is, and the arithmetic under each metric."""
    comparison, six = _result.comparison, list(metrics_of(_result).values())
    start, end = mention
    found = find_mention(comparison, side=side, document=document, start=start, end=end)
    if found is None:
        has, lacks = ("response", "key") if side == "recall" else ("key", "response")
        other = "precision" if side == "recall" else "recall"
        return f"The {lacks} lacks the selected mention; the {has} has it: switch to {other}.", []
    told = explain_mention(comparison, six, found, side=side)
    return where_it_is(comparison, found, side=side), told


@st.cache_data(max_entries=256, show_spinner=False)
def without(
    stamp: str, document: str, mention: tuple[int, int], _result: Result
) -> dict[str, float]:
    """What each metric's F1 over all documents would gain without a mention of the response."""
    start, end = mention
    found = find_mention(
        _result.comparison, side="precision", document=document, start=start, end=end
    )
    if found is None or _result.policies.repeats == "all":
        return {}
    return {
        name: score_without(_result.comparison, metric, found).f1 - _result[name].f1
        for name, metric in metrics_of(_result).items()
    }


def scores_in_words(result: Result, document: str, side: str) -> dict[str, str]:
    """The document's recall or precision under each metric."""
    at = result.documents.index(document)
    told = {}
    for metric in SIX:
        score = result.document_scores[metric].row(at)
        value = getattr(score, side)
        parts = fraction(getattr(score, f"{side}_numerator"), getattr(score, f"{side}_denominator"))
        told[metric] = f"{side} {f'{parts} = ' if parts else ''}{percent(value)} %"
    return told
