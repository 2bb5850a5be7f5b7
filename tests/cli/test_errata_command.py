"""`corescore errata`, with and without --statements."""

import csv
import io
import json

import pytest

import corescore.replication.papers
from corescore.__main__ import main
from corescore.bibliography import LUO_2014, MOOSAVI_2016
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Check, Reading
from corescore.replication.papers import ERRATA, OPEN_READINGS, STATEMENTS, Statement
from tests.support.experiments import DEPENDS

READINGS = (Reading("rounded", False), Reading("cut", False), Reading("not at all", True))


def erratum(paper, kind, experiment="", printed="It is 2.", readings=READINGS[:2]):
    return Erratum(
        id=f"{paper.year}-{kind}",
        paper=paper,
        where="Table 9",
        kind=kind,
        printed=printed,
        computed="It is 3.",
        arithmetic=lambda: Check(False, "1 + 2 = 3", readings=readings),
        cause="A slip.",
        experiment=experiment,
    )


@pytest.fixture
def made_up(monkeypatch):
    """Two errata, an open reading and two statements of ours alone."""
    errata = (erratum(MOOSAVI_2016, "rank", "moosavi2016-table3"), erratum(LUO_2014, "figure"))
    monkeypatch.setattr(corescore.replication.papers, "ERRATA", errata)
    open_readings = (erratum(LUO_2014, "caption", printed="“It is 2”", readings=READINGS),)
    monkeypatch.setattr(corescore.replication.papers, "OPEN_READINGS", open_readings)
    claim = next(claim for one in STATEMENTS for claim in one.claims)
    statements = (
        Statement(MOOSAVI_2016, "9", "It is tried.", (claim,), ""),
        Statement(LUO_2014, "10", "It is not tried.", (), "Nobody has the data."),
    )
    monkeypatch.setattr(corescore.replication.papers, "STATEMENTS", statements)


def test_every_erratum_is_listed_with_its_arithmetic(capsys):
    assert main(["errata", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["id"] for row in rows] == [one.id for one in (*ERRATA, *OPEN_READINGS)]
    assert all(row["arithmetic"] for row in rows)
    assert [row["is_off"] for row in rows] == [row["list"] == "errata" for row in rows]


def test_an_erratum_says_where_what_and_why(made_up, capsys):
    assert main(["errata"]) == 0
    out = capsys.readouterr().out
    assert (
        "\n\nMoosavi & Strube 2016, Table 9 (rank)\n"
        "    in our words: It is 2.\n"
        "    comes out: It is 3.\n"
        "    arithmetic: 1 + 2 = 3\n"
        "    holds under none of 2 readings: rounded; cut\n"
        "    likely cause: A slip.\n"
        "    corescore experiment moosavi2016-table3\n"
    ) in out
    assert out.startswith("ERRATA: 2 places ")


def test_what_a_reading_rescues_stands_in_a_list_of_its_own(made_up, capsys):
    assert main(["errata"]) == 0
    _, open_readings = capsys.readouterr().out.split("OPEN READINGS: 1 place ")
    assert (
        f"Luo et al. 2014, Table 9 (caption, {DEPENDS} (1 of 3))\n    printed: “It is 2”\n"
    ) in open_readings
    assert "    holds under 1 of 3 readings: not at all\n    what is open: " in open_readings


@pytest.mark.parametrize(
    "arguments", [["--paper", "luo2014"], ["--kind", "figure"], ["--paper", "luo2014", "--format"]]
)
def test_papers_and_kinds_are_chosen(made_up, capsys, arguments):
    arguments = [*arguments, "csv"] if arguments[-1] == "--format" else arguments
    assert main(["errata", *arguments]) == 0
    out = capsys.readouterr().out
    assert "Luo et al. 2014" in out
    assert "Moosavi" not in out


@pytest.mark.slow
def test_statements_say_whether_they_hold_and_why_they_are_not_tried(made_up, capsys):
    assert main(["errata", "--statements"]) == 0
    out = capsys.readouterr().out
    assert "Moosavi & Strube 2016, §9\n    It is tried.\n" in out
    assert (
        "– cannot be tried: Luo et al. 2014, §10\n    It is not tried.\n"
        "      Nobody has the data.\n" in out
    )
    assert "Of 2 testable statements, " in out


@pytest.mark.slow
def test_statements_are_a_table_in_other_formats(made_up, capsys):
    assert main(["errata", "--statements", "--paper", "luo2014", "--format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["verdict"] == "cannot be tried"
    assert row["because"] == "Nobody has the data."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--paper", "doe2020"], "expected one of: moosavi2016, recasens2011"),
        (["--kind", "slip"], "expected one of: figure, rank"),
        (["--statements", "--kind", "rank"], "expected --statements alone"),
    ],
)
def test_what_there_is_not_is_said_in_one_line(capsys, arguments, message):
    assert main(["errata", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
