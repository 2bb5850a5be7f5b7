"""Errors: what should be fixed first?"""

import streamlit as st

from dashboard.session.loaded import loaded_systems
from dashboard.views.errors.asked import NAMES, has_arrived
from dashboard.views.errors.impact import PARAMETERS, show_impact
from dashboard.views.errors.one_by_one import show_errors
from dashboard.widgets import selection
from dashboard.widgets.link_values import switch
from dashboard.widgets.page import title

ONE_BY_ONE, BY_KIND = "one by one", "by kind"


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = title("What should be fixed first?")
    _open_linked_tab()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tab = switch("Show errors", [ONE_BY_ONE, BY_KIND], key="tab", is_lasting=True)
        system = loaded.system(selection.select_letter("Errors of", loaded))
    if tab == BY_KIND:
        show_impact(loaded, system, head)
    else:
        show_errors(loaded, system, head.empty())


def _open_linked_tab() -> None:
    """Where a link leads here: links that are older than the tabs select what is in the second;
    those that ask for errors open the first."""
    if not (has_arrived() and "tab" not in st.query_params):
        return
    if any(name in st.query_params for name in NAMES):
        st.session_state["tab"] = ONE_BY_ONE
    elif any(name in st.query_params for name in PARAMETERS):
        st.session_state["tab"] = BY_KIND
