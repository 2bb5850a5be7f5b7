"""A note on files of the command line that have changed on the disk since they were loaded."""

import streamlit as st

from dashboard.session.newer import Changes, forget_given_up, load_newer
from dashboard.widgets.page import note


def say_changes(changes: Changes) -> None:
    """Say what became of the files on the disk, and offer to load the newer ones."""
    source = changes.source
    if changes.sentences:
        note(changes.sentences)
    if changes.are_newer:
        key = f"load newer {source}"
        st.button("Load the newer files", key=key, on_click=load_newer, args=(source,))
    elif changes.given_up:
        st.button("Close", key=f"close {source}", on_click=forget_given_up, args=(source,))
