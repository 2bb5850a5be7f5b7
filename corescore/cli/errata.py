"""`corescore errata`: what is printed and does not come out, and every statement of the papers."""

import argparse
import textwrap
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from corescore.cli.options import Command, flag, option, output
from corescore.cli.shell import put, put_frame
from corescore.corpus.problems import PolicyError, choose
from corescore.version import __version__
from corescore.wording import counted

if TYPE_CHECKING:
    import pandas as pd

    from corescore.bibliography import Paper

WIDTH = 100
SIGNATURE = f"corescore {__version__}"
Row = Mapping[Hashable, Any]


def _errata(options: argparse.Namespace) -> None:
    if options.statements and options.kind:
        raise PolicyError("--statements has no --kind; expected --statements alone")
    table = _statements_table(options) if options.statements else _errata_table(options)
    if options.format != "table":
        longest = max(map(len, table.astype(str).to_numpy().flat), default=WIDTH)
        put_frame(table, SIGNATURE, options, longest=longest)
        return
    lines = _statement_lines if options.statements else _erratum_lines
    told = ["\n".join(lines(row)) for row in table.to_dict("records")]
    counts = _statement_counts(table) if options.statements else _errata_counts(table)
    put("\n\n".join([*told, f"{counts}\n{SIGNATURE}\n"]), options)


def _papers(options: argparse.Namespace) -> "set[Paper]":
    from corescore.replication.statements import FOLDERS

    every = set(FOLDERS.values())
    return {FOLDERS[choose("paper", options.paper, FOLDERS)]} if options.paper else every


def _wrapped(words: str, indent: str = "    ") -> list[str]:
    return textwrap.wrap(
        words, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


# Errata -------------------------------------------------------------------------------------------


def _errata_table(options: argparse.Namespace) -> "pd.DataFrame":
    from corescore.replication.errata import ERRATA, errata_table
    from corescore.replication.erratum import KINDS

    kinds = {choose("kind", options.kind, KINDS)} if options.kind else set(KINDS)
    papers = _papers(options)
    return errata_table(one for one in ERRATA if one.paper in papers and one.kind in kinds)


def _erratum_lines(row: Row) -> Iterator[str]:
    yield f"{row['paper']}, {row['where']} ({row['kind']})"
    for name, words in (("printed", "printed"), ("computed", "comes out")):
        yield from _wrapped(f"{words}: {row[name]}")
    yield from _wrapped(f"arithmetic: {row['arithmetic']}")
    yield from _wrapped(f"likely cause: {row['cause']}")
    if row["experiment"]:
        yield f"    corescore experiment {row['experiment']}"


def _errata_counts(table: "pd.DataFrame") -> str:
    return f"{counted(len(table), 'place')} where what is printed does not come out."


# Statements ---------------------------------------------------------------------------------------


def _statements_table(options: argparse.Namespace) -> "pd.DataFrame":
    from corescore.replication.statements import (
        STATEMENTS,
        run_on_sample,
        statements_table,
        try_statements,
    )

    papers = _papers(options)
    kept = [one for one in STATEMENTS if one.paper in papers]
    return statements_table(try_statements(kept, run_on_sample()))


def _statement_lines(row: Row) -> Iterable[str]:
    from corescore.sentences.verdicts import VERDICT_MARKS

    mark = VERDICT_MARKS[row["verdict"]]
    on = ", on the sample data" if row["on_data"] else ""
    yield f"{mark.sign} {mark.words}{on}: {row['paper']}, {row['where']}"
    yield from _wrapped(row["says"])
    yield from _wrapped(row["because"], "      ")
    for claim in filter(None, row["claims"].split("; ")):
        yield f"      corescore experiment {claim.partition(':')[0]}  # {claim.partition(':')[2]}"


def _statement_counts(table: "pd.DataFrame") -> str:
    from corescore.sentences.verdicts import statement_counts

    return statement_counts(table["verdict"])


_OPTIONS = (
    flag("--statements", "list every testable statement of the papers, and whether it holds"),
    option("--paper", "of one paper only, such as moosavi2016", "PAPER"),
    option("--kind", "of one kind only: figure, rank, formula, caption or statement", "KIND"),
    *output(),
)
_ABOUT = "list what the papers print and does not come out, or whether their statements hold"
COMMANDS = (Command("errata", _ABOUT, _OPTIONS, _errata),)
