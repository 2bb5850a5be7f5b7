"""The order of the rows of an error table."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from corescore.analysis.error_table.fields import Field, fields_in
from corescore.analysis.error_table.matching import numbers_of
from corescore.arrays import FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.tolerances import PLACES

TEXT_ORDER = "text"
DIRECTIONS = ("ascending", "descending")


@dataclass(frozen=True)
class Order:
    """A field by which rows are ordered; None leaves them in text order."""

    field: Field | None
    is_descending: bool


def orders_of(frame: pd.DataFrame) -> tuple[str, ...]:
    """The names of the orders that a table can have: "text", and those of its fields."""
    return (TEXT_ORDER, *(field.name for field in fields_in(list(frame.columns))))


def order_of(text: str, frame: pd.DataFrame) -> Order:
    """The order of this name: "text", "cost.lea", "size:ascending".

    Without a direction numbers, and yes before no, are descending, names ascending; documents are
    in the key's order. Raises PolicyError for what is neither a field that the table has nor a
    direction.
    """
    name, _, direction = text.partition(":")
    by_name = {field.name: field for field in fields_in(list(frame.columns))}
    field = by_name.get(choose("order", name, (TEXT_ORDER, *by_name)))
    if direction:
        return Order(field, choose("direction", direction, DIRECTIONS) == "descending")
    return Order(field, field is not None and field.holds in ("number", "truth"))


def ordered(frame: pd.DataFrame, text: str) -> IntArray:
    """(rows,) the rows of an error table by their positions in an order, as `order_of` names it.

    Rows that are equal in it stay in text order, those without a value come last.
    """
    order = order_of(text, frame)
    if order.field is None:
        return np.arange(len(frame))[:: -1 if order.is_descending else 1]
    keys = _keys(frame, order.field)
    return np.argsort((-keys if order.is_descending else keys).round(PLACES), kind="stable")


def _keys(frame: pd.DataFrame, field: Field) -> FloatArray:
    """(rows,) numbers that sort as the field's values; NaN where there is none."""
    column = frame[field.columns[0]]
    keys = numbers_of(column) if field.holds in ("number", "truth") else _ranks(column)
    return np.where(frame[field.absent].isna(), np.nan, keys) if field.absent else keys


def _ranks(column: "pd.Series[str]") -> FloatArray:
    """(rows,) the place of each text: of a categorical among its categories, else by alphabet."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        code, texts = column.cat.codes.to_numpy(), column.cat.categories.tolist()
        rank = np.arange(len(texts) + 1, dtype=np.float64)
    else:
        code, distinct = pd.factorize(column)
        texts = pa.array(distinct, pa.large_string(), from_pandas=True)
        by_alphabet = pa.table({"folded": pc.utf8_lower(texts), "text": texts})
        keys = [(name, "ascending") for name in by_alphabet.column_names]
        rank = np.zeros(len(texts) + 1)
        rank[pc.sort_indices(by_alphabet, sort_keys=keys)] = np.arange(len(texts))
        texts = texts.to_pylist()
    rank[[*(at for at, text in enumerate(texts) if not text), len(texts)]] = np.nan
    return rank[code]
