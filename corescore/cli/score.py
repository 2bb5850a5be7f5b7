"""`corescore score`, `credit`, `errors` and `metrics`."""

import argparse
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from corescore.api.result import Result
from corescore.bibliography import PRADHAN_2012
from corescore.cli.cluster import CLUSTER, INCOMPLETE, check_cluster, score_on_cluster
from corescore.cli.error_list import LIST_OPTIONS, is_listed, put_list
from corescore.cli.options import (
    AS,
    AVERAGE,
    FRACTIONS,
    ONE_RESPONSE,
    PARQUET,
    POLICIES,
    READ,
    SHOWN_METRICS,
    Command,
    choice,
    each,
    flag,
    option,
    output,
    shown_metrics,
)
from corescore.cli.shell import (
    metrics_for,
    put,
    put_frame,
    score_each,
    scored,
    warn,
    warn_of_doubts,
)
from corescore.cli.streaming import WORKERS, check_workers, is_streamed, tally_each
from corescore.cli.tallies import SAVE_TALLY, save_tally_of
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import SIDES
from corescore.counting.counts import Score
from corescore.metrics import CONLL, DIAGNOSTICS, MENTION_DIAGNOSTICS, METRIC_IDS, METRICS, VARIANTS
from corescore.rendering.scorer_outputs import SCORER_OUTPUTS, as_scorer
from corescore.rendering.scores import OUTPUTS, Report, report_frame
from corescore.scoring.file_pairs import FileTally
from corescore.scoring.tally import Tally
from corescore.wording import counted

if TYPE_CHECKING:
    import pandas as pd

    from corescore.distributed.scoring import Scored


def _score(options: argparse.Namespace) -> int:
    _check_format(options)
    check_cluster(options)
    check_workers(options)
    shown = shown_metrics(options)
    tallies, exact, code = _tallies(options, shown)
    save_tally_of(tallies, options)
    _put(Report(options.key, tallies, shown, options.per_document, exact), options)
    return code


def _tallies(
    options: argparse.Namespace, shown: tuple[str, ...]
) -> tuple[Mapping[str, Tally], Mapping[str, Tally], int]:
    """Each response by its path, the same by exact matching where that is known, and the exit
    code."""
    if options.scheduler:
        scored = score_on_cluster(options, metrics_for(options, shown))
        code = INCOMPLETE if any(of.refused for of in scored.values()) else 0
        tallies = {name: of.tally for name, of in scored.items()}
        warn_of_doubts(options.key, tallies)
        return tallies, _exact(scored), code
    if is_streamed(options):
        streamed = tally_each(options, shown)
        warn_of_doubts(options.key, streamed)
        return streamed, _exact(streamed), 0
    return score_each(options.responses, options, shown=shown), {}, 0


def _exact(made: "Mapping[str, FileTally] | Mapping[str, Scored]") -> Mapping[str, Tally]:
    return {name: of.exact for name, of in made.items() if of.exact}


def _put(report: Report, options: argparse.Namespace) -> None:
    if options.format == PARQUET:
        put_frame(report_frame(report), report.signature, options)
    elif options.format in SCORER_OUTPUTS:
        put(as_scorer(options.format, report), options)
    else:
        put(OUTPUTS[options.format](report), options)


def _check_format(options: argparse.Namespace) -> None:
    """Take the metrics of a scorer whose output is asked for. PolicyError if it does not score."""
    if options.format in SCORER_OUTPUTS:
        if options.preset != options.format:
            found = f"format {options.format} without --as {options.format}"
            raise PolicyError(f"{found}: it prints what that scorer prints; expected both")
        options.metrics = options.metrics or ",".join(SCORER_OUTPUTS[options.format].metrics)


def _credit(options: argparse.Namespace) -> None:
    result = scored(options)
    documents = [options.document] if options.document else None
    table = result.credit(options.metric, side=options.side, by=options.by, documents=documents)
    warn(_ties(result, options))
    if options.format in READ and not options.fractions:
        table = _in_shares(table, result[options.metric])
    unit = "Credit in points: what a row adds to the score, and could add."
    shares = [name for name in ("credit", "possible", "share") if name in table]
    put_frame(table, result.signature, options, shares=shares, unit=unit)


def _in_shares(table: "pd.DataFrame", score: Score[float]) -> "pd.DataFrame":
    """Credit and possible credit as fractions of the score that they add up to: of BLANC's two
    parts each is half of it, or all if the key has no link of the other kind."""
    if score.parts:
        parts = {part: of for part, of in score.parts.items() if of.recall_denominator}
        kinds = {f"{part.replace('_', '-')} link": of for part, of in parts.items()}
    else:
        kinds = dict.fromkeys(table["kind"], score)
    each = [
        getattr(kinds[kind], f"{side}_denominator") if kind in kinds else math.nan
        for kind, side in zip(table["kind"], table["side"], strict=True)
    ]
    whole = np.array(each) * (len(score.parts and kinds) or 1)
    return table.assign(credit=table["credit"] / whole, possible=table["possible"] / whole)


def _ties(result: Result, options: argparse.Namespace) -> Iterator[str]:
    """A warning if CEAF could align other entities for the same score."""
    from corescore.analysis.credit.tables import alignment_table

    metric = next(known for known in result.metrics if known.id == options.metric)
    if metric.similarity is None:
        return
    pairs = alignment_table(result.compared[metric.id], metric)
    if options.document:
        pairs = pairs[pairs["document"] == options.document]
    n_tied = int(pairs["tied"].sum())
    if n_tied:
        yield (
            f"{n_tied} of {len(pairs)} aligned pairs are in a tie: another alignment has the same "
            "score. The same one is always selected."
        )


def _errors(options: argparse.Namespace) -> None:
    from corescore.analysis.errors import reports  # pandas is only needed here

    if is_listed(options):
        put_list(options)
        return
    result = scored(options)
    if options.impact:
        shares = ("score", "alone", "all_but", "cumulative", "share")
        put_frame(reports.impact(result), result.signature, options, shares=shares)
    else:
        table = reports.LEVELS[options.by](result)
        unit = f"{counted(table['errors'].sum(), 'error')}." if "errors" in table else ""
        put_frame(
            table, result.signature, options, shares=["share"] * ("share" in table), unit=unit
        )


def _metrics(options: argparse.Namespace) -> None:
    diagnostics = (*DIAGNOSTICS, *MENTION_DIAGNOSTICS)
    kinds = ("metric", METRICS), ("diagnostic", diagnostics), ("variant", VARIANTS)
    for kind, metrics in kinds:
        for metric in metrics:
            print(f"{metric.id:15}{metric.title}, a {kind}. One unit: {metric.unit}.")
            print(f"{'':15}{metric.paper}")
    print(f"{'conll':15}CoNLL, an average: the mean of the F1 of {', '.join(CONLL.members)}.")
    print(f"{'':15}{PRADHAN_2012.cited}")


_CREDIT_OPTIONS = (
    *ONE_RESPONSE,
    option("--metric", "the metric", choices=METRIC_IDS, required=True),
    choice("--side", SIDES, "credit for the key's mentions or the response's"),
    choice("--by", ("mention", "link", "entity", "document", "entity-type"), "one row for each"),
    option("--document", "show only this document", "NAME"),
    FRACTIONS,
    *output(),
    *POLICIES,
)
_ERROR_OPTIONS = (
    *ONE_RESPONSE,
    choice("--by", ("kind", "document", "entity", "mention"), "one row for each"),
    flag("--impact", "show how much fixing each kind of error would gain instead"),
    *LIST_OPTIONS,
    FRACTIONS,
    *output(),
    *POLICIES,
)
_DOCUMENTS = flag("--per-document", "also show each document")
_OUTPUT = output("; coval and corefud as those scorers print, with --as", SCORER_OUTPUTS)
_SCORE_OPTIONS = (
    *(*each(), AS, SHOWN_METRICS, _DOCUMENTS, AVERAGE, *_OUTPUT),
    *(SAVE_TALLY, WORKERS, *CLUSTER, *POLICIES),
)
_ABOUT_CREDIT = "what a metric credits, by mention, link, entity, entity type or document"
_ABOUT_ERRORS = "list the errors by kind, document, entity or mention"
COMMANDS = (
    Command("score", "score one or more responses against a key", _SCORE_OPTIONS, _score),
    Command("credit", _ABOUT_CREDIT, _CREDIT_OPTIONS, _credit),
    Command("errors", _ABOUT_ERRORS, _ERROR_OPTIONS, _errors),
    Command("metrics", "list the metrics and where they were defined", (), _metrics),
)
