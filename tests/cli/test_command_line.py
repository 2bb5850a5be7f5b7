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
from fractions import Fraction
from itertools import islice

import pytest

import corescore
from corescore.analysis.perturbation import PERTURBATIONS
from corescore.analysis.perturbation.sweep import Sweep
from corescore.cli.perturb import WIDTH
from corescore.cli.program import NAMES, commands_of, groups
from corescore.metrics import METRICS, name_of
from corescore.replication import EXPERIMENTS
from corescore.util import bundled
from tests.support.shell import Terminal, made, printed, refused, run
from tests.support.texts import GAP_FILES

COMMANDS = commands_of(groups())

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
def folder(tmp_path, monkeypatch):
    (tmp_path / "key.txt").write_text(KEY)
    (tmp_path / "response.txt").write_text(RESPONSE)
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "wrong.conll").write_text(GOLD.replace("(2)", "(1)"))
    for name, text in GAP_FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "sets" / "one").mkdir(parents=True)
    for name in ("key", "system"):
        (tmp_path / "sets" / "one" / f"{name}.conll").write_text(GOLD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_score_prints_all_six_with_their_fractions_and_the_signature(folder):
    answer = run("score key.txt response.txt")
    assert (answer.code, answer.err) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in answer.out.splitlines() if line}
    assert rows["MUC"] == ["40.00", "40.00", "40.00", "2/5", "2/5"]
    assert rows["CEAFₘ"] == ["57.14", "50.00", "53.33", "4/7", "4/8"]
    assert all(metric.title in rows for metric in METRICS)
    assert (
        answer.out.splitlines()[-1]
        == corescore.score(
            corescore.read(folder / "key.txt"), corescore.read(folder / "response.txt")
        ).signature
    )


def test_json_has_the_documented_shape_and_unrounded_fractions(folder):
    values = made("score key.txt response.txt --per-document")
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


def test_json_says_null_where_a_document_has_nothing_to_score(folder):
    (folder / "alone.txt").write_text("{a,} {b,}")
    values = made("score alone.txt alone.txt --per-document")["responses"][0]
    assert values["scores"]["muc"]["recall"] == 0
    assert values["per_document"]["1"]["muc"]["recall"] is None


def test_csv_is_tidy_and_carries_the_signature(folder):
    text = printed("score key.txt response.txt --format csv --per-document")
    rows = list(csv.DictReader(io.StringIO(text)))
    (total,) = [r for r in rows if r["metric"] == "lea" and not r["document"]]
    assert float(total["recall"]) == pytest.approx(float((1 + Fraction(4, 6)) / 7))
    assert {r["document"] for r in rows} == {"", "toy"}
    assert {r["signature"] for r in rows} == {total["signature"]}
    assert total["signature"].startswith("corescore ")


def test_several_responses_stand_side_by_side_and_the_best_is_marked(folder):
    text = printed("score key.txt key.txt response.txt --format markdown --metrics muc")
    header, _, muc = (line for line in text.splitlines() if line.startswith("|"))
    assert [cell.strip() for cell in header.strip("|").split("|")][1:4] == [
        "key R",
        "key P",
        "key F1",
    ]
    assert [cell.strip() for cell in muc.strip("|").split("|")] == [
        *("MUC", "100.00*", "100.00*", "100.00*", "40.00", "40.00", "40.00")
    ]


def test_policies_reach_the_score_and_the_signature(folder):
    (folder / "key.txt").write_text("{a b c d e f}")
    (folder / "response.txt").write_text("{a b} {c d e} {f}")
    values = made("score key.txt response.txt --blanc luo2014")
    assert values["responses"][0]["scores"]["blanc"]["f1"] == pytest.approx(float(Fraction(4, 19)))
    assert "blanc luo2014" in values["signature"]


def test_folders_are_matched_by_the_names_of_their_files(folder):
    for side, text in (("gold", KEY), ("output", RESPONSE)):
        (folder / side).mkdir()
        (folder / side / "one.txt").write_text(text)
        (folder / side / "two.txt").write_text(KEY)
    documents = made("score gold output --per-document")["responses"][0]["per_document"]
    assert list(documents) == ["one/toy", "two/toy"]
    assert documents["one/toy"]["muc"]["recall"] == float(Fraction(2, 5))
    assert documents["two/toy"]["muc"]["recall"] == 1
    assert "a file; expected a folder" in refused("score gold response.txt")


def test_out_writes_a_file_instead_of_printing(folder):
    assert printed("score key.txt response.txt --format json --out it.json") == ""
    assert json.loads((folder / "it.json").read_text())["key"] == "key.txt"
    message = refused("score key.txt response.txt --out no/such/it.json")
    assert "no/such/it.json: a path that" in message


def test_the_ending_of_out_names_the_format_unless_one_is_given(folder):
    call = "score key.txt response.txt --out"
    for name, given, begins in (
        ("a.csv", "", "response,document,metric,"),
        ("a.json", "", "{"),
        ("a.md", "", "|"),
        ("a.txt", "", "    "),
        ("b.csv", "--format json", "{"),
    ):
        assert not printed(f"{call} {name} {given}")
        assert (folder / name).read_text("utf-8").startswith(begins)


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
        "convert none.txt out.txt --output-format notation",
        "perturb key.txt none.txt --do drop",
        "sweep key.txt none.txt --do drop --doses 0:1:1 --seeds 1 --metrics muc",
        "report key.txt none.txt --sections errors --out it.html",
        "report none.txt response.txt --sections overview --out it.html",
        "explain none.txt response.txt --show types",
    ],
)
def test_every_command_warns_of_a_side_without_mentions(folder, command):
    (folder / "none.txt").write_text("# toy\n{}\n")
    answer = run(command)
    assert "none.txt has no mentions" in answer.err
    if command.startswith("report"):
        assert "none.txt has no mentions" in (folder / "it.html").read_text()


def test_credit_warns_where_scores_look_mentions_up(folder):
    (folder / "twice.txt").write_text("# toy\n{a b} {a c d e f g}\n")
    call = "credit key.txt twice.txt --metric bcub --by document --repeats"
    assert "credit need not add up" in run(f"{call} listed").err
    assert "credit need not add up" not in run(f"{call} first").err


def test_responses_without_a_document_are_compared_over_what_all_have(folder):
    (folder / "key.txt").write_text("# one\n{a b c}\n# two\n{a b}\n")
    (folder / "half.txt").write_text("# two\n{a b}\n")
    call = "key.txt key.txt half.txt --missing-documents skip"
    assert "scored over different documents" in run(f"score {call}").err
    assert "scored over different" not in run("score key.txt key.txt half.txt").err
    for command in (
        f"report {call} --out it.html",
        f"explain {call}",
        "errors key.txt key.txt --other half.txt --query '' --missing-documents skip",
    ):
        warnings = run(command).err
        assert "key.txt is scored without 1 document ('one'), missing from another" in warnings
    said = refused(f"report {call} --out it.html --force --document one")
    assert "document is 'one'; expected one of: two" in said


def test_credit_adds_up_to_the_score_in_every_format_and_level(folder):
    arguments = "credit key.txt response.txt --metric bcub"
    for level in ("link", "mention", "entity", "document"):
        values = made(f"{arguments} --by {level}")
        assert sum(row["credit"] for row in values["rows"]) == pytest.approx(35 / 12)
        assert sum(row["possible"] for row in values["rows"]) == pytest.approx(7)
        assert values["signature"].startswith("corescore ")
    assert "no document 'x' in the key" in refused(f"{arguments} --document x")
    assert printed(arguments).splitlines()[-1].startswith("corescore ")


def test_errors_are_counted_listed_and_priced(folder):
    """Key {Ada, She} {Ben}, response {Ada, Ben, She}: one conflated entity."""
    arguments = "errors gold.conll wrong.conll"
    kinds = made(arguments)["rows"]
    assert {row["kind"]: row["errors"] for row in kinds if row["errors"]} == {
        "conflated entities": 1
    }
    documents = made(f"{arguments} --by document")["rows"]
    assert documents[0]["incorrectly_resolved"] == 1  # Ben has two partners, both wrong
    assert documents[0]["incorrect_singletons"] == 1  # and is alone in the key
    (entity,) = made(f"{arguments} --by entity")["rows"]
    assert (entity["operation"], entity["mentions"]) == ("split", "Ben")
    mentions = made(f"{arguments} --by mention")["rows"]
    assert [row["mention"] for row in mentions] == ["Ada", "Ben", "She"]
    impact = made(f"{arguments} --impact")["rows"]
    gaps = [row["score"] + row["share"] for row in impact if row["kind"] == "conflated entities"]
    assert gaps == pytest.approx([1.0] * len(gaps))


def test_perturb_writes_the_format_of_the_response_and_says_what_it_did(folder):
    """{cd} is two incorrectly resolved mentions; one of three entities is left to be dropped."""
    arguments = "perturb key.txt response.txt --do more-precise"
    answer = run(arguments)
    assert answer.out == "# toy\n{a b} {f g h i}\n"
    assert answer.err == (
        "Remove all the incorrectly resolved mentions: "
        "8 mentions in 3 entities before, 6 mentions in 2 entities after\n"
    )
    twice = run(f"{arguments} --do drop-entities:order=largest,number=1")
    assert twice.out == "# toy\n{a b}\n"
    text = printed("perturb gold.conll wrong.conll --do singletons")
    assert text.startswith("#begin document (d); part 000\n")


def test_perturb_drops_singletons_first_and_tells_those_of_the_key(folder):
    """Key {a} {b c}, response {a b} {c}: a and b are incorrectly resolved, a is a key singleton."""
    (folder / "alone.txt").write_text("{a} {b c}\n")
    (folder / "wrong.txt").write_text("{a b} {c}\n")
    arguments = "perturb alone.txt wrong.txt --do"
    answer = run(f"{arguments} more-precise")
    assert answer.out.splitlines()[-1] == "{c}"
    assert "2 incorrectly resolved mentions, of which 1 is a singleton" in answer.err
    linked = run(f"{arguments} more-precise:incorrect=linked")
    assert linked.out.splitlines()[-1] == "{a} {c}"
    dropped = run(f"{arguments} more-precise:share=0 --singletons drop")
    assert dropped.out.splitlines()[-1] == "{a b}"
    assert dropped.err.endswith("2 mentions in 1 entity before, 2 mentions in 1 entity after\n")
    refusal = run(f"{arguments} drop --singletons none").err
    assert "'none'; expected one of: keep, drop, drop-response" in refusal


def test_perturb_out_goes_by_its_ending_or_else_by_the_input(folder):
    arguments = "perturb gold.conll wrong.conll --do split:share=0.5,singletons=yes"
    for name in ("one.jsonl", "same", "two.conll.gz"):
        printed(f"{arguments} --seed 3 --out {name}")
    made = [corescore.read(folder / name) for name in ("one.jsonl", "same", "two.conll.gz")]
    assert made[0]["d"].entities == made[1]["d"].entities == made[2]["d"].entities
    assert (folder / "same").read_text().startswith("#begin document")


def test_perturb_lists_every_perturbation_with_its_parameters(folder):
    text = printed("perturb --list")
    for kind in PERTURBATIONS.values():
        assert f"{kind.id:{WIDTH}}{kind.about}" in text
    classes = "any, correct, unlinked, incorrectly-resolved, spurious"
    assert f"which mentions to drop: {classes} (default: any)" in text


def test_sweep_has_bands_and_runs(folder):
    arguments = "sweep key.txt response.txt --do repair --doses 0,1"
    values = made(f"{arguments} --seeds 3")
    assert " | repair | left behind keep | seeds 1 to 3 | low and high are" in values["signature"]
    (first,) = (
        row
        for row in values["rows"]
        if (row["dose"], row["metric"], row["measure"]) == (0, "muc", "recall")
    )
    assert (first["low"], first["mean"], first["high"]) == pytest.approx((0.4, 0.4, 0.4))
    text = printed(f"{arguments} --by run --format csv --metrics muc")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 2 * 20
    assert {float(row["recall"]) for row in rows if row["dose"] == "1.0"} == {1.0}


def test_a_sweep_is_read_in_percent_f1_first_and_the_rest_on_request(folder):
    sweep = "sweep key.txt response.txt --do repair --doses 0,0.5,1"
    lines = printed(f"{sweep} --metrics muc,lea --seeds 2").splitlines()
    assert [line.split() for line in lines[:1]] == [["dose", "MUC", "LEA"]]
    assert [line.split()[0] for line in lines[2:5]] == ["0%", "50%", "100%"]
    assert lines[4].split()[:2] == ["100%", f"{200 * 5 / 12:.2f}"]  # all 5 links, of 7 given
    assert "F1 in percent, the mean of 2 seeds. --all shows recall" in lines[6]
    lines = printed(f"{sweep} --metrics muc --seeds 2 --all").splitlines()
    assert lines[2].split() == ["0%", "MUC", "recall", "40.00", "40.00", "40.00"]
    by_run = printed(f"{sweep} --metrics muc --seeds 1 --by run")
    assert by_run.splitlines()[0].split() == ["dose", "seed", "metric", "recall", "precision", "F1"]
    assert by_run.splitlines()[2].split()[:4] == ["0%", "1", "MUC", "40.00"]


def test_the_help_of_experiment_names_them_all(folder):
    text = "".join(printed("experiment --help").split())
    assert all(experiment.id in text for experiment in EXPERIMENTS)


def test_an_interrupted_sweep_prints_the_seeds_that_are_through(folder, monkeypatch):
    every = Sweep.__iter__

    def interrupted(sweep):
        yield from islice(every(sweep), 5)
        raise KeyboardInterrupt

    monkeypatch.setattr(Sweep, "__iter__", interrupted)
    answer = run("sweep key.txt response.txt --do drop --doses 0,1 --by run --format json")
    assert answer.code == 130
    assert {row["seed"] for row in json.loads(answer.out)["rows"]} == {1, 2}
    assert "interrupted: these are the results of 2 of 20 seeds" in answer.err


def test_a_baseline_can_group_the_mentions_of_a_response(folder):
    (folder / "more.txt").write_text("# toy\n{a b} {f}\n")
    arguments = "baseline key.txt --kind one-entity --mentions-of more.txt"
    printed(f"{arguments} --out made.notation")
    (document,) = corescore.read(folder / "made.notation")
    assert [[*map(document.text, entity)] for entity in document.entities] == [["a", "b", "f"]]
    # its own documents are grouped, and only where they fit the key
    other = "baseline key.txt --kind one-entity --mentions-of wrong.conll"
    assert "wrong.conll" in refused(other)


def test_convert_goes_by_the_endings_and_can_be_told(folder):
    printed("convert gold.conll gold.jsonl.gz")
    assert gzip.decompress((folder / "gold.jsonl.gz").read_bytes()).startswith(b'{"doc_key": "d"')
    printed("convert gold.jsonl.gz again --output-format conll")
    assert corescore.read(folder / "again") == corescore.read(folder / "gold.conll")
    assert "the ending of 'again.xyz' is of" in refused("convert gold.conll again.xyz")


def test_a_response_may_stand_in_the_line_of_its_key(folder):
    line = {"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}
    (folder / "both.jsonl").write_text(json.dumps(line | {"predicted_clusters": [[[0, 0]]]}))
    scores = made("score both.jsonl both.jsonl")["responses"][0]["scores"]
    assert scores["mentions"]["recall"] == float(Fraction(1, 2))


def test_metrics_lists_every_metric_with_its_paper(folder):
    text = printed("metrics")
    assert all(metric.id in text and metric.paper in text for metric in METRICS)


def test_help_shows_every_command_once_under_its_group(folder):
    shown = printed("--help")
    assert re.findall(r"^([a-z ]+):$", shown, re.MULTILINE)[1:] == [*groups()]
    assert all(len(re.findall(rf"^  {c.name}  ", shown, re.MULTILINE)) == 1 for c in COMMANDS)


def test_every_command_has_an_example():
    assert {*NAMES} == {command.name for command in COMMANDS}


def test_the_formats_are_listed_by_one_command_alone(folder):
    helps = {command.name: printed(f"{command.name} --help") for command in COMMANDS}
    assert [name for name, shown in helps.items() if "litbank" in shown] == ["convert"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_helps_with_examples_of_its_own_and_explains_each_option(command, folder):
    said = printed(f"{command.name} --help").split("examples:\n")[1].splitlines()
    assert said
    assert all(line.startswith(f"  corescore {command.name}") for line in said)
    parser = argparse.ArgumentParser()
    for add in command.options:
        add(parser)
    shown = (at for at in parser._actions if at.help != argparse.SUPPRESS)
    unexplained = [at.dest for at in shown if not (at.help or "")[:1].isalpha()]
    assert unexplained == []


def test_every_problem_of_every_file_is_reported_in_one_go(folder):
    (folder / "bad.conll").write_text(GOLD.replace("(2)", "2)").replace("* (1)", "* (x)"))
    message = refused("score absent.conll bad.conll")
    assert "absent.conll: no such file" in message
    assert "bad.conll:2: '(x)'" in message
    assert "bad.conll:4: entity 2 closes" in message


def test_other_words_name_both_places(folder):
    (folder / "other.conll").write_text(GOLD.replace("met", "saw"))
    message = refused("score gold.conll other.conll")
    assert "other.conll:3: document 'd' has 'saw' as word 2; expected 'met'" in message
    assert "gold.conll:3" in message


def test_the_dashboard_refuses_a_table_of_genres_that_is_wrong_or_of_no_key(folder):
    (folder / "genres.csv").write_text("d,news\nd,novel\n")
    assert "genres.csv:2: a second row" in refused("dashboard gold.conll --genres genres.csv")
    said = "--genres without KEY; expected the key whose documents it names"
    assert said in refused("dashboard --genres genres.csv")


def test_the_dashboard_refuses_a_token_that_can_be_guessed_and_none_where_others_reach_it(
    folder,
):
    for token in ("''", "short", "'with a blank'", "é" * 43):
        assert "--token" in refused(f"dashboard --token {token}")
    for other in ("--share", "--host 0.0.0.0", "--token long-enough"):
        assert f"--no-token with {other.split()[0]}" in refused(f"dashboard --no-token {other}")


def test_the_dashboard_refuses_what_cannot_be_read(folder):
    (folder / "cards.json").write_text("[]")
    assert "cards.json: no list 'cards'" in refused("dashboard --cards cards.json")
    assert "absent: no such folder" in refused("dashboard --data-sets absent")


def test_a_reader_that_stops_early_is_no_error(folder):
    command = f"{sys.executable} -m corescore baseline gold.conll --kind singletons | head -n 1"
    answer = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=folder, capture_output=True, text=True
    )
    assert answer.stderr == ""
    assert answer.stdout == "#begin document (d); part 000\n"


def test_each_file_of_a_folder_is_an_output_for_a_key_that_is_a_file(folder):
    """As `corescore dashboard` takes them; the key itself is none, in that folder or not."""
    (folder / "outputs").mkdir()
    for name, text in {
        "key": "{a b} {c d}",
        "outputs/a": "{a b} {c d}",
        "outputs/b": "{a b c d}",
    }.items():
        (folder / f"{name}.txt").write_text(f"{text}\n")
    rows = printed("score key.txt outputs --metrics lea --format csv").splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["outputs/a.txt", "outputs/b.txt"]
    printed("compare key.txt outputs --trials 10")
    assert "outputs: a folder; expected a file, as the key." in refused("errors key.txt outputs")
    (folder / "empty").mkdir()
    assert "empty: a folder without" in refused("score key.txt empty")


PAIR = "gold.conll wrong.conll"
WRITING = {
    "score": PAIR,
    "credit": f"{PAIR} --metric lea",
    "explain": PAIR,
    "errors": PAIR,
    "compare": f"{PAIR} gold.conll --trials 100",
    "data-sets": "sets",
    "perturb": f"{PAIR} --do drop",
    "sweep": f"{PAIR} --do drop --doses 0 --seeds 1",
    "experiments": "",
    "experiment": "pradhan2014-example",
    "conformance": "",
    "disagree": PAIR,
    "statement": PAIR,
    "gap": "gap-test.tsv answers.tsv",
    "report": f"{PAIR} --sections overview",
    "baseline": "gold.conll --mentions-of wrong.conll --kind singletons",
    "convert": "gold.conll",
}


def test_every_command_that_writes_a_file_is_tried_below():
    assert {command.name for command in COMMANDS if "--force" in names_of(command)} == {*WRITING}
    assert all("--force" in names_of(c) for c in COMMANDS if "--out" in names_of(c))


def names_of(command):
    parser = argparse.ArgumentParser()
    for add in command.options:
        add(parser)
    return {name for action in parser._actions for name in action.option_strings}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_a_command_replaces_a_file_only_by_force_and_an_input_never(name, folder):
    given, is_corpus = WRITING[name], name in ("perturb", "baseline", "convert")
    other = folder / ("other.conll" if is_corpus else "other.txt")
    command = f"{name} {given} {'' if name == 'convert' else '--out'}"
    other.write_text("mine")
    assert re.search(rf"{other.name}: .* exists", refused(f"{command} {other.name}"))
    assert other.read_text() == "mine"
    printed(f"{command} {other.name} --force")
    assert other.read_text() != "mine"
    for source in re.findall(r"\S+\.(?:conll|tsv)", given):
        before = (folder / source).read_bytes()
        message = refused(f"{command} {folder / source} --force")
        never = "an input file, which is never overwritten" in message
        assert never or (not is_corpus and "files are written; expected" in message)
        assert (folder / source).read_bytes() == before
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_metric_of_ones_own_is_an_input(folder):
    (folder / "own.py").write_text("metric = None")
    call = "conformance --metric-file own.py --out own.py --force"
    assert "own.py: an input" in refused(call)


def test_cells_of_csv_are_no_formulas_where_that_is_asked_for(folder):
    line = '{"doc_key": "=d", "sentences": [["@x"]], "clusters": [[[0, 0]]]}\n'
    (folder / "a.jsonl").write_text(line)
    call = "score a.jsonl a.jsonl --per-document"
    plain = printed(f"{call} --format csv")
    assert printed(f"{call} --format csv --safe-csv") == plain.replace(",=d,", ",'=d,") != plain
    said = refused(f"{call} --format json --safe-csv")
    assert "--safe-csv with --format json; expected --format csv" in said


@pytest.mark.slow
def test_a_pipe_is_read_once(tmp_path):
    sample = bundled("sample_data")
    key, response = sample / "key.conll", sample / "cautious.conll"
    drop = ("perturb", key, "/dev/stdin", "--do", "drop:share=0.1")
    dash = ("score", key, "-")
    program = [sys.executable, "-m", "corescore"]
    for words in (drop, ("score", key, "/dev/stdin", "--workers", "2"), dash):
        piped = subprocess.run(
            [*program, *words], input=response.read_bytes(), capture_output=True, check=True
        )
        named = [response if word in ("/dev/stdin", "-") else word for word in words]
        whole = subprocess.run([*program, *named], capture_output=True, check=True)
        piped_as = piped.stdout.replace(b"stdin", b"cautious.conll")
        assert piped_as.replace(b": cautious.conll", b": cautious") == whole.stdout
    for out in ("-", "/dev/stdout"):
        words = [*program, "convert", "-", out, "--output-format", "conll"]
        done = subprocess.run(words, input=response.read_bytes(), capture_output=True, check=True)
        assert done.stdout == response.read_bytes()


def test_a_dash_is_standard_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    key, response = SAMPLE / "key.conll", SAMPLE / "cautious.conll"
    assert printed(f"convert {key} - --output-format conll") == key.read_text("utf-8")
    perturbing = f"perturb {key} {response} --do drop:share=0.1"
    assert printed(f"{perturbing} --out -") == printed(perturbing)
    assert printed(f"score {FILES} --out - --format csv") == printed(f"score {FILES} --format csv")
    assert "expected --output-format" in refused(f"convert {key} -")
    assert not [*tmp_path.iterdir()]


SAMPLE = bundled("sample_data")
FILES = f"{SAMPLE / 'key.conll'} {SAMPLE / 'heads.conll'}"


@pytest.mark.parametrize("metric", ["ceafe", "blanc"])
def test_credit_to_be_read_adds_up_to_the_score_in_points(metric):
    found = corescore.score(*map(corescore.read, FILES.split()))[metric].recall
    call = f"credit {FILES} --metric {metric} --by document"
    text = printed(f"{call} --format markdown")
    cells = [line.split("|") for line in text.splitlines() if f"| {name_of(metric)} " in line]
    cells = [row for row in cells if len(row) == 8]
    assert sum(float(row[5]) for row in cells) == pytest.approx(100 * found, abs=0.2)
    assert sum(float(row[6]) for row in cells) == pytest.approx(100, abs=0.2)
    assert "in points" in text
    text = printed(f"{call} --fractions")
    assert f"{made(call)['rows'][0]['credit']:.4f}" in text
    assert "numerators of the score" in text


def test_gains_to_be_read_are_in_percent():
    row = made(f"errors {FILES} --impact")["rows"][-1]
    text = printed(f"errors {FILES} --impact --format markdown")
    assert text.startswith("Fixing ")
    line = next(line for line in reversed(text.splitlines()) if line.startswith("| "))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[4] == f"{100 * row['score']:.2f}"
    assert cells[-1] == f"{100 * row['share']:.2f}"
    assert "Percent." in text


# A terminal, and HTML -----------------------------------------------------------------------------

LONG = "# toy\n" + "".join(f"{{a{n} b{n}}} " for n in range(30)) + "\n"


@pytest.mark.parametrize(
    "call, is_cut",
    [
        ("credit long.txt long.txt --metric lea", True),
        ("credit long.txt long.txt --metric lea --format csv", False),
        ("errors long.txt key.conll", False),
        ("baseline long.txt --kind one-entity", True),
    ],
)
def test_a_terminal_gets_the_first_rows_unless_all_are_asked_for(folder, call, is_cut):
    (folder / "long.txt").write_text(LONG)
    (folder / "key.conll").write_text(LONG)
    whole = run(call).out
    seen, every = (run(f"{call}{more}", output=Terminal).out for more in ("", " --all"))
    assert every.split() == whole.split()
    if not is_cut:
        assert seen.split() == whole.split()
        return
    assert re.search(r"^… [1-9][0-9]* more: --all or --out FILE$", seen, re.MULTILINE)
    assert len(seen.splitlines()) < len(whole.splitlines())


def test_sentences_fit_a_terminal_and_a_pipe_has_them_in_one_line(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    call = "score key.txt response.txt"
    seen = run(call, output=Terminal).out
    assert max(map(len, seen.splitlines())) <= 60
    assert seen.split() == run(call).out.split()


@pytest.mark.parametrize(
    "call",
    [
        "score key.txt response.txt --per-document",
        "errors key.txt response.txt",
        "credit key.txt response.txt --metric muc",
        "experiment moosavi2016-table3",
        pytest.param("conformance", marks=pytest.mark.slow),
    ],
)
def test_a_table_is_an_html_file_that_loads_nothing(folder, call):
    printed(f"{call} --out t.html")
    text = (folder / "t.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert text.count("</table>") == 1 + ("--per-document" in call)
    assert f"<h1>corescore {call.split()[0]}</h1>" in text
    assert "corescore 0." in text
    assert not re.search(r"(src|href)=\"(?!#)", text)
