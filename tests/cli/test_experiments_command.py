"""`corescore experiments`, `experiment`, `conformance` and `explain`."""

import re
from dataclasses import replace
from itertools import product

import pandas as pd
import pytest

import corescore
import corescore.replication
from corescore.analysis.decomposition import by_convention
from corescore.analysis.long_documents import along, by_distance, by_size, by_window
from corescore.analysis.split_antecedents import by_type, by_use, plural_table
from corescore.cli.output import NO_SPLIT_ANTECEDENTS
from corescore.rendering.local import longest
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import Check, Claim
from corescore.util import bundled
from corescore.version import __version__
from corescore.wording import percent
from tests.support import plurals
from tests.support.own_metric import OWN_OF_OWN_METRIC as OWN
from tests.support.samples import first_files
from tests.support.shell import made, printed, refused, run

# `corescore experiments`, `experiment` and `conformance` ------------------------------------------

EMPTY = pd.DataFrame({"n": [1]})
FIG8, KEY = "moosavi2016-fig8", str(bundled("sample_data") / "key.conll")
TABLE1, TABLE3 = "moosavi2016-table1", "moosavi2016-table3"


def test_the_list_has_every_experiment():
    rows = made("experiments")["rows"]
    assert [row["name"] for row in rows] == [experiment.id for experiment in EXPERIMENTS]


def test_one_is_printed_with_its_claims_and_the_figures_of_the_paper():
    out = printed(f"experiment {TABLE3}")
    assert re.search(r"^✓ holds here: MUC, B³, BLANC and LEA score both halves higher", out, re.M)
    assert re.search(r"32\.29 +≠ 35\.29\b", out)
    assert f"corescore {__version__} | Moosavi & Strube 2016, Table 3" in out
    assert "as published: Moosavi & Strube 2016, Table 3" in out


def test_json_holds_rows_claims_and_published_figures():
    values = made(f"experiment {TABLE3}")
    assert values["experiment"] == TABLE3
    cr2 = {row["metric"]: row["f1"] for row in values["rows"] if row["response"] == "cr2"}
    assert cr2["blanc"] == pytest.approx(6 / 17)
    assert {claim["holds"] for claim in values["claims"]} == {True}
    assert {row["f1"] for row in values["published"] if row["metric"] == "blanc"} == {0.6, 0.3229}


def test_csv_is_the_table_alone():
    head, *rows = printed(f"experiment {TABLE3} --csv").splitlines()
    assert head == "response,metric,recall,precision,f1,signature"
    assert len(rows) == 14  # two responses, the six and CoNLL


@pytest.mark.slow
def test_a_metric_of_ones_own_stands_beside_the_six(tmp_path):
    own = tmp_path / "own.py"
    own.write_text(OWN)
    lines = printed(f"experiment {TABLE3} --metric-file {own} --csv").splitlines()
    rows = [line.split(",")[:2] for line in lines]
    assert ["cr1", "own"] in rows
    sheet = made(f"conformance --metric-file {own}")["rows"]
    assert {row["metric"] for row in sheet} >= {"muc", "own"}


@pytest.mark.slow
def test_the_sheet_says_yes_or_no_and_whether_that_is_wished_for(monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    (line,) = [x for x in printed("conformance").splitlines() if "no link is correct" in x]
    words = line.split("?")[1].replace(" ✓", "✓").replace(" ✗", "✗").split()
    assert words == ["yes✓", "no✗", "no✗", "no✗", "no✗", "yes✓"]


def test_an_experiment_on_data_takes_the_sample_if_no_files_are_named():
    told = run("experiment moosavi2016-table4")
    assert "the sample (key.conll, cautious.conll)" in told.err
    assert "micro over 17 documents" in told.out


def test_the_policies_of_sweep_are_those_of_an_experiment_on_data():
    kept, dropped = (
        made(f"experiment luo2014-correlation {policy}") for policy in ("", "--singletons drop")
    )
    assert "singletons keep" in kept["signature"]
    assert "singletons drop" in dropped["signature"]
    assert kept["rows"] != dropped["rows"]


def test_a_document_of_ones_own_can_be_the_key_of_a_figure():
    name = "moosavi2016-fig4-5"
    told = run(f"experiment {name} {KEY} --document news_tram --csv")
    sizes = told.err.split("key ")[-1].strip()
    assert "1×" in sizes
    assert f"key {sizes}" in told.out
    assert printed(f"experiment {name} --set 'key={sizes}' --csv") == told.out
    assert "1×" not in run(f"experiment {name} {KEY} --document news_tram --singletons drop").err


def test_another_value_than_the_papers_is_in_the_signature():
    assert "seeds 2" in printed("experiment moosavi2016-fig8 --set seeds=2")


def test_a_claim_says_whether_it_holds_here_with_its_numbers(monkeypatch):
    claim = Claim("It is so.", "§1", lambda _: Check(False, "1 of 2"), "By and by.", "so")
    made_up = {"run": lambda _: EMPTY, "claims": (claim,), "printed": (), "finding": None}
    one = replace(EXPERIMENTS[0], on_data=False, **made_up)
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", (one,))
    out = printed(f"experiment {one.id}")
    assert out.endswith("✗ does not hold here: It is so. (§1)\n  1 of 2\n  By and by.\n")
    (told,) = made(f"experiment {one.id}")["claims"]
    assert told == {
        "id": "so",
        "says": "It is so.",
        "where": "§1",
        "holds": False,
        "numbers": "1 of 2",
        "note": "By and by.",
    }


def test_on_data_effects_stand_beside_the_papers_and_a_mark_where_they_part():
    rows = [row for row in made(f"experiment {TABLE1}")["printed"] if row["where"] == "Table 1"]
    base, more = (
        {(row["metric"], row["figure"]): row for row in rows if row["system"] == name}
        for name in ("Base", "More precise")
    )
    assert {row["printed_effect"] for row in base.values()} == {""}
    assert more["muc", "recall"]["printed_effect"] == "the same"
    assert more["muc", "precision"]["computed_effect"] == "up"
    for row in more.values():
        assert row["differs"] == (row["printed_effect"] != row["computed_effect"])
    out = printed(f"experiment {TABLE1}")
    assert "effects go in the printed direction." in " ".join(out.split())
    assert "69.31 =" in out


@pytest.mark.slow
@pytest.mark.parametrize("one", EXPERIMENTS)
def test_every_experiment_is_json_with_all_its_claims(one):
    claims = made(f"experiment {one.id}")["claims"]
    assert [claim["id"] for claim in claims] == [claim.id for claim in one.claims]
    assert {claim["holds"] for claim in claims} <= {True, False, None}


def test_a_former_name_is_still_accepted(monkeypatch):
    renamed = tuple(replace(one, former=(f"old-{one.id}",)) for one in EXPERIMENTS)
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", renamed)
    assert made(f"experiment old-{TABLE3}")["experiment"] == TABLE3


@pytest.mark.parametrize(
    "arguments, message",
    [
        ("experiment none", "expected one of: moosavi2016"),
        (f"experiment {TABLE3} --set seeds", "expected PARAMETER=VALUE"),
        (f"experiment {TABLE3} --set x=1", "parameter is 'x'"),
        ("experiment moosavi2016-fig8 --set seeds=many", "Seeds is 'many'; expected"),
        (f"experiment {TABLE3} key.conll", "takes no files"),
        (f"experiment {TABLE3} --singletons drop", "expected no policies"),
        (f"experiment {FIG8} --singletons drop", "expected no policies"),
        (f"experiment {FIG8} key.conll other.conll", "takes no response"),
        (f"experiment {FIG8} --document d", "expected a KEY"),
        (f"experiment {FIG8} {KEY} --match head", "expected no policies"),
        (f"experiment {FIG8} {KEY} --document d", "expected one of: news_harbour"),
        ("experiment moosavi2016-table4 key.conll", "only a key"),
        (f"experiment {TABLE3} --metric-file none.py", "none.py: no such file"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(arguments, message):
    error = refused(arguments)
    assert message in error
    assert error.count("\n") == 1


# `corescore explain`: what a score loses, and where a difference comes from -----------------------

N = 4
PARTS = ("missing mentions", "spurious mentions", "span errors", "linking",
         "missing singletons", "spurious singletons")  # fmt: skip


def files_of(*responses):
    return " ".join(str(first_files(N) / f"{name}.conll") for name in ("key", *responses))


OTHERS = ("responses", "singletons")
ONE, TWO = files_of("cautious"), files_of("cautious", "greedy")


def test_columns_are_the_parts_in_json():
    rows = made(f"explain {ONE}")["rows"]
    lea = {row["part"]: row for row in rows if (row["metric"], row["measure"]) == ("lea", "f1")}
    assert [*lea] == [*PARTS]
    assert {row["group"] for row in lea.values()} == {"detection", "linking", "singletons"}
    assert sum(row["loss"] for row in lea.values()) == pytest.approx(1 - lea["linking"]["score"])


def test_the_first_sentence_says_what_is_lost_or_who_is_ahead():
    score = corescore.score(*map(corescore.read, ONE.split()))["conll"].f1
    assert printed(f"explain {ONE}").startswith(f"cautious loses {percent(1 - score)} points of Co")
    there, back = (printed(f"explain {files}") for files in (TWO, files_of("greedy", "cautious")))
    assert there.startswith("greedy is ahead by ")
    assert there.splitlines()[0] == back.splitlines()[0]
    by, *shares = re.findall(r"[+-]?\d+\.\d\d", there.splitlines()[0].replace("−", "-"))
    assert sum(map(float, shares)) == pytest.approx(float(by), abs=0.02)


def test_other_responses_are_beside_the_real_one():
    rows = made(f"explain {ONE} --show responses")["rows"]
    f1 = {(row["scored"], row["metric"]): row["f1"] for row in rows}
    assert f1["all key mentions, nothing linked", "muc"] == 0
    assert f1["the response's mentions, the key's links", "lea"] > f1["the response", "lea"]


@pytest.mark.parametrize(
    "show, format",
    [*product(["parts"], ["markdown", "latex", "csv", "table"]), *product(OTHERS, ["table"])],
)
def test_every_table_is_written_in_every_format(show, format):
    out = printed(f"explain {TWO} --show {show} --format {format}")
    assert "singletons keep" in out


def test_windows_distances_and_conventions_are_those_of_the_library():
    result = corescore.score(*ONE.split())
    for options, table, column in (
        ("windows --window 90", by_window(result, [90]), "f1"),
        ("distance", by_distance(result), "share"),
        ("distance --measure precision", by_distance(result, side="precision"), "share"),
        ("size", by_size(result), "share"),
        ("size --bound 2 --bound 4", by_size(result, bounds=[2, 4]), "credit"),
        ("distance --bound 9", by_distance(result, bounds=[9]), "credit"),
        ("along --window 80", along(result, longest(result), words=80), "lea"),
        ("windows --window 90 --repeats all", by_window(result, [90]), "f1"),  # there are none
        ("singletons", by_convention(result), "f1"),
    ):
        rows = made(f"explain {ONE} --show {options}")["rows"]
        expected = [None if value != value else value for value in table[column]]
        assert [row[column] for row in rows] == pytest.approx(expected)


@pytest.mark.parametrize("show", ["windows", "distance", "size", "along", "types", "split"])
def test_other_views_begin_with_a_sentence_for_each_response(show):
    first, second, *_ = printed(f"explain {TWO} --show {show}").splitlines()
    assert first.startswith("cautious: ")
    assert second.startswith("greedy: ")


def test_what_cannot_be_explained_is_refused():
    for call, message in {
        f"{ONE} --show windows --window 100000": (
            "windows of 100,000 words; expected 1 or more, and fewer than"
        ),
        f"{ONE} --show along --window 50 --window 60": "--show along takes one --window",
    }.items():
        assert message in refused(f"explain {call}")


def test_of_recall_the_average_is_no_row_and_the_sentence_is_about_lea():
    out = printed(f"explain {ONE} --measure recall")
    assert "CoNLL" not in out.replace("CoNLL-", "")
    assert "points of LEA recall" in out.splitlines()[0]


# Split antecedents --------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / "key.jsonl", tmp_path / "plural.jsonl"]
    for path, content in zip(paths, (plurals.KEY, plurals.RESPONSE), strict=True):
        path.write_bytes(content)
    return " ".join(map(str, paths))


def test_types_and_split_antecedents_are_those_of_the_library(files):
    result = corescore.score(*files.split())
    for show, table, column in (
        ("types", by_type(result), "part"),
        ("split", by_use(result), "f1"),
    ):
        rows = made(f"explain {files} --show {show}")["rows"]
        assert [row[column] for row in rows] == pytest.approx([*table[column]])
    said = printed(f"explain {files} --show split").splitlines()[0]
    assert said == (
        "plural: CoNLL F1 is 81.30% with split antecedents, 100.00% without them, and "
        "66.67% for them alone."
    )


def test_credit_by_split_antecedent_is_that_of_the_library(files):
    rows = made(f"credit {files} --metric bcub --by split-antecedent --side precision")["rows"]
    table = plural_table(corescore.score(*files.split()), "bcub", side="precision")
    assert [row["credit"] for row in rows] == pytest.approx([*table["credit"]])
    assert [row["aligned"] for row in rows] == ["Mia and Tom", "Ann and Ben", "Mia and Ann"]


def test_where_there_are_none_a_note_says_so(files):
    asked = "--split-antecedents score"
    assert NO_SPLIT_ANTECEDENTS in run(f"score {ONE} {asked}").err
    assert NO_SPLIT_ANTECEDENTS not in run(f"score {ONE}").err
    assert NO_SPLIT_ANTECEDENTS not in run(f"score {files} {asked}").err
    out = printed(f"explain {ONE} --show split")
    assert "the files have no split antecedents to score" in out
    none = "No split antecedents are scored in the {}, so there are no rows (CoNLL cannot"
    for side, name in (("recall", "key"), ("precision", "response")):
        call = f"--metric lea --by split-antecedent --side {side}"
        assert none.format(name) in run(f"credit {ONE} {call}").err
        assert "no rows" not in run(f"credit {files} {call}").err
