"""The words around the mentions that rows of the error table tell of."""

from collections.abc import Iterator

import pandas as pd

from corescore.analysis.errors.mentions import text_of
from corescore.counting.comparison import Comparison

# The columns of the table with the words of a mention, and those with its span.
SPANS = {
    "mention": ("start", "end"),
    "given": ("given_start", "given_end"),
    "antecedent": ("antecedent_start", "antecedent_end"),
}


def contexts(comparison: Comparison, rows: pd.DataFrame, *, words: int = 8) -> pd.DataFrame:
    """For rows of the error table of this comparison, with their index: `words` words before and
    after each mention, the antecedent it was given and the one it should have had.

    Columns: mention_before, mention_after; given_before, given_after; antecedent_before,
    antecedent_after. All are texts, joined by blanks; "" where there is no antecedent, and in a
    document without words or whose words are only names of mentions.
    """
    texts = dict(_texts(comparison, rows))
    columns = {}
    for name, (start, end) in SPANS.items():
        around = [
            _around(texts[document], first, last, words)
            for document, first, last in zip(
                rows["document"].cat.codes.tolist(),
                rows[start].fillna(-1).tolist(),
                rows[end].fillna(-1).tolist(),
                strict=True,
            )
        ]
        columns[f"{name}_before"] = [before for before, _ in around]
        columns[f"{name}_after"] = [after for _, after in around]
    return pd.DataFrame(columns, index=rows.index, dtype="str")


def _texts(comparison: Comparison, rows: pd.DataFrame) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The words of each document that the rows name, by its number."""
    for number in set(rows["document"].cat.codes.tolist()):
        document = text_of(comparison, number)
        yield number, () if document.named_mentions else document.shown_words


def _around(text: tuple[str, ...], start: int, end: int, words: int) -> tuple[str, str]:
    if start < 0:
        return "", ""
    return " ".join(text[max(0, start - words) : start]), " ".join(text[end : end + words])
