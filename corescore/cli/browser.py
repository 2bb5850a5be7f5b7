"""`corescore dashboard`."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from corescore.cli.shell import Command, Parser
from corescore.formats import files_of
from corescore.problems import InputError, Problem


def _add_dashboard(parser: Parser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?", help="the gold entities (else the sample)")
    parser.add_argument(
        "responses",
        metavar="RESPONSE",
        nargs="*",
        help="any number of outputs. Where KEY is a file, each file of a folder is an output of "
        "its own; where KEY is a folder, a folder is one output of as many files",
    )
    parser.add_argument(
        "--port", type=int, help="the port to listen on (default: 8501 or the next)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (%(default)s)"
    )


def _dashboard(options: argparse.Namespace) -> None:
    from corescore.dashboard.launch import launch  # streamlit is only needed here

    problems = list(_problems(options.key, options.responses)) if options.key else []
    if problems:
        raise InputError(problems)
    launch(options.key, options.responses, port=options.port, host=options.host)


def _problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with the paths, before any file is read."""
    for path in (key, *responses):
        if not Path(path).exists():
            expected = "a file or a folder of files"
            yield Problem(path, 0, "no such file", expected, "Check the path.")
    if not Path(key).exists():
        return
    one_each = not Path(key).is_dir()
    for response in responses:
        place = Path(response)
        if place.is_file() and not one_each:
            advice = "Give two files or two folders, or a key that is a file and a folder."
            yield Problem(response, 0, "a file", "a folder, as the key", advice)
        if place.is_dir() and not files_of(place):
            expected = "a file for each output" if one_each else "a file for each of the key's"
            yield Problem(response, 0, "a folder without files", expected, _advice(place))


def _advice(folder: Path) -> str:
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    return f"Name the folders in it, such as {inner[0]}." if inner else "Check the path."


COMMANDS = (Command("dashboard", "see it all in a browser", _add_dashboard, _dashboard),)
