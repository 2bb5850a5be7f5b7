"""`corescore score --workers N` says what one process says, and leaves no process behind."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from corescore.__main__ import main
from tests.support.shards import ENTITIES, OTHERS, document, write_shards

BROKEN = "#begin document (x);\nx 0 0 Ada (1\n#end document\n"


@pytest.fixture
def folders(tmp_path):
    return [
        write_shards(tmp_path / side, [[document(f"d{at}", of)] for at in range(3)])
        for side, of in (("gold", ENTITIES), ("out", OTHERS), ("perfect", ENTITIES))
    ]


def run(capsys, *arguments):
    code = main(["score", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_two_workers_print_what_one_prints(capsys, folders):
    options = "--match", "head", "--per-document", "--format", "json"
    expected = run(capsys, *folders, *options)
    assert expected[0] == 0
    assert run(capsys, *folders, *options, "--workers", "2") == expected


def test_two_workers_refuse_what_one_refuses(capsys, folders, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text(BROKEN)
    expected = run(capsys, *folders)
    assert expected[0] == 2
    assert run(capsys, *folders, "--workers", "2") == expected


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--workers", "0"), "workers is 0; expected 1 or more"),
        (("--workers", "2", "--scheduler", "tcp://127.0.0.1:1"), "--workers is given with"),
        (("--workers", "2", "--as", "coval", "--format", "coval"), "--format coval with --workers"),
    ],
)
def test_numbers_of_workers_that_make_no_sense_are_refused(capsys, folders, options, said):
    code, _, error = run(capsys, *folders[:2], *options)
    assert code == 2
    assert said in error


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl+C to a group")
def test_ctrl_c_ends_all_processes_without_a_traceback(tmp_path):
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
        while len(first.children(recursive=True)) < 3:  # two workers, and one that tracks them
            assert process.poll() is None
        others = first.children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in error
    assert psutil.wait_procs(others, timeout=10)[1] == []
