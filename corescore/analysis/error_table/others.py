"""What another system makes of the mentions with an error: the class of the same mention there."""

import numpy as np
import pandas as pd

from corescore.analysis.error_table.columns import category
from corescore.analysis.error_table.rows import ErrorRows, error_rows
from corescore.analysis.errors.mentions import (
    DUPLICATED,
    MENTION_CLASSES,
    duplicates,
    mention_classes,
)
from corescore.analysis.significance.stack import check_same_key
from corescore.arrays import IntArray
from corescore.corpus.mentions import Pieces
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Singletons
from corescore.scoring.scores import Scores

_DUPLICATED = MENTION_CLASSES.index(DUPLICATED)
Place = tuple[int, int, int, Pieces]  # document, start, end and pieces of a mention


def with_other(table: pd.DataFrame, result: Scores, other: Scores) -> pd.DataFrame:
    """The error table of a result with a column for the result of another response to the key.

    other  a categorical: the class of the same mention in the other response. A mention that the
           key has is the same if it is the same of the key's; any other, if it has the same words,
           and NA where the other response does not have it. A duplicated mention is duplicated
           there if that response lists it again, too.

    Raises ValueError for results over other keys, or by other metrics or policies.
    """
    check_same_key(result, other)
    singletons = result.policies.singletons
    rows = error_rows(result.comparison, singletons=singletons)
    found = other_classes(result.comparison, rows, other.comparison, singletons=singletons)
    return table.assign(other=category(found, MENTION_CLASSES).set_axis(table.index))


def other_classes(
    comparison: Comparison, rows: ErrorRows, other: Comparison, *, singletons: Singletons = "keep"
) -> IntArray:
    """(rows,) the class of each row's mention in the other response, by its place in
    MENTION_CLASSES; −1 where that does not have the mention. See `with_other`."""
    is_duplicated = rows.are(DUPLICATED)
    partner = np.append(comparison.precision.own_partner, -1)
    key = np.where(is_duplicated, partner[rows.response], rows.key)
    classes = mention_classes(other)
    found = np.full(len(other.matching.key.document) + 1, -1)
    found[classes.key[classes.key >= 0]] = classes.number[classes.key >= 0]
    numbers = found[key]
    (places,) = np.nonzero((key < 0) | is_duplicated)
    mentions = _places(comparison, rows.response[places])
    of_place = dict(
        zip(
            _places(other, classes.response[classes.response >= 0]),
            classes.number[classes.response >= 0].tolist(),
            strict=True,
        )
    )
    again = set(_places(other, duplicates(other, singletons=singletons)[0]))
    for at, mention in zip(places.tolist(), mentions, strict=True):
        if is_duplicated[at] and mention in again:
            numbers[at] = _DUPLICATED
        elif key[at] < 0:
            numbers[at] = of_place.get(mention, -1)
    return numbers


def _places(comparison: Comparison, mentions: IntArray) -> list[Place]:
    """Where mentions of the response stand."""
    side = comparison.matching.response
    columns = side.document[mentions], side.start[mentions], side.end[mentions], side.row[mentions]
    pieces = [
        None if document.attributes is None else document.attributes.pieces
        for document in comparison.response
    ]
    return [
        (document, start, end, of[row] if (of := pieces[document]) else ())
        for document, start, end, row in zip(*(c.tolist() for c in columns), strict=True)
    ]
