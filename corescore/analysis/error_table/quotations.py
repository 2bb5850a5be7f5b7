"""Which mentions stand inside quotation marks."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from corescore.analysis.error_table.texts import Mentions
from corescore.analysis.errors.mentions import text_of
from corescore.arrays import BoolArray
from corescore.counting.comparison import Comparison

LONGEST = 300
_CLOSES = {
    "“": ("”",),
    "``": ("''", '"'),
    '"': ('"',),
    "„": ("“", "”"),
    "«": ("»",),
    "»": ("«",),
    "「": ("」",),
    "『": ("』",),
}
_MARK = re.compile("``|''|[“”„«»「」『』\"]")


def in_quotations(comparison: Comparison, mentions: Mentions) -> BoolArray:
    """(rows,) whether each stands inside a quotation (`quotations`); False without words."""
    width = 1 + max([mentions.end.max(initial=0), *(len(d.words) for d in comparison.key)])
    found = [
        (document * width + first, document * width + end)
        for document in range(len(comparison.key))
        for first, end in _quotations(comparison, document)
    ]
    starts, ends = np.array(found, dtype=np.int64).reshape(-1, 2).T
    start, end = (mentions.document * width + at for at in (mentions.start, mentions.end))
    place = np.searchsorted(starts, start, side="right") - 1
    inside: BoolArray = (place >= 0) & (end <= np.append(ends, -1)[place])
    return inside


def _quotations(comparison: Comparison, document: int) -> Iterator[tuple[int, int]]:
    text = text_of(comparison, document)
    return quotations(() if text.named_mentions else text.words)


def quotations(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(first, end) of each quotation with its marks, in words and half-open, in order.

    A mark opens one if none is open, and the next mark that may close it does: “ ”, `` '', „ “,
    « », » «, and straight marks in turn. A mark that is not closed within `LONGEST` words opens
    nothing: it was forgotten, or is no quotation mark. Single marks do not count, as they cannot
    be told from apostrophes.
    """
    opened = -1
    closes: tuple[str, ...] = ()
    for at, mark in _marks(words):
        if closes and at - opened > LONGEST:
            closes = ()
        if mark in closes:
            yield opened, at + 1
            closes = ()
        elif not closes and mark in _CLOSES:
            opened, closes = at, _CLOSES[mark]


def _marks(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The position and the mark of each; all words are searched at once, most have none."""
    found = [*_MARK.finditer(" ".join(words))]
    if found:
        ends = np.cumsum([len(word) + 1 for word in words])
        places = np.searchsorted(ends, [mark.start() for mark in found], side="right").tolist()
        yield from ((at, mark[0]) for at, mark in zip(places, found, strict=True))
