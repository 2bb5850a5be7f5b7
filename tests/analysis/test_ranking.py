"""Many responses to one key, and several systems on several data sets."""

import itertools
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
import scipy.stats

from corescore import PolicyError, score
from corescore.analysis.significance import holm, randomisation
from corescore.analysis.systems.data_sets import DataSets, over_data_sets
from corescore.analysis.systems.documents import document_correlation
from corescore.analysis.systems.many import groups, ranking, ranks, shared_ranks, with_shared_ranks
from corescore.counting.counts import MEASURES
from tests.support.samples import corpus, damaged, partitions, results

# Many responses to one key: ranks, how sure they are, and who cannot be told apart ----------------

KEY = partitions(40, seed=1)
SHARES = {"good": 0.1, "fair": 0.3, "fair too": 0.31, "bad": 0.8}
RESPONSES = [damaged(KEY, share, seed=seed) for seed, share in enumerate(SHARES.values(), start=4)]
RESULTS = dict(zip(SHARES, results(KEY, *RESPONSES), strict=True))
RANKING = ranking(RESULTS, trials=1000)


def row_of(metric, response, of=RANKING):
    return of.table.set_index(["metric", "response"]).loc[(metric, response)]


def test_ranks_are_those_of_the_scores():
    for metric in RANKING.metrics:
        rows = RANKING.table[RANKING.table["metric"] == metric]
        best_first = sorted(RESULTS, key=lambda name: -RESULTS[name][metric].f1)
        assert rows["response"].tolist() == best_first
        assert rows["rank"].tolist() == [1, 2, 3, 4]
        expected = [RESULTS[name][metric].f1 for name in best_first]
        assert rows["score"].tolist() == pytest.approx(expected)
    by_recall = ranking(RESULTS, measure="recall", trials=10)
    assert "conll" in RANKING.metrics
    assert "conll" not in by_recall.metrics
    assert row_of("lea", "bad", by_recall)["score"] == pytest.approx(RESULTS["bad"]["lea"].recall)


def test_equals_share_a_rank_and_are_not_opposed():
    assert ranks(np.array([0.5, 0.7, 0.5, 0.1])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([0.1 + 0.2, 0.3])).tolist() == [1, 1]
    twice = ranking({"one": RESULTS["good"], "again": RESULTS["good"]}, trials=50)
    assert (twice.table["rank"] == 1).all()
    assert (twice.table["first"] == 1).all()
    assert not twice.opposed.to_numpy().any()


def test_ranks_of_all_resamples_are_counted():
    assert (RANKING.n_at_rank.sum(axis=-1) == 1000).all()
    mean = RANKING.n_at_rank @ np.arange(1, 5) / 1000
    for at, name in enumerate(RESULTS):
        assert row_of("muc", name)["mean_rank"] == mean[at, RANKING.metrics.index("muc")]
    assert [row_of("lea", name)["first"] for name in ("good", "fair", "bad")] == [1, 0, 0]
    assert row_of("lea", "fair")[["low", "high"]].tolist() == [2, 3]


def test_metrics_agree_by_kendalls_tau_and_oppose_in_pairs_ranked_the_other_way_round():
    f1 = {m: [RESULTS[name][m].f1 for name in RESULTS] for m in ("lea", "blanc", "ceafe", "muc")}
    expected = scipy.stats.kendalltau(f1["lea"], f1["ceafe"]).statistic
    assert RANKING.correlation.loc["lea", "ceafe"] == pytest.approx(expected)
    for one, other in product(("lea", "blanc"), ("ceafe", "muc", "lea")):
        turned = sum(
            (f1[one][x] - f1[one][y]) * (f1[other][x] - f1[other][y]) < 0
            for x, y in itertools.combinations(range(4), 2)
        )
        assert RANKING.opposed.loc[one, other] == turned


def test_metrics_are_correlated_over_the_documents_that_both_score():
    result = RESULTS["bad"]
    muc, blanc = (result.document_scores[name].f1 for name in ("muc", "blanc"))
    both = ~np.isnan(muc) & ~np.isnan(blanc)
    expected = scipy.stats.kendalltau(muc[both], blanc[both]).statistic
    assert document_correlation(result).loc["muc", "blanc"] == pytest.approx(expected)
    assert "conll" not in document_correlation(result, measure="recall")
    with pytest.raises(PolicyError, match="measure is 'f2'"):
        document_correlation(result, measure="f2")


def test_groups_are_runs_of_responses_that_do_not_differ():
    found = groups(RESULTS, "lea", trials=2000)
    assert found.responses == tuple(sorted(RESULTS, key=lambda name: -RESULTS[name]["lea"].f1))
    assert [set(group) for group in found.groups] == [{"good"}, {"fair", "fair too"}, {"bad"}]
    assert found.shared_ranks == {"good": 1, "fair": 2, "fair too": 2, "bad": 4}
    assert found.warnings == found.alike_in_no_group == ()
    back = groups(dict(reversed(RESULTS.items())), "lea", trials=2000)
    assert back.groups == found.groups
    assert back.p.tolist() == found.p.tolist()


def test_every_p_of_a_pair_is_that_of_the_pair_alone():
    for metric in ("lea", "conll", "blanc"):
        found = groups(RESULTS, metric, trials=300)
        pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
        for i, j in pairs:
            alone = randomisation(*(RESULTS[found.responses[at]] for at in (i, j)), trials=300)
            assert (
                found.p[i, j]
                == found.p[j, i]
                == alone.p[alone.metrics.index(metric), MEASURES.index("f1")]
            )
        corrected = holm(np.array([found.p[pair] for pair in pairs]))
        assert [found.p_holm[pair] for pair in pairs] == corrected.tolist()


def test_a_response_may_be_in_two_groups_and_two_that_do_not_differ_have_two_ranks():
    responses = (damaged(KEY, share, seed=10) for share in (0.2, 0.25, 0.3))
    found = groups(dict(zip("abc", results(KEY, *responses), strict=True)), "lea", trials=1000)
    assert found.p_holm[0, 2] < 0.05 <= min(found.p_holm[0, 1], found.p_holm[1, 2])
    assert found.groups == (("a", "b"), ("b", "c"))
    assert found.shared_ranks == {"a": 1, "b": 1, "c": 3}


def test_pairs_that_do_not_differ_and_share_no_group_are_told():
    p = np.ones((3, 3))
    p[0, 1] = p[1, 0] = 0.01  # the first two differ, the third is told from neither
    found = groups(RESULTS, "lea", trials=10)
    turned = replace(found, responses=("x", "y", "z"), p=p, p_holm=p, groups=(("x",), ("y", "z")))
    assert turned.alike_in_no_group == (("x", "z"),)


def test_too_few_trials_to_tell_anything_are_warned_of():
    found = groups(RESULTS, "lea", trials=100)
    assert "120 trials or more" in found.warnings[0]  # six pairs / 0.05
    assert found.groups == (found.responses,)
    assert groups(RESULTS, "lea", trials=120).warnings == ()
    few = dict(zip("ab", results(KEY[:3], *(r[:3] for r in RESPONSES[:2])), strict=True))
    assert "3 documents" in groups(few, "lea", trials=100).warnings[0]
    assert "3 documents" in ranking(few, trials=10).warnings[0]


def test_what_cannot_be_ranked_is_refused():
    (other,) = results(RESPONSES[0], KEY)
    with pytest.raises(ValueError, match="different keys"):
        ranking({**RESULTS, "other": other})
    with pytest.raises(PolicyError, match="measure is 'f2'"):
        ranking(RESULTS, measure="f2")
    with pytest.raises(PolicyError, match="expected one of: f1"):
        groups(RESULTS, "conll", measure="recall")
    with pytest.raises(ValueError, match="level is 0"):
        ranking(RESULTS, level=0)


# Ranks that systems without a significant difference share ----------------------------------------


def slowly_shared(scores, differ):
    """From the definition: the longest run of whole sets of equals in which no two differ shares
    the first rank; then the same of the rest."""
    if not scores:
        return []
    ends = [n for n in range(1, len(scores) + 1) if n == len(scores) or scores[n] != scores[n - 1]]
    runs = [
        n for n in ends if not any(differ[i][j] for i, j in itertools.combinations(range(n), 2))
    ]
    n = max(runs, default=ends[0])
    rest = slowly_shared(scores[n:], [row[n:] for row in differ[n:]])
    return [1] * n + [n + rank for rank in rest]


def test_shared_ranks_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    for n in [*range(1, 8)] * 40:
        scores = np.sort(rng.integers(1, 5, n) / 8)[::-1]
        differ = rng.random((n, n)) < 0.4
        differ = (differ | differ.T) & (scores[:, None] != scores)  # equals never differ
        expected = slowly_shared(scores.tolist(), differ.tolist())
        assert shared_ranks(scores, differ).tolist() == expected


def test_shared_ranks_stand_beside_those_by_score():
    tested = {name: groups(RESULTS, name, trials=200) for name in RANKING.metrics}
    table = with_shared_ranks(RANKING.table, tested)
    assert set(table["family"]) == {"6 pairs of responses by one metric"}
    assert table.drop(columns=["shared_rank", "family"]).equals(RANKING.table)
    for row in table.to_dict("records"):
        assert row["shared_rank"] == tested[row["metric"]].shared_ranks[row["response"]]
        assert row["shared_rank"] <= row["rank"]


# Several systems on several data sets: ranks, tests and the critical difference -------------------


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


def test_friedman_is_that_of_scipy_but_for_p():
    scores = np.random.default_rng(3).random((4, 7))
    statistic, p = of_scores(scores).friedman
    expected = scipy.stats.friedmanchisquare(*scores)
    assert statistic == pytest.approx(expected.statistic)
    assert p == pytest.approx(expected.pvalue, abs=0.01)  # of 9,999 drawn orders
    assert of_scores([[0.5, 0.6]] * 3).friedman == (0, 1)


def as_large(scores):
    """The share of all orders, each data set's shuffled, that lie as far apart as the given one."""
    ranks = (2 * scipy.stats.rankdata(-scores, axis=0)).astype(int).T.tolist()

    def squares(columns):
        return sum(sum(of) ** 2 for of in zip(*columns, strict=True))

    every = [squares(columns) for columns in product(*map(permutations, ranks))]
    return Fraction(sum(value >= squares(ranks) for value in every), len(every))


@pytest.mark.parametrize("shape", [(3, 2), (3, 3), (3, 4), (4, 2), (5, 2)])
@pytest.mark.parametrize("levels", [3, 1000], ids=["equals", "no equals"])
def test_p_is_that_of_all_orders_counted_one_by_one(shape, levels):
    rng = np.random.default_rng(sum(shape))
    for scores in rng.integers(levels, size=(6, *shape)) / levels:
        found = of_scores(scores)
        assert found.orders.is_exact
        assert found.friedman[1] == pytest.approx(float(as_large(scores)))


@pytest.mark.parametrize(
    "k, n, statistic, p",
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
    assert of_scores(scores[:, :4]).orders.is_exact


@pytest.mark.parametrize("k, q", [(3, 2.343), (5, 2.728), (10, 3.164)])
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
    called = DataSets("conll", "f1", ("a",), ("macro",), np.array([[0.5]]))
    with pytest.raises(ValueError, match="called 'macro'"):
        assert called.table.empty
