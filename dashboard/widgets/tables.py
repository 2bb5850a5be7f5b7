"""Tables, and tables as files."""

import tomllib
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.arrow import DataframeSelectionState, SelectionMode
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.plots.template import Figure, config
from corescore.rendering.columns import column, counted
from corescore.rendering.drawn import with_decimals
from corescore.rendering.tables import KINDS, FileKind, file_name
from corescore.sentences.many import NARROW, told_apart
from corescore.wording import p_value, signed, signed_count, written
from dashboard.widgets.page import clicked, show_signature, side_by_side
from dashboard.widgets.selection import switch

# --------------------------------------------------------------------------------------------------
# Numbers in the tables of pages, with the minus sign and the separator that they have elsewhere,
# and names of documents that are long.
# Streamlit writes numbers as printf does, with a hyphen, and shows but the beginning of a name.
# What is written here is what a table shows; it still sorts by what there is, and downloads have
# that.

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


# Columns ------------------------------------------------------------------------------------------

_COLUMNS = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
_FORMATS = {"score": "%.2f", "points": "%+.2f"}
_TEXTS = ("", "text")  # kinds of columns without numbers


def columns(name: str, **words: object) -> dict[str, ColumnConfig]:
    """The columns of a table in columns.toml.

    words  what stands in braces there
    """
    return {
        one.rpartition(".")[2]: _column(one, words, **looks)
        for one, looks in _COLUMNS[name].items()
    }


def _column(
    name: str, words: Mapping[str, object], head: str = "", kind: str = "", **looks: Any
) -> ColumnConfig:
    """A column as columns.toml has it, or as the core does if that gives no head and no kind."""
    one = column(name)
    looks["help"] = looks.get("help", "" if head or kind else one.about).format(**words) or None
    if head or kind:
        head, form, is_number = head.format(**words) or name, _FORMATS.get(kind), kind not in _TEXTS
    else:
        form = "%+.2f" if one.write is signed else "%.2f" if one.unit else None
        head, is_number = one.titled, bool(form) or one.write is counted
        if one.write is p_value:  # these are texts
            looks["alignment"] = "right"
    if not is_number:
        return st.column_config.TextColumn(head, **looks)
    return st.column_config.NumberColumn(head, **{"format": form, **looks})


def number_column(head: str, width: int, help: str = "", **looks: Any) -> ColumnConfig:
    """A column of numbers that columns.toml cannot have, as it is one of several."""
    return st.column_config.NumberColumn(head, width=width, help=help or None, **looks)


score_column = partial(number_column, format="%.2f")
points_column = partial(number_column, format="%+.2f")  # with their sign

# Tables -------------------------------------------------------------------------------------------

Cell = tuple[int, str]

ROW = 32  # pixels

_CELLS: tuple[SelectionMode, ...] = ("single-cell",)

_HEADS: tuple[SelectionMode, ...] = ("single-column",)

MOST_ROWS = 1000  # of a longer table, the browser gets so many at once


def table(
    shown: pd.DataFrame,
    columns: Columns | None = None,
    *,
    key: str,
    alt: str,
    most: int = 10,
    on_select: Callable[[], None] | None = None,
    heads: bool = False,
    row_height: int = ROW,
    height: int | None = None,
    missing: str | None = None,
    order: Sequence[str] | None = None,
    style: Callable[[pd.DataFrame], Styler] | None = None,
) -> Cell | None:
    """Draw a table; the cell that is selected, as the number of its row and the name of its column.

    A table of more than MOST_ROWS rows is drawn page by page.

    columns    how they are headed and written, by name
    most       rows that are seen without scrolling
    on_select  called when a cell is clicked; without it, none can be selected
    heads      whether it is also called when a column's head is, which otherwise sorts in the
               browser: the next visit knows nothing of it
    missing    what stands where a value is missing
    order      the columns that are shown, in their order; None means all
    style      shades the rows that are shown
    """
    above = st.container()
    first = _first_row(len(shown), key, sorts="all" if heads else "these")
    rows = shown.iloc[first : first + MOST_ROWS]
    styler = style(rows) if style else rows.style
    written, columns = with_cells_written(rows, styler, columns or {}, missing)
    event = above.dataframe(
        written,
        height=height or row_height * (1 + min(most, max(1, len(shown)))) + 3,
        row_height=row_height,
        column_config=columns,
        column_order=order,
        hide_index=True,  # an index cannot be clicked
        key=_key_of_page(key, first),
        selection_mode=_CELLS + _HEADS if heads else _CELLS,
        on_select=on_select or "ignore",
        placeholder=missing,
        alt=alt,
    )
    return None if isinstance(event, DeltaGenerator) else _first_cell(event.selection, first)


def numbers(
    shown: pd.DataFrame, columns: Columns | None = None, *, key: str, alt: str, most: int = 12
) -> None:
    """Draw a table of numbers; those of a column with fractions have two decimals.

    columns  how they are headed and written, by name, where that is not enough
    """
    decimals = st.column_config.NumberColumn(format="%.2f")
    written = {**dict.fromkeys(with_decimals(shown), decimals), **(columns or {})}
    table(shown, written, key=key, alt=alt, most=most, missing="–")


def clicked_cell(key: str) -> Cell | None:
    """The cell that is selected in a table, for a function that is called by `on_select` or before
    the table is drawn again."""
    return _first_cell(_selected(key), _first_shown(key))


def clicked_head(key: str) -> str | None:
    """The column whose head is selected in a table with `heads`; see `clicked_cell`. The table that
    is drawn next should have another key: in the same one a second click would select no head."""
    return next(iter(_selected(key).get("columns", [])), None)


def _selected(key: str) -> DataframeSelectionState:
    state = st.session_state.get(_key_of_page(key, _first_shown(key)), {"selection": {}})
    selection: DataframeSelectionState = state["selection"]
    return selection


def _first_shown(key: str) -> int:
    first: int = st.session_state.get(f"{key} first row", 0)
    return first


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
    st.session_state[f"{key} first row"] = first
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
    return config(file_name(*name), _picture_format().lower())


@st.dialog("As a chart", width="large")
def show_as_picture(figure: Figure, name: Sequence[str]) -> None:
    """A chart in a window of its own, with the camera that saves it."""
    above = st.container()
    selected = st.segmented_control(
        "Save pictures as", FORMATS, default=_picture_format(), required=True, key="picture"
    )
    file = file_name(*name)
    always = config(file, selected.lower()) | {"displayModeBar": True}
    above.plotly_chart(figure, key=f"drawn {file}", config=always)


def select_format() -> None:
    """A switch between SVG and PNG for all charts."""
    switch("pictures")


def _picture_format() -> str:
    return str(st.session_state.get("pictures", FORMATS[0]))
