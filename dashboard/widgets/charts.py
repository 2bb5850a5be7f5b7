"""Charts, each with what it draws as a table in reach."""

from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any, Literal, ParamSpec

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.layout_utils import Width
from streamlit.elements.plotly_chart import PlotlySelectionState

from corescore.plots.template import Figure, final
from corescore.rendering.exhibits import Exhibit
from dashboard.session.life import held
from dashboard.session.loaded import Loaded
from dashboard.session.state import state
from dashboard.widgets.page import clicked, fold
from dashboard.widgets.tables import Rows, camera, table

AS_TABLE = "As a table"

_Of = ParamSpec("_Of")


@cache
def kept(draw: Callable[_Of, Figure]) -> Callable[_Of, Figure]:
    """A function that draws, with the charts kept that it drew last: sessions that look at the same
    tables share them, and a page that is drawn again has them.

    Of tables below 50,000 rows only: Streamlit tells longer ones apart by a sample of their rows.
    All are let go with any upload: a table does not say what it was made of.
    """

    @wraps(draw)  # its name and code tell Streamlit what is kept
    def drawn(*tables: _Of.args, **how: _Of.kwargs) -> Figure:
        return final(draw(*tables, **how))

    keep = st.cache_resource(max_entries=64, show_spinner=False)(drawn)
    held.on_release(lambda _stamps: keep.clear())
    return keep


def chart(
    figure: Figure,
    *name: str,
    key: str,
    alt: str,
    rows: Callable[[], Rows] | str,
    on_select: Callable[[], None] | Literal["ignore", "rerun"] = "ignore",
    width: Width = "stretch",
) -> list[Any]:
    """Draw a chart with a camera that saves it; what the points stand for that are selected, as in
    `clicked_points`.

    name       what the chart is and of which system: the name of the picture
    rows       makes what is drawn as a table, which is offered below; or where the page has it
               anyway: the heading, caption or description of that table
    on_select  called when a point is clicked
    """
    event = st.plotly_chart(
        figure,
        width=width,
        key=key,
        selection_mode="points",
        on_select=on_select,
        config=camera(*name),
        alt=f"{alt} As a table: {rows}." if isinstance(rows, str) else alt,
    )
    if not isinstance(rows, str):
        as_table(rows, key=key, alt=alt)
    return [] if isinstance(event, DeltaGenerator) else _data(event.selection)


def exhibit(
    made: Exhibit,
    *name: str,
    key: str,
    on_select: Callable[[], None] | Literal["ignore"] = "ignore",
    rows: str = "",
) -> None:
    """Draw the chart of an exhibit, as `chart` does; it is kept if it is drawn by a `partial`.

    name  of which systems or documents
    rows  where the page has what is drawn as a table anyway
    """
    chart(
        figure_of(made),
        made.name,
        *name,
        key=key,
        alt=made.in_words,
        rows=rows or made.table,
        on_select=on_select,
    )


def figure_of(made: Exhibit) -> Figure:
    """The chart of an exhibit."""
    draw = made.draw
    return kept(draw.func)(*draw.args, **draw.keywords) if isinstance(draw, partial) else draw()


def as_table(rows: Callable[[], Rows], *, key: str, alt: str) -> None:
    """What a chart draws, in a box that is closed at first; the rows are made when it is opened."""

    def show() -> None:
        table(rows(), key=f"{key} numbers", alt=f"{AS_TABLE}: {alt}", most=12)

    fold(AS_TABLE, show, key=f"{key} as a table", type="compact")


def clicked_points(key: str) -> list[Any]:
    """What the points that are selected in a chart stand for: their `customdata`; for a function
    that is called by `on_select`."""
    return _data(st.session_state[key].selection)


def _data(selection: PlotlySelectionState) -> list[Any]:
    points = selection.get("points", [])
    return [point["customdata"] for point in points if point.get("customdata") is not None]


# Long work that is done once it is asked for, where there is much text ----------------------------

MANY_WORDS = 100_000


def is_wanted(loaded: Loaded, words: str, *, key: str) -> bool:
    """Whether to do some work: at once, or if there is much text after a click on a button.

    words  what the button says it does; a click counts as long as the same files are shown
    """
    n_words = sum(len(document.words) for document in loaded.key)
    stamps = tuple(system.stamps for system in loaded.systems)
    if n_words < MANY_WORDS or state.asked_for.get(key) == stamps:
        return True
    about = f"With {n_words:,} words this takes a while, so it is done when you ask for it."
    if clicked(words, key=f"ask {key}", help=about):
        state.asked_for = {**state.asked_for, key: stamps}
        return True
    st.caption(about)
    return False
