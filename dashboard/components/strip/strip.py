"""The strip of a document: how many errors, or other stops, each stretch of it has."""

from collections.abc import Iterable
from dataclasses import dataclass

from corescore.rendering.html import Window

STRETCHES = 150  # of a document, at most


@dataclass(frozen=True)
class Strip:
    """The whole document as a row of bars: how many stops of the next-error key each has.

    words, width  of the document, and of each bar
    window        the first word that is shown, and the first after it
    """

    words: int
    width: int
    counts: list[int]
    window: tuple[int, int]


def strip(n_words: int, stops: Iterable[int], window: Window) -> Strip:
    """The strip of a document of `n_words` words; `stops`: the words where its stops start."""
    width = max(1, -(-n_words // STRETCHES))
    counts = [0] * -(-n_words // width)
    for start in stops:
        counts[start // width] += 1
    return Strip(n_words, width, counts, (window.start, window.end))
