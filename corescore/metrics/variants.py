"""Variants of the metrics: what the literature defined and gave up. Scored when named.

After a change of twinless mentions: B³_sys and CEAF_sys, where they stand alone on the side that
lacks them (Cai & Strube 2010); B³₀ without the spurious ones (Stoyanov et al. 2009); B³ and CEAF
without spurious singletons (Rahman & Ng 2009); metrics of the shared mentions alone (Bengtson &
Roth 2008).

With other weights: CEAF on links and LEA with another importance of entities (Moosavi & Strube
2016, §3.3, §4), BLANC_α (Recasens & Hovy 2011, §4.1.3), and ACE-Value, what a response's errors
cost (Doddington et al. 2004).

Of clusterings: mutual information H.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from corescore.bibliography import MOOSAVI_2016, RECASENS_2011
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import Counts, Score, divide, empty_score, score_counts
from corescore.metrics.blanc import BLANC, blanc_counts, blanc_score, blanc_steps
from corescore.metrics.metric import Metric, Scorer, described
from corescore.metrics.standard import (
    BCUB,
    CEAFE,
    CEAFM,
    LEA,
    MUC,
    aligned_sum,
    aligned_summands,
    similarity_of,
)
from corescore.metrics.textbook import (
    F1,
    Quotient,
    Step,
    difference,
    n_pairs,
    number,
    total,
    with_f1,
)
from corescore.util import AnyArray, FloatArray, IntArray
from corescore.wording import counted

# Changes of twinless mentions before a metric is computed -----------------------------------------

Change = Callable[[Contingency], Contingency]


def _with_sizes(table: Contingency, key_sizes: IntArray, response_sizes: IntArray) -> Contingency:
    """The table with other sizes; an entity of size 0 is left out. None of these may share any."""
    key, response = key_sizes > 0, response_sizes > 0
    return Contingency(
        table.n_documents,
        key_sizes[key],
        table.key_document[key],
        response_sizes[response],
        table.response_document[response],
        (np.cumsum(key) - 1)[table.cell_key],
        (np.cumsum(response) - 1)[table.cell_response],
        table.cell_sizes,
        table.cell_held,
    )


def unchanged(table: Contingency) -> Contingency:
    """The table as it is."""
    return table


def shared_only(table: Contingency) -> Contingency:
    """The mentions that both sides have."""
    return _with_sizes(table, table.key_shared, table.response_shared)


def without_spurious(table: Contingency) -> Contingency:
    """Without the mentions that the response alone has."""
    return _with_sizes(table, table.key_sizes, table.response_shared)


def without_spurious_singletons(table: Contingency) -> Contingency:
    """Without the entities of one mention that the response alone has."""
    alone = (table.response_sizes == 1) & (table.response_shared == 0)
    return _with_sizes(table, table.key_sizes, np.where(alone, 0, table.response_sizes))


def missing_alone(table: Contingency) -> Contingency:
    """Each missing mention as a singleton of the response."""
    # Where a side lists a span twice and all are kept, more can be shared than there are.
    missing = np.maximum(table.key_sizes - table.key_shared, 0)
    key = np.repeat(np.arange(len(missing)), missing)
    document = np.concatenate([table.response_document, table.key_document[key]])
    order = np.argsort(document, kind="stable")
    place = np.argsort(order)
    added = len(table.response_sizes) + np.arange(len(key))
    cell_key = np.concatenate([table.cell_key, key])
    cell_response = place[np.concatenate([table.cell_response, added])]
    cells = np.lexsort((cell_response, cell_key))
    one, held = np.ones_like(key), table.cell_held
    return replace(
        table,
        response_sizes=np.concatenate([table.response_sizes, one])[order],
        response_document=document[order],
        cell_key=cell_key[cells],
        cell_response=cell_response[cells],
        cell_sizes=np.concatenate([table.cell_sizes, one])[cells],
        cell_held=None if held is None else np.concatenate([held, one])[cells],
    )


def spurious_alone(table: Contingency) -> Contingency:
    """Each spurious mention as a singleton of the key."""
    return missing_alone(table.swapped).swapped


def _completed(table: Contingency) -> Contingency:
    return missing_alone(without_spurious_singletons(table))


def _both_completed(table: Contingency) -> Contingency:
    return spurious_alone(_completed(table))


def _after(metric: Metric, id: str, recall: Change, precision: Change) -> Metric:
    """A metric of one part with its recall after one change and its precision after another."""

    def counts(table: Contingency) -> Counts:
        return Counts.of_directions(metric.counts(recall(table)), metric.counts(precision(table)))

    def steps(table: Contingency) -> list[Step]:
        assert metric.half is not None
        of_recall, of_precision = metric.half(recall(table)), metric.half(precision(table).swapped)
        return with_f1(of_recall._replace(summands=()), of_precision._replace(summands=()))

    return Metric(**described(id), counts=counts, steps=steps, repeats=metric.repeats)


_CHANGED = tuple(
    _after(*row)
    for row in (
        (BCUB, "b3-0", unchanged, without_spurious),
        (BCUB, "b3-rn", unchanged, without_spurious_singletons),
        (CEAFM, "ceafm-rn", unchanged, without_spurious_singletons),
        (CEAFE, "ceafe-rn", unchanged, without_spurious_singletons),
        (MUC, "muc-discard", shared_only, shared_only),
        (BCUB, "b3-discard", shared_only, shared_only),
        (CEAFM, "ceafm-discard", shared_only, shared_only),
        (CEAFE, "ceafe-discard", shared_only, shared_only),
        (LEA, "lea-discard", shared_only, shared_only),
        (BCUB, "b3-sys", _completed, _both_completed),
        (CEAFM, "ceaf-sys", _completed, _both_completed),
    )
)

# CEAF on links: what aligned entities share is counted in links -----------------------------------


def ceafm_link_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ C(n_ij)) / ΣC(a_i), precision by ΣC(b_j).

    Range 0 to 1, in links; empty where a side has only singletons.
    """
    linked = _linked(table)
    links = aligned_sum(linked, pairs(linked.cell_sizes))
    return Counts.of(links, table.key_links, links, table.response_links)


def ceafe_link_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ 2C(n_ij)/(C(a_i) + C(b_j))) / entities of two
    or more mentions; precision with the sides swapped. Range 0 to 1, in such entities; empty
    where a side has none."""
    linked = _linked(table)
    links = pairs(table.key_sizes)[linked.cell_key]
    below = links + pairs(table.response_sizes)[linked.cell_response]
    similarity = aligned_sum(linked, 2 * pairs(linked.cell_sizes) / below)
    key = table.by_document(table.key_document, table.key_sizes > 1)
    response = table.by_document(table.response_document, table.response_sizes > 1)
    return Counts.of(similarity, key, similarity, response)


def _linked(table: Contingency) -> Contingency:
    """The table without the cells of a single mention, which have no link."""
    return table.with_cells(table.cell_sizes > 1)


def _ceafm_link_half(table: Contingency) -> Quotient:
    above = aligned_summands(_linked(table), lambda n, a, b: number(n_pairs(n)))
    return Quotient.of(above, total(number(n_pairs(size)) for size in table.key_sizes.tolist()))


def _ceafe_link_half(table: Contingency) -> Quotient:
    above = aligned_summands(_linked(table), lambda *sizes: similarity_of(*map(n_pairs, sizes)))
    return Quotient.of(above, number((table.key_sizes > 1).sum()))


CEAFM_LINKS = Metric(
    **described("ceafm-links"), counts=ceafm_link_counts, half=_ceafm_link_half, repeats="held"
)

CEAFE_LINKS = Metric(
    **described("ceafe-links"), counts=ceafe_link_counts, half=_ceafe_link_half, repeats="held"
)

# LEA with another importance of entities than their size ------------------------------------------

Weights = Callable[[Contingency], tuple[FloatArray, FloatArray]]


def lea_by(
    importance: Callable[[IntArray], FloatArray],
    *,
    id: str = "lea-own",
    title: str = "LEA, own weights",
) -> Metric:
    """LEA whose entities weigh as much as a function of their sizes says.

    importance  (entities,) sizes → (entities,) weights of at least 0, such as `np.sqrt`

    With entities that all weigh the same, one of two that are whole earns a half, however small:

    >>> from corescore import score_entities
    >>> from corescore.metrics.variants import lea_by
    >>> alike = lea_by(lambda sizes: sizes**0.0)
    >>> key, response = [{"a", "b"}, {"c", "d", "e", "f"}], [{"a", "b"}]
    >>> made = score_entities(key, response, metrics=["lea", alike])
    >>> round(made["lea"].recall, 4), made["lea-own"].recall
    (0.3333, 0.5)
    """

    def weights(table: Contingency) -> tuple[FloatArray, FloatArray]:
        return importance(table.key_sizes), importance(table.response_sizes)

    return _lea(weights, id, title)


def lea_weighted(
    key: ArrayLike, response: ArrayLike, *, id: str = "lea-own", title: str = "LEA, own weights"
) -> Metric:
    """LEA whose entities have weights of their own, such as a column of a table.

    key, response  (entities,) a weight of at least 0 for each entity of a side: the documents in
                   the key's order, the entities of each in the text order of their first
                   mentions, without those that a policy left no mention. Scoring raises
                   ValueError where they are not as many as there are entities.

    >>> from corescore import score_entities
    >>> from corescore.metrics.variants import lea_weighted
    >>> key, response = [{"a", "b"}, {"c", "d", "e", "f"}], [{"a", "b"}]
    >>> metric = lea_weighted([3, 1], [1])
    >>> score_entities(key, response, metrics=metric)["lea-own"].recall
    0.75
    """
    sides = np.asarray(key, dtype=np.float64), np.asarray(response, dtype=np.float64)

    def weights(table: Contingency) -> tuple[FloatArray, FloatArray]:
        names, sizes = ("key", "response"), (table.key_sizes, table.response_sizes)
        for name, given, entities in zip(names, sides, sizes, strict=True):
            if given.shape != entities.shape:
                raise ValueError(
                    f"{counted(given.size, 'weight')} for "
                    f"{counted(entities.size, f'{name} entity')}"
                )
        return sides

    return _lea(weights, id, title)


def _lea(weights: Weights, id: str, title: str) -> Metric:
    return Metric(
        id=id,
        title=title,
        unit="coreference link, weighted by its entity's importance",
        paper=MOOSAVI_2016.cited,
        counts=partial(_lea_counts, weights=weights),
        repeats=LEA.repeats,
        colour=LEA.colour,
    )


def _lea_counts(table: Contingency, *, weights: Weights) -> Counts:
    """Recall Σ_i w_i · (Σ_j C(n_ij) / C(a_i)) / Σ_i w_i; precision with the sides swapped.

    A singleton has one link, to itself. Range 0 to 1, in weight; empty where a side has none.
    Raises ValueError for a weight that is not a number of at least 0.
    """
    columns = []
    for of, side in zip((table, table.swapped), weights(table), strict=True):
        if not (np.isfinite(side) & (side >= 0)).all():
            raise ValueError("the weights of entities must be numbers of at least 0")
        links = pairs(of.cell_sizes) + of.same_singletons
        correct = add_up(of.cell_key, links, len(of.key_sizes))
        resolved = correct / np.maximum(pairs(of.key_sizes), 1)
        columns += [of.by_document(of.key_document, each) for each in (side * resolved, side)]
    return Counts.of(*columns)


# BLANC_α: other weights of its two parts ----------------------------------------------------------


def weighted_blanc(weight: float) -> Metric:
    """BLANC whose recall, precision and F1 are weight · coreference + (1 − weight) · the other.

    Where the key lacks a kind of link, the other alone, as in BLANC. Range 0 to 1; `weight` is α.

    >>> from corescore import score_entities
    >>> from corescore.metrics.variants import weighted_blanc
    >>> key, response = [{"a", "b"}, {"c"}], [{"a"}, {"b"}, {"c"}]
    >>> links, other = weighted_blanc(1), weighted_blanc(0)
    >>> made = score_entities(key, response, metrics=[links, other])
    >>> made[links.id].precision, made[other.id].precision
    (0.0, 0.6666666666666666)
    """
    return Metric(
        id=f"blanc_{weight}",
        title=f"BLANC, α = {weight:g}",
        unit=BLANC.unit,
        paper=RECASENS_2011.cited,
        counts=blanc_counts,
        score=partial(blanc_score, weight=weight),
        repeats=BLANC.repeats,
        colour=BLANC.colour,
    )


BLANC_A2, BLANC_A1 = (
    replace(
        weighted_blanc(1 / n),
        **described(f"blanc_{1 / n}"),
        steps=partial(blanc_steps, weights=(1, n - 1)),
    )
    for n in (5, 10)
)

# ACE-Value ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """What each error costs; ours by default, 1 for all, since the papers print no table.

    missing_entity, spurious_entity    an entity that is aligned with none
    missing_mention, spurious_mention  a mention that the aligned entity lacks; each mention of an
                                       entity that is aligned with none

    The tables of ACE also told costs by entity type and kind of mention apart, which these do not.
    Raises PolicyError for a cost that is negative or no number, and where nothing that is missing
    costs anything.

    >>> from corescore import score_entities
    >>> from corescore.metrics.variants import Costs, ace_value
    >>> key, response = [{"a", "b", "c"}], [{"a", "b"}]
    >>> costs = Costs(missing_entity=0, missing_mention=2)  # 2 of the 6 that no response would cost
    >>> score_entities(key, response, metrics=ace_value(costs))["ace"].f1
    0.6666666666666666
    """

    missing_entity: float = 1
    missing_mention: float = 1
    spurious_entity: float = 1
    spurious_mention: float = 1

    def __post_init__(self) -> None:
        for name, cost in asdict(self).items():
            if not (isfinite(cost) and cost >= 0):
                raise PolicyError(f"cost {name} is {cost}; expected a number of at least 0")
        if self.missing_entity + self.missing_mention == 0:
            raise PolicyError("nothing missing costs anything; expected a cost above 0")

    @classmethod
    def of(cls, table: Mapping[str, float]) -> "Costs":
        """From a table of costs by name; the others are 1."""
        names = [field.name for field in fields(cls)]
        return cls(**{choose("cost", name, names): cost for name, cost in table.items()})

    @property
    def aligned(self) -> float:
        """What is saved by aligning two entities, their mentions apart."""
        return self.missing_entity + self.spurious_entity

    @property
    def shared(self) -> float:
        """What is saved by each mention that aligned entities share."""
        return self.missing_mention + self.spurious_mention


def ace_value(costs: Costs = Costs(), *, id: str = "ace", title: str = "ACE-Value") -> Metric:
    """Value = 1 − cost of the response / cost of a response without entities.

    Entities that share a mention are aligned one to one so that the cost is least. Costs add up
    over documents. Range to 1, below 0 where the errors cost more than leaving out everything;
    empty where the key has no entity. It has no recall and no precision.

    >>> from corescore import score_entities
    >>> from corescore.metrics.variants import ace_value
    >>> key, response = [{"a", "b", "c"}], [{"a", "b"}]
    >>> score_entities(key, response, metrics=ace_value())["ace"].f1  # 1 of 1 + 3 is lost
    0.75
    """
    return replace(
        Metric(**described("ace"), counts=partial(_ace_counts, costs=costs)),
        id=id,
        title=title,
        score=_ace_score,
        steps=partial(_ace_steps, costs=costs),
        repeats="held",
    )


def _ace_counts(table: Contingency, *, costs: Costs) -> Counts:
    """(empty − cost) of empty, in the columns of recall; nothing in those of precision."""
    empty = costs.missing_entity * table.n_key_entities
    empty = empty + costs.missing_mention * table.n_key_mentions
    spurious = costs.spurious_entity * table.n_response_entities
    spurious = spurious + costs.spurious_mention * table.n_response_mentions
    saved = aligned_sum(table, costs.aligned + costs.shared * table.cell_sizes.astype(np.float64))
    nothing = np.zeros(table.n_documents)
    return Counts.of(saved - spurious, empty, nothing, nothing)


def _ace_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    value = score_counts(counts, empty=empty).recall
    return replace(empty_score(len(value)), f1=value)


def _ace_steps(table: Contingency, *, costs: Costs) -> list[Step]:
    """(cost of nothing − cost of the response) / cost of nothing."""
    counts = _ace_counts(table, costs=costs)
    empty, saved = (
        Fraction(of.item()).limit_denominator(10**6)
        for of in (counts.recall_denominator, counts.recall_numerator)
    )
    return [Step(F1, Quotient(difference(empty, empty - saved), number(empty)))]


ACE = ace_value()

# Mutual information H -----------------------------------------------------------------------------
# It is defined for the same mentions on both sides: mentions that one side lacks are left
# out. Of the m mentions of a document that both sides have, a_i are in key entity i and n_ij also
# in response entity j. In bits times mentions, so that documents add up:
#
#     H(K) = Σ a_i log(m/a_i)    I = Σ n_ij log(n_ij·m/(a_i·b_j))
#
# and with the sides swapped. A corpus is scored by the sums over its documents: mentions of two
# documents are never asked whether they corefer, so to tell documents apart earns nothing. (The
# entropies of one partition of the whole corpus would grow with the number of documents.)


class Information(NamedTuple):
    """(documents,) each, in bits times mentions; mentions are those that both sides have.

    mutual         I, what either side tells of the other
    key, response  H(K), H(R), the entropy of each side
    most           the entropy of singletons, m log m
    """

    mutual: FloatArray
    key: FloatArray
    response: FloatArray
    most: FloatArray


def information(table: Contingency) -> Information:
    """The entropies of each document's shared mentions."""
    shared = shared_only(table)
    m, n = shared.n_shared_mentions, shared.cell_sizes
    a, b = shared.key_sizes[shared.cell_key], shared.response_sizes[shared.cell_response]

    def bits(document: IntArray, size: IntArray, ratio: AnyArray) -> FloatArray:
        return shared.by_document(document, size * np.log2(ratio))

    def entropy(document: IntArray, sizes: IntArray) -> FloatArray:
        return bits(document, sizes, m[document] / sizes)

    of_cell = shared.cell_document
    return Information(
        bits(of_cell, n, n * m[of_cell] / (a * b)),
        entropy(shared.key_document, shared.key_sizes),
        entropy(shared.response_document, shared.response_sizes),
        m * np.log2(np.maximum(m, 1)),
    )


def h_counts(table: Contingency) -> Counts:
    """Recall I / H(K), precision I / H(R): the share of each side's entropy that both have.

    Range 0 to 1; empty where a side has fewer than two entities with a shared mention.
    Popescu-Belis 2000, as Recasens & Hovy 2011, §3.1, can be read.
    """
    bits = information(table)
    return Counts.of(bits.mutual, bits.key, bits.mutual, bits.response)


def h_log_counts(table: Contingency) -> Counts:
    """I / log m, the entropy of singletons: recall, precision and F1 alike. Range 0 to 1.

    Only where all mentions are singletons on both sides is it 1.
    """
    bits = information(table)
    return Counts.of(bits.mutual, bits.most, bits.mutual, bits.most)


def _score_by(below: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]) -> Scorer:
    """Recall and precision by each side's entropy; F1 is I by one number out of (I, H(K), H(R))."""

    def score(counts: Counts, *, empty: float) -> Score[FloatArray]:
        plain = score_counts(counts, empty=empty)
        mutual, key, response = (
            plain.recall_numerator,
            plain.recall_denominator,
            plain.precision_denominator,
        )
        f1 = divide(mutual, below(mutual, key, response), empty=0)
        return replace(plain, f1=np.where((key == 0) & (response == 0), empty, f1))

    return score


_SCORES: Mapping[str, tuple[Callable[[Contingency], Counts], Scorer]] = {
    "h": (h_counts, score_counts),
    "h-joint": (h_counts, _score_by(lambda i, key, response: key + response - i)),
    "h-geometric": (h_counts, _score_by(lambda i, key, response: np.sqrt(key * response))),
    "h-max": (h_counts, _score_by(lambda i, key, response: np.maximum(key, response))),
    "h-log": (h_log_counts, score_counts),
}

H, H_JOINT, H_GEOMETRIC, H_MAX, H_LOG = _INFORMATION = tuple(
    Metric(**described(name), counts=counts, score=score, repeats="once")
    for name, (counts, score) in _SCORES.items()
)

VARIANTS: tuple[Metric, ...] = (
    *_CHANGED,
    CEAFM_LINKS,
    CEAFE_LINKS,
    BLANC_A2,
    BLANC_A1,
    *_INFORMATION,
    ACE,
)
