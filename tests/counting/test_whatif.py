"""What a change of the response does to the counts is what counting its document again says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import score
from corescore.counting import whatif
from corescore.counting.whatif import Changes, Steps
from corescore.metrics import BLANC_VARIANTS, METRICS, VARIANTS
from corescore.metrics.diagnostics import LINKS, MENTIONS, RAND
from corescore.metrics.metric import changed_counts
from tests.support.strategies import corpora_of, partition_pairs
from tests.support.synthetic import Shape, synthesise

EVERY = (*METRICS, MENTIONS, LINKS, RAND, *BLANC_VARIANTS.values())
TANGLED = Shape(documents=2, words=500, mentions=90, entities=14, moved=0.6, split=0.3, missing=0.1)
tables = st.lists(partition_pairs(12, 6), min_size=1, max_size=2).map(
    lambda pairs: score(*corpora_of(pairs)).comparison.table
)


def moves(table, rng, n=40):
    """Some mentions of a cell leave for another response entity of the document, or a new one; in
    each third change they leave the response."""
    cell = rng.integers(0, len(table.cell_key), n)
    document, some = table.cell_document[cell], rng.integers(1, table.cell_sizes[cell] + 1)
    new = len(table.response_sizes)
    target = np.array(
        [rng.choice([*np.flatnonzero(table.response_document == one), new]) for one in document]
    )
    leave = Steps(np.arange(n), table.cell_response[cell], table.cell_key[cell], -some, -some)
    join = replace(leave, response=target, mentions=some, shared=some)
    return Changes(table, document, Steps.joined(leave, join.rows(np.arange(n) % 3 > 0)))


def assert_as_counted_again(changes, metrics=EVERY):
    whole = [replace(metric, recount="documents", similarity=None) for metric in metrics]
    both = (changed_counts(metrics_, changes) for metrics_ in (metrics, whole))
    for found, anew in zip(*both, strict=True):
        for name in ("recall_numerator", "precision_numerator", "precision_denominator"):
            np.testing.assert_allclose(getattr(found, name), getattr(anew, name), atol=1e-12)


@given(table=tables, seed=st.integers(0, 99))
def test_moves_in_small_tables(table, seed):
    if len(table.cell_key):
        assert_as_counted_again(moves(table, np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(5))
def test_moves_among_entities_that_overlap_a_lot(seed):
    rng = np.random.default_rng(seed)
    table = score(*synthesise(TANGLED, rng)).comparison.table
    assert_as_counted_again(moves(table, rng, n=300))


def test_changes_are_counted_alike_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(3)
    changes = moves(score(*synthesise(TANGLED, rng)).comparison.table, rng, n=100)
    metrics = (*EVERY, *VARIANTS)
    at_once = changed_counts(metrics, changes)
    monkeypatch.setattr(whatif, "MOST_CELLS", 50)
    for one, other in zip(at_once, changed_counts(metrics, changes), strict=True):
        np.testing.assert_allclose(one.recall_numerator, other.recall_numerator, atol=1e-12)
        np.testing.assert_allclose(one.precision_numerator, other.precision_numerator, atol=1e-12)


def test_a_change_without_steps_changes_nothing():
    table = score(*synthesise(TANGLED, np.random.default_rng(1))).comparison.table
    none = np.zeros(0, dtype=np.int64)
    changes = Changes(table, np.array([0, 1]), Steps(none, none, none, none, none))
    for counts in changed_counts((*EVERY, *VARIANTS), changes):
        assert not counts.recall_numerator.any()
        assert not counts.precision_denominator.any()
