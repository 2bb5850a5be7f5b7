"""Marginal value: what a score would be without one mention of the response.

Credit says what a metric counts; this says what would change. It is exact.
"""

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.counting.changes import Changes, Steps
from corescore.counting.comparison import Comparison
from corescore.counting.counts import Score
from corescore.metrics import Metric
from corescore.metrics.changed import changed_counts


def scores_without_each(comparison: Comparison, metric: Metric) -> Score[FloatArray]:
    """(response mentions,) the corpus' scores if that mention left the response.

    0/0 is 0, as in the corpus total.
    """
    mentions = np.arange(len(comparison.precision.own.document))
    return _scores_without(comparison, metric, mentions)


def score_without(comparison: Comparison, metric: Metric, mention: int) -> Score[float]:
    """The corpus' score if this response mention left the response."""
    return _scores_without(comparison, metric, np.array([mention])).row(0)


def _scores_without(
    comparison: Comparison, metric: Metric, mentions: IntArray
) -> Score[FloatArray]:
    changes, which = _leaving(comparison).rows(mentions).distinct()
    counts = metric.counts(comparison.table).total() + changed_counts(metric, changes)
    return metric.score(counts.rows(which), empty=0)


def _leaving(comparison: Comparison) -> Changes:
    """(response mentions,) each mention leaves its entity and all of its cells."""
    view, table = comparison.precision, comparison.table
    n, entity, pair = len(view.own_entity), view.own_entity, view.pair_own
    one, none = np.ones(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    of_pair = np.ones(len(pair), dtype=np.int64)
    from_entity = Steps(np.arange(n), entity, np.full(n, -1), -one, none)
    from_cell = Steps(pair, entity[pair], table.cell_key[view.pair_cell], 0 * of_pair, -of_pair)
    return Changes(table, view.own.document, Steps.joined(from_entity, from_cell))
