"""The head of a page, and its paragraphs."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.rendering.html import paragraph


def title(question: str) -> DeltaGenerator:
    """The page's title; the place below it, for the headline."""
    st.title(question, anchor=False)
    return st.container()


def subtitle(text: str) -> DeltaGenerator:
    """The title of a part of the page; the place below it, for its headline."""
    st.subheader(text, anchor=False)
    return st.container()


def headline(text: str) -> None:
    """What a chart or table says, in a sentence."""
    st.html(paragraph(text, "headline"))


def note(text: str) -> None:
    """How to read or use what stands above or below it."""
    st.html(paragraph(text, "note"))


def caution(text: str) -> None:
    """What weakens the numbers shown."""
    st.html(paragraph(text, "caution"))


def signature(text: str, *, below: str = "") -> None:
    """The policies behind the numbers; `below` some HTML, drawn in one piece with it."""
    st.html(below + paragraph(text, "signature"))
