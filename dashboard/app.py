"""The dashboard: page set-up, side bar, navigation. `launch.py` starts it."""

from pathlib import Path

import streamlit as st

from corescore.rendering import STYLES
from dashboard.navigation import navigate
from dashboard.widgets import selection, sidebar

# Before the pages can be clicked: a click cuts the run short, and boxes not yet drawn would lose
# what the URL says.
selected = sidebar.select()
page = navigate()
st.set_page_config(
    page_title=f"{page.title} · corescore",
    page_icon=str(Path(__file__).parent / "static" / "icon.png"),
    layout="wide",
)
st.html(STYLES / "page.css")
sidebar.load(selected)
selection.enter(page.title)
page.run()
