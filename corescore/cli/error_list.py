"""`corescore errors --query`: the rows of the error table that a query finds."""

import argparse
from typing import TYPE_CHECKING

from corescore.api.result import Result
from corescore.cli.options import PARQUET, option
from corescore.cli.shell import put_frame, refuse_twice, score_all, scored, warn
from corescore.corpus.problems import PolicyError
from corescore.wording import counted

if TYPE_CHECKING:
    from corescore.analysis.error_table.notes import Notes

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
    option("--top", "only the first N of that list", "N", type=int),
    option(
        "--notes",
        "a file of notes on these errors, as the app keeps them: the list has their tags and "
        "texts, and --query can ask for them, such as 'tag:hard seen:no'",
        "FILE",
    ),
    option(
        "--genres",
        "a table of the key's documents and their genres, two columns with tabs or commas, where "
        "the files tell none; --query can ask for them, such as 'genre:news'",
        "FILE",
    ),
    option(
        "--other",
        "another response to KEY: the list has the class of each mention there, and --query can "
        "ask for it, such as 'other:correct'",
        "RESPONSE",
    ),
)
_READ = ("document", "sentence", "mention", "class", "kind", "given", "antecedent")


def is_listed(options: argparse.Namespace) -> bool:
    """Whether the options ask for the list. PolicyError if they ask for something else, too."""
    names = "query", "order", "top", "notes", "genres", "other"
    asked = [name for name in names if vars(options)[name] is not None]
    if asked and (options.impact or options.by != "kind"):
        other = "--impact" if options.impact else "--by"
        raise PolicyError(f"--{asked[0]} with {other}; expected one of them")
    if options.top is not None and options.top < 1:
        raise PolicyError(f"top is {options.top}; expected 1 or more")
    if options.query:
        from corescore.analysis.error_table.query import parse  # pandas is only needed here

        parse(options.query)  # a mistake in it is told before files are read
    return bool(asked)


def put_list(options: argparse.Namespace) -> None:
    """Print or write the list: whole for other programs, its most telling columns to be read."""
    result, other = _scored(options)
    order = options.order or ORDER
    notes = _notes(result, options.notes) if options.notes else None
    found = result.find(options.query or "", order=order, notes=notes, other=other)
    found = found.top(options.top)
    if options.format in ("json", "csv", PARQUET):
        shown = found.with_contexts()
    else:
        costs = dict.fromkeys(name for name in (_cost_of(order), "cost_conll") if name)
        told = (*_READ, "other", "tag", "note", *costs)
        shown = found.table[[name for name in told if name in found.table]]
    unit = f"{counted(len(shown))} with errors."
    if any(str(name).startswith("cost_") for name in shown):
        unit += " Costs in points of F1."
    put_frame(shown, result.signature, options, unit=unit)


def _scored(options: argparse.Namespace) -> tuple[Result, Result | None]:
    """The response and the other one, if there is one, scored. Prints the warnings."""
    if options.other is None:
        return scored(options), None
    responses = [options.response, options.other]
    refuse_twice(responses)
    result, other = score_all(responses, options)[1]
    return result, other


def _notes(result: Result, file: str) -> "Notes":
    """The notes of a file. Warns of those on errors that are not there."""
    from corescore.analysis.error_table.notes import unknown_rows
    from corescore.analysis.error_table.notes_files import read_notes

    notes = read_notes(file)
    warn(unknown_rows(notes, set(result.error_table["id"]), file))
    return notes


def _cost_of(order: str) -> str:
    name = order.partition(":")[0]
    return name.replace("cost.", "cost_") if name.startswith("cost.") else ""
