"""Marginal values equal scoring again without the mention, to the last digit that counts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from corescore import score
from corescore.analysis.credit import scores_without
from corescore.metrics import BLANC_VARIANTS, METRICS
from tests.support.strategies import corpora_of, pair_corpora

EVERY = (*METRICS, *list(BLANC_VARIANTS.values())[1:])
every_metric = pytest.mark.parametrize("metric", EVERY, ids=lambda m: f"{m.id} {m.paper[:11]}")
RATIOS = ("recall", "precision", "f1")


def total(pairs, metric):
    table = score(*corpora_of(pairs)).comparison.table
    return metric.score(metric.counts(table).total(), empty=0).row(0)


def changed(pairs, number, mention):
    """The pairs after a mention of document `number` left its response entity."""
    key, response = pairs[number]
    rest = [entity - {mention} for entity in response if entity != {mention}]
    return [*pairs[:number], (key, rest), *pairs[number + 1 :]]


@pytest.mark.slow
@every_metric
@given(pairs=pair_corpora(max_documents=2))
def test_without_each_mention_the_score_is_that_of_the_rest(metric, pairs):
    comparison = score(*corpora_of(pairs)).comparison
    own = comparison.precision.own
    every = scores_without(comparison, metric)
    for row, (number, mention) in enumerate(zip(own.document, own.start.tolist(), strict=True)):
        expected = total(changed(pairs, number, mention), metric)
        alone = scores_without(comparison, metric, np.array([row])).row(0)
        for ratio in RATIOS:
            wanted = pytest.approx(getattr(expected, ratio), abs=1e-12)
            assert getattr(every, ratio)[row] == wanted
            assert getattr(alone, ratio) == wanted


@pytest.mark.parametrize("key", [[{0}, {1}], [{0}, {0}, {1}], [{0, 1}, {0}]])
@pytest.mark.parametrize("response", [[{0}, {0}, {1}], [{0, 1}, {0}, {1}], [{0, 1}, {0, 2}]])
def test_repeats_that_are_scored_as_they_stand_count_with_all_that_list_them(key, response):
    comparison = score(*corpora_of([(key, response)]), repeats="all").comparison
    for metric in METRICS:
        found, whole = (
            scores_without(comparison, m)
            for m in (metric, replace(metric, recount="documents", similarity=None))
        )
        for ratio in RATIOS:
            np.testing.assert_allclose(getattr(found, ratio), getattr(whole, ratio), atol=1e-12)


def test_a_mention_of_several_entities_leaves_all_its_cells():
    """Key {a b} {a c}: where repeats are scored as they stand, a is shared with both."""
    key, rest = [{0, 1}, {0, 2}], [{1, 2}]
    corpora, without = (corpora_of([(key, response)]) for response in ([{0, 1, 2}], rest))
    comparison = score(*corpora, repeats="all").comparison
    for metric in METRICS:
        table = score(*without, repeats="all").comparison.table
        wanted = metric.score(metric.counts(table).total(), empty=0).row(0)
        for ratio in RATIOS:
            found = getattr(scores_without(comparison, metric), ratio)[0]
            assert found == pytest.approx(getattr(wanted, ratio), abs=1e-12)
