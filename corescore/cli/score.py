"""`corescore score`, `credit`, `errors` and `metrics`."""

import argparse
from collections.abc import Iterator

from corescore.api.result import Result
from corescore.bibliography import PRADHAN_2012
from corescore.cli.shell import (
    PARQUET,
    Command,
    Parser,
    add_average,
    add_choice,
    add_each,
    add_output,
    add_policies,
    add_sides,
    put,
    put_frame,
    score_each,
    scored,
    warn,
)
from corescore.corpus.problems import choose
from corescore.counting.comparison import SIDES
from corescore.metrics import CONLL, DIAGNOSTICS, METRICS, ROW_IDS
from corescore.rendering.scores import OUTPUTS, SHOWN, Report, report_frame


def _add_score(parser: Parser) -> None:
    add_each(parser)
    known = f"{', '.join(ROW_IDS)} (default: {', '.join(SHOWN)})"
    parser.add_argument("--metrics", metavar="ID,ID,…", help=f"what to show: {known}")
    parser.add_argument("--per-document", action="store_true", help="show each document too")
    add_average(parser)
    add_output(parser)
    add_policies(parser)


def _add_credit(parser: Parser) -> None:
    add_sides(parser)
    ids = [metric.id for metric in METRICS]
    parser.add_argument("--metric", choices=ids, required=True, help="whose credit")
    add_choice(parser, "--side", SIDES, "of the key's mentions, or of the response's")
    add_choice(parser, "--by", ("mention", "link", "entity", "document"), "a row for each")
    parser.add_argument("--document", metavar="NAME", help="only this document")
    add_output(parser)
    add_policies(parser)


def _add_errors(parser: Parser) -> None:
    add_sides(parser)
    add_choice(parser, "--by", ("kind", "document", "entity", "mention"), "a row for each")
    parser.add_argument(
        "--impact", action="store_true", help="instead, what fixing each kind would bring"
    )
    add_output(parser)
    add_policies(parser)


def _score(options: argparse.Namespace) -> None:
    shown = tuple(options.metrics.split(",")) if options.metrics else SHOWN
    for name in shown:
        choose("metric", name, ROW_IDS)
    results = score_each(options.responses, options)
    report = Report(options.key, results, shown, options.per_document)
    if options.format == PARQUET:
        put_frame(report_frame(report), report.signature, options)
    else:
        put(OUTPUTS[options.format](report), options.out)


def _credit(options: argparse.Namespace) -> None:
    result = scored(options)
    documents = [options.document] if options.document else None
    table = result.credit(options.metric, side=options.side, by=options.by, documents=documents)
    warn(_ties(result, options))
    put_frame(table, result.signature, options)


def _ties(result: Result, options: argparse.Namespace) -> Iterator[str]:
    """A note where a CEAF could have aligned entities otherwise, as well."""
    from corescore.analysis.credit.tables import alignment_table

    metric = next(known for known in result.metrics if known.id == options.metric)
    if metric.similarity is None:
        return
    pairs = alignment_table(result.comparison, metric)
    if options.document:
        pairs = pairs[pairs["document"] == options.document]
    n_tied = int(pairs["tied"].sum())
    if n_tied:
        yield (
            f"{n_tied} of {len(pairs)} aligned pairs could be aligned otherwise for the same "
            "score; the one taken is always the same."
        )


def _errors(options: argparse.Namespace) -> None:
    from corescore.analysis.errors import reports  # pandas is only needed here

    result = scored(options)
    report = reports.impact if options.impact else reports.LEVELS[options.by]
    put_frame(report(result), result.signature, options)


def _add_nothing(parser: Parser) -> None:
    pass


def _metrics(options: argparse.Namespace) -> None:
    for kind, metrics in (("metric", METRICS), ("diagnostic", DIAGNOSTICS)):
        for metric in metrics:
            print(f"{metric.id:10}{metric.title}, a {kind}. One unit: {metric.unit}.")
            print(f"{'':10}{metric.paper}")
    print(f"{'conll':10}CoNLL, an average: the mean of the F1 of {', '.join(CONLL.members)}.")
    print(f"{'':10}{PRADHAN_2012.cited}")


COMMANDS = (
    Command("score", "score one or more responses against a key", _add_score, _score),
    Command("credit", "what a metric credits, by link, mention or entity", _add_credit, _credit),
    Command("errors", "every error, by kind, document, entity or mention", _add_errors, _errors),
    Command("metrics", "list the metrics and where they were defined", _add_nothing, _metrics),
)
