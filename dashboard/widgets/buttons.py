"""A button for what the page does where it stands, such as making a file."""

from typing import Literal

import streamlit as st

_CLICKED = "clicked_button"  # until the page has drawn it


def clicked(
    label: str,
    *,
    key: str,
    help: str | None = None,
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
    disabled: bool = False,
) -> bool:
    """A button; whether it was clicked.

    The value of `st.button` is lost where the run that the click begins ends above the button, for
    another one: a click that follows at once does that, and so does `st.rerun`.
    """
    st.button(label, key=key, help=help, type=type, disabled=disabled, on_click=_note, args=(key,))
    if st.session_state.get(_CLICKED) != key:
        return False
    forget()
    return True


def _note(key: str) -> None:
    st.session_state[_CLICKED] = key


def forget() -> None:
    """Another page is shown, or the click was heeded."""
    st.session_state.pop(_CLICKED, None)
