"""Names in HTML, and in the pseudo-HTML of charts."""

import re
from unicodedata import normalize

from markupsafe import Markup, escape

from corescore.metrics import name_of
from corescore.sentences.names import subscripted

_SUBSCRIPT = re.compile("[ₐ-ₜ]")


def title(metric: str) -> Markup:
    """A metric's name in HTML."""
    return escaped(name_of(metric))


def escaped(words: str) -> Markup:
    """Words in HTML, the metrics’ names with their subscripts."""
    told = str(escape(subscripted(words)))
    return Markup(_SUBSCRIPT.sub(lambda found: f"<sub>{normalize('NFKC', found[0])}</sub>", told))
