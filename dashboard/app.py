"""The dashboard: page set-up, side bar, navigation. `launch.py` starts it."""

from pathlib import Path

import streamlit as st

from corescore.rendering import STYLES
from dashboard.widgets import choosing, sidebar

_HERE = Path(__file__).parent

# Before the pages can be clicked: a click cuts the run short, and boxes not yet drawn would lose
# what the URL says.
choice = sidebar.choose()
page = st.navigation(
    {
        "Explore": [
            st.Page(_HERE / "views" / "overview.py", title="Overview", default=True),
            st.Page(_HERE / "views" / "documents.py", title="Documents"),
            st.Page(_HERE / "views" / "text.py", title="Text"),
            st.Page(_HERE / "views" / "credit.py", title="Credit"),
            st.Page(_HERE / "views" / "entities.py", title="Entities"),
            st.Page(_HERE / "views" / "links.py", title="Links"),
            st.Page(_HERE / "views" / "errors.py", title="Errors"),
        ],
        "Perturb": [
            st.Page(_HERE / "views" / "perturb.py", title="Perturb"),
            st.Page(_HERE / "views" / "experiments.py", title="Experiments"),
        ],
        "Compare": [
            st.Page(_HERE / "views" / "compare.py", title="Two resolvers"),
            st.Page(_HERE / "views" / "many.py", title="Many resolvers"),
        ],
        "Learn": [
            st.Page(_HERE / "views" / "sandbox.py", title="Sandbox"),
            st.Page(_HERE / "views" / "pitfalls.py", title="Pitfalls"),
            st.Page(_HERE / "views" / "lesson.py", title="Lesson"),
            st.Page(_HERE / "views" / "metrics.py", title="Metrics"),
        ],
        "Report": [
            st.Page(_HERE / "views" / "export.py", title="Export"),
        ],
    },
    expanded=True,
)
st.set_page_config(
    page_title=f"{page.title} · corescore",
    page_icon=str(_HERE / "static" / "icon.png"),
    layout="wide",
)
st.html(STYLES / "page.css")
sidebar.load(choice)
choosing.enter(page.title)
page.run()
