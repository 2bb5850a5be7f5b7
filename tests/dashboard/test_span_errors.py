"""Missing and spurious mean the same on every page: span errors are a class of their own."""

import re
from collections import Counter

import pytest

from corescore import read, score
from corescore.analysis.errors.classes import MISSING, SPAN_ERROR, SPURIOUS
from corescore.analysis.errors.tables import apart, mention_table, span_errors
from corescore.scoring.tables import document_summary
from tests.support.pages import html, name_files, reads, run

HEAD = "#begin document (d{}); part 000\n"
WORDS = ("the", "old", "house", "it", "Mia", "she")
KEY = ("(1", "-", "1)", "(1)", "(2)", "(2)")
SPAN = ("-", "(1", "1)", "(1)", "-", "-")


def text(*documents):
    parts = []
    for number, cells in enumerate(documents, 1):
        rows = zip(WORDS, cells, strict=True)
        lines = [f"d{number}\t0\t{at}\t{word}\t{cell}" for at, (word, cell) in enumerate(rows)]
        parts.append(HEAD.format(number) + "\n".join(lines) + "\n\n#end document\n")
    return "".join(parts)


@pytest.fixture
def files(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(text(KEY, KEY), encoding="utf-8")
    response.write_text(text(SPAN, KEY), encoding="utf-8")
    return key, response


def test_counts_less_span_errors_are_the_classes_of_the_mentions(files):
    result = score(*map(read, files))
    found = span_errors(result.comparison)
    assert found.to_dict() == {"d1": 1, "d2": 0}
    summary = document_summary(result)
    told = apart(summary.assign(span_errors=found), ("missing_mentions", "spurious_mentions"))
    of_kind = Counter(mention_table(result.comparison)["class"])
    assert told["missing_mentions"].sum() == of_kind[MISSING] == 2
    assert told["spurious_mentions"].sum() == of_kind[SPURIOUS] == 0
    assert told["span_errors"].sum() == of_kind[SPAN_ERROR] == 1
    assert list(summary.loc["d1", ["missing_mentions", "spurious_mentions"]]) == [3, 1]


def test_documents_show_span_errors_beside_missing_and_spurious(monkeypatch, files):
    name_files(monkeypatch, *files)
    shown = run(view="documents").dataframe[0].value.set_index("document")
    columns = ["span_errors", "missing_mentions", "spurious_mentions"]
    assert shown[columns].loc["d1"].to_list() == [1, 2, 0]
    assert shown[columns].loc["d2"].to_list() == [0, 0, 0]


def test_overview_and_text_count_the_same(monkeypatch, files):
    name_files(monkeypatch, *files)
    counts = html(run()).split("spurious</th>")[1]
    row = counts.split("</tr>")[2]
    assert row.count("<td") >= 4
    cells = [cell.partition(">")[2] for cell in row.split("<td")[1:]]
    numbers = [re.sub("<[^>]*>", "", cell).strip() for cell in cells]
    assert numbers[-4:] == ["5", "1", "2", "0"]  # found, span errors, missing, spurious
    assert reads(html(run(view="text", document="d1")), "1", "span error", "misses 2")
