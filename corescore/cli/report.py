"""`corescore report` and `dashboard`."""

import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from runpy import run_module

from corescore.analysis.systems.comparability import System
from corescore.cli.options import (
    AVERAGE,
    FOLDERS,
    KEY,
    POLICIES,
    RESPONSES,
    UNPACK_LIMIT,
    Command,
    each,
    flag,
    metric_option,
    moved,
    option,
    out,
    whole_number,
)
from corescore.cli.output import one_by_one, progress, put, refuse_twice, score_all, warn
from corescore.corpus.files import each_response, path_problems
from corescore.corpus.names import read_genres
from corescore.corpus.packed import ceiling_in_force, path_advice
from corescore.corpus.problems import PolicyError, Problem, refuse
from corescore.metrics import METRIC_IDS
from corescore.rendering.scores import short_names
from corescore.scoring.tally_files import SKIP, data_set_folders
from corescore.util import bundled

# As in `corescore.rendering.report`, which takes plotly with it: too slow for printing the help.
SECTIONS = ("overview", "documents", "errors", "credit", "comparison", "effect", "experiments")

PRIMARY = ("conll", *METRIC_IDS)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"'{text}'; expected YYYY-MM-DD") from error


def _report(options: Namespace) -> None:
    from corescore.rendering.report import report  # plotly is only needed here
    from corescore.sentences.many import letter  # it needs pandas

    refuse_twice(options.responses)
    paths = one_by_one(options.responses, options)
    names = options.sections.split(",") if options.sections else []
    key, results = score_all(paths, options)
    scored = tuple(key[name] for name in results[0].documents)
    primary = options.primary or PRIMARY[0]
    systems = tuple(
        System(letter(number).upper(), name, result)
        for number, (name, result) in enumerate(zip(short_names(paths), results, strict=True))
    )
    (key_name,) = short_names([options.key])
    subject = report.Subject(
        key_name,
        replace(key, documents=scored),
        systems,
        tuple(options.documents),
        primary=primary,
        beforehand=options.primary is not None,
    )
    sections = report.choose_sections(names, subject)
    with progress(len(sections)) as step:
        text = report.make(subject, sections, date=options.date.isoformat(), step=step)
    put(text, options)


REPORT = Command(
    "report",
    "write one HTML file with tables, charts and passages",
    (
        *each(f"one response, or several to compare. {FOLDERS}"),
        *out("the HTML file to write", ending=".html", required=True),
        option(
            "--sections",
            f"sections to include: {', '.join(SECTIONS)} (default: all but experiments)",
            "NAME,NAME,…",
        ),
        option(
            "--document",
            "a document whose passages to show with their credit, repeatable (default: the two "
            "worst)",
            "NAME",
            action="append",
            default=[],
            dest="documents",
        ),
        moved("--documents", "--document", nargs="+"),
        option(
            "--date",
            "the date shown in the report (default: today)",
            "YYYY-MM-DD",
            type=_day,
            default=date.today(),
        ),
        metric_option(
            "--primary",
            "the metric you chose before you saw the scores. Its F1 decides verdict and ranks, "
            "and the paragraph for a paper calls it chosen beforehand (default: conll)",
            PRIMARY,
        ),
        AVERAGE,
        *POLICIES,
    ),
    _report,
)


# `corescore dashboard`: runs the app as a program, so that nothing here imports it ----------------


def _dashboard(options: Namespace) -> None:
    _check_token(options)
    ceiling_in_force()  # so that a limit that is no size is told here, not on a page
    if options.key:  # the app says nothing of files that it leaves out
        refuse(_problems(options.key, options.responses))
        each_response(options.key, options.responses, warn=warn)
    if options.genres:
        if not options.key:
            raise PolicyError("--genres without KEY; expected the key whose documents it names")
        read_genres(options.genres)
    if options.cards:
        from corescore.teaching.own import read_cards

        for path in options.cards:
            read_cards(path)
    if options.data_sets:
        warn(data_set_folders(options.data_sets, SKIP).warnings)
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


def _check_token(options: Namespace) -> None:
    if options.no_token and (options.share or options.host or options.token is not None):
        other = "--share" if options.share else "--host" if options.host else "--token"
        raise PolicyError(f"--no-token with {other}; expected one of the two")
    if options.token is not None and not re.fullmatch(r"[A-Za-z0-9_-]{8,}", options.token):
        raise PolicyError(
            "--token is too short or has other characters; expected 8 or more of the letters A-Z "
            "and a-z, digits, '-' and '_'"
        )


def _problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with the paths, before any file is read."""
    for path in map(Path, (key, *responses)):
        if not path.exists():
            yield Problem(str(path), 0, "no such file or folder", "", path_advice(path))
    if Path(key).exists():
        yield from path_problems(key, responses)


DASHBOARD = Command(
    "dashboard",
    "open the dashboard in a browser",
    (
        option("key", f"{KEY} (default: the sample)", "KEY", nargs="?"),
        option("responses", RESPONSES, "RESPONSE", nargs="*"),
        option(
            "--port",
            "port to listen on (default: 8501, or the next free one)",
            "N",
            type=whole_number,
        ),
        option(
            "--cards",
            "cards of your own for Lesson, made in the sandbox (may be repeated)",
            "FILE",
            action="append",
            default=[],
        ),
        option(
            "--data-sets",
            "a folder of data sets, each with a key and the responses, to be shown one at a time. "
            "`corescore data-sets` compares systems over all of them",
            "FOLDER",
        ),
        option(
            "--genres",
            "a table of the key's documents and their genres, two columns separated by tabs or "
            "commas, if the files give none",
            "FILE",
        ),
        option(
            "--host", "address to listen on (default: 127.0.0.1, with --share 0.0.0.0)", "ADDRESS"
        ),
        flag("--share", "let anyone with the URL open it, such as a class"),
        option(
            "--token", "token of the URL that opens it, instead of a new one at each start", "TOKEN"
        ),
        flag("--no-token", "no token: every user of this computer can open it"),
        UNPACK_LIMIT,
    ),
    _dashboard,
)
