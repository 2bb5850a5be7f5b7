"""Markup: numbers as they are written, escaping, and the lines under a text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Document, score_entities, wording
from corescore.rendering import html as markup
from corescore.scoring.tables import difference_table
from corescore.sentences import markup as marks

WORDS = tuple("abcdefghij")
HOSTILE = '<script>alert("x")</script>'


def document(*entities, words=WORDS, **more):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words, **more)


@pytest.mark.parametrize(
    ("value", "written"), [(0.12345, "12.35"), (1, "100.00"), (math.nan, "–"), (0, "0.00")]
)
def test_percent_has_two_decimals(value, written):
    assert wording.percent(value) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0.01, "+1.00"), (-0.01, "−1.00"), (-1e-9, "0.00"), (math.nan, "–")]
)
def test_differences_are_signed(value, written):
    assert wording.signed(value) == written


def test_fractions_keep_whole_numbers_whole():
    assert wording.fraction(18, 29) == "18/29"
    assert wording.fraction(35 / 12, 7) == "2.92/7"
    assert wording.fraction(1234, 2000) == "1,234/2,000"
    assert wording.fraction(math.nan, math.nan) == ""


def test_nouns_go_with_their_numbers():
    assert wording.counted(1, "document") == "1 document"
    assert wording.counted(2, "entity") == "2 entities"
    assert wording.listed(["a"]) == "a"
    assert wording.listed(["a", "b", "c"]) == "a, b and c"


def test_a_table_of_two_systems_has_a_signed_difference():
    a, b = score_entities([{1, 2}], [{1}, {2}]), score_entities([{1, 2}], [{1, 2}])
    tables = {"A": a.table, "B": b.table}
    html = markup.score_rows(["muc"], tables, difference_table(a, b), caption="c")
    assert "<td>0/1</td><td>0.00</td>" in html
    assert "<td>1/1</td><td>100.00</td>" in html
    assert "<td>B − A</td>" in html
    assert "<td>+100.00</td>" in html


@pytest.mark.parametrize(
    "html",
    [
        markup.paragraph(HOSTILE, "note"),
        markup.problem_list([HOSTILE], kept=True),
        markup.warning_list([HOSTILE]),
        markup.average_block({"A": (HOSTILE, 0.5, [("muc", 0.5)])}, None),
    ],
)
def test_text_from_outside_is_escaped(html):
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_labels_lose_their_markdown():
    assert marks.plain("**a** $x$ [l](u) ä·b") == r"\*\*a\*\* \$x\$ \[l\]\(u\) ä·b"


@given(st.integers(0, 300), st.sets(st.integers(1, 299)), st.integers(2, 50))
def test_windows_cover_a_document_once(n_words, starts, size):
    sentence_starts = (0, *sorted(start for start in starts if start < n_words))
    whole = document(words=("w",) * n_words, sentence_starts=sentence_starts)
    windows = markup.windows(whole, size)
    assert [w.start for w in windows] == [0, *[w.end for w in windows[:-1]]]
    assert windows[-1].end == n_words
    assert all(w.end - w.start <= size for w in windows)
