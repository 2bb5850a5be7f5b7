"""How numbers and nouns are written."""

import math

import pytest

from corescore import wording
from corescore.wording import (
    count,
    counted,
    fraction,
    gap_points,
    heading_of,
    listed,
    number,
    ordinal,
    out_of,
    p_equals,
    percent,
    share,
    signed,
    signed_points,
    spelled,
    unbroken,
)


@pytest.mark.parametrize(
    ("value", "written"), [(0.12345, "12.35"), (1, "100.00"), (math.nan, "–"), (0, "0.00")]
)
def test_percent_has_two_decimals(value, written):
    assert percent(value) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0.01, "+1.00"), (-0.01, "−1.00"), (-1e-9, "0.00"), (math.nan, "–")]
)
def test_differences_are_signed(value, written):
    assert signed(value) == written


@pytest.mark.parametrize(
    ("value", "of_a_sign", "of_a_size"),
    [
        (-0.0123, "−1.23 points", "1.23 points"),
        (0.0123, "+1.23 points", "1.23 points"),
        (0, "0.00 points", "0.00 points"),
        (-1e-15, "0.00 points", "0.00 points"),
        (4.9e-5, "less than 0.01 points", "less than 0.01 points"),
        (-4.9e-5, "less than 0.01 points", "less than 0.01 points"),
    ],
)
def test_a_difference_that_is_not_zero_is_never_written_as_zero(value, of_a_sign, of_a_size):
    assert (signed_points(value), gap_points(value)) == (of_a_sign, of_a_size)


def test_no_line_is_broken_between_a_number_and_what_it_belongs_to():
    text = "A 1, B 12: found with 80% power, p = 0.109 (p < 0.001). A is ahead, p is not."
    kept = "A_1, B_12: found with 80% power, p_=_0.109 (p_<_0.001). A is ahead, p is not."
    assert unbroken(text) == kept.replace("_", "\u00a0")


def test_fractions_keep_whole_numbers_whole():
    assert fraction(18, 29) == "18/29"
    assert fraction(35 / 12, 7) == "2.92/7"
    assert fraction(1234, 2000) == "1,234/2,000"
    assert fraction(math.nan, math.nan) == ""


def test_nouns_go_with_their_numbers():
    assert counted(1, "document") == "1 document"
    assert counted(2, "entity") == "2 entities"
    assert counted(0, "analysis") == "0 analyses"
    assert counted(3, "key") == "3 keys"
    assert counted(1384) == "1,384 mentions"
    assert counted(4 / 3) == "1.33 mentions"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_small_numbers_are_spelled():
    assert [spelled(n) for n in (0, 1, 6, 11, 1384)] == ["none", "one", "six", "11", "1,384"]
    assert [out_of(n, 6) for n in (2, 6)] == ["two of the six", "all six"]


@pytest.mark.parametrize(
    ("value", "two_places", "as_needed"),
    [(2, "2", "2"), (162.5, "162.50", "162.5"), (2 / 3, "0.67", "0.667"), (1384, "1,384", "1,384")],
)
def test_whole_numbers_have_no_decimals(value, two_places, as_needed):
    assert (count(value), number(value)) == (two_places, as_needed)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0004, "p < 0.001"),
        (0.047, "p = 0.047"),
        (0.0498, "p = 0.0498"),
        (0.05, "p = 0.050"),
        (1 / 16, "p = 0.063"),
        (3 / 16, "p = 0.188"),
        (math.nan, "p = –"),
    ],
)
def test_p_values_show_on_which_side_of_the_level_they_are(p, text):
    assert p_equals(p) == text


def test_a_share_never_rounds_to_always_or_never():
    assert [share(x) for x in (0, 0.0002, 0.834, 0.9998, 1)] == [
        "0%",
        "under 1%",
        "83%",
        "over 99%",
        "100%",
    ]


def test_places_are_written_as_ordinals():
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)
    assert " ".join(map(ordinal, numbers)) == ("1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th")


def test_columns_have_plain_headings():
    names = ["f1", "recall_errors", "right_non_coreference"]
    assert [*map(heading_of, names)] == ["F1", "recall errors", "right non-coreference"]


def test_text_for_a_terminal_has_no_character_that_it_acts_upon():
    acted_upon = [*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200F, 0x2028]
    text = "".join(map(chr, acted_upon))
    assert wording.harmless(text).isprintable()
    assert len(set(wording.harmless(text).split("\\"))) == len(acted_upon) + 1
    assert wording.harmless("B³ ─ قال\t\n") == "B³ ─ قال\t\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\nb", "a\\nb"), ("0123456789", "0123456789"), ("0123456789x", "0123456…9x")],
)
def test_a_long_quotation_keeps_its_ends(text, shown):
    assert wording.one_line(text, 10) == shown
