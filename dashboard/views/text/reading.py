"""A document as it is read on the page Text."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from corescore.corpus.documents import Document
from dashboard.components.passage.mentions import Drawn
from dashboard.session.loaded import Loaded, System


@dataclass(frozen=True)
class Reading:
    """A document as it is read: with one response to it, or with A and B.

    table    of `mention_table` or `outcome_table`, the rows of the document
    every    all mentions that can be drawn
    sides    the names of the sides
    summary  what became of the mentions, in a sentence
    """

    loaded: Loaded
    systems: Sequence[System]
    key: Document
    table: pd.DataFrame
    every: Sequence[Drawn]
    sides: Sequence[str]
    summary: str

    @property
    def together(self) -> bool:
        """Whether A and B are read on one text."""
        return len(self.systems) > 1
