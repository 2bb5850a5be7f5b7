"""The experiments of Luo et al. 2014 and Pradhan et al. 2014: exact values and checks."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from corescore import Corpus, InputError, PolicyError
from corescore.metrics import METRICS
from corescore.replication.experiment import in_paper, run
from corescore.replication.luo2014.examples import (
    BOUNDARY_CASES,
    ERRATA,
    OPEN_READINGS,
    TOY_EXAMPLES,
)
from corescore.replication.luo2014.systems import CORRELATION
from tests.support import oracle
from tests.support.half import OWN, exactly
from tests.support.strategies import corpora_of

SIX = [metric.id for metric in METRICS]


def table_of(experiment, metrics=METRICS, **values):
    return run(experiment, experiment.setting(values, metrics=metrics)).table


def holds(outcome):
    return [check.holds for _, check in outcome.checks]


# Luo et al. 2014: the toy examples ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("example", "f1"),
    [
        ("{abc}{d} / {bc}{de}", (Fraction(2 * 1, 3 + 2) + Fraction(2 * 2, 3 + 4)) / 2),
        ("{a} / {b}", 0),
        ("{a}{b}{c} / {a}{b}{d}", Fraction(2 * 1, 3 + 3)),
        ("{abc} / {bc}", Fraction(2 * 1, 3 + 1)),
    ],
)
def test_the_toy_examples(example, f1):
    table = table_of(TOY_EXAMPLES)
    row = table[(table["example"] == example) & (table["metric"] == "blanc")].iloc[0]
    assert row["f1"] == exactly(f1)


def test_the_parts_of_the_first_example():
    rows = table_of(TOY_EXAMPLES).groupby("metric").first()
    assert rows.loc["links", "recall"] == exactly(Fraction(1, 3))
    assert rows.loc["links", "precision"] == exactly(Fraction(1, 2))
    assert rows.loc["non_coreference", "recall"] == exactly(Fraction(2, 3))
    assert rows.loc["non_coreference", "precision"] == exactly(Fraction(2, 4))


def test_the_claims_on_the_toy_examples_hold():
    assert holds(in_paper(TOY_EXAMPLES)) == [True] * 5


def test_an_example_of_ones_own_takes_the_first_ones_place():
    setting = TOY_EXAMPLES.setting({"key": "{xy}{z}", "response": "{xyz}"})
    outcome = run(TOY_EXAMPLES, setting)
    assert holds(outcome) == [None, True, True, True, True]
    table = outcome.table.set_index(["example", "metric"])
    # F of the links 2·1 / (1 + 3); nothing of the others
    assert table.loc[("{xy}{z} / {xyz}", "blanc"), "f1"] == exactly(Fraction(2, 4) / 2)


def test_a_slash_may_be_a_mention():
    table = table_of(TOY_EXAMPLES, key="{a / b}", response="{a / b}")
    assert set(table[table["example"].str.startswith("{a /")]["f1"].round(9)) == {0, 1}


# Boundary cases -----------------------------------------------------------------------------------


def test_the_rules_part_where_only_the_response_has_a_kind_of_link():
    table = table_of(BOUNDARY_CASES).set_index(["example", "metric"])["f1"]
    parting = table["{abcdef} / {ab}{cde}{f}"]
    f1_c = Fraction(2 * (1 + 3), 15 + 4)
    assert parting["reference"] == exactly(f1_c) == exactly(Fraction(8, 19))
    assert parting["luo2014"] == exactly(f1_c / 2) == exactly(Fraction(4, 19))
    assert parting["recasens2011"] == exactly(f1_c)  # the same mentions on both sides
    assert table["{a} / {a}"].to_dict() == {"reference": 0, "luo2014": 1, "recasens2011": 0}
    # of {abc}{d} and {bc}{de} both sides have b, c and d: there {bc}{d} and {bc}{d}
    assert table["{abc}{d} / {bc}{de}", "recasens2011"] == exactly(1)


def test_the_claims_on_boundary_cases_hold_whatever_is_put_in_front():
    (same,) = (n for n, claim in enumerate(BOUNDARY_CASES.claims) if claim.id == "same-as-old")
    expected = [n != same for n in range(7)]  # the proposition of §4 does not hold
    assert holds(in_paper(BOUNDARY_CASES)) == expected
    outcome = run(BOUNDARY_CASES, BOUNDARY_CASES.setting({"key": "{a}", "response": "{ab}"}))
    assert holds(outcome) == expected
    assert outcome.table["example"].iloc[0] == "{a} / {ab}"


def every_partition(mentions):
    """All partitions of the mentions, from all functions that give each a label."""
    labels = product(range(len(mentions)), repeat=len(mentions))
    return {
        frozenset(
            frozenset(m for m, own in zip(mentions, of, strict=True) if own == name) for name in of
        )
        for of in labels
    }


def blanc_of(key, response, *, where_only_the_response):
    """BLANC of two partitions of the same mentions, from sets of links."""
    pairs = {frozenset(two) for two in combinations(sorted(set().union(*key)), 2)}
    within = [{p for p in pairs if any(p <= e for e in side)} for side in (key, response)]
    parts = []
    for of_key, of_response in (within, [pairs - links for links in within]):
        if of_key or (of_response and where_only_the_response):
            both = len(of_key & of_response)
            parts.append(Fraction(2 * both, len(of_key) + len(of_response)))
    return sum(parts) / len(parts)


def test_the_new_blanc_is_the_old_one_but_where_only_the_response_has_links_of_a_kind():
    n, off, n_within, off_within = 0, 0, 0, 0
    for size in (2, 3, 4):
        every = every_partition("abcd"[:size])
        for key, response in product(every, repeat=2):
            new, old = (
                blanc_of(key, response, where_only_the_response=rule) for rule in (True, False)
            )
            together = any(len(e) > 1 for e in key) or all(len(e) == 1 for e in response)
            apart = len(key) > 1 or len(response) == 1
            n, off = n + 1, off + (new != old)
            if together and apart:
                n_within, off_within = n_within + 1, off_within + (new != old)
    checks = in_paper(BOUNDARY_CASES).by_claim
    assert off_within == 0 < off
    assert f"for {n_within} of {n_within} pairs" in checks["same-by-formulas"].numbers
    assert f"another BLANC for {off} of {n} pairs" in checks["same-as-old"].numbers


def test_the_printed_parts_of_the_examples_come_out():
    beside = in_paper(TOY_EXAMPLES).beside(*TOY_EXAMPLES.printed)
    told = beside[beside["printed"] != ""]
    assert len(told) == 14
    assert not told["differs"].any()
    for row in told.to_dict("records"):
        assert row["computed"] == exactly(Fraction(row["printed"]))


def test_links_that_the_other_side_does_not_have_at_all():
    check = in_paper(TOY_EXAMPLES).by_claim["on-no-list"]
    # {abc}{de} has the ten links of five mentions, {bc}{efg} those of another five
    key, response = (set(map("".join, combinations(side, 2))) for side in ("abcde", "bcefg"))
    assert ", ".join(sorted(key - response)) in check.numbers
    assert check.numbers.endswith(", ".join(sorted(response - key)))


def test_the_errata_are_off_and_say_how():
    rand, proof = (erratum.arithmetic() for erratum in ERRATA)
    assert rand.holds is proof.holds is False
    # {abc}{defg}: 3 + 6 links within the entities, 3 · 4 between them
    assert "(9 + 12) / 21 = 1;" in rand.numbers
    assert f"21 / {21 * 20 // 2} = 0.1" in rand.numbers
    assert "|C_k ∩ T_r| = 9" in proof.numbers
    (proposition,) = (one.arithmetic() for one in OPEN_READINGS)
    assert f"recasens2011 {float(100 * Fraction(8, 19)):.2f}" in proposition.numbers
    assert [one.holds for one in proposition.readings] == [True, False]


@pytest.mark.parametrize("experiment", [TOY_EXAMPLES, BOUNDARY_CASES])
def test_a_text_that_is_no_partition_is_refused(experiment):
    with pytest.raises(InputError, match="entities in braces"):
        experiment.setting({"response": "abc"})


# Correlation over documents -----------------------------------------------------------------------

PAIRS = [
    ([[0, 1, 2], [3]], [[0, 1, 2], [3]]),
    ([[0, 1, 2], [3]], [[0, 1], [2], [3]]),
    ([[0, 1], [2, 3]], [[0, 1, 2, 3]]),
    ([[0, 1], [2, 3], [4]], [[0, 1], [2, 3, 4]]),
    ([[0, 1, 2, 3]], [[0, 2], [1, 3]]),
    ([[0], [1]], [[0], [1]]),  # nothing for MUC
]


def correlated(pairs=PAIRS, metrics=METRICS, **values):
    key, response = corpora_of(pairs)
    setting = CORRELATION.setting(values, metrics=metrics, key=key, response=response)
    return run(CORRELATION, setting)


def test_the_correlation_is_that_of_the_documents_both_metrics_score():
    table = correlated().drawn.set_index(["metric", "other"])
    assert table.loc[("muc", "bcub"), "documents"] == 5
    assert table.loc[("bcub", "bcub"), "documents"] == 6
    scores = {
        metric: [float(oracle.score(metric, [_sets(p)], empty=None).f1) for p in PAIRS[:5]]
        for metric in ("muc", "bcub")
    }
    expected = np.corrcoef(scores["muc"], scores["bcub"])[0, 1]
    assert table.loc[("muc", "bcub"), "correlation"] == pytest.approx(expected, abs=1e-12)


def test_recall_and_precision_are_correlated_too_without_the_average():
    table = correlated().table.set_index(["metric", "other", "measure"])["correlation"]
    recall = {
        metric: [float(oracle.score(metric, [_sets(p)], empty=None).recall) for p in PAIRS[:5]]
        for metric in ("muc", "bcub")
    }
    expected = np.corrcoef(recall["muc"], recall["bcub"])[0, 1]
    assert table["muc", "bcub", "recall"] == pytest.approx(expected, abs=1e-12)
    assert ("conll", "bcub", "f1") in table.index
    assert ("conll", "bcub", "precision") not in table.index


def test_table_3_stands_beside_the_documents_and_is_not_said_to_differ():
    outcome = correlated()
    (printed,) = CORRELATION.printed
    beside = outcome.beside(printed)
    assert not beside["differs"].any()
    table = outcome.table.set_index(["metric", "other", "measure"])["correlation"]
    for row in beside.to_dict("records"):
        expected = table[row["metric"], "blanc", row["measure"]]
        assert row["computed"] == pytest.approx(expected, nan_ok=True)


def _sets(pair):
    return tuple([frozenset(entity) for entity in side] for side in pair)


def test_the_matrix_is_symmetric_with_ones_and_has_every_metric_and_the_average():
    table = correlated(metrics=(*METRICS, OWN)).drawn
    matrix = table.pivot(index="metric", columns="other", values="correlation")
    assert set(matrix) == {*SIX, "conll", "own"}
    assert matrix["own"].isna().all()  # it never varies
    known = matrix.drop(index="own", columns="own").to_numpy()
    assert known == pytest.approx(known.T, abs=1e-12)
    assert np.diag(known) == pytest.approx(1)


def test_the_order_alone_gives_other_numbers():
    pearson, spearman, kendall = (
        correlated(coefficient=name).drawn["correlation"]
        for name in ("pearson", "spearman", "kendall")
    )
    assert not np.allclose(pearson, spearman)
    assert not np.allclose(spearman, kendall)
    with pytest.raises(PolicyError, match="pearson"):
        correlated(coefficient="eye")


def test_the_check_gives_the_numbers_and_needs_five_documents():
    ((_, many),) = correlated().checks
    table = correlated().drawn.set_index(["metric", "other"])["correlation"]
    strong = all(table["blanc", other] >= 0.8 for other in ("muc", "bcub", "ceafm", "ceafe"))
    assert many.holds is strong
    assert f"{table['blanc', 'muc']:.3f} over 5 documents" in many.numbers
    ((_, few),) = correlated(PAIRS[:4]).checks
    assert few.holds is None
    assert "4 documents, too few" in few.numbers


def test_scores_that_never_vary_tell_nothing():
    ((_, check),) = correlated([PAIRS[0]] * 6).checks
    assert check.holds is None
    assert "the same score on all 6 documents" in check.numbers


def test_outputs_that_are_all_alike_or_all_wrong_alike_are_strongly_correlated():
    """Perfect documents and documents of broken links: every metric sees which is which."""
    perfect, broken = ([[0, 1], [2, 3]],) * 2, ([[0, 1], [2, 3]], [[0, 2], [1, 3]])
    ((_, check),) = correlated([perfect, broken] * 3).checks
    assert check.holds is True


def test_without_data_there_is_no_correlation():
    with pytest.raises(PolicyError, match="runs on data"):
        CORRELATION.setting()
    with pytest.raises(PolicyError, match="runs on data"):
        CORRELATION.setting(key=Corpus(()))
