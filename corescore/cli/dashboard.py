"""`corescore dashboard`: runs the app as a program, so that nothing here imports it."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from runpy import run_module

from corescore.cli.shell import KEY, RESPONSES, Command, Parser
from corescore.corpus.formats.paths import path_problems
from corescore.corpus.problems import InputError, Problem
from corescore.installation import bundled


def _add_dashboard(parser: Parser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?", help=f"{KEY} (default: the sample)")
    parser.add_argument("responses", metavar="RESPONSE", nargs="*", help=RESPONSES)
    about = "port to listen on (default: 8501, or the next free one)"
    parser.add_argument("--port", metavar="N", type=int, help=about)
    about = "address to listen on (default: %(default)s)"
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help=about)


def _dashboard(options: argparse.Namespace) -> None:
    problems = list(_problems(options.key, options.responses)) if options.key else []
    if problems:
        raise InputError(problems)
    sys.path.append(str(bundled("dashboard").parent))
    app = run_module("dashboard.launch")
    app["launch"](options.key, options.responses, port=options.port, host=options.host)


def _problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with the paths, before any file is read."""
    for path in (key, *responses):
        if not Path(path).exists():
            expected = "a file or a folder of files"
            yield Problem(path, 0, "no such file", expected, "Check the path.")
    if Path(key).exists():
        yield from path_problems(key, responses)


COMMANDS = (Command("dashboard", "open the dashboard in a browser", _add_dashboard, _dashboard),)
