"""What is said of two systems with several runs each, and what cannot be concluded."""

import re

import pytest

from corescore.analysis.systems.runs import PairOverRuns
from corescore.sentences import runs as sentences
from corescore.sentences.compare import CAN_TELL, QUESTIONS
from corescore.wording import p_equals
from tests.support.rivals import damaged, partitions, results

KEY = partitions(24, seed=1)
TITLES = {"A": "A (one)", "B": "B (two)"}


def runs(shares, n=24, *, seed=10):
    """A run for each share of damaged mentions."""
    key = KEY[:n]
    return results(key, *(damaged(key, share, seed=seed + at) for at, share in enumerate(shares)))


def concluded(a, b):
    return sentences.conclusion(PairOverRuns(a, b, trials=400), "lea", "f1", TITLES)


def test_a_difference_far_beyond_that_of_runs_is_told_with_its_mean():
    better, worse = runs([0.1] * 5), runs([0.7] * 5, seed=30)
    pair = PairOverRuns(worse, better, trials=400)
    said = sentences.conclusion(pair, "lea", "f1", TITLES)
    points = 100 * abs(sentences.row_of(pair, "lea", "f1")["difference"])
    assert said.startswith(
        f"B (two) is better by {points:.2f} points of LEA F1 over runs (p = 0.00"
    )
    assert "But" not in said


def test_systems_whose_runs_overlap_cannot_be_told_apart():
    said = concluded(runs([0.3, 0.5, 0.4]), runs([0.5, 0.3, 0.4], seed=40))
    assert said.startswith("You cannot conclude")
    assert " A (one) or B (two), by LEA F1." in said
    assert said.endswith("equally good.")


@pytest.mark.parametrize(
    ("n_a", "n_b", "but"),
    [
        (1, 3, "But A (one) has one run: others may score otherwise."),
        (3, 3, "But the runs are few"),
        (4, 4, ""),
    ],
)
def test_few_runs_weaken_what_is_concluded(n_a, n_b, but):
    said = concluded(runs([0.7] * n_a), runs([0.1] * n_b, seed=50))
    assert "B (two) is better" in said
    assert but in said
    assert ("But" in said) == bool(but)


@pytest.mark.parametrize(("n", "p_of_runs"), [(3, "0.100"), (5, "")])
def test_a_paper_quotes_no_p_that_the_few_runs_cannot_bear(n, p_of_runs):
    """Three runs and three: exchanging them gives 2 of 20, whatever the documents give."""
    pair = PairOverRuns(runs([0.7] * n), runs([0.1] * n, seed=50), trials=2000)
    row = sentences.row_of(pair, "lea", "f1")
    assert row["p"] < 0.01
    said = sentences.paragraph(pair, "lea", "f1", {"A": "one", "B": "two"})
    quoted = re.findall(r"p [=<] [\d.]*\d", said)
    if p_of_runs:
        assert quoted == [f"p = {p_of_runs}"] * 2
    else:
        assert quoted == [p_equals(row["p"])] * 2


@pytest.mark.parametrize(("n", "told"), [(1, "nothing can be tested"), (3, "be below 0.25")])
def test_few_documents_show_nothing_however_many_runs_there_are(n, told):
    key = KEY[:n]
    apart = [[{mention} for entity in side for mention in entity] for side in key]
    pair = PairOverRuns(results(key, *[apart] * 9), results(key, *[key] * 9), trials=400)
    assert sentences.can_tell(pair).startswith("No. ")
    assert told in sentences.can_tell(pair)
    conclusion = sentences.conclusion(pair, "lea", "f1", TITLES)
    assert conclusion.startswith("You cannot conclude")


def test_the_questions_are_those_of_two_responses():
    pair = PairOverRuns(runs([0.2, 0.3]), runs([0.3], seed=60), trials=100)
    told = sentences.lines(pair, "conll", "f1")
    assert list(told) == list(QUESTIONS[:4])
    assert "in 2 pairs" not in told["How large?"]
    assert "of 2 pairs of a run of A and one of B" in told["How large?"]
    assert "How far runs of B vary cannot be told from one" in told[CAN_TELL]
