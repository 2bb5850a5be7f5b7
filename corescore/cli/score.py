"""`corescore score`, `credit`, `errors` and `metrics`."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corescore.bibliography import PRADHAN_2012
from corescore.cli.options import (
    AVERAGE,
    BOUND,
    EVERY_ROW,
    FRACTIONS,
    HTML,
    ONE_RESPONSE,
    PARQUET,
    POLICIES,
    READ,
    SHOWN_METRICS,
    Command,
    choice,
    each,
    flag,
    metric_option,
    metrics_of,
    option,
    output,
    policies,
    shown_metrics,
    whole_number,
)
from corescore.cli.output import (
    as_page,
    formats_of,
    metrics_for,
    one_by_one,
    over_common,
    path_errors,
    put,
    refuse_twice,
    score_all,
    score_each,
    scored,
    shown,
    warn,
    warn_of,
)
from corescore.corpus.packed import names_in
from corescore.corpus.problems import PolicyError, refusal
from corescore.counting.comparison import SIDES
from corescore.counting.counts import Score
from corescore.counting.policies import POLICY_VALUES
from corescore.metrics import (
    CONLL,
    DIAGNOSTICS,
    MENTION_DIAGNOSTICS,
    METRIC_IDS,
    METRICS,
    VARIANTS,
    Metric,
)
from corescore.rendering.scorer_outputs import SCORER_OUTPUTS, as_scorer
from corescore.rendering.scores import OUTPUTS, Report, report_frame, short_names, tables_of
from corescore.rendering.text import LONGEST_TEXT, Table
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally
from corescore.scoring.tally_files import is_tally, load_tally, save_tally
from corescore.wording import counted

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client

    from corescore.analysis.error_table.notes import Notes
    from corescore.scoring.run import Progress, Tallied

# `corescore score` of large files: documents are read in batches, counted and let go --------------

STREAMED_FROM = 50_000_000  # bytes; what is smaller is scored in memory as fast

SHARED_FROM = 100_000_000  # bytes; of less, starting other processes takes as long as they save

MOST_WORKERS = 1000

_PACKED = 10  # text is about so many times as long as it is gzipped

WORKERS = option(
    "--workers",
    "count in N processes (default: one for each processor if the files have "
    f"{SHARED_FROM // 1_000_000} MB or more, else 1)",
    "N",
    type=whole_number,
)


def is_streamed(options: Namespace) -> bool:
    """Whether the files are large, and what is asked for needs no documents.

    What another scorer prints needs them, and so do paths that do not go together, of which all
    problems are told at once. A pipe can be read only once.
    """
    paths = [options.key, *one_by_one(options.responses, options, quietly=True)]
    is_piped = any(
        path.exists() and not (path.is_file() or path.is_dir()) for path in map(Path, paths)
    )
    if options.format in SCORER_OUTPUTS or is_piped or path_errors(paths):
        return False
    return (options.workers or 1) > 1 or _total(paths) >= STREAMED_FROM


def check_workers(options: Namespace) -> None:
    """Raises PolicyError for a number of processes that is none, or that is not asked for here."""
    if options.workers is None:
        return
    if not 1 <= options.workers <= MOST_WORKERS:
        expected = f"1 or more, {MOST_WORKERS} at most"
        raise PolicyError(f"workers is {options.workers}; expected {expected}")
    if options.scheduler:
        raise PolicyError("--workers is given with --scheduler, whose workers are its own")
    if options.workers > 1 and options.format in SCORER_OUTPUTS:
        raise PolicyError(f"--format {options.format} with --workers: it is made by one process")


def _total(paths: Sequence[str]) -> int:
    return sum(map(_n_bytes, map(Path, paths)))


def _n_bytes(path: Path) -> int:
    files = [path / name for name in names_in(path)] if path.is_dir() else [path]
    sizes = ((file, file.stat().st_size) for file in files if file.exists())
    return sum(size * (_PACKED if file.suffix == ".gz" else 1) for file, size in sizes)


def tally_each(options: Namespace, metrics: Sequence[Metric]) -> dict[str, "Tallied"]:
    """Each response by its path, counted against the key."""
    from corescore.scoring.run import in_processes, tally_files  # only of large files

    paths = one_by_one(options.responses, options)
    n = options.workers or (_total([options.key, *paths]) >= SHARED_FROM and os.cpu_count()) or 1
    with amount_done() as progress:
        tallies = tally_files(
            options.key,
            paths,
            policies(options),
            metrics=metrics,
            formats=formats_of(options),
            repair_brackets=options.repair_brackets,
            progress=progress,
            each=lambda work, tasks: in_processes(work, tasks, min(n, len(tasks))),
        )
    return dict(zip(paths, tallies, strict=True))


@contextmanager
def amount_done(*, in_bytes: bool = True) -> Iterator["Progress"]:
    """A function to call with the bytes (or files) done and those of all; on a terminal, work of
    more than two seconds shows a bar with its rate and the time left, which moves to and fro until
    the documents have been found."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich import progress as columns
    from rich.console import Console

    counts = columns.DownloadColumn(), columns.TransferSpeedColumn()
    some = counts if in_bytes else (columns.MofNCompleteColumn(),)
    every = columns.BarColumn(), *some, columns.TimeRemainingColumn()
    bar = columns.Progress(*every, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)
    with shown(bar):
        yield lambda done, of: bar.update(task, completed=done, total=of)


# `corescore score --scheduler`: the same on a cluster of Dask -------------------------------------

INCOMPLETE = 3  # the exit code where shards were left out

SECONDS_TO_CONNECT = 10

CLUSTER = (
    option(
        "--scheduler",
        "score on the Dask cluster of this scheduler, such as tcp://host:8786: KEY and RESPONSE "
        "are folders, patterns or URLs that its workers read",
        "ADDRESS",
    ),
    flag(
        "--keep-going",
        f"with --scheduler: leave out files that cannot be scored, list them, and exit with "
        f"{INCOMPLETE}",
    ),
)


def check_cluster(options: Namespace) -> None:
    """Raises PolicyError for options that do not go together, and where Dask is lacking."""
    if not options.scheduler:
        if options.keep_going:
            raise PolicyError("--keep-going is given without --scheduler; expected both")
        return
    if options.format in SCORER_OUTPUTS:
        fault = f"--format {options.format} with --scheduler"
        raise PolicyError(f"{fault}: it prints counts of the documents; expected another format")
    try:
        import corescore.distributed  # noqa: F401
    except ModuleNotFoundError as error:
        raise PolicyError(f"--scheduler: {error}") from error


def score_on_cluster(options: Namespace, metrics: Sequence[Metric]) -> dict[str, "Tallied"]:
    """Each response by its name, counted against the key."""
    from corescore.distributed import score_shards  # slow to import: only where a cluster is used

    with _connected(options.scheduler) as client, amount_done(in_bytes=False) as progress:
        tallies = score_shards(
            options.key,
            options.responses,
            client,
            policies(options),
            metrics=metrics,
            keep_going=options.keep_going,
            formats=formats_of(options),
            repair_brackets=options.repair_brackets,
            progress=progress,
        )
    return dict(zip(options.responses, tallies, strict=True))


@contextmanager
def _connected(address: str) -> Iterator["Client"]:
    """A client of the scheduler. Raises InputError if none answers."""
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        fault, expected = f"no scheduler that answers ({error})", "a Dask scheduler"
        advice = "Start one with `dask scheduler`, or check the address and its port."
        raise refusal(address, fault, expected, advice) from error
    with client:
        if not client.scheduler_info()["workers"]:
            warn([f"{address} has no workers yet: waiting for one"])
        yield client


# `corescore errors --query`: the rows of the error table that a query finds -----------------------

ORDER = "cost.conll"

LIST_OPTIONS = (
    option(
        "--query",
        "list the mentions with errors that a query finds, such as "
        "'given:wrong size>5 cost.lea>0.1'; '' finds all",
        "QUERY",
    ),
    option(
        "--order",
        "the order of that list: a field such as cost.lea, size or type:descending, or text "
        f"(default: {ORDER})",
        "FIELD",
    ),
    option("--top", "only the first N of that list", "N", type=whole_number),
    option(
        "--notes",
        "a file of notes on these errors, as the app keeps them: the list has their tags and "
        "texts, and --query can ask for them, such as 'tag:hard seen:no'",
        "FILE",
    ),
    option(
        "--genres",
        "a table of the key's documents and their genres, two columns separated by tabs or "
        "commas, if the files contain none. A query can use them: 'genre:news'",
        "FILE",
    ),
    option(
        "--other",
        "another response to KEY: the list has the class of each mention there, and --query can "
        "ask for it, such as 'other:correct -class:correct', what only the other finds",
        "RESPONSE",
    ),
)

_READ = (
    "document",
    "sentence",
    "mention",
    "class",
    "kind",
    "given",
    "antecedent",
    "given_split",
    "antecedent_split",
)


def is_listed(options: Namespace) -> bool:
    """Whether the options ask for the list. PolicyError if they ask for something else, too."""
    names = "query", "order", "top", "notes", "genres", "other"
    asked = [name for name in names if vars(options)[name] is not None]
    others = ["--impact"] * options.impact + ["--by"] * (options.by != "kind")
    if len(several := [*(f"--{name}" for name in asked[:1]), *others]) > 1:
        raise PolicyError(f"{several[0]} with {several[1]}; expected one of them")
    if options.top is not None and options.top < 1:
        raise PolicyError(f"top is {options.top}; expected 1 or more")
    if options.query:
        from corescore.analysis.error_table.query import parse  # pandas is only needed here

        parse(options.query)  # a mistake in it is told before files are read
    return bool(asked)


def _listed(options: Namespace) -> Table:
    """The list: whole for other programs, its most telling columns to be read."""
    from corescore.analysis.error_table.table import only_moved  # pandas is only needed here
    from corescore.sentences.errors import with_errors

    result, other = _scored(options)
    order = options.order or ORDER
    notes = _notes(result, options.notes) if options.notes else None
    errors = result.find(options.query or "", order=order, notes=notes, other=other)
    n_found, n_moved = len(errors.table), int(only_moved(errors.table).sum())
    errors = errors.top(options.top)
    if options.format in ("json", "csv", PARQUET):
        shown = errors.with_contexts()
    else:
        by = order.partition(":")[0]
        ordered = [by.replace("cost.", "cost_")] * by.startswith("cost.")
        columns = dict.fromkeys((*_READ, "other", "tag", "note", *ordered, "cost_conll"))
        shown = errors.table[[name for name in columns if name in errors.table]]
    if options.query and not len(shown):
        warn(
            ["the query finds nothing. A word alone is searched for in texts, a field is type:name"]
        )
    first = f"The first {len(shown):,} of " if len(shown) < n_found else ""
    unit = f"{first}{with_errors(n_found - n_moved, n_moved)}."
    if any(str(name).startswith("cost_") for name in shown):
        unit += " Costs in points of F1."
    if options.format in (None, "table") and len(shown):
        unit += " For the words around each: --out errors.csv."
    return Table(shown, notes=(unit,), signature=result.signature, longest=LONGEST_TEXT)


def _scored(options: Namespace) -> tuple[Result, Result | None]:
    """The response and the other one, if there is one, scored. Prints the warnings."""
    if options.other is None:
        return scored(options), None
    responses = [options.response, options.other]
    refuse_twice(responses)
    result, other = score_all(responses, options)[1].values()
    return result, other


def _notes(result: Result, file: str) -> "Notes":
    """The notes of a file. Warns of those on errors that are not there."""
    from corescore.analysis.error_table.notes import read_notes, unknown_rows

    notes = read_notes(file)
    warn(unknown_rows(notes, set(result.error_table["id"]), file))
    return notes


# Files of tallies on the command line: saved by `corescore score`, compared by `compare` ----------

SAVE_TALLY = option(
    "--save-tally",
    "save the counts of RESPONSE, without texts: `corescore compare` takes such files",
    "FILE.parquet",
)

TALLIES = (
    "; or tallies of `corescore score --save-tally`. If KEY is a tally as well, no key "
    "is needed: all are compared, KEY first"
)


def save_tally_of(results: Mapping[str, Tally], options: Namespace) -> None:
    """Write the tally of the only response where --save-tally asks for it."""
    path = options.save_tally
    if not path:
        return
    if len(results) > 1:
        raise PolicyError("--save-tally saves one response, but several are named")
    ((response, made),) = results.items()
    save_tally(replace(made, files=((options.key, response),)), path, force=options.force)


def compared(options: Namespace) -> dict[str, Tally]:
    """What `compare` compares by its path, at least two: responses, scored, and tallies, loaded.

    Raises PolicyError for one response, for one that is named twice and for policies that a tally
    was not made under; InputError for a tally that is none, or that does not go with the others.
    """
    needs_no_key = is_tally(options.key)
    paths = [options.key] * needs_no_key + options.responses
    refuse_twice(paths)
    texts = [path for path in paths if not is_tally(path)]
    if needs_no_key and texts:
        raise PolicyError(f"{options.key} is a tally, {texts[0]} is not; expected a key and both")
    loaded = {path: loaded_tally(path, options) for path in paths if is_tally(path)}
    scored = score_each(texts, options) if texts else {}
    results: dict[str, Tally] = {}
    for path in paths:
        for one in one_by_one([path], options, quietly=True) if path in texts else [path]:
            results[one] = loaded[one] if one in loaded else scored[one]
    if len(results) < 2:
        raise PolicyError(
            "only one response is named; expected two or more: name a second system's response to "
            "the same key"
        )
    if all(result.policies.missing_documents == "skip" for result in results.values()):
        results = over_common(results)
    if loaded:
        check_fit(results)
    return results


def loaded_tally(path: str, options: Namespace) -> Tally:
    """A tally that was saved. PolicyError where the options ask for another policy."""
    made = load_tally(path)
    for name in POLICY_VALUES:
        asked, own = vars(options).get(name), getattr(made.policies, name)
        if asked and asked != own:
            option = name.replace("_", "-")
            raise PolicyError(f"--{option} is {asked}, but {path} was counted under {own}")
    split = made.has_split_antecedents
    if options.preset and not made.policies.amount_to(policies(options), split_antecedents=split):
        raise PolicyError(f"--as is {options.preset}, but {path} is {made.settings}")
    return made


def check_fit(results: Mapping[str, Tally]) -> None:
    """Raises InputError unless all are over one key, by the same metrics and policies."""
    from corescore.analysis.significance import check_same_key  # it needs pandas

    first, *others = results
    for path in others:
        try:
            check_same_key(results[first], results[path])
        except ValueError as error:
            expected = f"one over the key of {first}, by its metrics and policies"
            advice = "Score both in the same way."
            raise refusal(path, str(error), expected, advice) from error


# The commands -------------------------------------------------------------------------------------


def _score(options: Namespace) -> int:
    _check_format(options)
    check_cluster(options)
    check_workers(options)
    shown = shown_metrics(options)
    tallies, exact, code = _tallies(options, shown)
    save_tally_of(tallies, options)
    if len({tally.documents for tally in tallies.values()}) > 1:
        warn(
            [
                "The responses are scored over different documents: do not compare their scores "
                "(the signature is that of the first). corescore compare takes the documents that "
                "all have."
            ]
        )
    report = Report(options.key, tallies, shown, options.per_document, exact)
    put(_score_result(report, options), options)
    return code


def _tallies(
    options: Namespace, shown: tuple[str, ...]
) -> tuple[Mapping[str, Tally], Mapping[str, Tally], int]:
    """Each response by its path, the same by exact matching where that is known, and the exit
    code. Prints the warnings."""
    if not options.scheduler and not is_streamed(options):
        return score_each(options.responses, options, shown=shown), {}, 0
    score = score_on_cluster if options.scheduler else tally_each
    made = score(options, metrics_for(options, shown))
    tallies = {name: of.tally for name, of in made.items()}
    warn_of(tallies, options)
    code = INCOMPLETE if any(of.refused for of in made.values()) else 0
    return tallies, {name: of.exact for name, of in made.items() if of.exact}, code


def _score_result(report: Report, options: Namespace) -> Table | str:
    if options.format == PARQUET:
        return Table(report_frame(report), signature=report.signature)
    if options.format == HTML:
        return as_page(tables_of(report), options)
    if options.format in SCORER_OUTPUTS:
        return as_scorer(options.format, report)
    return OUTPUTS[options.format](report)


def _check_format(options: Namespace) -> None:
    """Take the metrics of a scorer whose output is asked for. PolicyError if it does not score."""
    if options.format in SCORER_OUTPUTS:
        if options.preset != options.format:
            fault = f"format {options.format} without --as {options.format}"
            raise PolicyError(f"{fault}: it prints that scorer's output; expected both")
        if options.metrics is None:
            options.metrics = ",".join(SCORER_OUTPUTS[options.format].metrics)


SPLIT_ANTECEDENT, GROUPED = "split-antecedent", ("size", "distance")


def _credit(options: Namespace) -> None:
    if options.bound and options.by not in GROUPED:
        raise PolicyError(f"--bound goes with --by {' or '.join(GROUPED)}")
    result = scored(options)
    documents = [options.document] if options.document else None
    if options.by == SPLIT_ANTECEDENT:
        from corescore.analysis.split_antecedents import plural_table

        table = plural_table(result, options.metric, side=options.side, documents=documents)
        if table.empty:
            place = "the key" if options.side == "recall" else "the response"
            place = f"this document of {place}" if documents else place
            warn(
                [
                    f"No split antecedents are scored in {place}, so there are no rows (CoNLL "
                    "cannot have them; CorefUD, CoNLL-UA and JSON Lines can)."
                ]
            )
    else:
        from corescore.analysis.errors.operations import refuse_look_ups

        table = result.credit(
            options.metric,
            side=options.side,
            by=options.by,
            documents=documents,
            bounds=options.bound or (),
        )
        try:
            refuse_look_ups(result.compared[options.metric], "credit needs")
        except PolicyError:
            warn(
                [
                    "A mention counts in several entities, or in another than its pair's: credit "
                    "need not add up to the score. It does under --repeats first --lookup pairs."
                ]
            )
    warn(_ties(result, options))
    if options.format in READ and not options.fractions:
        table = _in_shares(table, result[options.metric])
    unit = "Credit in points: a row's share of the score, and its possible share."
    in_counts = "Credit as the numerators of the score count it."
    put(_with_unit(table, unit, result, options, in_counts), options)


def _in_shares(table: "pd.DataFrame", score: Score[float]) -> "pd.DataFrame":
    """Credit and possible credit as fractions of the score that they add up to: of BLANC's two
    parts each is half of it, or all if the key has no link of the other kind."""
    if score.parts:
        parts = {part: of for part, of in score.parts.items() if of.recall_denominator}
        kinds = {f"{part.replace('_', '-')} link": of for part, of in parts.items()}
    else:
        kinds = dict.fromkeys(table["kind"], score)
    each = [
        getattr(kinds[kind], f"{side}_denominator") if kind in kinds else nan
        for kind, side in zip(table["kind"], table["side"], strict=True)
    ]
    whole = np.array(each) * (len(score.parts and kinds) or 1)
    return table.assign(credit=table["credit"] / whole, possible=table["possible"] / whole)


def _ties(result: Result, options: Namespace) -> Iterator[str]:
    """A warning if CEAF could align other entities for the same score."""
    from corescore.analysis.credit import alignment_table

    metric = next(known for known in result.metrics if known.id == options.metric)
    if metric.similarity is None:
        return
    pairs = alignment_table(result.compared[metric.id], metric)
    if options.document:
        pairs = pairs[pairs["document"] == options.document]
    n_tied = int(pairs["tied"].sum())
    if n_tied:
        yield (
            f"{n_tied} of {counted(len(pairs), 'aligned pair')} {'is' if n_tied == 1 else 'are'} "
            "in a tie: another alignment has the same score. The same one is always selected."
        )


def _errors(options: Namespace) -> None:
    put(_listed(options) if is_listed(options) else _counted(options), options)


def _counted(options: Namespace) -> Table:
    """The errors of each kind, document, entity or mention, or what fixing each kind would gain."""
    from corescore.analysis.errors import tables  # pandas is only needed here

    result = scored(options)
    if options.impact:
        from corescore.sentences.errors import largest_gain

        impact = tables.impact_report(result)
        gains, name = tables.gain_table(impact), short_names([options.response])[0]
        first = [] if metrics_of(options) else [largest_gain(name, gains)]
        return replace(_with_unit(impact, "Percent.", result, options), said=first)
    table = tables.LEVELS[options.by](result)
    unit = "Percent." if "share" in table else ""
    if "errors" in table:
        unit = (
            f"{counted(table['errors'].sum(), 'error')}, each corrected by one operation. "
            "A mention can need several: --query lists mentions."
        )
    return _with_unit(table, unit, result, options)


def _with_unit(
    table: "pd.DataFrame",
    unit: str,
    result: Result,
    options: Namespace,
    instead: str = "Fractions.",
) -> Table:
    """A table whose note gives the unit of its numbers; `instead` is that under --fractions."""
    made = Table(
        table, signature=result.signature, fractions=options.fractions, longest=LONGEST_TEXT
    )
    if options.fractions and any(one.unit for one in made.shown):
        unit = instead
    return replace(made, notes=(unit,) if unit else ())


def _metrics(options: Namespace) -> None:
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
    metric_option("--metric", "the metric", METRIC_IDS, required=True),
    choice("--side", SIDES, "credit for the key's mentions or the response's"),
    choice(
        "--by",
        ("mention", "link", "entity", "document", "entity-type", *GROUPED, SPLIT_ANTECEDENT),
        "one row for each, or for groups of mentions by the size of their entity or by the words "
        "to their antecedent. Only split-antecedent counts the additional mention of plurals",
    ),
    BOUND,
    option("--document", "show only this document", "NAME"),
    FRACTIONS,
    EVERY_ROW,
    *output(),
    *POLICIES,
)

_ERROR_OPTIONS = (
    *ONE_RESPONSE,
    choice("--by", ("kind", "document", "entity", "mention"), "one row for each"),
    flag("--impact", "show how much fixing each kind of error would gain instead"),
    *LIST_OPTIONS,
    FRACTIONS,
    EVERY_ROW,
    *output(),
    *POLICIES,
)

_DOCUMENTS = flag("--per-document", "show each document as well")

_OUTPUT = output(" (with --as, coval and corefud print as those scorers do)", SCORER_OUTPUTS)

_SCORE_OPTIONS = (
    *(*each(), SHOWN_METRICS, _DOCUMENTS, AVERAGE, *_OUTPUT),
    *(SAVE_TALLY, WORKERS, *CLUSTER, *POLICIES),
)

COMMANDS = (
    Command("score", "score one or more responses against a key", _SCORE_OPTIONS, _score),
    Command(
        "credit",
        "list the credit by a metric, by mention, link, entity, size, distance, type or document",
        _CREDIT_OPTIONS,
        _credit,
    ),
    Command(
        "errors", "list the errors by kind, document, entity or mention", _ERROR_OPTIONS, _errors
    ),
    Command("metrics", "list the metrics and the papers that define them", (), _metrics),
)
