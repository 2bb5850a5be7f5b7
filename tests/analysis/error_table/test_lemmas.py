"""Lemmas in the error table, and queries for them."""

import pytest

import corescore
from corescore import Corpus, Document, Result
from corescore.analysis.error_table.query import QueryError

WORDS = ["Ann", "saw", "dogs", "and", "they", "barked", "at", "her", "cats"]
LEMMAS = ["Ann", "see", "dog", "and", "they", "bark", "at", "she", "cat"]
KEY = [(0, 1, "ann"), (7, 8, "ann"), (2, 3, "dogs"), (4, 5, "dogs")]
RESPONSE = [(0, 1, "ann"), (4, 5, "ann"), (2, 3, "dogs"), (7, 8, "dogs"), (7, 9, "cats")]


def scored(lemmas_of_key=(), lemmas_of_response=()) -> Result:
    sides = ((KEY, lemmas_of_key), (RESPONSE, lemmas_of_response))
    key, response = (
        Corpus((Document.of_rows("d", rows, words=WORDS, lemmas=lemmas),)) for rows, lemmas in sides
    )
    return corescore.score(key, response)


def mentions(result: Result, query: str) -> list[str]:
    return sorted(result.find(query).table["mention"])


@pytest.mark.parametrize("sides", [(LEMMAS, ()), ((), LEMMAS), (LEMMAS, LEMMAS)])
def test_lemmas_of_either_side_are_found(sides) -> None:
    result = scored(*sides)
    assert mentions(result, "lemma:she") == ["her", "her cats"]
    assert mentions(result, "lemma:c*") == mentions(result, "lemma:/^she c/") == ["her cats"]
    assert mentions(result, "given.lemma:dog") == ["her"]
    assert mentions(result, "antecedent.lemma:dog") == ["they"]


def test_a_word_alone_is_a_word_or_a_lemma_and_a_regular_expression_is_of_words() -> None:
    result = scored(LEMMAS)
    assert mentions(result, "she") == mentions(result, "words:she") == ["her", "her cats"]
    assert mentions(result, "cats") == mentions(result, "cat") == ["her cats"]
    assert mentions(result, "/she/") == []


def test_without_lemmas_a_word_is_a_word_and_a_query_for_lemmas_says_what_has_them() -> None:
    result = scored()
    assert mentions(result, "her") == ["her", "her cats"]
    assert mentions(result, "she") == []
    assert not [name for name in result.error_table if "lemma" in name]
    with pytest.raises(QueryError, match="No file that is open has lemmas; CoNLL-U"):
        result.find("lemma:she")


def test_unknown_lemmas_and_gaps_are_left_out() -> None:
    unknown = [*LEMMAS[:8], ""]
    table = scored(unknown).error_table
    assert dict(zip(table["mention"], table["lemma"], strict=True))["her cats"] == "she"
