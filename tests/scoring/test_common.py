"""Results over the documents that all of them have."""

import pytest

from corescore import Result, score
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import InputError
from corescore.scoring.tally_files import over_common_documents


def corpus(**entities):
    rows = {
        name: [(at, at + 1, number) for number, of in enumerate(found) for at in of]
        for name, found in entities.items()
    }
    words = tuple("abcdef")
    return Corpus(tuple(Document.of_rows(name, of, words=words) for name, of in rows.items()))


KEY = corpus(one=[[0, 1], [2, 3]], two=[[0, 1, 2]], three=[[4, 5]])
A = corpus(one=[[0, 1, 2]], two=[[0, 1]], three=[[4, 5]])
B = corpus(one=[[0, 1], [2, 3]], three=[[3, 4]])
SKIP = {"missing_documents": "skip"}


def both():
    return {"a": score(KEY, A, **SKIP), "b": score(KEY, B, **SKIP)}


def test_scores_are_those_of_the_documents_that_all_have():
    found = over_common_documents(both())
    key = Corpus(tuple(of for of in KEY if of.name != "two"))
    assert found["a"].table.equals(score(key, A, **SKIP).table)
    assert found["b"].table.equals(both()["b"].table)
    assert isinstance(found["a"], Result)
    assert found["a"].errors.equals(score(key, A, **SKIP).errors)


def test_what_is_left_out_is_told_once():
    warnings = over_common_documents(both())["a"].warnings
    assert [of for of in warnings if "a is scored without 1 document ('two')" in of] == [
        warnings[-1]
    ]
    assert over_common_documents(both())["b"].warnings == both()["b"].warnings


def test_tallies_without_documents():
    found = over_common_documents({name: of.tally for name, of in both().items()})
    assert found["a"].table.equals(over_common_documents(both())["a"].table)


def test_they_can_be_compared():
    a, b = over_common_documents(both()).values()
    assert a.compare(b).randomisation.n_documents == 2


def test_no_common_document():
    other = score(KEY, corpus(two=[[0, 1]]), **SKIP)
    with pytest.raises(InputError, match="no document that the other responses have"):
        over_common_documents({"b": score(KEY, B, **SKIP), "c": other})
