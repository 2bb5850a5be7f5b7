"""Marginal values equal scoring again without the mention, to the last digit that counts."""

import pytest
from hypothesis import given

from corescore import score
from corescore.analysis.credit.marginal import (
    score_without,
    scores_without_each,
)
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
    every = scores_without_each(comparison, metric)
    for row, (number, mention) in enumerate(zip(own.document, own.start.tolist(), strict=True)):
        expected = total(changed(pairs, number, mention), metric)
        alone = score_without(comparison, metric, row)
        for ratio in RATIOS:
            wanted = pytest.approx(getattr(expected, ratio), abs=1e-12)
            assert getattr(every, ratio)[row] == wanted
            assert getattr(alone, ratio) == wanted


def test_four_of_the_six_have_closed_forms():
    closed = {metric.id for metric in METRICS if metric.marginal}
    assert closed == {"muc", "bcub", "blanc", "lea"}
