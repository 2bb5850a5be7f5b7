"""Keys that press the buttons of a page with cards, and a card that fits a presenter's window."""

import streamlit as st

from dashboard.components.assets import script, style

_TIMES = "presenter_times"  # how often it was drawn, so that it is told of each time


def presenter_keys(hint: str, *, asks: bool, fits: str) -> None:
    """Listen to the keys, and say which there are.

    asks  whether there is, or soon will be, something to choose on the page
    fits  a CSS selector of what has to fit the window; none if empty
    """
    component = st.components.v2.component(
        "corescore_presenter",
        css=style("presenter/presenter.css"),
        js=script("presenter/presenter.js"),
    )
    times = st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1
    data = {"hint": hint, "asks": asks, "fits": fits, "times": times}
    component(key="presenter", data=data)
