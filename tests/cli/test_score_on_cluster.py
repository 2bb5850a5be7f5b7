"""`corescore score --scheduler`, with a cluster in threads of this process."""

import json
import socket
import subprocess
import sys

import pytest
from distributed import LocalCluster

from tests.support.shards import BROKEN


@pytest.fixture(scope="module")
def scheduler():
    settings = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **settings) as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--per-document", "--format", "json"),
        ("--match", "head", "--format", "json"),
        ("--match", "head", "--average", "macro"),
        ("--as", "scorch", "--metrics", "muc,b3-0", "--format", "csv"),
    ],
)
def test_it_prints_what_scoring_in_memory_prints(score, scheduler, folders, options):
    expected = score(*folders, *options)
    assert score(*folders, *options, "--scheduler", scheduler) == expected


def test_a_poisoned_shard_is_refused_as_in_memory(score, scheduler, folders, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text(BROKEN)
    expected = score(*folders[:2])
    assert expected[0] == 2
    assert score(*folders[:2], "--scheduler", scheduler) == expected


def test_keeping_going_says_so_by_the_exit_code(score, scheduler, folders, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text(BROKEN)
    asked = *folders[:2], "--scheduler", scheduler, "--keep-going", "--format", "json"
    code, printed, said = score(*asked)
    assert code == 3
    assert json.loads(printed)["responses"][0]["documents"] == 2
    assert f"warning: {folders[1]}/part-1.conll:2: entity 1 opens here" in said
    assert "Its shard is" in said


def test_keeping_going_where_nothing_is_wrong_is_a_success(score, scheduler, folders):
    code, _, said = score(*folders[:2], "--scheduler", scheduler, "--keep-going")
    assert (code, said) == (0, "")


def test_without_an_answer_the_address_is_named(score, folders, monkeypatch):
    monkeypatch.setattr("corescore.cli.score.SECONDS_TO_CONNECT", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        code, printed, said = score(*folders, "--scheduler", address)
    assert (code, printed) == (2, "")
    assert said.startswith(f"corescore: {address}: no scheduler that answers")
    code, _, said = score(*folders, "--scheduler", "nonsense://x")
    assert code == 2
    assert "no scheduler that answers (unknown address scheme" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--keep-going",), "--keep-going is given without --scheduler"),
        (
            ("--scheduler", "tcp://127.0.0.1:1", "--as", "coval", "--format", "coval"),
            "--format coval with --scheduler",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused(score, folders, options, said):
    code, _, error = score(*folders[:2], *options)
    assert code == 2
    assert said in error


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
    assert "pip install 'corescore[dask]'" in answer.stderr
