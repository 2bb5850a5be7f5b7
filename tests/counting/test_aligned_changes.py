"""The best alignment after a change, found from the one before it, is worth what a new one is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import score
from corescore.counting.whatif import Changes, Steps, priced
from corescore.metrics import METRICS
from corescore.metrics.changed import changed_counts
from tests.support.strategies import corpora_of, partition_pairs
from tests.support.synthetic import Shape, synthesise

ALIGNING = tuple(metric for metric in METRICS if metric.similarity)
TANGLED = Shape(documents=2, words=500, mentions=90, entities=14, moved=0.6, split=0.3, missing=0.1)
aligning = pytest.mark.parametrize("metric", ALIGNING, ids=lambda metric: metric.id)
tables = st.lists(partition_pairs(12, 6), min_size=1, max_size=2).map(
    lambda pairs: score(*corpora_of(pairs)).comparison.table
)


def moves(table, rng, n=40):
    """Some mentions of a cell leave for another response entity of the document, or a new one."""
    cell = rng.integers(0, len(table.cell_key), n)
    document, some = table.cell_document[cell], rng.integers(1, table.cell_sizes[cell] + 1)
    new = len(table.response_sizes)
    target = np.array(
        [rng.choice([*np.flatnonzero(table.response_document == one), new]) for one in document]
    )
    leave = Steps(np.arange(n), table.cell_response[cell], table.cell_key[cell], -some, -some)
    return Changes(
        table,
        document,
        Steps.joined(leave, replace(leave, response=target, mentions=some, shared=some)),
    )


def assert_as_counted_anew(metric, changes):
    found = changed_counts(metric, changes)
    anew = changed_counts(replace(metric, changes=None), changes)
    for name in ("recall_numerator", "precision_numerator", "precision_denominator"):
        np.testing.assert_allclose(getattr(found, name), getattr(anew, name), atol=1e-12)


@aligning
@given(table=tables, seed=st.integers(0, 99))
def test_moves_in_small_tables(metric, table, seed):
    if len(table.cell_key):
        assert_as_counted_anew(metric, moves(table, np.random.default_rng(seed)))


@aligning
@pytest.mark.parametrize("seed", range(5))
def test_moves_among_entities_that_overlap_a_lot(metric, seed):
    rng = np.random.default_rng(seed)
    table = score(*synthesise(TANGLED, rng)).comparison.table
    assert_as_counted_anew(metric, moves(table, rng, n=300))


@aligning
@given(table=tables)
def test_prices_cover_every_similarity_and_add_up_to_the_best_alignment(metric, table):
    similarity = metric.similarity(table)
    best = priced(table, similarity)
    together = best.key_price[table.cell_key] + best.response_price[table.cell_response]
    assert (together >= similarity - 1e-12).all()
    prices = best.key_price.sum() + best.response_price.sum()
    assert prices == pytest.approx(metric.counts(table).total().recall_numerator.item())
    assert min(best.key_price.min(initial=0), best.response_price.min(initial=0)) >= 0


def test_a_change_without_steps_changes_nothing():
    table = score(*synthesise(TANGLED, np.random.default_rng(1))).comparison.table
    none = np.zeros(0, dtype=np.int64)
    changes = Changes(table, np.array([0, 1]), Steps(none, none, none, none, none))
    for metric in METRICS:
        counts = changed_counts(metric, changes)
        assert not counts.recall_numerator.any()
        assert not counts.precision_denominator.any()
