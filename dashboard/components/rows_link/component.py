"""Numbers on a page that lead to the errors they count, and clicks that follow such a link."""

import streamlit as st

from dashboard.components.assets import script


def follow_rows(clicks: int, url: str) -> None:
    """Follow the links of the class "rows" within the session, and `url` once the number of clicks
    has grown; to be called once on every page."""
    component = st.components.v2.component(
        "corescore_rows_link", js=script("clicks.js", "rows_link/rows_link.js")
    )
    component(key="rows_link", data={"clicks": clicks, "url": url})
