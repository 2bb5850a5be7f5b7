"""`corescore errata`: what is printed and does not come out, open readings, and every statement."""

import argparse
import textwrap
from collections.abc import Hashable, Iterator, Mapping
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
_ERRATA, _OPEN = "errata", "open readings"


def _errata(options: argparse.Namespace) -> None:
    if options.statements and options.kind:
        raise PolicyError("--statements has no --kind; expected --statements alone")
    table = _statements_table(options) if options.statements else _errata_table(options)
    if options.format != "table":
        longest = max(map(len, table.astype(str).to_numpy().flat), default=WIDTH)
        put_frame(table, SIGNATURE, options, longest=longest)
        return
    told = _statements_told(table) if options.statements else _errata_told(table)
    put("\n\n".join([*told, f"{SIGNATURE}\n"]), options)


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
    import pandas as pd  # only needed here

    from corescore.replication.errata import ERRATA, OPEN_READINGS, errata_table
    from corescore.replication.erratum import KINDS

    kinds = {choose("kind", options.kind, KINDS)} if options.kind else set(KINDS)
    papers = _papers(options)
    tables = [
        errata_table(one for one in of if one.paper in papers and one.kind in kinds).assign(
            list=name
        )
        for name, of in ((_ERRATA, ERRATA), (_OPEN, OPEN_READINGS))
    ]
    return pd.concat(tables, ignore_index=True)


def _errata_told(table: "pd.DataFrame") -> Iterator[str]:
    """The errata, then the open readings, each list with its count."""
    for name, words in (
        (_ERRATA, "where what is printed does not come out under any reading"),
        (_OPEN, "where it depends on the reading, or is left too open to be tried"),
    ):
        rows = table[table["list"] == name].to_dict("records")
        yield f"{name.upper()}: {counted(len(rows), 'place')} {words}."
        yield from ("\n".join(_erratum_lines(row)) for row in rows)


def _erratum_lines(row: Row) -> Iterator[str]:
    from corescore.rendering.errata import readings_of
    from corescore.sentences.verdicts import mark_of, readings_told

    readings = readings_of(row)
    verdict = "" if row["is_off"] else f", {mark_of(row['verdict'], readings).words}"
    yield f"{row['paper']}, {row['where']} ({row['kind']}{verdict})"
    yield from _wrapped(f"{'printed' if row['verbatim'] else 'in our words'}: {row['printed']}")
    yield from _wrapped(f"comes out: {row['computed']}")
    yield from _wrapped(f"arithmetic: {row['arithmetic']}")
    if readings:
        yield from _wrapped(f"holds {readings_told(readings)}")
    yield from _wrapped(f"{'likely cause' if row['is_off'] else 'what is open'}: {row['cause']}")
    if row["experiment"]:
        yield f"    corescore experiment {row['experiment']}"


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


def _statements_told(table: "pd.DataFrame") -> Iterator[str]:
    from corescore.sentences.verdicts import statement_counts

    yield from ("\n".join(_statement_lines(row)) for row in table.to_dict("records"))
    yield statement_counts(table["verdict"])


def _statement_lines(row: Row) -> Iterator[str]:
    from corescore.rendering.errata import readings_of
    from corescore.sentences.verdicts import mark_of, readings_told

    readings = readings_of(row)
    mark = mark_of(row["verdict"], readings)
    on = ", on the sample data" if row["on_data"] else ""
    yield f"{mark.sign} {mark.words}{on}: {row['paper']}, {row['where']}"
    yield from _wrapped(row["says"])
    yield from _wrapped(row["because"], "      ")
    if readings:
        yield from _wrapped(f"Holds {readings_told(readings)}.", "      ")
    if row["on_other_data"]:
        yield from _wrapped(f"On other data: {row['on_other_data']}.", "      ")
    for claim in filter(None, row["claims"].split("; ")):
        yield f"      corescore experiment {claim.partition(':')[0]}  # {claim.partition(':')[2]}"


_OPTIONS = (
    flag("--statements", "list every testable statement of the papers, and whether it holds"),
    option("--paper", "of one paper only, such as moosavi2016", "PAPER"),
    option("--kind", "of one kind only: figure, rank, formula, caption or statement", "KIND"),
    *output(),
)
_ABOUT = (
    "list what the papers print and does not come out, what depends on the reading, or whether "
    "their statements hold"
)
COMMANDS = (Command("errata", _ABOUT, _OPTIONS, _errata),)
