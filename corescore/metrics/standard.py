"""MUC, B³, CEAF and LEA: what each counts, what it credits, and its formula as in a textbook."""

from collections.abc import Callable

import numpy as np

from corescore.counting.assignment import best_assignment, components_of
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import Counts
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    SELF_LINK,
    SPANNING_LINK,
    Metric,
    Unit,
    described,
)
from corescore.metrics.textbook import (
    Expression,
    Quotient,
    Summand,
    difference,
    n_pairs,
    number,
    product,
    ratio,
    rows,
    square,
    total,
)
from corescore.util import TOLERANCE, BoolArray, FloatArray, IntArray

# MUC: the links that a smallest set of links would need (Vilain et al. 1995) ----------------------


def muc_counts(table: Contingency) -> Counts:
    """Recall Σ_i (a_i − p_i) / Σ_i (a_i − 1), where key entity i falls into p_i parts.

    p_i counts the cells of i and each of its mentions that the response lacks, so a_i − p_i is
    Σ_j (n_ij − 1). Precision with the sides swapped. Range 0 to 1, in links; empty where a side
    has only singletons. Vilain et al. 1995.
    """
    n_cells = np.bincount(table.cell_document, minlength=table.n_documents)
    correct = table.n_shared_mentions - n_cells
    return Counts.of(
        correct,
        table.n_key_mentions - table.n_key_entities,
        correct,
        table.n_response_mentions - table.n_response_entities,
    )


def _muc_half(table: Contingency) -> Quotient:
    """Σ (size − parts) / Σ (size − 1): an entity falls into its cells and its missing mentions."""
    above = []
    for own, (size, cells) in enumerate(rows(table)):
        parts = len(cells) + size - sum(n for _, n, _ in cells)
        above.append(Summand(difference(size, parts), own))
    return Quotient.of(above, total(difference(size, 1) for size in table.key_sizes))


MUC = Metric(
    **described("muc"),
    counts=muc_counts,
    credit=lambda table: (Unit.of_one(table, SPANNING_LINK),),
    half=_muc_half,
    recount="entities",
)

# B³: how much of each mention's entity is found, averaged over mentions (Bagga & Baldwin 1998) ----


def bcub_counts(table: Contingency) -> Counts:
    """Recall Σ_ij n_ij²/a_i / A, precision Σ_ij n_ij²/b_j / B.

    Range 0 to 1, in mentions; empty where a side has no mention. A mention that only one side
    has counts in its denominator alone (B³_all). Bagga & Baldwin 1998.

    In a table with `cell_held` h_ij, n_ij·h_ij replaces n_ij²: each of the n_ij mentions that are
    looked up in an entity earns a share for all h_ij mentions that the entity holds. CoNLL
    reference scorer v8.01.
    """
    held = table.cell_sizes if table.cell_held is None else table.cell_held
    products = table.cell_sizes.astype(float) * held
    return Counts.of(
        table.by_document(table.cell_document, products / table.key_sizes[table.cell_key]),
        table.n_key_mentions,
        table.by_document(
            table.cell_document, products / table.response_sizes[table.cell_response]
        ),
        table.n_response_mentions,
    )


def bcub_credit(table: Contingency) -> tuple[Unit, ...]:
    """1/a_i for a mention's link with itself, 2/a_i for each link with another mention."""
    key, response = 1 / table.key_sizes, 1 / table.response_sizes
    of_key, of_response = key[table.cell_key], response[table.cell_response]
    return (
        Unit(SELF_LINK, of_key, key, of_response, response),
        Unit(COREFERENCE_LINK, 2 * of_key, 2 * key, 2 * of_response, 2 * response),
    )


def _bcub_half(table: Contingency) -> Quotient:
    """Σ n²/size over the cells / mentions."""
    above = [
        Summand(ratio(square(n), number(size)), own, other)
        for own, (size, cells) in enumerate(rows(table))
        for other, n, _ in cells
    ]
    return Quotient.of(above, number(table.key_sizes.sum()))


BCUB = Metric(
    **described("bcub"),
    counts=bcub_counts,
    credit=bcub_credit,
    half=_bcub_half,
    recount="entities",
)

# CEAF: mentions shared under the best one-to-one alignment of entities (Luo 2005) -----------------


def ceafm_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ n_ij) / A, precision the same sum / B.

    Range 0 to 1, in mentions; empty where a side has no mention. Luo 2005, φ3.
    """
    shared = aligned_sum(table, shared_mentions(table))
    return Counts.of(shared, table.n_key_mentions, shared, table.n_response_mentions)


def ceafe_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ 2n_ij/(a_i + b_j)) / number of key entities.

    Precision is the same sum / number of response entities. Range 0 to 1, in entities; empty
    where a side has no entity. Luo 2005, φ4.
    """
    similarity = aligned_sum(table, entity_similarity(table))
    return Counts.of(similarity, table.n_key_entities, similarity, table.n_response_entities)


def ceafm_credit(table: Contingency) -> tuple[Unit, ...]:
    """1 for each shared mention of an aligned pair."""
    aligned = _aligned(table, shared_mentions(table))
    key, response = np.ones(len(table.key_sizes)), np.ones(len(table.response_sizes))
    return (Unit(ALIGNED_MENTION, aligned, key, aligned, response),)


def ceafe_credit(table: Contingency) -> tuple[Unit, ...]:
    """2/(a_i + b_j) for each shared mention of an aligned pair.

    All mentions of an entity together can earn 1.
    """
    credit = _aligned(table, entity_similarity(table)) * entity_similarity(table) / table.cell_sizes
    return (Unit(ALIGNED_MENTION, credit, 1 / table.key_sizes, credit, 1 / table.response_sizes),)


def shared_mentions(table: Contingency) -> FloatArray:
    """(cells,) φ3, the mentions that the two entities share."""
    return table.cell_sizes.astype(np.float64)


def entity_similarity(table: Contingency) -> FloatArray:
    """(cells,) φ4, 2n_ij/(a_i + b_j)."""
    sizes = table.key_sizes[table.cell_key] + table.response_sizes[table.cell_response]
    return 2 * table.cell_sizes / sizes


def _aligned(table: Contingency, similarity: FloatArray) -> FloatArray:
    """(cells,) 1 where the best alignment pairs the two entities, else 0."""
    aligned = np.zeros(len(similarity))
    aligned[best_assignment(table.components, similarity)] = 1
    return aligned


def aligned_sum(table: Contingency, similarity: FloatArray) -> FloatArray:
    """(documents,) the summed similarity of the cells that the best alignment chooses."""
    chosen = best_assignment(table.components, similarity)
    return table.by_document(table.cell_document[chosen], similarity[chosen])


def aligned_summands(
    table: Contingency, similarity: Callable[[int, int, int], Expression]
) -> list[Summand]:
    """The terms of the greatest sum of similarities (shared mentions, own size, other size)."""
    terms = [
        Summand(similarity(n, size, other_size), own, other)
        for own, (size, cells) in enumerate(rows(table))
        for other, n, other_size in cells
    ]
    order = np.argsort(table.cell_key, kind="stable")  # a swapped table has its cells in another
    components = components_of(table.cell_key[order], table.cell_response[order])
    chosen = best_assignment(components, np.array([float(one.term.value) for one in terms]))
    return [terms[at] for at in chosen.tolist()]


def similarity_of(n: int, a: int, b: int) -> Expression:
    """2n/(a + b)"""
    return ratio(product(number(2), number(n), tight=True), total([number(a), number(b)]))


def _ceafm_half(table: Contingency) -> Quotient:
    """Shared mentions of the aligned entities / mentions."""
    above = aligned_summands(table, lambda n, a, b: number(n))
    return Quotient.of(above, number(table.key_sizes.sum()))


def _ceafe_half(table: Contingency) -> Quotient:
    """Σ 2n/(a + b) of the aligned entities / entities."""
    return Quotient.of(aligned_summands(table, similarity_of), number(len(table.key_sizes)))


CEAFM = Metric(
    **described("ceafm"),
    counts=ceafm_counts,
    credit=ceafm_credit,
    half=_ceafm_half,
    repeats="held",
    similarity=shared_mentions,
    recount="components",
)

CEAFE = Metric(
    **described("ceafe"),
    counts=ceafe_counts,
    credit=ceafe_credit,
    half=_ceafe_half,
    repeats="held",
    similarity=entity_similarity,
    recount="components",
)


def has_other_best(table: Contingency, similarity: FloatArray) -> BoolArray:
    """(cells,) whether the component of a cell has another alignment of the same sum.

    If it has, it lacks one of the chosen cells, and is better once these are worth a little less.
    """
    chosen = best_assignment(table.components, similarity)
    less = similarity.copy()
    less[chosen] -= TOLERANCE * similarity.max(initial=1)
    other = best_assignment(table.components, less)
    component = table.component_of_entity[table.cell_key]
    return np.isin(component, component[np.setxor1d(chosen, other)])


# LEA: the resolved share of each entity's links, weighted by its size (Moosavi & Strube 2016) -----


def lea_counts(table: Contingency) -> Counts:
    """Recall Σ_i a_i · (Σ_j C(n_ij) / C(a_i)) / A; precision with the sides swapped.

    A singleton has one link, to itself, correct only if the other side has the same singleton,
    however often it has it. Where repeats are scored as they stand, a link of two mentions counts
    once for each entity of the other side that has it: recall and precision can then pass 1.
    Range 0 to 1, in mentions; empty where a side has no mention. Moosavi & Strube 2016.
    """
    singles = np.flatnonzero(table.same_singletons)
    both = _resolved(table, singles), _resolved(table.swapped, singles)
    return Counts.of(both[0], table.n_key_mentions, both[1], table.n_response_mentions)


def _resolved(table: Contingency, singles: IntArray) -> FloatArray:
    """(documents,) Σ_i a_i · (correct links of i / links of i).

    singles  the cells of singletons that both sides have
    """
    links = pairs(table.cell_sizes) * _each_link(table.key_sizes)[table.cell_key]
    is_correct = np.zeros(len(table.key_sizes), dtype=bool)
    is_correct[table.cell_key[singles]] = True
    of_singletons = np.bincount(table.key_document[is_correct], minlength=table.n_documents)
    return table.by_document(table.cell_document, links) + of_singletons


def lea_credit(table: Contingency) -> tuple[Unit, ...]:
    """a_i/C(a_i) for each link of an entity; 1 for a singleton that both sides have."""
    key, response = _each_link(table.key_sizes), _each_link(table.response_sizes)
    cells = np.flatnonzero(table.same_singletons)
    of_key, of_response = np.zeros((2, len(table.cell_sizes)))
    for earned, entity in ((of_key, table.cell_key), (of_response, table.cell_response)):
        earned[cells[np.unique(entity[cells], return_index=True)[1]]] = 1
    in_key, in_response = (table.key_sizes == 1) * 1.0, (table.response_sizes == 1) * 1.0
    return (
        Unit(SELF_LINK, of_key, in_key, of_response, in_response),
        Unit(COREFERENCE_LINK, key[table.cell_key], key, response[table.cell_response], response),
    )


def _each_link(sizes: IntArray) -> FloatArray:
    """a/C(a), which is 2/(a − 1): the share of an entity's weight that each of its links has."""
    return 2.0 * (sizes > 1) / np.maximum(sizes - 1, 1)


def _lea_half(table: Contingency) -> Quotient:
    """Σ size · (correct links / links) / Σ sizes; a singleton has one link, to itself."""
    above = []
    for own, (size, cells) in enumerate(rows(table)):
        correct = sum(n_pairs(n) for _, n, _ in cells)
        if size == 1:
            correct = int(any(other_size == 1 for _, _, other_size in cells))
        share = ratio(number(correct), number(max(n_pairs(size), 1)))
        above.append(Summand(product(number(size), share), own))
    return Quotient.of(above, number(table.key_sizes.sum()))


LEA = Metric(
    **described("lea"),
    counts=lea_counts,
    credit=lea_credit,
    half=_lea_half,
    recount="entities",
)
