"""Sentences about a list of errors, and how gains are written."""

import numpy as np
import pytest

from corescore.sentences import errors as sentences

NAN = np.nan


@pytest.mark.parametrize(
    ("n_all", "n_found", "gains", "says"),
    [
        (0, 0, [], "A has no errors."),
        (3, 0, [], "None of the 3 mentions with errors of A matches."),
        (1, 1, [0.5], "A has 1 mention with errors. The fix alone gains 0.50 points of LEA."),
        (
            1200,
            53,
            [0.25, -0.1, 0.125],
            "53 of the 1,200 mentions with errors of A match. A single fix gains at most 0.25 "
            "points of LEA; 2 of the 3 fixes gain something.",
        ),
        (2, 2, [0.0, -1.0], "Fixing any one of them alone gains nothing under LEA."),
        (2, 2, [NAN, NAN], "What their fixes gain under LEA cannot be told."),
        (4, 2, [NAN, 2.0], "A single fix gains at most 2.00 points of LEA; 1 of the 2 fixes gains"),
        (4, 1, [], "Fixing the mentions around them resolves them."),
    ],
)
def test_the_list_is_told_in_a_sentence(n_all, n_found, gains, says):
    assert says in sentences.found("A", n_all, n_found, "lea", np.array(gains, dtype=float))


def test_a_list_that_hides_mentions_says_how_many():
    gains = np.array([0.5, 0.25])
    said = sentences.found("A", 9, 9, "lea", gains, n_hidden=2)
    assert said.startswith("A has 9 mentions with errors; the list hides 2 correct")
    assert "2 fixes" in said
    said = sentences.found("A", 9, 2, "lea", np.array([]), n_hidden=2)
    assert "2 of the 9" in said
    assert "gain" not in said


def test_gains_have_two_decimals_unless_they_would_vanish():
    gains = (0.0123, -0.4, 0.0, -0.0001, 0.0999, 0.004, 12.345, NAN)
    written = [sentences.points(gain) for gain in gains]
    assert written == ["+0.01", "−0.40", "0.00", "−0.0001", "+0.10", "+0.004", "+12.35", "–"]
