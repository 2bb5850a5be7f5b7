"""Errata: what is printed and does not come out? And every statement of the papers."""

import streamlit as st

from dashboard.views.errata.errata import show_errata
from dashboard.views.errata.statements import show_statements
from dashboard.widgets.link_values import switch

SHOWN = ("Errata", "Statements")


def page() -> None:
    """The errata or the statements, as the URL says."""
    place = st.container()
    shown = switch("Show", SHOWN, key="list", label_visibility="collapsed")
    if shown == "Statements":
        show_statements(place)
    else:
        show_errata(place)
