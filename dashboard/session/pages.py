"""The pages of the app by name, so that a page can link to another without importing it."""

from collections.abc import Mapping

import streamlit as st


def keep_pages(pages: Mapping[str, st.Page]) -> None:
    """Keep the pages of this session; `page_named` finds them."""
    st.session_state["pages"] = pages


def page_named(name: str) -> st.Page:
    """A page for `st.page_link`, by its path in the URL; "overview" is the page at "/"."""
    page: st.Page = st.session_state["pages"][name]
    return page
