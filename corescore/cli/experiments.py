"""`corescore experiments`, `experiment` and `conformance`."""

import json
import textwrap
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from corescore.cli.options import (
    EVERY_ROW,
    FRACTIONS,
    HTML,
    PARQUET,
    POLICIES,
    READ,
    TABLE,
    Command,
    Container,
    flag,
    moved,
    option,
    output,
    policies,
)
from corescore.cli.output import first_rows, progress, put, read_all, tell, warn
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import MOST_NAMES, PolicyError, choose
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import DEFAULTS
from corescore.metrics import HOW_MANY, METRICS, Metric
from corescore.rendering.text import LONGEST_TEXT, Table
from corescore.scoring.noticed import without_mentions
from corescore.util import SAMPLE, bundled
from corescore.version import __version__

if TYPE_CHECKING:
    import pandas as pd

    from corescore.replication.experiment import Check, Claim, Experiment, Outcome, Value

WIDTH = 100

SIGNATURE = f"corescore {__version__}"


def _list(options: Namespace) -> None:
    import pandas as pd  # only needed here

    from corescore.replication import EXPERIMENTS

    table = pd.DataFrame(
        [
            (one.id, one.paper.at(one.where), one.title, "yes" if one.on_data else "no")
            for one in EXPERIMENTS
        ],
        columns=["name", "source", "title", "on_data"],
    )
    put(Table(table, signature=SIGNATURE, longest=WIDTH), options)


def _experiment(options: Namespace) -> None:
    from corescore.replication import EXPERIMENTS, current
    from corescore.replication.experiment import run

    known = {experiment.id: experiment for experiment in EXPERIMENTS}
    experiment = known[choose("experiment", current(options.name), known)]
    values: dict[str, Value] = dict(_assignment(text) for text in options.set)
    asked = policies(options)
    key, response = _data(experiment, options)
    if key and not experiment.on_data:
        asked = replace(asked, singletons=DEFAULTS.singletons)
        experiment.setting(policies=asked)  # refused before the key is said
        values, key = {**_of_key(experiment, key, options), **values}, None
    with _own_metrics(options) as own:
        setting = experiment.setting(
            values,
            metrics=(*METRICS, *own),
            key=key,
            response=response,
            policies=asked,
        )
        outcome = run(experiment, setting)
    table = Table(outcome.table, signature=outcome.signature, fractions=True, longest=LONGEST_TEXT)
    if options.format in READ and not options.csv:
        table = _to_read(outcome, table, options)
    result: Table | str = table
    if options.csv:
        result = table.text("csv")
    elif options.format == "json":
        result = _as_json(outcome, table)
    elif options.format not in _TABLE_ALONE:
        result = _as_text(outcome, table, options)
    put(result, options)


def _of_key(experiment: "Experiment", key: Corpus, options: Namespace) -> "dict[str, Value]":
    """The parameters that make a document of the key that of the experiment."""
    largest = max(key, key=lambda document: len(document.rows)).name
    name = choose("document", options.document or largest, key.by_name, most=MOST_NAMES)
    values = experiment.values_of_key(key.by_name[name], singletons=policies(options).singletons)
    listed_values = "; ".join(f"{one} {value}" for one, value in values.items())
    tell(f"corescore: the key comes from {name}: {listed_values}")
    return values


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PolicyError(f"--set is '{text}'; expected PARAMETER=VALUE")
    return name.strip(), value.strip()


@contextmanager
def _own_metrics(options: Namespace) -> Iterator[tuple[Metric, ...]]:
    """The metrics that --metric-file adds; InputError for what their code raises meanwhile."""
    from corescore.metrics.own import errors_told, load_metrics

    paths = options.own_metrics
    with errors_told(paths):
        yield tuple(metric for path in paths for metric in load_metrics(path))


def _data(experiment: "Experiment", options: Namespace) -> tuple[Corpus | None, Corpus | None]:
    """The key and the response of an experiment on data: the files named, or the sample; the key
    named for one that takes a key."""
    takes = experiment.takes_key
    if options.document and not (takes and options.key):
        raise PolicyError(f"--document is '{options.document}'; expected a KEY to find it in")
    if not experiment.on_data:
        if options.response or (options.key and not takes):
            taken = "response; expected a key alone, or none" if takes else "files; expected none"
            raise PolicyError(f"experiment '{experiment.id}' takes no {taken}")
        if not options.key:
            return None, None
        with progress(1) as step:
            (key,) = read_all([options.key], options, step)
        return key, None
    if options.key and not options.response:
        raise PolicyError("only a key is named; expected a key and a response, or neither")
    paths = [options.key, options.response]
    if not options.key:
        folder = bundled("sample_data")
        paths = [str(folder / name) for name in SAMPLE]
        tell(f"corescore: no files named: the sample ({', '.join(SAMPLE)})")
    with progress(len(paths)) as step:
        key, response = read_all(paths, options, step)
    warn(
        (
            *pair_documents(key, response, policies(options)).warnings,
            *without_mentions(key, response),
        )
    )
    return key, response


def _conformance(options: Namespace) -> None:
    from corescore.replication.conformance import conformance

    with _own_metrics(options) as own:
        sheet = conformance((*METRICS, *own))
    table = _sheet(sheet) if options.format in _SHEETS else sheet
    put(Table(table, signature=SIGNATURE, longest=WIDTH), options)


def _sheet(sheet: "pd.DataFrame") -> "pd.DataFrame":
    """A row a question, a column a metric."""
    words = sheet["answer"].map({True: "yes", False: "no"})
    words += sheet["passes"].map({True: " ✓", False: " ✗"}).fillna("")
    wide = sheet.assign(word=words).pivot_table(
        index="asks", columns="metric", values="word", aggfunc="first", sort=False
    )
    return wide.rename_axis(None, axis=1).reset_index()


def _as_text(outcome: "Outcome", table: Table, options: Namespace) -> str:
    """Title, set-up, table, the paper's own figures, and each claim with its check.

    Scores by another reading and what should change are in the other formats.
    """
    from corescore.rendering.papers import text_table

    experiment = outcome.experiment
    key, response = (options.key, options.response) if options.key else SAMPLE
    ran_on = f"{response} against {key}" if experiment.on_data else ""
    source = f"{experiment.paper.at(experiment.where)}: {experiment.title}"
    width = min(WIDTH, get_terminal_size().columns)
    parts = [source, "", *textwrap.wrap(experiment.setup, width), ""]
    if experiment.finding:
        parts += [*textwrap.wrap(experiment.finding(outcome.table), width), ""]
    parts.append(first_rows(table, options).text(options.format))
    for printed in experiment.printed:
        beside = text_table(outcome.beside(printed), printed, ran_on=ran_on)
        name = f"as published: {experiment.source_of(printed)}"
        parts.append(replace(beside, signature=name).text(options.format))
    for claim, check in outcome.checks:
        parts += _claim(claim, check)
    return "\n".join(parts) + "\n"


def _to_read(outcome: "Outcome", table: Table, options: Namespace) -> Table:
    """The table as pages show it, in percent, or with --fractions as it is; without scores by
    another reading and what should change."""
    from corescore.rendering.papers import NOT_READ, readable_table

    if options.fractions:
        frame = outcome.table
        return replace(table, frame=frame[[n for n in frame if not str(n).endswith(NOT_READ)]])
    shown = readable_table(outcome.table, outcome.experiment.chart)
    return replace(shown, signature=table.signature, longest=table.longest)


def _claim(claim: "Claim", check: "Check") -> Iterator[str]:
    """What is claimed and whether it holds here, with the numbers."""
    from corescore.rendering.papers import MARKS

    mark, here = MARKS[check.holds], "" if check.holds is None else " here"
    yield f"{mark.sign} {mark.words}{here}: {claim.says} ({claim.where})"
    yield f"  {check.numbers}"
    if claim.note:
        yield f"  {claim.note}"


def _as_json(outcome: "Outcome", table: Table) -> str:
    """One object: what was run, its rows, its claims and the published rows."""
    experiment = outcome.experiment
    claims = [
        {
            "id": claim.id,
            "says": claim.says,
            "where": claim.where,
            "holds": check.holds,
            "numbers": check.numbers,
            "note": claim.note,
        }
        for claim, check in outcome.checks
    ]
    values = {"experiment": experiment.id, **json.loads(table.text("json")), "claims": claims}
    if experiment.printed:
        values["published"] = [row for one in experiment.printed for row in _records(one.numbers)]
        values["printed"] = [  # as text with the computed one, and which table it stands in
            {"where": one.title, **row}
            for one in experiment.printed
            for row in _records(outcome.beside(one))
        ]
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"


def _records(frame: "pd.DataFrame") -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(frame.to_json(orient="records"))
    return rows


_TABLE_ALONE = ("csv", "latex", PARQUET, HTML)

_SHEETS = (TABLE, "markdown", HTML)

_OWN_METRIC = (
    option(
        "--metric-file",
        f"a Python file with a metric to add to the {HOW_MANY}; the file is executed",
        "FILE",
        action="append",
        default=[],
        dest="own_metrics",
    ),
    moved("--metric", "--metric-file"),
)


class _Names:
    """The names of all experiments as text; loaded only where the help is printed."""

    def __str__(self) -> str:
        from corescore.replication import EXPERIMENTS

        return ", ".join(experiment.id for experiment in EXPERIMENTS)


def _add_name(parser: Container) -> None:
    about = "one that `corescore experiments` lists with its title: %(names)s"
    vars(parser.add_argument("name", help=about, metavar="NAME"))["names"] = _Names()


_EXPERIMENT_OPTIONS = (
    _add_name,
    option(
        "key",
        "the key of an experiment on data (default: the sample), or of a figure that takes one",
        "KEY",
        nargs="?",
    ),
    option("response", "the response", "RESPONSE", nargs="?"),
    option(
        "--document",
        "the document of KEY whose entities are the key of a figure that makes its own responses "
        "(default: the one with the most mentions)",
        "NAME",
    ),
    option(
        "--set",
        "set a parameter to a value different from the paper's, repeatable",
        "PARAMETER=VALUE",
        action="append",
        default=[],
    ),
    *_OWN_METRIC,
    flag("--csv", "print only the table, as CSV"),
    FRACTIONS,
    EVERY_ROW,
    *output(),
    *POLICIES,
)

COMMANDS = (
    Command("experiments", "list the published experiments", output(), _list),
    Command("experiment", "rerun a published experiment", _EXPERIMENT_OPTIONS, _experiment),
    Command(
        "conformance",
        "test which responses each metric can and cannot distinguish",
        (*_OWN_METRIC, *output()),
        _conformance,
    ),
)
