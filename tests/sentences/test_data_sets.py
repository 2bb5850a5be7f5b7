"""What is said of systems over several data sets."""

import numpy as np

from corescore.analysis.systems.data_sets import DataSets
from corescore.sentences import many as sentences


def of_scores(scores):
    scores = np.array(scores, dtype=float)
    names = tuple("ABCDE"[: len(scores)])
    return DataSets("lea", "f1", names, tuple(map(str, range(scores.shape[1]))), scores)


def test_where_ranks_agree_by_chance_as_often_nothing_is_concluded():
    found = of_scores([[0.1, 0.9, 0.3], [0.5, 0.2, 0.2], [0.7, 0.6, 0.1]])
    cannot = "You cannot conclude that the systems differ on data sets such as these."
    assert sentences.conclusion(found) == cannot


def test_a_difference_of_which_no_two_systems_are_known_is_said():
    """p of Friedman's test is 6/144 = 0.042; the critical difference is 3.32, the farthest 3."""
    found = of_scores([[0.4, 0.4], [0.3, 0.3], [0.2, 0.2], [0.1, 0.1]])
    assert "you cannot conclude which two differ" in sentences.conclusion(found)
    said = " ".join(sentences.tested(found))
    assert "finds no two systems that differ" in said
    assert "Any other two" not in said


def test_the_pairs_that_differ_are_named_the_better_first():
    found = of_scores(np.arange(5)[::-1, None] / 9 + np.zeros(6))
    said = sentences.conclusion(found)
    assert said == ("On data sets such as these, better ranked: A than D, A than E and B than E.")


def test_ties_for_the_best_score_count_as_best():
    found = of_scores([[0.5, 0.5], [0.5, 0.1], [0.2, 0.1]])
    assert sentences.leader(found) == (
        "A has the highest mean LEA F1 over 2 data sets, 50.00%, and the best score on 2 of 2."
    )
