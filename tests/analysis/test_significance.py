"""p-values and intervals, alone and corrected by max T."""

import random
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import PolicyError, score, score_entities
from corescore.analysis import significance
from corescore.analysis.significance import holm, intervals_of, randomisation
from corescore.counting.counts import MEASURES, Counts
from corescore.metrics import METRICS
from corescore.metrics.standard import LEA
from tests.support import oracle
from tests.support.samples import corpus, damaged, partitions, results

# p-values and intervals: against every exchange there is, against scipy, and by -------------------

SIX = [metric.id for metric in METRICS]
KEY = partitions(30, seed=1)
FIRST, SECOND = damaged(KEY, 0.3, seed=2), damaged(KEY, 0.4, seed=3)
A, B = results(KEY, FIRST, SECOND)
(ONLY_LEA,) = results(KEY, FIRST, metrics=(LEA,))


def p_of(test, metric, measure="f1"):
    return test.p[test.metrics.index(metric), MEASURES.index(measure)]


def interval_of(intervals, metric, measure="f1"):
    row = intervals.table.set_index(["metric", "measure"]).loc[(metric, measure)]
    return row[["low", "high"]].to_numpy(), row[["bca_low", "bca_high"]].to_numpy()


# --- Randomisation -------------------------------------------------------------------------------


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


def error_of(p, trials):
    """Four standard errors of an estimated p, and what the + 1 adds."""
    return 4 * (p * (1 - p) / trials) ** 0.5 + 1 / trials


@pytest.mark.parametrize("metric", ["muc", "bcub", "blanc", "lea"])
def test_p_is_that_of_all_exchanges_or_if_they_are_drawn_near_it(metric, monkeypatch):
    sides = KEY[:8], FIRST[:8], SECOND[:8]
    every = [abs(d) for d in f1_differences(metric, *sides)]
    exact = sum(d >= every[0] for d in every) / len(every)
    found = randomisation(*results(*sides), trials=1)
    assert p_of(found, metric) == exact
    assert (found.is_exact, found.trials, found.smallest_p) == (True, 256, 2 / 256)
    monkeypatch.setattr(significance, "MOST_ENUMERATED", 7)
    found = randomisation(*results(*sides))
    assert (found.is_exact, found.trials, found.smallest_p) == (False, 10_000, 1 / 10_001)
    assert p_of(found, metric) == pytest.approx(exact, abs=error_of(exact, 10_000))


def test_thirteen_documents_are_enumerated_and_fourteen_are_not():
    few, more = (results(KEY[:n], FIRST[:n], SECOND[:n]) for n in (13, 14))
    assert (
        randomisation(*few, trials=10).trials
        == len(randomisation(*few).exchanged_of("lea"))
        == 8192
    )
    assert randomisation(*more, trials=10).trials == 10


def f1_of_rows(counts, rows, axis=-1):
    """F1 of sums of rows of counts, in the way of a text book."""
    sums = {name: getattr(counts, name)[:, 0][rows].sum(axis=axis) for name in counts.__slots__}
    recall = sums["recall_numerator"] / sums["recall_denominator"]
    precision = sums["precision_numerator"] / sums["precision_denominator"]
    return 2 * recall * precision / (recall + precision)


def test_neither_the_order_of_documents_nor_of_systems_changes_p():
    order = list(range(len(KEY)))
    random.Random(5).shuffle(order)
    names = [f"d{at}" for at in order]
    key, first, second = (
        corpus([side[at] for at in order], names) for side in (KEY, FIRST, SECOND)
    )
    test = randomisation(A, B, trials=500)
    shuffled = randomisation(score(key, first), score(key, second), trials=500)
    swapped = randomisation(B, A, trials=500)
    assert np.array_equal(test.p, shuffled.p, equal_nan=True)
    assert np.array_equal(test.p, swapped.p, equal_nan=True)
    np.testing.assert_array_equal(test.difference, -swapped.difference)


def test_p_counts_the_trials_that_are_as_large():
    test = randomisation(A, B, trials=999)
    for metric, measure in (("lea", "recall"), ("conll", "f1"), ("blanc", "precision")):
        drawn = randomisation(A, B, trials=999).exchanged_of(metric, measure)
        observed = getattr(B[metric], measure) - getattr(A[metric], measure)
        as_large = int((abs(drawn) >= abs(observed) - 1e-12).sum())
        assert p_of(test, metric, measure) == (as_large + 1) / 1000


def test_a_system_does_not_differ_from_itself():
    test = randomisation(A, A, trials=200)
    assert np.nanmin(test.p) == np.nanmin(test.p_max) == 1
    assert (np.nan_to_num(test.intervals(0.95)) == 0).all()
    intervals = intervals_of(A, A, trials=200).table.set_index(["metric", "measure"])
    assert (intervals == 0).all(axis=None)


def with_counts(result, metric, *arrays):
    return replace(result, counts={**result.counts, metric: Counts.of(*arrays)})


def simulated(rng, gain):
    """Two systems' credits in documents of unlike sizes: each mention's half on average, the
    second's more by `gain`. They are not whole numbers: differences that tie would make p larger
    than uniform."""
    size = rng.integers(5, 60, len(KEY))
    right = [size * (0.5 + more + rng.normal(0, 0.1, len(KEY))) for more in (0, gain)]
    return [with_counts(ONLY_LEA, "lea", n, size, n, size) for n in right]


@pytest.mark.slow
def test_p_is_uniform_where_nothing_differs():
    rng = np.random.default_rng(7)
    found = [
        p_of(randomisation(*simulated(rng, 0), trials=199, seed=run), "lea") for run in range(400)
    ]
    assert scipy.stats.kstest(found, "uniform").pvalue > 0.05
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.03)


def test_a_planted_difference_is_found():
    rng = np.random.default_rng(8)
    found = [p_of(randomisation(*simulated(rng, 0.2), trials=199), "lea") for _ in range(20)]
    assert max(found) < 0.01


def test_holm_multiplies_by_how_many_are_left_and_never_falls():
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.5, 0.9])).tolist() == [1, 1]
    assert holm(np.array([np.nan, 0.02, 0.01])) == pytest.approx([np.nan, 0.02, 0.02], nan_ok=True)


# --- Bootstrap -----------------------------------------------------------------------------------


def of_scipy(statistic, n, method):
    found = scipy.stats.bootstrap(
        (np.arange(n),),
        statistic,
        vectorized=True,
        n_resamples=10_000,
        method=method,
        rng=np.random.default_rng(3),
    ).confidence_interval
    return np.array([found.low, found.high])


def check_against_scipy(found, statistic, n):
    percentile, bca = found
    tolerance = 0.04 * np.ptp(percentile)  # four standard errors of the difference of two quantiles
    for mine, method in ((percentile, "percentile"), (bca, "BCa")):
        assert np.abs(mine - of_scipy(statistic, n, method)).max() < tolerance
    return tolerance


@pytest.mark.parametrize("metric", ["ceafm", "lea"])
def test_intervals_of_a_difference_are_near_those_of_scipy(metric):
    def difference(rows, axis=-1):
        return f1_of_rows(B.counts[metric], rows, axis) - f1_of_rows(A.counts[metric], rows, axis)

    found = interval_of(intervals_of(A, B), metric)
    check_against_scipy(found, difference, len(KEY))


def test_bca_is_near_that_of_scipy_where_it_moves_the_interval():
    size = np.append(np.full(11, 5.0), 60.0)
    right = np.append(np.tile([2.0, 5.0, 1.0], 4)[:11], 57.0)
    key = partitions(12, seed=4)
    skewed = with_counts(*results(key, key), "lea", right, size, right, size)
    found = interval_of(intervals_of(skewed), "lea", "recall")

    def recall(rows, axis=-1):
        return right[rows].sum(axis=axis) / size[rows].sum(axis=axis)

    tolerance = check_against_scipy(found, recall, 12)
    assert np.abs(found[0] - found[1]).max() > 2 * tolerance


@pytest.mark.parametrize("metric", ["blanc", "lea", "conll"])
def test_jackknife_intervals_are_student_t_over_scores_without_each_document(metric):
    n = len(KEY)
    without = [A.rows(np.delete(np.arange(n), at))[metric].f1 for at in range(n)]
    error = np.sqrt((n - 1) / n * np.square(np.array(without) - np.mean(without)).sum())
    reach = scipy.stats.t.ppf(0.975, n - 1) * error
    row = intervals_of(A, trials=1).table.query("metric == @metric and measure == 'f1'").iloc[0]
    assert (row["t_low"], row["t_high"]) == pytest.approx(
        (A[metric].f1 - reach, A[metric].f1 + reach)
    )


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 12])
def test_the_intervals_that_are_shown_hold_the_truth_in_92_percent_of_samples(n):
    """Samples of documents from a population of 500, whose score is the truth."""
    key = partitions(500, seed=7)
    population = results(key, damaged(key, 0.5, seed=8), key)[0]
    truth = {metric: population[metric].f1 for metric in SIX}
    rng, held = np.random.default_rng(0), dict.fromkeys(SIX, 0)
    samples = 600
    for _ in range(samples):
        sample = population.rows(rng.choice(500, n, replace=False))
        table = intervals_of(sample, trials=1).table.query("measure == 'f1'").set_index("metric")
        for metric in SIX:
            held[metric] += table["t_low"][metric] <= truth[metric] <= table["t_high"][metric]
    assert {metric: number / samples for metric, number in held.items()} == dict.fromkeys(
        SIX, pytest.approx(0.96, abs=0.04)
    )


def test_intervals_hold_the_score_and_grow_with_the_level():
    narrow, wide = (intervals_of(A, level=level, trials=2000).table for level in (0.5, 0.99))
    assert set(narrow["metric"]) == set(A.scores)
    for low, high in (("low", "high"), ("bca_low", "bca_high")):
        assert (wide[low] < narrow[low]).all()
        assert (narrow[high] < wide[high]).all()
        assert wide["value"].between(wide[low], wide[high]).all()


def test_swapping_the_systems_mirrors_the_intervals():
    pairs = (A, B), (B, A)
    of = [(intervals_of(*pair, trials=500), randomisation(*pair, trials=500)) for pair in pairs]
    forward, back = ([one.percentile, one.bca, two.intervals(0.95)] for one, two in of)
    for there, mirrored in zip(forward, back, strict=True):
        np.testing.assert_allclose(there, -mirrored[..., ::-1], atol=1e-10)


def test_what_cannot_be_estimated_is_missing_and_what_does_not_vary_has_no_width():
    key, response = [KEY[0]] * 25, [FIRST[0]] * 25
    alike, other = results(key, response, key)
    alone = results(key[:1], response[:1], key[:1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        intervals = intervals_of(alike, other, trials=100).table
        of_one = intervals_of(alone[0], trials=100).table
        p = randomisation(*alone, trials=100).p
    for name in ("low", "high", "bca_low", "bca_high"):
        assert intervals[name].to_numpy() == pytest.approx(intervals["value"].to_numpy())
        assert of_one[name].isna().all()
    assert np.isnan(p).all()
    assert of_one["value"].notna().all()


def test_few_documents_are_warned_of():
    few = results(KEY[:19], FIRST[:19], SECOND[:19])
    assert "19 documents" in randomisation(*few, trials=200).warnings[0]
    assert "19 documents" in intervals_of(few[0], trials=10).warnings[0]
    assert randomisation(*results(KEY[:20], FIRST[:20], SECOND[:20]), trials=200).warnings == ()


@pytest.mark.parametrize(
    "n_documents, trials, warning",
    [
        (1, 100, "1 document: a difference cannot be tested."),
        (5, 100, "With 5 documents, p cannot be below 0.0625: no difference can be significant."),
        (
            7,
            100,
            "With 7 documents, p cannot be below 0.0156: after Holm’s correction for 6 tests no "
            "difference can be significant; that takes 8 documents. Corrected by max T one can be.",
        ),
        (
            20,
            100,
            "With 100 trials, p cannot be below 0.0099: after Holm’s correction for 6 tests no "
            "difference can be significant; take 120 trials or more. Corrected by max T one can "
            "be.",
        ),
        (20, 10, "With 10 trials, p cannot be below 0.0909: no difference can be significant."),
    ],
)
def test_it_is_said_where_no_difference_can_be_significant(n_documents, trials, warning):
    systems = results(*(side[:n_documents] for side in (KEY, FIRST, SECOND)))
    assert randomisation(*systems, trials=trials).warnings[-1] == warning


# --- What is refused -----------------------------------------------------------------------------


def test_only_results_over_one_key_compare():
    other_key = score(corpus(FIRST), corpus(SECOND))
    shorter = score(corpus(KEY[:-1]), corpus(SECOND[:-1]))
    dropped = score(corpus(KEY), corpus(SECOND), singletons="drop")
    fewer = score(corpus(KEY), corpus(SECOND), metrics=METRICS[:2])
    for other, said in (
        (other_key, r"different keys.*'d0' has \d+ mentions in \d+ entities in A and \d+ mentions"),
        (shorter, "only A has document 'd29'"),
        (dropped, "singletons is 'keep' in A and 'drop' in B"),
        (fewer, "different metrics"),
    ):
        for compare in (randomisation, intervals_of):
            with pytest.raises(ValueError, match=said):
                compare(A, other)


def test_a_key_of_names_is_one_key_whatever_names_the_responses_add():
    key = [["a", "b", "c"], ["d"]]
    a, b = (score_entities(key, response) for response in ([["a", "x"]], [["a", "b"], ["y", "z"]]))
    assert randomisation(a, b, trials=10).n_documents == 1
    with pytest.raises(ValueError, match="different keys"):
        randomisation(a, score_entities([["a", "b"], ["c", "d"]], key))


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="trials is 0"):
        randomisation(A, B, trials=0)
    for ask in (randomisation, lambda a, b, trials: a.compare(b, trials=trials)):
        with pytest.raises(ValueError, match="trials is 1000000000000; expected 1,000,000 at most"):
            ask(A, B, trials=10**12)
    with pytest.raises(ValueError, match="seed is -1"):
        intervals_of(A, seed=-1)
    with pytest.raises(ValueError, match="level is 95"):
        intervals_of(A, level=95)
    with pytest.raises(PolicyError, match="metric is 'rouge'"):
        randomisation(A, B, trials=1).exchanged_of("rouge")
    with pytest.raises(PolicyError, match="measure is 'recall'; expected one of: f1"):
        randomisation(A, B, trials=1).exchanged_of("conll", "recall")


# p corrected by max T, and the intervals that agree with it ---------------------------------------

F1 = MEASURES.index("f1")


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


def test_max_t_and_holm_are_over_the_six_of_each_measure():
    found = randomisation(A, B, trials=500)
    six = [found.metrics.index(name) for name in SIX]
    rest = [at for at, name in enumerate(found.metrics) if name not in SIX]
    assert (found.p_max[six] >= found.p[six]).all()
    assert np.isnan(found.p_max[rest]).all()
    for column in range(len(MEASURES)):
        assert found.p_holm[six, column].tolist() == holm(found.p[six, column]).tolist()
    assert np.isnan(found.p_holm[rest]).all()
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


@settings(derandomize=True)
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


def test_with_few_documents_or_trials_no_interval_is_claimed():
    five = randomisation(*results(KEY[:5], FIRST[:5], SECOND[:5]))
    assert np.isnan(five.intervals(0.95)).all()
    assert np.isfinite(five.intervals(0.9)[: len(SIX)]).all()
    assert np.isnan(randomisation(A, B, trials=10).intervals(0.95)).all()


@pytest.mark.slow
@pytest.mark.parametrize("gain", [0.0, 0.3])
def test_intervals_hold_the_difference_as_often_as_they_say(gain):
    rng, held = np.random.default_rng(11), []
    for run in range(400):
        of = randomisation(*simulated(rng, gain), trials=399, seed=run)
        low, high = of.intervals(0.95)[of.place("lea", "f1")]
        held.append(low <= gain <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)
