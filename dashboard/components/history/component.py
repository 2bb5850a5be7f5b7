"""One entry of the browser's history for each page that somebody went to."""

import streamlit as st

from dashboard.components.assets import script


def keep_history() -> None:
    """Leave out the entries that Streamlit adds of itself; to be called once on every page."""
    component = st.components.v2.component("corescore_history", js=script("history/history.js"))
    component(key="history")
