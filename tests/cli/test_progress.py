"""The bar of work that takes long, on a terminal and only there."""

import os
import subprocess
import sys

import pytest

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
def test_a_terminal_shows_a_bar_and_the_output_is_the_same(folders, score):
    (of_large, of_others), printed = said_on_a_terminal(*folders)
    for said, n_bytes in ((of_large, True), (of_others, False)):
        assert "━" in said
        assert ("kB" in said) == n_bytes
        assert ("Scoring" in said) == (not n_bytes)
    for text in printed:
        code, out, said = score(*folders)
        assert (code, out) == (0, text.removeprefix("\n"))
        assert "━" not in said
