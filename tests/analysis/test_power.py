"""Can the data tell: the smallest difference that is found, checked by simulation; and its size."""

from dataclasses import fields, replace

import numpy as np
import pytest

from corescore import PolicyError
from corescore.analysis.significance.exchanges import randomisation
from corescore.analysis.significance.power import detectable, effect
from corescore.counting.counts import MEASURES, Counts
from corescore.metrics.lea import LEA
from tests.support.rivals import damaged, partitions, results

KEY = partitions(30, seed=1)
FIRST, SECOND = damaged(KEY, 0.3, seed=2), damaged(KEY, 0.4, seed=3)
A, B = results(KEY, FIRST, SECOND)


def of_first(n):
    return results(KEY[:n], FIRST[:n], SECOND[:n])


def with_credit(result, right, size):
    counts = Counts.of(right, size, right, size)
    return replace(result, counts={**result.counts, "lea": counts})


def credited(n, *, seed):
    """Two systems by LEA alone, their credits, and the sizes of the documents."""
    rng = np.random.default_rng(seed)
    size = rng.integers(5, 60, n).astype(float)
    right = [size * (0.5 + rng.normal(0, 0.1, n)) for _ in "AB"]
    (made,) = results(KEY[:n], FIRST[:n], metrics=(LEA,))
    return made, right, size


@pytest.mark.slow
@pytest.mark.parametrize("n", [9, 30])
def test_the_difference_is_found_as_often_as_said(n):
    """Corpora of resampled documents, in which the difference is as said, tested as any other."""
    made, right, size = credited(n, seed=4)
    a, b = (with_credit(made, of, size) for of in right)
    said = detectable(a, b, randomisation(a, b), "lea")
    observed = (right[1].sum() - right[0].sum()) / size.sum()
    rng, found = np.random.default_rng(9), []
    for run in range(400):
        sign = (-1, 1)[run % 2]
        rows = rng.integers(n, size=n)
        of_b = right[1] + (sign * said.difference - observed) * size
        resampled = [with_credit(made, of[rows], size[rows]) for of in (right[0], of_b)]
        test = randomisation(*resampled, trials=999, seed=run)
        at = test.metrics.index("lea"), MEASURES.index("f1")
        found.append(test.p[at] < 0.05 and sign * test.difference[at] > 0)
    assert np.mean(found) == pytest.approx(0.8, abs=0.08)


def resampled(result, rows):
    counts = {
        name: type(of)(*(getattr(of, field.name)[rows] for field in fields(of)))
        for name, of in result.counts.items()
    }
    return replace(result, counts=counts)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("metric", ["conll", "lea", "blanc"])
def test_the_observed_difference_is_found_as_often_as_in_resampled_documents(metric):
    """Documents are resampled as they are, with no difference taken off or put in: the share of
    corpora in which b − a is significant is the power for what was observed."""
    a, b = results(KEY, FIRST, damaged(KEY, 0.45, seed=3))
    rng, found = np.random.default_rng(1), []
    for run in range(200):
        rows = rng.integers(len(KEY), size=len(KEY))
        test = randomisation(resampled(a, rows), resampled(b, rows), trials=499, seed=run)
        found.append(test.p[test.metrics.index(metric), MEASURES.index("f1")] < 0.05)
    said = detectable(a, b, randomisation(a, b), metric, power=float(np.mean(found)))
    assert said.difference == pytest.approx(a[metric].f1 - b[metric].f1, rel=0.15)


def test_more_documents_more_tests_and_more_power_move_it_as_they_must():
    of = randomisation(A, B)
    said = detectable(A, B, of, "lea").difference
    fewer = of_first(15)
    assert detectable(*fewer, randomisation(*fewer), "lea").difference > said
    assert detectable(A, B, of, "lea", alpha=0.05 / 6).difference > said
    assert detectable(A, B, of, "lea", power=0.95).difference > said
    assert said == pytest.approx(0.17, abs=0.02)


def test_neither_the_order_of_systems_nor_a_second_call_changes_it():
    forward = detectable(A, B, randomisation(A, B), "conll")
    assert detectable(A, B, randomisation(A, B), "conll") == forward
    assert detectable(B, A, randomisation(B, A), "conll").difference == forward.difference


@pytest.mark.parametrize(("n", "trials"), [(1, 1000), (5, 1000), (30, 10)])
def test_no_difference_is_found_where_none_can_be_significant(n, trials):
    both = of_first(n)
    said = detectable(*both, randomisation(*both, trials=trials), "lea")
    assert said.difference == np.inf
    assert said.resamples == 0


def test_equal_systems_do_not_show_how_far_documents_vary():
    assert detectable(A, A, randomisation(A, A, trials=100), "lea").difference == 0


def test_what_makes_no_sense_is_refused():
    of = randomisation(A, B, trials=10)
    with pytest.raises(ValueError, match=r"power is 1\.5"):
        detectable(A, B, of, "lea", power=1.5)
    with pytest.raises(PolicyError, match="rouge"):
        detectable(A, B, of, "rouge")
    with pytest.raises(PolicyError, match="recall"):
        detectable(A, B, of, "conll", measure="recall")


def test_the_effect_counts_documents_and_standardises_their_differences():
    """Document differences of +0.2, +0.1, 0 and −0.1: mean 0.05, standard deviation √(0.05/3)."""
    made, _, _ = credited(4, seed=1)
    size = np.full(4, 10.0)
    a = with_credit(made, np.array([5.0, 5.0, 5.0, 5.0]), size)
    b = with_credit(made, np.array([7.0, 6.0, 5.0, 4.0]), size)
    found = effect(a, b, "lea")
    assert (found.won_a, found.won_b, found.ties) == (1, 2, 1)
    assert found.mean == pytest.approx(0.05)
    assert found.standardised == pytest.approx(0.05 / (0.05 / 3) ** 0.5)
    assert effect(b, a, "lea").standardised == pytest.approx(-found.standardised)
    assert np.isnan(effect(a, a, "lea").standardised)
    assert np.isnan(effect(*of_first(1), "lea").standardised)
