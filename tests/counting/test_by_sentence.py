"""Words counted in their sentences: look-up "table" where words are ignored."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, preset, score

CHOSEN = {"lookup": "table", "words": "ignore"}


def document_of(lengths, mentions):
    """Sentences of so many words, and (sentence, start, end, entity) over them."""
    starts = [0, *accumulate(lengths)]
    rows = [(starts[at] + start, starts[at] + end, entity) for at, start, end, entity in mentions]
    words = [f"w{number}" for number in range(starts[-1])]
    return Document.of_rows("d", rows, words=words, sentence_starts=starts[:-1])


@st.composite
def sides(draw):
    """Sentence lengths, and mentions of three entities over them, each span once."""
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    spans = [
        (at, start, end)
        for at, length in enumerate(lengths)
        for start in range(length)
        for end in range(start + 1, length + 1)
    ]
    chosen = draw(st.lists(st.sampled_from(spans), unique=True, min_size=1, max_size=8))
    return lengths, [(*span, draw(st.integers(0, 2))) for span in chosen]


@given(sides(), sides())
def test_mentions_are_the_same_by_sentence_and_word(key, response):
    """Oracle: the same spans at places so far apart that sentences cannot meet."""
    documents = [document_of(*side) for side in (key, response)]
    made = score(*(Corpus((document,)) for document in documents), **CHOSEN)
    apart = [
        Document.of_rows("d", [(10 * at + s, 10 * at + e, entity) for at, s, e, entity in mentions])
        for _, mentions in (key, response)
    ]
    expected = score(*(Corpus((document,)) for document in apart), lookup="table")
    assert made.table.equals(expected.table)


@given(sides())
def test_our_own_rules_count_in_the_document(side):
    lengths, mentions = side
    document = document_of(lengths, mentions)
    longer = document_of([lengths[0] + 1, *lengths[1:]], mentions)
    both = Corpus((document,)), Corpus((longer,))
    assert score(*both, **CHOSEN)["mentions"].f1 == 1
    if lengths[1:]:
        plain = score(*both, words="ignore")
        assert plain.comparison.key[0].sentence_starts == document.sentence_starts
        with pytest.raises(InputError):
            score(*both, **preset("corefud"))


def test_a_side_without_words_has_no_sentences():
    key = document_of([2, 2], [(0, 0, 1, 0), (1, 0, 1, 0)])
    bare = Corpus((Document.of_rows("d", [(0, 1, 0), (2, 3, 0)]),))
    assert score(Corpus((key,)), bare, **CHOSEN)["mentions"].f1 == 1
    assert score(bare, Corpus((key,)), **CHOSEN)["mentions"].f1 == 1
