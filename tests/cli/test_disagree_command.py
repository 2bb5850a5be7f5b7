"""`corescore disagree`: the scorers' table, a walk, a grid, a search; and what it refuses."""

import csv
import io
import json

import pytest

from corescore.__main__ import main
from tests.support.samples import first_files

KEY, A, B = (str(first_files(3) / f"{name}.conll") for name in ("key", "cautious", "heads"))


def rows(capsys, *words):
    assert main(["disagree", KEY, *words, "--format", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_row_for_each_scorer_and_response(capsys):
    found = rows(capsys, A, B)
    assert [row["response"] for row in found[:2]] == ["cautious", "heads"]
    perl = next(row for row in found if row["scorer"] == "perl")
    assert perl["lea"] == ""
    assert float(perl["muc"]) > 0


def test_the_table_says_how_far_scorers_are_apart(capsys):
    assert main(["disagree", KEY, A]) == 0
    out = capsys.readouterr().out
    assert "CoNLL reference scorer v8.01 (perl)" in out
    assert "points apart" in out


def test_a_walk_adds_up(capsys):
    found = rows(capsys, A, "--from", "perl", "--to", "corefud", "--shapley")
    total = float(found[-1]["after"]) - float(found[0]["before"])
    for column in ("difference", "shapley"):
        assert sum(float(row[column]) for row in found) == pytest.approx(total, abs=1e-12)
    assert {"singletons", "match"} <= {row["policy"] for row in found}


def test_a_walk_begins_with_our_defaults_if_not_said_otherwise(capsys):
    (row,) = (row for row in rows(capsys, A, "--to", "scorch") if float(row["difference"]))
    assert (row["policy"], row["from"], row["to"]) == ("average", "micro", "scorch")


def test_a_grid_of_two(capsys):
    found = rows(capsys, A, B, "--grid", "--metric", "lea")
    # mentions (some lie within another of their entity), singletons, match, average
    assert len(found) == 2 * 5 * 4 * 4
    assert {row["winner"] for row in found} <= {"cautious", "heads", ""}


@pytest.mark.slow
def test_a_search(capsys):
    perl = next(row for row in rows(capsys, A) if row["scorer"] == "perl")
    printed = f"{100 * float(perl['conll']):.2f}"
    found = json.loads(_output(capsys, A, "--find", printed, "--format", "json"))
    assert "perl" in found["rows"][0]["scorers"]
    assert _output(capsys, A, "--find", "99.9999").count("Nothing prints 99.9999") == 1


def _output(capsys, *words):
    assert main(["disagree", KEY, *words]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_every_table_can_be_read_in_other_formats(capsys, format):
    for words in ((), ("--to", "e2e"), ("--find", "51.1")):
        assert _output(capsys, A, *words, "--format", format)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((A, "--to", "perl", "--metric", "lea"), "perl has no LEA"),
        ((A, "--from", "perl"), "--to is missing"),
        ((A, "--measure", "recall"), "the CoNLL average has no recall"),
        ((A, "--grid"), "only one response is named"),
        ((A, "--find", "many"), "expected percent"),
        ((A, A), "named twice"),
    ],
)
def test_what_does_not_fit_together_is_refused(capsys, words, message):
    assert main(["disagree", KEY, *words]) == 2
    assert message in capsys.readouterr().err


def test_files_that_no_scorer_takes_are_refused(capsys, tmp_path):
    other = tmp_path / "other.conll"
    other.write_text("#begin document (x); part 000\nx\t0\t0\tShe\t(1)\n\n#end document\n")
    assert main(["disagree", KEY, str(other)]) == 2
    assert "none of which" in capsys.readouterr().err
