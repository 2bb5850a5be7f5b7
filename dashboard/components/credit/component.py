"""A passage once for each metric, its mentions shaded by the credit that the metric gives."""

from collections.abc import Callable
from dataclasses import asdict

import streamlit as st

from corescore.rendering.panels import Panels
from dashboard.components.assets import script, style
from dashboard.components.strip.strip import Strip


def show_panels(
    panels: Panels,
    strip: Strip,
    *,
    key: str,
    on_mention: Callable[[], None],
    on_place: Callable[[], None],
) -> None:
    """Draw the strip of the document's losses and the panels.

    on_mention  called when a mention is clicked: `st.session_state[key].mention`, or "" for none
    on_place    called when a stretch of the strip is: its first word, `st.session_state[key].place`
    """
    component = st.components.v2.component(
        "corescore_credit",
        css=style("credit.css", "strip/strip.css"),
        js=script("strip/strip.js", "credit/credit.js"),
    )
    values = asdict(panels) | {"strip": asdict(strip)}
    component(data=values, key=key, on_mention_change=on_mention, on_place_change=on_place)
