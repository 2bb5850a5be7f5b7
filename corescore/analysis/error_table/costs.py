"""What each error costs: how much F1 each metric gains when only this error is put right."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from corescore.analysis.error_table.rows import ErrorRows
from corescore.analysis.errors.classes import SPAN_ERROR
from corescore.analysis.errors.operations import CONFLATED_ENTITIES, DIVIDED_ENTITY, EntityParts
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Policies, Singletons
from corescore.counting.whatif import (
    Changes,
    Steps,
    dropping_new_singletons,
    without_singletons,
)
from corescore.metrics import CONLL, METRICS, Metric
from corescore.metrics.metric import changed_counts
from corescore.scoring.presets import policies_for
from corescore.util import AnyArray, BoolArray, FloatArray, IntArray


def fix_gains(
    comparison: Comparison,
    rows: ErrorRows,
    metrics: Sequence[Metric] = METRICS,
    *,
    singletons: Singletons = "keep",
) -> FloatArray:
    """(rows, metrics) the F1 of the corpus after the fix of this row alone, minus its F1 now.

    Fractions, negative where the fix lowers the score; 0/0 is 0, as in the corpus' total. Exact:
    as the response scores in which only this is different. The fix of a mention:

    spurious    it leaves
    missing     it joins the response entity with the largest part of its key entity; where no part
                was found, it becomes an entity of its own
    span error  it gets the key's span, and does what else its kinds say
    divided     it moves to the response entity with the largest part of its key entity
    conflated   and not divided: its part leaves as an entity of its own

    All others gain 0: what puts them right is the fix of other mentions, and a duplicated mention
    is not scored. Where `mentions` or `repeats` leaves mentions out, they are not in the changed
    response either.

    singletons  the policy of the comparison: of both sides, or by metric; a response entity that
                the fix leaves with one mention is dropped where the metric drops singletons

    NaN for a metric that looks at the mentions themselves, where a side lists a span twice and
    counts it twice, and where mentions are looked up, not paired, with another result.
    """
    gains = np.full((len(rows), len(metrics)), np.nan)
    if rows.parts is None:
        return gains
    changes, which = _fixes(comparison, rows, rows.parts).distinct()
    by_policy: dict[Policies, list[int]] = {}
    for at, metric in enumerate(metrics):
        if _can_tell(comparison, metric):
            own = policies_for(Policies(singletons=singletons), metric.id)
            by_policy.setdefault(own, []).append(at)
    for policies, places in by_policy.items():
        of = [metrics[at] for at in places]
        gains[:, places] = _gains(of, _under(policies, changes, singletons))[which]
    return gains


def cost_table(
    comparison: Comparison,
    rows: ErrorRows,
    metrics: Sequence[Metric] = METRICS,
    *,
    singletons: Singletons = "keep",
) -> pd.DataFrame:
    """The gains of `fix_gains` in points, as columns of the error table.

    cost_<metric>  for each metric
    cost_conll     the mean of those of the CoNLL average's metrics; NaN if one of them is missing
    """
    gains = 100 * fix_gains(comparison, rows, metrics, singletons=singletons)
    table = pd.DataFrame(gains, columns=[f"cost_{metric.id}" for metric in metrics])
    averaged = [f"cost_{name}" for name in CONLL.members]
    table[f"cost_{CONLL.id}"] = table.reindex(columns=averaged).mean(axis="columns", skipna=False)
    return table


def fix_numbers(comparison: Comparison, rows: ErrorRows) -> IntArray:
    """(rows,) which fix each row's is, counted from 0; −1 for rows that have none of their own.

    The mentions of a part that is split off are fixed together: they have one number. All others
    with a fix (`fix_gains`) have one each.
    """
    if rows.parts is None:
        return np.arange(len(rows))
    moves = rows.of_kind(DIVIDED_ENTITY)
    splits = rows.of_kind(CONFLATED_ENTITIES) & ~moves
    n_parts = len(rows.parts.first)
    part = np.append(rows.parts.part, -1)[rows.row]
    scored = rows.row >= 0
    twinless = scored & ((rows.response < 0) | (rows.key < 0))
    alone = twinless | moves | rows.are(SPAN_ERROR)
    number = np.where(splits, part, np.where(alone, n_parts + np.arange(len(rows)), -1))
    found = np.full(len(rows), -1)
    found[number >= 0] = np.unique(number[number >= 0], return_inverse=True)[1]
    return found


def _gains(metrics: Sequence[Metric], changes: Changes) -> FloatArray:
    """(changes, metrics) what the F1 of the corpus gains."""
    gains = np.zeros((len(changes.document), len(metrics)))
    for at, (metric, change) in enumerate(
        zip(metrics, changed_counts(metrics, changes), strict=True)
    ):
        before = metric.counts(changes.table).total()
        after = metric.score(before + change, empty=0).f1
        gains[:, at] = after - metric.score(before, empty=0).f1
    return gains


def _can_tell(comparison: Comparison, metric: Metric) -> bool:
    """Whether the metric's counts are those of the comparison's table."""
    if metric.of_mentions:
        return False
    tables = comparison.look_ups
    if tables is None or metric.repeats == "once":
        return True
    found = (tables.recall, tables.precision, tables.members)
    columns = ("response_sizes", "key_sizes", "cell_key", "cell_response", "cell_sizes")
    return all(
        np.array_equal(getattr(table, name), getattr(comparison.table, name))
        for table in found
        for name in columns
    )


def _under(policies: Policies, changes: Changes, singletons: Singletons) -> Changes:
    """The changes where the policies of a metric drop singletons.

    singletons  those that the table is without already
    """
    of_key, of_response = (side.singletons == "drop" for side in policies.of_sides)
    if not of_response:
        return changes
    if policies.singletons != singletons:
        changes = without_singletons(changes, of_key=of_key)
    return dropping_new_singletons(changes)


def _fixes(comparison: Comparison, rows: ErrorRows, parts: EntityParts) -> Changes:
    """(rows,) the fix of each row as a change of the comparison's table."""
    part, key, response, gathers = (
        np.append(of, -1)[rows.row]
        for of in (parts.part, parts.key_entity, parts.response_entity, parts.gathers)
    )
    scored = rows.row >= 0
    moves = rows.of_kind(DIVIDED_ENTITY)
    splits = rows.of_kind(CONFLATED_ENTITIES) & ~moves
    altered = rows.are(SPAN_ERROR)
    target = np.append(parts.table.cell_response, len(parts.table.response_sizes))[gathers]
    whole = np.append(parts.table.cell_sizes, 0)[part]
    shared = whole - _with_span_errors(parts)[part]
    missing, spurious = scored & (response < 0), scored & (key < 0)
    new = np.full(len(rows), len(parts.table.response_sizes))
    steps = (
        _steps(spurious, response, key, -1, 0),
        _steps(missing, target, key, 1, 1),
        _steps(moves, response, key, -1, altered - 1),
        _steps(moves, target, key, 1, 1),
        _steps(splits, response, key, -whole, -shared),
        _steps(splits, new, key, whole, shared + altered),
        _steps(altered & ~moves & ~splits, response, key, 0, 1),
    )
    return Changes(comparison.table, rows.document, Steps.joined(*steps))


def _steps(
    which: BoolArray,
    response: IntArray,
    key: IntArray,
    mentions: AnyArray | int,
    shared: AnyArray | int,
) -> Steps:
    """A step of each of these rows; all of the others (rows,) or one number for every row."""
    rows = np.flatnonzero(which)
    gained, found = (np.broadcast_to(of, len(which))[rows] for of in (mentions, shared))
    return Steps(rows, response[rows], key[rows], gained, found)


def _with_span_errors(parts: EntityParts) -> IntArray:
    """(parts + 1,) how many mentions of each part have a span error; the last value is of none."""
    altered = parts.part[parts.mentions.are(SPAN_ERROR)]
    return np.bincount(altered, minlength=len(parts.first) + 1)
