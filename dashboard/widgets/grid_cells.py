"""Numbers in the tables of pages, with the minus sign and the separator that they have elsewhere,
and names of documents that are long.

Streamlit writes numbers as printf does, with a hyphen, and shows but the beginning of a name. What
is written here is what a table shows; it still sorts by what there is, and downloads have that.
"""

from collections.abc import Callable, Hashable, Mapping

import pandas as pd
from pandas.io.formats.style import Styler
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.sentences.many import NARROW, told_apart
from corescore.wording import signed, signed_count, written

_DOCUMENT = "document"  # the column of their names
Columns = Mapping[str, ColumnConfig | str | None]


def _plain(value: float) -> str:
    """1,384, −0.5, 0.0471: with at most four decimals."""
    return written(value, "z,.4f").rstrip("0").rstrip(".")


_WAYS: Mapping[str | None, Callable[..., str]] = {  # by the format of a column
    None: _plain,
    "%d": lambda value: written(value, ",.0f"),
    "%+d": signed_count,
    "%.2f": lambda value: written(value, "z,.2f"),
    "%.3f": lambda value: written(value, "z,.3f"),
    "%.6f": lambda value: written(value, "z,.6f"),
    "%+.2f": lambda points: signed(points / 100),
}


def with_cells_written(
    rows: pd.DataFrame, styler: Styler, columns: Columns, missing: str | None
) -> tuple[Styler, Columns]:
    """A styler of the rows with what it shows of their numbers and documents, and the columns
    without their formats, which would count instead.

    missing  what stands where a value is missing
    """
    ways: dict[Hashable, str | Callable[[object], str] | None] = {
        name: _WAYS[_format(columns.get(str(name)))] for name in rows.select_dtypes("number")
    }
    if _DOCUMENT in rows:
        names = told_apart(map(str, rows[_DOCUMENT].dropna()), longest=NARROW)
        ways[_DOCUMENT] = lambda name: names[str(name)]
    shown = styler.format(ways, na_rep="None" if missing is None else missing)
    return shown, {name: _without_format(column) for name, column in columns.items()}


def _format(column: ColumnConfig | str | None) -> str | None:
    kind = column.get("type_config") if isinstance(column, dict) else None
    return kind.get("format") if kind and kind["type"] == "number" else None


def _without_format(column: ColumnConfig | str | None) -> ColumnConfig | str | None:
    if not isinstance(column, dict) or _format(column) is None:
        return column
    return {**column, "type_config": {"type": "number"}}
