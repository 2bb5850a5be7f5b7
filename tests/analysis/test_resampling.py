"""Resampling: its blocks, its power, its bounds, and tallies in place of scores."""

import pickle
import re
from dataclasses import replace
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Document, PolicyError, score
from corescore.analysis import significance
from corescore.analysis.errors.classes import slices
from corescore.analysis.significance import (
    MOST_ENUMERATED,
    Exchanges,
    Resamples,
    blocks_of,
    intervals_of,
    randomisation,
)
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.documents import documents_of_each
from corescore.analysis.systems.many import Ranking, groups, ranking
from corescore.analysis.systems.pair import Pair
from corescore.analysis.systems.power import detectable, effect
from corescore.corpus.files import read_bytes
from corescore.counting.counts import MEASURES, Counts
from corescore.metrics.standard import LEA
from corescore.wording import p_value
from tests.support.samples import damaged, partitions, results
from tests.support.strategies import corpora_of, pair_corpora

# Blocks of trials: the same draws and the same results wherever they are counted ------------------

DRAWN = st.integers(MOST_ENUMERATED + 1, 40)  # documents: of fewer, all exchanges are tried


@given(DRAWN, st.integers(1, 60), st.integers(0, 2**32))
def test_weights_are_what_one_generator_draws(n_documents, trials, seed):
    rng = np.random.default_rng(seed)
    drawn, size = [], 2**20 // n_documents
    for first in range(0, trials, size):
        shape = min(size, trials - first), n_documents
        drawn.append(rng.integers(2, size=shape, dtype=np.int8))
    picks = np.random.default_rng(seed).integers(n_documents, size=(trials, n_documents))
    times = [np.bincount(row, minlength=n_documents) for row in picks]
    for kind, expected in ((Exchanges, np.vstack(drawn)), (Resamples, np.array(times))):
        blocks = blocks_of(kind, n_documents, trials=trials, seed=seed)
        assert (np.hstack([block.weights for block in blocks]) == expected.T).all()


@pytest.mark.parametrize("kind", [Exchanges, Resamples])
def test_all_blocks_together_draw_what_one_generator_draws(kind):
    """A corpus of so many documents that each block has few trials, and an odd number of draws."""
    n_documents, trials = 2**20 // 3 - 1, 7
    rng = np.random.default_rng(11)
    for block in blocks_of(kind, n_documents, trials=trials, seed=11):
        assert block.n_trials in (3, 1)
        own = block.draw(rng)
        assert (pickle.loads(pickle.dumps(block)).drawn == own).all()


def shuffled(seed):
    """A `Run` that counts pickled copies of the blocks in any order."""

    def run(count, stack, blocks):
        work = [(at, pickle.dumps((count, stack, block))) for at, block in enumerate(blocks)]
        Random(seed).shuffle(work)
        found = {}
        for at, pickled in work:
            own_count, own_stack, block = pickle.loads(pickled)
            found[at] = own_count(own_stack, block)
        return [found[at] for at in range(len(work))]

    return run


def outcomes(a, b, c, run):
    """Everything that is drawn, as bytes."""
    draws = {"trials": 12, "run": run}
    test = randomisation(a, b, **draws)
    of_a, of_two = intervals_of(a, **draws), intervals_of(a, b, **draws)
    all_three = {"a": a, "b": b, "c": c}
    ranks, tested = ranking(all_three, **draws), groups(all_three, "lea", **draws)
    arrays = [test.p, test.p_holm, of_a.percentile, of_a.bca, of_two.percentile, of_two.bca]
    arrays += [test.exchanged_of("conll"), ranks.n_at_rank, tested.p_holm]
    return [array.tobytes() for array in arrays]


@settings(max_examples=5)
@given(pair_corpora(max_documents=6), st.integers(0, 100))
def test_results_are_the_same_in_whatever_order_and_process_blocks_are_counted(pairs, seed):
    key, response = corpora_of(pairs)
    tallies = [score(key, of).tally for of in (response, key, key)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(significance, "_MOST_WEIGHTS", 16)
        assert outcomes(*tallies, shuffled(seed)) == outcomes(*tallies, significance.in_turn)


# Can the data tell: the smallest difference that is found, checked by simulation; and -------------

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


def test_more_documents_more_tests_and_more_power_move_it_as_they_must():
    of, back = (randomisation(*pair, trials=1000) for pair in ((A, B), (B, A)))
    said = detectable(A, B, of, "lea")
    fewer = of_first(15)
    of_fewer = randomisation(*fewer, trials=1000)
    assert detectable(*fewer, of_fewer, "lea").difference > said.difference
    assert detectable(A, B, of, "lea", alpha=0.05 / 6).difference > said.difference
    assert detectable(A, B, of, "lea", power=0.95).difference > said.difference
    assert said.difference == pytest.approx(0.17, abs=0.02)
    assert detectable(A, B, of, "lea") == said
    assert detectable(B, A, back, "lea").difference == said.difference
    assert detectable(A, A, randomisation(A, A, trials=100), "lea").difference == 0
    with pytest.raises(ValueError, match=r"power is 1\.5"):
        detectable(A, B, of, "lea", power=1.5)
    with pytest.raises(PolicyError, match="rouge"):
        detectable(A, B, of, "rouge")
    with pytest.raises(PolicyError, match="recall"):
        detectable(A, B, of, "conll", measure="recall")


@pytest.mark.parametrize("n, trials", [(1, 1000), (5, 1000), (30, 10)])
def test_no_difference_is_found_where_none_can_be_significant(n, trials):
    both = of_first(n)
    said = detectable(*both, randomisation(*both, trials=trials), "lea")
    assert said.difference == np.inf
    assert said.resamples == 0


def test_the_effect_counts_documents_and_standardises_their_differences():
    """Document differences of +0.2, +0.1, 0 and −0.1: mean 0.05, standard deviation √(0.05/3)."""
    made, _, _ = credited(4, seed=1)
    size = np.full(4, 10.0)
    a, b = (with_credit(made, np.array(of, float), size) for of in ([5, 5, 5, 5], [7, 6, 5, 4]))
    found = effect(a, b, "lea")
    assert (found.won_a, found.won_b, found.ties) == (1, 2, 1)
    assert found.mean == pytest.approx(0.05)
    assert found.standardised == pytest.approx(0.05 / (0.05 / 3) ** 0.5)
    assert effect(b, a, "lea").standardised == pytest.approx(-found.standardised)
    assert np.isnan(effect(a, a, "lea").standardised)
    assert np.isnan(effect(*of_first(1), "lea").standardised)


# What is decided by a bound is tried at the bound itself, and at its nearest neighbours -----------

KEY_OF_EDGES = partitions(6, seed=1)
NAMES = ("good", "fair", "bad")
RESPONSES = [damaged(KEY_OF_EDGES, share, seed=4) for share in (0.05, 0.3, 0.6)]
RESULTS = dict(zip(NAMES, results(KEY_OF_EDGES, *RESPONSES), strict=True))


def quantile(shares, tail, level):
    counts = np.array([[shares]] * 3)
    n = int(sum(shares))
    of = Ranking(NAMES, ("lea",), "f1", np.zeros((3, 1)), counts, level, n, 0, 5)
    return of.table[tail][0]


@pytest.mark.parametrize(
    "n_at_rank, low, high",
    [
        ((25, 950, 25), 1, 2),  # exactly 2.5% at rank 1, exactly 97.5% up to rank 2
        ((24, 951, 25), 2, 2),
        ((25, 949, 26), 1, 3),
    ],
)
def test_an_end_of_the_ranks_is_the_first_with_that_share_of_resamples(n_at_rank, low, high):
    assert quantile(n_at_rank, "low", 0.95) == low
    assert quantile(n_at_rank, "high", 0.95) == high


def test_responses_whose_p_is_alpha_do_not_differ():
    found = groups(RESULTS, "lea", alpha=0.5)
    p = found.p_holm[0, 1]
    assert 0 < p < 1
    at, below = (groups(RESULTS, "lea", alpha=alpha) for alpha in (p, np.nextafter(p, 1)))
    assert any({"good", "fair"} <= set(group) for group in at.groups)
    assert at.shared_ranks["fair"] == at.shared_ranks["good"] == 1
    assert not any({"good", "fair"} <= set(group) for group in below.groups)
    assert below.shared_ranks["fair"] == 2
    assert ("good", "fair") not in at.alike_in_no_group


def test_where_the_smallest_p_is_alpha_no_difference_is_large_enough():
    a, b = RESULTS["good"], RESULTS["bad"]
    of = randomisation(a, b)
    least = of.smallest_p
    assert least == 2 / 2**6 == np.nanmin(randomisation(a, b).p)
    assert np.isinf(of.critical_alone(least)).all()
    assert np.isfinite(of.critical_alone(np.nextafter(least, 1))).all()


def test_data_sets_whose_p_is_alpha_show_no_difference():
    scores = np.array([[0.8, 0.6, 0.5, 0.3], [0.3, 0.1, 0.1, 0.1], [0.2, 0.8, 0.6, 0.9]])
    data_sets = ("one", "two", "three", "four")
    p = DataSets("lea", "f1", NAMES, data_sets, scores).friedman[1]
    at, above = (
        DataSets("lea", "f1", NAMES, data_sets, scores, alpha) for alpha in (p, np.nextafter(p, 1))
    )
    assert [len(group) for group in at.groups] == [3]
    assert [len(group) for group in above.groups] == [2, 2]


def test_equal_responses_stand_in_alphabetical_order_whatever_the_order_given():
    good, bad = RESULTS["good"], RESULTS["bad"]
    for names in (("b", "a", "c"), ("c", "b", "a")):
        found = groups({"z": bad, **dict.fromkeys(names, good)}, "lea")
        assert found.responses == ("a", "b", "c", "z")


@pytest.mark.parametrize(
    "kind, unit, bounds",
    [
        ("length", "word", (1, 2, 3, 5, 6, 10, 11)),
        ("size", "mention", (1, 2, 3, 5, 6, 10, 11)),
        ("antecedent", "word", (10, 11, 50, 51, 200, 201)),
    ],
)
def test_each_bound_is_in_the_slice_that_names_it(kind, unit, bounds):
    """Entities of such sizes, mentions of such lengths, or two so far apart."""
    made = {
        "length": lambda at, n: [(at, at + n)],
        "size": lambda at, n: [(at + m, at + m + 1) for m in range(n)],
        "antecedent": lambda at, n: [(at, at + 1), (at + n, at + n + 1)],
    }[kind]
    for n in bounds:
        document = Document.of_entities("d", [made(7, n)], words=("w",) * 300)
        told = slices(score(document, document).comparison)[kind].iloc[-1]
        ends = [int(end) for end in re.findall(r"\d+", told)]
        assert told.endswith(unit if n == 1 else f"{unit}s")
        assert ends[0] < n if told.startswith("more than") else ends[0] <= n <= ends[-1]


@pytest.mark.parametrize(
    "p, told", [(0.001, "0.001"), (np.nextafter(0.001, 0), "< 0.001"), (0.05, "0.050")]
)
def test_a_p_of_a_thousandth_is_not_below_it(p, told):
    assert p_value(p) == told


# What compares responses takes tallies, and gives what it gives of scores with documents ----------


def notation(*documents):
    return read_bytes("\n".join(documents).encode(), "key.txt", format="notation")


KEY_OF_TALLIES = notation("{a b} {c d}", "{a b c}", "{a} {b c}")
A_OF_TALLIES = score(KEY_OF_TALLIES, notation("{a b} {c} {d}", "{a b c}", "{a b} {c}"))
B_OF_TALLIES = score(KEY_OF_TALLIES, notation("{a c} {b d}", "{a b} {c}", "{a} {b c}"))


@pytest.mark.slow
@settings(max_examples=6)
@given(pair_corpora(max_documents=5))
def test_two_tallies_compare_as_the_scores_they_come_from(pairs):
    key, response = corpora_of(pairs)
    a, b = score(key, response), score(key, key)
    of_scores, of_tallies = (Pair(*two, trials=20) for two in ((a, b), (a.tally, b.tally)))
    for table in ("significance", "documents", "disagreements", "disagreement_counts"):
        pd.testing.assert_frame_equal(
            getattr(of_tallies, table), getattr(of_scores, table), check_exact=True
        )
    assert of_tallies.signature == of_scores.signature
    assert of_tallies.warnings == of_scores.warnings
    drawn = (pair.randomised("muc").tobytes() for pair in (of_scores, of_tallies))
    assert len({*drawn}) == 1


def test_tallies_are_ranked_as_the_scores_they_come_from():
    results = {"a": A_OF_TALLIES, "b": B_OF_TALLIES, "key": score(KEY_OF_TALLIES, KEY_OF_TALLIES)}
    tallies = {name: result.tally for name, result in results.items()}
    tables = [ranking(of, trials=20).table for of in (results, tallies)]
    pd.testing.assert_frame_equal(*tables, check_exact=True)
    tested = [groups(of, "lea", trials=20) for of in (results, tallies)]
    assert tested[0].groups == tested[1].groups
    np.testing.assert_array_equal(tested[0].p, tested[1].p)
    pd.testing.assert_frame_equal(*(documents_of_each(of, "muc") for of in (results, tallies)))
    pairs = [Pair(a, B_OF_TALLIES, trials=20) for a in (A_OF_TALLIES.tally, A_OF_TALLIES)]
    pd.testing.assert_frame_equal(*(of.significance for of in pairs), check_exact=True)


def test_tallies_over_other_keys_of_the_same_sizes_are_refused():
    key = notation("{a c} {b d}", "{a b c}", "{a} {b c}")
    for mine in (A_OF_TALLIES, A_OF_TALLIES.tally):
        with pytest.raises(ValueError, match=r"document '1' has .* in both, but not the same"):
            Pair(mine, score(key, key).tally)


def test_what_needs_mentions_says_so():
    pair = Pair(A_OF_TALLIES.tally, B_OF_TALLIES.tally)
    for of in (Pair.mentions, Pair.entities):
        with pytest.raises(ValueError, match="no mentions or entities"):
            of(pair, "muc")
    for name in ("verdicts", "errors"):
        with pytest.raises(ValueError, match="no mentions or entities"):
            getattr(pair, name)
