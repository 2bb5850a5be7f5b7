"""Sentences about a list of errors, and how gains are written."""

import numpy as np
import pytest

from corescore.sentences import error_list as sentences

NAN = np.nan


@pytest.mark.parametrize(
    ("n_all", "gains", "says"),
    [
        (0, [], "A has no errors."),
        (3, [], "None of the 3 errors of A matches."),
        (1, [0.5], "A has 1 error. Fixing it alone gains 0.500 points of LEA."),
        (
            1200,
            [0.25, -0.1, 0.125],
            "3 of the 1,200 errors of A match. Fixing one alone gains up to 0.250 points of LEA; "
            "2 of these fixes gain any.",
        ),
        (2, [0.0, -1.0], "A has 2 errors. Fixing any one of them alone gains nothing under LEA."),
        (2, [NAN, NAN], "A has 2 errors. What their fixes gain under LEA cannot be told."),
        (
            4,
            [NAN, 2.0],
            "2 of the 4 errors of A match. Fixing one alone gains up to 2.00 points of LEA; 1 of "
            "these fixes gains any.",
        ),
    ],
)
def test_the_list_is_told_in_a_sentence(n_all, gains, says):
    assert sentences.found("A", n_all, "lea", np.array(gains, dtype=float)) == says


def test_gains_keep_three_digits_that_count():
    assert [sentences.places(most) for most in (12.0, 0.5, 0.012, 0.0, -1.0)] == [2, 3, 4, 2, 2]
    written = [sentences.points(gain, 3) for gain in (0.0123, -0.4, 0.0, -0.0001, NAN)]
    assert written == ["+0.012", "−0.400", "0.000", "0.000", "–"]
