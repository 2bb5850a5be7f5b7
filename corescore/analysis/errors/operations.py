"""Operations of seven kinds that turn the response into the key, after Kummerfeld & Klein 2013,
and what each kind of error costs: the scores after fixing some kinds and not others.

They take the heads of mentions from parses; here a rule finds the heads, and a span error may also
be a span that contains the other (`corescore.analysis.errors.classes.align`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import (
    SPAN_ERROR,
    Classified,
    Mentions,
    mention_classes,
    repeated,
)
from corescore.analysis.significance import score_array
from corescore.corpus.problems import PolicyError
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency, contingency_of
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Policies, Singletons
from corescore.counting.sides import Side
from corescore.counting.split_antecedents import Plurals
from corescore.counting.whatif import Changes
from corescore.metrics import METRICS, Metric
from corescore.metrics.metric import changed_counts
from corescore.scoring.presets import policies_for
from corescore.scoring.tally import sums
from corescore.util import BoolArray, FloatArray, IntArray, by_key, once_of, picked, shapley_values

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

# Of the error table: kinds of operations, and what none of them puts right
WRONG_SPLIT_ANTECEDENT = "wrong split antecedent"
ERROR_KINDS = (*KINDS, WRONG_SPLIT_ANTECEDENT)


@dataclass(frozen=True)
class EntityParts:
    """All mentions of either side, and the parts of entities that both sides agree on.

    A part is the intersection of a key and a response entity once the spans are fixed; it is a
    cell of `table`. The rows are `mentions`, in text order; −1 stands for none.

    key_entity, response_entity  (rows,) rows of the table
    part                         (rows,) the part of a shared mention
    stays                        (rows,) the largest part of the mention's response entity
    gathers                      (rows,) the largest part of its key entity; of equal parts the
                                 first in the text
    first                        (parts,) the row of the first mention of each part
    """

    mentions: Classified
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
        by_kind = {
            SPAN_ERROR: (self.mentions.are(SPAN_ERROR), row),
            CONFLATED_ENTITIES: (in_both & (self.part != self.stays), self.part),
            EXTRA_MENTION: (extra & (self.stays >= 0), row),
            EXTRA_ENTITY: (extra & (self.stays < 0), self.response_entity),
            MISSING_MENTION: (missing & (self.gathers >= 0), row),
            MISSING_ENTITY: (missing & (self.gathers < 0), self.key_entity),
            DIVIDED_ENTITY: (in_both & (self.part != self.gathers), self.part),
        }
        return {kind: np.where(is_one, number, -1) for kind, (is_one, number) in by_kind.items()}


def has_repeats(comparison: Comparison) -> bool:
    """Whether a side lists a span twice."""
    return any(bool(repeated(side).any()) for side in comparison.matching.sides)


def refuse_repeats(comparison: Comparison, needs: str) -> None:
    """Raises PolicyError where a side lists a span twice; `needs` says what expects it once."""
    if has_repeats(comparison):
        raise PolicyError(
            f"a span is listed twice; {needs} each span once. Choose repeats 'first'."
        )


def refuse_look_ups(comparison: Comparison, needs: str) -> None:
    """Raises PolicyError if a mention counts in an entity that its pair is not in: as
    `refuse_repeats`, and if a look-up finds another mention, or one that is listed again."""
    refuse_repeats(comparison, needs)
    if finds_others(comparison):
        raise PolicyError(
            f"a mention is looked up in another entity than its pair's; {needs} pairs of "
            "mentions. Choose repeats 'first' and lookup 'pairs'."
        )
    if comparison.plurals:
        refuse_look_ups(comparison.plurals.comparison, needs)


def finds_others(comparison: Comparison) -> bool:
    """Whether a look-up finds a mention in another entity than its pair's."""
    own, tables = comparison.table, comparison.look_ups
    names = "cell_key", "cell_response", "cell_sizes", "key_sizes", "response_sizes"
    return any(
        not np.array_equal(getattr(one, name), getattr(own, name))
        for one in ((tables.recall, tables.precision, tables.members) if tables else ())
        for name in names
    )


def parts_of(comparison: Comparison) -> EntityParts:
    """The parts of a response. Raises PolicyError where a side lists a span twice."""
    refuse_repeats(comparison, "errors of entities expect")
    mentions, table = mention_classes(comparison), comparison.table
    key_entity = picked(comparison.recall.own_entity, mentions.key)
    response_entity = picked(comparison.precision.own_entity, mentions.response)
    n_response = max(len(table.response_sizes), 1)
    in_both = np.flatnonzero((key_entity >= 0) & (response_entity >= 0))
    codes, first, which, sizes = np.unique(
        key_entity[in_both] * n_response + response_entity[in_both],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    first = in_both[first]
    part = np.full(len(key_entity), -1)
    part[in_both] = which
    cells = np.divmod(codes, n_response)
    largest = []
    for entity, cell, of in zip(
        (response_entity, key_entity),
        cells[::-1],
        (table.response_sizes, table.key_sizes),
        strict=True,
    ):
        of_entity = np.full(len(of) + 1, -1)  # the last value is that of no entity
        order = np.lexsort((-first, sizes, cell))
        of_entity[cell[order]] = order  # the last of each entity stays
        largest.append(of_entity[entity])
    parted = replace(table, cell_key=cells[0], cell_response=cells[1], cell_sizes=sizes)
    stays, gathers = largest
    return EntityParts(mentions, key_entity, response_entity, part, stays, gathers, first, parted)


def operations(parts: EntityParts) -> pd.DataFrame:
    """The operations that turn the response into the key, one for each error; one row per
    mention that one affects, by document, then by kind as in KINDS, then in text order.

    Columns: operation, its number, ascending; kind, by its place in KINDS; mention, as a row of the
    parts, ascending within an operation.

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
    errors = np.array([*parts.errors.values()])
    kind, row = np.nonzero(errors >= 0)
    _, place, which = np.unique(
        kind * (1 + errors.max(initial=0)) + errors[kind, row],
        return_index=True,
        return_inverse=True,
    )
    first = row[place][which]  # of the mentions of an operation the first in the text
    order = np.lexsort((row, first, kind, parts.mentions.document[first]))
    kind, row, first = kind[order], row[order], first[order]
    begins = (np.diff(kind, prepend=-1) != 0) | (np.diff(first, prepend=-1) != 0)
    return pd.DataFrame({"operation": np.cumsum(begins) - 1, "kind": kind, "mention": row})


# Split antecedents that differ -------------------------------------------------------------------

Sets = tuple[list[int], list[int]]  # elements of the key's plural, of the response's: table rows


def wrong_split_antecedents(parts: EntityParts) -> dict[int, Sets]:
    """By a row of the parts, the split antecedents that its entities have and that are wrong.

    An element of the key and one of the response are the same if an alignment of entities pairs
    them that shares most mentions in all (CEAFₘ's, spans fixed). Each plural has one row: the
    first of its mentions that both sides have, or its first. One side's set is empty where that
    mention's entity refers to no others there (a missing or a spurious set), or where that side
    lacks the mention. Empty where split antecedents are not scored.
    """
    comparison, wrong = parts.mentions.comparison, dict[int, Sets]()
    if comparison.plurals is None:
        return wrong
    table, matching = parts.table, comparison.matching
    pairs = best_assignment(table.components, table.cell_sizes.astype(np.float64))
    partner = dict(zip(table.cell_key[pairs], table.cell_response[pairs], strict=True))
    entities = parts.key_entity, parts.response_entity
    sides = (comparison.key, matching.key), (comparison.response, matching.response)
    sets = [Plurals.of(*side).sets for side in sides]
    for own in (0, 1):
        for plural in sets[own]:
            rows = np.flatnonzero(entities[own] == plural)
            row = int(rows[np.argmax(entities[1 - own][rows] >= 0)])
            key, response = (of.get(int(e[row]), []) for of, e in zip(sets, entities, strict=True))
            is_told = own == 1 and bool(key)  # by the row of the key's plural
            if {partner.get(one) for one in key} != {*response} and not is_told:
                wrong[row] = key, response
    return wrong


# The response after fixing some kinds of errors, and what that gains ------------------------------


def fixed(parts: EntityParts, kinds: Collection[str]) -> Contingency:
    """The contingency table of the response after fixing the errors of these kinds only.

    Which errors there are does not change: `parts_of` finds them once. The effect of each kind:

    span error          the mention gets the key's span; unfixed, it stays spurious where it is,
                        and the key's mention stays missing
    conflated entities  each part of a response entity but the largest becomes an entity
    extra mention       it is removed; unfixed, it goes with the largest part of its entity
    extra entity        it is removed
    missing mention     it is added to the largest part of its key entity, wherever that is
    missing entity      it is added
    divided entity      each part of a key entity moves to where its largest part is

    With no kind the table is that of the response, with all kinds that of the key with itself.
    """
    table, mentions = parts.table, parts.mentions
    n_response, number = len(table.response_sizes), np.arange(len(parts.first))
    of_part = table.cell_response  # response entities, then parts, then key entities
    if CONFLATED_ENTITIES in kinds:
        leaves = parts.stays[parts.first] != number
        of_part = np.where(leaves, n_response + number, of_part)
    if DIVIDED_ENTITY in kinds:
        of_part = of_part[parts.gathers[parts.first]]
    missing = parts.response_entity < 0
    goes_with = np.select([parts.part >= 0, missing], [parts.part, parts.gathers], parts.stays)
    whole = np.where(missing, n_response + len(number) + parts.key_entity, parts.response_entity)
    entity = np.where(goes_with >= 0, picked(of_part, goes_with), whole)
    gone = [kind for kind in (EXTRA_MENTION, EXTRA_ENTITY) if kind in kinds]
    gone += [kind for kind in (MISSING_MENTION, MISSING_ENTITY) if kind not in kinds]
    kept = ~np.logical_or.reduce([parts.errors[kind] >= 0 for kind in gone])
    kept = np.broadcast_to(kept, entity.shape)
    is_key = SPAN_ERROR in kinds or ~mentions.are(SPAN_ERROR)
    return table_of_rows(mentions, entity, kept, is_key & (parts.key_entity >= 0))


def table_of_rows(
    mentions: Mentions, entity: IntArray, present: BoolArray, is_shared: BoolArray
) -> Contingency:
    """The table of the key and a response that has these rows, in entities of these numbers; a row
    that is not shared is another mention than the key's."""
    matching, document = mentions.comparison.matching, mentions.document[present]
    width, nowhere = 1 + entity.max(initial=0), np.zeros_like(document)
    codes, numbers = np.unique(document * width + entity[present], return_inverse=True)
    side = Side(document, numbers, nowhere, nowhere, nowhere, codes // width)
    shared = np.flatnonzero(is_shared[present])
    pairs = mentions.key[present][shared], shared
    return contingency_of(matching.n_documents, matching.key, side, *pairs)


def impact_table(
    comparison: Comparison, metrics: Sequence[Metric] = METRICS, *, shares: bool = True
) -> pd.DataFrame:
    """What each kind of error costs: one row per metric, measure and kind, from the scores of
    all 2^7 subsets of kinds fixed.

    Columns: metric (its id; "conll" last, if its three are among them), measure (recall, precision,
    f1; of conll only f1), kind, errors (how many), score, and the score after fixing: alone (this
    kind and no other), all_but (every kind but this one), cumulative (this kind and those before
    it); share (the kind's part of the gap between the score and 1: its Shapley value, Shapley 1953,
    A value for n-person games: what fixing it adds, on average over all orders. They add up to
    1 − score, or to −score where the key has no links and the metric scores it against itself as 0;
    NaN unless `shares`, as it takes six times as long as the rest). All fractions.
    Raises PolicyError as `parts_of`.
    """
    return _impact(comparison, (tuple(metrics), shares)).copy()


@once_of  # reports, tables and several pages ask for it
def _impact(comparison: Comparison, given: tuple[tuple[Metric, ...], bool]) -> pd.DataFrame:
    metrics, shares = given
    parts = parts_of(comparison)
    subsets, kind = np.arange(2 ** len(KINDS)), 2 ** np.arange(len(KINDS))
    needed = subsets if shares else np.unique([0, *kind, *(subsets[-1] - kind), *(2 * kind - 1)])
    values: dict[int, FloatArray] = {}  # of each subset: (metrics, measures)
    for subset in needed.tolist():
        table = fixed(parts, [*compress(KINDS, (subset & kind) > 0)])
        scores = sums(metrics, {metric.id: metric.counts(table) for metric in metrics})
        values[subset] = score_array(scores)
    worth = np.full((len(subsets), *values[0].shape), np.nan)
    worth[needed] = [*values.values()]
    errors = operations(parts).drop_duplicates("operation")
    by_kind = {
        "errors": np.bincount(errors["kind"], minlength=len(KINDS))[:, None, None],
        "score": worth[0],
        "alone": worth[kind],
        "all_but": worth[subsets[-1] - kind],
        "cumulative": worth[2 * kind - 1],
        "share": shapley_values(worth),
    }
    shape = len(KINDS), *values[0].shape
    columns = {
        name: np.moveaxis(np.broadcast_to(of, shape), 0, -1).ravel() for name, of in by_kind.items()
    }
    index = pd.MultiIndex.from_product(
        [[*scores], MEASURES, KINDS], names=["metric", "measure", "kind"]
    )
    return pd.DataFrame(columns, index=index).dropna(subset="score").reset_index()


def gains_of(
    comparison: Comparison,
    changes: Changes,
    metrics: Sequence[Metric],
    *,
    singletons: Singletons,
) -> FloatArray:
    """(changes, metrics) the F1 of the corpus after each change alone, minus its F1 now: fractions;
    0/0 is 0. NaN for a metric whose counts are not those of the comparison's table.

    singletons  the policy of the comparison, of both sides or by metric
    """
    gains = np.full((len(changes.document), len(metrics)), np.nan)
    by_policy = by_key(
        (policies_for(Policies(singletons=singletons), metric.id), at)
        for at, metric in enumerate(metrics)
        if not metric.of_mentions and (metric.repeats == "once" or not finds_others(comparison))
    )
    for policies, places in by_policy.items():
        alike = [metrics[at] for at in places]
        key, response = (int(side.singletons == "drop") for side in policies.of_sides)
        under = replace(changes, dropped=(key, response))
        for at, metric, change in zip(places, alike, changed_counts(alike, under), strict=True):
            before = metric.counts(under.before).total()
            after = metric.score(before + change, empty=0).f1
            gains[:, at] = after - metric.score(before, empty=0).f1
    return gains
