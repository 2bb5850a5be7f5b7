"""The metrics, and all that is known of each: `METRICS` is the registry."""

from corescore.counting.counts import Counts
from corescore.metrics.metric import Average, Metric
from corescore.metrics.registry import (
    BESIDE_IDS,
    BLANC_VARIANTS,
    CONLL,
    CREDITED_IDS,
    DIAGNOSTICS,
    HOW_MANY,
    MENTION_DIAGNOSTICS,
    METRIC_IDS,
    METRICS,
    NAMED,
    ROW_IDS,
    VARIANT_IDS,
    VARIANTS,
    colour_of,
    id_of,
    metric_of,
    name_of,
)

__all__ = [
    "BESIDE_IDS",
    "BLANC_VARIANTS",
    "CONLL",
    "CREDITED_IDS",
    "DIAGNOSTICS",
    "HOW_MANY",
    "MENTION_DIAGNOSTICS",
    "METRICS",
    "METRIC_IDS",
    "NAMED",
    "ROW_IDS",
    "VARIANTS",
    "VARIANT_IDS",
    "Average",
    "Counts",
    "Metric",
    "colour_of",
    "id_of",
    "metric_of",
    "name_of",
]
