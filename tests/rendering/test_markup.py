"""Markup: escaping, and the lines under a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Document, score_entities
from corescore.rendering import html as markup
from corescore.rendering.classroom import in_the_example
from corescore.scoring.tables import difference_table
from corescore.teaching.cards import EXAMPLE
from dashboard.widgets.page import plain

WORDS = tuple("abcdefghij")
HOSTILE = '<script>alert("x")</script>'


def document(*entities, words=WORDS, **more):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words, **more)


def test_the_words_of_a_page_are_not_broken_inside_a_number_and_stay_escaped():
    html = markup.headline("A <b> is better (p < 0.001).")
    assert html == '<p class="headline">A &lt;b&gt; is better (p\u00a0&lt;\u00a00.001).</p>'
    assert "p\u00a0\\=\u00a00\\.109" in plain("not significant (p = 0.109)")


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
    assert plain("**a** $x$ [l](u) ä·b") == r"\*\*a\*\* \$x\$ \[l\]\(u\) ä·b"


@given(st.integers(0, 300), st.sets(st.integers(1, 299)), st.integers(2, 50))
def test_windows_cover_a_document_once(n_words, starts, size):
    sentence_starts = (0, *sorted(start for start in starts if start < n_words))
    whole = document(words=("w",) * n_words, sentence_starts=sentence_starts)
    windows = markup.windows(whole, size)
    assert [w.start for w in windows] == [0, *[w.end for w in windows[:-1]]]
    assert windows[-1].end == n_words
    assert all(w.end - w.start <= size for w in windows)


def test_only_the_parts_of_a_metric_are_named_in_the_example():
    assert in_the_example("muc", EXAMPLE.result) == (
        "In the example: 2 of 5 for recall and 2 of 5 for precision."
    )
    assert "2 of 8 for precision (coreference links); 8 of 12" in in_the_example(
        "blanc", EXAMPLE.result
    )
