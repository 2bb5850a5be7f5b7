"""The pages' own scripts and styles."""

from pathlib import Path

import streamlit as st

_STATIC = Path(__file__).parent / "static"


@st.cache_data
def asset(name: str) -> str:
    """A file of `static/`."""
    return (_STATIC / name).read_text(encoding="utf-8")
