"""The scripts and styles of the components, and their ids."""

from hashlib import sha256
from pathlib import Path

import streamlit as st

from corescore.rendering.html import STYLES

_HERE = Path(__file__).parent


@st.cache_data
def script(*names: str) -> str:
    """The scripts of a component as one module, after the helpers that all of them share."""
    return "".join((_HERE / name).read_text(encoding="utf-8") for name in ("dom.js", *names))


@st.cache_data
def style(*names: str) -> str:
    """The styles of a component one after the other, its own or those that pages and reports
    share."""
    places = ((_HERE / name, STYLES / name) for name in names)
    found = (next(path for path in both if path.is_file()) for both in places)
    return "".join(path.read_text(encoding="utf-8") for path in found)


def id_of(key: str) -> str:
    """The id of a component that is called so: Streamlit takes no underscores at the ends and no
    two of them together, which names of files and documents may have."""
    return sha256(key.encode()).hexdigest()
