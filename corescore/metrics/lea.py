"""LEA: the resolved share of each entity's links, weighted by its size (Moosavi & Strube 2016)."""

import numpy as np

from corescore.arrays import FloatArray
from corescore.contingency import Contingency, add_up, pairs
from corescore.counts import Counts
from corescore.metrics.metric import Metric


def lea_counts(table: Contingency) -> Counts:
    """Recall Σ_i a_i · (Σ_j C(n_ij) / C(a_i)) / A; precision with the sides swapped.

    A singleton has one link, to itself, right only if the other side has the same singleton.
    Range 0 to 1, in mentions; empty where a side has no mention. Moosavi & Strube 2016.
    """
    return Counts.of(
        _resolved(table), table.n_key_mentions, _resolved(table.swapped), table.n_response_mentions
    )


def _resolved(table: Contingency) -> FloatArray:
    """(documents,) Σ_i a_i · (right links of i / links of i)."""
    key_size = table.key_sizes[table.cell_key]
    response_size = table.response_sizes[table.cell_response]
    # a_i / C(a_i) is 2 / (a_i − 1)
    links = 2 * pairs(table.cell_sizes) / np.maximum(key_size - 1, 1)
    self_links = (key_size == 1) & (response_size == 1)
    return add_up(table.cell_document, links + self_links, table.n_documents)


LEA = Metric(
    id="lea",
    title="LEA",
    unit="coreference link, weighted by its entity's size",
    paper="Moosavi & Strube 2016, Which coreference evaluation metric do you trust?",
    counts=lea_counts,
)
