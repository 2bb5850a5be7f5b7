"""The pages' own scripts and styles."""

from pathlib import Path

import streamlit as st

from corescore.rendering import STYLES

_FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "static", STYLES)


@st.cache_data
def asset(name: str) -> str:
    """A file of `static/`, or of the styles that pages and reports share."""
    found = next(folder / name for folder in _FOLDERS if (folder / name).is_file())
    return found.read_text(encoding="utf-8")
