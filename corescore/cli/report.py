"""`corescore report`."""

import argparse
from datetime import date

from corescore.analysis.systems.scored import System
from corescore.cli.options import (
    AVERAGE,
    FOLDERS,
    POLICIES,
    Command,
    each,
    option,
    out,
)
from corescore.cli.shell import progress, put, refuse_twice, score_all
from corescore.corpus.formats.paths import each_response
from corescore.metrics import METRIC_IDS
from corescore.rendering.scores import short_names

# As in `corescore.rendering.report`, which takes plotly with it: too slow for printing the help.
SECTIONS = ("overview", "documents", "errors", "credit", "comparison", "experiments")
PRIMARY = ("conll", *METRIC_IDS)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}'; expected YYYY-MM-DD") from error


def _report(options: argparse.Namespace) -> None:
    from corescore.rendering.report import report  # plotly is only needed here
    from corescore.sentences.many_systems import letter  # it needs pandas

    refuse_twice(options.responses)
    paths = each_response(options.key, options.responses)
    names = options.sections.split(",") if options.sections else []
    key, results = score_all(paths, options)
    primary = options.primary or PRIMARY[0]
    systems = tuple(
        System(letter(number).upper(), name, result)
        for number, (name, result) in enumerate(zip(short_names(paths), results, strict=True))
    )
    (key_name,) = short_names([options.key])
    subject = report.Subject(
        key_name,
        key,
        systems,
        tuple(options.documents),
        primary=primary,
        beforehand=options.primary is not None,
    )
    sections = report.choose_sections(names, subject)
    with progress(len(sections)) as step:
        text = report.make(subject, sections, date=options.date.isoformat(), step=step)
    put(text, options)


_ABOUT_SECTIONS = f"sections to include: {', '.join(SECTIONS)} (default: all but experiments)"
_ABOUT_DOCUMENTS = "documents whose passages to show with their credit (default: the two worst)"
_ABOUT_PRIMARY = (
    "the metric you chose before you saw the scores, whose F1 decides verdict and ranks; the "
    "paragraph for a paper then calls it chosen beforehand (default: conll)"
)
_ABOUT_DATE = "the date shown in the report (default: today)"
_OPTIONS = (
    *each(f"one response, or several to compare. {FOLDERS}"),
    *out("the HTML file to write", required=True),
    option("--sections", _ABOUT_SECTIONS, "NAME,NAME,…"),
    option("--documents", _ABOUT_DOCUMENTS, "NAME", nargs="+", default=[]),
    option("--date", _ABOUT_DATE, "YYYY-MM-DD", type=_day, default=date.today()),
    option("--primary", _ABOUT_PRIMARY, choices=PRIMARY),
    AVERAGE,
    *POLICIES,
)
_ABOUT = "write one HTML file with tables, charts and passages"
COMMANDS = (Command("report", _ABOUT, _OPTIONS, _report),)
