"""What errors cost: each alone, kinds together, and cells of the confusion table."""

from dataclasses import fields, replace
from functools import cache
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, preset, score
from corescore.analysis.error_table.facets import antecedents, confusion, term, types_by_kind
from corescore.analysis.error_table.query import QueryError, matching, parse
from corescore.analysis.error_table.rows import cost_table, error_rows, fix_gains
from corescore.analysis.error_table.table import error_table
from corescore.analysis.errors.classes import align
from corescore.analysis.errors.operations import KINDS, fixed, impact_table, parts_of
from corescore.analysis.errors.tables import ALL_KINDS, gain_table, operation_table
from corescore.counting.counts import MEASURES, Counts
from corescore.counting.policies import POLICY_VALUES
from corescore.metrics import BLANC_VARIANTS, METRICS, VARIANTS
from corescore.metrics.diagnostics import MENTION_DIAGNOSTICS
from tests.support.errors import partition, span_corpora
from tests.support.letters import scored
from tests.support.synthetic import SHARED_TASK, Shape, synthesise

# The gain of a fix is what scoring the response says in which only this is different --------------

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
    sides, alignment = (comparison.matching.key, comparison.matching.response), align(comparison)
    places = [
        list(zip(*(of.tolist() for of in (side.document, side.start, side.end)), strict=True))
        for side in sides
    ]
    key_entity, key_spans = sides[0].entity.tolist(), places[0]
    entity, spans = (dict(enumerate(of)) for of in (sides[1].entity.tolist(), places[1]))
    partner = {r: k for r, k in enumerate(alignment.key_mention.tolist()) if k >= 0}
    key, response = int(rows.key[row]), int(rows.response[row])
    new = 1 + max(entity.values(), default=0)

    def part(r):
        return key_entity[partner[r]], entity[r]

    def text_order(r):
        document, start, end = key_spans[partner[r]]
        return document, start, -end

    def largest(side, number):
        """The largest part of an entity of the key (0) or response (1), then the first."""
        members = {}
        for r in sorted(partner, key=text_order):
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
        spans[response] = key_spans[key] if alignment.altered[response] else spans[response]
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


@pytest.mark.long
@pytest.mark.parametrize("singletons", ["keep", "drop"])
@given(corpora=span_corpora(max_documents=2))
def test_the_gain_is_that_of_the_changed_response(singletons, corpora):
    assert_gains(corpora, singletons=singletons)


BLANC = st.sampled_from(POLICY_VALUES["blanc"])
OTHER_POLICIES = st.one_of(
    st.fixed_dictionaries({"singletons": st.sampled_from(POLICY_VALUES["singletons"])}),
    st.fixed_dictionaries({"match": st.sampled_from(["head", "partial", "lenient"])}),
    st.fixed_dictionaries({"blanc": BLANC, "repeats": st.sampled_from(POLICY_VALUES["repeats"])}),
    st.sampled_from(["perl", "coval", "ua", "scorch", "e2e", "stanza"]).map(preset),
)


@pytest.mark.long
@pytest.mark.slow
@settings(max_examples=150)
@given(corpora=span_corpora(max_documents=2), policies=OTHER_POLICIES)
def test_the_gain_is_that_of_the_changed_response_under_other_policies(policies, corpora):
    assert_gains(corpora, **{"metrics": METRICS, **policies})


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
    comparison = scored("a b c", "a b d | c d", repeats=repeats).comparison
    gains = fix_gains(comparison, error_rows(comparison))
    assert len(gains)
    assert np.isnan(gains).all()


def test_a_repetition_that_is_not_scored_gains_nothing():
    comparison = scored("a b c", "a b | b c").comparison
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
    assert cost_table(comparison, rows, METRICS[:1])["cost_conll"].isna().all()


# What each kind of error costs: subsets of kinds fixed, and the shares of the gap -----------------


LARGE = replace(SHARED_TASK, documents=80)
few = settings(max_examples=10)  # of 2^7 tables each
kinds_of_errors = st.sets(st.sampled_from(KINDS))


def impact(comparison, metrics=METRICS):
    """The columns of the impact table by metric, measure and kind, NaN where it has no row; those
    that are the same for every kind without the kinds, and how many errors there are of each."""
    table = impact_table(comparison, metrics)
    names = tuple(table["metric"].unique())
    every = pd.MultiIndex.from_product([names, MEASURES, KINDS])
    rows = table.set_index(["metric", "measure", "kind"]).reindex(every)
    shape = len(names), len(MEASURES), len(KINDS)
    found = {name: rows[name].to_numpy().reshape(shape) for name in rows}
    n_errors = found.pop("errors")[0, MEASURES.index("f1")]
    return SimpleNamespace(
        **found | {"score": found["score"][..., 0]}, metrics=names, n_errors=n_errors
    )


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


@given(corpora=span_corpora(), kinds=kinds_of_errors)
def test_any_kinds_are_mended_as_the_sets_say(corpora, kinds):
    key, response = corpora
    comparison = comparison_of(corpora)
    operations = operation_table(comparison)
    altered = operations[operations["kind"] == "span error"]
    partitions = []
    for document in key:
        rows = altered[altered["document"] == document.name]
        span_errors = {span: t for (span,), t in zip(rows.spans, rows.target, strict=True)}
        sides = (partition(document), partition(response[document.name]))
        partitions.append(mended_slowly(*sides, span_errors, kinds))
    assert_scored_alike(fixed(parts_of(comparison), kinds), key, partitions)


@given(corpora=span_corpora(), policy=st.sampled_from(["keep", "drop"]))
def test_no_kind_mended_is_the_response_and_all_are_the_key(corpora, policy):
    comparison = comparison_of(corpora, singletons=policy)
    perfect = comparison_of((corpora[0], corpora[0]), singletons=policy)
    parts = parts_of(comparison)
    for kinds, wanted in (((), comparison), (KINDS, perfect)):
        np.testing.assert_allclose(counts_of(fixed(parts, kinds)), counts_of(wanted.table))


@pytest.mark.slow
@given(corpora=span_corpora(), blanc=st.sampled_from(sorted(BLANC_VARIANTS)))
@few
def test_shares_add_up_to_the_gap_and_what_fixing_a_kind_alone_must_do(corpora, blanc):
    """A kind without errors costs nothing; fixing missing ones costs no recall, extra ones no
    precision."""
    result = score(*corpora, blanc=blanc)
    found = impact(result.comparison, result.metrics)
    gap = found.cumulative[..., -1] - found.score
    np.testing.assert_allclose(found.share.sum(axis=-1), gap, atol=1e-12)
    gain = found.alone - found.score[..., None]
    for of in (found.share, gain):
        np.testing.assert_allclose(np.nan_to_num(of[..., found.n_errors == 0]), 0, atol=1e-12)
    for at in (found.metrics.index(metric) for metric in ("muc", "bcub", "lea")):
        for of, measure in (("missing", "recall"), ("extra", "precision")):
            kinds = [KINDS.index(f"{of} {what}") for what in ("mention", "entity")]
            assert (gain[at, MEASURES.index(measure), kinds] >= -1e-12).all()


def test_in_a_large_corpus_shares_add_up_to_the_gap_and_conll_is_the_mean_of_its_three():
    found = impact(comparison_of(synthesise(LARGE, np.random.default_rng(3))))
    known = ~np.isnan(found.score)
    np.testing.assert_allclose((found.share.sum(axis=-1) + found.score)[known], 1, atol=1e-12)
    rows = [found.metrics.index(name) for name in ("muc", "bcub", "ceafe")]
    f1 = MEASURES.index("f1")
    for values in (found.alone, found.all_but, found.cumulative, found.share):
        np.testing.assert_allclose(values[-1, f1], values[rows, f1].mean(axis=0), atol=1e-12)
    assert np.isnan(found.score[-1, :f1]).all()


def test_a_share_is_what_the_kind_adds_on_average_over_all_orders():
    """Missing, extra, conflated and divided."""
    comparison = scored("a b c | d", "a d | b e").comparison
    parts, bcub = parts_of(comparison), METRICS[1]

    @cache
    def f1(kinds):
        return bcub.score(bcub.counts(fixed(parts, kinds)).total(), empty=0).f1.item()

    table = impact_table(comparison)
    assert len(table) == (len(METRICS) * 3 + 1) * 7
    rows = table.query("metric == 'bcub' and measure == 'f1'").set_index("kind")
    counts = operation_table(comparison)["kind"].value_counts()
    for kind, row in rows.iterrows():
        before = [frozenset(order[: order.index(kind)]) for order in permutations(KINDS)]
        gains = [f1(kinds | {kind}) - f1(kinds) for kinds in before]
        assert row["share"] == pytest.approx(np.mean(gains), abs=1e-12)
        assert row["errors"] == counts[kind]


@pytest.mark.parametrize(
    "gain, wanted",
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


# Confusion tables: each cell counts the rows that its query finds ---------------------------------

TABLE = pd.DataFrame(
    {
        "type": ["personal", "personal", "proper", "proper"],
        "kind": ["span error, divided entity", "", "divided entity", "divided entity"],
        "class": ["span error", "unlinked", "correct", "correct"],
        "given_type": ["proper", "", "", "proper"],
        "given_start": pd.array([1, None, None, 4], dtype="Int64"),
        "given_right": [False, False, False, True],
        "antecedent_type": ["personal", "proper", "", "proper"],
        "antecedent_start": pd.array([1, 2, None, 3], dtype="Int64"),
        "cost_conll": [0.5, 0.25, 1.0, -0.5],
        "cost_own": [np.nan, 1.0, 2.0, 3.0],
    }
)


def assert_cells_count_what_their_queries_find(table, found):
    for row in found.counts.index:
        for column in found.counts.columns:
            is_one = matching(parse(found.query(row, column)), table)
            assert is_one.sum() == found.counts.loc[row, column]
            costs = table["cost_conll"].to_numpy()[is_one]
            assert found.gains.loc[row, column] == pytest.approx(costs.sum(), nan_ok=True)


def test_a_mention_with_two_kinds_of_errors_counts_with_both():
    found = types_by_kind(TABLE)
    assert found.counts.columns.tolist() == ["span error", "divided entity", "none"]
    assert found.counts.T.to_dict("list") == {"personal": [1, 1, 1], "proper": [0, 2, 0]}
    assert found.gains.T.to_dict("list") == {"personal": [0.5, 0.5, 0.25], "proper": [0, 0.5, 0]}
    assert_cells_count_what_their_queries_find(TABLE, found)


def test_an_antecedent_that_is_right_is_no_confusion():
    found = antecedents(TABLE)
    assert found.counts.T.to_dict("list") == {"proper": [1, 0, 0], "none": [0, 1, 1]}
    assert found.counts.columns.tolist() == ["personal", "proper", "none"]
    assert_cells_count_what_their_queries_find(TABLE, found)


def test_rows_can_be_those_of_a_query():
    found = confusion(TABLE, "type", "kind", within="class:correct or class:unlinked")
    assert found.counts.to_numpy().sum() == 3
    assert_cells_count_what_their_queries_find(TABLE, found)
    assert types_by_kind(TABLE.iloc[:0]).counts.shape == (0, 0)
    with pytest.raises(QueryError):
        confusion(TABLE, "type", "kind", within="type:")


def test_a_gain_that_a_metric_cannot_tell_is_unknown_in_its_cell_alone():
    gains = types_by_kind(TABLE, metric="own").gains
    assert gains.loc["personal"].isna().tolist() == [True, True, False]
    assert gains.loc["proper"].tolist() == [0, 5, 0]


@given(span_corpora())
def test_every_cell_counts_the_rows_of_its_query(corpora):
    table = error_table(score(*corpora).comparison)
    table = table.assign(cost_conll=np.arange(len(table)) / 8)
    for two in (("class", "kind"), ("doc", "given"), ("genre", "class")):
        assert_cells_count_what_their_queries_find(table, confusion(table, *two))


@pytest.mark.parametrize(
    "name, value, written",
    [
        ("doc", "a b", 'doc:"a b"'),
        ("doc", 'x"y', 'doc:"x\\"y"'),
        ("doc", "none", 'doc:"none"'),
        ("doc", "a*", 'doc:"a*"'),
        ("class", "span error", "class:span-error"),
        ("entity", 3, "entity:3"),
        ("given", None, "given:none"),
    ],
)
def test_terms_are_written_so_that_they_are_parsed_to_the_same(name, value, written):
    assert term(name, value) == written
    assert str(parse(written)) == written
