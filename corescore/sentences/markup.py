"""Names for places that read markup: HTML, and labels that Streamlit reads as Markdown."""

import re
from html import escape

from corescore.sentences.names import TITLES, subscripted


def plain(text: str) -> str:
    """Text for a label that Streamlit reads as Markdown: nothing in it is a mark any more."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def title(metric: str) -> str:
    """A metric's name in HTML."""
    return escaped(TITLES[metric])


def escaped(words: str) -> str:
    """Words in HTML, the two CEAF with their subscripts."""
    told = escape(subscripted(words))
    return told.replace("CEAFₘ", "CEAF<sub>m</sub>").replace("CEAFₑ", "CEAF<sub>e</sub>")
