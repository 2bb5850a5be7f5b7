"""Operations of seven kinds that turn the response into the key, after Kummerfeld & Klein 2013.

They take the heads of mentions from parses; here a rule finds the heads, and a span error may also
be a span that contains the other (`corescore.analysis.errors.mentions.align`).
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corescore.analysis.errors.mentions import (
    SPAN_ERROR,
    MentionClasses,
    mention_classes,
    repeated,
    spans,
)
from corescore.arrays import IntArray
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency

CONFLATED_ENTITIES, DIVIDED_ENTITY = "conflated entities", "divided entity"
EXTRA_MENTION, EXTRA_ENTITY = "extra mention", "extra entity"
MISSING_MENTION, MISSING_ENTITY = "missing mention", "missing entity"

OPERATION_OF = {
    SPAN_ERROR: "alter span",
    CONFLATED_ENTITIES: "split",
    EXTRA_MENTION: "remove",
    EXTRA_ENTITY: "remove",
    MISSING_MENTION: "introduce",
    MISSING_ENTITY: "introduce",
    DIVIDED_ENTITY: "merge",
}
KINDS = tuple(OPERATION_OF)


@dataclass(frozen=True)
class Parts:
    """All mentions of either side, and the parts of entities that both sides agree on.

    A part is the intersection of a key and a response entity once the spans are fixed; it is a
    cell of `table`. The rows are `mentions`, in text order; −1 stands for none.

    document                     (rows,)
    key_entity, response_entity  (rows,) rows of the table
    part                         (rows,) the part of a shared mention
    stays                        (rows,) the largest part of the mention's response entity
    gathers                      (rows,) the largest part of its key entity; of equal parts the
                                 first in the text
    first                        (parts,) the row of the first mention of each part
    """

    mentions: MentionClasses
    document: IntArray
    key_entity: IntArray
    response_entity: IntArray
    part: IntArray
    stays: IntArray
    gathers: IntArray
    first: IntArray
    table: Contingency

    @cached_property
    def errors(self) -> dict[str, IntArray]:
        """(rows,) for each kind, a number for the error that a mention belongs to; −1 for none."""
        row = np.arange(len(self.part))
        in_both = self.part >= 0
        extra, missing = self.key_entity < 0, self.response_entity < 0
        found = {
            SPAN_ERROR: (self.mentions.are(SPAN_ERROR), row),
            CONFLATED_ENTITIES: (in_both & (self.part != self.stays), self.part),
            EXTRA_MENTION: (extra & (self.stays >= 0), row),
            EXTRA_ENTITY: (extra & (self.stays < 0), self.response_entity),
            MISSING_MENTION: (missing & (self.gathers >= 0), row),
            MISSING_ENTITY: (missing & (self.gathers < 0), self.key_entity),
            DIVIDED_ENTITY: (in_both & (self.part != self.gathers), self.part),
        }
        return {kind: np.where(is_one, number, -1) for kind, (is_one, number) in found.items()}


def has_repeats(comparison: Comparison) -> bool:
    """Whether a side lists a span twice."""
    matching = comparison.matching
    return any(bool(repeated(side).any()) for side in (matching.key, matching.response))


def parts_of(comparison: Comparison) -> Parts:
    """The parts of a response. Raises PolicyError where a side lists a span twice."""
    if has_repeats(comparison):
        raise PolicyError("repeats is 'all'; errors of entities expect one of: first, error")
    mentions = mention_classes(comparison)
    document, _, _ = spans(comparison, mentions.key, mentions.response)
    key_entity = np.append(comparison.recall.own_entity, -1)[mentions.key]
    response_entity = np.append(comparison.precision.own_entity, -1)[mentions.response]
    part, first, table = _partition(comparison.table, key_entity, response_entity)
    sizes = table.cell_sizes
    stays = _largest(table.cell_response, sizes, first, len(table.response_sizes))[response_entity]
    gathers = _largest(table.cell_key, sizes, first, len(table.key_sizes))[key_entity]
    entities = (key_entity, response_entity)
    return Parts(mentions, document, *entities, part, stays, gathers, first, table)


def _partition(
    table: Contingency, key_entity: IntArray, response_entity: IntArray
) -> tuple[IntArray, IntArray, Contingency]:
    """The part of each mention, the first mention of each part, and the table with these cells."""
    n_response = max(len(table.response_sizes), 1)
    in_both = np.flatnonzero((key_entity >= 0) & (response_entity >= 0))
    codes, first, which, sizes = np.unique(
        key_entity[in_both] * n_response + response_entity[in_both],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    part = np.full(len(key_entity), -1)
    part[in_both] = which
    key, response = np.divmod(codes, n_response)
    parted = replace(table, cell_key=key, cell_response=response, cell_sizes=sizes)
    return part, in_both[first], parted


def _largest(entity: IntArray, sizes: IntArray, first: IntArray, n_entities: int) -> IntArray:
    """(entities + 1,) the part with most mentions, of equal parts the first in the text; −1 for an
    entity without parts and, at the end, for no entity."""
    largest = np.full(n_entities + 1, -1)
    order = np.lexsort((-first, sizes, entity))
    largest[entity[order]] = order  # the last of each entity stays
    return largest


@dataclass(frozen=True)
class Operations:
    """Operations in order: by document, then by kind as in KINDS, then in text order.

    kind       (operations,) the kind, by its position in KINDS
    first      (operations,) the first mention that each affects, as a row of Parts
    target     (operations,) the first mention of the part to which mentions are added, as a row
               of Parts; −1 where there is none
    operation  (members,) the operation of each affected mention, ascending
    mention    (members,) that mention, as a row of Parts, in text order
    """

    kind: IntArray
    first: IntArray
    target: IntArray
    operation: IntArray
    mention: IntArray


def operations(parts: Parts) -> Operations:
    """The operations that turn the response into the key, one for each error.

    Carried out in order in each overlap of entities (spans fixed first), they give the key
    exactly. By kind:

    span error          alter span: an extra mention gets the span of the key's mention
    conflated entities  split: a part leaves its response entity; the largest part stays
    extra mention       remove: a mention that the key lacks, from an entity with shared ones
    extra entity        remove: a response entity of which the key has no mention
    missing mention     introduce: a mention that the response lacks, into the largest part of its
                        key entity
    missing entity      introduce: a key entity of which the response has no mention
    divided entity      merge: a part is added to the largest part of its key entity

    Kummerfeld & Klein 2013, §3; they introduce a missing mention as an entity and then merge it.
    """
    errors = np.array(list(parts.errors.values()))
    kind, row = np.nonzero(errors >= 0)
    code = kind * (1 + errors.max(initial=0)) + errors[kind, row]
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    of_kind, of_row = kind[first], row[first]
    order = np.lexsort((of_row, of_kind, parts.document[of_row]))
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    members = np.lexsort((row, number[which]))
    return Operations(
        of_kind[order],
        of_row[order],
        _targets(parts, of_kind[order], of_row[order]),
        number[which][members],
        row[members],
    )


def _targets(parts: Parts, kind: IntArray, row: IntArray) -> IntArray:
    joins = np.isin(kind, [KINDS.index(name) for name in (MISSING_MENTION, DIVIDED_ENTITY)])
    return np.where(joins, np.append(parts.first, -1)[parts.gathers[row]], -1)
