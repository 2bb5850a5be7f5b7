"""Run by `test_seventh_metric` in a copy of the project: every command, in one process."""

import contextlib
import io
import json
import shutil
import sys
import traceback
from pathlib import Path

from corescore.__main__ import main
from corescore.cli.program import commands_of, groups
from corescore.replication import EXPERIMENTS
from tests.support.texts import GAP_FILES

KEY, A, B = (f"sample_data/{name}.conll" for name in ("key", "cautious", "greedy"))
# Fewer draws than the papers’.
FEWER = ("seeds=2", "pairs=5")


def calls():
    yield "score", KEY, A, B, "--per-document", "--average", "macro"
    yield "score", KEY, A, "--metrics", "shared", "--format", "json"
    yield "credit", KEY, A, "--metric", "shared"
    yield "credit", KEY, A, "--metric", "lea"
    for by in ("kind", "document", "entity", "mention"):
        yield "errors", KEY, A, "--by", by
    yield "errors", KEY, A, "--impact"
    yield "errors", KEY, A, "--query", "nested:no", "--top", "3"
    yield "errors", KEY, A, "--query", "other:correct", "--other", B
    for name, text in GAP_FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    yield "gap", *GAP_FILES
    yield "scorer.pl", "all", KEY, A, "none"
    yield ("metrics",)
    yield "compare", KEY, A, B, "--trials", "100", "--per-document"
    yield "compare", KEY, A, B, "--trials", "100", "--ranks"
    yield "compare", KEY, A, B, "--effect"
    runs = [shutil.copy(one, f"{name}.conll") for name, one in (("a.run1", A), ("a.run2", B))]
    yield "compare", KEY, *runs, B, "--trials", "100"
    yield "score", KEY, A, "--save-tally", "a.parquet"
    yield "compare", KEY, "a.parquet", B, "--trials", "100"
    for place in (Path("sets/one"), Path("sets/two")):
        place.mkdir(parents=True)
        for path in (KEY, A, B):
            shutil.copy(path, place)
    yield "data-sets", "sets", "--metric", "shared"
    yield "disagree", KEY, A, B
    yield "disagree", KEY, A, "--from", "perl", "--to", "corefud"
    yield "statement", KEY, A
    yield "explain", KEY, A, B
    yield "explain", KEY, A, "--show", "windows"
    yield "disagree", KEY, A, "--find", "62.74"
    yield "perturb", KEY, A, "--do", "split:share=0.2", "--out", "perturbed.conll"
    yield "sweep", KEY, A, "--do", "drop", "--doses", "0:1:0.5", "--seeds", "2"
    yield ("experiments",)
    for experiment in EXPERIMENTS:
        names = {parameter.id for parameter in experiment.parameters}
        fewer = [word for word in FEWER if word.partition("=")[0] in names]
        yield "experiment", experiment.id, *(w for word in fewer for w in ("--set", word))
    yield ("conformance",)
    yield "report", KEY, A, B, "--out", "report.html"
    yield "baseline", KEY, "--kind", "same-head", "--out", "heads.conll"
    yield "convert", A, "a.jsonl"


def outcome(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as stop:
            code = stop.code
        except Exception:
            code, _ = -1, traceback.print_exc()
    return {"words": words, "code": code, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    found = [outcome(words) for words in calls()]
    tried = {call["words"][0] for call in found}
    assert {command.name for command in commands_of(groups())} - tried == {"dashboard"}
    json.dump(found, sys.stdout)
