"""Sentences about what a response did with a document's mentions."""

import pandas as pd

from corescore.analysis.errors import classes as status
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.sentences import credit as sentences


def test_counts_of_a_long_document_have_separators():
    classes = [status.CORRECT] * 5000 + [status.UNLINKED] * 1200 + [status.MISSING] * 2000
    said = sentences.counts("book", "A", classes + [status.SPURIOUS] * 1034, 0)
    assert said == (
        "In book, A finds 6,200 of 8,200 key mentions, including 1,200 unlinked; it misses 2,000 "
        "and adds 1,034."
    )
    assert sentences.filtered(1034, 8200).startswith("The filters leave 1,034 of 8,200 mentions.")


def test_incorrectly_resolved_mentions_are_told_with_the_singletons_in_the_key_among_them():
    classes = [status.CORRECT] * 2 + [status.INCORRECTLY_RESOLVED] * 7
    assert "7 with wrong partners only (5 of them singletons" in sentences.counts(
        "d", "A", classes, 5
    )
    shares = pd.Series({"bcub": 0.5, "muc": 0.0})
    said = sentences.incorrect_shares("d", "A", 7, "recall", shares, singletons=5)
    assert "7 mentions to wrong partners only, of which 5 are singletons in the key" in said


def test_counts_of_two_responses_have_separators():
    many = {BOTH_CORRECT: 4000, ONLY_A: 1500, ONLY_B: 1001, BOTH_WRONG: 2000}
    said = sentences.outcomes(
        "book", ("A", "B"), [one for one, n in many.items() for _ in range(n)]
    )
    assert said == (
        "In book, both have 4,000 of 8,501 key mentions correct, only A 1,500, only B 1,001, and "
        "neither 2,000."
    )
