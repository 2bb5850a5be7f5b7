"""CEAF: mentions shared under the best one-to-one alignment of entities (Luo 2005)."""

import numpy as np

from corescore.arrays import FloatArray
from corescore.bibliography import LUO_2005
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.alignment import best_alignment
from corescore.metrics.metric import ALIGNED_MENTION, Metric, Unit


def ceafm_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ n_ij) / A, precision the same sum / B.

    Range 0 to 1, in mentions; empty where a side has no mention. Luo 2005, φ3.
    """
    shared = _aligned_sum(table, shared_mentions(table))
    return Counts.of(shared, table.n_key_mentions, shared, table.n_response_mentions)


def ceafe_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ 2n_ij/(a_i + b_j)) / number of key entities.

    Precision is the same sum / number of response entities. Range 0 to 1, in entities; empty
    where a side has no entity. Luo 2005, φ4.
    """
    similarity = _aligned_sum(table, entity_similarity(table))
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
    aligned[best_alignment(table, similarity)] = 1
    return aligned


def _aligned_sum(table: Contingency, similarity: FloatArray) -> FloatArray:
    """(documents,) the summed similarity of the cells that the best alignment chooses."""
    chosen = best_alignment(table, similarity)
    return table.by_document(table.cell_document[chosen], similarity[chosen])


CEAFM = Metric(
    id="ceafm",
    title="CEAF_m",
    unit="mention of an aligned pair of entities",
    paper=LUO_2005.cited,
    counts=ceafm_counts,
    credit=ceafm_credit,
    similarity=shared_mentions,
    name="CEAFₘ",
    colour="#009E73",
)
CEAFE = Metric(
    id="ceafe",
    title="CEAF_e",
    unit="similarity of an aligned pair of entities",
    paper=LUO_2005.cited,
    counts=ceafe_counts,
    credit=ceafe_credit,
    similarity=entity_similarity,
    name="CEAFₑ",
    colour="#0072B2",
)
