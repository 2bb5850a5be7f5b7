"""Sentences about confusion tables."""

from corescore.analysis.error_table.confusion import Confusion
from corescore.analysis.error_table.terms import NONE
from corescore.sentences.extremes import greatest, named
from corescore.wording import count, counted

HOW_TO_READ = (
    "A number is how many mentions; a click lists them. Below it, the points that fixing each of "
    "them alone gains, added up."
)


def antecedents(found: Confusion) -> str:
    """Which antecedent is given most often instead of which."""
    cells = {
        f"{_given(cell.row)} instead of {_wanted(cell.column)}": float(cell.n)
        for cell in found.cells()
        if cell.n and (cell.row, cell.column) != (NONE, NONE)
    }
    return _most(cells, "No mention was given a wrong antecedent or lacks one.", "other confusion")


def types_by_kind(found: Confusion) -> str:
    """Which type of mention has which kind of error most often."""
    cells = {
        f"“{cell.row}” with “{cell.column}”": float(cell.n)
        for cell in found.cells()
        if cell.n and cell.column != NONE
    }
    return _most(cells, "No mention has an error of a kind.", "other pair")


def _most(cells: dict[str, float], nothing: str, noun: str) -> str:
    most = greatest(cells, count)
    if not most:
        return nothing
    each = " each" if len(most) > 1 else ""
    return f"Most frequent: {named(most, noun)} ({counted(cells[most[0]])}{each})."


def _given(type_: str) -> str:
    return "no antecedent" if type_ == NONE else f"“{type_}”"


def _wanted(type_: str) -> str:
    return "none" if type_ == NONE else f"“{type_}”"
