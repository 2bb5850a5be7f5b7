"""A button that copies the URL of the page, with all selections in it."""

import streamlit as st

from dashboard.components.assets import script, style


def copy_link(label: str, *, key: str) -> None:
    """Draw the button."""
    component = st.components.v2.component(
        "corescore_copy_link",
        css=style("copy_link/copy_link.css"),
        js=script("copy_link/copy_link.js"),
    )
    component(key=key, data={"label": label})
