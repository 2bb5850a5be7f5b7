"""Sentences about the smallest and the greatest of something: with ties, of one, of none."""

import pandas as pd
import pytest

from corescore import Corpus, Document, score
from corescore.analysis.errors.operations import KINDS
from corescore.metrics import METRIC_IDS
from corescore.sentences import compare, credit, errors, many, scores
from corescore.sentences import errors as overlaps
from corescore.sentences.scorers import documents_moved
from corescore.sentences.scores import greatest, least, named
from corescore.wording import count

WORDS = tuple("abcdef")


def corpus(*of_documents):
    return Corpus(
        tuple(
            Document.of_entities(f"d{n}", entities, words=WORDS)
            for n, entities in enumerate(of_documents, 1)
        )
    )


WHOLE = [[(0, 1), (2, 3), (4, 5)]]
PART = [[(0, 1), (2, 3)]]


def test_equal_is_what_is_printed_alike():
    values = {"a": 0.12341, "b": 0.5, "c": 0.12344, "d": float("nan")}
    assert least(values) == ["a", "c"]
    assert greatest(values) == ["b"]
    assert greatest(pd.Series({"x": 3, "y": 3}), count) == ["x", "y"]
    assert least({}) == greatest({"none": float("nan")}) == []


@pytest.mark.parametrize(
    ("names", "text"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a and 2 other documents")],
)
def test_names_that_tie(names, text):
    assert named(names, "other document") == text


def test_metrics_that_all_give_the_same_are_neither_lowest_nor_highest():
    assert scores.disagreement("X", score(corpus(WHOLE), corpus(WHOLE))) == (
        "All six give X the same F1: 100.00."
    )


def test_metrics_that_tie_for_lowest_are_all_named():
    assert scores.disagreement("X", score(corpus(WHOLE), corpus(PART))) == (
        "BLANC and LEA put X lowest, at 50.00; CEAFₘ and CEAFₑ highest, at 80.00: "
        "30.00 points apart, for one and the same response."
    )


def test_a_document_is_not_both_the_weakest_and_the_best():
    def told(key, response):
        return scores.weakest_document("X", score(corpus(*key), corpus(*response)), "muc")

    assert told([WHOLE], [PART]) == "X has MUC 66.67 on d1."
    assert told([WHOLE, WHOLE], [PART, PART]) == "X has MUC 66.67 on each of 2 documents."
    assert told([WHOLE] * 4, [WHOLE, PART, PART, PART]) == (
        "X is weakest on d2 and 2 other documents (MUC 66.67) and best on d1 (100.00)."
    )
    assert told([WHOLE, []], [PART, []]) == (
        "X has MUC 66.67 on d1, the only document with anything to score."
    )
    assert told([[]], [[]]) == "No document has anything to score under MUC."


def test_metrics_that_prefer_neither_of_two_responses_are_said_to():
    key, alone = corpus(WHOLE), corpus([[(0, 1), (2, 3), (4, 5)], [(1, 2)]])
    told = scores.preferences(("A", "B"), score(key, alone), score(key, key))
    assert told == (
        "B³, CEAFₘ, CEAFₑ and LEA put B first, but by anything from 14.29 points "
        "(B³, CEAFₘ and LEA) to 33.33 (CEAFₑ). The other metrics give both the same F1."
    )


def gains(**points):
    column = [points.get(kind, 0.0) for kind in KINDS]
    rows = {metric: [*column, sum(column)] for metric in (*METRIC_IDS, "conll")}
    return pd.DataFrame(rows, index=[*KINDS, "all"])


def test_kinds_of_errors_that_gain_the_same_are_all_named():
    one, two = KINDS[1], KINDS[2]
    first = errors.largest_gain("X", gains(**{one: 0.02}))
    assert first == (
        f"Fixing {errors.NAMES[one]} alone would help X most: +2.00 CoNLL points. "
        "Each of the six gains as much: +2.00."
    )
    tied = gains(**{one: 0.02, two: 0.02})
    both = f"{errors.NAMES[one]} or {errors.NAMES[two]}"
    assert errors.largest_gain("X", tied) == (
        f"Fixing {both} alone would help X most: +2.00 CoNLL points each."
    )
    assert errors.largest_gain_of_other("Y", gains(**{one: 0.02}), tied) == (
        f"For Y it is {both} (+2.00 each)."
    )
    assert "change no score" in errors.largest_gain("X", gains())


def test_slices_that_earn_the_same_are_neither_least_nor_most():
    def told(**shares):
        return errors.weakest_slice("X", "recall", pd.DataFrame({"lea": pd.Series(shares)}))

    assert told(pronoun=0.5) == "X has fewer than two slices to compare."
    assert told(pronoun=0.5, proper=0.5) == (
        "Of the recall to be earned, LEA gives X the same for each slice (50.00%)."
    )
    assert told(pronoun=0.5, proper=0.5, other=0.75) == (
        "Of the recall to be earned, LEA gives X least for “pronoun” and “proper” (50.00%) and "
        "most for “other” (75.00%)."
    )


def depth(*lost):
    rows = {"entity": range(1, len(lost) + 1), "title": "Mia", "mention": None, "lost": lost}
    table = pd.DataFrame(rows).assign(running=0.5)
    return credit.depth("d1", "lea", "recall", "entity", table)


@pytest.mark.parametrize(
    ("lost", "end"),
    [
        ((0.0,), "nothing is lost."),
        ((0.0051, 0.0), "the only loss, 0.51 points, is at entity 1 (“Mia”)."),
        ((0.0051, 0.002), "the greatest loss, 0.51 points, is at entity 1 (“Mia”)."),
        (
            (0.00511, 0.0051, 0.0051, 0.002),
            "the greatest loss, 0.51 points, is at entity 1 (“Mia”), "
            "and as much is lost at 2 others.",
        ),
        ((1e-6, 1e-6), "none of 2 losses is as great as 0.01 points."),
    ],
)
def test_the_greatest_loss_says_where_as_much_is_lost(lost, end):
    assert depth(*lost).endswith(end)


def test_overlaps_that_cost_as_much_as_the_worst_are_counted():
    def told(*losses):
        columns = ("key_entities", "response_entities", "shared_mentions")
        table = pd.DataFrame(dict.fromkeys(columns, 1) | {"loss": losses})
        return overlaps.losses("d1", "X", "lea", table)

    assert ". The worst costs 0.51 points of LEA over the corpus, as do 2 more: " in told(
        0.0051, 0.0051, 0.0051, 0.001
    )
    assert ". The worst costs 0.51 points" in told(0.0051, 0.001)
    assert ". The only one with a loss costs 0.51 points" in told(0.0051, 0.0)
    assert told(0.0).endswith("loses nothing under LEA.")
    assert told().endswith("neither side has an entity.")


def correlations(**tau):
    table = pd.DataFrame(1.0, index=["muc", "bcub", "lea"], columns=["muc", "bcub", "lea"])
    for pair, value in tau.items():
        one, other = pair.split("_")
        table.loc[one, other] = table.loc[other, one] = value
    return many.correlation(table, "3 responses")


def test_pairs_of_metrics_that_agree_as_much_are_counted():
    assert correlations(muc_bcub=0.5, muc_lea=0.5, bcub_lea=0.5) == (
        "Over 3 responses, MUC and B³ agree as much as any other two (τ = 0.50)."
    )
    assert correlations(muc_bcub=0.9, muc_lea=0.5, bcub_lea=0.5) == (
        "Over 3 responses, MUC and B³ agree most (τ = 0.90), "
        "MUC and LEA (and 1 other pair of metrics) least (0.50)."
    )


def test_how_many_responses_keep_their_rank():
    def told(*ends):
        rows = [(f"r{n}", *of) for n, of in enumerate(ends, 1)]
        table = pd.DataFrame(rows, columns=["response", "low", "high"])
        return many.spread(table, "lea").split(" in 95%")[0]

    assert told((1, 2), (1, 2), (3, 4)) == "By LEA, none of the 3 responses keeps its rank"
    assert told((1, 1), (2, 3), (2, 3)) == "By LEA, 1 of the 3 responses keeps its rank"
    assert told((1, 1), (2, 2), (3, 3)) == "By LEA, all of the 3 responses keep their rank"


def test_others_that_move_as_far_are_counted():
    rows = pd.DataFrame({"response": ["r1", "r2", "r3"], "low": 1, "high": [3, 3, 2]})
    assert many.spread(rows, "lea").endswith(
        "r1 moves most, from 1st to 3rd, and 1 other moves as far."
    )


def test_the_most_opposed_metrics_say_how_many_others_are_as_opposed():
    counts = pd.DataFrame(2, index=["muc", "bcub", "lea"], columns=["muc", "bcub", "lea"])
    assert compare.most_opposed(counts, 5) == (
        "MUC and B³ name different winners most often: on 2 of 5 documents, "
        "as do 2 other pairs of metrics."
    )
    counts.loc["bcub", "lea"] = counts.loc["lea", "bcub"] = 1
    assert compare.most_opposed(counts, 5).endswith(", as does 1 other pair of metrics.")
    assert compare.most_opposed(counts * 0, 5).startswith("No two metrics")


def test_the_documents_where_a_response_leads_by_most_are_counted():
    difference = [-0.1, 0.2, 0.2, 0.2]
    winner = pd.Categorical(["A", "B", "B", "B"], ["A", "tie", "B"])
    documents = ["d1", "d2", "d3", "d4"]
    table = pd.DataFrame({"document": documents, "difference": difference, "winner": winner})
    assert compare.documents("lea", table) == (
        "LEA puts B first on 3 of 4 documents, A on 1. "
        "B leads by most on d2 and 2 other documents (20.00 points). "
        "A leads on d1 by 10.00 points."
    )


def test_kinds_of_errors_that_differ_as_much_are_all_named():
    def told(**difference):
        return compare.errors(pd.DataFrame({"difference": pd.Series(difference)}))

    assert told(divided=2, missing=2, extra=-1) == (
        "Compared with A, B makes 1 fewer of the kind “extra” and "
        "2 more of each of the kinds “divided” and “missing”."
    )
    assert told(divided=0) == "Both make the same number of errors of each kind."


def test_documents_that_a_step_moves_as_much_are_counted():
    def told(*differences):
        rows = [(f"d{n}", value) for n, value in enumerate(differences, 1)]
        return documents_moved(pd.DataFrame(rows, columns=["document", "difference"]))

    assert told(0.1, -0.1, 0.05) == "3 documents, most d1 (+10.00), 1 other as much"
    assert told(0.1, 0.05) == "2 documents, most d1 (+10.00)"
    assert told(0.1) == "1 document, d1 (+10.00)"
    assert told() == "no document"
