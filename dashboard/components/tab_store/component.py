"""A text in the storage of the browser's tab, which outlives a reload."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.assets import id_of, script


def store_in_tab(name: str, text: str | None, *, on_stored: Callable[[str], None]) -> None:
    """Store a text under a name, or remove what is stored if it is empty; where there is none yet,
    hand over that of the tab.

    on_stored  called with the text that the tab has
    """
    component = st.components.v2.component(
        "corescore_tab_store", js=script("tab_store/tab_store.js")
    )
    key = id_of(f"store of {name}")
    component(
        key=key,
        data={"name": name, "text": text},
        on_stored_change=lambda: on_stored(st.session_state[key]["stored"]),
    )
