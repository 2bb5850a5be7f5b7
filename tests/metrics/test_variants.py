"""The variants of the metrics: their values in the papers, or by their definitions."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cluster

import corescore
from corescore import PolicyError, score_entities
from corescore.metrics import METRIC_IDS, VARIANT_IDS, VARIANTS, colour_of, metric_of, name_of
from corescore.metrics.variants import Costs, ace_value, lea_by, lea_weighted, weighted_blanc
from tests.support import oracle, oracle_variants
from tests.support.strategies import corpora_of, partition_pairs


def entities(text):
    """`abc defg` → two entities of letters."""
    return [set(word) for word in text.split()]


def scored(key, response, *metrics):
    return score_entities(entities(key), entities(response), metrics=metrics)


def exactly(expected):
    return pytest.approx(float(expected), abs=1e-12)


# --- Twinless mentions: the example of Pradhan et al. 2014 ---------------------------------------

RUNNING = scored("abc defg", "ab cd fghi", *VARIANT_IDS)
RECALL_OF_B3 = (Fraction(2**2 + 1, 3) + Fraction(1 + 2**2, 4)) / 7
TWINLESS = {
    # h and i go: ab and fg are pure, cd is not
    "b3-0": (RECALL_OF_B3, (2 + Fraction(1 + 1, 2) + 2) / 6),
    # no spurious singleton: as they are
    "b3-rn": (RECALL_OF_B3, (2 + Fraction(1 + 1, 2) + Fraction(2**2, 4)) / 8),
    "ceafm-rn": (Fraction(2 + 2, 7), Fraction(2 + 2, 8)),
    "ceafe-rn": (
        (Fraction(2 * 2, 3 + 2) + Fraction(2 * 2, 4 + 4)) / 2,
        (Fraction(2 * 2, 3 + 2) + Fraction(2 * 2, 4 + 4)) / 3,
    ),
    # {abc}{dfg} and {ab}{cd}{fg}
    "muc-discard": (Fraction(1 + 1, 2 + 2), Fraction(1 + 1, 1 + 1 + 1)),
    "b3-discard": ((Fraction(4 + 1, 3) + Fraction(1 + 4, 3)) / 6, (2 + Fraction(2, 2) + 2) / 6),
    "ceafm-discard": (Fraction(2 + 2, 6), Fraction(2 + 2, 6)),
    "ceafe-discard": (2 * Fraction(2 * 2, 3 + 2) / 2, 2 * Fraction(2 * 2, 3 + 2) / 3),
    "lea-discard": ((3 * Fraction(1, 3) + 3 * Fraction(1, 3)) / 6, Fraction(2 + 0 + 2, 6)),
    # e joins the response as a singleton; for precision h and i join the key
    "b3-sys": (
        (Fraction(4 + 1, 3) + Fraction(1 + 1 + 4, 4)) / 7,
        (2 + Fraction(1 + 1, 2) + Fraction(4 + 1 + 1, 4) + 1) / 9,
    ),
    "ceaf-sys": (Fraction(2 + 2, 7), Fraction(2 + 2, 9)),
}


@pytest.mark.parametrize("variant", TWINLESS)
def test_the_example_of_the_poster(variant):
    recall, precision = TWINLESS[variant]
    assert RUNNING[variant].recall == exactly(recall)
    assert RUNNING[variant].precision == exactly(precision)
    assert RUNNING[variant].f1 == exactly(2 * recall * precision / (recall + precision))


def test_those_values_in_lowest_terms():
    assert TWINLESS["b3-0"] == (Fraction(5, 12), Fraction(5, 6))
    assert TWINLESS["b3-discard"] == (Fraction(5, 9), Fraction(5, 6))
    assert TWINLESS["b3-sys"] == (Fraction(19, 42), Fraction(11, 18))


def test_a_spurious_singleton_goes_under_rahman_and_ng_and_counts_in_b_cubed():
    result = scored("ab", "ab c de", "bcub", "b3-rn", "ceafe", "ceafe-rn")
    assert result["bcub"].precision == exactly(Fraction(2, 5))
    assert result["b3-rn"].precision == exactly(Fraction(2, 4))
    assert result["ceafe"].precision == exactly(Fraction(1, 3))
    assert result["ceafe-rn"].precision == exactly(Fraction(1, 2))


def test_a_missing_singleton_is_right_under_cai_and_strube():
    result = scored("ab c", "ab", "bcub", "b3-sys", "ceaf-sys")
    assert result["bcub"].recall == exactly(Fraction(2, 3))
    assert result["b3-sys"].f1 == result["ceaf-sys"].f1 == 1


def test_variants_can_be_scored_where_a_span_is_listed_twice_and_all_are_kept():
    key, response = entities("ab bc"), entities("abc bd")
    result = score_entities(key, response, metrics=VARIANTS, repeats="all")
    assert all(result[name].f1 > 0 for name in TWINLESS)


@pytest.mark.parametrize("repeats", ["first", "all", "reference", "listed"])
def test_a_variant_counts_repeats_as_its_metric_does(repeats):
    """Without spurious singletons there is nothing for Rahman & Ng to remove."""
    names = ["bcub", "ceafm", "ceafe", "b3-rn", "ceafm-rn", "ceafe-rn", "blanc", "blanc_0.2"]
    key, response = entities("ab bcd e"), entities("abc bd ef")
    result = score_entities(key, response, metrics=[*names, weighted_blanc(0.5)], repeats=repeats)
    for metric, variant in zip(names[:3], names[3:6], strict=True):
        assert result[variant].recall == exactly(result[metric].recall)
        assert result[variant].precision == exactly(result[metric].precision)
    assert result["blanc_0.5"].f1 == exactly(result["blanc"].f1)


# --- Chosen by name ------------------------------------------------------------------------------


def test_a_variant_is_found_by_its_name_and_shown_only_when_named():
    key, response = corpora_of([([frozenset({0, 1})], [frozenset({0, 1, 2})])])
    result = corescore.score(key, response, metrics=["muc", "b3-0", metric_of("b3-sys")])
    assert [metric.id for metric in result.metrics][:3] == ["muc", "b3-0", "b3-sys"]
    assert result.table.loc[["muc", "b3-0"], "diagnostic"].tolist() == [False, True]
    assert not {*corescore.score(key, response).scores} & {*VARIANT_IDS}
    with pytest.raises(PolicyError, match=r"metric is 'b3-1'; expected one of: muc, .*b3-0"):
        corescore.score(key, response, metrics=["b3-1"])


def test_a_variant_has_a_name_and_the_colour_of_its_metric():
    assert name_of("b3-0") == "B³_0"
    of_metrics = [colour_of(metric) for metric in METRIC_IDS]
    assert colour_of("b3-0") == colour_of("b3-sys") == colour_of("bcub")
    assert colour_of("muc-discard") == colour_of("muc") == of_metrics[0]


def test_a_variant_that_tells_no_credit_says_so():
    with pytest.raises(PolicyError, match="metric 'b3-0' does not tell what it credits"):
        RUNNING.credit("b3-0")


# --- CEAF on links, LEA with another importance --------------------------------------------------


def test_ceaf_on_links_of_the_example():
    """ab of abc is aligned with ab, fg of defg with fghi: a link each."""
    links, entities_alike = RUNNING["ceafm-links"], RUNNING["ceafe-links"]
    assert (links.recall, links.precision) == (
        exactly(Fraction(1 + 1, 3 + 6)),
        exactly(Fraction(1 + 1, 1 + 1 + 6)),
    )
    similarity = Fraction(2 * 1, 3 + 1) + Fraction(2 * 1, 6 + 6)
    assert (entities_alike.recall, entities_alike.precision) == (
        exactly(similarity / 2),
        exactly(similarity / 3),
    )


def test_lea_with_another_importance_of_the_example():
    """A third of abc's links, a sixth of defg's; of ab's all, of cd's none, of fghi's a sixth."""
    alike, links = RUNNING["lea-one"], RUNNING["lea-links"]
    assert alike.recall == exactly((Fraction(1, 3) + Fraction(1, 6)) / 2)
    assert alike.precision == exactly((1 + 0 + Fraction(1, 6)) / 3)
    assert links.recall == exactly(Fraction(1 + 1, 3 + 6))
    assert links.precision == exactly(Fraction(1 + 0 + 1, 1 + 1 + 6))


def test_an_importance_may_be_a_function_of_the_size_or_a_column():
    key, response = entities("abc defg"), entities("ab cd fghi")
    by_square = lea_by(np.square, id="lea-square", title="LEA, squares")
    by_column = lea_weighted([9, 16], [4, 4, 16])
    result = score_entities(key, response, metrics=[by_square, by_column])
    recall = (9 * Fraction(1, 3) + 16 * Fraction(1, 6)) / (9 + 16)
    precision = (4 * 1 + 4 * 0 + 16 * Fraction(1, 6)) / (4 + 4 + 16)
    for name in ("lea-square", "lea-own"):
        assert result[name].recall == exactly(recall)
        assert result[name].precision == exactly(precision)
    assert result.table.loc["lea-square", "title"] == "LEA, squares"


@given(partition_pairs())
def test_lea_weighted_by_size_is_lea(pair):
    by_size = lea_by(lambda sizes: sizes.astype(float))
    result = corescore.score(*corpora_of([pair]), metrics=["lea", by_size])
    assert result["lea-own"].f1 == exactly(result["lea"].f1)


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        (lea_weighted([1], [1, 1, 1]), "1 weights for 2 key entities"),
        (lea_weighted([1, 1], [1]), "1 weights for 3 response entities"),
        (lea_weighted([1, -1], [1, 1, 1]), "must be numbers of at least 0"),
        (lea_by(lambda sizes: sizes * np.nan), "must be numbers of at least 0"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, problem):
    with pytest.raises(ValueError, match=problem):
        score_entities(entities("abc defg"), entities("ab cd fghi"), metrics=[weights])


# --- BLANC_α: Recasens & Hovy 2011, §4.1.3 -------------------------------------------------------


@pytest.mark.parametrize(("id", "weight"), [("blanc_0.2", "1/5"), ("blanc_0.1", "1/10")])
def test_blanc_alpha_of_the_example(id, weight):
    f_c, f_n = Fraction(2 * 2, 9 + 8), Fraction(2 * 8, 12 + 20)
    assert RUNNING[id].f1 == exactly(Fraction(weight) * f_c + (1 - Fraction(weight)) * f_n)
    assert RUNNING[id].parts["coreference"].f1 == exactly(f_c)


def test_a_row_of_table_13():
    """A key of 18 mentions with one link, and a response that finds none."""
    key = [{1, 2}, *({mention} for mention in range(3, 19))]
    response = [{mention} for mention in range(1, 19)]
    result = score_entities(key, response, metrics=["blanc", "blanc_0.2", "blanc_0.1"])
    f_n = Fraction(2 * 152, 152 + 153)
    printed = {"blanc": ("1/2", 49.84), "blanc_0.2": ("1/5", 79.74), "blanc_0.1": ("1/10", 89.70)}
    for name, (weight, percent) in printed.items():
        assert result[name].f1 == exactly((1 - Fraction(weight)) * f_n)
        assert round(100 * result[name].f1, 2) == percent


# --- The adjusted Rand index ---------------------------------------------------------------------


def test_the_adjusted_rand_index_of_the_example():
    """Of 6 shared mentions: links ab, fg of abc, dfg and of ab, cd, fg; 6 · 3 / 15 by chance."""
    chance = Fraction((3 + 3) * (1 + 1 + 1), 15)
    found = RUNNING["ari"]
    assert found.recall == exactly((2 - chance) / (6 - chance))
    assert found.precision == exactly((2 - chance) / (3 - chance))
    assert found.f1 == exactly((2 - chance) / (Fraction(6 + 3, 2) - chance))


def test_fewer_right_links_than_by_chance_are_below_zero():
    """ab cd against ac bd: no link is right, 2 · 2 / 6 are by chance."""
    found = scored("ab cd", "ac bd", "ari")["ari"]
    assert found.f1 == exactly((0 - Fraction(4, 6)) / (2 - Fraction(4, 6)))


@settings(max_examples=15)
@given(partition_pairs(max_mentions=5))
def test_what_is_right_by_chance_is_the_mean_over_all_orders(pair):
    counts = metric_of("ari").counts(corescore.score(*corpora_of([pair])).comparison.table)
    key, response = oracle_variants.shared_sides(pair)
    right = len(oracle.coreference_links(key) & oracle.coreference_links(response))
    by_chance = oracle_variants.mean_of_common_links(pair)
    assert counts.recall_numerator.item() == exactly(right - by_chance)


def test_chance_is_reckoned_within_each_document():
    """Two documents alike score as each of them does."""
    pair = ([frozenset({0, 1}), frozenset({2, 3})], [frozenset({0, 1}), frozenset({2}), {3}])
    one, two = (corescore.score(*corpora_of([pair] * n), metrics=["ari"]) for n in (1, 2))
    assert one["ari"].f1 == exactly(two["ari"].f1)
    assert one["ari"].f1 == exactly((1 - Fraction(2, 6)) / (Fraction(2 + 1, 2) - Fraction(2, 6)))


# --- Mutual information, V-measure, variation of information -------------------------------------

LUO_KEY = [{*range(1, 6)}, {6, 7}, {*range(8, 13)}]
LUO_RESPONSES = {
    "a": ([{*range(1, 6)}, {*range(6, 13)}], 79.6),
    "b": ([{*range(1, 6), *range(8, 13)}, {6, 7}], 60.9),
    "c": ([{*range(1, 13)}], 0),
    "d": ([{mention} for mention in range(1, 13)], 58.5),
}


@pytest.mark.parametrize("response", LUO_RESPONSES)
def test_h_of_luos_four_responses(response):
    entities_of_it, percent = LUO_RESPONSES[response]
    result = score_entities(LUO_KEY, entities_of_it, metrics=["h"])
    assert round(100 * result["h"].f1, 1) == percent


def test_h_in_bits():
    """ab c d against abcd in halves: the key has 2 · 1 + 1 · 2 + 1 · 2 bits, the response 4 · 1."""
    result = scored("ab c d", "ab cd", *(name for name in VARIANT_IDS if name.startswith("h")))
    h = result["h"]
    assert (h.recall_numerator, h.recall_denominator) == (exactly(4), exactly(6))
    assert (h.precision_numerator, h.precision_denominator) == (exactly(4), exactly(4))
    assert h.f1 == exactly(Fraction(2 * 4, 6 + 4))
    assert result["h-joint"].f1 == exactly(Fraction(4, 6 + 4 - 4))
    assert result["h-max"].f1 == exactly(Fraction(4, 6))
    assert result["h-geometric"].f1 == exactly(4 / sqrt(6 * 4))
    assert result["h-log"].f1 == exactly(Fraction(4, 4 * 2))


def test_v_measure_is_one_where_a_side_has_no_entropy():
    """Everything in one entity is complete, and not homogeneous."""
    found = scored("ab cd", "abcd", "v-measure", "h")
    assert (found["v-measure"].recall, found["v-measure"].precision) == (1, 0)
    assert found.document_scores["h"].recall[0] == 0
    assert np.isnan(found.document_scores["h"].precision[0])
    assert scored("ab", "ab", "v-measure")["v-measure"].f1 == 1
    assert scored("ab", "cd", "v-measure")["v-measure"].f1 == 0


def test_the_variation_of_information_in_bits():
    """ab c d against ab cd: the key is finer by 1 bit for c and for d, of log 4 = 2 for each."""
    found = scored("ab c d", "ab cd", "vi")["vi"]
    assert found.recall == 1
    assert found.precision == exactly(1 - Fraction(1 + 1, 4 * 2))
    assert found.f1 == exactly(1 - Fraction(1 + 1, 4 * 2))
    lacking = found.precision_denominator - found.precision_numerator
    assert lacking == exactly(1 + 1)


SAME_MENTIONS = st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=2, max_size=9)


@given(SAME_MENTIONS)
def test_scikit_learn_has_the_same_values_of_one_document(labels):
    """It takes 0/0 as 1 throughout, where we leave empty what has nothing to score."""
    key, response = zip(*labels, strict=True)
    pair = tuple(
        [frozenset(at for at, one in enumerate(side) if one == label) for label in {*side}]
        for side in (key, response)
    )
    result = corescore.score(*corpora_of([pair]), metrics=VARIANTS)
    found = {name: score.row(0) for name, score in result.document_scores.items()}
    v = found["v-measure"]
    values = cluster.homogeneity_completeness_v_measure(key, response)
    assert [v.precision, v.recall, v.f1] == [*map(exactly, values)]
    normalised = cluster.normalized_mutual_info_score
    known = {
        "ari": cluster.adjusted_rand_score(key, response),
        "h": normalised(key, response),
        "h-geometric": normalised(key, response, average_method="geometric"),
        "h-max": normalised(key, response, average_method="max"),
    }
    for name, value in known.items():
        assert np.isnan(found[name].f1) or found[name].f1 == exactly(value)
    nats = cluster.mutual_info_score(key, response)
    assert found["h"].recall_numerator / len(labels) == exactly(nats / log(2))


# --- ACE-Value -----------------------------------------------------------------------------------


def test_ace_value_of_the_example():
    """Spurious are cd's two mentions, h, i and entity cd; missing are c, d and e: 8 of 7 + 2."""
    value = RUNNING["ace"]
    assert value.f1 == exactly(1 - Fraction(2 + 1 + 1 + 1 + 3, 7 + 2))
    assert np.isnan(value.recall)


def test_ace_value_with_costs_of_ones_own():
    """A missing mention costs 1, a spurious one 1/2, entities nothing."""
    costs = Costs.of({"missing_entity": 0, "spurious_entity": 0, "spurious_mention": 0.5})
    result = score_entities(
        entities("abc defg"), entities("ab cd fghi"), metrics=[ace_value(costs, id="mine")]
    )
    assert result["mine"].f1 == exactly(1 - Fraction(3 + Fraction(2 + 1 + 1, 2), 7))


@given(partition_pairs(), st.tuples(*[st.integers(0, 3)] * 4).filter(lambda c: c[0] + c[1] > 0))
def test_ace_value_is_the_least_cost_of_all_alignments(pair, given_costs):
    names = ("missing_entity", "missing_mention", "spurious_entity", "spurious_mention")
    costs = dict(zip(names, given_costs, strict=True))
    table = corescore.score(*corpora_of([pair])).comparison.table
    counts = ace_value(Costs.of(costs)).counts(table)
    (expected,) = oracle_variants.ace(**costs)(pair)
    assert counts.recall_numerator.item() == exactly(expected.recall_numerator)
    assert counts.recall_denominator.item() == exactly(expected.recall_denominator)


@pytest.mark.parametrize(
    ("costs", "problem"),
    [
        ({"missing_mention": -1}, "cost missing_mention is -1; expected a number of at least 0"),
        ({"spurious_entity": float("inf")}, "cost spurious_entity is inf; expected a number"),
        ({"missing_entity": 0, "missing_mention": 0}, "nothing missing costs anything"),
        ({"mention": 1}, "cost is 'mention'; expected one of: missing_entity, missing_mention"),
    ],
)
def test_costs_that_make_no_sense_are_refused(costs, problem):
    with pytest.raises(PolicyError, match=problem):
        Costs.of(costs)
