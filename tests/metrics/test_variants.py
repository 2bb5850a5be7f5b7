"""The variants of the metrics: their values in the papers, or by their definitions."""

from fractions import Fraction

import pytest

import corescore
from corescore import PolicyError, score_entities
from corescore.metrics import METRIC_IDS, VARIANT_IDS, VARIANTS, colour_of, metric_of, name_of
from tests.support.strategies import corpora_of


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
