"""Credit: units add up to the counts, and a marginal value is a score without the mention."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import PolicyError, score
from corescore.analysis.credit import (
    RULES,
    credit_table,
    document_mask,
    mention_credit,
    non_coreference_links_between,
    non_coreference_links_of,
    scores_without,
    unit_credit,
)
from corescore.corpus.documents import Attributes, Corpus, Document
from corescore.counting.counts import MEASURES
from corescore.metrics import BLANC_VARIANTS, METRICS
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    SELF_LINK,
    SPANNING_LINK,
    Metric,
    Unit,
)
from corescore.metrics.variants import lea_weighted
from tests.support.letters import scored
from tests.support.strategies import corpora_of, pair_corpora

# Credit: units add up to what the counts say, however they are rolled up --------------------------

TELLING = tuple(m for m in (*METRICS, *list(BLANC_VARIANTS.values())[1:]) if m.credit)
every_metric = pytest.mark.parametrize("metric", TELLING)
every_side = pytest.mark.parametrize("side", ["recall", "precision"])


def comparison_of(pairs):
    return score(*corpora_of(pairs)).comparison


def counts_of(comparison, metric, side, part):
    """(numerators, denominators) of each document."""
    counts = metric.counts(comparison.table).part(part)
    names = (f"{side}_numerator", f"{side}_denominator")
    return tuple(getattr(counts, name)[:, 0] for name in names)


@every_metric
@every_side
@given(pairs=pair_corpora())
def test_units_and_mentions_of_each_document_add_up_to_its_counts(metric, side, pairs):
    comparison = comparison_of(pairs)
    documents = comparison.view(side).own.document
    spread = mention_credit(comparison, metric, side=side)
    for number in range(len(pairs)):
        only = np.arange(len(pairs)) == number
        listed = unit_credit(comparison, metric, side=side, documents=only)
        for part in {unit.part for unit in listed}:
            wanted = counts_of(comparison, metric, side, part)
            for name, whole in zip(("credit", "possible"), wanted, strict=True):
                of_units = [getattr(unit, name) for unit in listed if unit.part == part]
                of_mentions = [
                    getattr(unit, name)[documents == number] for unit in spread if unit.part == part
                ]
                for values in (of_units, of_mentions):
                    assert np.concatenate(values).sum() == pytest.approx(whole[number], abs=1e-12)


N_UNITS = {
    SELF_LINK: lambda n: n,
    ALIGNED_MENTION: lambda n: n,
    COREFERENCE_LINK: lambda n: n * (n - 1) // 2,
    SPANNING_LINK: lambda n: n - 1,
}


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("shared_only", [False, True])
@settings(max_examples=20)
@given(pairs=pair_corpora(), seed=st.integers(0, 99))
def test_a_cell_has_as_many_units_as_its_kind_says(kind, shared_only, pairs, seed):
    comparison = comparison_of(pairs)
    table = comparison.table
    metric = metric_crediting(kind, table, seed, shared_only=shared_only)
    (unit,) = metric.credit(table)
    (spread,) = mention_credit(comparison, metric, side="recall")
    documents = comparison.recall.own.document
    for number in range(len(pairs)):  # spread and listed alike
        only = np.arange(len(pairs)) == number
        (listed,) = unit_credit(comparison, metric, side="recall", documents=only)
        for name in ("credit", "possible"):
            whole = getattr(spread, name)[documents == number].sum()
            assert getattr(listed, name).sum() == pytest.approx(whole, abs=1e-9)
    if kind in N_UNITS and not shared_only:
        for numbers, rates, found in (
            (table.cell_sizes, unit.recall_credit, spread.credit),
            (table.key_sizes, unit.recall_possible, spread.possible),
        ):
            assert found.sum() == pytest.approx((N_UNITS[kind](numbers) * rates).sum(), abs=1e-9)


def metric_crediting(kind, table, seed, *, shared_only=False):
    """A metric whose units of this kind earn something else in every cell and entity."""
    rng = np.random.default_rng(seed)
    cells, entities = len(table.cell_sizes), (len(table.key_sizes), len(table.response_sizes))
    rates = (rng.random(cells), rng.random(entities[0]), rng.random(cells), rng.random(entities[1]))
    unit = Unit(kind, *rates, shared_only=shared_only)
    return Metric("mine", "Mine", "unit", "paper", METRICS[0].counts, credit=lambda table: (unit,))


def test_every_unit_kind_has_a_rule_and_what_has_none_is_refused():
    comparison = scored("a b", "a b").comparison
    every = document_mask(comparison, None)
    kinds = {unit.kind for metric in TELLING for unit in metric.credit(comparison.table)}
    assert kinds == set(RULES)
    odd = metric_crediting("odd link", comparison.table, 0)
    refused = pytest.raises(PolicyError, match="kind of unit is 'odd link'; expected one of: self-")
    with refused:
        mention_credit(comparison, odd, side="recall")
    with refused:
        unit_credit(comparison, odd, side="recall", documents=every)
    silent = Metric("mine", "Mine", "unit", "paper", METRICS[0].counts)
    with pytest.raises(PolicyError, match="'mine' does not define credit"):
        mention_credit(comparison, silent, side="recall")
    with pytest.raises(PolicyError, match="no document 'x'"):
        document_mask(comparison, ["x"])
    with pytest.raises(PolicyError, match="'muc' credits no non-coreference links"):
        non_coreference_links_of(comparison, METRICS[0], 0, side="recall")


def test_one_document_may_be_named_by_itself():
    result = score(*corpora_of([([{1, 2}], [{1, 2}]), ([{1, 2, 3}], [{1, 2}])]))
    one, listed = (result.credit("lea", documents=names) for names in ("d1", ["d1"]))
    assert one.equals(listed)


@given(pairs=pair_corpora(max_documents=1))
def test_b_cubed_credits_each_link_twice_the_share_of_a_mention(pairs):
    key, response = pairs[0]
    comparison = comparison_of(pairs)
    links = {
        frozenset((a, b)): 2 / len(entity) * any({a, b} <= r for r in response)
        for entity in key
        for a, b in combinations(sorted(entity), 2)
    }
    every = document_mask(comparison, None)
    (_, listed) = unit_credit(comparison, METRICS[1], side="recall", documents=every)
    words = comparison.recall.own.start
    found = zip(words[listed.first].tolist(), words[listed.second].tolist(), strict=True)
    assert dict(zip(map(frozenset, found), listed.credit, strict=True)) == pytest.approx(links)


@pytest.mark.parametrize(
    "metric",
    [
        METRICS[4],
        *(pytest.param(m, marks=pytest.mark.slow) for m in list(BLANC_VARIANTS.values())[1:]),
    ],
)
@every_side
@settings(max_examples=20)
@given(pairs=pair_corpora(max_documents=1))
def test_non_coreference_links_are_those_of_the_definition_and_as_many_as_are_counted(
    metric, side, pairs
):
    own, other = pairs[0] if side == "recall" else pairs[0][::-1]
    comparison = comparison_of(pairs)
    (_, spread) = mention_credit(comparison, metric, side=side)
    for number, mention in enumerate(comparison.view(side).own.start.tolist()):
        links = non_coreference_links_of(comparison, metric, number, side=side)
        others = {m for entity in own if mention not in entity for m in entity}
        if metric is METRICS[4]:  # others may be of shared mentions alone
            assert set(links["other_start"]) == others
        assert set(links["start"]) <= {mention}
        apart = {m for entity in other if mention not in entity for m in entity}
        expected = others & apart if any(mention in entity for entity in other) else set()
        assert set(links.loc[links["credit"] == 1, "other_start"]) == expected
        assert links["credit"].is_monotonic_increasing  # the wrong ones first
        assert links["credit"].sum() == 2 * spread.credit[number]  # half of each is a mention's
        assert links["possible"].sum() == 2 * spread.possible[number]
    table = credit_table(comparison, metric, side=side, by="link").dropna(subset="other_entity")
    name = "key_entity" if side == "recall" else "response_entity"
    for row in table.to_dict("records"):
        entities = (row["entity"], row["other_entity"])
        links = non_coreference_links_between(
            comparison, metric, entities, side=side, document="d0"
        )
        assert len(links[["start", "other_start"]].drop_duplicates()) == row["possible"]
        assert links["credit"].sum() == row["credit"]
        assert set(links[name]) <= {entities[0]}
        assert set(links[f"other_{name}"]) <= {entities[1]}


def test_an_incorrectly_resolved_mention_earns_nothing_from_muc_and_lea_but_from_the_others():
    """Moosavi & Strube 2016, §2: a's only partner is wrong."""
    comparison = scored("a b | c d", "a c").comparison
    earned = {
        metric.id: sum(u.credit[0] for u in mention_credit(comparison, metric, side="recall"))
        for metric in METRICS
        if metric.credit
    }
    assert earned["muc"] == earned["lea"] == 0
    assert earned["bcub"] == pytest.approx(1 / 2)
    assert max(earned["ceafm"], earned["ceafe"]) > 0


@pytest.mark.parametrize("metric", METRICS)
def test_the_marginal_table_says_what_the_score_would_be_without_each_mention(metric):
    result, without_c = (
        scored("a b c | d e f g", f"a b | {part} | f g h i")[metric.id] for part in ("c d", "d")
    )
    table = scored("a b c | d e f g", "a b | c d | f g h i").marginal(metric.id)
    of_c = table.set_index("mention").rename(lambda words: words[0]).loc["c"]
    for ratio in MEASURES:
        change = getattr(without_c, ratio) - getattr(result, ratio)
        assert of_c[ratio] == pytest.approx(change, abs=1e-12)
    assert len(table) == 8


# By entity type -----------------------------------------------------------------------------------


def typed(entities, types):
    rows = [(m, m + 1, number) for number, entity in enumerate(entities) for m in entity]
    of = [types[number] for _, _, number in rows]
    attributes = Attributes.of(len(rows), entity_type=of)
    document = Document.of_rows("d", rows, words=tuple("abcdefghi"), attributes=attributes)
    return Corpus((document,))


def test_by_entity_type_lea_is_that_of_a_key_in_which_other_entities_have_no_weight():
    entities, types = [[0, 1, 2], [3, 4], [5, 6], [7]], ["person", "place", "person", ""]
    key, response = typed(entities, types), typed([[0, 1], [3, 4, 5], [7]], ["x", "", "x"])
    weights = {"person": [3, 0, 2, 0], "place": [0, 2, 0, 0], "unknown": [0, 0, 0, 1]}
    own = [lea_weighted(of, [1, 1, 1], id=name) for name, of in weights.items()]
    result = score(key, response, metrics=["lea", "blanc", *own])
    table = result.credit("lea", by="entity-type").set_index("entity_type")
    assert table.index.tolist() == [*weights]
    for name in weights:
        assert table["share"][name] == pytest.approx(result[name].recall)
    assert table["credit"].sum() == pytest.approx(result["lea"].recall_numerator)
    assert table["entities"].tolist() == [2, 1, 1]
    assert table["mentions"].tolist() == [5, 2, 1]
    precision = result.credit("lea", side="precision", by="entity-type")
    assert sorted(precision["entity_type"]) == ["unknown", "x"]
    assert precision["possible"].tolist() == [3, 3]
    kinds = {*result.credit("blanc", by="entity-type")["kind"]}
    assert kinds == {"coreference link", "non-coreference link"}  # BLANC's parts stay apart


# Marginal values equal scoring again without the mention, to the last digit that counts -----------


@pytest.mark.slow
@pytest.mark.parametrize("metric", [*METRICS, *list(BLANC_VARIANTS.values())[1:]])
@given(pairs=pair_corpora(max_documents=2))
def test_without_each_mention_the_score_is_that_of_the_rest(metric, pairs):
    comparison = comparison_of(pairs)
    own = comparison.precision.own
    every = scores_without(comparison, metric)
    for row, (number, mention) in enumerate(zip(own.document, own.start.tolist(), strict=True)):
        key, response = pairs[number]
        rest = [entity - {mention} for entity in response if entity != {mention}]
        table = comparison_of([*pairs[:number], (key, rest), *pairs[number + 1 :]]).table
        expected = metric.score(metric.counts(table).total(), empty=0).row(0)
        alone = scores_without(comparison, metric, np.array([row])).row(0)
        for ratio in MEASURES:
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
        for ratio in MEASURES:
            np.testing.assert_allclose(getattr(found, ratio), getattr(whole, ratio), atol=1e-12)
