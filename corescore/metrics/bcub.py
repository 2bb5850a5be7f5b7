"""B³: how much of each mention's entity is found, averaged over mentions (Bagga & Baldwin 1998)."""

from corescore.bibliography import BAGGA_1998
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.metric import COREFERENCE_LINK, SELF_LINK, Metric, Unit


def bcub_counts(table: Contingency) -> Counts:
    """Recall Σ_ij n_ij²/a_i / A, precision Σ_ij n_ij²/b_j / B.

    Range 0 to 1, in mentions; empty where a side has no mention. A mention that only one side
    has counts in its denominator alone (B³_all). Bagga & Baldwin 1998.
    """
    squares = table.cell_sizes.astype(float) ** 2
    return Counts.of(
        table.by_document(table.cell_document, squares / table.key_sizes[table.cell_key]),
        table.n_key_mentions,
        table.by_document(table.cell_document, squares / table.response_sizes[table.cell_response]),
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


BCUB = Metric(
    id="bcub",
    title="B³",
    unit="share of a mention's entity",
    paper=BAGGA_1998.cited,
    counts=bcub_counts,
    credit=bcub_credit,
    colour="#3E97C9",
)
