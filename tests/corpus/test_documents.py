"""Documents and corpora as values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, Mention
from tests.support.strategies import documents

ROWS = [(4, 5, "x"), (0, 3, "y"), (0, 1, "x"), (2, 3, "y")]


def test_mentions_are_in_text_order_the_longer_first():
    document = Document.of_rows("d", ROWS)
    assert document.mentions == (Mention(0, 3), Mention(0, 1), Mention(2, 3), Mention(4, 5))


def test_entities_are_numbered_by_their_first_mentions():
    document = Document.of_rows("d", ROWS)
    assert document.entity_of.tolist() == [0, 1, 0, 1]
    assert document.entities == ((Mention(0, 3), Mention(2, 3)), (Mention(0, 1), Mention(4, 5)))
    assert document.n_entities == 2


@given(st.permutations(ROWS), st.permutations(["p", "q"]))
def test_neither_the_order_of_rows_nor_the_ids_of_entities_matter(rows, names):
    renamed = [(start, end, names["xy".index(entity)]) for start, end, entity in rows]
    assert Document.of_rows("d", renamed) == Document.of_rows("d", ROWS)


@given(documents())
def test_a_document_of_a_documents_entities_has_the_same_mentions_and_entities(document):
    spans = [[(mention.start, mention.end) for mention in e] for e in document.entities]
    assert Document.of_entities(document.name, spans).mentions == document.mentions
    assert Document.of_entities(document.name, spans).n_entities == document.n_entities


def test_of_two_rows_with_one_span_the_entity_that_appears_first_comes_first():
    document = Document.of_rows("d", [(3, 4, "late"), (0, 1, "early"), (3, 4, "early")])
    assert document.entity_of.tolist() == [0, 0, 1]


SPANS = st.tuples(st.integers(0, 5), st.integers(1, 4), st.integers(0, 3))


@given(st.lists(SPANS.map(lambda row: (row[0], row[0] + row[1], row[2])), max_size=12))
def test_rows_in_an_array_are_those_in_tuples_and_both_stand_in_text_order(rows):
    found = Document.of_rows("d", rows)
    array = Document.of_rows("d", np.array(rows, dtype=np.int64).reshape(-1, 3))
    placed = sorted(rows, key=lambda row: (row[0], -row[1]))
    number = {entity: at for at, entity in enumerate(dict.fromkeys(row[2] for row in placed))}
    expected = sorted(((s, -e, number[entity]) for s, e, entity in rows))
    assert found.rows.tolist() == [[s, -e, entity] for s, e, entity in expected]
    assert array == found
    assert array.listed == found.listed


@pytest.mark.parametrize("row", [(-1, 1, 0), (2, 2, 0), (3, 2, 0)])
def test_a_span_without_a_word_or_before_the_document_is_refused(row):
    for rows in ([(0, 1, 0), row], np.array([(0, 1, 0), row])):
        with pytest.raises(ValueError, match="a span that is not 0 ≤ start < end"):
            Document.of_rows("d", rows)


def test_all_words_are_one_sentence_unless_told_otherwise():
    assert Document.of_rows("d", (), words=["a", "b"]).sentence_starts == (0,)
    assert Document.of_rows("d", ()).sentence_starts == ()


def test_text_is_the_words_of_a_mention():
    document = Document.of_entities("d", [[(1, 3)]], words=["the", "old", "man"])
    assert document.text(document.mentions[0]) == "old man"


def test_other_entities_over_the_same_text():
    document = Document.of_rows(
        "d",
        ROWS,
        words="abcde",
        sentence_starts=(0, 2),
        speakers=("Ann", ""),
        tags=("NN", "", "DT", "NN", ""),
    )
    other = document.with_entities([(1, 2, 0)])
    assert other.mentions == (Mention(1, 2),)
    assert (other.words, other.sentence_starts) == (document.words, document.sentence_starts)
    assert (other.name, other.speakers) == (document.name, document.speakers)
    assert other.tags == document.tags
    assert other.with_entities(ROWS) == document


def test_where_a_document_was_read_does_not_count():
    read = Document.of_rows("d", ROWS, file="a.conll", lines=np.arange(5))
    assert read == Document.of_rows("d", ROWS)
    assert hash(read) == hash(Document.of_rows("d", ROWS))
    assert Corpus((read,), "a.conll", ("a warning",)) == Corpus((read,))


@pytest.mark.parametrize(
    "other",
    [
        Document.of_rows("e", ROWS),
        Document.of_rows("d", ROWS[1:]),
        Document.of_rows("d", [*ROWS[:-1], (2, 3, "z")]),
        Document.of_rows("d", ROWS, words="abcde"),
        Document.of_rows("d", ROWS, named_mentions=True),
        "d",
    ],
)
def test_all_that_is_said_of_the_text_counts(other):
    assert Document.of_rows("d", ROWS) != other


def test_tags_of_the_same_words_count_too():
    tagged = Document.of_rows("d", (), words="ab", tags=("NN", ""))
    assert tagged == Document.of_rows("d", (), words="ab", tags=["NN", ""])
    assert tagged != Document.of_rows("d", (), words="ab", tags=("NN", "NN"))
    assert tagged != Document.of_rows("d", (), words="ab")


@pytest.mark.parametrize("words", ["", "a", "abc"])
def test_tags_are_one_for_each_word(words):
    with pytest.raises(ValueError, match=rf"document 'd' has 2 tags for {len(words)} words"):
        Document.of_rows("d", (), words=words, tags=("NN", ""))


def test_values_are_frozen():
    document = Document.of_rows("d", ROWS)
    for value, name in ((document, "name"), (document.mentions[0], "start"), (Corpus(()), "file")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


def test_a_corpus_is_its_documents_in_order_and_by_name():
    b, a = Document.of_rows("b", ()), Document.of_rows("a", ())
    corpus = Corpus((b, a))
    assert list(corpus) == [b, a]
    assert len(corpus) == 2
    assert corpus["a"] is a
    with pytest.raises(KeyError):
        corpus["c"]
