"""Two systems with several runs each: what is resampled, what is exchanged, and the plain loops."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.analysis.significance import ByExchanges, Resamples, blocks_of
from corescore.analysis.systems import runs as crossing
from corescore.analysis.systems.pair import Pair
from corescore.analysis.systems.runs import PairOverRuns, p_of_runs, run_weights
from corescore.counting.counts import MEASURES
from tests.support import oracle
from tests.support.samples import damaged, partitions, results

F1 = MEASURES.index("f1")
KEY = partitions(30, seed=1)
RUNS_A = [damaged(KEY, 0.3, seed=seed) for seed in (2, 3, 4)]
RUNS_B = [damaged(KEY, 0.4, seed=seed) for seed in (5, 6)]
A, B = results(KEY, *RUNS_A), results(KEY, *RUNS_B)


def f1_of(counts):
    return oracle.ratios(oracle.total(counts)[0], empty=Fraction(0)).f1


def mean_of(fractions):
    every = list(fractions)
    return sum(every) / len(every)


def counts_of(metric, runs, key):
    """For each run a list of counts by document."""
    return [[oracle.COUNTS[metric](pair) for pair in zip(key, run, strict=True)] for run in runs]


def difference(runs_a, runs_b):
    """The mean F1 over runs of counts of B minus that of A."""
    return mean_of(map(f1_of, runs_b)) - mean_of(map(f1_of, runs_a))


# One run a system ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 9, 30])
def test_one_run_a_system_is_the_comparison_of_two_responses_to_the_digit(n):
    a, b = results(KEY[:n], RUNS_A[0][:n], RUNS_B[0][:n])
    alone, runs = Pair(a, b, trials=300, seed=4), PairOverRuns([a], [b], trials=300, seed=4)
    table, of = runs.significance, alone.significance
    same = {"p_documents": "p", "p_documents_max": "p_max", "difference": "difference"}
    same |= {name: name for name in ("a", "b", "low", "high")}
    for column, known in same.items():
        assert np.array_equal(table[column], of[known], equal_nan=True)
    words = ["metric", "measure", "winner", "family"]
    assert table[words].equals(of[words])
    assert table[["p_runs", "sd_a", "sd_b"]].isna().all(axis=None)


def test_runs_that_are_alike_add_nothing():
    alone = PairOverRuns(A[:1], B[:1], trials=200).crossed
    alike = PairOverRuns(A[:1] * 3, B[:1] * 4, trials=200).crossed
    assert alike.ends == pytest.approx(alone.ends, nan_ok=True)
    assert alike.p == pytest.approx(alone.p, nan_ok=True)
    itself = PairOverRuns(A, A, trials=100).significance
    assert (itself[["p", "p_documents", "p_runs"]].min() >= 0.9).all()
    assert set(itself["winner"]) == {"tie"}
    assert (itself["low"] <= 0).all()
    assert (itself["high"] >= 0).all()


# Plain loops --------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["muc", "bcub", "lea"])
def test_documents_are_exchanged_between_all_runs_of_both(metric):
    key, n = KEY[:6], 6
    a, b = ([run[:n] for run in runs] for runs in (RUNS_A, RUNS_B))
    counts_a, counts_b = (counts_of(metric, runs, key) for runs in (a, b))

    def exchanged(swaps):
        pairs = []
        for of_a, of_b in product(counts_a, counts_b):
            both = zip(of_a, of_b, swaps, strict=True)
            sides = list(zip(*((y, x) if swap else (x, y) for x, y, swap in both), strict=True))
            pairs.append(f1_of(sides[1]) - f1_of(sides[0]))
        return mean_of(pairs)

    every = [abs(exchanged(swaps)) for swaps in product((0, 1), repeat=n)]
    assert every[0] == abs(difference(counts_a, counts_b))
    found = PairOverRuns(results(key, *a), results(key, *b)).randomisation
    expected = Fraction(sum(d >= every[0] for d in every), len(every))
    assert found.p[found.metrics.index(metric), F1] == expected


@pytest.mark.parametrize("metric", ["bcub", "lea"])
def test_whole_runs_are_shared_out_in_every_way(metric):
    runs = counts_of(metric, [*RUNS_A, *RUNS_B], KEY)
    observed = abs(difference(runs[:3], runs[3:]))
    ways = []
    for first in combinations(range(5), 3):
        rest = [at for at in range(5) if at not in first]
        ways.append(abs(difference([runs[at] for at in first], [runs[at] for at in rest])))
    expected = Fraction(sum(d >= observed for d in ways), len(ways))
    at = list(A[0].scores).index(metric)
    assert p_of_runs(A, B)[at, F1] == pytest.approx(float(expected), abs=1e-15)


@pytest.mark.parametrize("metric", ["bcub", "lea"])
def test_runs_and_documents_are_resampled_as_in_a_plain_loop(metric):
    trials, seed = 60, 3
    (block,) = blocks_of(Resamples, len(KEY), trials=trials, seed=seed)
    order = sorted(range(len(KEY)), key=lambda at: f"d{at}")
    counts = [counts_of(metric, runs, KEY) for runs in (RUNS_A, RUNS_B)]
    apart = np.random.SeedSequence(seed).spawn(2)
    picked = [
        np.random.default_rng(sequence).integers(len(runs), size=(trials, len(runs) - 1))
        for sequence, runs in zip(apart, counts, strict=True)
    ]
    resampled = []
    for trial, documents in enumerate(block.drawn):
        sides = [
            [[of[run][order[at]] for at in documents] for run in picks[trial]]
            for of, picks in zip(counts, picked, strict=True)
        ]
        resampled.append(float(difference(*sides)))
    found = PairOverRuns(A, B, trials=trials, seed=seed, level=0.9).crossed
    at = found.metrics.index(metric), F1
    assert found.ends[at] == pytest.approx(np.quantile(resampled, [0.05, 0.95]))
    assert found.observed[at] == pytest.approx(float(difference(*counts)))


def test_the_table_of_runs_has_mean_spread_and_range():
    table = PairOverRuns(A, B, trials=10).significance
    row = table.query("metric == 'lea' and measure == 'recall'").iloc[0]
    for letter, runs in (("a", A), ("b", B)):
        scores = [run["lea"].recall for run in runs]
        assert row[letter] == pytest.approx(mean(scores))
        assert row[f"sd_{letter}"] == pytest.approx(stdev(scores))
        assert row[f"lowest_{letter}"] == min(scores)
        assert row[f"highest_{letter}"] == max(scores)
        assert row[f"runs_{letter}"] == len(runs)
    ahead = sum(b["lea"].recall > a["lea"].recall for a, b in product(A, B))
    assert (row["ahead_b"], row["pairs"]) == (ahead, 6)


# Properties ---------------------------------------------------------------------------------------


@given(
    st.integers(0, 999),
    st.integers(2, 16),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.sampled_from([0, 0.1, 0.5]),
)
def test_p_is_below_a_level_exactly_where_the_interval_leaves_out_zero(seed, n, runs, share):
    key = partitions(n, seed=seed)
    sides = [[damaged(key, share, seed=seed + 9 * side + at) for at in range(runs[side])]
             for side in (0, 1)]  # fmt: skip
    a, b = (results(key, *side) for side in sides)
    for level in (0.5, 0.9, 0.95):
        found = PairOverRuns(a, b, trials=99, level=level).crossed
        least = ByExchanges(n_documents=n, asked=99, seed=0).smallest_p
        if least >= 1 - level:  # so few documents show nothing, whatever they favour
            assert np.nanmin(found.p) >= 1 - level
            continue
        tested = ~np.isnan(found.p)
        low, high = np.moveaxis(found.ends, -1, 0)
        leaves_out = (low > 1e-12) | (high < -1e-12)
        assert ((found.p < 1 - level - 1e-9) <= leaves_out)[tested].all()
        assert (leaves_out <= (found.p < 1 - level + 1e-9))[tested].all()
        assert (found.p[tested] >= 2 / 100).all()


@settings(max_examples=20)
@given(st.integers(0, 999), st.integers(2, 16), st.integers(1, 3), st.integers(1, 3))
def test_swapping_the_systems_changes_signs_and_no_exchange(seed, n, n_a, n_b):
    key = partitions(n, seed=seed)
    runs = results(key, *(damaged(key, 0.3, seed=seed + at) for at in range(n_a + n_b)))
    there = PairOverRuns(runs[:n_a], runs[n_a:], trials=50).significance
    back = PairOverRuns(runs[n_a:], runs[:n_a], trials=50).significance
    assert (there["difference"] + back["difference"]).abs().max() < 1e-12
    for p in ("p_documents", "p_documents_max", "p_runs"):
        assert there[p].to_numpy() == pytest.approx(back[p].to_numpy(), nan_ok=True)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_the_mean_of_resampled_runs_varies_as_the_mean_of_runs_does(n):
    weights = run_weights(n, 20_000, np.random.default_rng(0))
    assert weights.sum(axis=0) == pytest.approx(1)
    if n == 1:
        assert (weights == 1).all()
        return
    scores = np.arange(n) ** 2 / n
    drawn = (scores @ weights).var()
    assert drawn == pytest.approx(scores.var(ddof=1) / n, rel=0.03)


def test_many_runs_are_shared_out_at_random():
    a, b = A * 3, B * 5
    assert comb(19, 9) > crossing.MOST_ASSIGNED
    one, again = (p_of_runs(a, b, trials=200, seed=1) for _ in range(2))
    assert np.array_equal(one, again, equal_nan=True)
    trials = one[~np.isnan(one)] * 201
    assert abs(trials - trials.round()).max() < 1e-6


@pytest.mark.parametrize("n_a, n_b, least", [(3, 3, 0.1), (4, 4, 2 / 70), (1, 4, 0.2)])
def test_few_runs_cannot_give_a_small_p(n_a, n_b, least):
    key = KEY[:8]
    blank = [[] for _ in key]
    perfect = results(key, *[key] * n_b)
    empty = results(key, *[blank] * n_a)
    found = PairOverRuns(empty, perfect, trials=50)
    assert found.smallest_p_of_runs == pytest.approx(least)
    assert np.nanmin(found.significance["p_runs"]) == pytest.approx(least)


def test_what_cannot_be_compared_is_refused():
    other = results(KEY[:9], RUNS_A[0][:9])
    for a, b in (([], B), (A, []), (A, other), ([*A, *other], B)):
        with pytest.raises(ValueError, match=r"one or more|different keys"):
            PairOverRuns(a, b)
    for wrong in ({"trials": 0}, {"level": 1.0}, {"seed": -1}):
        with pytest.raises(ValueError, match="expected"):
            replace(PairOverRuns(A, B), **wrong)
