"""A passage once for each metric, its mentions shaded by the credit that the metric gives."""

from collections.abc import Callable
from dataclasses import asdict

import streamlit as st

from corescore.rendering.panels import Panels
from dashboard.components.assets import script, style


def show_panels(panels: Panels, *, key: str, on_mention: Callable[[], None]) -> None:
    """Draw the panels; the mention that was clicked stands in `st.session_state[key].mention` when
    `on_mention` is called."""
    component = st.components.v2.component(
        "corescore_credit", css=style("credit.css"), js=script("credit/credit.js")
    )
    component(data=asdict(panels), key=key, on_mention_change=on_mention)
