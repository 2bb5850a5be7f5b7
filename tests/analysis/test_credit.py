"""Credit: units add up to what the counts say, however they are rolled up."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import PolicyError, score, score_entities
from corescore.analysis.credit import (
    RULES,
    credit_table,
    document_mask,
    mention_credit,
    non_coreference_links_between,
    non_coreference_links_of,
    unit_credit,
)
from corescore.corpus.documents import Attributes, Corpus, Document
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
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.synthetic import SHARED_TASK, synthesise

TELLING = tuple(m for m in (*METRICS, *list(BLANC_VARIANTS.values())[1:]) if m.credit)
every_metric = pytest.mark.parametrize("metric", TELLING, ids=lambda m: f"{m.id} {m.paper[:11]}")
every_side = pytest.mark.parametrize("side", ["recall", "precision"])


def exact(values):
    """Floats as the fractions that they are nearest to."""
    return [Fraction(value).limit_denominator(10_000) for value in values]


def comparison_of(pairs):
    return score(*corpora_of(pairs)).comparison


def counts_of(comparison, metric, side, part):
    """(numerators, denominators) of each document."""
    counts = metric.counts(comparison.table).part(part)
    names = (f"{side}_numerator", f"{side}_denominator")
    return tuple(getattr(counts, name)[:, 0] for name in names)


def everything(comparison):
    return document_mask(comparison, None)


@every_metric
@every_side
@given(pairs=pair_corpora())
def test_the_units_of_each_document_add_up_to_its_counts(metric, side, pairs):
    comparison = comparison_of(pairs)
    for number in range(len(pairs)):
        only = np.arange(len(pairs)) == number
        listed = unit_credit(comparison, metric, side=side, documents=only)
        for part in {unit.part for unit in listed}:
            wanted = counts_of(comparison, metric, side, part)
            for name, total in zip(("credit", "possible"), wanted, strict=True):
                values = [getattr(unit, name) for unit in listed if unit.part == part]
                assert sum(exact(np.concatenate(values))) == exact([total[number]])[0]


@pytest.mark.slow
@every_metric
@every_side
@given(pairs=pair_corpora())
def test_the_mentions_of_each_document_add_up_to_its_counts(metric, side, pairs):
    comparison = comparison_of(pairs)
    documents = comparison.view(side).own.document
    spread = mention_credit(comparison, metric, side=side)
    for part in {unit.part for unit in spread}:
        wanted = counts_of(comparison, metric, side, part)
        for name, total in zip(("credit", "possible"), wanted, strict=True):
            for number in range(len(pairs)):
                values = [getattr(u, name)[documents == number] for u in spread if u.part == part]
                assert sum(exact(np.concatenate(values))) == exact([total[number]])[0]


@pytest.mark.slow
@every_metric
@every_side
def test_large_corpora_add_up_too(metric, side):
    comparison = score(*synthesise(SHARED_TASK, np.random.default_rng(5))).comparison
    for part in {unit.part for unit in metric.credit(comparison.table)}:
        wanted = counts_of(comparison, metric, side, part)
        for listed in (
            mention_credit(comparison, metric, side=side),
            unit_credit(comparison, metric, side=side, documents=everything(comparison)),
        ):
            for name, total in zip(("credit", "possible"), wanted, strict=True):
                values = [getattr(unit, name).sum() for unit in listed if unit.part == part]
                assert sum(values) == pytest.approx(total.sum(), rel=1e-9)


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("shared_only", [False, True])
@every_side
@settings(max_examples=20)
@given(pairs=pair_corpora(), seed=st.integers(0, 99))
def test_units_of_every_kind_add_up_alike_spread_and_listed(kind, shared_only, side, pairs, seed):
    comparison = comparison_of(pairs)
    metric = metric_crediting(kind, comparison.table, seed, shared_only=shared_only)
    documents = comparison.view(side).own.document
    (spread,) = mention_credit(comparison, metric, side=side)
    for number in range(len(pairs)):
        only = np.arange(len(pairs)) == number
        (listed,) = unit_credit(comparison, metric, side=side, documents=only)
        for name in ("credit", "possible"):
            total = getattr(spread, name)[documents == number].sum()
            assert getattr(listed, name).sum() == pytest.approx(total, abs=1e-9)


N_UNITS = {
    SELF_LINK: lambda n: n,
    ALIGNED_MENTION: lambda n: n,
    COREFERENCE_LINK: lambda n: n * (n - 1) // 2,
    SPANNING_LINK: lambda n: n - 1,
}


@pytest.mark.parametrize("kind", N_UNITS)
@given(pairs=pair_corpora(), seed=st.integers(0, 99))
def test_a_cell_has_as_many_units_as_its_kind_says(kind, pairs, seed):
    table = comparison_of(pairs).table
    metric = metric_crediting(kind, table, seed)
    (spread,) = mention_credit(comparison_of(pairs), metric, side="recall")
    (unit,) = metric.credit(table)
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


def test_every_unit_kind_has_a_rule_and_an_unknown_kind_is_refused():
    kinds = {unit.kind for metric in TELLING for unit in metric.credit(NOTHING.table)}
    assert kinds == set(RULES)
    odd = metric_crediting("odd link", NOTHING.table, 0)
    refused = pytest.raises(PolicyError, match="kind of unit is 'odd link'; expected one of: self-")
    with refused:
        mention_credit(NOTHING, odd, side="recall")
    with refused:
        unit_credit(NOTHING, odd, side="recall", documents=everything(NOTHING))


NOTHING = comparison_of([([{0, 1}], [{0, 1}])])


@given(pairs=pair_corpora(max_documents=1))
def test_b_cubed_credits_each_link_twice_the_share_of_a_mention(pairs):
    key, response = pairs[0]
    comparison = comparison_of(pairs)
    links = {
        frozenset((a, b)): Fraction(2, len(entity)) * any({a, b} <= r for r in response)
        for entity in key
        for a, b in combinations(sorted(entity), 2)
    }
    (_, listed) = unit_credit(
        comparison, METRICS[1], side="recall", documents=everything(comparison)
    )
    words = comparison.recall.own.start
    found = zip(words[listed.first].tolist(), words[listed.second].tolist(), strict=True)
    assert dict(zip(map(frozenset, found), exact(listed.credit), strict=True)) == links


@given(pairs=pair_corpora(max_documents=1))
def test_non_coreference_links_of_a_mention_are_those_of_the_definition(pairs):
    key, response = pairs[0]
    comparison = comparison_of(pairs)
    view = comparison.recall

    def entity_of(mention, side):
        return next((entity for entity in side if mention in entity), None)

    for number, mention in enumerate(view.own.start.tolist()):
        links = non_coreference_links_of(comparison, METRICS[4], number, side="recall")
        others = {m for entity in key if mention not in entity for m in entity}
        assert set(links["other_start"]) == others
        assert set(links["start"]) <= {mention}
        mine = entity_of(mention, response)
        expected = {m for m in others if mine and entity_of(m, response) not in (None, mine)}
        assert set(links.loc[links["credit"] == 1, "other_start"]) == expected
        assert links["credit"].is_monotonic_increasing  # the wrong ones first


@pytest.mark.slow
@pytest.mark.parametrize("metric", BLANC_VARIANTS.values(), ids=lambda m: m.paper[:11])
@every_side
@settings(max_examples=20)
@given(pairs=pair_corpora(max_documents=2))
def test_half_of_each_non_coreference_link_is_what_its_mention_is_credited(metric, side, pairs):
    comparison = comparison_of(pairs)
    (_, spread) = mention_credit(comparison, metric, side=side)
    for mention in range(len(spread.credit)):
        links = non_coreference_links_of(comparison, metric, mention, side=side)
        assert links["credit"].sum() == 2 * spread.credit[mention]
        assert links["possible"].sum() == 2 * spread.possible[mention]


@pytest.mark.slow
@pytest.mark.parametrize("metric", BLANC_VARIANTS.values(), ids=lambda m: m.paper[:11])
@every_side
@settings(max_examples=20)
@given(pairs=pair_corpora(max_documents=1))
def test_non_coreference_links_of_two_entities_are_as_many_as_are_counted(metric, side, pairs):
    comparison = comparison_of(pairs)
    table = credit_table(comparison, metric, side=side, by="link").dropna(subset="other_entity")
    own = "key_entity" if side == "recall" else "response_entity"
    for row in table.to_dict("records"):
        entities = (row["entity"], row["other_entity"])
        links = non_coreference_links_between(
            comparison, metric, entities, side=side, document="d0"
        )
        assert len(links[["start", "other_start"]].drop_duplicates()) == row["possible"]
        assert links["credit"].sum() == row["credit"]
        assert set(links[own]) <= {entities[0]}
        assert set(links[f"other_{own}"]) <= {entities[1]}


def test_non_coreference_links_are_blancs_alone():
    comparison = comparison_of([([{0, 1}], [{0, 1}])])
    with pytest.raises(PolicyError, match="'muc' credits no non-coreference links"):
        non_coreference_links_of(comparison, METRICS[0], 0, side="recall")


def test_an_incorrectly_resolved_mention_earns_nothing_from_muc_and_lea_but_from_the_others():
    """Moosavi & Strube 2016, §2: key {a b} {c d}, response {a c}: a's only partner is wrong."""
    comparison = comparison_of([([{0, 1}, {2, 3}], [{0, 2}])])
    earned = {
        metric.id: sum(u.credit[0] for u in mention_credit(comparison, metric, side="recall"))
        for metric in METRICS
        if metric.credit
    }
    assert earned["muc"] == earned["lea"] == 0
    assert earned["bcub"] == pytest.approx(1 / 2)
    assert max(earned["ceafm"], earned["ceafe"]) > 0


def test_a_metric_that_does_not_tell_is_refused_by_name():
    silent = Metric("mine", "Mine", "unit", "paper", METRICS[0].counts)
    comparison = comparison_of([([{0, 1}], [{0, 1}])])
    with pytest.raises(PolicyError, match="'mine' does not tell"):
        mention_credit(comparison, silent, side="recall")
    with pytest.raises(PolicyError, match="no document 'x'"):
        document_mask(comparison, ["x"])


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.id)
def test_the_marginal_table_says_what_the_score_would_be_without_each_mention(metric):
    result = score_entities(
        [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}]
    )
    table = result.marginal(metric.id).set_index("mention").rename(lambda words: words[0])
    without_c = score_entities(
        [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"d"}, {"f", "g", "h", "i"}]
    )
    for ratio in ("recall", "precision", "f1"):
        change = getattr(without_c[metric.id], ratio) - getattr(result[metric.id], ratio)
        assert table.loc["c", ratio] == pytest.approx(change, abs=1e-12)
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
    weights = {
        "person": [3, 0, 2, 0],
        "place": [0, 2, 0, 0],
        "unknown": [0, 0, 0, 1],
    }
    own = [lea_weighted(of, [1, 1, 1], id=name) for name, of in weights.items()]
    result = score(key, response, metrics=["lea", *own])
    table = result.credit("lea", by="entity-type").set_index("entity_type")
    assert table.index.tolist() == ["person", "place", "unknown"]
    for name in weights:
        assert table["share"][name] == pytest.approx(result[name].recall)
    assert table["credit"].sum() == pytest.approx(result["lea"].recall_numerator)
    assert table["entities"].tolist() == [2, 1, 1]
    assert table["mentions"].tolist() == [5, 2, 1]
    precision = result.credit("lea", side="precision", by="entity-type")
    assert sorted(precision["entity_type"]) == ["unknown", "x"]
    assert precision["possible"].tolist() == [3, 3]


def test_by_entity_type_the_parts_of_blanc_stay_apart():
    key = typed([[0, 1], [2]], ["person", "place"])
    kinds = score(key, key).credit("blanc", by="entity-type")["kind"]
    assert sorted({*kinds}) == ["coreference link", "non-coreference link"]
