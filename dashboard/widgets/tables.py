"""Tables, and tables as files."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.api.types import is_bool_dtype, is_float_dtype, is_numeric_dtype
from pandas.io.formats.style import Styler
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.arrow import DataframeSelectionState, SelectionMode
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.plots.template import Figure, config
from corescore.rendering.columns import Column, counted
from corescore.rendering.tables import KINDS, FileKind, file_name
from corescore.rendering.text import Table
from corescore.sentences.many import NARROW, told_apart
from corescore.wording import percent, signed, written
from dashboard.session.state import state
from dashboard.widgets.page import clicked, show_signature, side_by_side

# --------------------------------------------------------------------------------------------------
# How pages write what core tables have, with the minus sign and the separator that numbers have
# elsewhere, and names of documents that are long.
# Streamlit writes numbers as printf does, with a hyphen, and shows but the beginning of a name.
# What is written here is what a table shows; it still sorts by what there is, in percent and
# points, and downloads have that.

_DOCUMENT = "document"  # the column of their names

Columns = Mapping[str, ColumnConfig]
Rows = Table | pd.DataFrame  # of a frame as it is

_IN_PERCENT: Mapping[Callable[..., str] | None, Callable[[float], str]] = {
    percent: partial(written, spec="z,.2f"),
    signed: lambda points: signed(points / 100),
}  # how cells are written that are a hundred times those of the frame


def _is_number(values: pd.Series) -> bool:
    return is_numeric_dtype(values) and not is_bool_dtype(values)


def _values(one: Column, frame: pd.DataFrame) -> pd.Series:
    """What a column sorts by: numbers, those of fractions in percent, or what is written."""
    values = frame[one.of[0]]
    if len(one.of) == 1 and _is_number(values):
        return 100 * values if one.write in _IN_PERCENT else values
    if one.unit or one.write is None or one.write in (counted, *_IN_PERCENT):  # has words here
        return values
    cells = [one.write(*parts) for parts in zip(*(frame[name] for name in one.of), strict=True)]
    return pd.Series(cells, frame.index, dtype=str)


def _way(one: Column, values: pd.Series) -> Callable[..., str]:
    """What writes a number of the column."""
    has_decimals = is_float_dtype(values) and (
        one.head.endswith(" %") or bool((values.dropna() % 1).any())
    )
    plain = partial(written, spec="z,.2f" if has_decimals else ",.0f")
    return _IN_PERCENT.get(one.write) or one.write or plain


def with_cells_written(
    columns: Mapping[str, Column], rows: pd.DataFrame, styler: Styler, missing: str
) -> Styler:
    """A styler of the rows with what it shows of their numbers and documents.

    missing  what stands where a value is missing
    """
    ways: dict[Any, str | Callable[[object], str] | None] = {
        name: _way(one, rows[name]) for name, one in columns.items() if _is_number(rows[name])
    }
    if _DOCUMENT in rows:
        names = told_apart(map(str, rows[_DOCUMENT].dropna()), longest=NARROW)
        ways[_DOCUMENT] = lambda name: names[str(name)]
    return styler.format(ways, na_rep=missing)


def _config(one: Column, values: pd.Series) -> ColumnConfig:
    looks: dict[str, Any] = {"width": one.width or None, "help": one.about or None, **one.looks}
    if len(one.of) == 1 and _is_number(values):
        return st.column_config.NumberColumn(one.titled, **looks)
    return st.column_config.TextColumn(one.titled, **looks)


# Tables -------------------------------------------------------------------------------------------

Cell = tuple[int, str]

ROW = 32  # pixels

_CELLS: tuple[SelectionMode, ...] = ("single-cell",)

_HEADS: tuple[SelectionMode, ...] = ("single-column",)

MOST_ROWS = 1000  # of a longer table, the browser gets so many at once


def table(
    shown: Rows,
    *,
    key: str,
    alt: str,
    most: int = 10,
    on_select: Callable[[], None] | None = None,
    heads: bool = False,
    row_height: int = ROW,
    height: int | None = None,
    missing: str = "–",
    style: Callable[[pd.DataFrame], Styler] = lambda rows: rows.style,
    drawn_as: Columns | None = None,
) -> Cell | None:
    """Draw a table, or a frame as it is; the cell that is selected, as the number of its row and
    the name of its column.

    A table of more than MOST_ROWS rows is drawn page by page.

    most       rows that are seen without scrolling
    on_select  called when a cell is clicked; without it, none can be selected
    heads      whether it is also called when a column's head is, which otherwise sorts in the
               browser: the next visit knows nothing of it
    missing    what stands where a value is missing
    style      shades the rows that are shown
    drawn_as   columns of another kind, such as charts
    """
    if isinstance(shown, pd.DataFrame):
        shown = Table(shown, [Column(name, of=(name,)) for name in map(str, shown)])
    columns = {one.of[0]: one for one in shown.shown}
    every = pd.DataFrame({name: _values(one, shown.frame) for name, one in columns.items()})
    above = st.container()
    first = _first_row(len(every), key, sorts="all" if heads else "these")
    rows = every.iloc[first : first + MOST_ROWS]
    event = above.dataframe(
        with_cells_written(columns, rows, style(rows), missing),
        height=height or row_height * (1 + min(most, max(1, len(every)))) + 3,
        row_height=row_height,
        column_config={name: _config(one, every[name]) for name, one in columns.items()}
        | dict(drawn_as or {}),
        hide_index=True,  # an index cannot be clicked
        key=_key_of_page(key, first),
        selection_mode=_CELLS + _HEADS if heads else _CELLS,
        on_select=on_select or "ignore",
        placeholder=missing,
        alt=alt,
    )
    return None if isinstance(event, DeltaGenerator) else _first_cell(event.selection, first)


def clicked_cell(key: str) -> Cell | None:
    """The cell that is selected in a table, for a function that is called by `on_select` or before
    the table is drawn again."""
    return _first_cell(_selected(key), _first_shown(key))


def clicked_head(key: str) -> str | None:
    """The column whose head is selected in a table with `heads`; see `clicked_cell`. The table that
    is drawn next should have another key: in the same one a second click would select no head."""
    return next(iter(_selected(key).get("columns", [])), None)


def _selected(key: str) -> DataframeSelectionState:
    drawn = st.session_state.get(_key_of_page(key, _first_shown(key)), {"selection": {}})
    selection: DataframeSelectionState = drawn["selection"]
    return selection


def _first_shown(key: str) -> int:
    return state.first_rows.get(key, 0)


def _first_cell(selection: DataframeSelectionState, first: int) -> Cell | None:
    cell = next(iter(selection.get("cells", [])), None)
    return (first + cell[0], cell[1]) if cell else None


def _key_of_page(key: str, first: int) -> str:
    """Each page has a selection of its own."""
    return f"{key} from {first}" if first else key


def _first_row(n_rows: int, key: str, *, sorts: str) -> int:
    """The first row of the page that is shown; which rows these are is said below the table.

    sorts  what a click on a column's head sorts: all rows or these
    """
    first, n_pages = 0, -(-n_rows // MOST_ROWS)
    if n_pages > 1:
        with side_by_side("center"):
            first = MOST_ROWS * (st.pagination(n_pages, key=f"{key} page of {n_pages}") - 1)
            last = min(first + MOST_ROWS, n_rows)
            st.caption(
                f"Rows {first + 1:,} to {last:,} of {n_rows:,}. Click a column header to sort "
                f"{sorts}; the download has all.",
                width="content",
            )
    state.first_rows = {**state.first_rows, key: first}
    return first


def download(
    frame: pd.DataFrame | Callable[[], pd.DataFrame],
    signature: str,
    *name: str,
    chart: Callable[[], Figure] | None = None,
    signed: bool = False,
    about: str = "",
) -> None:
    """A table as a file: CSV, JSON or Parquet; perhaps with the signature line under it.

    frame   unrounded, or what makes it when it is downloaded
    name    what the table is and of which system; unique on the page
    chart   draws the table, for one whose bars cannot be saved as a picture
    signed  whether to show the signature: a page says it once
    about   what the signature is of, in words, on a page that has two of them
    """
    file = file_name(*name)
    with st.container(key=f"download-{file}", horizontal=True, gap="small"):
        if signed:
            show_signature(signature, key=file, about=about)
        with st.popover("Download", type="tertiary", help="Download this table as a file"):
            for kind in KINDS:
                st.download_button(
                    kind.title,
                    partial(_written, kind, frame, signature),
                    file_name=f"{file}.{kind.ending}",
                    mime=kind.mime,
                    key=f"download {file} {kind.ending}",
                    on_click="ignore",
                    type="tertiary",
                )
        if chart and clicked(
            "As a chart",
            key=f"chart {file}",
            type="tertiary",
            help="Show this table as a chart that can be saved as a picture",
        ):
            show_as_picture(chart(), name)


def _written(
    kind: FileKind, frame: pd.DataFrame | Callable[[], pd.DataFrame], signature: str
) -> str | bytes:
    return kind.write(frame() if callable(frame) else frame, signature)


# Charts as pictures -------------------------------------------------------------------------------


FORMATS = ("SVG", "PNG")


def camera(*name: str) -> dict[str, Any]:
    """Plotly's settings of a chart whose camera saves it as a picture of the selected format.

    name  what the chart is and of which system: the name of the picture
    """
    return config(file_name(*name), state.pictures.lower())


@st.dialog("As a chart", width="large")
def show_as_picture(figure: Figure, name: Sequence[str]) -> None:
    """A chart in a window of its own, with the camera that saves it."""
    above = st.container()
    selected = st.segmented_control(
        "Save pictures as", FORMATS, default=state.pictures, required=True, key="picture"
    )
    file = file_name(*name)
    always = config(file, selected.lower()) | {"displayModeBar": True}
    above.plotly_chart(figure, key=f"drawn {file}", config=always)
