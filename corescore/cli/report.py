"""`corescore report`."""

import argparse
from datetime import date

from corescore.analysis.systems.scored import System
from corescore.cli.options import AVERAGE, FOLDERS, POLICIES, Command, each, option, out
from corescore.cli.shell import progress, put, refuse_twice, score_all
from corescore.corpus.formats.paths import each_response
from corescore.corpus.problems import PolicyError
from corescore.rendering.scores import short_names

MOST, MOST_NAMED = 2, 5  # responses in a report, and in the message that says so
# As in `corescore.rendering.report`, which takes plotly with it: too slow for printing the help.
SECTIONS = ("overview", "documents", "errors", "credit", "comparison", "experiments")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}'; expected YYYY-MM-DD") from error


def _report(options: argparse.Namespace) -> None:
    from corescore.rendering.report import report  # plotly is only needed here

    paths = _paths(options)
    names = options.sections.split(",") if options.sections else []
    key, results = score_all(paths, options)
    named = zip("AB", short_names(paths), results, strict=False)
    systems = tuple(System(letter, name, result) for letter, name, result in named)
    (key_name,) = short_names([options.key])
    subject = report.Subject(key_name, key, systems, tuple(options.documents))
    sections = report.choose_sections(names, subject)
    with progress(len(sections)) as step:
        text = report.make(subject, sections, date=options.date.isoformat(), step=step)
    put(text, options)


def _paths(options: argparse.Namespace) -> list[str]:
    """The one or two responses that are named, each by its file or by a folder."""
    refuse_twice(options.responses)
    paths = each_response(options.key, options.responses)
    if len(paths) > MOST:
        names = short_names(paths)
        more = ", …" if len(names) > MOST_NAMED else ""
        found = f"{len(paths)} responses are named: {', '.join(names[:MOST_NAMED])}{more}"
        raise PolicyError(f"{found}; expected one or two")
    return paths


_ABOUT_SECTIONS = f"sections to include: {', '.join(SECTIONS)} (default: all but experiments)"
_ABOUT_DOCUMENTS = "documents whose passages to show with their credit (default: the two worst)"
_ABOUT_DATE = "the date shown in the report (default: today)"
_OPTIONS = (
    *each(f"one response, or two to compare. {FOLDERS}"),
    *out("the HTML file to write", required=True),
    option("--sections", _ABOUT_SECTIONS, "NAME,NAME,…"),
    option("--documents", _ABOUT_DOCUMENTS, "NAME", nargs="+", default=[]),
    option("--date", _ABOUT_DATE, "YYYY-MM-DD", type=_day, default=date.today()),
    AVERAGE,
    *POLICIES,
)
_ABOUT = "write one HTML file with tables, charts and passages"
COMMANDS = (Command("report", _ABOUT, _OPTIONS, _report),)
