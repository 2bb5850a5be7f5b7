"""Names for places that read markup: HTML, and labels that Streamlit reads as Markdown."""

import re
from unicodedata import normalize

from markupsafe import Markup, escape

from corescore.metrics import name_of
from corescore.sentences.names import subscripted

_SUBSCRIPT = re.compile("[ₐ-ₜ]")


def plain(text: str) -> str:
    """Text for a label that Streamlit reads as Markdown: nothing in it is a mark any more."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def title(metric: str) -> Markup:
    """A metric's name in HTML."""
    return escaped(name_of(metric))


def escaped(words: str) -> Markup:
    """Words in HTML, the metrics’ names with their subscripts."""
    told = str(escape(subscripted(words)))
    return Markup(_SUBSCRIPT.sub(lambda found: f"<sub>{normalize('NFKC', found[0])}</sub>", told))
