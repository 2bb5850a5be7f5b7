"""`corescore score --workers N` says what one process says, and leaves no process behind."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from tests.support.shards import BROKEN

pytestmark = pytest.mark.slow


def test_two_workers_print_what_one_prints(score, folders):
    options = "--match", "head", "--per-document", "--format", "json"
    expected = score(*folders, *options)
    assert expected[0] == 0
    assert score(*folders, *options, "--workers", "2") == expected


def test_two_workers_refuse_what_one_refuses(score, folders, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text(BROKEN)
    expected = score(*folders)
    assert expected[0] == 2
    assert score(*folders, "--workers", "2") == expected


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--workers", "0"), "workers is 0; expected 1 or more"),
        (("--workers", "1001"), "workers is 1001; expected 1 or more, 1000 at most"),
        (("--workers", "2", "--scheduler", "tcp://127.0.0.1:1"), "--workers is given with"),
        (("--workers", "2", "--as", "coval", "--format", "coval"), "--format coval with --workers"),
    ],
)
def test_numbers_of_workers_that_make_no_sense_are_refused(score, folders, options, said):
    code, _, error = score(*folders[:2], *options)
    assert code == 2
    assert said in error


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
