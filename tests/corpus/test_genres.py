"""The genre of a document: what files say of it, and what is written again."""

import json

import pytest

from corescore import Corpus, Document, score
from corescore.analysis.error_table.table import error_table
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conllu import write_conllu
from corescore.corpus.formats.jsonl import write_jsonl

SENTENCE = "1\tIt\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n2\tran\t_\t_\t_\t_\t1\t_\t_\t_\n\n"


def conllu(*comments, name="d"):
    told = "".join(f"# {comment}\n" for comment in comments)
    return f"# newdoc id = {name}\n# global.Entity = eid\n{told}{SENTENCE}"


def genres_in(text):
    return [document.genre for document in read_bytes(text.encode(), "key")]


@pytest.mark.parametrize(
    ("comments", "genre"),
    [
        (["meta::genre = travel guide", "meta::title = Oslo"], "travel guide"),
        (["genre = letter"], "letter"),
        (["genre = letter", "genre = novel"], "letter"),
        (["meta::genre ="], ""),
        (["meta::subgenre = blog"], ""),
        ([], ""),
    ],
)
def test_comments_of_conllu_tell_the_genre_of_their_document(comments, genre):
    text = conllu(*comments) + conllu("meta::genre = essay", name="e")
    assert genres_in(text) == [genre, "essay"]


@pytest.mark.parametrize(
    ("fields", "genre"), [({"genre": " letter "}, "letter"), ({"genre": 3}, ""), ({}, "")]
)
@pytest.mark.parametrize("words", [{"sentences": [["It", "ran"]]}, {"tokens": ["It", "ran"]}, {}])
def test_a_field_of_json_lines_tells_the_genre(fields, genre, words):
    line = {"doc_key": "d", **words, "clusters": [[[0, 0]]], **fields}
    assert genres_in(json.dumps(line)) == [genre]


def test_the_genre_of_any_document_is_written_as_conllu_and_json():
    document = Document.of_rows("d", [(0, 1, 0)], words=("It", "ran"), genre="travel guide")
    for write in (write_conllu, write_jsonl):
        assert genres_in(write(Corpus((document,)))) == ["travel guide"]
    (read,) = read_bytes(conllu("genre = letter").encode(), "key")
    assert genres_in(write_conllu(Corpus((read,)))) == ["letter"]
    assert genres_in(write_jsonl(Corpus((read,)))) == ["letter"]


def test_errors_are_told_apart_by_the_genre_that_the_key_tells():
    key = conllu("genre = letter") + conllu("genre = novel", name="e") + conllu(name="f")
    response = key.replace("Entity=(e1)", "_").replace("genre =", "author =")
    result = score(*(read_bytes(text.encode(), "d") for text in (key, response)))
    table = error_table(result.comparison)
    told = dict(zip(table["document"], table["genre"], strict=True))
    assert told == {"d": "letter", "e": "novel", "f": "other"}
