"""Many responses to one key: ranks, how sure they are, and who cannot be told apart."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from corescore import PolicyError
from corescore.analysis.significance.exchanges import holm, randomisation
from corescore.analysis.systems.documents import document_correlation
from corescore.analysis.systems.many import groups, ranking, ranks, shared_ranks, with_shared_ranks
from corescore.counting.counts import MEASURES
from tests.support.rivals import damaged, partitions, results

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


def test_equals_share_a_rank():
    assert ranks(np.array([0.5, 0.7, 0.5, 0.1])).tolist() == [2, 1, 2, 4]
    assert ranks(np.array([0.1 + 0.2, 0.3])).tolist() == [1, 1]
    twice = ranking({"one": RESULTS["good"], "again": RESULTS["good"]}, trials=50)
    assert (twice.table["rank"] == 1).all()
    assert (twice.table["first"] == 1).all()


def test_the_better_is_first_more_often():
    first = {name: row_of("lea", name)["first"] for name in RESULTS}
    assert first["good"] == 1
    assert first["fair"] == first["bad"] == 0
    assert 2 < row_of("lea", "fair")["mean_rank"] < 3
    assert row_of("lea", "fair")[["low", "high"]].tolist() == [2, 3]


def test_ranks_of_all_resamples_are_counted():
    assert (RANKING.n_at_rank.sum(axis=-1) == 1000).all()
    mean = RANKING.n_at_rank @ np.arange(1, 5) / 1000
    for at, name in enumerate(RESULTS):
        assert row_of("muc", name)["mean_rank"] == mean[at, RANKING.metrics.index("muc")]


def test_metrics_agree_by_kendalls_tau():
    f1 = {metric: [RESULTS[name][metric].f1 for name in RESULTS] for metric in ("lea", "ceafe")}
    expected = scipy.stats.kendalltau(f1["lea"], f1["ceafe"]).statistic
    assert RANKING.correlation.loc["lea", "ceafe"] == pytest.approx(expected)


def test_opposed_counts_the_pairs_ranked_the_other_way_round():
    f1 = RESULTS
    for one in ("lea", "blanc"):
        for other in ("ceafe", "muc", "lea"):
            turned = sum(
                (f1[x][one].f1 - f1[y][one].f1) * (f1[x][other].f1 - f1[y][other].f1) < 0
                for x, y in itertools.combinations(f1, 2)
            )
            assert RANKING.opposed.loc[one, other] == turned
    twice = ranking({"one": RESULTS["good"], "again": RESULTS["good"]}, trials=2)
    assert not twice.opposed.to_numpy().any()


def test_metrics_are_correlated_over_the_documents_that_both_score():
    result = RESULTS["bad"]
    muc, blanc = (result.document_scores[name].f1 for name in ("muc", "blanc"))
    both = ~np.isnan(muc) & ~np.isnan(blanc)
    expected = scipy.stats.kendalltau(muc[both], blanc[both]).statistic
    assert document_correlation(result).loc["muc", "blanc"] == pytest.approx(expected)
    assert "conll" not in document_correlation(result, measure="recall")
    with pytest.raises(PolicyError, match="measure is 'f2'"):
        document_correlation(result, measure="f2")


def test_a_metric_without_the_measure_is_not_ranked():
    by_recall = ranking(RESULTS, measure="recall", trials=10)
    assert "conll" in RANKING.metrics
    assert "conll" not in by_recall.metrics
    assert row_of("lea", "bad", by_recall)["score"] == pytest.approx(RESULTS["bad"]["lea"].recall)


def test_groups_are_runs_of_responses_that_do_not_differ():
    found = groups(RESULTS, "lea", trials=2000)
    best_first = sorted(RESULTS, key=lambda name: -RESULTS[name]["lea"].f1)
    assert found.responses == tuple(best_first)
    assert [set(group) for group in found.groups] == [{"good"}, {"fair", "fair too"}, {"bad"}]
    assert found.warnings == ()


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


def test_the_order_of_the_responses_changes_no_group():
    back = dict(reversed(RESULTS.items()))
    one, other = groups(RESULTS, "muc", trials=200), groups(back, "muc", trials=200)
    assert one.groups == other.groups
    assert one.p.tolist() == other.p.tolist()


def test_a_response_may_be_in_two_groups():
    responses = (damaged(KEY, share, seed=10) for share in (0.2, 0.25, 0.3))
    found = groups(dict(zip("abc", results(KEY, *responses), strict=True)), "lea", trials=1000)
    assert found.p_holm[0, 2] < 0.05 <= min(found.p_holm[0, 1], found.p_holm[1, 2])
    assert found.groups == (("a", "b"), ("b", "c"))


def test_pairs_that_do_not_differ_and_share_no_group_are_told():
    found = groups(RESULTS, "lea", trials=2000)
    assert found.alike_in_no_group == ()
    p = np.ones((3, 3))
    p[0, 1] = p[1, 0] = 0.01  # the first two differ, the third is told from neither
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
    with pytest.raises(ValueError, match="other keys"):
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
    for n in range(1, 8):
        for _ in range(60):
            scores = np.sort(rng.integers(1, 5, n) / 8)[::-1]
            differ = rng.random((n, n)) < 0.4
            differ = (differ | differ.T) & (scores[:, None] != scores)  # equals never differ
            expected = slowly_shared(scores.tolist(), differ.tolist())
            assert shared_ranks(scores, differ).tolist() == expected


def test_systems_in_neighbouring_pairs_are_ranked_as_moosavi_and_strube_print_it():
    shared = [1, 2, 2, 4, 5, 6, 6, 8, 8, 10, 10, 12, 12, 14]
    differ = np.array(shared)[:, None] != shared
    assert shared_ranks(-np.arange(14.0), differ).tolist() == shared


def test_not_to_differ_is_not_transitive():
    """a and b do not differ, nor b and c, but a and c do: c opens the third rank. d, which differs
    from neither a nor c, gets that of c."""
    differ = np.zeros((4, 4), dtype=bool)
    differ[0, 2] = differ[2, 0] = True
    assert shared_ranks(np.array([0.4, 0.3, 0.2, 0.1]), differ).tolist() == [1, 1, 3, 3]
    # b and c have equal scores: both or none
    assert shared_ranks(np.array([0.4, 0.3, 0.3, 0.1]), differ).tolist() == [1, 2, 2, 2]


def alike_in_two_ranks(found):
    """Pairs that do not differ but have different shared ranks."""
    return [
        (one, other)
        for (i, one), (j, other) in itertools.combinations(enumerate(found.responses), 2)
        if found.p_holm[i, j] >= found.alpha
        and found.shared_ranks[one] != found.shared_ranks[other]
    ]


def test_shared_ranks_from_the_p_of_each_pair_alone():
    best_first = sorted(RESULTS, key=lambda name: -RESULTS[name]["lea"].f1)
    pairs = [*itertools.combinations(range(4), 2)]
    p = {}
    for pair in pairs:
        alone = randomisation(*(RESULTS[best_first[at]] for at in pair), trials=400)
        p[pair] = alone.p[alone.metrics.index("lea"), MEASURES.index("f1")]
    corrected, least = {}, 0
    for n, pair in enumerate(sorted(pairs, key=p.__getitem__)):
        least = corrected[pair] = max(least, min(1, (len(pairs) - n) * p[pair]))
    differ = [[corrected.get((min(i, j), max(i, j)), 1) < 0.05 for j in range(4)] for i in range(4)]
    expected = slowly_shared([RESULTS[name]["lea"].f1 for name in best_first], differ)
    found = groups(RESULTS, "lea", trials=400)
    assert found.shared_ranks == dict(zip(best_first, expected, strict=True))
    assert found.shared_ranks == {"good": 1, "fair": 2, "fair too": 2, "bad": 4}
    assert alike_in_two_ranks(found) == []


def test_two_that_do_not_differ_may_have_two_ranks():
    responses = (damaged(KEY, share, seed=10) for share in (0.2, 0.25, 0.3))
    found = groups(dict(zip("abc", results(KEY, *responses), strict=True)), "lea", trials=1000)
    assert found.shared_ranks == {"a": 1, "b": 1, "c": 3}
    assert alike_in_two_ranks(found) == [("b", "c")]


def test_shared_ranks_stand_beside_those_by_score():
    tested = {name: groups(RESULTS, name, trials=200) for name in RANKING.metrics}
    table = with_shared_ranks(RANKING.table, tested)
    assert set(table["family"]) == {"6 pairs of responses by one metric"}
    assert table.drop(columns=["shared_rank", "family"]).equals(RANKING.table)
    for row in table.to_dict("records"):
        assert row["shared_rank"] == tested[row["metric"]].shared_ranks[row["response"]]
        assert row["shared_rank"] <= row["rank"]
