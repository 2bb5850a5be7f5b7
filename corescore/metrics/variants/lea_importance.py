"""LEA with another importance of entities than their size (Moosavi & Strube 2016, §4)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from corescore.arrays import FloatArray, IntArray
from corescore.bibliography import HOLEN_2013, MOOSAVI_2016
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import Counts
from corescore.metrics.card import KEY_SIZE, PAIRS, RESPONSE_SIZE, SHARED, Part
from corescore.metrics.expressions import Product, Ratio, total, whole
from corescore.metrics.lea import LEA
from corescore.metrics.metric import Metric
from corescore.metrics.textbook import Entities, Half, Summand, cells, in_halves, n_pairs
from corescore.metrics.variants.changes import card_of

Importance = Callable[[IntArray], FloatArray]
Weights = Callable[[Contingency], tuple[FloatArray, FloatArray]]


def lea_by(
    importance: Importance, *, id: str = "lea-own", title: str = "LEA, own weights"
) -> Metric:
    """LEA whose entities weigh as much as a function of their sizes says.

    importance  (entities,) sizes → (entities,) weights of at least 0, such as `np.sqrt`
    """

    def weights(table: Contingency) -> tuple[FloatArray, FloatArray]:
        return importance(table.key_sizes), importance(table.response_sizes)

    return _lea(weights, id=id, title=title)


def lea_weighted(
    key: ArrayLike, response: ArrayLike, *, id: str = "lea-own", title: str = "LEA, own weights"
) -> Metric:
    """LEA whose entities have weights of their own, such as a column of a table.

    key, response  (entities,) a weight of at least 0 for each entity of a side: the documents in
                   the key's order, the entities of each in the text order of their first
                   mentions, without those that a policy left no mention. Scoring raises
                   ValueError where they are not as many as there are entities.
    """
    sides = np.asarray(key, dtype=np.float64), np.asarray(response, dtype=np.float64)

    def weights(table: Contingency) -> tuple[FloatArray, FloatArray]:
        names, sizes = ("key", "response"), (table.key_sizes, table.response_sizes)
        for name, given, entities in zip(names, sides, sizes, strict=True):
            if given.shape != entities.shape:
                raise ValueError(f"{given.size} weights for {entities.size} {name} entities")
        return sides

    return _lea(weights, id=id, title=title)


def _lea(weights: Weights, *, id: str, title: str) -> Metric:
    return Metric(
        id=id,
        title=title,
        unit="coreference link, weighted by its entity's importance",
        paper=MOOSAVI_2016.cited,
        counts=partial(_counts, weights=weights),
        repeats=LEA.repeats,
        colour=LEA.colour,
    )


def _counts(table: Contingency, *, weights: Weights) -> Counts:
    """Recall Σ_i w_i · (Σ_j C(n_ij) / C(a_i)) / Σ_i w_i; precision with the sides swapped.

    A singleton has one link, to itself. Range 0 to 1, in weight; empty where a side has none.
    Raises ValueError for a weight that is not a number of at least 0.
    """
    key, response = weights(table)
    for side in (key, response):
        if not (np.isfinite(side) & (side >= 0)).all():
            raise ValueError("the weights of entities must be numbers of at least 0")
    return Counts.of(
        table.by_document(table.key_document, key * _resolved(table)),
        table.by_document(table.key_document, key),
        table.by_document(table.response_document, response * _resolved(table.swapped)),
        table.by_document(table.response_document, response),
    )


def _resolved(table: Contingency) -> FloatArray:
    """(key entities,) the share of each entity's links that the response has."""
    same = (table.key_sizes[table.cell_key] == 1) & (table.response_sizes[table.cell_response] == 1)
    correct = add_up(table.cell_key, pairs(table.cell_sizes) + same, len(table.key_sizes))
    resolved: FloatArray = correct / np.maximum(pairs(table.key_sizes), 1)
    return resolved


# Those that have a name ---------------------------------------------------------------------------


def _half(own: Entities, other: Entities, *, weight: Callable[[int], int]) -> Half:
    """Σ weight · (correct links / links) / Σ weights; a singleton has one link, to itself."""
    singletons = {mention for entity in other if len(entity) == 1 for mention in entity}
    above = []
    for at, row in enumerate(cells(own, other)):
        size = len(own[at])
        correct = len(singletons & {*own[at]}) if size == 1 else sum(map(n_pairs, row))
        share = Ratio(whole(correct), whole(max(n_pairs(size), 1)))
        above.append(Summand(Product((whole(weight(size)), share)), at))
    return above, total(whole(weight(len(entity))) for entity in own)


_OPEN = (
    "Moosavi and Strube let an entity weigh as much as it has mentions, and leave open that a task "
    "may weigh entities otherwise: by their type, or by what their mentions tell (Holen 2013). "
    "They name no other function. "
)
_ONE_CARD = card_of(
    LEA,
    id="lea-one",
    name="LEA with entities that weigh the same",
    counts=(
        "Entity by entity: what share of its coreference links has the other side? Each entity "
        "weighs 1. A singleton has one link, to itself, which is correct only if it is a singleton "
        "on both sides."
    ),
    parts=(
        Part(
            recall=r"\frac{1}{K} \sum_i \frac{\sum_j \binom{n_{ij}}{2}}{\binom{a_i}{2}}",
            precision=r"\frac{1}{L} \sum_j \frac{\sum_i \binom{n_{ij}}{2}}{\binom{b_j}{2}}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        (r"K,\ L", "entities of the key, of the response"),
        PAIRS,
    ),
    papers=(MOOSAVI_2016, HOLEN_2013),
    history=_OPEN
    + "With equal weights a long entity counts as little as a singleton, as in CEAFₑ.",
)
_LINKS_CARD = card_of(
    LEA,
    id="lea-links",
    name="LEA with entities weighed by their links",
    counts=(
        "Entity by entity: what share of its coreference links has the other side? An entity "
        "weighs as much as it has links. A singleton has one link, to itself, which is correct "
        "only if it is a singleton on both sides."
    ),
    parts=(
        Part(
            recall=r"\frac{t + \sum_{i,j} \binom{n_{ij}}{2}}{s + \sum_i \binom{a_i}{2}}",
            precision=r"\frac{t + \sum_{i,j} \binom{n_{ij}}{2}}{u + \sum_j \binom{b_j}{2}}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        (r"t", "mentions that are singletons on both sides"),
        (r"s,\ u", "singletons of the key, of the response"),
        PAIRS,
    ),
    papers=(MOOSAVI_2016, HOLEN_2013),
    history=_OPEN
    + "Weighed by links, one long entity decides the score: it is the score of coreference links, "
    "with singletons.",
)

LEA_ONE = replace(
    lea_by(lambda sizes: np.ones(len(sizes)), id="lea-one", title="LEA, entities alike"),
    textbook=in_halves(partial(_half, weight=lambda size: 1)),
    card=_ONE_CARD,
)
LEA_LINKS = replace(
    lea_by(lambda sizes: np.maximum(pairs(sizes), 1), id="lea-links", title="LEA, by links"),
    textbook=in_halves(partial(_half, weight=lambda size: max(n_pairs(size), 1))),
    card=_LINKS_CARD,
)
