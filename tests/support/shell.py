"""Commands as they are typed in a shell, and what they answer, all in this process."""

import io
import json
import shlex
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

from corescore.__main__ import main


class Terminal(io.StringIO):
    """Standard output that is a terminal."""

    def isatty(self):
        return True


def run(call, *, output=io.StringIO):
    """The exit code of a call (the words after `corescore`), what it prints and what it says."""
    with redirect_stdout(output()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = main(shlex.split(call))
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
    return SimpleNamespace(code=code, out=out.getvalue(), err=err.getvalue())


def printed(call):
    """What a call prints that must succeed."""
    answer = run(call)
    assert answer.code == 0, answer.err
    return answer.out


def made(call):
    """The same, as JSON."""
    return json.loads(printed(f"{call} --format json"))


def refused(call):
    """The message of a call that must fail: exit code 2, nothing printed, no traceback."""
    answer = run(call)
    assert (answer.code, answer.out) == (2, "")
    assert "Traceback" not in answer.err
    return answer.err
