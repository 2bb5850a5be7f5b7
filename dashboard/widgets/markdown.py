"""Text for labels that Streamlit reads as Markdown."""

import re


def plain(text: str) -> str:
    """The text with nothing in it that Markdown would read as a mark."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
