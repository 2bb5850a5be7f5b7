"""What each kind of error costs: subsets of kinds fixed, and the shares of the gap."""

from dataclasses import fields, replace
from functools import cache
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, read, score
from corescore.analysis.errors.impact import MEASURES, fixed, impact
from corescore.analysis.errors.operations import KINDS, parts_of
from corescore.analysis.errors.tables import ALL_KINDS, gain_table, impact_table, operation_table
from corescore.counting.counts import Counts
from corescore.metrics import BLANC_VARIANTS, METRICS
from tests.support.damaged import carried_out, partition, span_corpora
from tests.support.samples import RESPONSES, first_files
from tests.support.strategies import document_of
from tests.support.synthetic import SHARED_TASK, synthesise

SAMPLE = first_files(4)

LARGE = replace(SHARED_TASK, documents=80)
few = settings(max_examples=10)  # of 2^7 tables each
kinds_of_errors = st.sets(st.sampled_from(KINDS))


def comparison_of(corpora, **policies):
    return score(*corpora, **policies).comparison


def counts_of(table):
    """All counts of the six, by document."""
    counts = [metric.counts(table) for metric in METRICS]
    return np.hstack([getattr(each, entry.name) for each in counts for entry in fields(Counts)])


def assert_scored_alike(table, key, partitions):
    """The table is that of the key against these partitions."""
    response = Corpus(
        tuple(
            Document.of_entities(document.name, entities, words=document.words)
            for document, entities in zip(key, partitions, strict=True)
        )
    )
    wanted = comparison_of((key, response)).table
    np.testing.assert_allclose(counts_of(table), counts_of(wanted), rtol=1e-12)


def mended_slowly(key, response, span_errors, kinds):
    """The partition after fixing these kinds, by sets, straight from the docstring of `fixed`."""
    owner_k = {span: i for i, entity in enumerate(key) for span in entity}
    owner_r = {span: j for j, entity in enumerate(response) for span in entity}
    stands_for = {r: span_errors.get(r, r) for r in owner_r}
    parts = {}
    for span, j in owner_r.items():
        if stands_for[span] in owner_k:
            parts.setdefault((owner_k[stands_for[span]], j), []).append(span)

    def size_and_place(part):
        first = min((stands_for[s][0], -stands_for[s][1]) for s in parts[part])
        return -len(parts[part]), first

    def largest(side, entity):
        return min((p for p in parts if p[side] == entity), key=size_and_place, default=None)

    def place(part):
        if "divided entity" in kinds:
            part = largest(0, part[0])
        leaves = "conflated entities" in kinds and part != largest(1, part[1])
        return part if leaves else ("response", part[1])

    made = {}
    for (i, j), members in parts.items():
        for span in members:
            fixes = span not in span_errors or "span error" in kinds
            made.setdefault(place((i, j)), set()).add(stands_for[span] if fixes else span)
    for span, j in owner_r.items():
        if stands_for[span] not in owner_k:
            kind = "extra mention" if largest(1, j) else "extra entity"
            where = place(largest(1, j)) if largest(1, j) else ("response", j)
            if kind not in kinds:
                made.setdefault(where, set()).add(span)
    for span, i in owner_k.items():
        if span not in stands_for.values():
            kind = "missing mention" if largest(0, i) else "missing entity"
            where = place(largest(0, i)) if largest(0, i) else ("key", i)
            if kind in kinds:
                made.setdefault(where, set()).add(span)
    return list(made.values())


def operations_of(comparison, document):
    table = operation_table(comparison)
    return table[table["document"] == document.name]


@given(corpora=span_corpora(), kinds=kinds_of_errors)
def test_any_kinds_are_mended_as_the_sets_say(corpora, kinds):
    key, response = corpora
    comparison = comparison_of(corpora)
    partitions = []
    for document in key:
        rows = operations_of(comparison, document)
        altered = rows[rows["kind"] == "span error"]
        span_errors = {span: t for (span,), t in zip(altered.spans, altered.target, strict=True)}
        sides = (partition(document), partition(response[document.name]))
        partitions.append(mended_slowly(*sides, span_errors, kinds))
    assert_scored_alike(fixed(parts_of(comparison), kinds), key, partitions)


@given(corpora=span_corpora(), n_kinds=st.integers(0, len(KINDS)))
def test_the_first_kinds_are_mended_as_their_operations_do_when_carried_out(corpora, n_kinds):
    key, response = corpora
    comparison = comparison_of(corpora)
    kinds = KINDS[:n_kinds]
    partitions = []
    for document in key:
        rows = operations_of(comparison, document)
        rows = rows[rows["kind"].isin(kinds)]
        partitions.append(carried_out(response[document.name], rows))
    assert_scored_alike(fixed(parts_of(comparison), kinds), key, partitions)


@given(corpora=span_corpora(), policy=st.sampled_from(["keep", "drop"]))
def test_no_kind_mended_is_the_response_and_all_are_the_key(corpora, policy):
    comparison = comparison_of(corpora, singletons=policy)
    perfect = comparison_of((corpora[0], corpora[0]), singletons=policy)
    parts = parts_of(comparison)
    for kinds, wanted in (((), comparison), (KINDS, perfect)):
        np.testing.assert_allclose(counts_of(fixed(parts, kinds)), counts_of(wanted.table))


@pytest.mark.parametrize("name", RESPONSES)
def test_on_the_samples_all_kinds_mended_score_1_and_none_what_the_response_scores(name):
    result = score(read(SAMPLE / "key.conll"), read(SAMPLE / f"{name}.conll"))
    found = impact(result.comparison)
    assert found.metrics == (*(metric.id for metric in METRICS), "conll")
    for metric, values in zip(found.metrics, found.score, strict=True):
        wanted = [getattr(result[metric], measure) for measure in MEASURES]
        np.testing.assert_allclose(values, wanted, rtol=1e-12)
    last = found.cumulative[..., -1]
    np.testing.assert_allclose(last[~np.isnan(last)], 1, rtol=1e-12)


@pytest.mark.slow
@given(corpora=span_corpora(), blanc=st.sampled_from(sorted(BLANC_VARIANTS)))
@few
def test_shares_add_up_to_the_gap_between_the_score_and_that_of_the_key(corpora, blanc):
    result = score(*corpora, blanc=blanc)
    found = impact(result.comparison, result.metrics)
    gap = found.cumulative[..., -1] - found.score
    np.testing.assert_allclose(found.share.sum(axis=-1), gap, atol=1e-12)


def test_shares_add_up_to_the_gap_in_a_large_corpus():
    found = impact(comparison_of(synthesise(LARGE, np.random.default_rng(3))))
    known = ~np.isnan(found.score)
    np.testing.assert_allclose((found.share.sum(axis=-1) + found.score)[known], 1, atol=1e-12)


def test_a_share_is_what_the_kind_adds_on_average_over_all_orders():
    """Key {0 1 2} {3}, response {0 3} {1 4}: missing, extra, conflated and divided."""
    entities = ([(0, 1, 2), (3,)], [(0, 3), (1, 4)])
    corpora = [Corpus((document_of(side),)) for side in entities]
    parts, bcub = parts_of(comparison_of(corpora)), METRICS[1]

    @cache
    def f1(kinds):
        return bcub.score(bcub.counts(fixed(parts, kinds)).total(), empty=0).f1.item()

    shares = impact(comparison_of(corpora)).share[1, MEASURES.index("f1")]
    for kind, share in zip(KINDS, shares, strict=True):
        before = [frozenset(order[: order.index(kind)]) for order in permutations(KINDS)]
        gains = [f1(kinds | {kind}) - f1(kinds) for kinds in before]
        assert share == pytest.approx(np.mean(gains), abs=1e-12)


@pytest.mark.slow
@given(span_corpora())
@few
def test_a_kind_without_errors_costs_nothing(corpora):
    found = impact(comparison_of(corpora))
    absent = found.n_errors == 0
    for after in (found.share[..., absent], (found.alone - found.score[..., None])[..., absent]):
        np.testing.assert_allclose(np.nan_to_num(after), 0, atol=1e-12)


@pytest.mark.slow
@given(span_corpora())
@few
def test_mending_only_missing_ones_never_costs_recall_and_only_extra_ones_never_precision(corpora):
    found = impact(comparison_of(corpora))
    gain = found.alone - found.score[..., None]
    for metric in ("muc", "bcub", "lea"):
        row = gain[found.metrics.index(metric)]
        for kind in ("missing mention", "missing entity"):
            assert row[MEASURES.index("recall"), KINDS.index(kind)] >= -1e-12
        for kind in ("extra mention", "extra entity"):
            assert row[MEASURES.index("precision"), KINDS.index(kind)] >= -1e-12


def test_conll_is_the_mean_of_its_three():
    found = impact(comparison_of(synthesise(LARGE, np.random.default_rng(4))))
    rows = [found.metrics.index(name) for name in ("muc", "bcub", "ceafe")]
    f1 = MEASURES.index("f1")
    for values in (found.alone, found.all_but, found.cumulative, found.share):
        np.testing.assert_allclose(values[-1, f1], values[rows, f1].mean(axis=0), atol=1e-12)
    assert np.isnan(found.score[-1, :f1]).all()


def test_the_impact_table_has_a_row_for_each_metric_measure_and_kind():
    comparison = comparison_of([read(SAMPLE / f"{name}.conll") for name in ("key", "greedy")])
    table, found = impact_table(comparison), impact(comparison)
    assert len(table) == (len(METRICS) * 3 + 1) * 7
    row = table.set_index(["metric", "measure", "kind"]).loc[("lea", "f1", "divided entity")]
    at = found.metrics.index("lea"), MEASURES.index("f1"), KINDS.index("divided entity")
    assert row["share"] == found.share[at]
    assert row["errors"] == (operation_table(comparison)["kind"] == "divided entity").sum()


@pytest.mark.parametrize(
    ("gain", "wanted"),
    [("alone", [10, 20]), ("in_order", [15, 45]), ("last", [35, 25]), ("share", [24, 36])],
)
def test_what_a_gain_is_measured_from(gain, wanted):
    """From 20%: the first kind alone brings 30, the second 40; the first, then the second 35 and
    80; all but the first 45, all but the second 55."""
    columns = {"score": [20, 20], "alone": [30, 40], "cumulative": [35, 80]}
    columns |= {"all_but": [45, 55], "share": [24, 36]}
    rows = pd.DataFrame({"metric": "lea", "measure": "f1", "kind": ["x", "y"], **columns})
    table = gain_table(rows, gain=gain)
    assert table["lea"].tolist() == [*wanted, 60]
    assert list(table.index) == ["x", "y", ALL_KINDS]
