"""Text for labels that Streamlit reads as Markdown."""

import re

from corescore.wording import unbroken


def plain(text: str) -> str:
    """The text with nothing in it that Markdown would read as a mark, and its numbers unbroken."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", unbroken(text))
