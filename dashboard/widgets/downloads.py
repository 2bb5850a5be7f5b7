"""Taking along: a table as a file, a chart as a picture, a view as a link."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from corescore.plots import charts
from corescore.rendering import html as markup
from corescore.rendering.files import KINDS, file_name
from dashboard.components.assets import asset

PICTURES = ("SVG", "PNG")


def table(
    frame: pd.DataFrame,
    signature: str,
    *called: str,
    chart: Callable[[], go.Figure] | None = None,
) -> None:
    """The signature line under a table, and the table as a file: CSV, JSON or Parquet.

    frame   fractions, as they are
    called  what the table is and of which system; apart from all others of the page
    chart   draws the table, for one whose own bars are no picture; called when it is asked for
    """
    name = file_name(*called)
    with st.container(key=f"take-{name}", horizontal=True, gap="small"):
        st.html(markup.paragraph(signature, "signature"), width="content")
        with st.popover("Take along", type="tertiary", help="This table as a file"):
            for kind in KINDS:
                st.download_button(
                    kind.title,
                    partial(kind.write, frame, signature),
                    file_name=f"{name}.{kind.ending}",
                    mime=kind.mime,
                    key=f"take {name} {kind.ending}",
                    on_click="ignore",
                    type="tertiary",
                )
        if chart and st.button(
            "As a chart",
            key=f"chart {name}",
            type="tertiary",
            help="The same drawn, to be saved as a picture",
        ):
            _show_chart(chart(), called)


@st.dialog("As a chart", width="large")
def _show_chart(figure: go.Figure, called: Sequence[str]) -> None:
    """The chart with its camera, and what the camera saves."""
    above = st.container()
    chosen = st.segmented_control(
        "The camera at its upper right saves",
        PICTURES,
        default=_chosen_picture(),
        required=True,
        key="picture",
    )
    name = file_name(*called)
    camera = {**charts.config(name, chosen.lower()), "displayModeBar": True}
    above.plotly_chart(figure, key=f"drawn {name}", config=camera)


def _chosen_picture() -> str:
    return str(st.session_state.get("pictures", PICTURES[0]))


def pictures(*called: str) -> dict[str, Any]:
    """What `st.plotly_chart` takes as `config`: the chart's camera saves the chosen format.

    called  what the chart is and of which system
    """
    return charts.config(file_name(*called), _chosen_picture().lower())


def choose_pictures() -> None:
    """A switch between SVG and PNG for all charts."""
    st.segmented_control(
        "The camera of a chart saves",
        PICTURES,
        default=PICTURES[0],
        required=True,
        key="pictures",
        bind="query-params",
        persist_state="session",
        help="SVG stays sharp at any size and can be edited; PNG is for slides. Both keep the "
        "background of the theme, so save from the light one for print.",
    )


def copy_link(label: str, *, key: str) -> None:
    """A button that copies the address of the view, with all that is chosen in it."""
    component = st.components.v2.component(
        "corescore_copy_link", css=asset("copy_link.css"), js=asset("copy_link.js")
    )
    component(key=key, data={"label": label})
