"""Experiments: do the published observations hold?"""

import streamlit as st

from dashboard.views.experiments.experiment import show_experiment
from dashboard.views.experiments.gallery import show_gallery
from dashboard.views.experiments.links import (
    SELECTED,
    SHEET,
    experiments,
    rename,
    show_navigation,
)
from dashboard.views.experiments.sheet import show_sheet
from dashboard.widgets.page import headline


def page() -> None:
    """The experiment or sheet that the URL names, or the gallery of all."""
    rename()
    name = st.query_params.get(SELECTED, "")
    if name in experiments():
        show_navigation(name)
        show_experiment(experiments()[name])
    elif name == SHEET:
        show_navigation(name)
        show_sheet()
    else:
        if name:
            headline(f"There is no experiment “{name}”. These are all.")
        show_gallery()
