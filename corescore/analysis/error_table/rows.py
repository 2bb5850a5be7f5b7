"""The rows of the error table: every mention of either side with an error, in flat arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    MENTION_CLASSES,
    MentionClasses,
    duplicates,
    mention_classes,
    spans,
    text_order,
)
from corescore.analysis.errors.operations import (
    KINDS,
    EntityParts,
    has_repeats,
    operations,
    parts_of,
)
from corescore.analysis.significance.resamples import check_same_key
from corescore.corpus.documents import Pieces
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Singletons
from corescore.scoring.scores import Result
from corescore.util import AnyArray, BoolArray, IntArray


@dataclass(frozen=True)
class Before:
    """The mention before each row's in an entity, as it is numbered on either side; −1 for none."""

    key: IntArray
    response: IntArray


@dataclass(frozen=True)
class ErrorRows:
    """The rows of the error table, by document, then in text order; −1 stands for none.

    parts          all mentions and the parts of entities; None where a side lists a span twice
                   (repeats "all"): then there are classes, but no kinds
    row            (rows,) each mention's row of `mention_classes`, as in `parts`; −1 if duplicated
    key, response  (rows,) its number on either side, as in `MentionClasses`
    again          (rows,) of a duplicated mention the response entity that lists it again, as
                   `Side.entity` numbers them
    document, start, end  (rows,) where it stands; the key's span if any
    number         (rows,) its class, by its place in MENTION_CLASSES
    kinds          (rows,) the kinds of operations it belongs to: bit k for KINDS[k]
    operation      (rows,) the first operation it belongs to, by its number in its document from 1
    given          the mention before it, in text order, in its response entity
    antecedent     the mention before it in its key entity: the antecedent it should have had
    given_right    (rows,) whether the given antecedent is of its key entity
    """

    parts: EntityParts | None
    row: IntArray
    key: IntArray
    response: IntArray
    again: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    number: IntArray
    kinds: IntArray
    operation: IntArray
    given: Before
    antecedent: Before
    given_right: BoolArray

    def __len__(self) -> int:
        return len(self.key)

    def are(self, name: str) -> BoolArray:
        """(rows,) whether a mention is of this class."""
        found: BoolArray = self.number == MENTION_CLASSES.index(name)
        return found

    def of_kind(self, kind: str) -> BoolArray:
        """(rows,) whether a mention belongs to an operation of this kind."""
        found: BoolArray = (self.kinds >> KINDS.index(kind) & 1).astype(bool)
        return found


def error_rows(comparison: Comparison, *, singletons: Singletons = "keep") -> ErrorRows:
    """Every mention of either side with an error, once; a repetition that the response lists too.

    A mention has an error if its class is not "correct" (`mention_classes`), or if it belongs to
    an operation (`errors.operations`): a mention with a correct partner may be in a part that is
    divided from its entity. A span error is one row. `singletons` is the policy of the
    comparison, by which repetitions are found (`duplicates`).
    """
    parts = None if has_repeats(comparison) else parts_of(comparison)
    mentions = mention_classes(comparison) if parts is None else parts.mentions
    kinds, operation = _operations(parts, len(mentions.key))
    wrong = np.flatnonzero((mentions.number != MENTION_CLASSES.index(CORRECT)) | (kinds > 0))
    listed, entity = duplicates(comparison, singletons=singletons)
    none = np.full(len(listed), -1)
    key = np.append(mentions.key[wrong], none)
    response = np.append(mentions.response[wrong], listed)
    order = text_order(comparison, key, response)
    key, response, row = key[order], response[order], np.append(wrong, none)[order]
    again = np.append(np.full(len(wrong), -1), entity)[order]
    document, start, end = spans(comparison, key, response)
    given, antecedent = _antecedents(comparison, mentions, key, response, again)
    return ErrorRows(
        parts=parts,
        row=row,
        key=key,
        response=response,
        again=again,
        document=document,
        start=start,
        end=end,
        number=np.append(mentions.number, MENTION_CLASSES.index(DUPLICATED))[row],
        kinds=np.append(kinds, 0)[row],
        operation=np.append(operation, -1)[row],
        given=given,
        antecedent=antecedent,
        given_right=_same_entity(comparison.recall.own_entity, key, given.key),
    )


def _operations(parts: EntityParts | None, n: int) -> tuple[IntArray, IntArray]:
    """(mentions,) the kinds of operations of each, a bit a kind; the first operation's number in
    its document."""
    kinds, operation = np.zeros(n, dtype=np.int64), np.full(n, -1)
    if parts is None:
        return kinds, operation
    for at, number in enumerate(parts.errors.values()):
        kinds |= (number >= 0).astype(np.int64) << at
    found = operations(parts)
    document = parts.document[found.first]
    number = np.arange(len(document)) - np.searchsorted(document, document) + 1
    operation[found.mention[::-1]] = number[found.operation[::-1]]
    return kinds, operation


def _antecedents(
    comparison: Comparison,
    mentions: MentionClasses,
    key: IntArray,
    response: IntArray,
    again: IntArray,
) -> tuple[Before, Before]:
    """The antecedents that mentions were given, and those that they should have had."""
    given = _before(comparison.precision.own_entity)[response]
    repeats = np.flatnonzero(again >= 0)
    side = comparison.matching.response
    given[repeats] = _before_in(side.entity, response[repeats], again[repeats])
    antecedent = _before(comparison.recall.own_entity)[key]
    partners = _partners(comparison, mentions)
    return (
        Before(np.append(partners.key, -1)[given], given),
        Before(antecedent, np.append(partners.response, -1)[antecedent]),
    )


def _before(entity: IntArray) -> IntArray:
    """(mentions + 1,) the mention before each in its entity; the last value is that of none."""
    order = np.argsort(entity, kind="stable")
    same = np.diff(entity[order]) == 0
    before = np.full(len(entity) + 1, -1)
    before[order[1:][same]] = order[:-1][same]
    return before


def _before_in(entity: IntArray, mentions: IntArray, others: IntArray) -> IntArray:
    """The last mention before each of these in another entity; −1 for none.

    entity  the entity of every mention of the side
    others  for each of these mentions the other entity
    """
    n = len(entity)
    code = entity * n + np.arange(n)
    order = np.argsort(code)
    place = np.searchsorted(code, others * n + mentions, sorter=order) - 1
    before = np.where(place < 0, -1, np.append(order, -1)[place])
    return np.where(np.append(entity, -1)[before] == others, before, -1)


def _partners(comparison: Comparison, mentions: MentionClasses) -> Before:
    """The key mention of each response mention and the response mention of each key mention,
    where they match, exactly or with a span error."""
    key, response = comparison.precision.own_partner.copy(), comparison.recall.own_partner.copy()
    both = (mentions.key >= 0) & (mentions.response >= 0)
    key[mentions.response[both]] = mentions.key[both]
    response[mentions.key[both]] = mentions.response[both]
    return Before(key, response)


def _same_entity(entity: IntArray, one: IntArray, other: IntArray) -> BoolArray:
    of = np.append(entity, -1)
    found: BoolArray = (of[one] >= 0) & (of[one] == of[other])
    return found


# How values become columns ------------------------------------------------------------------------

Column = pd.Series  # of texts, whole numbers or truth values

Columns = dict[str, Column]


def text(values: AnyArray | Sequence[str]) -> "pd.Series[str]":
    return pd.Series(values, dtype="str")


def nullable(values: IntArray, known: BoolArray) -> "pd.Series[int]":
    """Whole numbers; NA where they are not known."""
    return pd.Series(values, dtype="Int64").mask(~known)


def category(numbers: IntArray, names: Sequence[str]) -> "pd.Series[str]":
    """The names with these numbers, as a categorical of all names."""
    return pd.Series(pd.Categorical.from_codes(numbers, pd.Index(names)))


# What another system makes of the mentions with an error: the class of the same mention there -----

_DUPLICATED = MENTION_CLASSES.index(DUPLICATED)

Place = tuple[int, int, int, Pieces]  # document, start, end and pieces of a mention


def with_other(table: pd.DataFrame, result: Result, other: Result) -> pd.DataFrame:
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
