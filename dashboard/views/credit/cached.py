"""What the Credit page asks of `analysis.credit` and `analysis.explanation`, cached."""

import numpy as np
import pandas as pd

from corescore.analysis.credit import scores_without
from corescore.analysis.explain import (
    Explanation,
    depth_table,
    explain_mention,
    find_mention,
    share_table,
    where_it_is,
)
from corescore.metrics import Metric, metric_of
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, SPANNING_LINK
from dashboard.session.analyses import six
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, System


def metric_in_force(system: System, name: str) -> Metric:
    """One of the six as it is in force."""
    return metric_of(name, system.result.metrics)


@cached(max_entries=64, show_spinner="Spreading the credit over the mentions", by=BY_CONTENT)
def shares(system: System, side: str, document: str) -> pd.DataFrame:
    """The mentions of a document and what each metric gives them."""
    result = system.result
    return share_table(result.comparison, six(result), side=side, document=document)


def pays_for_being_alone(system: System, name: str) -> bool:
    """Whether a metric credits more than links, such as a mention with itself."""
    credit = metric_in_force(system, name).credit
    links = {COREFERENCE_LINK, NON_COREFERENCE_LINK, SPANNING_LINK}
    kinds = {unit.kind for unit in credit(system.result.comparison.table)} if credit else set()
    return not kinds <= links


@cached(max_entries=64, show_spinner="Adding up the credit", by=BY_CONTENT)
def depth(system: System, metric: str, side: str, by: str, document: str) -> pd.DataFrame:
    """One metric row by row."""
    chosen = metric_in_force(system, metric)
    return depth_table(system.result.comparison, chosen, side=side, by=by, document=document)


@cached(max_entries=256, by=BY_CONTENT)
def reasons(
    system: System, side: str, document: str, mention: tuple[int, int]
) -> tuple[str, list[Explanation]]:
    """Where the selected mention is, and the arithmetic under each metric."""
    result, (start, end) = system.result, mention
    found = find_mention(result.comparison, side=side, document=document, start=start, end=end)
    if found is None:
        has, lacks = ("response", "key") if side == "recall" else ("key", "response")
        other = "precision" if side == "recall" else "recall"
        return f"The {lacks} lacks the selected mention; the {has} has it: switch to {other}.", []
    told = explain_mention(result.comparison, six(result), found, side=side)
    return where_it_is(result.comparison, found, side=side), told


@cached(max_entries=256, by=BY_CONTENT)
def without(system: System, document: str, mention: tuple[int, int]) -> dict[str, float]:
    """What each metric's F1 over all documents would gain without a mention of the response."""
    result, (start, end) = system.result, mention
    found = find_mention(
        result.comparison, side="precision", document=document, start=start, end=end
    )
    if found is None or result.policies.keeps_repeats:
        return {}
    return {
        metric.id: scores_without(result.comparison, metric, np.array([found])).row(0).f1
        - result[metric.id].f1
        for metric in six(result)
    }
