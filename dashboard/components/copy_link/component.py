"""Buttons that copy: the URL of the page, with all selections in it, or a line of text."""

import streamlit as st

from dashboard.components.assets import id_of, script, style


def copy_link(label: str, *, key: str) -> None:
    """A button that copies the URL of the page."""
    _copy(key, label=label, text="", what="The link")


def copy_text(label: str, text: str, *, key: str) -> None:
    """A small button that copies a text."""
    _copy(key, label=label, text=text, what="The text")


def _copy(key: str, **data: str) -> None:
    component = st.components.v2.component(
        "corescore_copy_link",
        css=style("copy_link/copy_link.css"),
        js=script("copy_link/copy_link.js"),
    )
    component(key=id_of(key), data=data)
