"""`corescore dashboard`."""

import argparse
from pathlib import Path

from corescore.cli.shell import Command, Parser
from corescore.problems import InputError, Problem


def _add_dashboard(parser: Parser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?", help="the gold entities (else the sample)")
    parser.add_argument("responses", metavar="RESPONSE", nargs="*", help="one or two outputs")
    parser.add_argument(
        "--port", type=int, help="the port to listen on (default: 8501 or the next)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (%(default)s)"
    )


def _dashboard(options: argparse.Namespace) -> None:
    from corescore.dashboard.launch import launch  # streamlit is only needed here

    paths = [path for path in (options.key, *options.responses) if path is not None]
    absent = [path for path in paths if not Path(path).exists()]
    if absent:
        raise InputError(
            Problem(path, 0, "no such file", "a file or a folder of files", "Check the path.")
            for path in absent
        )
    launch(options.key, options.responses, port=options.port, host=options.host)


COMMANDS = (Command("dashboard", "see it all in a browser", _add_dashboard, _dashboard),)
