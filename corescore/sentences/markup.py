"""Names for places that read markup: HTML, and labels that Streamlit reads as Markdown."""

import re

from markupsafe import Markup, escape

from corescore.sentences.names import TITLES, subscripted


def plain(text: str) -> str:
    """Text for a label that Streamlit reads as Markdown: nothing in it is a mark any more."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def title(metric: str) -> Markup:
    """A metric's name in HTML."""
    return escaped(TITLES[metric])


def escaped(words: str) -> Markup:
    """Words in HTML, the two CEAF with their subscripts."""
    told = escape(subscripted(words))
    for letter, subscript in (("m", "ₘ"), ("e", "ₑ")):
        told = told.replace(f"CEAF{subscript}", Markup("CEAF<sub>{}</sub>").format(letter))
    return told
