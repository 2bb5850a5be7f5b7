"""Standard output that is full, closed, gone, or cannot print some characters."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")


def command(folders, *options):
    return [sys.executable, "-m", "corescore", "score", *folders[:2], *options]


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_standard_output_is_told_in_one_line(folders):
    for options in ((), ("--format", "json")):
        with FULL.open("w") as full:
            answer = subprocess.run(
                command(folders, *options), stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert answer.returncode == 2
        (line,) = answer.stderr.splitlines()
        assert line == f"corescore: cannot write to standard output: {os.strerror(28)}"


def test_a_closed_standard_output_is_told_in_one_line_unless_it_is_not_needed(folders, tmp_path):
    run = "import os, runpy, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"
    for options, code in (((), 2), (("--out", str(tmp_path / "scores.txt")), 0)):
        closed = [sys.executable, "-c", run, *command(folders, *options)]
        answer = subprocess.run(closed, stderr=subprocess.PIPE, text=True)
        assert answer.returncode == code
        assert answer.stderr.splitlines() == [
            "corescore: cannot write to standard output: it is closed"
        ] * (code == 2)
    assert "MUC" in (tmp_path / "scores.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_an_encoding_lacks_is_printed_in_other_characters(folders):
    def printed(encoding):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        answer = subprocess.run(command(folders), capture_output=True, env=environment, check=True)
        assert answer.stderr == b""
        return answer.stdout.decode(encoding)

    whole, plain = printed("utf-8"), printed("ascii")
    assert "B³" in whole
    assert "─" in whole
    assert plain == whole.replace("³", "3").replace("─", "-").replace("–", "-")


@pytest.mark.slow
def test_a_name_that_is_no_text_is_printed_with_its_bytes(folders, tmp_path):
    odd = os.fsencode(tmp_path) + b"/\xff"
    try:
        Path(folders[1]).rename(os.fsdecode(odd))
    except OSError:
        pytest.skip("this file system has names of characters only")
    answer = subprocess.run(
        [*map(os.fsencode, command(folders[:1])), odd, b"--format", b"json"], capture_output=True
    )
    assert answer.returncode == 0
    assert rb"\udcff" in answer.stdout
