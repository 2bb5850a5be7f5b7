"""What is decided by a bound is tried at the bound itself, and at its nearest neighbours."""

import numpy as np
import pytest

from corescore import Corpus, Document, score
from corescore.analysis.errors.tables import slice_table
from corescore.analysis.significance.exchanges import Equivalence, randomisation
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.many import Ranking, groups, shared_ranks
from corescore.wording import p_value
from tests.support.rivals import damaged, partitions, results

KEY = partitions(6, seed=1)
NAMES = ("good", "fair", "bad")
RESPONSES = [damaged(KEY, share, seed=4) for share in (0.05, 0.3, 0.6)]
RESULTS = dict(zip(NAMES, results(KEY, *RESPONSES), strict=True))


def quantile(shares, tail, level):
    counts = np.array([[shares]] * 3)
    n = int(sum(shares))
    of = Ranking(NAMES, ("lea",), "f1", np.zeros((3, 1)), counts, level, n, 0, 5)
    return of.table[tail][0]


@pytest.mark.parametrize(
    ("n_at_rank", "low", "high"),
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


def test_a_p_of_alpha_shows_no_equivalence():
    p = np.array([[0.05, np.nextafter(0.05, 0), np.nan]])
    of = Equivalence(("lea",), 0.01, p, np.zeros((1, 3, 2)), 0.05)
    assert of.table["equivalent"].tolist() == [False, True, False]


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


def test_equal_scores_share_a_rank_and_a_rank_is_not_given_twice():
    differ = np.array([[False, True, True], [True, False, True], [True, True, False]])
    assert shared_ranks(np.array([0.9, 0.5, 0.5]), differ).tolist() == [1, 2, 2]


def test_equal_responses_stand_in_alphabetical_order_whatever_the_order_given():
    good, bad = RESULTS["good"], RESULTS["bad"]
    for names in (("b", "a", "c"), ("c", "b", "a")):
        found = groups({"z": bad, **dict.fromkeys(names, good)}, "lea")
        assert found.responses == ("a", "b", "c", "z")


def one_document(*entities, n_words=200):
    words = tuple("w" for _ in range(n_words))
    corpus = Corpus((Document.of_entities("d", entities, words=words),))
    return slice_table(score(corpus, corpus).comparison)


def test_each_bound_of_a_length_is_in_the_slice_that_names_it():
    lengths = {1: "1 word", 2: "2 words", 3: "3 to 5 words", 5: "3 to 5 words"}
    lengths |= {6: "6 to 10 words", 10: "6 to 10 words", 11: "more than 10 words"}
    table = one_document(*([(20 * at, 20 * at + n)] for at, n in enumerate(lengths)))
    assert table["length"].tolist() == list(lengths.values())


def test_each_bound_of_a_size_is_in_the_slice_that_names_it():
    sizes = {1: "1 mention", 2: "2 mentions", 3: "3 to 5 mentions", 5: "3 to 5 mentions"}
    sizes |= {6: "6 to 10 mentions", 10: "6 to 10 mentions", 11: "more than 10 mentions"}
    entities = [[(20 * at + m, 20 * at + m + 1) for m in range(n)] for at, n in enumerate(sizes)]
    assert list(dict.fromkeys(one_document(*entities)["size"])) == list(
        dict.fromkeys(sizes.values())
    )
    counts = one_document(*entities)["size"].value_counts()
    assert counts["3 to 5 mentions"] == 3 + 5
    assert counts["6 to 10 mentions"] == 6 + 10


def test_each_bound_of_a_distance_is_in_the_slice_that_names_it():
    starts = [0, 10, 21, 71, 122, 322, 523]
    table = one_document([(start, start + 1) for start in starts], n_words=600)
    assert table["antecedent"].tolist()[1:] == [
        "1 to 10 words",
        "11 to 50 words",
        "11 to 50 words",
        "51 to 200 words",
        "51 to 200 words",
        "more than 200 words",
    ]


@pytest.mark.parametrize(
    ("p", "told"), [(0.001, "0.001"), (np.nextafter(0.001, 0), "< 0.001"), (0.05, "0.050")]
)
def test_a_p_of_a_thousandth_is_not_below_it(p, told):
    assert p_value(p) == told
