"""Charts, and charts as pictures."""

from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.elements.lib.layout_utils import Width

from corescore.plots.template import config
from corescore.rendering.files import file_name

FORMATS = ("SVG", "PNG")


def chart(
    figure: go.Figure,
    *name: str,
    key: str,
    alt: str,
    on_select: Callable[[], None] | None = None,
    width: Width = "stretch",
) -> None:
    """Draw a chart whose camera saves it as a picture of the selected format.

    name       what the chart is and of which system: the name of the picture
    on_select  called when a point is clicked; `clicked_points` then has it
    """
    st.plotly_chart(
        figure,
        width=width,
        key=key,
        selection_mode="points",
        on_select=on_select or "ignore",
        config=config(file_name(*name), _format().lower()),
        alt=alt,
    )


def clicked_points(key: str) -> list[Any]:
    """What the points that are selected in a chart stand for: their `customdata`."""
    points = st.session_state[key].selection.get("points", [])
    return [point["customdata"] for point in points if point.get("customdata") is not None]


@st.dialog("As a chart", width="large")
def show_as_picture(figure: go.Figure, name: Sequence[str]) -> None:
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
