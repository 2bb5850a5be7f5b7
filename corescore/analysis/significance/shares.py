"""How much of a score is each document's: its share of what the score is divided by."""

from dataclasses import fields

import numpy as np

from corescore.analysis.significance.stack import Stack
from corescore.arrays import FloatArray, IntArray
from corescore.counting.counts import MEASURES, Counts, divide
from corescore.metrics import CONLL


def document_shares(stack: Stack) -> FloatArray:
    """(metrics, measures, documents) the share of each document in a metric's denominators.

    Of recall and precision in their own, of F1 in both together, each system's alike; of a metric
    of several parts (BLANC) the mean over its parts, of CoNLL the mean over its three metrics.
    They sum to 1, and are equal where nothing is divided. A difference of d points between two
    systems is one of d points on every document if it is spread over them by these shares.
    """
    systems = [_of_system(stack, columns) for columns in stack.columns]
    shares = dict(zip((metric.id for metric in stack.metrics), _mean(systems), strict=True))
    if CONLL.id in stack.names:
        shares[CONLL.id] = _mean([shares[name] for name in CONLL.members])
    return np.array([shares[name] for name in stack.names])


def _of_system(stack: Stack, columns: IntArray) -> FloatArray:
    """(metrics, measures, documents) the shares in the denominators of one system."""
    found, at, n_arrays = [], 0, len(fields(Counts))
    for n_parts in stack.n_parts:
        counts = stack.values[:, columns[at : at + n_arrays * n_parts]].T
        arrays = Counts(*counts.reshape(n_arrays, n_parts, -1))
        recall, precision = arrays.recall_denominator, arrays.precision_denominator
        each = {"recall": recall, "precision": precision, "f1": recall + precision}
        found.append(np.array([_shares(each[measure]) for measure in MEASURES]))
        at += n_arrays * n_parts
    return np.array(found)


def _shares(parts: FloatArray) -> FloatArray:
    """(parts, documents) denominators → (documents,) the mean over parts of each one's share."""
    total = parts.sum(axis=-1, keepdims=True)
    shares = divide(parts, total, empty=1 / parts.shape[-1])
    return _mean(list(shares))


def _mean(arrays: list[FloatArray]) -> FloatArray:
    mean: FloatArray = np.mean(arrays, axis=0)
    return mean
