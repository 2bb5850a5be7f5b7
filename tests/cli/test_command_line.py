"""The command line as its users call it, run in a folder of its own.

Most calls stay in this process, which saves them the imports; one goes through Python's own door.
"""

import argparse
import csv
import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

import corescore
from corescore.__main__ import main
from corescore.analysis.perturbation import PERTURBATIONS
from corescore.analysis.perturbation.sweep import Sweep, SweepRun
from corescore.cli.options import Command
from corescore.cli.program import COMMANDS
from corescore.metrics import METRICS
from corescore.replication import EXPERIMENTS
from corescore.util import bundled
from tests.support.gap import GAP_FILES

KEY = "# toy\n{abc}{defg}\n"
RESPONSE = "# toy\n{ab}{cd}{fghi}\n"
GOLD = """#begin document (d); part 000
d 0 0 Ada - - - - - - * (1)
d 0 1 met - - - - - - * -
d 0 2 Ben - - - - - - * (2)

d 0 0 She - - - - - - * (1)
d 0 1 waved - - - - - - * -

#end document
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "key.txt").write_text(KEY)
    (tmp_path / "response.txt").write_text(RESPONSE)
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "wrong.conll").write_text(GOLD.replace("(2)", "(1)"))
    for name, text in GAP_FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "sets" / "one").mkdir(parents=True)
    for name in ("key", "system"):
        (tmp_path / "sets" / "one" / f"{name}.conll").write_text(GOLD)
    return tmp_path


@dataclass(frozen=True)
class Answer:
    returncode: int
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str) -> Answer:
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
    return Answer(code, out.getvalue(), err.getvalue())


def refused(folder: Path, *arguments: str) -> str:
    """The message of a call that must fail: exit code 2, nothing printed, no traceback."""
    answer = run(folder, *arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "Traceback" not in answer.stderr
    return answer.stderr


def test_score_prints_all_six_with_their_fractions_and_the_signature(folder: Path) -> None:
    answer = run(folder, "score", "key.txt", "response.txt")
    assert (answer.returncode, answer.stderr) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in answer.stdout.splitlines() if line}
    assert rows["MUC"] == ["40.00", "40.00", "40.00", "2/5", "2/5"]
    assert rows["CEAF_m"] == ["57.14", "50.00", "53.33", "4/7", "4/8"]
    assert all(metric.title in rows for metric in METRICS)
    assert (
        answer.stdout.splitlines()[-1]
        == corescore.score(
            corescore.read(folder / "key.txt"), corescore.read(folder / "response.txt")
        ).signature
    )


def test_json_has_the_documented_shape_and_unrounded_fractions(folder: Path) -> None:
    answer = run(folder, "score", "key.txt", "response.txt", "--format", "json", "--per-document")
    values = json.loads(answer.stdout)
    assert list(values) == ["signature", "policies", "key", "responses"]
    assert values["key"] == "key.txt"
    assert values["policies"]["blanc"] == "reference"
    (response,) = values["responses"]
    assert (response["response"], response["documents"]) == ("response.txt", 1)
    assert response["warnings"] == []
    scores = response["scores"]
    seven = {
        *("recall", "precision", "f1", "recall_numerator", "recall_denominator"),
        *("precision_numerator", "precision_denominator"),
    }
    assert set(scores["muc"]) == seven
    assert scores["bcub"]["recall"] == pytest.approx(float(Fraction(35, 12) / 7), abs=1e-15)
    assert set(scores["blanc"]) == {"recall", "precision", "f1", "coreference", "non_coreference"}
    assert set(scores["blanc"]["coreference"]) == seven
    assert set(scores["conll"]) == {"f1"}
    assert scores["mentions"]["recall"] == float(Fraction(6, 7))
    assert response["per_document"] == {"toy": scores}


def test_json_says_null_where_a_document_has_nothing_to_score(folder: Path) -> None:
    (folder / "alone.txt").write_text("{a,} {b,}")
    arguments = ("alone.txt", "alone.txt", "--format", "json", "--per-document")
    values = json.loads(run(folder, "score", *arguments).stdout)["responses"][0]
    assert values["scores"]["muc"]["recall"] == 0
    assert values["per_document"]["1"]["muc"]["recall"] is None


def test_csv_is_tidy_and_carries_the_signature(folder: Path) -> None:
    answer = run(folder, "score", "key.txt", "response.txt", "--format", "csv", "--per-document")
    rows = list(csv.DictReader(io.StringIO(answer.stdout)))
    (total,) = [r for r in rows if r["metric"] == "lea" and not r["document"]]
    assert float(total["recall"]) == pytest.approx(float((1 + Fraction(4, 6)) / 7))
    assert {r["document"] for r in rows} == {"", "toy"}
    assert {r["signature"] for r in rows} == {total["signature"]}
    assert total["signature"].startswith("corescore ")


def test_several_responses_stand_side_by_side_and_the_best_is_marked(folder: Path) -> None:
    arguments = ("key.txt", "key.txt", "response.txt", "--format", "markdown", "--metrics", "muc")
    answer = run(folder, "score", *arguments)
    header, _, muc = (line for line in answer.stdout.splitlines() if line.startswith("|"))
    assert [cell.strip() for cell in header.strip("|").split("|")][1:4] == [
        "key R",
        "key P",
        "key F1",
    ]
    assert [cell.strip() for cell in muc.strip("|").split("|")] == [
        *("MUC", "100.00*", "100.00*", "100.00*", "40.00", "40.00", "40.00")
    ]


def test_macro_means_stand_beside_the_totals_never_instead(folder: Path) -> None:
    (folder / "two.txt").write_text("{a b} {c}\n{a b c d}\n")
    (folder / "guess.txt").write_text("{a b} {c}\n{a b} {c d}\n")
    arguments = ("two.txt", "guess.txt", "--average", "macro", "--format", "json")
    values = json.loads(run(folder, "score", *arguments).stdout)["responses"][0]
    assert values["scores"]["muc"]["recall"] == float(Fraction(1 + 2, 1 + 3))
    assert values["macro"]["muc"]["recall"] == pytest.approx(float((1 + Fraction(2, 3)) / 2))


def test_policies_reach_the_score_and_the_signature(folder: Path) -> None:
    (folder / "key.txt").write_text("{a b c d e f}")
    (folder / "response.txt").write_text("{a b} {c d e} {f}")
    arguments = ("key.txt", "response.txt", "--blanc", "luo2014", "--format", "json")
    values = json.loads(run(folder, "score", *arguments).stdout)
    assert values["responses"][0]["scores"]["blanc"]["f1"] == pytest.approx(float(Fraction(4, 19)))
    assert "blanc luo2014" in values["signature"]


def test_folders_are_matched_by_the_names_of_their_files(folder: Path) -> None:
    for side, text in (("gold", KEY), ("output", RESPONSE)):
        (folder / side).mkdir()
        (folder / side / "one.txt").write_text(text)
        (folder / side / "two.txt").write_text(KEY)
    answer = run(folder, "score", "gold", "output", "--format", "json", "--per-document")
    documents = json.loads(answer.stdout)["responses"][0]["per_document"]
    assert list(documents) == ["one/toy", "two/toy"]
    assert documents["one/toy"]["muc"]["recall"] == float(Fraction(2, 5))
    assert documents["two/toy"]["muc"]["recall"] == 1
    assert "a file; expected a folder" in refused(folder, "score", "gold", "response.txt")


def test_out_writes_a_file_instead_of_printing(folder: Path) -> None:
    answer = run(folder, "score", "key.txt", "response.txt", "--format", "json", "--out", "it.json")
    assert answer.stdout == ""
    assert json.loads((folder / "it.json").read_text())["key"] == "key.txt"
    message = refused(folder, "score", "key.txt", "response.txt", "--out", "no/such/it.json")
    assert "no/such/it.json: a path that" in message


def test_warnings_go_to_standard_error(folder: Path) -> None:
    (folder / "both.txt").write_text(KEY + "# other\n{ab}{c}\n")
    answer = run(folder, "score", "both.txt", "response.txt")
    assert answer.returncode == 0
    assert "lacks 1 document ('other')" in answer.stderr


@pytest.mark.parametrize(
    "command",
    [
        "score key.txt none.txt",
        "credit key.txt none.txt --metric lea",
        "errors key.txt none.txt",
        "compare key.txt none.txt response.txt --trials 10",
        "disagree key.txt none.txt",
        "statement key.txt none.txt",
        "experiment moosavi2016-table1 key.txt none.txt",
        "baseline key.txt --kind one-entity --mentions-of none.txt",
        "convert none.txt out.txt --to notation",
        "perturb key.txt none.txt --do drop",
        "sweep key.txt none.txt --do drop --doses 0:1:1 --seeds 1 --metrics muc",
        "report key.txt none.txt --sections errors --out it.html",
    ],
)
def test_every_command_warns_of_a_side_without_mentions(folder: Path, command: str) -> None:
    (folder / "none.txt").write_text("# toy\n{}\n")
    answer = run(folder, *command.split())
    assert "none.txt has no mentions" in answer.stderr
    if command.startswith("report"):
        assert "none.txt has no mentions" in (folder / "it.html").read_text()


def test_credit_adds_up_to_the_score_in_every_format_and_level(folder: Path) -> None:
    arguments = ("credit", "key.txt", "response.txt", "--metric", "bcub")
    for level in ("link", "mention", "entity", "document"):
        values = json.loads(run(folder, *arguments, "--by", level, "--format", "json").stdout)
        assert sum(row["credit"] for row in values["rows"]) == pytest.approx(35 / 12)
        assert sum(row["possible"] for row in values["rows"]) == pytest.approx(7)
        assert values["signature"].startswith("corescore ")
    printed = run(folder, *arguments, "--side", "precision", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert sum(float(row["credit"]) for row in rows) == pytest.approx(4)
    assert "no document 'x' in the key" in refused(folder, *arguments, "--document", "x")
    assert run(folder, *arguments).stdout.splitlines()[-1].startswith("corescore ")


def test_errors_are_counted_listed_and_priced(folder: Path) -> None:
    """Key {Ada, She} {Ben}, response {Ada, Ben, She}: one conflated entity."""
    arguments = ("errors", "gold.conll", "wrong.conll", "--format", "json")
    kinds = json.loads(run(folder, *arguments).stdout)["rows"]
    assert {row["kind"]: row["errors"] for row in kinds if row["errors"]} == {
        "conflated entities": 1
    }
    documents = json.loads(run(folder, *arguments, "--by", "document").stdout)["rows"]
    assert documents[0]["incorrectly_resolved"] == 1  # Ben has two partners, both wrong
    assert documents[0]["incorrect_singletons"] == 1  # and is alone in the key
    (entity,) = json.loads(run(folder, *arguments, "--by", "entity").stdout)["rows"]
    assert (entity["operation"], entity["mentions"]) == ("split", "Ben")
    mentions = json.loads(run(folder, *arguments, "--by", "mention").stdout)["rows"]
    assert [row["mention"] for row in mentions] == ["Ada", "Ben", "She"]
    impact = json.loads(run(folder, *arguments, "--impact").stdout)["rows"]
    gaps = [row["score"] + row["share"] for row in impact if row["kind"] == "conflated entities"]
    assert gaps == pytest.approx([1.0] * len(gaps))


def test_perturb_writes_the_format_of_the_response_and_says_what_it_did(folder: Path) -> None:
    """{cd} is two incorrectly resolved mentions; one of three entities is left to be dropped."""
    arguments = ("perturb", "key.txt", "response.txt", "--do", "more-precise")
    answer = run(folder, *arguments)
    assert answer.stdout == "# toy\n{a b} {f g h i}\n"
    assert answer.stderr == (
        "Remove all the incorrectly resolved mentions: "
        "8 mentions in 3 entities before, 6 mentions in 2 entities after\n"
    )
    twice = run(folder, *arguments, "--do", "drop-entities:order=largest,number=1")
    assert twice.stdout == "# toy\n{a b}\n"
    printed = run(folder, "perturb", "gold.conll", "wrong.conll", "--do", "singletons").stdout
    assert printed.startswith("#begin document (d); part 000\n")


def test_perturb_drops_singletons_first_and_tells_those_of_the_key(folder: Path) -> None:
    """Key {a} {b c}, response {a b} {c}: a and b are incorrectly resolved, a is a key singleton."""
    (folder / "alone.txt").write_text("{a} {b c}\n")
    (folder / "wrong.txt").write_text("{a b} {c}\n")
    arguments = ("perturb", "alone.txt", "wrong.txt", "--do")
    answer = run(folder, *arguments, "more-precise")
    assert answer.stdout.splitlines()[-1] == "{c}"
    assert "2 incorrectly resolved mentions, of which 1 is a singleton" in answer.stderr
    linked = run(folder, *arguments, "more-precise:incorrect=linked")
    assert linked.stdout.splitlines()[-1] == "{a} {c}"
    dropped = run(folder, *arguments, "more-precise:share=0", "--singletons", "drop")
    assert dropped.stdout.splitlines()[-1] == "{a b}"
    assert "singleton" not in dropped.stderr.splitlines()[-1]
    refusal = run(folder, *arguments, "drop", "--singletons", "none").stderr
    assert "'none' (choose from 'keep', 'drop', 'drop-response'" in refusal


def test_perturb_out_goes_by_its_ending_or_else_by_the_input(folder: Path) -> None:
    arguments = ("perturb", "gold.conll", "wrong.conll", "--do", "split:share=0.5,singletons=yes")
    for name in ("one.jsonl", "same", "two.conll.gz"):
        assert run(folder, *arguments, "--seed", "3", "--out", name).returncode == 0
    made = [corescore.read(folder / name) for name in ("one.jsonl", "same", "two.conll.gz")]
    assert made[0]["d"].entities == made[1]["d"].entities == made[2]["d"].entities
    assert (folder / "same").read_text().startswith("#begin document")


def test_perturb_lists_every_perturbation_with_its_parameters(folder: Path) -> None:
    printed = run(folder, "perturb", "--list").stdout
    for kind in PERTURBATIONS.values():
        assert f"{kind.id:24}{kind.about}" in printed
    classes = "any, correct, unlinked, incorrectly-resolved, spurious"
    assert f"which mentions to drop: {classes} (default: any)" in printed


def test_sweep_has_bands_and_runs_in_every_format(folder: Path) -> None:
    arguments = ("sweep", "key.txt", "response.txt", "--do", "repair", "--doses", "0,1")
    values = json.loads(run(folder, *arguments, "--seeds", "3", "--format", "json").stdout)
    assert " | repair | left behind keep | seeds 1 to 3 | low and high are" in values["signature"]
    (first,) = (
        row
        for row in values["rows"]
        if (row["dose"], row["metric"], row["measure"]) == (0, "muc", "recall")
    )
    assert (first["low"], first["mean"], first["high"]) == pytest.approx((0.4, 0.4, 0.4))
    printed = run(folder, *arguments, "--by", "run", "--format", "csv", "--metrics", "muc").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert len(rows) == 2 * 20
    assert {float(row["recall"]) for row in rows if row["dose"] == "1.0"} == {1.0}
    assert run(folder, *arguments, "--out", "it.md", "--format", "markdown").stdout == ""
    assert (folder / "it.md").read_text().startswith("| dose |   MUC |    B³ |")


def test_a_sweep_is_read_in_percent_f1_first_and_the_rest_on_request(folder: Path) -> None:
    sweep = ("sweep", "key.txt", "response.txt", "--do", "repair", "--doses", "0,0.5,1")
    lines = run(folder, *sweep, "--metrics", "muc,lea", "--seeds", "2").stdout.splitlines()
    assert [line.split() for line in lines[:1]] == [["dose", "MUC", "LEA"]]
    assert [line.split()[0] for line in lines[2:5]] == ["0%", "50%", "100%"]
    assert lines[4].split()[:2] == ["100%", f"{200 * 5 / 12:.2f}"]  # all 5 links, of 7 given
    assert "F1 in percent, the mean of 2 seeds. --all shows recall" in lines[6]
    lines = run(folder, *sweep, "--metrics", "muc", "--seeds", "2", "--all").stdout.splitlines()
    assert lines[2].split() == ["0%", "MUC", "recall", "40.00", "40.00", "40.00"]
    by_run = run(folder, *sweep, "--metrics", "muc", "--seeds", "1", "--by", "run").stdout
    assert by_run.splitlines()[0].split() == ["dose", "seed", "metric", "recall", "precision", "F1"]
    assert by_run.splitlines()[2].split()[:4] == ["0%", "1", "MUC", "40.00"]


def test_the_help_of_experiment_names_them_all(folder: Path) -> None:
    printed = "".join(run(folder, "experiment", "--help").stdout.split())
    assert all(experiment.id in printed for experiment in EXPERIMENTS)


def test_an_interrupted_sweep_prints_the_seeds_that_are_through(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    every = Sweep.__iter__

    def interrupted(sweep: Sweep) -> Iterator[SweepRun]:
        yield from islice(every(sweep), 5)
        raise KeyboardInterrupt

    monkeypatch.setattr(Sweep, "__iter__", interrupted)
    paths = [str(folder / name) for name in ("key.txt", "response.txt")]
    arguments = ["sweep", *paths, "--do", "drop", "--doses", "0,1", "--by", "run"]
    assert main([*arguments, "--metrics", "muc", "--format", "json"]) == 130
    printed = capsys.readouterr()
    assert {row["seed"] for row in json.loads(printed.out)["rows"]} == {1, 2}
    assert "interrupted: these are the results of 2 of 20 seeds" in printed.err


def test_perturbations_that_cannot_be_are_refused_with_those_that_can(folder: Path) -> None:
    files = ("key.txt", "response.txt", "--do")
    for arguments, message in (
        (("perturb", *files, "drp"), "perturbation is 'drp'; expected one of: more-precise, "),
        (("perturb", *files, "drop:x=1"), "parameter of drop is 'x'; expected one of: share, "),
        (("perturb", *files, "drop:share=2"), "share of drop is 2;"),
        (("sweep", *files, "more-precise:incorrect=none"), "'none'; expected one of: all, linked"),
        (("sweep", *files, "singletons"), "singletons has no dose"),
        (("sweep", *files, "drop", "--doses", "0:2:1"), "share of drop is 2;"),
        (("sweep", *files, "drop", "--doses", "x"), "doses are 'x'; expected start:stop:step"),
        (("sweep", *files, "drop", "--doses", "0," * 1000 + "1"), "at most 1000, such as"),
        (("sweep", *files, "drop", "--seeds", "0"), "seeds is 0;"),
        (("sweep", *files, "drop", "--seeds", "1001"), "seeds is 1001;"),
        (("perturb", *files, "drop", "--seed", "-1"), "seed is -1;"),
    ):
        assert message in refused(folder, *arguments)


def test_baselines_keep_the_mentions_and_regroup_them(folder: Path) -> None:
    for kind, n_entities in (("singletons", 3), ("one-entity", 1), ("same-string", 3)):
        arguments = ("baseline", "gold.conll", "--kind", kind, "--out", "made.jsonl", "--force")
        assert run(folder, *arguments).returncode == 0
        (document,) = corescore.read(folder / "made.jsonl")
        assert document.n_entities == n_entities
        assert document.mentions == corescore.read(folder / "gold.conll")["d"].mentions
    printed = run(folder, "baseline", "gold.conll", "--kind", "same-head").stdout
    assert printed.startswith("#begin document (d); part 000\n")


def test_a_baseline_can_group_the_mentions_of_a_response(folder: Path) -> None:
    (folder / "more.txt").write_text("# toy\n{a b} {f}\n")
    arguments = ("baseline", "key.txt", "--kind", "one-entity", "--mentions-of", "more.txt")
    assert run(folder, *arguments, "--out", "made.notation").returncode == 0
    (document,) = corescore.read(folder / "made.notation")
    assert [[*map(document.text, entity)] for entity in document.entities] == [["a", "b", "f"]]
    # its own documents are grouped, and only where they fit the key
    other = ("baseline", "key.txt", "--kind", "one-entity", "--mentions-of", "wrong.conll")
    assert "wrong.conll" in refused(folder, *other)


def test_convert_goes_by_the_endings_and_can_be_told(folder: Path) -> None:
    assert run(folder, "convert", "gold.conll", "gold.jsonl.gz").returncode == 0
    assert gzip.decompress((folder / "gold.jsonl.gz").read_bytes()).startswith(b'{"doc_key": "d"')
    assert run(folder, "convert", "gold.jsonl.gz", "again", "--to", "conll").returncode == 0
    assert corescore.read(folder / "again") == corescore.read(folder / "gold.conll")
    assert "the ending of 'again.xyz' is of" in refused(
        folder, "convert", "gold.conll", "again.xyz"
    )


def test_a_response_may_stand_in_the_line_of_its_key(folder: Path) -> None:
    line = {"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}
    (folder / "both.jsonl").write_text(json.dumps(line | {"predicted_clusters": [[[0, 0]]]}))
    answer = run(folder, "score", "both.jsonl", "both.jsonl", "--format", "json")
    scores = json.loads(answer.stdout)["responses"][0]["scores"]
    assert scores["mentions"]["recall"] == float(Fraction(1, 2))


def test_metrics_lists_every_metric_with_its_paper(folder: Path) -> None:
    printed = run(folder, "metrics").stdout
    assert all(metric.id in printed and metric.paper in printed for metric in METRICS)


def test_help_shows_examples(folder: Path) -> None:
    assert run(folder, "--help").stdout.count("\n  corescore ") >= len(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_helps_with_examples_of_its_own_and_explains_each_option(
    command: Command, folder: Path
) -> None:
    said = run(folder, command.name, "--help").stdout.split("examples:\n")[1].splitlines()
    assert said
    assert all(line.startswith(f"  corescore {command.name}") for line in said)
    parser = argparse.ArgumentParser()
    for add in command.options:
        add(parser)
    unexplained = [at.dest for at in parser._actions if not (at.help or "")[:1].isalpha()]
    assert unexplained == []


def test_every_problem_of_every_file_is_reported_in_one_go(folder: Path) -> None:
    (folder / "bad.conll").write_text(GOLD.replace("(2)", "2)").replace("* (1)", "* (x)"))
    message = refused(folder, "score", "absent.conll", "bad.conll")
    assert "absent.conll: no file" in message
    assert "bad.conll:2: '(x)'" in message
    assert "bad.conll:4: entity 2 closes" in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"\x1f\x8b\x08\x00cut", "a gzip file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
        (b'{"doc_key": "d", "tokens": ["a"', "not JSON"),
        (b"hello\n", "'hello'; expected #begin document"),
    ],
)
def test_a_file_that_is_none_is_one_clear_message(
    folder: Path, content: bytes, message: str
) -> None:
    (folder / "bad").write_bytes(content)
    assert message in refused(folder, "score", "gold.conll", "bad")


def test_other_words_name_both_places(folder: Path) -> None:
    (folder / "other.conll").write_text(GOLD.replace("met", "saw"))
    message = refused(folder, "score", "gold.conll", "other.conll")
    assert "other.conll:3: document 'd' has 'saw' as word 2; expected 'met'" in message
    assert "gold.conll:3" in message


def test_unknown_names_list_the_known_ones(folder: Path) -> None:
    message = refused(folder, "score", "key.txt", "response.txt", "--metrics", "muc,b3")
    assert "metric is 'b3'; expected one of: muc, bcub" in message
    assert run(folder, "score", "key.txt", "response.txt", "--blanc", "mine").returncode == 2
    assert run(folder, "score", "key.txt").returncode == 2


def test_the_dashboard_refuses_files_that_are_not_there(folder: Path) -> None:
    message = refused(folder, "dashboard", "gold.conll", "absent.conll")
    assert "absent.conll: no such file" in message


def test_the_dashboard_refuses_a_folder_without_data_sets(folder: Path) -> None:
    message = refused(folder, "dashboard", "--data-sets", "absent")
    assert "absent: no such folder" in message


def test_the_dashboard_refuses_a_table_of_genres_that_is_wrong_or_of_no_key(folder: Path) -> None:
    (folder / "genres.csv").write_text("d,news\nd,novel\n")
    message = refused(folder, "dashboard", "gold.conll", "--genres", "genres.csv")
    assert "genres.csv:2: a second row" in message
    message = refused(folder, "dashboard", "--genres", "genres.csv")
    assert "--genres without KEY; expected the key whose documents it names" in message


def test_the_dashboard_refuses_a_token_that_can_be_guessed_and_none_where_others_reach_it(
    folder: Path,
) -> None:
    for token in ("", "short", "with a blank", "é" * 43):
        assert "--token" in refused(folder, "dashboard", "--token", token)
    for other in (["--share"], ["--host", "0.0.0.0"], ["--token", "long-enough"]):
        assert f"--no-token with {other[0]}" in refused(folder, "dashboard", "--no-token", *other)


def test_the_dashboard_refuses_cards_that_cannot_be_read(folder: Path) -> None:
    (folder / "cards.json").write_text("[]")
    message = refused(folder, "dashboard", "--cards", "cards.json")
    assert "cards.json: no list 'cards'" in message


def test_a_reader_that_stops_early_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m corescore baseline gold.conll --kind singletons | head -n 1"
    answer = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=folder, capture_output=True, text=True
    )
    assert answer.stderr == ""
    assert answer.stdout == "#begin document (d); part 000\n"


def test_each_file_of_a_folder_is_an_output_for_a_key_that_is_a_file(tmp_path, capsys):
    """As `corescore dashboard` takes them; the key itself is none, in that folder or not."""
    key, outputs = tmp_path / "key.txt", tmp_path / "outputs"
    outputs.mkdir()
    for path in (key, outputs / "a.txt", outputs / "b.txt"):
        path.write_text("{a b} {c d}\n" if path.stem != "b" else "{a b c d}\n")
    assert main(["score", str(key), str(outputs), "--metrics", "lea", "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == [str(outputs / "a.txt"), str(outputs / "b.txt")]
    assert main(["compare", str(key), str(outputs), "--trials", "10"]) == 0
    assert main(["errors", str(key), str(outputs)]) == 2
    assert f"{outputs}: a folder; expected a file, as the key." in capsys.readouterr().err


def test_a_folder_without_files_is_no_output(tmp_path, capsys):
    (tmp_path / "key.txt").write_text("{a b}\n")
    (tmp_path / "outputs").mkdir()
    assert main(["score", str(tmp_path / "key.txt"), str(tmp_path / "outputs")]) == 2
    said = capsys.readouterr().err
    assert "outputs: a folder without" in said


WRITING = {
    "score": ("score", "gold.conll", "wrong.conll", "--out"),
    "credit": ("credit", "gold.conll", "wrong.conll", "--metric", "lea", "--out"),
    "errors": ("errors", "gold.conll", "wrong.conll", "--out"),
    "compare": ("compare", "gold.conll", "wrong.conll", "gold.conll", "--trials", "100", "--out"),
    "data-sets": ("data-sets", "sets", "--out"),
    "perturb": ("perturb", "gold.conll", "wrong.conll", "--do", "drop", "--out"),
    "sweep": (
        *("sweep", "gold.conll", "wrong.conll", "--do", "drop"),
        *("--doses", "0", "--seeds", "1", "--out"),
    ),
    "experiments": ("experiments", "--out"),
    "experiment": ("experiment", "pradhan2014-example", "--out"),
    "conformance": ("conformance", "--out"),
    "errata": ("errata", "--out"),
    "disagree": ("disagree", "gold.conll", "wrong.conll", "--out"),
    "statement": ("statement", "gold.conll", "wrong.conll", "--out"),
    "gap": ("gap", "gap-test.tsv", "answers.tsv", "--out"),
    "report": ("report", "gold.conll", "wrong.conll", "--sections", "overview", "--out"),
    "baseline": (
        *("baseline", "gold.conll", "--mentions-of", "wrong.conll"),
        *("--kind", "singletons", "--out"),
    ),
    "convert": ("convert", "gold.conll"),
}


def test_every_command_that_writes_a_file_is_tried_below() -> None:
    assert {command.name for command in COMMANDS if "--force" in names_of(command)} == {*WRITING}
    assert all("--force" in names_of(c) for c in COMMANDS if "--out" in names_of(c))


def names_of(command: Command) -> set[str]:
    parser = argparse.ArgumentParser()
    for add in command.options:
        add(parser)
    return {name for action in parser._actions for name in action.option_strings}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_a_command_replaces_a_file_only_by_force_and_an_input_never(
    name: str, folder: Path
) -> None:
    command, other = WRITING[name], folder / "other.conll"
    other.write_text("mine")
    message = refused(folder, *command, "other.conll")
    assert re.search(r"other\.conll: .* exists", message)
    assert other.read_text() == "mine"
    assert run(folder, *command, "other.conll", "--force").returncode == 0
    assert other.read_text() != "mine"
    for source in (word for word in command if word.endswith((".conll", ".tsv"))):
        before = (folder / source).read_bytes()
        message = refused(folder, *command, str(folder / source), "--force")
        assert "an input; expected a file other than those that are read" in message
        assert (folder / source).read_bytes() == before
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_metric_of_ones_own_is_an_input(folder: Path) -> None:
    (folder / "own.py").write_text("metric = None")
    message = refused(folder, "conformance", "--metric", "own.py", "--out", "own.py", "--force")
    assert "own.py: an input" in message


def test_cells_of_csv_are_no_formulas_where_that_is_asked_for(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_key": "=d", "sentences": [["@x"]], "clusters": [[[0, 0]]]}\n')
    words = ["score", str(path), str(path), "--per-document"]
    assert main([*words, "--format", "csv"]) == 0
    plain = capsys.readouterr().out
    assert main([*words, "--format", "csv", "--safe-csv"]) == 0
    assert capsys.readouterr().out == plain.replace(",=d,", ",'=d,") != plain
    assert main([*words, "--format", "json", "--safe-csv"]) == 2
    assert "--safe-csv with --format json; expected --format csv" in capsys.readouterr().err


@pytest.mark.slow
def test_a_pipe_is_read_once(tmp_path):
    sample = bundled("sample_data")
    key, response = sample / "key.conll", sample / "cautious.conll"
    drop = ("perturb", key, "/dev/stdin", "--do", "drop:share=0.1")
    for words in (drop, ("score", key, "/dev/stdin", "--workers", "2")):
        program = [sys.executable, "-m", "corescore"]
        piped = subprocess.run(
            [*program, *words], input=response.read_bytes(), capture_output=True, check=True
        )
        named = [response if word == "/dev/stdin" else word for word in words]
        whole = subprocess.run([*program, *named], capture_output=True, check=True)
        piped_as = piped.stdout.replace(b"stdin", b"cautious.conll")
        assert piped_as.replace(b": cautious.conll", b": cautious") == whole.stdout


@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafe", "blanc", "lea"])
def test_credit_to_be_read_adds_up_to_the_score_in_points(metric, capsys):
    sample = bundled("sample_data")
    files = [str(sample / f"{name}.conll") for name in ("key", "heads")]
    found = corescore.score(*map(corescore.read, files))[metric].recall
    words = ["credit", *files, "--metric", metric, "--by", "document"]
    assert main([*words, "--format", "markdown"]) == 0
    text = capsys.readouterr().out
    cells = [line.split("|") for line in text.splitlines() if f"| {metric} " in line]
    cells = [row for row in cells if len(row) == 8]
    assert sum(float(row[5]) for row in cells) == pytest.approx(100 * found, abs=0.2)
    assert sum(float(row[6]) for row in cells) == pytest.approx(100, abs=0.2)
    assert "in points" in text
    assert main([*words, "--format", "json"]) == 0
    raw = json.loads(capsys.readouterr().out)["rows"]
    assert main([*words, "--fractions"]) == 0
    text = capsys.readouterr().out
    assert f"{raw[0]['credit']:.4f}" in text
    assert "Fractions." in text


def test_gains_to_be_read_are_in_percent(capsys):
    sample = bundled("sample_data")
    files = [str(sample / f"{name}.conll") for name in ("key", "heads")]
    assert main(["errors", *files, "--impact", "--format", "json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][-1]
    assert main(["errors", *files, "--impact", "--format", "markdown"]) == 0
    text = capsys.readouterr().out
    line = next(line for line in reversed(text.splitlines()) if line.startswith("| "))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[4] == f"{100 * row['score']:.2f}"
    assert cells[-1] == f"{100 * row['share']:.2f}"
    assert "Percent." in text
