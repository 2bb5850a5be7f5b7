"""MUC: the links that a smallest set of links would need (Vilain et al. 1995)."""

import numpy as np

from corescore.bibliography import VILAIN_1995
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.metric import SPANNING_LINK, Metric, Unit


def muc_counts(table: Contingency) -> Counts:
    """Recall Σ_i (a_i − p_i) / Σ_i (a_i − 1), where key entity i falls into p_i parts.

    p_i counts the cells of i and each of its mentions that the response lacks, so a_i − p_i is
    Σ_j (n_ij − 1). Precision with the sides swapped. Range 0 to 1, in links; empty where a side
    has only singletons. Vilain et al. 1995.
    """
    right = table.by_document(table.cell_document, table.cell_sizes - 1)
    return Counts.of(
        right,
        table.by_document(table.key_document, table.key_sizes - 1),
        right,
        table.by_document(table.response_document, table.response_sizes - 1),
    )


def muc_credit(table: Contingency) -> tuple[Unit, ...]:
    """1 for each spanning link; the parts that the other side cuts an entity into need more."""
    cell, key, response = (
        np.ones(len(sizes)) for sizes in (table.cell_sizes, table.key_sizes, table.response_sizes)
    )
    return (Unit(SPANNING_LINK, cell, key, cell, response),)


MUC = Metric(
    id="muc",
    title="MUC",
    unit="spanning link",
    paper=VILAIN_1995.cited,
    counts=muc_counts,
    credit=muc_credit,
    colour="#C58600",
)
