"""`corescore score`: variants, progress, streams, processes, clusters, `scorer.pl`."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from distributed import LocalCluster

from corescore import score_files
from corescore.cli import score
from corescore.cli.output import IN_PIECES
from corescore.metrics import VARIANTS
from corescore.util import bundled
from tests.support.shell import made, printed, refused, run
from tests.support.tallies import BROKEN

# `corescore score --metrics` with variants, and their list ----------------------------------------

SAMPLE = bundled("sample_data")
FILES = f"{SAMPLE / 'key.conll'} {SAMPLE / 'cautious.conll'}"

NAMED = {"table": "B³₀", "markdown": "B³₀", "csv": "b3-0", "latex": r"B$^3$$_0$"}


@pytest.mark.parametrize("format", NAMED)
def test_a_variant_is_shown_when_named(format):
    assert NAMED[format] in printed(f"score {FILES} --metrics bcub,b3-0 --format {format}")
    text = printed(f"score {FILES} --format {format}")
    assert NAMED[format] not in text
    assert "cautious" in text


def test_every_variant_can_be_named_beside_a_metric_and_per_document():
    names = ["muc", *(metric.id for metric in VARIANTS)]
    options = f"--metrics {','.join(names)} --per-document --average macro"
    (response,) = made(f"score {FILES} {options}")["responses"]
    assert list(response["scores"]) == list(response["macro"]) == names
    assert all(list(scores) == names for scores in response["per_document"].values())


def test_the_list_of_metrics_names_variants_and_their_papers():
    text = printed("metrics")
    for metric in VARIANTS:
        assert f"{metric.id:15}{metric.title}, a variant. One unit: {metric.unit}.\n" in text
        assert metric.paper in text


EXCLUSIVE = {"doc_key": "d", "tokens": ["Mia", "fed", "her", "cat"], "clusters": [[[0, 1], [2, 3]]]}


def test_each_side_may_be_in_a_format_of_its_own(tmp_path):
    """Only one side has exclusive ends; the warning names the option that helps."""
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    key.write_text(json.dumps(EXCLUSIVE | {"clusters": [[[0, 0], [2, 2]]]}))
    response.write_text(json.dumps(EXCLUSIVE))
    said = run(f"score {key} {response}").err
    assert "2 would if each ended one word earlier" in said
    assert "name the format jsonl-exclusive for this file (--response-format; " in said
    call = f"{key} {response} --response-format jsonl-exclusive"
    (scored,) = made(f"score {call}")["responses"]
    assert scored["scores"]["muc"]["f1"] == 1
    assert f"{response}: " not in run(f"score {call}").err
    assert score_files(key, response, response_format="jsonl-exclusive")["muc"].f1 == 1
    swapped = f"{response} {key} --key-format jsonl-exclusive --input-format jsonl"
    assert made(f"score {swapped}")["responses"][0]["scores"]["muc"]["f1"] == 1
    assert printed(f"perturb {call} --do drop:share=0 --out {tmp_path / 'o.conll'}") == ""


def test_a_scorer_without_every_metric_matches_otherwise():
    assert "CEAFₑ 52.38 and LEA 39.26." in printed(f"score {FILES} --as coval --match head")


@pytest.mark.parametrize("name", ["scorch", "stanza"])
def test_what_a_scorer_prints_stands_alone_and_sums_on_request(name):
    call = f"score {FILES} --as {name}"
    (found,) = made(call)["responses"]
    for averaged, extra in ((True, ""), (False, "--average micro")):
        text = printed(f"{call} {extra}")
        (line,) = (line for line in text.splitlines() if line.startswith(" MUC"))
        expected = found[name if averaged else "scores"]["muc"]
        ratios = [f"{100 * expected[one]:.2f}" for one in ("recall", "precision", "f1")]
        assert line.split()[1:4] == ratios
        assert ("recall n/d" in text) != averaged


# The bar of work that takes long, on a terminal and only there ------------------------------------

# The command as it is, but the bar does not wait: once every file counts as large, once none does
COMMAND = """
import sys
from corescore.cli import output, score
from corescore.__main__ import main
output.SECONDS_BEFORE_PROGRESS = 0
for score.STREAMED_FROM in (0, 1_000_000_000):
    assert main(["score", *sys.argv[1:]]) == 0
    for place in (sys.stdout, sys.stderr):
        print("then", file=place, flush=True)
"""


def said_on_a_terminal(*arguments):
    """What the command writes to standard error if that is a terminal, and what it prints: each
    for large files and for others."""
    pty = pytest.importorskip("pty", reason="needs pseudo-terminals")
    outside, inside = pty.openpty()
    command = [sys.executable, "-c", COMMAND, *arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=inside, env=environment) as run:
        os.close(inside)
        said = b""
        while part := _read(outside):
            said += part
        printed = run.stdout.read()
    os.close(outside)
    assert run.returncode == 0
    return [text.decode().split("then")[:2] for text in (said, printed)]


def _read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux: nobody has the other end any more
        return b""


@pytest.mark.slow
def test_a_terminal_shows_a_bar_and_the_output_is_the_same(folders, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    (of_large, of_others), shown = said_on_a_terminal(*folders)
    for said, n_bytes in ((of_large, True), (of_others, False)):
        assert "━" in said
        assert ("kB" in said) == n_bytes
        assert ("Scoring" in said) == (not n_bytes)
    answer = run("score gold out perfect")
    assert "━" not in answer.err
    assert [text.removeprefix("\n") for text in shown] == [answer.out] * 2


# `corescore score` of large files prints what it prints of small ones -----------------------------

KEY = """#begin document (a); part 000
a 0 0 Mia (0)
a 0 1 saw -
a 0 2 her (0)

#end document
#begin document (b); part 000
b 0 0 Tom (1)
b 0 1 slept -

#end document
"""
RESPONSE = KEY.replace("her (0)", "her (2)").replace("b 0 1 slept -", "b 0 1 slept (1)")


@pytest.fixture
def paths(tmp_path):
    paths = [tmp_path / f"{name}.conll" for name in ("key", "first", "second")]
    for path, text in zip(paths, (KEY, RESPONSE, KEY), strict=True):
        path.write_text(text)
    return [*map(str, paths)]


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--format json --per-document",
        "--format csv --match head",
        "--format markdown --average macro",
        "--format latex --singletons drop",
        "--as perl",
        "--as coval --format coval",
    ],
)
def test_large_files_are_scored_as_small_ones(paths, options, monkeypatch):
    given = paths[:2] if "coval" in options else paths
    answers = []
    for least in (10**9, 0):
        monkeypatch.setattr(score, "STREAMED_FROM", least)
        answers.append(run(f"score {' '.join(given)} {options}"))
    assert answers[0] == answers[1]
    assert answers[0].code == 0


def test_problems_of_large_files_are_those_of_small_ones(paths, monkeypatch):
    monkeypatch.setattr(score, "STREAMED_FROM", 0)
    with Path(paths[1]).open("a") as response:
        response.write("#begin document (c); part 000\nc 0 0 x 1)\n")
    assert "first.conll:13: entity 1 closes here" in refused(f"score {' '.join(paths)}")


def test_the_bar_is_imported_only_on_a_terminal(paths, monkeypatch):
    monkeypatch.setattr(score, "STREAMED_FROM", 0)
    monkeypatch.delitem(sys.modules, "rich.progress", raising=False)
    printed(f"score {' '.join(paths)}")
    assert "rich.progress" not in sys.modules


# `corescore score --workers N` says what one process says, and leaves no process behind -----------


ALL = "score gold out perfect"


@pytest.fixture
def broken(folders):
    """One shard of a response cannot be read."""
    Path("out/part-1.conll").write_text(BROKEN)


@pytest.mark.slow
@pytest.mark.usefixtures("folders")
def test_two_workers_print_what_one_prints():
    call = f"{ALL} --match head --per-document"
    assert made(f"{call} --workers 2") == made(call)


@pytest.mark.slow
@pytest.mark.usefixtures("broken")
def test_two_workers_refuse_what_one_refuses():
    assert refused(f"{ALL} --workers 2") == refused(ALL)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl+C to a group")
@pytest.mark.parametrize("n_started", [1, 2, 3])  # one of them only tracks the others
def test_ctrl_c_ends_all_processes_without_a_traceback(tmp_path, heeded, n_started):
    text = "".join(
        f"#begin document (d{at});\n" + "d 0 0 Ada (1)\nd 0 1 she (1)\n" * 500 + "#end document\n"
        for at in range(3000)
    )
    paths = [tmp_path / name for name in ("key.conll", "response.conll")]
    for path in paths:
        path.write_text(text)
    command = [sys.executable, "-m", "corescore", "score", *map(str, paths), "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        first = psutil.Process(process.pid)
        while len(first.children(recursive=True)) < n_started:
            assert process.poll() is None
        others = first.children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in error
    assert psutil.wait_procs(others, timeout=10)[1] == []


# `corescore score --scheduler`, with a cluster in threads of this process -------------------------


@pytest.fixture(scope="module")
def scheduler():
    settings = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **settings) as cluster:
        yield cluster.scheduler_address


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    "options",
    [
        "",
        "--per-document --format json",
        "--match head --average macro",
        "--as scorch --metrics muc,b3-0 --format csv",
    ],
)
def test_it_prints_what_scoring_in_memory_prints(scheduler, options):
    expected = run(f"{ALL} {options}")
    assert run(f"{ALL} {options} --scheduler {scheduler}") == expected


@pytest.mark.usefixtures("broken")
def test_a_poisoned_shard_is_refused_as_in_memory_or_left_out_by_another_exit_code(scheduler):
    expected = refused("score gold out")
    call = f"score gold out --scheduler {scheduler}"
    assert refused(call) == expected
    answer = run(f"{call} --keep-going --format json")
    assert answer.code == 3
    assert json.loads(answer.out)["responses"][0]["documents"] == 2
    assert "warning: out/part-1.conll:2: entity 1 opens here" in answer.err
    assert "Its shard is" in answer.err


@pytest.mark.usefixtures("folders")
def test_keeping_going_where_nothing_is_wrong_is_a_success(scheduler):
    answer = run(f"score gold out --scheduler {scheduler} --keep-going")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.usefixtures("folders")
def test_without_an_answer_the_address_is_named(monkeypatch):
    monkeypatch.setattr("corescore.cli.score.SECONDS_TO_CONNECT", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        said = refused(f"{ALL} --scheduler {address}")
    assert said.startswith(f"corescore: {address}: no scheduler that answers")
    said = refused(f"{ALL} --scheduler nonsense://x")
    assert "no scheduler that answers (unknown address scheme" in said


@pytest.mark.slow
def test_without_dask_scores_are_made_and_a_scheduler_is_refused_with_what_to_install(folders):
    """In a process where nothing else imported it."""
    script = (
        "import sys; sys.modules['distributed'] = None; from corescore.__main__ import main; "
        "assert main(sys.argv[1:]) == 0; assert not {'dask', 'fsspec'} & {*sys.modules}; "
        "assert sys.modules['distributed'] is None; "
        "sys.exit(main([*sys.argv[1:], '--scheduler', 'tcp://127.0.0.1:1']))"
    )
    command = [sys.executable, "-c", script, "score", *folders[:2]]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert "distributed is not installed" in answer.stderr
    assert "pip install dask distributed 'fsspec[http]'" in answer.stderr


def test_files_that_are_parts_of_one_response_are_told(tmp_path):
    key, a, b = (tmp_path / f"{name}.notation" for name in "kab")
    a.write_text("# a\n{a b}"), b.write_text("# b\n{a b}"), key.write_text("# a\n{a}\n# b\n{a}")
    assert IN_PIECES in run(f"score {key} {a} {b}").err
    assert IN_PIECES not in run(f"score {key} {key} {b}").err


# `corescore scorer.pl`: the same as the console script, with its exit codes -----------------------

KEY_OF_SCORER_PL = "#begin document a\nx\t(1)\nx\t(1)\n#end document\n"


@pytest.mark.slow
def test_the_command_and_the_script_print_the_same(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text(KEY_OF_SCORER_PL)
    arguments = ["muc", str(path), str(path), "none"]
    text = printed(f"scorer.pl {' '.join(arguments)}")
    assert "Coreference: Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%\n" in text
    script = [sys.executable, "-c", "from corescore.__main__ import scorer; scorer()"]
    assert subprocess.check_output([*script, *arguments], text=True) == text


def test_the_command_ends_with_the_exit_code_of_the_scorer(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text(KEY_OF_SCORER_PL.replace("(1)", "(1", 1))
    answer = run(f"scorer.pl muc {path} {path}")
    assert answer.code == 25
    assert answer.err.endswith(" do not close\n")
