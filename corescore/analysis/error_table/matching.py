"""The rows of an error table that a query finds, column by column.

Names and choices are compared once for each distinct value; words are searched by Arrow's RE2,
which takes time in proportion to the text whatever the expression, and knows no backtracking.
"""

import operator
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from corescore.analysis.error_table.fields import Field, choices_of, fields_in, nearest
from corescore.analysis.error_table.terms import (
    IS,
    NONE,
    All,
    Either,
    Node,
    Not,
    QueryError,
    Term,
    Value,
)
from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.tolerances import WHOLE

SECONDS = 2.0  # that one search may take
_ROWS = 4096  # searched between two looks at the clock

_COMPARE: dict[str, Callable[[FloatArray, float], BoolArray]] = {
    ">": lambda values, number: values > number + WHOLE,
    ">=": lambda values, number: values >= number - WHOLE,
    "<": lambda values, number: values < number - WHOLE,
    "<=": lambda values, number: values <= number + WHOLE,
    IS: lambda values, number: np.abs(values - number) <= WHOLE,
}


def matching(node: Node, frame: pd.DataFrame) -> BoolArray:
    """(rows,) whether a node holds; QueryError as `Query.matches`."""
    match node:
        case Term():
            return _term(node, frame)
        case Not(inner):
            return ~matching(inner, frame)
        case All(nodes):
            found = (matching(one, frame) for one in nodes)
            return reduce(operator.and_, found, np.ones(len(frame), dtype=bool))
        case Either(nodes):
            return reduce(operator.or_, (matching(one, frame) for one in nodes))


def _term(term: Term, frame: pd.DataFrame) -> BoolArray:
    field = term.field
    if not set(field.columns) <= set(frame.columns):
        raise _lacks(term, [one.name for one in fields_in(list(frame.columns))])
    if field.holds == "number":
        return _numbers(term, frame)
    if field.holds == "words":
        return _words(term, frame)
    if field.holds == "name" and not field.is_list:
        return _names(term, frame[field.columns[0]])
    return _cells(term, cells_of(frame, field))


def _lacks(term: Term, known: Sequence[str]) -> QueryError:
    near = nearest(term.field.name, known)
    advice = term.field.needs or (f'The nearest that it has is "{near}".' if near else "")
    found = f"{term.field.name}, which this table does not have"
    return QueryError(term.at, found, "another field", advice)


# Numbers ------------------------------------------------------------------------------------------


def numbers_of(column: "pd.Series[float]") -> FloatArray:
    """The values of a column of numbers or truth values; NaN where there is none."""
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


def _numbers(term: Term, frame: pd.DataFrame) -> BoolArray:
    values = numbers_of(frame[term.field.columns[0]])
    compare = _COMPARE[term.operator]
    found = (
        np.isnan(values) if value.kind == NONE else compare(values, float(value.text))
        for value in term.values
    )
    return reduce(operator.or_, found)


# Names, choices and truth values ------------------------------------------------------------------


@dataclass(frozen=True)
class Cells:
    """The distinct cells of a column.

    code   (rows,) the cell of each row, by its position in `texts`; −1 where there is no value
    texts  the values of each cell
    """

    code: IntArray
    texts: tuple[tuple[str, ...], ...]


def cells_of(frame: pd.DataFrame, field: Field) -> Cells:
    """The cells of a field that holds choices, names or truth values."""
    column = frame[field.columns[0]]
    if field.holds == "truth":
        values = numbers_of(column)
        code = np.where(np.isnan(values), -1, np.where(values > 0, 0, 1))
        texts: list[tuple[str, ...]] = [(choice,) for choice in field.choices]
    else:
        code, distinct = pd.factorize(column)
        cells = distinct.tolist()  # to walk through it as it is takes twenty times as long
        at = [-1 if cell == "" else number for number, cell in enumerate(cells)]
        code = np.array([*at, -1], dtype=np.int64)[code]
        texts = [tuple(cell.split(", ")) if field.is_list else (cell,) for cell in cells]
    if field.absent:
        code = np.where(frame[field.absent].isna(), -1, code)
    return Cells(code, tuple(texts))


def _cells(term: Term, cells: Cells) -> BoolArray:
    wanted = set().union(*(_wanted(term, value, cells) for value in term.values))
    is_absent_wanted = any(value.kind == NONE for value in term.values)
    is_wanted = [*(not wanted.isdisjoint(cell) for cell in cells.texts), is_absent_wanted]
    return np.array(is_wanted)[cells.code]


def _wanted(term: Term, value: Value, cells: Cells) -> set[str]:
    """The values of cells that a value of a term means."""
    if value.kind == NONE:
        return {NONE}
    if value.kind == "choice":
        return set(choices_of(term.field, value.text))
    known = {text for cell in cells.texts for text in cell}
    if value.text in known and value.kind == "text":
        return {value.text}
    names = sorted(known)
    expression = value.text if value.kind == "regex" else f"(?i)^{_written(value, '(?s:.*)')}$"
    fits = _fits(pa.array(names, pa.large_string()), expression, term.at)
    return {name for name, does in zip(names, fits, strict=True) if does}


def _names(term: Term, column: "pd.Series[str]") -> BoolArray:
    """The cells of one name, which may be as many as there are rows, are not taken apart."""
    texts = {value.text for value in term.values if value.kind in ("text", "none")}
    found = column.isin(list(texts)).to_numpy()
    if any(value.kind == NONE for value in term.values):
        found = found | _is_empty(column)
    others = texts - {NONE} - set(column[found].unique())
    expressions = [value.text for value in term.values if value.kind == "regex"]
    whole = [_written(v, "(?s:.*)") for v in term.values if v.kind == "pattern" or v.text in others]
    return found | _any_fits(column, [*expressions, *(f"(?i)^{name}$" for name in whole)], term.at)


# Words --------------------------------------------------------------------------------------------


def check_regex(expression: str, at: int) -> None:
    """QueryError with the position `at` for what is no regular expression of RE2's."""
    try:
        pc.match_substring_regex(pa.array([""]), pattern=expression)
    except pa.ArrowInvalid as error:
        reason = str(error).removeprefix("Invalid regular expression: ").partition(": ")[0]
        found = f"/{expression}/, in which RE2 finds: {reason}"
        raise QueryError(at, found, "a regular expression of RE2") from None


def _words(term: Term, frame: pd.DataFrame) -> BoolArray:
    regexes = [value.text for value in term.values if value.kind == "regex"]
    named = [_written(v, "[^ ]*") for v in term.values if v.kind in ("text", "pattern")]
    words = [f"(?i)(?:^| )(?:{'|'.join(named)})(?: |$)"] if named else []
    found = np.zeros(len(frame), dtype=bool)
    for name in term.field.columns:
        found |= _any_fits(frame[name], [*regexes, *words], term.at)
    if term.field.also in frame.columns:
        found |= _any_fits(frame[term.field.also], words, term.at)
    if any(value.kind == NONE for value in term.values):
        found |= _has_none(term.field, frame)
    return found


def _has_none(field: Field, frame: pd.DataFrame) -> BoolArray:
    """(rows,) whether none of a field's columns has words."""
    if field.absent:
        return frame[field.absent].isna().to_numpy()
    return reduce(operator.and_, (_is_empty(frame[name]) for name in field.columns))


def _is_empty(column: "pd.Series[str]") -> BoolArray:
    return (column.isna() | (column == "")).to_numpy(dtype=bool)


def _any_fits(column: "pd.Series[str]", expressions: Iterable[str], at: int) -> BoolArray:
    """(rows,) whether one of the expressions is found in the text of each row."""
    is_categorical = isinstance(column.dtype, pd.CategoricalDtype)
    values = column.cat.categories if is_categorical else column
    texts = pa.array(values, pa.large_string(), from_pandas=True)
    found = np.zeros(len(texts), dtype=bool)
    for expression in expressions:
        found |= _fits(texts, expression, at)
    return np.append(found, False)[column.cat.codes] if is_categorical else found


def _fits(texts: pa.Array, expression: str, at: int) -> BoolArray:
    """(texts,) whether the expression is found in each text."""
    until = time.monotonic() + SECONDS
    fits = [np.zeros(0, dtype=bool)]
    for first in range(0, len(texts), _ROWS):
        if time.monotonic() > until:
            found = f"a search of more than {SECONDS:.0f} seconds"
            raise QueryError(at, found, "a shorter or simpler one")
        part = pc.match_substring_regex(texts.slice(first, _ROWS), pattern=expression)
        fits.append(np.asarray(part.fill_null(False), dtype=bool))
    return np.concatenate(fits)


def _written(value: Value, anything: str) -> str:
    """The expression for a text, or for a pattern in which `*` stands for `anything`."""
    parts = value.text.split("*") if value.kind == "pattern" else [value.text]
    return anything.join(map(re.escape, parts))
