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
    METRIC_IDS,
    METRICS,
    ROW_IDS,
    VARIANT_IDS,
    VARIANTS,
    colour_of,
    metric_of,
    name_of,
    title_of,
)

__all__ = [
    "BESIDE_IDS",
    "BLANC_VARIANTS",
    "CONLL",
    "CREDITED_IDS",
    "DIAGNOSTICS",
    "HOW_MANY",
    "METRICS",
    "METRIC_IDS",
    "ROW_IDS",
    "VARIANTS",
    "VARIANT_IDS",
    "Average",
    "Counts",
    "Metric",
    "colour_of",
    "metric_of",
    "name_of",
    "title_of",
]
