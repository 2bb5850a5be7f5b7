"""Words of a plain text, and the words that a span of characters covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore.corpus.formats.marked_text import tokens_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        (" \n\t", ()),
        ("Mia gave her, yes.", ("Mia", "gave", "her", ",", "yes", ".")),
        ("can't 3.5 e-mail", ("can", "'", "t", "3", ".", "5", "e", "-", "mail")),
        ("a_b (c)", ("a", "_", "b", "(", "c", ")")),
        ("--", ("-", "-")),
        ("ete\u0301 हिन्दी", ("ete\u0301", "हिन्दी")),
        ("她笑了。", ("她笑了", "。")),
    ],
)
def test_words_are_runs_of_letters_and_digits_and_other_characters(text, words):
    assert tokens_of(text).words == words


@given(st.text(max_size=30))
def test_words_stand_where_they_say_and_leave_only_blanks(text):
    tokens = tokens_of(text)
    spans = list(zip(tokens.starts, tokens.ends, strict=True))
    assert [text[start:end] for start, end in spans] == list(tokens.words)
    left, at = "", 0
    for start, end in spans:
        assert at <= start < end
        left, at = left + text[at:start], end
    assert not (left + text[at:]).strip()


@given(st.text("ab .", max_size=12), st.integers(0, 13), st.integers(0, 13))
def test_a_span_covers_the_words_that_it_shares_a_character_with(text, start, end):
    tokens = tokens_of(text)
    spans = list(zip(tokens.starts, tokens.ends, strict=True))
    touched = [i for i, (s, e) in enumerate(spans) if set(range(s, e)) & set(range(start, end))]
    expected = (touched[0], touched[-1] + 1) if touched else None
    assert tokens.covering(start, end) == expected
    outside = {i for at in touched for i in range(*spans[at])} - set(range(start, end))
    assert tokens.cuts(start, end) == bool(outside)
