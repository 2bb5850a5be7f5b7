"""Slices: which each mention is in."""

import pytest
from hypothesis import given

from corescore import Corpus, Document, score
from corescore.english import head_position, mention_type
from corescore.errors.mention_tables import slice_table
from corescore.errors.slices import SLICES, genre, slices
from tests.damaged import span_corpora


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("the dog", "dog"),
        ("the dog of the man", "dog"),
        ("the man who barks", "man"),
        ("Ada Moss , the harbour master ,", "Moss"),
        ("the firm 's", "firm"),
        ("it", "it"),
        ("that", "that"),
        ("of", "of"),
        ("'s", "'s"),
    ],
)
def test_the_head_stands_before_what_follows_a_head(phrase, head):
    words = phrase.split()
    assert words[head_position(words)] == head


@pytest.mark.parametrize(
    ("phrase", "opens", "wanted"),
    [
        ("She", True, "pronoun"),
        ("whose", False, "pronoun"),
        ("Ann", False, "name"),
        ("the White House", False, "name"),
        ("the dogs of Ann", False, "nominal"),
        ("Dogs", True, "nominal"),
        ("Dogs", False, "name"),
        ("Ann", True, "name"),
        ("The Dogs", True, "name"),
        ("1999", False, "nominal"),
        ("", False, "unknown"),
    ],
)
def test_types_are_told_from_the_words(phrase, opens, wanted):
    """The document has "dogs" in lower case, "ann" nowhere."""
    found = mention_type(phrase.split(), opens_sentence=opens, in_lower_case={"dogs", "the"})
    assert found == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("GUM_bio_byron", "bio"),
        ("news_harbour", "news"),
        ("bc/cctv/00/cctv_0000", "bc"),
        ("/bc/cctv/00", "bc"),
        ("wsj_0001", "wsj"),
        ("GUM_bio", "GUM"),
        ("document0", "other"),
        ("_0", "other"),
        ("", "other"),
    ],
)
def test_the_genre_is_the_first_of_a_documents_names_or_what_follows_the_corpus(name, wanted):
    assert genre(name) == wanted


WORDS = ("Ann", "saw", "a", "dog", ".", "It", "barked", "at", "her", ".", "Dogs", "bark")
KEY = [[(0, 1), (8, 9)], [(2, 4), (5, 6)], [(10, 11)]]
RESPONSE = [[(0, 1), (8, 9), (5, 6)], [(2, 4), (3, 4)]]


def labels(side):
    key, response = (
        Corpus((Document.of_rows(
            "news_dog",
            [(*span, number) for number, entity in enumerate(entities) for span in entity],
            words=WORDS,
            sentence_starts=(0, 5, 10),
        ),))
        for entities in (KEY, RESPONSE)
    )  # fmt: skip
    return slice_table(score(key, response).comparison, side=side)


def test_mentions_of_the_key_are_sliced_by_all_kinds():
    table = labels("recall")
    assert table["type"].tolist() == ["name", "nominal", "pronoun", "pronoun", "name"]
    assert table["length"].tolist() == ["1 word", "2 words", "1 word", "1 word", "1 word"]
    assert table["size"].tolist() == ["2 mentions"] * 4 + ["1 mention"]
    quarters = ["first quarter", "first quarter", "second quarter", "third quarter", "last quarter"]
    assert table["position"].tolist() == quarters
    first = "first of its entity"
    assert table["antecedent"].tolist() == [first, first, *["1 to 10 words"] * 2, first]
    assert table["genre"].tolist() == ["news"] * 5


def test_mentions_of_the_response_have_its_sizes_and_the_keys_antecedents():
    table = labels("precision")
    assert table["size"].tolist() == [
        *("3 to 5 mentions", "2 mentions", "2 mentions", "3 to 5 mentions", "3 to 5 mentions")
    ]
    first, near = "first of its entity", "1 to 10 words"
    assert table["antecedent"].tolist() == [first, first, "not in the key", near, near]


@pytest.mark.parametrize(
    ("gap", "wanted"),
    [
        (10, "1 to 10 words"),
        (11, "11 to 50 words"),
        (50, "11 to 50 words"),
        (51, "51 to 200 words"),
        (201, "more than 200 words"),
    ],
)
def test_antecedents_are_told_apart_by_the_words_between_the_starts(gap, wanted):
    corpus = Corpus((Document.of_entities("d", [[(0, 1), (gap, gap + 1)]]),))
    table = slice_table(score(corpus, corpus).comparison)
    assert table["antecedent"].tolist()[1] == wanted


@pytest.mark.parametrize("side", ["recall", "precision"])
@given(corpora=span_corpora())
def test_every_mention_is_in_one_slice_of_each_kind_and_both_sides_have_the_same(side, corpora):
    comparison = score(*corpora).comparison
    found = slices(comparison, side=side)
    assert found.keys() == SLICES.keys()
    for kind, of_kind in found.items():
        assert len(of_kind.number) == len(comparison.view(side).own.document)
        assert ((of_kind.number >= 0) & (of_kind.number < len(of_kind.names))).all()
        assert of_kind.names == slices(comparison, side="recall")[kind].names


def test_a_document_without_words_has_positions():
    corpus = Corpus((Document.of_entities("d", [[(0, 1), (1, 2), (2, 3), (7, 8)]]),))
    table = slice_table(score(corpus, corpus).comparison)
    quarters = ["first quarter", "first quarter", "second quarter", "last quarter"]
    assert table["position"].tolist() == quarters
