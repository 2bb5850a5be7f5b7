"""p corrected by max T, and the intervals and the equivalence that agree with it."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.analysis.significance.exchanges import randomisation
from corescore.analysis.significance.resamples import intervals_of
from corescore.counting.counts import MEASURES, Counts
from corescore.metrics import METRICS
from corescore.metrics.lea import LEA
from tests.support import oracle
from tests.support.rivals import damaged, partitions, results

SIX = [metric.id for metric in METRICS]
F1 = MEASURES.index("f1")
KEY = partitions(30, seed=1)
FIRST, SECOND = damaged(KEY, 0.3, seed=2), damaged(KEY, 0.4, seed=3)
A, B = results(KEY, FIRST, SECOND)
(ONLY_LEA,) = results(KEY, FIRST, metrics=(LEA,))


def f1_differences(metric, key, first, second):
    """The difference of F1 after each of all exchanges, in fractions; the observed one first."""
    counts = [
        [oracle.COUNTS[metric](pair) for pair in zip(key, side, strict=True)]
        for side in (first, second)
    ]

    def f1_of(counts):
        if metric == "blanc":
            return oracle.blanc_ratios(counts, empty=Fraction(0)).f1
        return oracle.ratios(counts[0], empty=Fraction(0)).f1

    def difference(exchange):
        first, second = (
            oracle.total(counts[at ^ swap][n] for n, swap in enumerate(exchange)) for at in (0, 1)
        )
        return f1_of(second) - f1_of(first)

    return [difference(exchange) for exchange in product((0, 1), repeat=len(key))]


def test_max_t_of_few_documents_is_that_of_all_exchanges_in_fractions():
    key, first, second = KEY[:7], FIRST[:7], SECOND[:7]
    squares = {}  # of T, as its root is no fraction
    for metric in SIX:
        every = [d**2 for d in f1_differences(metric, key, first, second)]
        squares[metric] = [d * len(every) / sum(every) for d in every]
    largest = [max(of_one) for of_one in zip(*squares.values(), strict=True)]
    found = randomisation(*results(key, first, second))
    for metric in SIX:
        expected = Fraction(sum(t >= squares[metric][0] for t in largest), len(largest))
        assert found.p_max[found.metrics.index(metric), F1] == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_max_t_of_drawn_exchanges_is_that_of_a_plain_loop(measure):
    of = randomisation(A, B, trials=200)
    drawn = {name: of.exchanged_of(name, measure).tolist() for name in SIX}
    observed = {name: getattr(B[name], measure) - getattr(A[name], measure) for name in SIX}
    spread = {
        name: (sum(d * d for d in [*drawn[name], observed[name]]) / 201) ** 0.5 for name in SIX
    }
    largest = [max(abs(drawn[name][trial]) / spread[name] for name in SIX) for trial in range(200)]
    for name in SIX:
        at_least = sum(t >= abs(observed[name]) / spread[name] - 1e-9 for t in largest)
        assert of.p_max[of.place(name, measure)] == (at_least + 1) / 201


def test_max_t_is_not_below_p_and_not_of_what_is_outside_the_family():
    found = randomisation(A, B, trials=500)
    six = [found.metrics.index(name) for name in SIX]
    assert (found.p_max[six] >= found.p[six]).all()
    rest = [at for at, name in enumerate(found.metrics) if name not in SIX]
    assert np.isnan(found.p_max[rest]).all()
    assert found.n_tests == 6


def test_six_equal_metrics_need_no_correction():
    """All documents favour one response, under every metric: the exchanges that p counts are those
    that max T counts, and Holm multiplies by six."""
    key = KEY[:7]
    apart = [[{mention} for entity in side for mention in entity] for side in key]
    found = randomisation(*results(key, apart, key))
    at = found.metrics.index("lea"), F1
    assert found.p[at] == found.p_max[at] == 2 / 2**7
    assert found.p_holm[at] == 6 * 2 / 2**7


def test_a_system_does_not_differ_from_itself():
    of = randomisation(A, A, trials=100)
    assert np.nanmin(of.p_max) == 1
    assert (np.nan_to_num(of.intervals(0.95)) == 0).all()
    assert of.equivalence(0.01).table["equivalent"].all()


# --- Intervals -----------------------------------------------------------------------------------

pairs = st.builds(
    lambda seed, n, shares, trials: (seed, n, shares, trials),
    st.integers(0, 10_000),
    st.integers(1, 15),
    st.tuples(st.sampled_from([0, 0.1, 0.5, 0.9]), st.sampled_from([0, 0.2, 0.6, 1])),
    st.sampled_from([10, 39, 199]),
)


def exchanged_pair(pair):
    seed, n, shares, trials = pair
    key = partitions(n, seed=seed)
    responses = [damaged(key, share, seed=seed + at) for at, share in enumerate(shares)]
    return randomisation(*results(key, *responses), trials=trials)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(pairs, st.sampled_from([0.8, 0.95]))
def test_an_interval_leaves_0_out_exactly_where_the_adjusted_p_is_small(pair, level):
    of = exchanged_pair(pair)
    adjusted = np.where(np.isnan(of.p_max), of.p, of.p_max)
    low, high = np.moveaxis(of.intervals(level), -1, 0)
    is_small = adjusted < round(1 - level, 12)
    assert (((low > 0) | (high < 0)) == is_small).all()
    tells = ~np.isnan(low)
    assert (low <= of.difference + 1e-12)[tells].all()
    assert (high >= of.difference - 1e-12)[tells].all()
    assert np.isnan(low[is_small]).sum() == 0


@settings(max_examples=20, deadline=None, derandomize=True)
@given(pairs, st.sampled_from([0.001, 0.05, 0.3, 0.9]))
def test_systems_are_equivalent_exactly_where_the_interval_lies_within_the_margin(pair, margin):
    found = exchanged_pair(pair).equivalence(margin)
    low, high = np.moveaxis(found.interval, -1, 0)
    within = (-margin < low) & (high < margin)
    assert ((found.p < 0.05) == within).all()


def test_swapping_the_systems_mirrors_the_intervals():
    forward, back = (randomisation(*of, trials=500).intervals(0.95) for of in ((A, B), (B, A)))
    np.testing.assert_allclose(forward, -back[..., ::-1], atol=1e-12)


def test_with_few_documents_or_trials_no_interval_is_claimed():
    five = randomisation(*results(KEY[:5], FIRST[:5], SECOND[:5]))
    assert np.isnan(five.intervals(0.95)).all()
    assert np.isfinite(five.intervals(0.9)[: len(SIX)]).all()
    assert np.isnan(randomisation(A, B, trials=10).intervals(0.95)).all()


def with_counts(right, size):
    counts = Counts.of(right, size, right, size)
    return replace(ONLY_LEA, counts={**ONLY_LEA.counts, "lea": counts})


def simulated(rng, gain):
    """Two systems' credits in documents of unlike sizes: that of the second is larger by `gain` of
    what there is to earn."""
    size = rng.integers(5, 60, len(KEY))
    return [
        with_counts(size * (0.5 + more + rng.normal(0, 0.1, len(KEY))), size) for more in (0, gain)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("gain", [0.0, 0.3])
def test_intervals_hold_the_difference_as_often_as_they_say(gain):
    rng, held = np.random.default_rng(11), []
    for run in range(400):
        of = randomisation(*simulated(rng, gain), trials=399, seed=run)
        low, high = of.intervals(0.95)[of.place("lea", "f1")]
        held.append(low <= gain <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


def test_a_single_metric_has_nearly_the_interval_of_the_bootstrap():
    of_lea = simulated(np.random.default_rng(3), 0.3)
    of = randomisation(*of_lea)
    ours = of.intervals(0.95)[of.place("lea", "f1")]
    bootstrap = intervals_of(*of_lea)
    (theirs,) = bootstrap.percentile[[bootstrap.metrics.index("lea")], F1]
    assert np.abs(ours - theirs).max() < 0.15 * np.ptp(theirs)


# --- Equivalence ---------------------------------------------------------------------------------


def test_what_differs_by_less_than_the_margin_is_equivalent_and_what_differs_by_more_is_not():
    rng = np.random.default_rng(5)
    near, far = (randomisation(*simulated(rng, gain)) for gain in (0, 0.3))
    at = near.place("lea", "f1")
    assert near.equivalence(0.25).p[at] < 0.001
    assert far.equivalence(0.15).p[at] > 0.999
    assert near.equivalence(0.001).p[at] > 0.05


def test_equivalence_at_the_null_is_half_of_the_two_sided_p():
    """A margin of all but nothing asks whether b − a is above 0 or below 0."""
    of = randomisation(A, B)
    at = of.place("lea", "f1")
    assert of.equivalence(1e-13).p[at] == pytest.approx(1 - of.p[at] / 2)


@pytest.mark.parametrize("margin", [0, -0.1, 1, 5])
def test_a_margin_that_makes_no_sense_is_refused(margin):
    with pytest.raises(ValueError, match="margin is"):
        randomisation(A, B, trials=10).equivalence(margin)
