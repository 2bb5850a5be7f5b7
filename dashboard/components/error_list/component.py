"""The list of errors with its search box and its facets."""

from collections.abc import Callable
from dataclasses import asdict

import streamlit as st

from dashboard.components.assets import script, style
from dashboard.components.error_list.values import ErrorListing

_SCRIPTS = ("search.js", "facets.js", "rows.js", "error_list.js")


def show_list(listing: ErrorListing, *, key: str, on_told: Callable[[], None]) -> None:
    """Draw the list; what was done in it stands in `st.session_state[key].told` when `on_told` is
    called: the query, the order and the open row, the first row that is wanted, what is typed and
    where the cursor is, and the number of the report."""
    component = st.components.v2.component(
        "corescore_error_list",
        css=style("mentions.css", "error_list/error_list.css"),
        js=script(*(f"error_list/{name}" for name in _SCRIPTS)),
    )
    component(data=asdict(listing), key=key, on_told_change=on_told)
