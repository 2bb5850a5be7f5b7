"""`corescore experiments`, `experiment` and `conformance`."""

import json
import re
from dataclasses import replace

import pandas as pd
import pytest

import corescore.replication
from corescore.__main__ import main
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import Check, Claim
from corescore.util import bundled
from corescore.version import __version__
from tests.support.experiments import PRINT_ONLY
from tests.support.own_metric import OWN

EMPTY = pd.DataFrame({"n": [1]})
FIG8, KEY = "moosavi2016-fig8", str(bundled("sample_data") / "key.conll")
TABLE1, TABLE3 = "moosavi2016-table1", "moosavi2016-table3"


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return str(path)


def test_the_list_has_every_experiment(capsys):
    assert main(["experiments", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["name"] for row in rows] == [experiment.id for experiment in EXPERIMENTS]


def test_one_is_printed_with_its_claims_and_the_figures_of_the_paper(capsys):
    assert main(["experiment", TABLE3]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^✓ holds.*: MUC, B³, BLANC and LEA score both halves higher", out, re.M)
    assert re.search(r"BLANC of cr2 is 35\.29, .* 32\.29\b", out)
    assert f"corescore {__version__} | Moosavi & Strube 2016, Table 3" in out
    assert "as published: Moosavi & Strube 2016, Table 3" in out


def test_json_holds_rows_claims_and_published_figures(capsys):
    assert main(["experiment", TABLE3, "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["experiment"] == TABLE3
    cr2 = {row["metric"]: row["f1"] for row in values["rows"] if row["response"] == "cr2"}
    assert cr2["blanc"] == pytest.approx(6 / 17)
    assert {claim["holds"] for claim in values["claims"]} == {True, False}
    assert {row["f1"] for row in values["published"] if row["metric"] == "blanc"} == {0.6, 0.3229}


def test_csv_is_the_table_alone(capsys):
    assert main(["experiment", TABLE3, "--csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "response,metric,recall,precision,f1,signature"
    assert len(rows) == 14  # two responses, the six and the CoNLL average


@pytest.mark.slow
def test_a_metric_of_ones_own_stands_beside_the_six(capsys, own):
    assert main(["experiment", TABLE3, "--metric", own, "--csv"]) == 0
    rows = [line.split(",")[:2] for line in capsys.readouterr().out.splitlines()]
    assert ["cr1", "own"] in rows
    assert main(["conformance", "--metric", own, "--format", "json"]) == 0
    sheet = json.loads(capsys.readouterr().out)["rows"]
    assert {row["metric"] for row in sheet} >= {"muc", "own"}


@pytest.mark.slow
def test_the_sheet_says_yes_or_no_and_whether_that_is_wished_for(capsys):
    assert main(["conformance"]) == 0
    (line,) = [x for x in capsys.readouterr().out.splitlines() if "no link is correct" in x]
    words = line.split("?")[1].replace(" ✓", "✓").replace(" ✗", "✗").split()
    assert words == ["yes✓", "no✗", "no✗", "no✗", "no✗", "yes✓"]


def test_an_experiment_on_data_takes_the_sample_if_no_files_are_named(capsys):
    assert main(["experiment", "moosavi2016-table4"]) == 0
    told = capsys.readouterr()
    assert "the sample (key.conll, cautious.conll)" in told.err
    assert "micro over 17 documents" in told.out


def test_the_policies_of_sweep_are_those_of_an_experiment_on_data(capsys):
    name = "luo2014-correlation"
    tables = []
    for drop in ([], ["--singletons", "drop"]):
        assert main(["experiment", name, *drop, "--format", "json"]) == 0
        tables.append(json.loads(capsys.readouterr().out))
    assert "singletons keep" in tables[0]["signature"]
    assert "singletons drop" in tables[1]["signature"]
    assert tables[0]["rows"] != tables[1]["rows"]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [(["--singletons", "e2e"], "keep, drop"), (["--repeats", "all"], "first, error")],
)
def test_a_policy_that_an_experiment_cannot_be_scored_by_is_refused(capsys, policy, expected):
    assert main(["experiment", TABLE1, *policy]) == 2
    assert f"expected one of: {expected}\n" in capsys.readouterr().err


def test_an_unknown_policy_is_refused_with_the_list(capsys):
    with pytest.raises(SystemExit) as refused:
        main(["experiment", TABLE1, "--singletons", "none"])
    assert refused.value.code == 2
    assert "drop-response" in capsys.readouterr().err


def test_a_document_of_ones_own_can_be_the_key_of_a_figure(capsys):
    name = "moosavi2016-fig4-5"
    assert main(["experiment", name, KEY, "--document", "news_tram", "--csv"]) == 0
    told = capsys.readouterr()
    sizes = told.err.split("key ")[-1].strip()
    assert "1×" in sizes
    assert f"key {sizes}" in told.out
    assert main(["experiment", name, "--set", f"key={sizes}", "--csv"]) == 0
    assert capsys.readouterr().out == told.out
    assert main(["experiment", name, KEY, "--document", "news_tram", "--singletons", "drop"]) == 0
    assert "1×" not in capsys.readouterr().err


def test_another_value_than_the_papers_is_in_the_signature(capsys):
    assert main(["experiment", "moosavi2016-fig8", "--set", "seeds=2"]) == 0
    assert "seeds 2" in capsys.readouterr().out


def test_a_claim_that_holds_in_print_alone_says_so(capsys, monkeypatch):
    claim = Claim(
        "It is so.",
        "§1",
        lambda _: Check(False, "1 of 2"),
        "",
        "so",
        lambda: Check(True, "2 of 2"),
        scope="result",
    )
    made_up = {"run": lambda _: EMPTY, "claims": (claim,), "printed": (), "finding": None}
    one = replace(EXPERIMENTS[0], on_data=False, **made_up)
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", (one,))
    assert main(["experiment", one.id]) == 0
    out = capsys.readouterr().out
    assert out.endswith(
        f"◐ {PRINT_ONLY}: It is so. (§1; said of a plotted or printed result)\n"
        "  computed: 1 of 2\n"
        "  in print: 2 of 2\n"
    )
    assert main(["experiment", one.id, "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["claims"]
    assert (told["holds"], told["numbers"]) == (False, "1 of 2")
    assert (told["holds_in_print"], told["numbers_in_print"]) == (True, "2 of 2")
    assert told["id"] == "so"
    assert (told["verdict"], told["scope"], told["ours"]) == (
        PRINT_ONLY,
        "result",
        False,
    )


@pytest.mark.parametrize("one", EXPERIMENTS, ids=lambda one: one.id)
def test_every_experiment_is_json_with_all_its_claims(one, capsys):
    assert main(["experiment", one.id, "--format", "json"]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert [claim["id"] for claim in claims] == [claim.id for claim in one.claims]
    assert {claim["holds"] for claim in claims} <= {True, False, None}


def test_a_former_name_is_still_accepted(capsys, monkeypatch):
    renamed = tuple(replace(one, former=(f"old-{one.id}",)) for one in EXPERIMENTS)
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", renamed)
    assert main(["experiment", f"old-{TABLE3}", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["experiment"] == TABLE3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["experiment", "none"], "expected one of: moosavi2016"),
        (["experiment", TABLE3, "--set", "seeds"], "expected PARAMETER=VALUE"),
        (["experiment", TABLE3, "--set", "x=1"], "parameter is 'x'"),
        (["experiment", "moosavi2016-fig8", "--set", "seeds=many"], "Seeds is 'many'; expected"),
        (["experiment", TABLE3, "key.conll"], "takes no files"),
        (["experiment", TABLE3, "--singletons", "drop"], "expected no policies"),
        (["experiment", FIG8, "--singletons", "drop"], "expected no policies"),
        (["experiment", FIG8, "key.conll", "other.conll"], "takes no response"),
        (["experiment", FIG8, "--document", "d"], "expected a KEY"),
        (["experiment", FIG8, KEY, "--match", "head"], "expected no policies"),
        (["experiment", FIG8, KEY, "--document", "d"], "expected one of: news_harbour"),
        (["experiment", "moosavi2016-table4", "key.conll"], "only a key"),
        (["experiment", TABLE3, "--metric", "none.py"], "none.py: no such file"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(capsys, arguments, message):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
