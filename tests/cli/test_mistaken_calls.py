"""Calls with a mistake in them, and what they are answered."""

import re
from pathlib import Path

import pytest

from corescore.corpus.problems import did_you_mean
from corescore.util import bundled
from tests.support.shell import printed, refused, run

# Calls with a mistake in them, and what they are answered ----------------------------------------

FILES = "key.conll greedy.conll"

OWN = """from corescore.metrics import Counts, Metric


def counts(t):
    right = t.n_shared_mentions
    return Counts.of(right, t.n_key_mentions, right, t.n_response_mentions)


MINE = Metric(id="mine", title="Mine", unit="mention", paper="none", counts=counts)
"""

# The call after `corescore`, and the last line of its answer.
CALLS = {
    "scor key.conll greedy.conll": "no command 'scor'. Did you mean 'score'?",
    "zzz": "no command 'zzz'. corescore --help lists all.",
    "help scor": "Did you mean 'score'?",
    "metrics all": "no argument 'all'",
    f"score {FILES} --metr lea": "no option '--metr'. Did you mean '--metrics'?",
    f"score {FILES} --metrics muc bcub": "no argument 'bcub'. Separate metrics by commas",
    "key.conll score greedy.conll": (
        "no file 'score'. The command comes first: corescore score key.conll …"
    ),
    "score key.conll gredy.conll": "no such file or folder. Did you mean greedy.conll?",
    f"score {FILES} muc bcub": "no file 'muc'; metrics are an option: --metrics muc",
    "score": "the following arguments are required: KEY, RESPONSE",
    "score key.conll": "the following arguments are required: RESPONSE",
    "score key.conll ''": "'': no such file or folder. Check the path.",
    "key.conll no.conll": "no.conll: no such file or folder. Check the path.",
    "dashboard key.conll gredy.conll": "no such file or folder. Did you mean greedy.conll?",
    "convert no.conll out.jsonl": "no.conll: no such file or folder. Check the path.",
    f"report {FILES} --out /nowhere/r.html": "expected a file in a folder that exists",
    f"report {FILES} --out r.md": "--out r.md: no .md files are written; expected .html",
    f"report {FILES} --out r.pdf": "--out r.pdf: no .pdf files are written",
    f"explain {FILES} --document x": "--document goes with --show along",
    f"errors {FILES} --impact --by document": "--impact with --by; expected one of them",
    f"sweep {FILES} --do drop --do merge": "--do is given twice; expected one perturbation",
    f"score {FILES} --as perl --metrics lea": "perl has no LEA; expected one of: muc, bcub",
    f"score {FILES} --out x.xlsx": "no .xlsx files are written; expected .csv, .json, .md",
    f"statement {FILES} --out x.html": "no .html files are written; expected .tex, or .txt",
    f"score {FILES} --out x.conll": "no .conll files are written; expected .csv, .json, .md",
    f"score {FILES} -o x.csv": "no option '-o'. Here it is --out FILE.",
    f"compare {FILES} --per-document --ranks": "--ranks is given with --per-document",
    f"explain {FILES} --show along --window 0": "windows of 0 words; expected 1 to 409",
    f"compare {FILES} --test sign": "no option '--test'. Here it is --trials N of approximate",
    f"score {FILES} --keep-singletons": "Here it is --singletons keep.",
    f"score {FILES} --by document": "no option '--by'. Here it is --per-document.",
    f"score --key {FILES}": "no option '--key'. Here it is the first file, KEY.",
    f"score {FILES} --fractions": "no option '--fractions'. Here it is --format csv.",
    f"score {FILES} --verbose": "no option '--verbose'. corescore score --help lists all.",
    f"score {FILES} --as crac2025": "For crac2025 there is corescore data-sets.",
    f"score {FILES} --metrics 'lea muc'": "expected a comma between: lea,muc",
    "experiment table1": "Did you mean 'moosavi2016-table1'?",
    f"score {FILES} --json": "no option '--json'; expected --format json",
    f"score {FILES} --metrics=": "--metrics is empty; expected names, one comma between",
    f"score {FILES} --metrics lea,,muc": "--metrics has an empty item: 'lea,,muc'; expected names",
    f"disagree {FILES} --find 60 --to perl": "--find with --to; expected one of them",
    f"disagree {FILES} --find 200": "expected percent with at most four decimals",
    f"errors {FILES} --query cost.lea>high": '"high"; expected a number.',
    f"credit {FILES} --metric lea --side recal": "Did you mean 'recall'?",
    f"score {FILES} --match heads": "Did you mean 'head'?",
    "convert key.conll out.conll --to json": "Did you mean 'jsonl'?",
    f"perturb {FILES} --do split:share=x": "share of split is 'x'; expected a number",
    "data-sets nowhere": ("expected a folder with a folder for each data set. Check the path."),
    f"score {FILES} --mention=all": "no option '--mention'. Did you mean '--mentions'?",
    f"errors {FILES} greedy.conll": "no argument 'greedy.conll': one RESPONSE at a time.",
    f"explain {FILES} greedy.conll greedy.conll": "no argument 'greedy.conll'. corescore explain",
    f"score {FILES} --metrics lea,b3-1": "Did you mean 'b3-0'?",
    f"credit {FILES}": "the following arguments are required: --metric",
    f"credit {FILES} --metric lea --bound 4": "--bound goes with --by size or distance",
    f"explain {FILES} --bound 4": "--bound goes with --show distance or size",
    f"explain {FILES} --show size --window 4": "--window goes with --show windows or along",
    f"errors {FILES} --order lea": "Did you mean 'cost.lea'?",
    f"score {FILES} --as CoNLL-2012": "Did you mean 'perl'?",
    f"score {FILES} --format jsn": "Did you mean 'json'?",
    f"perturb {FILES} --do spilt": "Did you mean 'split'?",
    f"perturb {FILES} --do split:shar=0.2": "Did you mean 'share'?",
    f"errors {FILES} --query tpye:pronoun": 'Did you mean "type"?',
    f"errors {FILES} --query type:pronouns": 'Did you mean "pronoun"?',
    "experiment moosavi2016-tabel1": "Did you mean 'moosavi2016-table1'?",
    f"report {FILES} --out r.html --document news_trm": "Did you mean 'news_tram'?",
    f"compare {FILES}": "only one response is named; expected two or more",
    f"compare {FILES} greedy.conll": "greedy.conll is named twice; expected each response once",
    f"compare {FILES} heads.conll --as coval --primary blanc": "muc, bcub, ceafe, lea, conll",
    f"compare {FILES} heads.conll --as scorch": (
        "--as scorch averages over documents; expected a scorer that adds up the counts"
    ),
    f"credit {FILES} --metric lea --as e2e": "muc, bcub, ceafe, mentions, links, rand",
    f"sweep {FILES} --do drop --as perl": (
        "repeats is 'reference'; a sweep expects one of: first, error"
    ),
    f"sweep {FILES} --do drop --doses 0-1": "such as 0:1:0.05 or 0,0.1,0.5",
    f"compare {FILES} heads.conll --margin 2": "no option '--margin'",
    f"errors {FILES} --top 3 --impact": "--top with --impact; expected one of them",
    f"score {FILES} --unpack-limit much": (
        "the unpack limit is 'much'; expected a size such as 8GB or 500MB"
    ),
    f"score {FILES} --singletons": "--singletons: no value; expected one of: keep, drop",
    f"score {FILES} --workers many": "--workers: 'many'; expected a whole number",
    f"score {FILES} --workers 0": "workers is 0; expected 1 or more, 1000 at most",
    f"score {FILES} --workers 2 --scheduler tcp://127.0.0.1:1": "--workers is given with",
    f"score {FILES} --workers 2 --as coval --format coval": "--format coval with --workers",
    f"score {FILES} --keep-going": "--keep-going is given without --scheduler",
    f"score {FILES} --scheduler tcp://x:1 --as coval --format coval": (
        "--format coval with --scheduler"
    ),
    f"score {FILES} --format parquet": "--format parquet cannot be printed; expected --out FILE",
    f"score {FILES} --out key.conll": (
        "key.conll: an input file, which is never overwritten. Name another file."
    ),
    "score README.md greedy.conll": "plain text, such as the answer of a language model",
    f"errors {FILES} --query size>": "no value for size; expected a number.",
    f"errors {FILES} --query '(kind:missing'": '"(" without its ")"; expected both brackets.',
    f"errors {FILES} --order size:up": "direction is 'up'; expected one of: ascending, descending",
    f"errors {FILES} --notes notes.csv": "notes.csv: no such file or folder. Check the path.",
    f"perturb {FILES} --do split:share=2": "share of split is 2; expected a number from 0 to 1",
    f"perturb {FILES} --do split:share": "expected each parameter once, name=value",
    f"sweep {FILES} --do drop --seeds 0": "seeds is 0; expected a whole number from 1 to 1000",
    "baseline key.conll": "the following arguments are required: --kind",
    f"experiment moosavi2016-table1 {FILES} --set sed=5": "Did you mean 'seed'?",
    f"experiment moosavi2016-table1 {FILES} --set seed=x": (
        "Seed is 'x'; expected a whole number from 0 to 1,000,000"
    ),
    f"disagree {FILES} --find much": "the number is 'much'; expected percent, such as 62.74",
    "conformance --metric-file no.py": "no such file; expected a Python file. Check the path.",
    f"report {FILES}": "the following arguments are required: --out",
    f"compare {FILES} heads.conll --trials 0": "trials is 0; expected 1 or more",
    f"dashboard --port much {FILES}": "--port: 'much'; expected a whole number",
    "convert key.conll out.foo": (
        ".conllu (conllu), .inline (inline), .conll (conll), .jsonl (jsonl), .notation (notation)"
    ),
    f"disagree {FILES} --from perl": (
        "--to is missing; expected two scorers: --from NAME --to NAME"
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_mistaken_call_is_answered_in_a_few_words(call, monkeypatch):
    monkeypatch.chdir(bundled("sample_data"))
    (said,) = refused(call).splitlines()
    assert said.startswith("corescore")
    assert CALLS[call] in said


@pytest.mark.parametrize(
    "call, now",
    [
        ("convert key.conll OUT --from conll --to jsonl", ["--input-format", "--output-format"]),
        (f"report {FILES} --out OUT --documents news_tram story_kite", ["--document"]),
        ("experiment moosavi2016-table3 --metric own.py", ["--metric-file"]),
    ],
)
def test_the_former_name_of_an_option_works_and_names_the_new_one(call, now, monkeypatch, tmp_path):
    monkeypatch.chdir(bundled("sample_data"))
    (tmp_path / "own.py").write_text(OWN, "utf-8")
    told = call.replace("OUT", str(tmp_path / "out")).replace("own.py", str(tmp_path / "own.py"))
    answer = run(told)
    assert answer.code == 0
    assert re.findall("is now (.*)", answer.err) == now


def test_options_are_not_alike_for_their_dashes_or_a_few_letters():
    assert did_you_mean("--threads", ["--repeats", "--zeros"]) == ""
    assert did_you_mean("--verbose", ["--repeats", "--zeros"]) == ""
    assert did_you_mean("--metrix", ["--match", "--metrics"]) == ". Did you mean '--metrics'?"


def test_help_is_printed_where_nothing_is_asked():
    assert printed("-V") == printed("--version")
    for call in ("", "help", "--help"):
        assert printed(call).count("scoring rules:") == 1


@pytest.mark.parametrize(
    "given, meant",
    [("muc,B³,", "muc,bcub"), ("conll_score", "conll"), ("CEAF_e", "ceafe")],
)
def test_metrics_may_be_listed_with_a_comma_at_the_end_and_as_others_call_them(given, meant):
    files = " ".join(str(bundled("sample_data") / file) for file in FILES.split())
    assert printed(f"score {files} --metrics {given}") == printed(f"{files} --metrics {meant}")


def test_a_file_called_as_a_command_is_no_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gold").write_text("{a b}\n", "utf-8")
    assert "MUC" in printed("gold gold")


# The command that opens the dashboard: paths that it refuses --------------------------------------


def test_a_file_is_no_response_to_a_folder(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "out.conll").touch()
    said = refused(f"dashboard {tmp_path / 'gold'} {tmp_path / 'out.conll'}")
    assert f"{tmp_path / 'out.conll'}: a file; expected a folder, as the key." in said


def test_a_folder_without_files_is_refused_and_its_folders_are_named(tmp_path):
    key, outputs = tmp_path / "key.conll", tmp_path / "outputs"
    key.touch()
    outputs.mkdir()
    call = f"dashboard {key} {outputs}"
    assert refused(call.replace("dashboard", "score")).count(f"{outputs}: ") == 1
    assert "a folder without files; expected a file for each response. Check" in refused(call)
    (outputs / "first").mkdir()
    assert f"Name the folders in it, such as {outputs / 'first'}." in refused(call)


def test_every_path_that_does_not_exist_is_said(tmp_path):
    paths = " ".join(str(tmp_path / name) for name in ("key", "r1", "r2"))
    assert refused(f"dashboard {paths}").count("no such file") == 3
