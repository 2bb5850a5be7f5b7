"""CEAF: mentions shared under the best one-to-one alignment of entities (Luo 2005)."""

import numpy as np

from corescore.arrays import FloatArray
from corescore.contingency import Contingency
from corescore.counts import Counts
from corescore.metrics.alignment import best_alignment
from corescore.metrics.metric import Metric


def ceafm_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ n_ij) / A, precision the same sum / B.

    Range 0 to 1, in mentions; empty where a side has no mention. Luo 2005, φ3.
    """
    shared = _aligned_sum(table, table.cell_sizes.astype(float))
    return Counts.of(shared, table.n_key_mentions, shared, table.n_response_mentions)


def ceafe_counts(table: Contingency) -> Counts:
    """Recall (max over one-to-one alignments of Σ 2n_ij/(a_i + b_j)) / number of key entities.

    Precision is the same sum / number of response entities. Range 0 to 1, in entities; empty
    where a side has no entity. Luo 2005, φ4.
    """
    sizes = table.key_sizes[table.cell_key] + table.response_sizes[table.cell_response]
    similarity = _aligned_sum(table, 2 * table.cell_sizes / sizes)
    n_key = np.bincount(table.key_document, minlength=table.n_documents)
    n_response = np.bincount(table.response_document, minlength=table.n_documents)
    return Counts.of(similarity, n_key, similarity, n_response)


def _aligned_sum(table: Contingency, similarity: FloatArray) -> FloatArray:
    """(documents,) the summed similarity of the cells that the best alignment chooses."""
    chosen = best_alignment(table, similarity)
    return table.by_document(table.cell_document[chosen], similarity[chosen])


CEAFM = Metric(
    id="ceafm",
    title="CEAF_m",
    unit="mention of an aligned pair of entities",
    paper="Luo 2005, On coreference resolution performance metrics",
    counts=ceafm_counts,
)
CEAFE = Metric(
    id="ceafe",
    title="CEAF_e",
    unit="similarity of an aligned pair of entities",
    paper="Luo 2005, On coreference resolution performance metrics",
    counts=ceafe_counts,
)
