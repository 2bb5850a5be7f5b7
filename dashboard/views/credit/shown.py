"""What the Credit page shows."""

from dataclasses import dataclass

import pandas as pd

from corescore.corpus.documents import Document
from corescore.counting.comparison import Comparison
from dashboard.session.loaded import Loaded, System
from dashboard.widgets.text_link import Span


@dataclass(frozen=True)
class Shown:
    """A document, the response and the direction whose credit is shown.

    text    the words: of the key, or of the response where the key has none
    shares  of `share_table`: the mentions, and what each metric gives them
    """

    loaded: Loaded
    system: System
    document: str
    text: Document
    direction: str
    selected: Span
    shares: pd.DataFrame

    @property
    def comparison(self) -> Comparison:
        return self.system.result.comparison

    @property
    def own(self) -> Document:
        """The document of the side whose mentions are shown."""
        at = self.system.result.documents.index(self.document)
        return self.comparison.view(self.direction).documents[at]

    def words(self, start: int, end: int) -> str:
        return self.text.text(self.own.mention(start, end))
