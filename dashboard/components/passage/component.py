"""A document's words with lines under its mentions."""

from collections.abc import Callable
from dataclasses import asdict

import streamlit as st

from dashboard.components.assets import script, style
from dashboard.components.passage.values import Passage

_SCRIPTS = ("entities.js", "words.js", "beside.js", "chosen.js", "passage.js")


def show_passage(
    passage: Passage,
    *,
    key: str,
    on_mention: Callable[[], None] = lambda: None,
    on_place: Callable[[], None] = lambda: None,
) -> None:
    """Draw a passage.

    on_mention  called when a mention is clicked: `st.session_state[key]["chosen"]`, or "" for none
    on_place    called when a word in another window is: `st.session_state[key]["place"]`
    """
    component = st.components.v2.component(
        "corescore_passage",
        css=style("mentions.css", "strip/strip.css", "passage/passage.css"),
        js=script("strip/strip.js", *(f"passage/{name}" for name in _SCRIPTS)),
    )
    component(data=asdict(passage), key=key, on_chosen_change=on_mention, on_place_change=on_place)
