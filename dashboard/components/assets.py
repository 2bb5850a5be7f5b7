"""The scripts and styles of the components."""

from pathlib import Path

import streamlit as st

from corescore.rendering import STYLES

_HERE = Path(__file__).parent


@st.cache_data
def script(*names: str) -> str:
    """The scripts of a component as one module, after the helpers that all of them share."""
    return "".join((_HERE / name).read_text(encoding="utf-8") for name in ("dom.js", *names))


@st.cache_data
def style(name: str) -> str:
    """A component's style, or one that pages and reports share."""
    found = next(path for path in (_HERE / name, STYLES / name) if path.is_file())
    return found.read_text(encoding="utf-8")
