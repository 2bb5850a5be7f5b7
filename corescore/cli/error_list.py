"""`corescore errors --query`: the rows of the error table that a query finds."""

import argparse

from corescore.api.result import Result
from corescore.cli.options import PARQUET, option
from corescore.cli.shell import put_frame
from corescore.corpus.problems import PolicyError

ORDER = "cost.conll"
LIST_OPTIONS = (
    option(
        "--query",
        "list the errors that a query finds, one mention a row, such as "
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
)
_READ = ("document", "sentence", "mention", "class", "kind", "given", "antecedent")


def is_listed(options: argparse.Namespace) -> bool:
    """Whether the options ask for the list. PolicyError if they ask for something else, too."""
    asked = [name for name in ("query", "order", "top") if vars(options)[name] is not None]
    if asked and (options.impact or options.by != "kind"):
        other = "--impact" if options.impact else "--by"
        raise PolicyError(f"--{asked[0]} with {other}; expected one of them")
    if options.top is not None and options.top < 1:
        raise PolicyError(f"top is {options.top}; expected 1 or more")
    if options.query:
        from corescore.analysis.error_table.query import parse  # pandas is only needed here

        parse(options.query)  # a mistake in it is told before files are read
    return bool(asked)


def put_list(result: Result, options: argparse.Namespace) -> None:
    """Print or write the list: whole for other programs, its most telling columns to be read."""
    order = options.order or ORDER
    found = result.find(options.query or "", order=order).top(options.top)
    if options.format in ("json", "csv", PARQUET):
        shown = found.with_contexts()
    else:
        costs = dict.fromkeys(name for name in (_cost_of(order), "cost_conll") if name)
        shown = found.table[[name for name in (*_READ, *costs) if name in found.table]]
    put_frame(shown, result.signature, options)


def _cost_of(order: str) -> str:
    name = order.partition(":")[0]
    return name.replace("cost.", "cost_") if name.startswith("cost.") else ""
