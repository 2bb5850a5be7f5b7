"""The bar of work that takes long, on a terminal and only there."""

import os
import subprocess
import sys

import pytest

# The command as it is, but every file counts as large and the bar does not wait
COMMAND = """
import sys
from corescore.cli import shell, streaming
shell.SECONDS_BEFORE_PROGRESS = 0
streaming.STREAMED_FROM = int(sys.argv.pop(1))
from corescore.__main__ import main
sys.exit(main(["score", *sys.argv[1:]]))
"""


def said_on_a_terminal(*arguments):
    """What the command writes to standard error where that is a terminal, and what it prints."""
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
    return said.decode(), printed.decode()


def _read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux: nobody has the other end any more
        return b""


@pytest.mark.parametrize("streamed_from", ["0", "1000000000"])
def test_a_terminal_shows_a_bar_and_the_output_is_the_same(folders, streamed_from, score):
    said, printed = said_on_a_terminal(streamed_from, *folders)
    assert "━" in said
    assert ("kB" in said) == (streamed_from == "0")
    assert ("Scoring" in said) == (streamed_from != "0")
    code, text, said = score(*folders)
    assert (code, text) == (0, printed)
    assert "━" not in said
