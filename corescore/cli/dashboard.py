"""`corescore dashboard`: runs the app as a program, so that nothing here imports it."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from runpy import run_module

from corescore.cli.options import KEY, RESPONSES, UNPACK_LIMIT, Command, flag, option
from corescore.corpus.formats.ceilings import ceiling_in_force
from corescore.corpus.formats.paths import path_problems
from corescore.corpus.problems import InputError, PolicyError, Problem
from corescore.installation import bundled
from corescore.scoring.data_set_folders import SKIP, data_set_folders


def _dashboard(options: argparse.Namespace) -> None:
    _check_token(options)
    ceiling_in_force()  # so that a limit that is no size is told here, not on a page
    problems = list(_problems(options.key, options.responses)) if options.key else []
    if problems:
        raise InputError(problems)
    if options.genres:
        _check_genres(options)
    if options.cards:
        from corescore.teaching.own_cards import read_cards

        for path in options.cards:
            read_cards(path)
    if options.data_sets:
        data_set_folders(options.data_sets, SKIP)
    sys.path.append(str(bundled("dashboard").parent))
    app = run_module("dashboard.launch")
    app["launch"](
        options.key,
        options.responses,
        port=options.port,
        host=options.host,
        share=options.share,
        token="" if options.no_token else options.token,
        cards=options.cards,
        data_sets=options.data_sets,
        genres=options.genres,
    )


def _check_token(options: argparse.Namespace) -> None:
    if options.no_token and (options.share or options.host or options.token is not None):
        other = "--share" if options.share else "--host" if options.host else "--token"
        raise PolicyError(f"--no-token with {other}; expected one of the two")
    if options.token is not None and not _TOKEN.fullmatch(options.token):
        raise PolicyError(
            "--token is too short or has other characters; expected 8 or more of the letters A-Z "
            "and a-z, digits, '-' and '_'"
        )


def _check_genres(options: argparse.Namespace) -> None:
    if not options.key:
        raise PolicyError("--genres without KEY; expected the key whose documents it names")
    from corescore.corpus.genre_table import read_genres

    read_genres(options.genres)


def _problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with the paths, before any file is read."""
    for path in (key, *responses):
        if not Path(path).exists():
            expected = "a file or a folder of files"
            yield Problem(path, 0, "no such file", expected, "Check the path.")
    if Path(key).exists():
        yield from path_problems(key, responses)


_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,}")
_ABOUT_PORT = "port to listen on (default: 8501, or the next free one)"
_ABOUT_HOST = "address to listen on (default: 127.0.0.1, with --share 0.0.0.0)"
_ABOUT_SHARE = "let others open it, a class for example: anyone with its URL"
_ABOUT_TOKEN = "token of the URL that opens it, instead of a new one at each start"
_ABOUT_NO_TOKEN = "no token: every user of this computer can open it"
_ABOUT_CARDS = "cards of your own for Pitfalls, made in the sandbox (may be repeated)"
_ABOUT_DATA_SETS = (
    "a folder of data sets for the page Data sets, each with a key and the responses, as for "
    "`corescore data-sets`"
)
_ABOUT_GENRES = (
    "a table of the key's documents and their genres, two columns with tabs or commas, where the "
    "files tell none"
)
_OPTIONS = (
    option("key", f"{KEY} (default: the sample)", "KEY", nargs="?"),
    option("responses", RESPONSES, "RESPONSE", nargs="*"),
    option("--port", _ABOUT_PORT, "N", type=int),
    option("--cards", _ABOUT_CARDS, "FILE", action="append", default=[]),
    option("--data-sets", _ABOUT_DATA_SETS, "FOLDER"),
    option("--genres", _ABOUT_GENRES, "FILE"),
    option("--host", _ABOUT_HOST, "ADDRESS"),
    flag("--share", _ABOUT_SHARE),
    option("--token", _ABOUT_TOKEN, "TOKEN"),
    flag("--no-token", _ABOUT_NO_TOKEN),
    UNPACK_LIMIT,
)
COMMANDS = (Command("dashboard", "open the dashboard in a browser", _OPTIONS, _dashboard),)
