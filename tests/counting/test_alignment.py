"""Which key words the words of another version of a text stand for."""

from itertools import pairwise
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore.counting.alignment import (
    LENGTHS,
    MOST_CELLS,
    NOTHING,
    align,
    normalised,
    partners,
    stream,
)

WORDS = st.lists(st.text("abc", min_size=1, max_size=4), max_size=12)
ANY_WORDS = st.lists(st.text(max_size=4), max_size=8)


def stands_for(key, response):
    """What each response word stands for, as text; "" for nothing."""
    ours = key.split()
    found = align(ours, response.split())
    return [" ".join(ours[s:e]) for s, e in zip(found.start, found.end, strict=True)]


def is_same_text(found):
    """Whether both say the same, character by character."""
    return not (len(found.changed) or len(found.added) or len(found.dropped))


def test_words_that_notations_write_otherwise_are_the_same():
    key, response = "`` Do n't go -LRB- now /- 1\\/2 -RRB- '' /?", 'Do n’t go ( now – 1/2 ) "'
    assert stands_for(key, response) == key.split()[1:-1]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("Müller’s café", "muller ' s cafe"),
        ("unhappiness is", "un ##happi ##ness is"),
        ("unhappiness is", "▁un happi ness ▁is"),
        ("low er", "low@@ er"),
        ("Ｔｏｋｙｏ １２", "Tokyo 12"),
        ("e\u0301te\u0301", "été"),
        ("fi\u200dne", "ﬁne"),
        ("a b c", "abc"),
        ("...", "… "),
    ],
)
def test_another_tokenisation_is_the_same_text(key, response):
    assert is_same_text(align(key.split(), response.split()))


@pytest.mark.parametrize("word", ["", " ", "\u200b", "▁", "\n"])
def test_a_word_without_a_visible_character_is_no_change(word):
    assert normalised(word) == NOTHING
    found = align(["a", "b"], ["a", word, "b"])
    assert is_same_text(found)
    assert [*found.end] == [1, 0, 2]


def test_a_combining_mark_alone_is_a_word():
    assert is_same_text(align(["a", "\u0301"], ["a", "\u0301"]))


def test_a_word_stands_for_all_words_that_have_its_characters():
    assert stands_for("Obama 's dog", "Obama's dog") == ["Obama 's", "dog"]


def test_a_changed_word_stands_for_the_word_in_its_place():
    found = align(["Kirk", "saw", "the", "colour"], ["[UNK]", "saw", "the", "color"])
    assert [*found.start] == [0, 1, 2, 3]
    assert [*found.changed] == [0, 3]
    assert [*found.added] == [*found.dropped] == []


def test_several_words_in_the_place_of_several_share_them():
    assert stands_for("x 1 2 3 y", "x # % y") == ["x", "1 2", "2 3", "y"]
    assert stands_for("x 1 y", "x # % y") == ["x", "1", "1", "y"]


def test_a_long_stretch_of_other_words_stands_for_nothing():
    key, response = "x 1 2 3 4 5 6 7 y", "x # # # # # # # y"
    assert stands_for(key, response) == ["x", *[""] * 7, "y"]
    found = align(key.split(), response.split())
    assert [*found.added] == [*found.dropped] == [1, 2, 3, 4, 5, 6, 7]


def test_added_and_dropped_words_are_told_and_their_neighbours_stay():
    found = align(["she", "saw", "Sam", "yesterday"], ["she", "Sam", "yesterday", ",", "too"])
    assert [*found.start] == [0, 2, 3, 0, 0]
    assert ([*found.dropped], [*found.added], [*found.changed]) == ([1], [3, 4], [])


def test_the_share_is_of_the_shorter_text():
    assert align(list("abcd"), list("ab")).share == 1
    assert align(list("abcd"), list("wxyz")).share == 0
    assert align([], []).share == align(["a"], []).share == 1


@given(WORDS, st.data())
def test_the_same_characters_are_found_whatever_the_words(words, data):
    text = "".join(words)
    cuts = data.draw(st.sets(st.integers(1, len(text) - 1)) if len(text) > 1 else st.just(set()))
    bounds = [*pairwise([0, *sorted(cuts), len(text)])] if text else []
    found = align(words, [text[start:end] for start, end in bounds])
    assert is_same_text(found)
    word_at = [number for number, word in enumerate(words) for _ in word]
    covered = [(word_at[start], word_at[end - 1] + 1) for start, end in bounds]
    assert [*zip(found.start, found.end, strict=True)] == covered


@given(ANY_WORDS, ANY_WORDS)
def test_any_two_texts_are_aligned_in_order(key, response):
    found = align(key, response)
    known = found.end > 0
    assert (found.start[known] < found.end[known]).all()
    assert (found.end <= len(key)).all()
    assert (np.diff(found.start[known]) >= 0).all()
    assert (np.diff(found.end[known]) >= 0).all()
    assert 0 <= found.share <= 1


@given(ANY_WORDS)
def test_a_text_is_aligned_with_itself(words):
    found = align(words, words)
    assert [*found.start] == [*range(len(words))]
    assert is_same_text(found)


@given(st.text("ab", max_size=200), st.text("ab", max_size=200))
def test_partners_are_equal_characters_in_order(key, response):
    ours, theirs = stream([*key]), stream([*response])
    partner = partners(ours, theirs)
    at = np.flatnonzero(partner >= 0)
    assert all(key[partner[b]] == response[b] for b in at)
    assert (np.diff(partner[at]) > 0).all()


def test_long_texts_are_aligned_around_what_is_unlike():
    """Beyond what difflib is given, with runs that are unique and without any."""
    words = [f"w{i}" for i in range(5000)]
    other = ["X", *words[:2000], *words[2005:4000], "Y", "Z", *words[4000:]]
    found = align(words, other)
    assert [*found.dropped] == [2000, 2001, 2002, 2003, 2004]
    assert [other[at] for at in found.added] == ["X", "Y", "Z"]
    assert min(len(words), len(other)) ** 2 > MOST_CELLS

    equal = align(["x", *["a"] * 5000, "y"], ["p", *["a"] * 5001, "q"])
    assert equal.share > 0.99
    assert len(equal.dropped) + len(equal.added) <= max(LENGTHS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["changed", "equal", "reversed"])
def test_thirty_thousand_words_take_no_longer_than_seconds(kind):
    words = [f"w{i % 7000}" for i in range(30_000)] if kind != "equal" else ["a"] * 30_000
    other = (
        words[::-1] if kind == "reversed" else [w if i % 9 else "?" for i, w in enumerate(words)]
    )
    began = perf_counter()
    align(words, other)
    assert perf_counter() - began < 10
