"""Charts, and charts as pictures."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.layout_utils import Width
from streamlit.elements.plotly_chart import PlotlySelectionState

from corescore.plots.template import Figure, config
from corescore.rendering.files import file_name

FORMATS = ("SVG", "PNG")


def chart(
    figure: Figure,
    *name: str,
    key: str,
    alt: str,
    on_select: Callable[[], None] | Literal["ignore", "rerun"] = "ignore",
    width: Width = "stretch",
) -> list[Any]:
    """Draw a chart whose camera saves it as a picture of the selected format; what the points
    stand for that are selected, as in `clicked_points`.

    name       what the chart is and of which system: the name of the picture
    on_select  called when a point is clicked
    """
    event = st.plotly_chart(
        figure,
        width=width,
        key=key,
        selection_mode="points",
        on_select=on_select,
        config=config(file_name(*name), _format().lower()),
        alt=alt,
    )
    return [] if isinstance(event, DeltaGenerator) else _data(event.selection)


def clicked_points(key: str) -> list[Any]:
    """What the points that are selected in a chart stand for: their `customdata`; for a function
    that is called by `on_select`."""
    return _data(st.session_state[key].selection)


def _data(selection: PlotlySelectionState) -> list[Any]:
    points = selection.get("points", [])
    return [point["customdata"] for point in points if point.get("customdata") is not None]


@st.dialog("As a chart", width="large")
def show_as_picture(figure: Figure, name: Sequence[str]) -> None:
    """A chart in a window of its own, with the camera that saves it."""
    above = st.container()
    selected = st.segmented_control(
        "Save pictures as", FORMATS, default=_format(), required=True, key="picture"
    )
    file = file_name(*name)
    camera = config(file, selected.lower()) | {"displayModeBar": True}
    above.plotly_chart(figure, key=f"drawn {file}", config=camera)


def select_format() -> None:
    """A switch between SVG and PNG for all charts."""
    st.segmented_control(
        "Save charts as",
        FORMATS,
        default=FORMATS[0],
        required=True,
        key="pictures",
        bind="query-params",
        persist_state="session",
        help="What the camera at the upper right of a chart saves. SVG is sharp at any size and "
        "can be edited; PNG suits slides. Both keep the background of the theme: for print, save "
        "in the light theme.",
    )


def _format() -> str:
    return str(st.session_state.get("pictures", FORMATS[0]))
