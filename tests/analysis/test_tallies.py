"""What compares responses takes tallies, and gives what it gives of scores with documents."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from corescore import score
from corescore.analysis.systems.documents import documents_of_each
from corescore.analysis.systems.many import groups, ranking
from corescore.analysis.systems.pair import Pair
from corescore.corpus.files import read_bytes
from tests.support.strategies import corpora_of, pair_corpora


def notation(*documents):
    return read_bytes("\n".join(documents).encode(), "key.txt", format="notation")


KEY = notation("{a b} {c d}", "{a b c}", "{a} {b c}")
A = score(KEY, notation("{a b} {c} {d}", "{a b c}", "{a b} {c}"))
B = score(KEY, notation("{a c} {b d}", "{a b} {c}", "{a} {b c}"))


@pytest.mark.slow
@settings(max_examples=6)
@given(pair_corpora(max_documents=5))
def test_two_tallies_compare_as_the_scores_they_come_from(pairs):
    key, response = corpora_of(pairs)
    a, b = score(key, response), score(key, key)
    of_scores, of_tallies = (Pair(*two, trials=20) for two in ((a, b), (a.tally, b.tally)))
    for table in ("significance", "documents", "disagreements", "disagreement_counts"):
        pd.testing.assert_frame_equal(
            getattr(of_tallies, table), getattr(of_scores, table), check_exact=True
        )
    assert of_tallies.signature == of_scores.signature
    assert of_tallies.warnings == of_scores.warnings
    drawn = (pair.randomised("muc").tobytes() for pair in (of_scores, of_tallies))
    assert len({*drawn}) == 1


def test_tallies_are_ranked_as_the_scores_they_come_from():
    results = {"a": A, "b": B, "key": score(KEY, KEY)}
    tallies = {name: result.tally for name, result in results.items()}
    tables = [ranking(of, trials=20).table for of in (results, tallies)]
    pd.testing.assert_frame_equal(*tables, check_exact=True)
    tested = [groups(of, "lea", trials=20) for of in (results, tallies)]
    assert tested[0].groups == tested[1].groups
    np.testing.assert_array_equal(tested[0].p, tested[1].p)
    pd.testing.assert_frame_equal(*(documents_of_each(of, "muc") for of in (results, tallies)))


def test_a_tally_compares_with_scores_over_the_same_key():
    mixed, plain = Pair(A.tally, B, trials=20), Pair(A, B, trials=20)
    pd.testing.assert_frame_equal(mixed.significance, plain.significance, check_exact=True)


@pytest.mark.parametrize(
    ("key", "about"),
    [
        (("{a b} {c d}", "{a b c}"), "3 documents and 2"),
        (("{a c} {b d}", "{a b c}", "{a} {b c}"), "they differ in '1' of one, '1' of the other"),
        (("{a b} {c d}", "{a b c}", "{a b} {c}"), "they differ in '3' of one, '3' of the other"),
    ],
)
def test_tallies_over_other_keys_are_refused(key, about):
    other = score(notation(*key), notation(*key)).tally
    for mine in (A, A.tally):
        with pytest.raises(ValueError, match=about):
            Pair(mine, other)


@pytest.mark.parametrize(
    "table",
    [
        lambda pair: pair.verdicts,
        lambda pair: pair.errors,
        lambda pair: pair.mentions("muc"),
        lambda pair: pair.entities("muc"),
    ],
)
def test_what_needs_mentions_says_so(table):
    with pytest.raises(ValueError, match="no mentions or entities"):
        table(Pair(A.tally, B.tally))
