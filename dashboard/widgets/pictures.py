"""Charts as pictures."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from corescore.plots.template import Figure, config
from corescore.rendering.tables import file_name
from dashboard.widgets.link_values import switch

FORMATS = ("SVG", "PNG")


def camera(*name: str) -> dict[str, Any]:
    """Plotly's settings of a chart whose camera saves it as a picture of the selected format.

    name  what the chart is and of which system: the name of the picture
    """
    return config(file_name(*name), _format().lower())


@st.dialog("As a chart", width="large")
def show_as_picture(figure: Figure, name: Sequence[str]) -> None:
    """A chart in a window of its own, with the camera that saves it."""
    above = st.container()
    selected = st.segmented_control(
        "Save pictures as", FORMATS, default=_format(), required=True, key="picture"
    )
    file = file_name(*name)
    always = config(file, selected.lower()) | {"displayModeBar": True}
    above.plotly_chart(figure, key=f"drawn {file}", config=always)


def select_format() -> None:
    """A switch between SVG and PNG for all charts."""
    switch(
        "Save charts as",
        FORMATS,
        key="pictures",
        is_lasting=True,
        help="What the camera at the upper right of a chart saves. SVG is sharp at any size and "
        "can be edited; PNG suits slides. Both are dark on white in either theme, with their "
        "font.",
    )


def _format() -> str:
    return str(st.session_state.get("pictures", FORMATS[0]))
