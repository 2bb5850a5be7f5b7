"""The rows of the error table: every mention of either side with an error, in flat arrays, and what
the fix of each alone gains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    MENTION_CLASSES,
    SPAN_ERROR,
    Classified,
    Mentions,
    category,
    mention_classes,
    with_duplicates,
)
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    ERROR_KINDS,
    WRONG_SPLIT_ANTECEDENT,
    EntityParts,
    Sets,
    gains_of,
    has_repeats,
    operations,
    parts_of,
    wrong_split_antecedents,
)
from corescore.analysis.significance import check_same_key
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Singletons
from corescore.counting.whatif import Changes, Steps
from corescore.metrics import CONLL, METRICS, Metric
from corescore.scoring.scores import Result
from corescore.util import BoolArray, FloatArray, IntArray, picked


@dataclass(frozen=True, eq=False)
class ErrorRows(Classified):
    """The rows of the error table, by document, then in text order; −1 stands for none.

    parts      all mentions and the parts of entities; None where a side lists a span twice
               (repeats "all"): then there are classes, but no kinds
    row        (rows,) each mention's row of `mention_classes`, as in `parts`; −1 if duplicated
    again      (rows,) of a duplicated mention the response entity that lists it again, as
               `Side.entity` numbers them
    kinds      (rows,) the kinds of errors it belongs to: bit k for ERROR_KINDS[k]
    operation  (rows,) the first operation it belongs to, by its number in its document from 1
    sets       by a row of `mention_classes`, its wrong split antecedents
    """

    parts: EntityParts | None
    row: IntArray
    again: IntArray
    kinds: IntArray
    operation: IntArray
    sets: Mapping[int, Sets]

    def __len__(self) -> int:
        return len(self.key)

    def of_kind(self, kind: str) -> BoolArray:
        """(rows,) whether a mention belongs to an error of this kind."""
        return (self.kinds >> ERROR_KINDS.index(kind) & 1).astype(bool)

    @property
    def every(self) -> Classified:
        """All mentions, those without errors, too."""
        return mention_classes(self.comparison) if self.parts is None else self.parts.mentions

    @property
    def moves(self) -> BoolArray:
        """(rows,) which are fixed by a move to another entity."""
        return self.of_kind(DIVIDED_ENTITY)

    @property
    def splits(self) -> BoolArray:
        """(rows,) which are fixed by splitting their part off."""
        return self.of_kind(CONFLATED_ENTITIES) & ~self.moves

    def of_parts(self, name: str, *, none: int = -1) -> IntArray:
        """(rows,) what `parts` has of this name for each mention."""
        if self.parts is None:
            return np.full(len(self), none)
        return np.append(getattr(self.parts, name), none)[self.row]

    @cached_property
    def target(self) -> IntArray:
        """(rows,) the response entity in which the largest part of each mention's key entity is, as
        a row of the table; −1 where no part is."""
        gathers = self.of_parts("gathers")
        if self.parts is None:
            return gathers
        return picked(self.parts.table.cell_response, gathers)

    @cached_property
    def response_entity(self) -> IntArray:
        """(rows,) the response entity of each mention, −1 for none; of a duplicated mention the one
        that lists it again."""
        entity = picked(self.comparison.matching.response.entity, self.response)
        return np.where(self.again < 0, entity, self.again)

    @cached_property
    def given(self) -> Mentions:
        """The mention before each in its response entity: the antecedent that it was given."""
        entity = self.comparison.matching.response.entity
        before = _before(entity, self.response, self.response_entity)
        return Mentions(self.comparison, np.full(len(self), -1), before)

    @cached_property
    def antecedent(self) -> Mentions:
        """The mention before each in its key entity: the antecedent that it should have had."""
        entity = self.comparison.matching.key.entity
        before = _before(entity, self.key, picked(entity, self.key))
        return Mentions(self.comparison, before, np.full(len(self), -1))

    @property
    def given_right(self) -> BoolArray:
        """(rows,) whether the given antecedent is of the mention's key entity, or would be with
        another span (`given_exact`)."""
        every = self.every
        key_of = np.append(self.comparison.precision.own_partner, -1)  # or with a span error
        both = (every.key >= 0) & (every.response >= 0)
        key_of[every.response[both]] = every.key[both]
        entity = np.append(self.comparison.matching.key.entity, -1)
        own, of_given = entity[self.key], entity[key_of[self.given.response]]
        right: BoolArray = (own >= 0) & (own == of_given)
        return right

    @property
    def given_exact(self) -> BoolArray:
        """(rows,) whether the key has the given antecedent with the same span."""
        return picked(self.comparison.precision.own_partner, self.given.response) >= 0


def _before(entity: IntArray, mentions: IntArray, others: IntArray) -> IntArray:
    """(rows,) the last mention before each of these in an entity, its own or another; −1 for none.

    entity  the entity of every mention of the side
    """
    n = len(entity)
    code = entity * n + np.arange(n)
    order = np.argsort(code)
    place = np.searchsorted(code, others * n + mentions, sorter=order) - 1
    before = np.where((place < 0) | (mentions < 0), -1, picked(order, place))
    return np.where(picked(entity, before) == others, before, -1)


def error_rows(comparison: Comparison, *, singletons: Singletons = "keep") -> ErrorRows:
    """Every mention of either side with an error, once; a repetition that the response lists too.

    A mention has an error if its class is not "correct" (`mention_classes`), or if it belongs to
    an operation (`errors.operations`): a mention with a correct partner may be in a part that is
    divided from its entity; or if it is where split antecedents are wrong. A span error is one row.
    `singletons` is the policy of the comparison, by which repetitions are found (`duplicates`).
    """
    parts = None if has_repeats(comparison) else parts_of(comparison)
    mentions = mention_classes(comparison) if parts is None else parts.mentions
    kinds, operation = np.zeros_like(mentions.key), np.full_like(mentions.key, -1)
    if parts is not None:
        number, kind, row = operations(parts).to_numpy().T
        np.bitwise_or.at(kinds, row, 1 << kind)
        document = mentions.document[row]
        first = number[np.searchsorted(document, document)]
        operation[row[::-1]] = (number - first + 1)[::-1]
    sets = {} if parts is None else wrong_split_antecedents(parts)
    kinds[[*sets]] |= 1 << ERROR_KINDS.index(WRONG_SPLIT_ANTECEDENT)
    every, row, again = with_duplicates(mentions, singletons=singletons)
    is_wrong = (mentions.number != MENTION_CLASSES.index(CORRECT)) | (kinds > 0)
    kept = np.flatnonzero(picked(is_wrong, row, True))
    row = row[kept]
    return ErrorRows(
        comparison,
        every.key[kept],
        every.response[kept],
        every.number[kept],
        parts,
        row,
        again[kept],
        picked(kinds, row, 0),
        picked(operation, row),
        sets,
    )


# What another system makes of the mentions with an error: the class of the same mention there -----


def with_other(table: pd.DataFrame, result: Result, other: Result) -> pd.DataFrame:
    """The error table of a result with a column for the result of another response to the key.

    other  a categorical: the class of the same mention in the other response. A mention that the
           key has is the same if it is the same of the key's; any other, if it has the same words,
           and NA where the other response does not have it. A duplicated mention is duplicated
           there if that response lists it again, too.

    Raises ValueError for results over other keys, or by other metrics or policies.
    """
    check_same_key(result, other)
    singletons, comparison = result.policies.singletons, other.comparison
    rows = error_rows(result.comparison, singletons=singletons)
    every, row, _ = with_duplicates(mention_classes(comparison), singletons=singletons)
    of_key = np.full(len(comparison.matching.key.document) + 1, -1)
    of_key[every.key[every.key >= 0]] = every.number[every.key >= 0]
    none = np.full_like(every.key, -1)
    theirs = [*Mentions(comparison, none, every.response).places]
    both = [*zip(theirs, every.number.tolist(), row.tolist(), strict=True)]
    of_place = {place: number for place, number, first in both if first >= 0}
    again = {place for place, _, first in both if first < 0}
    is_again = rows.are(DUPLICATED)
    partner = picked(result.comparison.precision.own_partner, rows.response)
    key = np.where(is_again, partner, rows.key)
    numbers = of_key[key]
    own = Mentions(result.comparison, np.full_like(key, -1), rows.response).places
    for at, place in enumerate(own):
        if is_again[at] and place in again:
            numbers[at] = MENTION_CLASSES.index(DUPLICATED)
        elif key[at] < 0:
            numbers[at] = of_place.get(place, -1)
    return table.assign(other=category(numbers, MENTION_CLASSES))


# What each error costs: how much F1 each metric gains when only this error is fixed ---------------


def fix_gains(
    comparison: Comparison,
    rows: ErrorRows,
    metrics: Sequence[Metric] = METRICS,
    *,
    singletons: Singletons = "keep",
) -> FloatArray:
    """(rows, metrics) the F1 of the corpus after the fix of this row alone, minus its F1 now.

    Fractions, negative where the fix lowers the score; 0/0 is 0, as in the corpus' total. Exact:
    as the response scores in which only this is different. The fix of a mention:

    spurious    it leaves
    missing     it joins the response entity with the largest part of its key entity; where no part
                was found, it becomes an entity of its own
    span error  it gets the key's span, and does what else its kinds say
    divided     it moves to the response entity with the largest part of its key entity
    conflated   and not divided: its part leaves as an entity of its own

    All others gain 0: what puts them right is the fix of other mentions, and a duplicated mention
    is not scored. Scores leave out split antecedents here, so that fixing these gains 0, too. Where
    `mentions` or `repeats` leaves mentions out, they are not in the changed response either.

    singletons  the policy of the comparison: of both sides, or by metric; a response entity that
                the fix leaves with one mention is dropped where the metric drops singletons

    NaN for a metric that looks at the mentions themselves, where a side lists a span twice and
    counts it twice, and where mentions are looked up, not paired, with another result.
    """
    if rows.parts is None:
        return np.full((len(rows), len(metrics)), np.nan)
    changes, which = _fixes(rows, rows.parts).distinct()
    return gains_of(comparison, changes, metrics, singletons=singletons)[which]


def cost_table(
    comparison: Comparison,
    rows: ErrorRows,
    metrics: Sequence[Metric] = METRICS,
    *,
    singletons: Singletons = "keep",
) -> pd.DataFrame:
    """The gains of `fix_gains` in points, as columns of the error table.

    cost_<metric>  for each metric
    cost_conll     the mean of those of CoNLL's metrics; NaN if one of them is missing
    """
    gains = 100 * fix_gains(comparison, rows, metrics, singletons=singletons)
    table = pd.DataFrame(gains, columns=[f"cost_{metric.id}" for metric in metrics])
    averaged = [f"cost_{name}" for name in CONLL.members]
    table[f"cost_{CONLL.id}"] = table.reindex(columns=averaged).mean(axis="columns", skipna=False)
    return table


def fix_numbers(rows: ErrorRows) -> IntArray:
    """(rows,) which fix each row's is, counted from 0; −1 for rows that have none of their own.

    The mentions of a part that is split off are fixed together: they have one number. All others
    with a fix (`fix_gains`) have one each.
    """
    each = np.arange(len(rows))
    if rows.parts is None:
        return each
    twinless = (rows.row >= 0) & ((rows.response < 0) | (rows.key < 0))
    alone = twinless | rows.moves | rows.are(SPAN_ERROR)
    n_parts = len(rows.parts.first)
    number = np.where(rows.splits, rows.of_parts("part"), np.where(alone, n_parts + each, -1))
    known = np.unique(number[number >= 0])
    return np.where(number < 0, -1, np.searchsorted(known, number))


def _fixes(rows: ErrorRows, parts: EntityParts) -> Changes:
    """(rows,) the fix of each row as a change of the comparison's table."""
    table, part = parts.table, rows.of_parts("part")
    key, response = rows.of_parts("key_entity"), rows.of_parts("response_entity")
    moves, splits, altered = rows.moves, rows.splits, rows.are(SPAN_ERROR)
    new, one = np.full(len(rows), len(table.response_sizes)), np.ones(len(rows), dtype=np.int64)
    target = np.where(rows.target < 0, new, rows.target)
    scored = rows.row >= 0
    missing, spurious = scored & (response < 0), scored & (key < 0)
    n_altered = np.bincount(parts.part[parts.mentions.are(SPAN_ERROR)], minlength=len(parts.first))
    whole = picked(table.cell_sizes, part, 0)
    shared = whole - picked(n_altered, part, 0)
    steps = (  # of which rows, the response and the key entity, mentions gained, shared ones gained
        (spurious, response, key, -one, 0 * one),
        (missing, target, key, one, one),
        (moves, response, key, -one, altered - one),
        (moves, target, key, one, one),
        (splits, response, key, -whole, -shared),
        (splits, new, key, whole, shared + altered),
        (altered & ~moves & ~splits, response, key, 0 * one, one),
    )
    each_step = (Steps(np.flatnonzero(of), *(column[of] for column in rest)) for of, *rest in steps)
    return Changes(rows.comparison.table, rows.document, Steps.joined(*each_step))
