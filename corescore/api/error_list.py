"""The errors that a query finds."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corescore.scoring.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

    from corescore.rendering.notebook.shown import Shown


@dataclass(frozen=True)
class ErrorList:
    """What `Result.find` returns.

    table         the rows of `Result.error_table` that the query finds, in order, with their index
    query, order  as they were given
    scores        the result that has these errors
    """

    table: "pd.DataFrame"
    query: str
    order: str
    scores: Scores

    def __len__(self) -> int:
        return len(self.table)

    def top(self, number: int | None) -> "ErrorList":
        """The first of the list; None means all."""
        return replace(self, table=self.table[:number])

    def with_contexts(self, *, words: int = 8) -> "pd.DataFrame":
        """The table with `words` words before and after each mention, the antecedent it was given
        and the one it should have had: columns mention_before, mention_after and so on."""
        from corescore.analysis.error_table.found import with_contexts

        return with_contexts(self.scores.comparison, self.table, words=words)

    def show(self, *, most: int = 10, words: int = 40) -> "Shown":
        """The first errors of the list for a notebook: what is told of each, what its fix gains,
        and `words` words before and after it, once with the mentions of the key and once with
        those of the response. The mention is framed, the others of its entity are underlined.

        Raises PolicyError for a number below 1.
        """
        from corescore.rendering.notebook.passages import errors

        return errors(self.scores, self.table, self.query, most=most, words=words)
