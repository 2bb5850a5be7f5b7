"""Genres from a table of documents, and the errors that they tell apart."""

import json
import re

import pytest

from corescore import Corpus, Document, InputError
from corescore.__main__ import main
from corescore.corpus.names import read_genres, with_genres
from corescore.util import bundled

KEY, RESPONSE = (str(bundled("sample_data") / f"{name}.conll") for name in ("key", "cautious"))


@pytest.mark.parametrize(
    "text",
    [
        "a\tletter\nb, c\tnovel\n",
        "document\tgenre\r\na\tletter\r\n\r\nb, c\t novel\r\n",
        'Document,Genre\na,letter\n"b, c",novel',
        "\ufeffa\tletter\nb, c\tnovel",
    ],
)
def test_a_table_has_a_document_and_its_genre_in_each_row(tmp_path, text):
    file = tmp_path / "genres"
    file.write_bytes(text.encode())
    assert read_genres(str(file)) == {"a": "letter", "b, c": "novel"}


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        (b"a\tletter\nb\n", 2, "1 column: 'b'"),
        (b"a\tletter\nb\t\n", 2, "no genre of 'b'"),
        (b"a\tletter\n\tnovel\n", 2, "no document before 'novel'"),
        (b"a,letter,x\n", 1, "3 columns: 'a'"),
        (b"a\tletter\nb\tnovel\na\tnovel\n", 3, "a second row on document 'a'"),
        (b"\xff\xfe", 0, "bytes that are no UTF-8"),
        (b"a\rb\t" + 140_000 * b"c", 0, "no table"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(tmp_path, data, line, found):
    file = tmp_path / "genres.tsv"
    file.write_bytes(data)
    with pytest.raises(InputError) as refused:
        read_genres(str(file))
    (problem,) = refused.value.problems
    assert problem.line == line
    assert found in problem.found


def test_documents_that_are_not_named_keep_what_their_file_says():
    corpus = Corpus(tuple(Document.of_rows(name, (), genre="essay") for name in "ab"))
    found = with_genres(corpus, {"a": "letter", "x": "novel", "y": "novel"}, "genres.tsv")
    assert [document.genre for document in found] == ["letter", "essay"]
    assert found.warnings == ("genres.tsv: the key lacks 2 documents of it, such as 'x'.",)


def test_errors_are_listed_by_the_genres_of_a_table(tmp_path, capsys):
    table = tmp_path / "genres.csv"
    table.write_text(
        "news_library,letter\nnews_harbour,letter\nelsewhere,novel\n", encoding="utf-8"
    )
    arguments = ["errors", KEY, RESPONSE, "--genres", str(table), "--query", "genre:letter"]
    assert main([*arguments, "--format", "json"]) == 0
    told = capsys.readouterr()
    documents = {row["document"] for row in json.loads(told.out)["rows"]}
    assert documents == {"news_library", "news_harbour"}
    assert re.search(r"lacks 1 document .* 'elsewhere'\.", told.err)
    assert main([*arguments, "--out", str(table), "--force"]) == 2
    assert "letter" in table.read_text(encoding="utf-8")
