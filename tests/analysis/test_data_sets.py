"""Several systems on several data sets: ranks, tests and the critical difference."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
import scipy.stats

from corescore import PolicyError, score
from corescore.analysis.systems.data_sets import DataSets, over_data_sets
from tests.support.rivals import corpus, damaged, partitions, results


def of_scores(scores):
    scores = np.array(scores, dtype=float)
    names = [chr(ord("A") + at) for at in range(len(scores))]
    data = tuple(f"data {at}" for at in range(scores.shape[1]))
    return DataSets("conll", "f1", tuple(names), data, scores)


def test_scores_means_and_ranks_are_those_of_each_data_set():
    found = {}
    for number in range(3):
        key = partitions(4, seed=number)
        shares = {"good": 0.1, "fair": 0.4, "bad": 0.8}
        responses = [damaged(key, share, seed=number + 9) for share in shares.values()]
        found[f"set {number}"] = dict(zip(shares, results(key, *responses), strict=True))
    table = over_data_sets(found, "lea").table.set_index("system")
    assert list(table.columns) == ["set 0", "set 1", "set 2", "macro", "mean_rank"]
    for system, row in table.iterrows():
        own = [of[system]["lea"].f1 for of in found.values()]
        assert row[:3].tolist() == own
        assert row["macro"] == pytest.approx(sum(own) / 3)
        better = [sum(of[o]["lea"].f1 > of[system]["lea"].f1 for o in of) for of in found.values()]
        assert row["mean_rank"] == pytest.approx(1 + sum(better) / 3)
    assert table["macro"].is_monotonic_decreasing


def test_equal_scores_share_the_mean_of_their_ranks():
    assert of_scores([[0.5, 0.9], [0.5, 0.1], [0.2, 0.4]]).mean_ranks.tolist() == [1.25, 2.25, 2.5]


def chi_square(scores):
    """Friedman's χ² of scores without ties, in the way of a text book."""
    k, n = scores.shape
    ranks = [(scores > scores[at]).sum(axis=0) + 1 for at in range(k)]
    return 12 * n / (k * (k + 1)) * sum((r.mean() - (k + 1) / 2) ** 2 for r in ranks)


def test_friedman_is_that_of_the_text_book():
    scores = np.random.default_rng(3).random((4, 7))
    statistic, p = of_scores(scores).friedman
    assert statistic == pytest.approx(chi_square(scores))
    assert p == pytest.approx(scipy.stats.chi2.sf(statistic, 3), abs=0.01)  # of 9,999 drawn orders
    assert of_scores([[0.5, 0.6]] * 3).friedman == (0, 1)


def as_large(scores):
    """The share of all orders, each data set's shuffled, that lie as far apart as the given one."""
    ranks = scipy.stats.rankdata(-scores, axis=0).T.tolist()

    def squares(columns):
        return sum(sum(map(Fraction, of)) ** 2 for of in zip(*columns, strict=True))

    every = [squares(columns) for columns in product(*map(permutations, ranks))]
    return Fraction(sum(value >= squares(ranks) for value in every), len(every))


@pytest.mark.long
@pytest.mark.parametrize(
    "shape", [(3, 2), (3, 3), (3, 4), (4, 2), pytest.param((5, 2), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("levels", [3, 1000], ids=["equals", "no equals"])
def test_p_is_that_of_all_orders_counted_one_by_one(shape, levels):
    rng = np.random.default_rng(sum(shape))
    for scores in rng.integers(levels, size=(6, *shape)) / levels:
        found = of_scores(scores)
        assert found.orders.is_exact
        assert found.friedman[1] == pytest.approx(float(as_large(scores)))


@pytest.mark.parametrize(
    ("k", "n", "statistic", "p"),
    [(3, 3, 6, Fraction(1, 36)), (3, 4, 8, Fraction(1, 216)), (4, 2, 6, Fraction(1, 24))],
)
def test_where_all_data_sets_agree_p_is_the_smallest(k, n, statistic, p):
    """As in Friedman's tables: 0.028, 0.0046, 0.042."""
    found = of_scores(np.arange(k)[:, None] + np.zeros(n))
    assert found.friedman == pytest.approx((statistic, float(p)))
    assert found.orders.smallest_p == pytest.approx(float(p))


def test_orders_too_many_to_count_are_drawn_and_give_the_same_again():
    scores = np.random.default_rng(4).random((4, 5)) + np.arange(4)[:, None] / 6
    found = of_scores(scores)
    assert (found.orders.n, found.orders.is_exact) == (9_999, False)
    assert of_scores(scores).friedman == found.friedman
    # Those of the first four data sets can be counted, and 9,999 of them drawn.
    four = of_scores(scores[:, :4])
    assert four.orders.is_exact
    assert drawn_p(four.ranks) == pytest.approx(four.friedman[1], abs=0.02)


def drawn_p(ranks):
    rng = np.random.default_rng(1)
    drawn = rng.permuted(np.broadcast_to(ranks, (9_999, *ranks.shape)), axis=1)
    squares = (drawn.sum(axis=2) ** 2).sum(axis=1)
    return (1 + (squares >= (ranks.sum(axis=1) ** 2).sum()).sum()) / 10_000


@pytest.mark.parametrize(("k", "q"), [(3, 2.343), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_has_the_printed_q(k, q):
    """q at 0.05 as in table 5 of Demšar 2006."""
    n = 12
    found = of_scores(np.random.default_rng(1).random((k, n))).critical_difference
    assert found == pytest.approx(q * (k * (k + 1) / (6 * n)) ** 0.5, abs=0.002)


def test_two_systems_differ_exactly_where_their_ranks_lie_that_far_apart():
    found = of_scores(np.random.default_rng(5).random((5, 6)) + np.arange(5)[:, None] / 3)
    apart = abs(found.mean_ranks[:, None] - found.mean_ranks)
    assert ((found.p < 0.05) == (apart > found.critical_difference)).all()
    assert (found.p < 0.05).any()
    for group in found.groups:
        at = [found.systems.index(name) for name in group]
        assert (apart[np.ix_(at, at)] < found.critical_difference).all()


def test_where_friedman_finds_nothing_one_bar_joins_all():
    found = of_scores([[0.1, 0.9], [0.5, 0.2], [0.7, 0.6]])
    assert found.friedman[1] > 0.05
    assert found.groups == (("C", "A", "B"),)


def test_too_few_systems_or_data_sets_are_not_tested():
    for scores in ([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]], [[0.1], [0.2], [0.3]]):
        found = of_scores(scores)
        assert np.isnan([*found.friedman, found.critical_difference]).all()
        assert np.isnan(found.p).all()
        assert found.groups == ()
        assert np.isfinite(found.table["macro"]).all()


def test_what_does_not_fit_together_is_refused():
    key = partitions(3, seed=1)
    a, b = results(key, damaged(key, 0.2, seed=2), damaged(key, 0.5, seed=3))
    dropped = score(corpus(key), corpus(key), singletons="drop")
    with pytest.raises(ValueError, match="no data set"):
        over_data_sets({})
    with pytest.raises(ValueError, match="'b' is not in every data set; see 'two'"):
        over_data_sets({"one": {"a": a, "b": b}, "two": {"a": a}})
    with pytest.raises(ValueError, match="other policies"):
        over_data_sets({"one": {"a": a}, "two": {"a": dropped}})
    with pytest.raises(PolicyError, match="rouge"):
        over_data_sets({"one": {"a": a}}, "rouge")
    with pytest.raises(PolicyError, match="recall"):
        over_data_sets({"one": {"a": a}}, measure="recall")


def test_a_data_set_that_is_called_as_a_column_has_no_table():
    found = DataSets("conll", "f1", ("a",), ("macro",), np.array([[0.5]]))
    with pytest.raises(ValueError, match="called 'macro'"):
        assert found.table.empty
    assert found.macro.tolist() == [0.5]
