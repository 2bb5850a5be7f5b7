"""Errata: what is printed and does not come out? And every statement of the papers."""

import streamlit as st

from dashboard.views.errata.errata import show_errata
from dashboard.views.errata.statements import show_statements
from dashboard.widgets.link_values import drop_empty

SHOWN = ("Errata", "Statements")


def page() -> None:
    """The errata or the statements, as the URL says."""
    place = st.container()
    drop_empty("show")
    shown = st.segmented_control(
        "Show",
        SHOWN,
        default=SHOWN[0],
        required=True,
        key="show",
        bind="query-params",
        label_visibility="collapsed",
    )
    if shown == "Statements":
        show_statements(place)
    else:
        show_errata(place)
