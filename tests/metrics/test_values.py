"""Values that must come out: of the metrics, their variants and of the reader's own."""

from fractions import Fraction
from itertools import chain, combinations
from math import log

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from sklearn.metrics import cluster

import corescore
from corescore import Counts, InputError, Metric, PolicyError, score_entities
from corescore.__main__ import main
from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency
from corescore.metrics import METRIC_IDS, VARIANT_IDS, VARIANTS, colour_of, metric_of, name_of
from corescore.metrics.own import load_metrics
from corescore.metrics.standard import has_other_best
from corescore.metrics.variants import Costs, ace_value, lea_by, lea_weighted, weighted_blanc
from tests.support import oracle_variants
from tests.support.messages import message_of
from tests.support.strategies import corpora_of, partition_pairs

# The values that the papers print, or that their definitions give, as derivations -----------------


def entities(text):
    """`abc defg` → two entities of letters; `5,12 7` → two of numbers."""
    return [set(word.split(",") if "," in word else word) for word in text.split()]


def numbers(*groups):
    return [set(group) for group in groups]


def f1_of(recall, precision):
    return 2 * recall * precision / (recall + precision)


def exactly(expected):
    return pytest.approx(float(expected), abs=1e-12)


# --- The running example of Luo et al. 2014 and Pradhan et al. 2014 ------------------------------

RUNNING = score_entities(entities("abc defg"), entities("ab cd fghi"))

RUNNING_VALUES = {
    # {abc} falls into {ab}{c}, {defg} into {d}{e}{fg}: 1 + 1 links of 2 + 3, of 1 + 1 + 3
    "muc": ((1 + 1) / (2 + 3), (1 + 1) / (1 + 1 + 3)),
    # squares of the cells ab, c, d, fg: by entity of the key, of the response
    "bcub": (
        ((4 + 1) / 3 + (1 + 4) / 4) / 7,
        (4 / 2 + (1 + 1) / 2 + 4 / 4) / 8,
    ),
    # {abc} with {ab}, {defg} with {fghi}
    "ceafm": ((2 + 2) / 7, (2 + 2) / 8),
    "ceafe": (
        (2 * 2 / (3 + 2) + 2 * 2 / (4 + 4)) / 2,
        (2 * 2 / (3 + 2) + 2 * 2 / (4 + 4)) / 3,
    ),
    "lea": (
        (3 * (1 / 3) + 4 * (1 / 6)) / 7,
        (2 * (1 / 1) + 2 * (0 / 1) + 4 * (1 / 6)) / 8,
    ),
    "mentions": (6 / 7, 6 / 8),  # all but e; all but h and i
    "links": (2 / (3 + 6), 2 / (1 + 1 + 6)),
    "rand": ((2 + 8) / (9 + 12), (2 + 8) / (8 + 20)),
}


@pytest.mark.parametrize("metric", RUNNING_VALUES)
def test_the_running_example(metric):
    recall, precision = RUNNING_VALUES[metric]
    assert RUNNING[metric].recall == exactly(recall)
    assert RUNNING[metric].precision == exactly(precision)
    assert RUNNING[metric].f1 == exactly(f1_of(recall, precision))


def test_blanc_of_the_poster_of_pradhan_et_al():
    """R_n ≈ 0.67 and BLANC ≈ 0.36 in print, the latter cut rather than rounded."""
    assert RUNNING["blanc"].parts["non_coreference"].recall == exactly(2 / 3)
    assert RUNNING["blanc"].f1 == pytest.approx(0.3676, abs=5e-5)


def test_conll_of_the_running_example():
    f1 = [f1_of(*RUNNING_VALUES[metric]) for metric in ("muc", "bcub", "ceafe")]
    assert RUNNING["conll"].f1 == exactly(sum(f1) / 3)


# --- BLANC with system mentions, Luo et al. 2014 -------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response", "f1"),
    [
        # bc is right, of 3 and of 2; bd and cd are right, of 3 and of 4
        ("abc d", "bc de", (2 * 1 / (3 + 2) + 2 * 2 / (3 + 4)) / 2),
        ("a", "b", 0),
        # no coreference link: of ab, ac, bc and ab, ad, bd the first is right
        ("a b c", "a b d", 2 * 1 / (3 + 3)),
        # no non-coreference link: bc is right, of 3 and of 1
        ("abc", "bc", 2 * 1 / (3 + 1)),
    ],
)
@pytest.mark.parametrize("blanc", ["reference", "luo2014"])
def test_blanc_with_twinless_mentions(key, response, f1, blanc):
    result = score_entities(entities(key), entities(response), blanc=blanc)
    assert result["blanc"].f1 == exactly(f1)


def test_reference_and_luo2014_differ_where_only_the_key_lacks_a_kind_of_link():
    """The key has no non-coreference link, the response has: does that part count?"""
    sides = entities("abcdef"), entities("ab cde f")
    f1_c = 2 * (1 + 3) / (15 + 4)
    reference = score_entities(*sides, blanc="reference")["blanc"].f1
    luo2014 = score_entities(*sides, blanc="luo2014")["blanc"].f1
    assert reference == exactly(f1_c) == pytest.approx(0.4211, abs=5e-5)
    assert luo2014 == exactly((f1_c + 0) / 2) == pytest.approx(0.2105, abs=5e-5)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("a", "a", {"luo2014": 1, "scorch": 1, "corefud": 0, "reference": 0}),
        ("a", "b", {"luo2014": 0, "scorch": 0, "corefud": 0, "reference": 0}),
        ("a", "", {"luo2014": 0, "scorch": 1}),
        ("ab", "ab", {"luo2014": 1, "corefud": 1}),
        ("a b", "a b", {"luo2014": 1, "corefud": 1}),
    ],
)
def test_without_any_link_luo2014_asks_whether_the_mentions_are_the_same(key, response, expected):
    """Corefud is luo2014, but 0 without a link; scorch adds spurious mentions to the key first."""
    sides = entities(key), entities(response)
    found = {blanc: score_entities(*sides, blanc=blanc)["blanc"].f1 for blanc in expected}
    assert found == expected


# --- Luo 2005, Table 1 ---------------------------------------------------------------------------

LUO_KEY = numbers(range(1, 6), (6, 7), range(8, 13))
LUO_RESPONSES = {
    "a": numbers(range(1, 6), range(6, 13)),
    "b": numbers((*range(1, 6), *range(8, 13)), (6, 7)),
    "c": numbers(range(1, 13)),
    "d": numbers(*((mention,) for mention in range(1, 13))),
}
LUO_PERCENT = {
    "muc": {"a": 94.74, "b": 94.74, "c": 90.00, "d": 0},
    "bcub": {"a": 86.49, "b": 73.68, "c": 54.55, "d": 40.00},
    "ceafm": {"a": 83.33, "b": 58.33, "c": 41.67, "d": 25.00},
    # (b) is 63.64 in the literature, which would be 42/66: 21 links of 45. But the response has
    # 46, C(10, 2) and that of {6, 7}, and 21 right of 46 is what its Rand index of 41/66 says too.
    "links": {"a": 80.77, "b": 62.69, "c": 48.28, "d": 0},
    "rand": {"a": 84.85, "b": 62.12, "c": 31.82, "d": 68.18},
}


@pytest.mark.parametrize("response", LUO_RESPONSES)
@pytest.mark.parametrize("metric", LUO_PERCENT)
def test_luos_four_responses(metric, response):
    f1 = score_entities(LUO_KEY, LUO_RESPONSES[response])[metric].f1
    assert round(100 * f1, 2) == pytest.approx(LUO_PERCENT[metric][response], abs=1e-9)


# --- Recasens & Hovy 2011, Figure 1 --------------------------------------------------------------

RECASENS = score_entities(
    numbers((1,), (2,), (3,), (4,), (6,), (8,), (10,), (11,), (13,), (7, 9), (5, 12, 14)),
    numbers((1,), (2,), (3,), (8,), (10,), (11,), (13,), (4, 6), (5, 12), (7, 9, 14)),
)
# seven singletons are right; {4,6} joins two; {5,12,14} loses 14 to {7,9}
RECASENS_PERCENT = {"muc": 57.14, "bcub": 86.76, "ceafm": 85.71, "blanc": 70.78}


def test_the_figure_of_recasens_and_hovy():
    """Seven singletons are right; {4,6} joins two; {5,12,14} loses 14 to {7,9}."""
    found = {name: round(100 * RECASENS[name].f1, 2) for name in RECASENS_PERCENT}
    assert found == RECASENS_PERCENT
    parts = RECASENS["blanc"].parts.values()
    counts = [(p.recall_numerator, p.recall_denominator, p.precision_denominator) for p in parts]
    assert counts == [(2, 2 + 2, 2 + 3), (84, 84 + 3, 84 + 2)]


def test_without_twinless_mentions_all_variants_of_blanc_are_one():
    key, response = LUO_KEY, LUO_RESPONSES["a"]
    f1 = {
        score_entities(key, response, blanc=blanc)["blanc"].f1
        for blanc in ("reference", "luo2014", "recasens2011")
    }
    assert len(f1) == 1


# --- Moosavi & Strube 2016, Table 3 --------------------------------------------------------------

MOOSAVI_KEY = entities("abcdefgh")
MOOSAVI_RESPONSES = {"cr1": entities("abcd efgh"), "cr2": entities("abcd")}
MOOSAVI_PERCENT = {
    "cr1": {"muc": 92.31, "bcub": 66.67, "ceafm": 50.00, "ceafe": 44.44, "blanc": 60.00},
    # the paper prints 32.29 for BLANC
    "cr2": {"muc": 60.00, "bcub": 40.00, "ceafm": 66.67, "ceafe": 66.67, "blanc": 35.29},
}


@pytest.mark.parametrize("response", MOOSAVI_RESPONSES)
def test_the_third_table_of_moosavi_and_strube(response):
    result = score_entities(MOOSAVI_KEY, MOOSAVI_RESPONSES[response])
    expected = MOOSAVI_PERCENT[response]
    assert {name: round(100 * result[name].f1, 2) for name in expected} == expected


# --- LEA's self-links ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response", "recall", "precision"),
    [
        ("a", "a", 1, 1),
        ("a", "ab", 0, 0),
        ("ab", "a b", 0, 0),
        # a's self-link and the link bc, of three mentions; a's of two
        ("a bc", "a b", 1 / 3, 1 / 2),
    ],
)
def test_a_singletons_self_link_is_right_only_if_both_sides_have_the_singleton(
    key, response, recall, precision
):
    lea = score_entities(entities(key), entities(response))["lea"]
    assert (lea.recall, lea.precision) == (exactly(recall), exactly(precision))


# Whether another alignment is as good, against every alignment in exact arithmetic ----------------


@st.composite
def tables(draw, most=4, largest=3):
    """Any overlaps of a few entities, which may have some mentions that are not shared."""
    n_key, n_response = (draw(st.integers(1, most)) for _ in range(2))
    row = st.lists(st.integers(0, largest), min_size=n_response, max_size=n_response)
    grid = np.array(draw(st.lists(row, min_size=n_key, max_size=n_key)))
    alone = [draw(st.integers(0, 2)) for _ in range(n_key + n_response)]
    cells = np.nonzero(grid)
    return Contingency(
        1,
        grid.sum(axis=1) + alone[:n_key],
        np.zeros(n_key, dtype=np.int64),
        grid.sum(axis=0) + alone[n_key:],
        np.zeros(n_response, dtype=np.int64),
        *cells,
        grid[cells],
    )


def shared(table):
    return [Fraction(int(n)) for n in table.cell_sizes]


def dice(table):
    sizes = table.key_sizes[table.cell_key] + table.response_sizes[table.cell_response]
    return [
        Fraction(2 * int(n), int(size)) for n, size in zip(table.cell_sizes, sizes, strict=True)
    ]


def alignments(table, cells):
    """Every set of these cells in which no entity comes twice."""
    sets = chain.from_iterable(combinations(cells, n) for n in range(len(cells) + 1))
    for chosen in sets:
        rows, columns = table.cell_key[list(chosen)], table.cell_response[list(chosen)]
        if len({*rows.tolist()}) == len({*columns.tolist()}) == len(chosen):
            yield chosen


@pytest.mark.parametrize("similarity", [shared, dice])
@given(table=tables(most=3))
def test_a_tie_is_reported_exactly_where_another_alignment_has_the_same_sum(similarity, table):
    exact = similarity(table)
    chosen = best_assignment(table.components, np.array(exact, dtype=float))
    tied = has_other_best(table, np.array(exact, dtype=float))
    component = table.component_of_entity[table.cell_key]
    for number in np.unique(component).tolist():
        cells = np.flatnonzero(component == number).tolist()
        sums = [sum(exact[at] for at in made) for made in alignments(table, cells)]
        n_best = sums.count(max(sums))
        event(f"{n_best > 1}")
        assert tied[cells].tolist() == [n_best > 1] * len(cells)
        assert sum(exact[at] for at in chosen if at in cells) == max(sums)


def test_sums_that_differ_by_less_than_a_billionth_are_no_tie():
    """2·1/(n + 1) and 2·1/(n + 2), n = 60,000, differ by 5.6e-10."""
    n = 60_000
    none, both, ones = np.array([0, 0]), np.array([0, 1]), np.array([1, 1])
    table = Contingency(1, np.array([n]), none[:1], np.array([1, 2]), none, none, both, ones)
    similarity = np.array([2 / (n + 1), 2 / (n + 2)])
    assert not has_other_best(table, similarity).any()
    assert has_other_best(table, similarity[[0, 0]]).all()


# Variants of metrics, and metrics of the reader's own ---------------------------------------------


# The variants of the metrics: their values in the papers, or by their definitions -----------------


def scored(key, response, *metrics):
    return score_entities(entities(key), entities(response), metrics=metrics)


# --- Twinless mentions: the example of Pradhan et al. 2014 ---------------------------------------

OF_VARIANTS = scored("abc defg", "ab cd fghi", *VARIANT_IDS)
RECALL_OF_B3 = ((2**2 + 1) / 3 + (1 + 2**2) / 4) / 7
# abc defg against ab cd fghi; the other variants are held to an oracle in test_metrics.py.
TWINLESS = {
    # h and i go: ab and fg are pure, cd is not
    "b3-0": (RECALL_OF_B3, (2 + (1 + 1) / 2 + 2) / 6),
    # no spurious singleton: as they are
    "b3-rn": (RECALL_OF_B3, (2 + (1 + 1) / 2 + 2**2 / 4) / 8),
    "ceafm-rn": ((2 + 2) / 7, (2 + 2) / 8),
    # {abc}{dfg} and {ab}{cd}{fg}
    "muc-discard": ((1 + 1) / (2 + 2), (1 + 1) / (1 + 1 + 1)),
    # e joins the response as a singleton; for precision h and i join the key
    "b3-sys": (
        ((4 + 1) / 3 + (1 + 1 + 4) / 4) / 7,
        (2 + (1 + 1) / 2 + (4 + 1 + 1) / 4 + 1) / 9,
    ),
    "ceaf-sys": ((2 + 2) / 7, (2 + 2) / 9),
}


@pytest.mark.parametrize("variant", TWINLESS)
def test_the_example_of_the_poster(variant):
    recall, precision = TWINLESS[variant]
    assert OF_VARIANTS[variant].recall == exactly(recall)
    assert OF_VARIANTS[variant].precision == exactly(precision)
    assert OF_VARIANTS[variant].f1 == exactly(2 * recall * precision / (recall + precision))


@pytest.mark.filterwarnings("ignore:.*more than once")
@pytest.mark.parametrize("repeats", ["first", "all", "reference", "listed"])
def test_a_variant_counts_repeats_as_its_metric_does(repeats):
    """Without spurious singletons there is nothing for Rahman & Ng to remove."""
    sides = entities("ab bcd e"), entities("abc bd ef")
    result = score_entities(*sides, metrics=[*VARIANTS, weighted_blanc(0.5)], repeats=repeats)
    plain = score_entities(*sides, repeats=repeats)
    for name in ("b3", "ceafm", "ceafe"):
        variant, metric = result[f"{name}-rn"], plain[name.replace("b3", "bcub")]
        assert variant.recall == exactly(metric.recall)
        assert variant.precision == exactly(metric.precision)
    assert result["blanc_0.5"].f1 == exactly(plain["blanc"].f1)
    assert all(result[name].f1 > 0 for name in TWINLESS)


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
    assert name_of("b3-0") == "B³₀"
    of_metrics = [colour_of(metric) for metric in METRIC_IDS]
    assert colour_of("b3-0") == colour_of("b3-sys") == colour_of("bcub")
    assert colour_of("muc-discard") == colour_of("muc") == of_metrics[0]


def test_a_variant_that_tells_no_credit_says_so():
    with pytest.raises(PolicyError, match="metric 'b3-0' does not define credit"):
        OF_VARIANTS.credit("b3-0")


# --- LEA with another importance -----------------------------------------------------------------


def test_an_importance_may_be_a_function_of_the_size_or_a_column():
    key, response = entities("abc defg"), entities("ab cd fghi")
    by_square = lea_by(np.square, id="lea-square", title="LEA, squares")
    by_column = lea_weighted([9, 16], [4, 4, 16])
    result = score_entities(key, response, metrics=[by_square, by_column])
    recall = (9 * (1 / 3) + 16 * (1 / 6)) / (9 + 16)
    precision = (4 * 1 + 4 * 0 + 16 * (1 / 6)) / (4 + 4 + 16)
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


def test_a_row_of_table_13():
    """A key of 18 mentions with one link, and a response that finds none."""
    key = [{1, 2}, *({mention} for mention in range(3, 19))]
    response = [{mention} for mention in range(1, 19)]
    result = score_entities(key, response, metrics=["blanc", "blanc_0.2", "blanc_0.1"])
    f_n = 2 * 152 / (152 + 153)
    printed = {"blanc": ("1/2", 49.84), "blanc_0.2": ("1/5", 79.74), "blanc_0.1": ("1/10", 89.70)}
    for name, (weight, percent) in printed.items():
        assert result[name].f1 == exactly((1 - Fraction(weight)) * f_n)
        assert round(100 * result[name].f1, 2) == percent


# --- Mutual information --------------------------------------------------------------------------

H_PERCENT = {"a": 79.6, "b": 60.9, "c": 0, "d": 58.5}


@pytest.mark.parametrize("response", LUO_RESPONSES)
def test_h_of_luos_four_responses(response):
    result = score_entities(LUO_KEY, LUO_RESPONSES[response], metrics=["h"])
    assert round(100 * result["h"].f1, 1) == H_PERCENT[response]


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
    normalised = cluster.normalized_mutual_info_score
    known = {
        "h": normalised(key, response),
        "h-geometric": normalised(key, response, average_method="geometric"),
        "h-max": normalised(key, response, average_method="max"),
    }
    for name, value in known.items():
        assert np.isnan(found[name].f1) or found[name].f1 == exactly(value)
    nats = cluster.mutual_info_score(key, response)
    assert found["h"].recall_numerator / len(labels) == exactly(nats / log(2))


# --- ACE-Value -----------------------------------------------------------------------------------


def test_ace_value_with_costs_of_ones_own():
    """A missing mention costs 1, a spurious one 1/2, entities nothing."""
    costs = Costs.of({"missing_entity": 0, "spurious_entity": 0, "spurious_mention": 0.5})
    result = score_entities(
        entities("abc defg"),
        entities("ab cd fghi"),
        metrics=[ace_value(costs, id="mine")],
    )
    assert result["mine"].f1 == exactly(1 - (3 + (2 + 1 + 1) / 2) / 7)


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


# Metrics of the reader's own that raise or return nonsense are refused, with their file -----------

HEAD = "import numpy as np\nfrom corescore.metrics import Counts, Metric\n\n\n"
TAIL = "\n\nMINE = Metric(id='mine', title='Mine', unit='mention', paper='none', counts=counts)\n"
SHARED = "Counts.of(t.n_shared_mentions{}, t.n_key_mentions, t.n_shared_mentions, {})"

WRONG = {
    "raise KeyError('no\\nkey')": ":6: KeyError: 'no\\\\nkey'; expected Python that runs",
    "import sys; sys.exit(3)": ":6: SystemExit: 3",
    "return counts(t)": ":6: RecursionError: maximum recursion depth exceeded",
    "return Counts.of('a', 'b', 'c', 'd')": ":6: ValueError: could not convert string to float",
    "return None": "metric 'mine' that returns NoneType; expected Counts",
    "return Counts(1.0, 1.0, 1.0, 1.0)": "counts that are no numbers; expected four arrays of them",
    "x = t.n_key_mentions[:, None] * 1j; return Counts(x, x, x, x)": "counts that are no numbers",
    "x = np.full((1, 1), None); return Counts(x, x, x, x)": "counts that are no numbers",
    "x = np.ones(3); return Counts.of(x, x, x, x)": "counts of shape (3, 1); expected (1, parts)",
    "x = np.ones((1, 1)); return Counts(x, x, x, np.ones((1, 2)))": "shape (1, 1) and (1, 2)",
    "x = t.n_key_mentions * np.nan; return Counts.of(x, x, x, x)": "NaN or infinite",
    "x = t.n_key_mentions * np.inf; return Counts.of(x, x, x, x)": "NaN or infinite",
    f"return {SHARED.format(' * 99', 't.n_response_mentions')}": "a recall outside 0 to 1",
    f"return {SHARED.format(' * -1', 't.n_response_mentions')}": "a recall outside 0 to 1",
    f"return {SHARED.format('', '0 * t.n_response_mentions')}": "a precision outside 0 to 1",
}


@pytest.fixture
def written(tmp_path):
    """Writes a file with a metric and gives its path."""

    def write(body="return None", tail=TAIL):
        path = tmp_path / "mine.py"
        path.write_text(f"{HEAD}def counts(t):\n    {body}\n{tail}")
        return str(path)

    return write


@pytest.mark.parametrize(("body", "told"), WRONG.items(), ids=range(len(WRONG)))
def test_a_metric_that_raises_or_returns_nonsense_is_refused_in_one_line(
    body, told, written, capsys
):
    path = written(body)
    assert main(["conformance", "--metric-file", path]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"corescore: {path}:")
    assert told.replace("\\\\", "\\") in line
    assert main(["experiment", "moosavi2016-table3", "--metric-file", path]) == 2


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("id=3, title='Mine'", "a metric whose id is 3; expected a text"),
        ("id='mine', title=None", "a metric whose title is None"),
        ("id='', title='Mine'", "without an id or a function"),
        ("id='mine', title='Mine', score=4", "without an id or a function"),
    ],
)
def test_a_metric_whose_fields_are_of_another_kind_is_refused(fields, told, written):
    made = f"\n\nMINE = Metric({fields}, unit='mention', paper='none', counts=counts)\n"
    assert told in message_of(load_metrics, written(tail=made))


@pytest.mark.parametrize("score", ["'high'", "c", "Score(*7 * [np.ones(9)])", "Score(*7 * [1.0])"])
def test_a_score_that_is_none_is_refused(score, written):
    body = f"return {SHARED.format('', 't.n_response_mentions')}"
    imported = "\n\nfrom corescore.counting.counts import Score\n"
    tail = f"{imported}{TAIL[:-2]}, score=lambda c, empty: {score})\n"
    result = corescore.score_entities([{1}], [{1}], metrics=load_metrics(written(body, tail)))
    told = message_of(lambda: result["mine"])
    assert "a score that is none; expected a Score of arrays of shape (1,)" in told


def test_a_metric_made_in_python_is_refused_where_its_counts_are_of_other_documents():
    def counts(table):
        return Counts.of(*4 * [[1.0, 1.0]])

    mine = Metric(id="mine", title="Mine", unit="mention", paper="none", counts=counts)
    with pytest.raises(InputError, match=r"shape \(2, 1\); expected \(1, parts\)"):
        corescore.score_entities([{1, 2}], [{1, 2}], metrics=(mine,))
