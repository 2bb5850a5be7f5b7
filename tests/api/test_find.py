"""`result.find` and `corescore errors --query`: the same rows, in Python and in the shell."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest

import corescore
from corescore import Result
from corescore.__main__ import main
from corescore.analysis.error_table.completion import added, facets
from corescore.analysis.error_table.fields import fields_in
from corescore.analysis.error_table.notes import Note, Notes, notes_as_json
from corescore.analysis.error_table.query import QueryError, parse
from corescore.analysis.error_table.table import ordered, orders_of
from corescore.corpus.problems import PolicyError
from tests.support.samples import first_files

SAMPLE = first_files(5)
KEY, RESPONSE = str(SAMPLE / "key.conll"), str(SAMPLE / "greedy.conll")
OTHER = str(SAMPLE / "cautious.conll")
QUERY = "given:wrong size>2"


@pytest.fixture(scope="module")
def result() -> Result:
    return corescore.score(corescore.read(KEY), corescore.read(RESPONSE))


def shell(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["errors", KEY, RESPONSE, *arguments])
    return code, *capsys.readouterr()


def test_what_is_found_is_in_the_order_asked_for(result: Result) -> None:
    found = result.find(QUERY, order="cost.lea")
    costs = found.table["cost_lea"]
    assert 0 < len(found) < len(result.error_table)
    assert costs.is_monotonic_decreasing
    assert not found.table["given_right"].any()
    assert (found.table["key_size"] > 2).all()
    assert len(result.find()) == len(result.error_table)
    assert result.find(order="text").table.equals(result.error_table)


def test_contexts_are_the_words_around_each_mention(result: Result) -> None:
    rows = result.find("antecedent:none", order="text").top(3).with_contexts(words=2)
    words = {document.name: document.words for document in result.comparison.key}
    assert len(rows) == 3
    for row in rows.itertuples():
        before = words[row.document][max(0, row.start - 2) : row.start]
        assert row.mention_before == " ".join(before)
        assert row.antecedent_before == ""


def test_every_facet_and_order_of_the_real_table_works(result: Result) -> None:
    frame = result.error_table
    for facet in facets(frame):
        for value, count in facet.counts:
            assert parse(added("", facet.field.name, value)).matches(frame).sum() == count
    for name in orders_of(frame):
        assert len(ordered(frame, name)) == len(frame)
    known = {column for field in fields_in(list(frame)) for column in field.columns}
    assert {"kind", "class", "given", "cost_lea", "cost_conll"} <= known


def test_python_and_shell_find_the_same_rows(
    result: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = result.find(QUERY, order="cost.lea").top(5).with_contexts()
    asked = ("--query", QUERY, "--order", "cost.lea", "--top", "5")
    code, text, _ = shell(*asked, "--format", "json", capsys=capsys)
    rows = json.loads(text)["rows"]
    assert code == 0
    assert [row["id"] for row in rows] == expected["id"].tolist()
    assert list(rows[0]) == list(expected.columns)
    _, text, _ = shell(*asked, "--format", "csv", capsys=capsys)
    assert pd.read_csv(io.StringIO(text))["id"].tolist() == expected["id"].tolist()
    file = tmp_path / "errors.parquet"
    shell(*asked, "--format", "parquet", "--out", str(file), capsys=capsys)
    again = pd.read_parquet(file)
    assert again["id"].tolist() == expected["id"].tolist()
    assert again["cost_lea"].tolist() == expected["cost_lea"].tolist()
    assert again.attrs["signature"] == result.signature


def test_the_shell_shows_the_most_telling_columns(capsys: pytest.CaptureFixture[str]) -> None:
    code, text, _ = shell("--query", QUERY, "--order", "cost.lea", "--top", "1", capsys=capsys)
    header, _, row, *_ = text.splitlines()
    assert code == 0
    assert header.split()[-4:] == ["cost", "lea", "cost", "conll"]
    assert header.split()[:3] == ["document", "sentence", "mention"]
    assert row


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--query", "typ:proper"), 'query, character 1: "typ" as a field; expected a field'),
        (("--query", "she size>x"), 'query, character 10: "x"; expected a number.'),
        (("--query", "cost.zzz>1"), "query, character 1: cost.zzz, which this table does not have"),
        (("--order", "colour"), "order is 'colour'; expected one of: text, words"),
        (("--top", "0"), "top is 0; expected 1"),
        (("--query", "she", "--impact"), "--query with --impact; expected one of them"),
        (("--top", "2", "--by", "document"), "--top with --by; expected one of them"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, error = shell(*arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert error.startswith(f"corescore: {said}")
    assert error.count("\n") == 1


def test_python_refuses_the_same(result: Result) -> None:
    with pytest.raises(QueryError) as refused:
        result.find("she typ:proper")
    assert refused.value.position == 4
    with pytest.raises(PolicyError, match="order is 'colour'"):
        result.find(order="colour")


def test_errors_of_mentions_that_another_response_has_correct_are_listed(
    result: Result, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = corescore.score(corescore.read(KEY), corescore.read(OTHER))
    found = result.find("other:correct", other=other)
    assert 0 < len(found) < len(result.error_table)
    options = "--other", OTHER, "--query", "other:correct", "--format", "json"
    code, printed, _ = shell(*options, capsys=capsys)
    assert code == 0
    assert [row["id"] for row in json.loads(printed)["rows"]] == found.table["id"].tolist()
    with pytest.raises(QueryError, match=r"other, which .* It needs a second response"):
        result.find("other:correct")
    assert shell("--other", RESPONSE, capsys=capsys)[0] == 2
    copy = tmp_path / "other.conll"
    copy.write_bytes(Path(OTHER).read_bytes())
    assert shell("--other", str(copy), "--out", str(copy), "--force", capsys=capsys)[0] == 2
    assert copy.read_bytes() == Path(OTHER).read_bytes()


def test_notes_are_found_and_listed(
    result: Result, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, second, *_ = result.find(order="text").table["id"]
    notes = Notes.of([Note(first, ("hard",), "a long way"), Note(second), Note("gone:0-1:b")])
    found = result.find("tag:hard", notes=notes).table
    assert (found["id"].tolist(), found["note"].tolist()) == ([first], ["a long way"])
    assert len(result.find("seen:yes", notes=notes)) == 2
    file = tmp_path / "notes.json"
    file.write_text(notes_as_json(notes), encoding="utf-8")
    options = "--notes", str(file), "--query", "seen:yes", "--order", "text", "--format", "json"
    code, printed, said = shell(*options, capsys=capsys)
    assert code == 0
    rows = json.loads(printed)["rows"]
    assert [(row["id"], row["tag"]) for row in rows] == [(first, "hard"), (second, "")]
    assert "such as 'gone:0-1:b'" in said
    file.write_text("{")
    code, _, said = shell("--notes", str(file), capsys=capsys)
    assert code == 2
    assert said.startswith(f"corescore: {file}:1: ")
