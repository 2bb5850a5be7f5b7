"""Confusion tables: how often rows of the error table have which values of two fields."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from corescore.analysis.error_table.fields import FIELDS, Field
from corescore.analysis.error_table.query import (
    IS,
    NONE,
    Cells,
    Kind,
    Term,
    Value,
    all_of,
    cells_of,
    parse,
)
from corescore.util import FloatArray, IntArray

# Terms of a query of the error table, written by the program: what a number counts, as a query ----

_KINDS: dict[str, Kind] = {"choice": "choice", "truth": "choice", "number": "number"}


def term(name: str, *values: str | int | None) -> str:
    """The term that finds the rows in which a field has one of these values; None: has none.

    `term("doc", "a b") == 'doc:"a b"'`, `term("class", "span error") == "class:span-error"`
    """
    field = _FIELDS[name]
    return str(Term(field, IS, tuple(_value(field, value) for value in values)))


def _value(field: Field, value: str | int | None) -> Value:
    if value is None:
        return Value("none", NONE)
    return Value(_KINDS.get(field.holds, "text"), str(value))


def both(*terms: str) -> str:
    """The query that finds the rows that all of these queries find; an empty one finds all rows."""
    return str(all_of(tuple(parse(one).node for one in terms)))


_FIELDS = {field.name: field for field in FIELDS}


class Cell(NamedTuple):
    """A cell of a confusion table: its two values, the number of rows, and what they gain."""

    row: str
    column: str
    n: int
    gain: float


@dataclass(frozen=True)
class Confusion:
    """Rows of an error table by two fields.

    rows, columns  the names of the fields, as queries name them
    of             the query whose rows are counted
    counts         (values, values) how many rows have both values; a row with several values of a
                   field, such as two kinds of errors, counts with each. The index and the columns
                   are the values that occur, in the field's order, "none" last
    gains          (values, values) what fixing each of these rows alone gains, added up: more than
                   fixing them all gains where they are of one error. NaN where the metric cannot
                   tell
    """

    rows: str
    columns: str
    of: str
    counts: pd.DataFrame
    gains: pd.DataFrame

    def cells(self) -> Iterator[Cell]:
        """Every cell, row by row."""
        counts, gains = self.counts.to_numpy(), self.gains.to_numpy()
        for i, row in enumerate(self.counts.index):
            for j, column in enumerate(self.counts.columns):
                yield Cell(str(row), str(column), int(counts[i, j]), float(gains[i, j]))

    def query(self, row: str, column: str) -> str:
        """The query that finds the rows which a cell counts."""
        values = ((self.rows, row), (self.columns, column))
        return both(self.of, *(term(name, _wanted(value)) for name, value in values))


def _wanted(value: str) -> str | None:
    return None if value == NONE else value


def antecedents(table: pd.DataFrame, *, metric: str = "conll", within: str = "") -> Confusion:
    """The type of the antecedent given (rows) against that of the one it should have had.

    Of mentions whose given antecedent is right there is no confusion; they are left out. "none" is
    the type of no antecedent: a spurious mention should have none, a missing one was given none.
    """
    wanted = both(within, "-given:right")
    return confusion(table, "given.type", "antecedent.type", metric=metric, of=wanted)


def types_by_kind(table: pd.DataFrame, *, metric: str = "conll", within: str = "") -> Confusion:
    """The type of the mention (rows) against the kind of error, or "none": a class alone."""
    return confusion(table, "type", "kind", metric=metric, of=within)


def confusion(
    table: pd.DataFrame, rows: str, columns: str, *, metric: str = "conll", of: str = ""
) -> Confusion:
    """Count the rows of an error table that a query finds by two fields of choices or names.

    metric  whose gains are added up: its column is `cost_<metric>`

    Raises QueryError as parsing and matching the query do.
    """
    table = table[parse(of).matches(table)]
    one, other = (_values(table, _FIELDS[name]) for name in (rows, columns))
    costs = table[f"cost_{metric}"].to_numpy(dtype=np.float64, na_value=np.nan)
    counts = _crossed(one, other, np.ones(len(table)))
    gains = _crossed(one, other, costs)
    frames = (pd.DataFrame(of, one.names, other.names) for of in (counts.astype(int), gains))
    return Confusion(rows, columns, of, *frames)


@dataclass(frozen=True)
class _Values:
    """A field of some rows: (rows,) the cell of each, (cells, names) which values each cell has."""

    cell: IntArray
    has: FloatArray
    names: tuple[str, ...]


def _values(table: pd.DataFrame, field: Field) -> _Values:
    cells: Cells = cells_of(table, field)
    every = [*cells.texts, (NONE,)]
    cell = np.where(cells.code < 0, len(cells.texts), cells.code)
    occur = {name for at in np.unique(cell).tolist() for name in every[at]}
    known = [*(field.choices or sorted(occur - {NONE})), NONE]
    names = tuple(name for name in known if name in occur)
    has = np.array([[name in of for name in names] for of in every], dtype=np.float64)
    return _Values(cell, has.reshape(len(every), len(names)), names)


def _crossed(one: _Values, other: _Values, weights: FloatArray) -> FloatArray:
    """(names, names) the weights of the rows that have both values, added up."""
    shape = len(one.has), len(other.has)
    of_cells = np.bincount(one.cell * shape[1] + other.cell, weights, shape[0] * shape[1])
    values = of_cells.reshape(shape)
    known = one.has.T @ np.nan_to_num(values) @ other.has
    unknown = one.has.T @ np.isnan(values) @ other.has
    return np.where(unknown > 0, np.nan, known)
