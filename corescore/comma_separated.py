"""Rows as CSV, and cells that a spreadsheet does not take for formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Literal

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
# Where a cell may begin as a formula does; one that is a plain negative number does not count.
_SUSPECT = re.compile(
    r"""(?:^|[,"])'*(?:[=+@\t]|-(?!(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:[,"]|$)))""", re.IGNORECASE
)


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV. Where a cell has a carriage return all texts are quoted, as readers would take
    it for the end of a row."""
    every = [*rows]
    text = _written(every, csv.QUOTE_MINIMAL)
    return _written(every, csv.QUOTE_NONNUMERIC) if "\r" in text else text


def inert(text: str) -> str:
    """CSV in which an apostrophe stands before cells that begin as a formula does, numbers aside:
    a spreadsheet then shows them as text and computes nothing."""
    lines = text.split("\n")
    if "\r" in text or any(line.count('"') % 2 for line in lines):
        return _inert_rows(text)  # rows of several lines
    return "\n".join(_inert_rows(line)[:-1] if _SUSPECT.search(line) else line for line in lines)


def _inert_rows(text: str) -> str:
    rows = csv.reader(io.StringIO(text, newline=""))
    return csv_of([_inert_cell(cell) for cell in row] for row in rows)


def without_apostrophe(cell: str) -> str:
    """A cell as it was before `inert`."""
    return cell[1:] if cell[:1] == "'" and _begins_formula(cell) else cell


def _written(rows: Iterable[Sequence[object]], quoting: Literal[0, 2]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=quoting)
    writer.writerows(rows)
    return out.getvalue()


def _inert_cell(cell: str) -> str:
    try:
        float(cell)
    except ValueError:
        return f"'{cell}" if _begins_formula(cell) else cell
    return cell


def _begins_formula(cell: str) -> bool:
    """Whether it does, or would without the apostrophes before it."""
    return cell.lstrip("'").startswith(_BEGIN_FORMULAS)
