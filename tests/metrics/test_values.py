"""The values that the papers print, or that their definitions give, as derivations."""

from fractions import Fraction

import pytest

from corescore import score_entities


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
    "muc": (Fraction(1 + 1, 2 + 3), Fraction(1 + 1, 1 + 1 + 3)),
    # squares of the cells ab, c, d, fg: by entity of the key, of the response
    "bcub": (
        (Fraction(4 + 1, 3) + Fraction(1 + 4, 4)) / 7,
        (Fraction(4, 2) + Fraction(1 + 1, 2) + Fraction(4, 4)) / 8,
    ),
    # {abc} with {ab}, {defg} with {fghi}
    "ceafm": (Fraction(2 + 2, 7), Fraction(2 + 2, 8)),
    "ceafe": (
        (Fraction(2 * 2, 3 + 2) + Fraction(2 * 2, 4 + 4)) / 2,
        (Fraction(2 * 2, 3 + 2) + Fraction(2 * 2, 4 + 4)) / 3,
    ),
    "lea": (
        (3 * Fraction(1, 3) + 4 * Fraction(1, 6)) / 7,
        (2 * Fraction(1, 1) + 2 * Fraction(0, 1) + 4 * Fraction(1, 6)) / 8,
    ),
    "mentions": (Fraction(6, 7), Fraction(6, 8)),  # all but e; all but h and i
    "links": (Fraction(2, 3 + 6), Fraction(2, 1 + 1 + 6)),
    "rand": (Fraction(2 + 8, 9 + 12), Fraction(2 + 8, 8 + 20)),
}


@pytest.mark.parametrize("metric", RUNNING_VALUES)
def test_the_running_example(metric):
    recall, precision = RUNNING_VALUES[metric]
    assert RUNNING[metric].recall == exactly(recall)
    assert RUNNING[metric].precision == exactly(precision)
    assert RUNNING[metric].f1 == exactly(f1_of(recall, precision))


def test_the_running_examples_figures_in_decimals():
    assert RUNNING["bcub"].recall == exactly(Fraction(35, 12) / 7)
    assert RUNNING["bcub"].precision == exactly(Fraction(4, 8))
    assert RUNNING["ceafe"].recall == exactly(Fraction(13, 10) / 2)
    assert RUNNING["ceafe"].precision == exactly(Fraction(13, 10) / 3)


def test_blanc_of_the_running_example():
    """ab and fg are right; of the non-coreferent pairs, those of {a, b} or c with d, f and g."""
    parts = RUNNING["blanc"].parts
    coreference, non_coreference = parts["coreference"], parts["non_coreference"]
    r_c, p_c = Fraction(2, 3 + 6), Fraction(2, 1 + 1 + 6)
    r_n, p_n = Fraction(2 * 3 + 2, 3 * 4), Fraction(2 * 3 + 2, 2 * 2 + 2 * 4 + 2 * 4)
    assert (coreference.recall, coreference.precision) == (exactly(r_c), exactly(p_c))
    assert (non_coreference.recall, non_coreference.precision) == (exactly(r_n), exactly(p_n))
    assert RUNNING["blanc"].recall == exactly((r_c + r_n) / 2)
    assert RUNNING["blanc"].precision == exactly((p_c + p_n) / 2)
    assert RUNNING["blanc"].f1 == exactly((f1_of(r_c, p_c) + f1_of(r_n, p_n)) / 2)


def test_blanc_of_the_poster_of_pradhan_et_al():
    """R_n ≈ 0.67 and BLANC ≈ 0.36 in print, the latter cut rather than rounded."""
    assert RUNNING["blanc"].parts["non_coreference"].recall == exactly(Fraction(2, 3))
    f1_c, f1_n = Fraction(2 * 2, 9 + 8), Fraction(2 * 8, 12 + 20)
    assert RUNNING["blanc"].f1 == exactly((f1_c + f1_n) / 2)
    assert RUNNING["blanc"].f1 == pytest.approx(0.3676, abs=5e-5)


def test_conll_of_the_running_example():
    f1 = [f1_of(*RUNNING_VALUES[metric]) for metric in ("muc", "bcub", "ceafe")]
    assert RUNNING["conll"].f1 == exactly(sum(f1) / 3)


# --- BLANC with system mentions, Luo et al. 2014 -------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response", "f1"),
    [
        # bc is right, of 3 and of 2; bd and cd are right, of 3 and of 4
        ("abc d", "bc de", (Fraction(2 * 1, 3 + 2) + Fraction(2 * 2, 3 + 4)) / 2),
        ("a", "b", Fraction(0)),
        # no coreference link: of ab, ac, bc and ab, ad, bd the first is right
        ("a b c", "a b d", Fraction(2 * 1, 3 + 3)),
        # no non-coreference link: bc is right, of 3 and of 1
        ("abc", "bc", Fraction(2 * 1, 3 + 1)),
    ],
)
@pytest.mark.parametrize("blanc", ["reference", "luo2014"])
def test_blanc_with_twinless_mentions(key, response, f1, blanc):
    result = score_entities(entities(key), entities(response), blanc=blanc)
    assert result["blanc"].f1 == exactly(f1)


def test_that_value_in_lowest_terms():
    assert score_entities(entities("abc d"), entities("bc de"))["blanc"].f1 == exactly(
        Fraction(17, 35)
    )


def test_reference_and_luo2014_differ_where_only_the_key_lacks_a_kind_of_link():
    """The key has no non-coreference link, the response has: does that part count?"""
    sides = entities("abcdef"), entities("ab cde f")
    f1_c = Fraction(2 * (1 + 3), 15 + 4)
    reference = score_entities(*sides, blanc="reference")["blanc"].f1
    luo2014 = score_entities(*sides, blanc="luo2014")["blanc"].f1
    assert reference == exactly(f1_c) == pytest.approx(0.4211, abs=5e-5)
    assert luo2014 == exactly((f1_c + 0) / 2) == pytest.approx(0.2105, abs=5e-5)


@pytest.mark.parametrize(("response", "luo2014"), [("a", 1), ("b", 0)])
def test_without_any_link_luo2014_asks_whether_the_mentions_are_the_same(response, luo2014):
    sides = entities("a"), entities(response)
    assert score_entities(*sides, blanc="luo2014")["blanc"].f1 == luo2014
    assert score_entities(*sides, blanc="reference")["blanc"].f1 == 0


@pytest.mark.parametrize("side", ["a", "ab", "a b"])
def test_corefud_is_luo2014_but_0_without_a_link(side):
    f1 = {
        blanc: score_entities(entities(side), entities(side), blanc=blanc)["blanc"].f1
        for blanc in ("luo2014", "corefud")
    }
    assert f1 == {"luo2014": 1, "corefud": 0 if side == "a" else 1}


# --- Luo 2005, Table 1 ---------------------------------------------------------------------------

LUO_KEY = numbers(range(1, 6), (6, 7), range(8, 13))
LUO_RESPONSES = {
    "a": numbers(range(1, 6), range(6, 13)),
    "b": numbers((*range(1, 6), *range(8, 13)), (6, 7)),
    "c": numbers(range(1, 13)),
    "d": numbers(*((mention,) for mention in range(1, 13))),
}
LUO_F1 = {
    # the 4 + 1 + 4 links of the key are found by all but (d)
    "muc": {
        "a": Fraction(2 * 9, 9 + (4 + 6)),
        "b": Fraction(2 * 9, 9 + (9 + 1)),
        "c": Fraction(2 * 9, 9 + 11),
        "d": Fraction(0),
    },
    "bcub": {
        "a": f1_of(1, (Fraction(25, 5) + Fraction(4 + 25, 7)) / 12),
        "b": f1_of(1, (Fraction(25 + 25, 10) + Fraction(4, 2)) / 12),
        "c": f1_of(1, Fraction(25 + 4 + 25, 12) / 12),
        "d": f1_of((Fraction(5, 5) + Fraction(2, 2) + Fraction(5, 5)) / 12, 1),
    },
    "ceafm": {
        "a": Fraction(5 + 5, 12),
        "b": Fraction(5 + 2, 12),
        "c": Fraction(5, 12),
        "d": Fraction(1 + 1 + 1, 12),
    },
    # the key's links: C(5, 2) + C(2, 2) + C(5, 2) = 21
    "links": {
        "a": Fraction(2 * 21, 21 + (10 + 21)),
        "b": Fraction(2 * 21, 21 + (45 + 1)),
        "c": Fraction(2 * 21, 21 + 66),
        "d": Fraction(0),
    },
    # of C(12, 2) = 66 decisions, all but the wrong links are right; in (d) all but the missing
    "rand": {
        "a": 1 - Fraction(31 - 21, 66),
        "b": 1 - Fraction(46 - 21, 66),
        "c": 1 - Fraction(66 - 21, 66),
        "d": 1 - Fraction(21, 66),
    },
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
@pytest.mark.parametrize("metric", LUO_F1)
def test_luos_four_responses(metric, response):
    f1 = score_entities(LUO_KEY, LUO_RESPONSES[response])[metric].f1
    assert f1 == exactly(LUO_F1[metric][response])
    assert round(100 * f1, 2) == pytest.approx(LUO_PERCENT[metric][response], abs=1e-9)


# --- Recasens & Hovy 2011, Figure 1 --------------------------------------------------------------

RECASENS = score_entities(
    numbers((1,), (2,), (3,), (4,), (6,), (8,), (10,), (11,), (13,), (7, 9), (5, 12, 14)),
    numbers((1,), (2,), (3,), (8,), (10,), (11,), (13,), (4, 6), (5, 12), (7, 9, 14)),
)
# seven singletons are right; {4,6} joins two; {5,12,14} loses 14 to {7,9}
RECASENS_F1 = {
    "muc": (Fraction(2 * (1 + 1), (1 + 2) + (1 + 1 + 2)), 57.14),
    "bcub": (
        f1_of(
            (7 + 2 + Fraction(4, 2) + Fraction(4 + 1, 3)) / 14,
            (7 + Fraction(1 + 1, 2) + Fraction(4, 2) + Fraction(4 + 1, 3)) / 14,
        ),
        86.76,
    ),
    "ceafm": (Fraction(7 + 1 + 2 + 2, 14), 85.71),
    "blanc": (
        (Fraction(2 * 2, (2 + 2) + (2 + 3)) + Fraction(2 * 84, (84 + 3) + (84 + 2))) / 2,
        70.78,
    ),
}


@pytest.mark.parametrize("metric", RECASENS_F1)
def test_the_figure_of_recasens_and_hovy(metric):
    f1, percent = RECASENS_F1[metric]
    assert RECASENS[metric].f1 == exactly(f1)
    assert round(100 * RECASENS[metric].f1, 2) == pytest.approx(percent, abs=1e-9)


def test_the_links_of_recasens_and_hovy():
    """rc right coreference, wn and wc wrongly not and wrongly coreferent, rn right none."""
    coreference = RECASENS["blanc"].parts["coreference"]
    non_coreference = RECASENS["blanc"].parts["non_coreference"]
    rc = coreference.recall_numerator
    wn = coreference.recall_denominator - rc
    wc = coreference.precision_denominator - rc
    rn = non_coreference.recall_numerator
    assert (rc, wn, wc, rn) == (2, 2, 3, 84)
    assert rc + wn + wc + rn == 14 * 13 / 2


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
MOOSAVI_F1 = {
    "cr1": {
        "muc": (Fraction(2 * 6, 7 + 6), 92.31),
        "bcub": (f1_of(Fraction(16 + 16, 8) / 8, Fraction(1)), 66.67),
        "ceafm": (Fraction(4, 8), 50.00),
        "ceafe": (f1_of(Fraction(2 * 4, 12), Fraction(2 * 4, 12) / 2), 44.44),
        "blanc": (Fraction(2 * (6 + 6), 28 + 12), 60.00),  # one entity: coreference alone
    },
    "cr2": {
        "muc": (Fraction(2 * 3, 7 + 3), 60.00),
        "bcub": (f1_of(Fraction(16, 8) / 8, Fraction(1)), 40.00),
        "ceafm": (f1_of(Fraction(4, 8), Fraction(1)), 66.67),
        "ceafe": (Fraction(2 * 4, 8 + 4), 66.67),
        "blanc": (Fraction(2 * 6, 28 + 6), 35.29),  # the paper prints 32.29
    },
}


@pytest.mark.parametrize("metric", MOOSAVI_F1["cr1"])
@pytest.mark.parametrize("response", MOOSAVI_RESPONSES)
def test_the_third_table_of_moosavi_and_strube(response, metric):
    expected, percent = MOOSAVI_F1[response][metric]
    f1 = score_entities(MOOSAVI_KEY, MOOSAVI_RESPONSES[response])[metric].f1
    assert f1 == exactly(expected)
    assert round(100 * f1, 2) == pytest.approx(percent, abs=1e-9)


# --- LEA's self-links ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response", "recall", "precision"),
    [
        ("a", "a", Fraction(1), Fraction(1)),
        ("a", "ab", Fraction(0), Fraction(0)),
        ("ab", "a b", Fraction(0), Fraction(0)),
        # a's self-link and the link bc, of three mentions; a's of two
        ("a bc", "a b", Fraction(1, 3), Fraction(1, 2)),
    ],
)
def test_a_singletons_self_link_is_right_only_if_both_sides_have_the_singleton(
    key, response, recall, precision
):
    lea = score_entities(entities(key), entities(response))["lea"]
    assert (lea.recall, lea.precision) == (exactly(recall), exactly(precision))
