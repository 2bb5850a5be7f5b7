"""Mentions with gaps, and words that are not in the text, in the tables of errors."""

import pytest

from corescore import score
from corescore.analysis.errors.tables import (
    incorrectly_resolved_table,
    mention_table,
    operation_table,
)
from corescore.corpus.files import read_bytes
from tests.support import gaps


@pytest.fixture(scope="module")
def comparison():
    return score(read_bytes(gaps.KEY, "key"), read_bytes(gaps.RESPONSE, "response")).comparison


def test_mentions_are_told_with_their_gaps(comparison):
    told = mention_table(comparison).groupby("class", observed=True)["mention"].agg(list)
    assert told["span error"] == ["the old basket that leaks"]
    assert told["missing"] == ["∅it"]
    assert "take … along" in told["correct"]


def test_operations_tell_the_words_of_the_side_they_change(comparison):
    told = operation_table(comparison).set_index("kind")["mentions"]
    assert told["span error"] == ("the old … leaks",)
    assert told["missing mention"] == ("∅it",)


def test_partners_are_told_with_their_gaps(comparison):
    told = incorrectly_resolved_table(comparison).set_index("mention")
    assert told.loc["that", "wrong_partners"] == ("the old … leaks",)
    assert told.loc["that", "right_partners"] == ("the old basket that leaks", "∅it")
