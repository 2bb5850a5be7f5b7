"""Tables say what the results hold: each figure derived by hand from one small pair."""

import math
from fractions import Fraction

import pytest

from corescore import Corpus, Document, score
from corescore.scoring.tables import (
    change_table,
    count_table,
    difference_table,
    document_differences,
    document_summary,
    size_table,
    win_table,
)

WORDS = tuple("abcdefghi")


def corpus(*documents):
    """A document for each list of entities; mention m stands at word m."""
    return Corpus(
        tuple(
            Document.of_entities(
                f"d{at}", [[(m, m + 1) for m in entity] for entity in entities], words=WORDS
            )
            for at, entities in enumerate(documents)
        )
    )


KEY = corpus([{0, 1, 2}, {3, 4, 5, 6}], [{0}])
A = score(KEY, corpus([{0, 1}, {2, 3}, {5, 6, 7, 8}], [{0}]))
B = score(KEY, KEY)


def test_sizes_tell_what_is_shared_missing_and_spurious():
    row = size_table(A).loc["d0"]
    assert (row["key_mentions"], row["response_mentions"], row["shared_mentions"]) == (7, 8, 6)
    assert (row["missing_mentions"], row["spurious_mentions"]) == (1, 2)
    assert size_table(A).loc["d1", "key_singletons"] == 1


def test_counts_stand_for_the_key_and_each_result():
    table = count_table(KEY, {"A": A, "B": B})
    assert table.index.tolist() == ["key", "A", "B"]
    assert table.loc["key", ["documents", "words", "mentions", "entities"]].tolist() == [
        2,
        18,
        8,
        3,
    ]
    assert math.isnan(table.loc["key", "shared"])
    assert table.loc["A", ["shared", "missing", "spurious"]].tolist() == [7, 1, 2]


def test_a_summary_has_the_f1_of_each_metric_and_nothing_where_nothing_is_scored():
    table = document_summary(A)
    assert table.loc["d0", "muc"] == pytest.approx(float(Fraction(2, 5)))
    assert table.loc["d0", "words"] == 9
    assert math.isnan(table.loc["d1", "muc"])


def test_differences_are_b_minus_a_and_wins_count_them():
    assert document_differences(A, B).loc["d0", "muc"] == pytest.approx(float(1 - Fraction(2, 5)))
    wins = win_table(A, B)
    assert wins.loc["muc"].to_dict() == {"a": 0, "b": 1, "ties": 0}
    assert wins.loc["bcub"].to_dict() == {"a": 0, "b": 1, "ties": 1}
    assert difference_table(A, B).loc["muc", "recall"] == pytest.approx(float(Fraction(3, 5)))
    assert (difference_table(A, A)["f1"] == 0).all()


def test_a_table_of_macro_means_stands_beside_the_totals():
    table = score(KEY, KEY, average="macro").table
    assert table.loc["muc", ["recall", "macro_recall"]].tolist() == [1, 1]
    assert not table.loc["muc", "diagnostic"]
    assert table.loc["rand", "diagnostic"]
    assert table.loc["blanc.coreference", "title"] == "BLANC coreference links"


def test_a_change_is_what_the_second_has_more_than_the_first():
    row = change_table(A, B).loc["muc"]
    for measure in ("recall", "precision", "f1"):
        before, after = getattr(A["muc"], measure), getattr(B["muc"], measure)
        assert (row[measure], row[f"{measure}_after"]) == (before, after)
        assert row[f"{measure}_change"] == after - before > 0
