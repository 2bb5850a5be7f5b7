"""Exact scores stand beside those of any other matching."""

import json

import pytest

from corescore import Corpus, Document, score
from corescore.corpus.files import read_bytes
from corescore.rendering.scores import Report, as_json, as_table
from corescore.sentences.policies import beside_exact

# "the old dog … it" and "a cat … she"; the response has "dog" for "the old dog" and lacks "a cat".
WORDS = ["the", "old", "dog", "and", "a", "cat", "saw", "that", "it", "and", "she", "ran"]
KEY = [(0, 3, 0), (8, 9, 0), (4, 6, 1), (10, 11, 1)]
RESPONSE = [(0, 1, 0), (8, 9, 0), (4, 6, 1), (10, 11, 1)]  # heads unknown: the first words


def corpus(rows):
    return Corpus((Document.of_rows("d", rows, words=WORDS),))


def scored(match):
    return score(corpus(KEY), corpus(RESPONSE), match=match)


@pytest.mark.parametrize("match", ["head", "partial", "lenient"])
def test_the_exact_scores_are_those_of_exact_matching(match):
    found, exact = scored(match), scored("exact")
    assert found["mentions"].f1 == 1
    assert found.exact.table.equals(exact.table)
    assert exact["mentions"].f1 == 3 / 4
    assert found.exact.signature == exact.signature


def test_a_sentence_gives_both():
    said = beside_exact("A · it", scored("head"))
    assert said.startswith("Mentions of A · it are matched by head. If only the same words match, ")
    # MUC 1/2; B³ (1/2 + 1 + 1)/4 = 5/8; CEAF_e (1/2 + 1)/2 = 3/4; their mean is 5/8
    assert "its CoNLL average is 62.50 instead of 100.00; F1: MUC 50.00, B³ 62.50," in said
    assert beside_exact("A", scored("exact")) == ""
    same = score(corpus(KEY), corpus(KEY), match="head")
    assert "its CoNLL average is 100.00, too; F1: MUC 100.00," in beside_exact("A", same)


def test_tables_and_json_have_both():
    report = Report("key", {"it": scored("partial")})
    assert beside_exact("it", scored("partial")) in as_table(report).splitlines()
    (values,) = json.loads(as_json(report))["responses"]
    assert values["exact"]["mentions"]["f1"] == 3 / 4
    assert values["scores"]["mentions"]["f1"] == 1
    plain = Report("key", {"it": scored("exact")})
    assert "instead of" not in as_table(plain)
    assert "exact" not in json.loads(as_json(plain))["responses"][0]


def test_documents_keep_their_positions_where_they_were_aligned():
    key = read_bytes(b"# d\n[The dogs](#1) ran .", "k.md")
    response = read_bytes(b"# d\n[The](#1) dogs ran /.", "r.md")
    found = score(key, response, match="head", words="align")
    assert (found["mentions"].f1, found.exact["mentions"].f1) == (1, 0)
