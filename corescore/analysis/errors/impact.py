"""What each kind of error costs: the scores after fixing some kinds of errors and not others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import factorial

import numpy as np

from corescore.analysis.errors.classes import SPAN_ERROR
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    KINDS,
    MISSING_ENTITY,
    MISSING_MENTION,
    EntityParts,
    operations,
    parts_of,
)
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES, Score
from corescore.metrics import METRICS, Metric
from corescore.scoring.tally import scores_of
from corescore.util import FloatArray, IntArray, once_of


@dataclass(frozen=True)
class Impact:
    """The scores after fixing kinds of errors. Fractions; NaN for CoNLL's R and P.

    metrics     the ids of the metrics, "conll" last if its three are among them
    n_errors    (kinds,) the number of errors, the kinds as in KINDS
    score       (metrics, measures) of the response, the measures as in MEASURES
    alone       (metrics, measures, kinds) after fixing this kind alone
    all_but     (metrics, measures, kinds) after fixing all kinds but this one
    cumulative  (metrics, measures, kinds) after fixing this kind and those before it
    share       (metrics, measures, kinds) the kind's Shapley value: what fixing it adds, on
                average over all orders of fixing the kinds. The shares add up to 1 − score (to
                −score where the key has no links and the metric scores it against itself as 0).
                NaN if they are not asked for.
    """

    metrics: tuple[str, ...]
    n_errors: IntArray
    score: FloatArray
    alone: FloatArray
    all_but: FloatArray
    cumulative: FloatArray
    share: FloatArray


def impact(
    comparison: Comparison, metrics: Sequence[Metric] = METRICS, *, shares: bool = True
) -> Impact:
    """The impact of each kind of error on each metric, from the scores of all 2^7 subsets.

    shares  whether to find the Shapley values (Shapley 1953, A value for n-person games); the
            rest needs the scores of 20 subsets only

    Raises PolicyError as `parts_of`.
    """
    return _impact(comparison, (tuple(metrics), shares))


@once_of  # reports, tables and several pages ask for it
def _impact(comparison: Comparison, given: tuple[tuple[Metric, ...], bool]) -> Impact:
    metrics, shares = given
    parts = parts_of(comparison)
    subsets = np.arange(2 ** len(KINDS))
    has = (subsets[:, None] >> np.arange(len(KINDS))) & 1 == 1
    kind = 2 ** np.arange(len(KINDS))
    needed = subsets if shares else np.unique([0, *kind, *(subsets[-1] - kind), *(2 * kind - 1)])
    scores = {
        subset: _scores(fixed(parts, [*compress(KINDS, has[subset])]), metrics)
        for subset in needed.tolist()
    }
    values = np.full((len(subsets), len(scores[0]), len(MEASURES)), np.nan)
    values[needed] = [_values(score) for score in scores.values()]
    return Impact(
        tuple(scores[0]),
        np.bincount(operations(parts).kind, minlength=len(KINDS)),
        values[0],
        _kinds_last(values[kind]),
        _kinds_last(values[subsets[-1] - kind]),
        _kinds_last(values[2 * kind - 1]),
        _kinds_last(np.array([_share(values, subsets, has, k) for k in range(len(KINDS))])),
    )


def _scores(table: Contingency, metrics: Sequence[Metric]) -> dict[str, Score[FloatArray]]:
    return scores_of(metrics, {m.id: m.counts(table).total() for m in metrics}, empty=0)


def _values(scores: dict[str, Score[FloatArray]]) -> FloatArray:
    """(metrics, measures)"""
    return np.array([[getattr(s, name)[0] for name in MEASURES] for s in scores.values()])


def _kinds_last(values: FloatArray) -> FloatArray:
    return np.moveaxis(values, 0, -1)


def _share(values: FloatArray, subsets: IntArray, has: IntArray, kind: int) -> FloatArray:
    """(metrics, measures) Σ |S|! (n − 1 − |S|)! / n! · gain over the subsets S without the kind."""
    n = len(KINDS)
    without = subsets[~has[:, kind]]
    gain = values[without + 2**kind] - values[without]
    weight = [factorial(s) * factorial(n - 1 - s) / factorial(n) for s in range(n)]
    return np.tensordot(np.array(weight)[has[without].sum(axis=1)], gain, axes=1)


def fixed(parts: EntityParts, kinds: Collection[str]) -> Contingency:
    """The contingency table of the response after fixing the errors of these kinds only.

    Which errors there are does not change: `parts_of` finds them once. The effect of each kind:

    span error          the mention gets the key's span; unfixed, it stays spurious where it is,
                        and the key's mention stays missing
    conflated entities  each part of a response entity but the largest becomes an entity
    extra mention       it is removed; unfixed, it goes with the largest part of its entity
    extra entity        it is removed
    missing mention     it is added to the largest part of its key entity, wherever that is
    missing entity      it is added
    divided entity      each part of a key entity moves to where its largest part is

    With no kind the table is that of the response, with all kinds that of the key with itself.
    """
    entity = _entities(parts, kinds)
    kept = entity >= 0
    is_key = kept & (SPAN_ERROR in kinds or ~parts.mentions.are(SPAN_ERROR))
    key_entity = np.where(is_key, parts.key_entity, -1)
    return _contingency(parts, key_entity[kept], entity[kept], parts.document[kept])


def _entities(parts: EntityParts, kinds: Collection[str]) -> IntArray:
    """(rows,) the response entity of each mention after fixing; −1 if it has none.

    The numbers are those of the response entities, then parts, then key entities.
    """
    n_response, n_parts = len(parts.table.response_sizes), len(parts.first)
    missing = parts.response_entity < 0
    goes_with = np.select([parts.part >= 0, missing], [parts.part, parts.gathers], parts.stays)
    whole = np.where(missing, n_response + n_parts + parts.key_entity, parts.response_entity)
    where = np.append(_entities_of_parts(parts, kinds), -1)
    gone = [kind for kind in (EXTRA_MENTION, EXTRA_ENTITY) if kind in kinds]
    gone += [kind for kind in (MISSING_MENTION, MISSING_ENTITY) if kind not in kinds]
    absent = np.logical_or.reduce([parts.errors[kind] >= 0 for kind in gone])
    return np.where(absent, -1, np.where(goes_with >= 0, where[goes_with], whole))


def _entities_of_parts(parts: EntityParts, kinds: Collection[str]) -> IntArray:
    """(parts,) the response entity of each part after fixing, numbered as in `_entities`."""
    entity = parts.table.cell_response
    if CONFLATED_ENTITIES in kinds:
        number = np.arange(len(entity))
        leaves = parts.stays[parts.first] != number
        entity = np.where(leaves, len(parts.table.response_sizes) + number, entity)
    if DIVIDED_ENTITY in kinds:
        entity = entity[parts.gathers[parts.first]]
    return entity


def _contingency(
    parts: EntityParts, key_entity: IntArray, entity: IntArray, document: IntArray
) -> Contingency:
    """The table of response mentions: the key entity (−1: spurious) and own entity of each."""
    sizes = np.bincount(entity)
    of_document = np.zeros(len(sizes), dtype=np.int64)
    of_document[entity] = document
    present = np.flatnonzero(sizes)
    present = present[np.argsort(of_document[present], kind="stable")]
    number = np.zeros_like(sizes)
    number[present] = np.arange(len(present))
    shared = key_entity >= 0
    n_response = max(len(present), 1)
    codes, cell_sizes = np.unique(
        key_entity[shared] * n_response + number[entity[shared]], return_counts=True
    )
    cell_key, cell_response = np.divmod(codes, n_response)
    return replace(
        parts.table,
        response_sizes=sizes[present],
        response_document=of_document[present],
        cell_key=cell_key,
        cell_response=cell_response,
        cell_sizes=cell_sizes,
    )
