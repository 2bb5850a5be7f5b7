"""LEA: the resolved share of each entity's links, weighted by its size (Moosavi & Strube 2016)."""

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.bibliography import MOOSAVI_2016
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import Counts
from corescore.metrics.metric import COREFERENCE_LINK, SELF_LINK, Metric, Unit


def lea_counts(table: Contingency) -> Counts:
    """Recall Σ_i a_i · (Σ_j C(n_ij) / C(a_i)) / A; precision with the sides swapped.

    A singleton has one link, to itself, right only if the other side has the same singleton.
    Range 0 to 1, in mentions; empty where a side has no mention. Moosavi & Strube 2016.
    """
    return Counts.of(
        _resolved(table), table.n_key_mentions, _resolved(table.swapped), table.n_response_mentions
    )


def _resolved(table: Contingency) -> FloatArray:
    """(documents,) Σ_i a_i · (correct links of i / links of i)."""
    key_size = table.key_sizes[table.cell_key]
    response_size = table.response_sizes[table.cell_response]
    links = pairs(table.cell_sizes) * _each_link(key_size)
    self_links = (key_size == 1) & (response_size == 1)
    return add_up(table.cell_document, links + self_links, table.n_documents)


def lea_credit(table: Contingency) -> tuple[Unit, ...]:
    """a_i/C(a_i) for each link of an entity; 1 for a singleton that both sides have."""
    key, response = _each_link(table.key_sizes), _each_link(table.response_sizes)
    alone_in_key, alone_in_response = table.key_sizes == 1, table.response_sizes == 1
    same = alone_in_key[table.cell_key] & alone_in_response[table.cell_response]
    return (
        Unit(SELF_LINK, same * 1.0, alone_in_key * 1.0, same * 1.0, alone_in_response * 1.0),
        Unit(COREFERENCE_LINK, key[table.cell_key], key, response[table.cell_response], response),
    )


def _each_link(sizes: IntArray) -> FloatArray:
    """a/C(a), which is 2/(a − 1): the share of an entity's weight that each of its links has."""
    return 2.0 * (sizes > 1) / np.maximum(sizes - 1, 1)


LEA = Metric(
    id="lea",
    title="LEA",
    unit="coreference link, weighted by its entity's size",
    paper=MOOSAVI_2016.cited,
    counts=lea_counts,
    credit=lea_credit,
    colour="#C26A97",
)
