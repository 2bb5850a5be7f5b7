"""A button that downloads a file."""

from collections.abc import Callable

import streamlit as st


def offer(label: str, write: Callable[[], str | bytes], name: str, mime: str | None = None) -> None:
    """A button that downloads what `write` makes when it is clicked.

    Of a file that is there at once the browser asks as soon as it sees the button, and is refused
    where the page has been drawn anew in between.
    """
    st.download_button(label, write, file_name=name, mime=mime, on_click="ignore")
