"""Many responses to the key of one toy, scored all at once: each is a document of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corescore.arrays import AnyArray, FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS
from corescore.metrics.diagnostics import LINKS
from corescore.metrics.metric import Metric
from corescore.teaching.toy.toy import Entities

_BY_ID: Mapping[str, Metric] = {metric.id: metric for metric in METRICS}
NOWHERE = -1


@dataclass(frozen=True)
class Scan:
    """What each of n responses scores, arrays of shape (n,).

    score           under the metric and measure asked for, a fraction; 0/0 is 0
    correct, wrong  its correct and wrong coreference links
    """

    score: FloatArray
    correct: IntArray
    wrong: IntArray


def labels(side: Entities, mentions: Sequence[str]) -> IntArray:
    """(mentions,) the place of each mention's entity; NOWHERE if this side lacks it."""
    entity = {mention: number for number, members in enumerate(side) for mention in members}
    return np.array([entity.get(mention, NOWHERE) for mention in mentions], dtype=np.int64)


def scan(key: IntArray, responses: IntArray, *, metric: str, measure: str) -> Scan:
    """Score responses, shape (n, mentions), against a key, shape (mentions,), as `labels` has them.

    The labels of a response may be any numbers below that of mentions.
    """
    table = _table(np.broadcast_to(key, responses.shape), responses)
    scorer = _BY_ID[choose("metric", metric, _BY_ID)]
    score = scorer.score(scorer.counts(table), empty=0)
    links = LINKS.counts(table)
    correct = links.recall_numerator[:, 0]
    return Scan(
        getattr(score, choose("measure", measure, MEASURES)),
        correct.astype(np.int64),
        (links.precision_denominator[:, 0] - correct).astype(np.int64),
    )


def _table(key: IntArray, response: IntArray) -> Contingency:
    n, mentions = response.shape
    document = np.broadcast_to(np.arange(n)[:, None], response.shape)
    key_code, response_code = (document * mentions + side for side in (key, response))
    key_entities, key_sizes = np.unique(key_code[key != NOWHERE], return_counts=True)
    entities, sizes = np.unique(response_code[response != NOWHERE], return_counts=True)
    shared = (key != NOWHERE) & (response != NOWHERE)
    pairs = _place(key_entities, key_code[shared]) * max(len(entities), 1)
    cells, cell_sizes = np.unique(
        pairs + _place(entities, response_code[shared]), return_counts=True
    )
    return Contingency(
        n,
        key_sizes,
        key_entities // mentions,
        sizes,
        entities // mentions,
        *np.divmod(cells, max(len(entities), 1)),
        cell_sizes,
    )


def _place(values: IntArray, wanted: AnyArray) -> IntArray:
    return np.searchsorted(values, wanted).astype(np.int64)
