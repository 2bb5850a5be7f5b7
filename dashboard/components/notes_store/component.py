"""Notes in the storage of the browser's tab, which outlives a reload."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.assets import script


def store_notes(name: str, notes: str | None, *, on_stored: Callable[[str], None]) -> None:
    """Store notes, as JSON, under a name; where there are none yet, hand over those of the tab.

    on_stored  called with the notes that the tab has
    """
    component = st.components.v2.component(
        "corescore_notes_store", js=script("notes_store/notes_store.js")
    )
    key = f"store of {name}"
    component(
        key=key,
        data={"name": name, "notes": notes},
        on_stored_change=lambda: on_stored(st.session_state[key]["stored"]),
    )
