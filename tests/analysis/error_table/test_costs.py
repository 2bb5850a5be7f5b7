"""The gain of a fix is what scoring the response says in which only this is different."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, preset, score
from corescore.analysis.error_table.costs import cost_table, fix_gains
from corescore.analysis.error_table.rows import error_rows
from corescore.analysis.errors.classes import align
from corescore.counting.policies import POLICY_VALUES
from corescore.metrics import METRICS, VARIANTS
from corescore.metrics.diagnostics import MENTION_DIAGNOSTICS
from tests.support.damaged import span_corpora
from tests.support.strategies import document_of
from tests.support.synthetic import Shape, synthesise

EVERY = (*METRICS, *VARIANTS)
RNG = np.random.default_rng(7)


def assert_gains(corpora, metrics=EVERY, **policies):
    """Every row's gain, under every metric, is that of the response that really is changed."""
    result = score(*corpora, metrics=metrics, **policies)
    comparison, singletons = result.comparison, result.policies.singletons
    rows = error_rows(comparison, singletons=singletons)
    gains = fix_gains(comparison, rows, result.metrics, singletons=singletons)
    assert gains.shape == (len(rows), len(result.metrics))
    now = np.array([result[metric.id].f1 for metric in result.metrics])
    for row, gain in enumerate(gains):
        changed = Corpus(tuple(really_changed(comparison, rows, row)))
        after = score(corpora[0], changed, metrics=metrics, **policies)
        wanted = np.array([after[metric.id].f1 for metric in result.metrics]) - now
        np.testing.assert_allclose(gain, wanted, atol=1e-12)


def really_changed(comparison, rows, row):
    """The documents of the response after the fix of a row, straight from what `fix_gains` says."""
    matching = comparison.matching
    entity, spans = (dict(enumerate(values)) for values in scored(matching.response))
    key_entity = matching.key.entity.tolist()
    key_spans = scored(matching.key)[1]
    partner = {r: k for r, k in enumerate(align(comparison).key_mention.tolist()) if k >= 0}
    key, response = int(rows.key[row]), int(rows.response[row])
    new = 1 + max(entity.values(), default=0)

    def part(r):
        return key_entity[partner[r]], entity[r]

    def largest(side, number):
        """The largest part of an entity of the key (0) or response (1), then the first."""
        members = {}
        for r in sorted(partner, key=lambda r: text_order(key_spans[partner[r]])):
            if part(r)[side] == number:
                members.setdefault(part(r), []).append(r)
        return max(members.values(), key=len, default=[])

    if key < 0:
        del entity[response]
    elif response < 0:
        gathers = largest(0, key_entity[key])
        entity[-1], spans[-1] = entity[gathers[0]] if gathers else new, key_spans[key]
    else:
        own, gathers = part(response), part(largest(0, key_entity[key])[0])
        spans[response] = key_spans[key] if is_altered(comparison, response) else spans[response]
        if own != gathers:
            entity[response] = gathers[1]
        elif own != part(largest(1, entity[response])[0]):
            entity |= dict.fromkeys([r for r in partner if part(r) == own], new)
    for number, document in enumerate(comparison.response):
        yield Document.of_rows(
            document.name,
            [(*spans[r][1:], of) for r, of in entity.items() if spans[r][0] == number],
            words=document.words,
        )


def scored(side):
    columns = (side.document, side.start, side.end)
    return side.entity.tolist(), list(zip(*(c.tolist() for c in columns), strict=True))


def text_order(span):
    document, start, end = span
    return document, start, -end


def is_altered(comparison, response):
    return bool(align(comparison).altered[response])


OFTEN = ("keep", "drop")  # of the others the slow tests ask


@pytest.mark.long
@pytest.mark.parametrize(
    "singletons",
    [
        value if value in OFTEN else pytest.param(value, marks=pytest.mark.slow)
        for value in POLICY_VALUES["singletons"]
    ],
)
@given(corpora=span_corpora(max_documents=2))
def test_the_gain_is_that_of_the_changed_response_whatever_is_done_with_singletons(
    singletons, corpora
):
    assert_gains(corpora, singletons=singletons)


@pytest.mark.slow
@pytest.mark.parametrize("match", ["head", "partial", "lenient"])
@given(corpora=span_corpora(max_documents=2))
def test_the_gain_is_that_of_the_changed_response_however_mentions_match(match, corpora):
    assert_gains(corpora, METRICS, match=match)


@pytest.mark.slow
@pytest.mark.parametrize("blanc", POLICY_VALUES["blanc"])
@given(corpora=span_corpora(max_documents=2), repeats=st.sampled_from(POLICY_VALUES["repeats"]))
def test_the_gain_is_that_of_the_changed_response_under_every_blanc(blanc, corpora, repeats):
    assert_gains(corpora, METRICS, blanc=blanc, repeats=repeats)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["perl", "coval", "ua", "scorch", "e2e", "stanza"])
@given(corpora=span_corpora(max_documents=2))
def test_the_gain_is_that_of_the_changed_response_under_presets(name, corpora):
    assert_gains(corpora, **preset(name))


@pytest.mark.slow
def test_the_gain_is_that_of_the_changed_response_in_larger_documents():
    shape = Shape(documents=3, words=300, mentions=80, entities=20)
    assert_gains(synthesise(shape, np.random.default_rng(5)), METRICS)


def test_a_metric_that_looks_at_the_mentions_themselves_has_no_gains():
    corpora = synthesise(Shape(documents=1, words=60, mentions=20, entities=5), RNG)
    result = score(*corpora, metrics=[*METRICS, *MENTION_DIAGNOSTICS])
    gains = fix_gains(result.comparison, error_rows(result.comparison), result.metrics)
    known = ~np.isnan(gains)
    for column, metric in zip(known.T, result.metrics, strict=True):
        assert column.all() if metric.of_mentions is None else not column.any()


@pytest.mark.parametrize("repeats", ["all", "listed", "reference"])
def test_no_gains_are_told_where_a_mention_that_is_listed_twice_counts_twice(repeats):
    key = Corpus((document_of([{0, 1, 2}]),))
    response = Corpus((document_of([{0, 1, 3}, {2, 3}]),))
    comparison = score(key, response, repeats=repeats).comparison
    gains = fix_gains(comparison, error_rows(comparison))
    assert len(gains)
    assert np.isnan(gains).all()


def test_a_repetition_that_is_not_scored_gains_nothing():
    key = Corpus((document_of([{0, 1, 2}]),))
    response = Corpus((document_of([{0, 1}, {1, 2}]),))
    comparison = score(key, response).comparison
    rows = error_rows(comparison)
    gains = fix_gains(comparison, rows)
    assert (gains[rows.are("duplicated")] == 0).all()
    assert rows.are("duplicated").sum() == 1
    assert gains[rows.are("unlinked") | rows.of_kind("divided entity")].max() > 0


def test_costs_are_gains_in_points_and_conll_is_the_mean_of_its_three():
    comparison = score(*synthesise(Shape(2, 60, 20, 6), np.random.default_rng(3))).comparison
    rows = error_rows(comparison)
    table = cost_table(comparison, rows)
    gains = 100 * fix_gains(comparison, rows, METRICS)
    np.testing.assert_allclose(table[[f"cost_{m.id}" for m in METRICS]], gains)
    members = table[["cost_muc", "cost_bcub", "cost_ceafe"]]
    np.testing.assert_allclose(table["cost_conll"], members.mean(axis="columns"))
    assert np.abs(table["cost_conll"]).max() > 0


def test_without_a_metric_of_conll_there_is_no_cost_in_conll():
    comparison = score(*synthesise(Shape(1, 60, 20, 6), np.random.default_rng(3))).comparison
    table = cost_table(comparison, error_rows(comparison), METRICS[:1])
    assert table["cost_conll"].isna().all()
