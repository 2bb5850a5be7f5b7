"""CEAF: mentions shared under the best one-to-one alignment of entities (Luo 2005).

Whether another one-to-one alignment of key and response entities is as good.
"""

from collections.abc import Callable, Sequence

import numpy as np

from corescore.bibliography import LUO_2005, PRADHAN_2014
from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.explanation import CreditRow, Earned, EntityFacts, Explainer, MentionFacts
from corescore.metrics.metric import (
    ALIGNED,
    ALIGNED_MENTION,
    EMPTY_WITHOUT_MENTIONS,
    KEY_SIZE,
    MENTION_COUNTS,
    NO_SHARED_MENTION,
    RESPONSE_SIZE,
    SAME_ENTITIES,
    SHARED,
    Card,
    Formulas,
    Metric,
    Unit,
)
from corescore.metrics.textbook import (
    Entities,
    Expression,
    Half,
    Product,
    Ratio,
    Sum,
    Summand,
    cells,
    in_halves,
    n_mentions,
    whole,
)
from corescore.util import TOLERANCE, BoolArray, FloatArray, IntArray
from corescore.wording import capital, number


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
    n_key = np.bincount(table.key_document, minlength=table.n_documents)
    n_response = np.bincount(table.response_document, minlength=table.n_documents)
    return Counts.of(similarity, n_key, similarity, n_response)


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
    similarity: FloatArray = 2 * table.cell_sizes / sizes
    return similarity


def _aligned(table: Contingency, similarity: FloatArray) -> FloatArray:
    """(cells,) 1 where the best alignment pairs the two entities, else 0."""
    aligned = np.zeros(len(similarity))
    aligned[best_assignment(table.components, similarity)] = 1
    return aligned


def aligned_sum(table: Contingency, similarity: FloatArray) -> FloatArray:
    """(documents,) the summed similarity of the cells that the best alignment chooses."""
    chosen = best_assignment(table.components, similarity)
    return table.by_document(table.cell_document[chosen], similarity[chosen])


def _ceafm_sentence(it: MentionFacts, earned: Sequence[Earned]) -> str:
    return f"{_alignment(it)}: {int(it.is_aligned)} of 1"


def _ceafe_sentence(it: MentionFacts, earned: Sequence[Earned]) -> str:
    if not it.is_aligned:
        return f"{_alignment(it)}: 0 of 1/{it.size}"
    sizes = it.size + it.other_size
    return (
        f"{_alignment(it)}: 2/({it.size} + {it.other_size}) = {2 / sizes:.3f} of "
        f"1/{it.size} = {1 / it.size:.3f}"
    )


def _alignment(it: MentionFacts) -> str:
    if it.pair is None:
        return f"{capital(it.own_name)} is aligned with no {it.other} entity"
    also = " (another alignment would be as good)" if it.pair.tied else ""
    has = "has it" if it.is_aligned else "does not have it"
    return (
        f"{capital(it.own_name)} is aligned with {it.other} entity {it.pair.entity}{also}, "
        f"which {has}"
    )


def _ceafm_entity(row: CreditRow, entity: EntityFacts) -> str:
    return row.told(_entity_alignment(entity), number(row.credit), number(entity.size))


def _ceafe_entity(row: CreditRow, entity: EntityFacts) -> str:
    expression = "0"
    if entity.pair:
        expression = f"2 × {entity.pair.shared}/({entity.size} + {entity.pair.size})"
    return row.told(_entity_alignment(entity), expression, "1")


def _entity_alignment(entity: EntityFacts) -> str:
    if entity.pair is None:
        return "aligned with none"
    return f"aligned with {entity.other} entity {entity.pair.entity}"


def _ceafm_mention(row: CreditRow, mention: MentionFacts) -> str:
    return row.told(_mention_alignment(mention), number(row.credit), "1")


def _ceafe_mention(row: CreditRow, mention: MentionFacts) -> str:
    sizes = f"{mention.size} + {mention.other_size}"
    expression = f"2/({sizes})" if mention.is_aligned else "0"
    most = f"1/{mention.size}" if mention.size > 1 else "1"
    return row.told(_mention_alignment(mention), expression, most)


def _mention_alignment(mention: MentionFacts) -> str:
    if not mention.is_shared:
        return f"the {mention.other} lacks it"
    if mention.pair is None:
        return "its entity is aligned with none"
    if mention.is_aligned:
        return f"in {mention.other_name}, the aligned one"
    return f"in {mention.other_name}, not the aligned {mention.pair.entity}"


def _ceafm_link(row: CreditRow, one: MentionFacts, two: MentionFacts | None) -> str:
    return _ceafm_mention(row, one)


def _ceafe_link(row: CreditRow, one: MentionFacts, two: MentionFacts | None) -> str:
    return _ceafe_mention(row, one)


def _ceafm_half(own: Entities, other: Entities) -> Half:
    """Shared mentions of the aligned entities / mentions."""
    return aligned_summands(own, other, lambda n, a, b: whole(n)), whole(n_mentions(own))


def _ceafe_half(own: Entities, other: Entities) -> Half:
    """Σ 2n/(a + b) of the aligned entities / entities."""

    def similarity(n: int, a: int, b: int) -> Expression:
        return Ratio(Product((whole(2), whole(n)), tight=True), Sum((whole(a), whole(b))))

    return aligned_summands(own, other, similarity), whole(len(own))


def aligned_summands(
    own: Entities, other: Entities, similarity: Callable[[int, int, int], Expression]
) -> list[Summand]:
    """The terms of the greatest sum of similarities (shared mentions, own size, other size)."""
    from scipy.optimize import linear_sum_assignment

    terms = [
        [similarity(n, len(row), len(column)) for n, column in zip(shared, other, strict=True)]
        for row, shared in zip(own, cells(own, other), strict=True)
    ]
    if not own or not other:
        return []
    values = [[float(term.value) for term in row] for row in terms]
    rows, columns = linear_sum_assignment(values, maximize=True)
    aligned = zip(rows.tolist(), columns.tolist(), strict=True)
    return [Summand(terms[i][j], i, j) for i, j in aligned if terms[i][j].value]


_CEAFM_CARD = Card(
    id="ceafm",
    name="CEAFₘ",
    counts=(
        "Each key entity is aligned with one response entity at most, in the way that is best "
        "overall. CEAFₘ counts the mentions that aligned entities share; all others are wrong."
    ),
    parts=(
        Formulas(
            recall=r"\frac{\sum_{i \sim j} n_{ij}}{A}",
            precision=r"\frac{\sum_{i \sim j} n_{ij}}{B}",
        ),
    ),
    symbols=(SHARED, ALIGNED, MENTION_COUNTS),
    unit="One mention that lies in both entities of an aligned pair.",
    one=SAME_ENTITIES,
    zero=NO_SHARED_MENTION,
    empty=EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(LUO_2005, PRADHAN_2014),
)

_CEAFE_CARD = Card(
    id="ceafe",
    name="CEAFₑ",
    counts=(
        "Each key entity is aligned with one response entity at most, in the way that is best "
        "overall. CEAFₑ adds up how alike aligned entities are; an entity of 2 weighs as much as "
        "one of 20."
    ),
    parts=(
        Formulas(
            recall=r"\frac{1}{K} \sum_{i \sim j} \frac{2 n_{ij}}{a_i + b_j}",
            precision=r"\frac{1}{L} \sum_{i \sim j} \frac{2 n_{ij}}{a_i + b_j}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        ALIGNED,
        (r"K,\ L", "entities of the key, of the response"),
    ),
    unit=(
        "One aligned pair of equal entities. Where entities of n and m mentions are aligned, each "
        "mention that they share earns 2/(n + m)."
    ),
    one=SAME_ENTITIES,
    zero=NO_SHARED_MENTION,
    empty=EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(LUO_2005, PRADHAN_2014),
)

CEAFM = Metric(
    id="ceafm",
    title="CEAF_m",
    unit="mention of an aligned pair of entities",
    paper=LUO_2005.cited,
    counts=ceafm_counts,
    repeats="held",
    credit=ceafm_credit,
    similarity=shared_mentions,
    recount="components",
    name="CEAFₘ",
    colour="#009E73",
    explanation=Explainer(
        sentence=_ceafm_sentence, entity=_ceafm_entity, mention=_ceafm_mention, link=_ceafm_link
    ),
    textbook=in_halves(_ceafm_half),
    card=_CEAFM_CARD,
)

CEAFE = Metric(
    id="ceafe",
    title="CEAF_e",
    unit="similarity of an aligned pair of entities",
    paper=LUO_2005.cited,
    counts=ceafe_counts,
    repeats="held",
    credit=ceafe_credit,
    similarity=entity_similarity,
    recount="components",
    name="CEAFₑ",
    colour="#0072B2",
    explanation=Explainer(
        sentence=_ceafe_sentence, entity=_ceafe_entity, mention=_ceafe_mention, link=_ceafe_link
    ),
    textbook=in_halves(_ceafe_half),
    card=_CEAFE_CARD,
)


def has_other_best(table: Contingency, similarity: FloatArray) -> BoolArray:
    """(cells,) whether the component of a cell has another alignment of the same sum.

    Each key entity holds the response entity that it is aligned with, or nothing. A move from
    what it holds to another response entity gains the difference in similarity. No cycle of moves
    gains anything, for the alignment is best; a cycle that loses nothing is another best one.
    """
    if not len(similarity):
        return np.zeros(0, dtype=bool)
    chosen = best_assignment(table.components, similarity)
    nothing = len(table.response_sizes)
    held, worth = np.full(len(table.key_sizes), nothing), np.zeros(len(table.key_sizes))
    held[table.cell_key[chosen]] = table.cell_response[chosen]
    worth[table.cell_key[chosen]] = similarity[chosen]
    other = np.delete(np.arange(len(similarity)), chosen)
    key = table.cell_key[other]
    aligned = table.cell_response[chosen]
    free = np.setdiff1d(table.cell_response, aligned)
    moves = (
        (held[key], table.cell_response[other], similarity[other] - worth[key]),
        (np.full(len(aligned), nothing), aligned, np.zeros(len(aligned))),  # no one holds it then
        (aligned, np.full(len(aligned), nothing), -similarity[chosen]),  # its key entity drops it
        (free, np.full(len(free), nothing), np.zeros(len(free))),  # no one has to drop it
    )
    source, target, gain = (np.concatenate(arrays) for arrays in zip(*moves, strict=True))
    in_cycle = _in_free_cycle(source, target, gain, nothing + 1)
    component = table.component_of_entity
    tied = np.zeros(len(component), dtype=bool)
    tied[component[len(table.key_sizes) :][in_cycle[:nothing]]] = True
    return tied[component[table.cell_key]]


def _in_free_cycle(source: IntArray, target: IntArray, gain: FloatArray, n: int) -> BoolArray:
    """(n,) whether a node lies on a cycle of moves whose gains add up to 0, the most they can.

    A node costs the most that a walk to it gains. Moves that gain less than the costs differ by
    cannot be part of such a cycle, and every cycle of the others is one.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    cost = np.zeros(n)
    while True:
        raised = cost.copy()
        np.maximum.at(raised, target, cost[source] + gain)
        if (raised - cost).max() <= TOLERANCE:
            break
        cost = raised
    tight = cost[source] + gain >= cost[target] - TOLERANCE
    ends = source[tight], target[tight]
    graph = coo_array((np.ones(len(ends[0])), ends), shape=(n, n))
    _, label = connected_components(graph, connection="strong")
    found: BoolArray = np.bincount(label)[label] > 1
    return found
