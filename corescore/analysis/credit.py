"""What each metric credits: its units, spread over mentions or listed one by one.

The credits of a metric's units add up to its numerator and their maxima to its denominator, on
the recall side and, with the sides exchanged, on the precision side.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pandas as pd

from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison, View
from corescore.counting.contingency import add_up
from corescore.counting.counts import MEASURES, Score, divide
from corescore.counting.sides import Side
from corescore.counting.whatif import Changes, Steps
from corescore.metrics import Metric
from corescore.metrics.ceaf import has_other_best
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    NON_COREFERENCE_LINK,
    SELF_LINK,
    SPANNING_LINK,
    Unit,
    changed_counts,
)
from corescore.util import BoolArray, FloatArray, IntArray

# Coreference links of one side, correct if the other has them: all, or as few as MUC counts -------


_Listing = tuple[IntArray, IntArray, IntArray]


@dataclass(frozen=True)
class Links:
    """Links between own mentions, in text order. A wrong link of the key is a missing one.

    first, second  (links,) the two own mentions, `first` standing first in the text
    correct        (links,) whether the other side has the link
    cell           (links,) the cell that holds a correct link; −1 of any other
    """

    first: IntArray
    second: IntArray
    correct: BoolArray
    cell: IntArray


WHICH_LINKS = ("minimum", "all")


def links_of(view: View, which: str, *, among: BoolArray | None = None) -> Links:
    """Every link of every own entity, or the minimum: as many links as hold each own entity
    together, as many of them correct as can be.

    In the minimum, each mention but the first of its entity is linked to the nearest one before it
    in the same cell, or else to the nearest one before it in the same entity: a spanning tree of
    each entity, in which cell j of entity i has n_ij − 1 correct links, and a_i − 1 − Σ_j
    (n_ij − 1) links are not correct, as MUC counts them (Vilain et al. 1995). Where repeats are
    scored as they stand, a mention has a link for each of its cells.

    which  "minimum" or "all"; PolicyError for another
    among  (mentions,) True for those between which links are needed; all if None
    """
    n = len(view.own.document)
    among = np.ones(n, dtype=bool) if among is None else among
    minimum = choose("which", which, WHICH_LINKS) == "minimum"
    within = _neighbours if minimum else _pairs
    first, second, cell = within(view.pair_own, view.pair_cell, among)
    other_first, other_second, _ = within(np.arange(n), view.own_entity, among)
    # In a tree a mention has one link to those before it: it is wrong if it has no correct one
    linked, every = second, other_second
    if not minimum:
        linked, every = first * n + second, other_first * n + other_second
    wrong = ~np.isin(every, linked)
    first = np.concatenate([first, other_first[wrong]])
    second = np.concatenate([second, other_second[wrong]])
    cell = np.concatenate([cell, np.full(wrong.sum(), -1)])
    order = np.lexsort((first, second))
    return Links(first[order], second[order], cell[order] >= 0, cell[order])


def _grouped(mention: IntArray, group: IntArray, among: BoolArray) -> tuple[IntArray, IntArray]:
    """The mentions that are needed and their groups, one after the other, each in text order."""
    kept = among[mention]
    mention, group = mention[kept], group[kept]
    order = np.lexsort((mention, group))
    return mention[order], group[order]


def _neighbours(mention: IntArray, group: IntArray, among: BoolArray) -> _Listing:
    """Each mention but the first of its group, with the one before it as first of the two; and
    their group."""
    mention, group = _grouped(mention, group, among)
    same = np.diff(group) == 0
    return mention[:-1][same], mention[1:][same], group[1:][same]


def _pairs(mention: IntArray, group: IntArray, among: BoolArray) -> _Listing:
    """Each two mentions of a group, and that group."""
    mention, group = _grouped(mention, group, among)
    start = np.searchsorted(group, group)
    place = np.arange(len(group)) - start
    number = np.arange(place.sum()) - np.repeat(np.cumsum(place) - place, place)
    first = mention[np.repeat(start, place) + number]
    return first, np.repeat(mention, place), np.repeat(group, place)


# Units of a metric, spread over mentions or one by one --------------------------------------------


@dataclass(frozen=True)
class MentionCredit:
    """The credit of each own mention for one kind of unit; half of each link goes to each end.

    credit, possible  (mentions,) they add up to numerator and denominator of part `part`
    """

    kind: str
    part: int
    credit: FloatArray
    possible: FloatArray


@dataclass(frozen=True)
class UnitCredit:
    """Units one by one.

    first, second  (units,) own mentions, or own entities of a non-coreference link: its rows
                   count all links between two entities. −1 where a unit has no second.
    credit, possible  (units,)
    """

    kind: str
    part: int
    first: IntArray
    second: IntArray
    credit: FloatArray
    possible: FloatArray


def units_of(metric: Metric, comparison: Comparison) -> tuple[Unit, ...]:
    """The metric's units; PolicyError if it does not say what it credits."""
    if metric.credit is None:
        raise PolicyError(f"metric {metric.id!r} does not tell what it credits")
    return metric.credit(comparison.table)


def mention_credit(comparison: Comparison, metric: Metric, *, side: str) -> list[MentionCredit]:
    """The metric's credit spread over the mentions of the key (recall) or response (precision)."""
    view, n = comparison.view(side), len(comparison.view(side).own.document)
    found = []
    for unit in units_of(metric, comparison):
        credit, possible = _rates(unit, side)
        earned, most = rule_of(unit).spread(view, unit)
        of_mention = add_up(view.pair_own, credit[view.pair_cell] * earned, n)
        found.append(
            MentionCredit(unit.kind, unit.part, of_mention, possible[view.own_entity] * most)
        )
    return found


@dataclass(frozen=True)
class Shares:
    """What each mention earns of a metric, its parts (of BLANC) counting as in its score, each by
    its own number of links.

    credit, possible  (mentions,) shares of what all mentions could earn, added over the parts
    whole             what all could earn of a part: of one part, that of `possible` = 1
    n_parts           how many parts there are
    """

    credit: FloatArray
    possible: FloatArray
    whole: float
    n_parts: int


def weighted_credit(comparison: Comparison, metric: Metric, *, side: str) -> Shares:
    """The credit of each mention of the key (recall) or response (precision), in one number."""
    spread = mention_credit(comparison, metric, side=side)
    credit, possible = np.zeros((2, len(comparison.view(side).own.document)))
    parts, whole = {unit.part for unit in spread}, 1.0
    for part in parts:
        units = [unit for unit in spread if unit.part == part]
        whole = sum(float(unit.possible.sum()) for unit in units) or 1.0
        credit += sum(unit.credit for unit in units) / whole
        possible += sum(unit.possible for unit in units) / whole
    return Shares(credit, possible, whole, len(parts))


def mention_share(comparison: Comparison, metric: Metric, *, side: str) -> FloatArray:
    """(mentions,) how much of what it could earn each mention earns, 0 to 1.

    The parts of BLANC count as in its score, each by its own number of links. At most 1: a
    mention of an entity that CEAF_e aligns with a smaller one earns more than its share of its
    entity's 1. NaN where a mention could earn nothing (a singleton under MUC).
    """
    of = weighted_credit(comparison, metric, side=side)
    return np.minimum(divide(of.credit, of.possible, empty=np.nan), 1.0)


def unit_credit(
    comparison: Comparison, metric: Metric, *, side: str, documents: BoolArray
) -> list[UnitCredit]:
    """The metric's units in the `documents` (documents,) that are True, one by one.

    Units that can earn nothing (the self-links of LEA's larger entities) are left out, and
    non-coreference links are counted for each pair of entities.
    """
    view = comparison.view(side)
    return [
        _listed(view, unit, *_rates(unit, side), documents) for unit in units_of(metric, comparison)
    ]


def _rates(unit: Unit, side: str) -> tuple[FloatArray, FloatArray]:
    return getattr(unit, f"{side}_credit"), getattr(unit, f"{side}_possible")


def rule_of(unit: Unit) -> "Rule":
    """How units of this kind are spread and listed; PolicyError for a kind that nobody knows."""
    return RULES[choose("kind of unit", unit.kind, RULES)]


# The rules: units, in halves of links, of each pair of matching mentions and of each mention


def _of_one_mention(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    return np.ones(len(view.pair_cell)), _counts_as_possible(view, unit).astype(np.float64)


def _coreference_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    shared = view.table.cell_sizes[view.pair_cell]
    return (shared - 1) / 2, _counts_as_possible(view, unit) * (_sizes(view, unit) - 1) / 2


def _spanning_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    links = links_of(view, "minimum")
    n = len(view.own.document)
    counts = _counts_as_possible(view, unit)
    ends = np.concatenate([links.first, links.second])
    earned, most = (
        add_up(ends, np.concatenate([each, each]) / 2, n)
        for each in (links.correct, counts[links.first] & counts[links.second])
    )
    return earned[view.pair_own], most


def _non_coreference_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    table, cell, document = view.table, view.pair_cell, view.own.document
    others = (
        table.n_shared_mentions[document[view.pair_own]]
        - table.key_shared[table.cell_key[cell]]
        - table.response_shared[table.cell_response[cell]]
        + table.cell_sizes[cell]
    )
    of_document = table.n_shared_mentions if unit.shared_only else table.n_key_mentions
    possible = of_document[document] - _sizes(view, unit)
    return others / 2, _counts_as_possible(view, unit) * possible / 2


def _sizes(view: View, unit: Unit) -> IntArray:
    """(mentions,) the size of the mention's entity, as far as it counts."""
    table = view.table
    return (table.key_shared if unit.shared_only else table.key_sizes)[view.own_entity]


def _counts_as_possible(view: View, unit: Unit) -> BoolArray:
    return view.own_cell >= 0 if unit.shared_only else np.ones(len(view.own_cell), dtype=bool)


# The rules: units one by one


def _listed(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray, documents: BoolArray
) -> UnitCredit:
    listing = rule_of(unit).listing
    if listing == "entities":
        return _listed_entities(view, unit, credit, possible, documents)
    among = documents[view.own.document]
    if listing == "mentions":
        first = np.flatnonzero(among)
        second, cell = np.full(len(first), -1), view.own_cell[first]
    else:
        links = links_of(view, listing, among=among)
        first, second, cell = links.first, links.second, links.cell
    most = possible[view.own_entity[first]]
    earned = np.append(credit, 0.0)[cell]
    counts = np.append(_counts_as_possible(view, unit), True)
    most = most * (counts[first] & counts[second])
    kept = (most > 0) | (earned > 0)
    listed = (first[kept], second[kept], earned[kept], most[kept])
    return UnitCredit(unit.kind, unit.part, *listed)


def _listed_entities(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray, documents: BoolArray
) -> UnitCredit:
    """Non-coreference links, counted for each pair of own entities of a document."""
    table = view.table
    sizes = table.key_shared if unit.shared_only else table.key_sizes
    numbers = np.flatnonzero(documents).tolist()
    blocks = [_entity_pairs(view, credit, document) for document in numbers]
    first, second, earned = (np.concatenate([block[i] for block in blocks]) for i in range(3))
    most = sizes[first] * sizes[second] * (possible[first] + possible[second]) / 2
    return UnitCredit(unit.kind, unit.part, first, second, earned, most)


def _entity_pairs(
    view: View, credit: FloatArray, document: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Each two own entities of a document, and the credit of their pairs of shared mentions that
    lie in two entities on the other side as well; each end of a pair earns half of its cell's."""
    table = view.table
    own = np.flatnonzero(table.key_document == document)
    cells = np.flatnonzero(table.cell_document == document)
    others, column = np.unique(table.cell_response[cells], return_inverse=True)
    shared, worth = np.zeros((2, len(own), len(others)))
    places = (np.searchsorted(own, table.cell_key[cells]), column)
    shared[places] = table.cell_sizes[cells]
    worth[places] = table.cell_sizes[cells] * credit[cells]
    first, second = np.triu_indices(len(own), k=1)
    pairs = np.outer(worth.sum(axis=1), shared.sum(axis=1)) - worth @ shared.T
    return own[first], own[second], ((pairs + pairs.T) / 2)[first, second]


def document_mask(comparison: Comparison, names: Sequence[str] | None) -> BoolArray:
    """(documents,) True for those of these names; all if None. PolicyError for an unknown one."""
    known = [document.name for document in comparison.key]
    for name in names or ():
        if name not in known:
            raise PolicyError(f"no document {name!r} in the key")
    return np.array([names is None or name in names for name in known], dtype=bool)


@dataclass(frozen=True)
class Rule:
    """How one kind of unit is spread over mentions and listed one by one.

    spread   (pairs,) and (mentions,): units that a pair of matching mentions has and that a mention
             could have, in halves of links
    listing  its units: "mentions", the links of WHICH_LINKS, or "entities": counted for each two
    """

    spread: Callable[[View, Unit], tuple[FloatArray, FloatArray]]
    listing: str


RULES: Mapping[str, Rule] = {
    SELF_LINK: Rule(_of_one_mention, "mentions"),
    ALIGNED_MENTION: Rule(_of_one_mention, "mentions"),
    COREFERENCE_LINK: Rule(_coreference_ends, "all"),
    SPANNING_LINK: Rule(_spanning_ends, "minimum"),
    NON_COREFERENCE_LINK: Rule(_non_coreference_ends, "entities"),
}


# Marginal value: what a score would be without one mention of the response ------------------------
# Credit says what a metric counts; this says what would change. It is exact.


def scores_without(
    comparison: Comparison, metric: Metric, mentions: IntArray | None = None
) -> Score[FloatArray]:
    """(mentions,) the corpus' scores if one of these response mentions left the response, each of
    them if None. 0/0 is 0, as in the corpus total."""
    changes = _leaving(comparison)
    changes, which = (changes if mentions is None else changes.rows(mentions)).distinct()
    counts = metric.counts(comparison.table).total() + changed_counts([metric], changes)[0]
    return metric.score(counts.rows(which), empty=0)


def _leaving(comparison: Comparison) -> Changes:
    """(response mentions,) each mention leaves its entity and all of its cells."""
    view, table = comparison.precision, comparison.table
    n, entity, pair = len(view.own_entity), view.own_entity, view.pair_own
    one, none = np.ones(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    of_pair = np.ones(len(pair), dtype=np.int64)
    from_entity = Steps(np.arange(n), entity, np.full(n, -1), -one, none)
    from_cell = Steps(pair, entity[pair], table.cell_key[view.pair_cell], 0 * of_pair, -of_pair)
    return Changes(table, view.own.document, Steps.joined(from_entity, from_cell))


# Credit as tidy pandas tables: one row per link, mention, entity, document or type ----------------

LEVELS = ("link", "mention", "entity", "document", "entity-type")

UNTYPED = "unknown"


def credit_table(
    comparison: Comparison,
    metric: Metric,
    *,
    side: str = "recall",
    by: str = "mention",
    documents: Sequence[str] | None = None,
) -> pd.DataFrame:
    """What `metric` credits on one side, at one level; `documents` names some, None means all.

    Columns of all levels: document, metric, side, kind (of unit), credit, possible; by entity-type
    entity_type instead of document, entities, mentions, and share (credit / possible; NaN without
    any): under LEA the score of the entities of this type alone, as if all others had the
    importance 0 (Moosavi & Strube 2016, §4). An entity has the first type that its own file gives
    one of its mentions, in text order, and is "unknown" without one. The kinds of a metric's units
    are then in one row, but for the two parts of BLANC. By entity
    also entity and mentions; by mention: mention (its words), start, end (half-open), key_entity
    and response_entity; by link the same with other, other_start and other_end (missing where a
    unit has one mention). Non-coreference links have by link a row for each two entities, in
    `entity` and `other_entity`. Entities are counted from 1 in the text order of their first
    mentions, and missing (NA) where the other side lacks the mention.

    The sum of `credit` is the numerator of the metric's score, that of `possible` the denominator
    (for BLANC, of the part that the kind belongs to). If a side lists a span twice and the scorer
    looks mentions up (`repeats` "reference" or "listed", `lookup` "table"), credit covers each
    mention once, in the last entity that lists it, and does not add up to the scorer's counts.

    Raises PolicyError for an unknown side, level or document, and a metric that does not say what
    it credits.
    """
    view = comparison.view(side)
    mask = document_mask(comparison, documents)
    if choose("by", by, LEVELS) == "link":
        units = unit_credit(comparison, metric, side=side, documents=mask)
        frames = [(unit.kind, _unit_rows(view, side, unit)) for unit in units]
    else:
        values = {
            unit.kind: pd.DataFrame({"credit": unit.credit, "possible": unit.possible})
            for unit in mention_credit(comparison, metric, side=side)
        }
        if by == "entity-type" and NON_COREFERENCE_LINK not in values:
            values = {", ".join(values): reduce(pd.DataFrame.add, values.values())}
        frames = [(kind, _level_rows(view, side, by, mask, of)) for kind, of in values.items()]
    tables = [_told(frame, metric, side, kind) for kind, frame in frames]
    table = pd.concat(tables, ignore_index=True)
    for name in {"start", "end"} & set(table):  # missing of a row that counts all links of two
        table[name] = table[name].astype("Int64")
    return table


def _told(frame: pd.DataFrame, metric: Metric, side: str, kind: str) -> pd.DataFrame:
    """The rows with what they are of, after the first column."""
    of = {"metric": metric.id, "side": side, "kind": kind}
    for at, (name, value) in enumerate(of.items(), start=1):
        frame.insert(at, name, value)
    return frame


def _level_rows(
    view: View, side: str, by: str, mask: BoolArray, values: pd.DataFrame
) -> pd.DataFrame:
    rows = np.flatnonzero(mask[view.own.document])
    frame = values.iloc[rows].reset_index(drop=True)
    if by == "mention":
        return mention_columns(view, side, rows).join(frame)
    if by == "entity-type":
        return _by_type(view, rows, frame)
    frame["document"] = view.own.document[rows]
    keys = ["document"]
    if by == "entity":
        frame["entity"] = entity_numbers(view.own)[rows]
        keys.append("entity")
    groups = frame.groupby(keys, sort=True)
    summed = groups.sum().reset_index()
    if by == "entity":
        summed.insert(2, "mentions", groups.size().to_numpy())
    summed["document"] = _names(view.documents, summed["document"].to_numpy())
    return summed


def _by_type(view: View, rows: IntArray, frame: pd.DataFrame) -> pd.DataFrame:
    """The credit of mentions, added up over the types of their entities, those with most first."""
    entity = view.own.entity[rows]
    of_entity: dict[int, str] = {}
    places = zip(view.own.document[rows].tolist(), view.own.row[rows].tolist(), strict=True)
    for at, (document, row) in zip(entity.tolist(), places, strict=True):
        attributes = view.documents[document].attributes
        own = attributes.entity_type[row] if attributes else ""
        of_entity[at] = of_entity.get(at) or own
    types = pd.Series([of_entity[at] or UNTYPED for at in entity.tolist()], name="entity_type")
    groups = frame.assign(entity=entity).groupby(types)
    summed = groups[["credit", "possible"]].sum()
    summed.insert(0, "entities", groups["entity"].nunique())
    summed.insert(1, "mentions", groups.size())
    summed["share"] = summed["credit"] / summed["possible"].where(summed["possible"] > 0)
    return summed.sort_values("mentions", ascending=False, kind="stable").reset_index()


def mention_columns(view: View, side: str, rows: IntArray) -> pd.DataFrame:
    """document, mention, start, end, key_entity and response_entity of own mentions."""
    own = entity_numbers(view.own)[rows]
    partner = view.own_partner[rows]
    other = pd.array(np.append(entity_numbers(view.other), 0)[partner], dtype="Int64")
    other[partner < 0] = pd.NA
    key, response = (own, other) if side == "recall" else (other, own)
    start, end = view.own.start[rows], view.own.end[rows]
    return pd.DataFrame(
        {
            "document": _names(view.documents, view.own.document[rows]),
            "mention": texts(view.documents, view.own, rows),
            "start": start,
            "end": end,
            "key_entity": pd.array(key, dtype="Int64"),
            "response_entity": pd.array(response, dtype="Int64"),
        }
    )


def _unit_rows(view: View, side: str, unit: UnitCredit) -> pd.DataFrame:
    values = {"credit": unit.credit, "possible": unit.possible}
    if unit.kind == NON_COREFERENCE_LINK:
        number = numbers_of_entities(view)
        entities = {
            "document": _names(view.documents, view.table.key_document[unit.first]),
            "entity": pd.array(number[unit.first], dtype="Int64"),
            "other_entity": pd.array(number[unit.second], dtype="Int64"),
        }
        return pd.DataFrame(entities | values)
    frame = mention_columns(view, side, unit.first)
    others = pd.DataFrame(
        {
            "other": texts(view.documents, view.own, unit.second),
            "other_start": pd.array(view.own.start[unit.second], dtype="Int64"),
            "other_end": pd.array(view.own.end[unit.second], dtype="Int64"),
        }
    )
    others.loc[unit.second < 0] = pd.NA
    return pd.concat([frame.iloc[:, :4], others, frame.iloc[:, 4:]], axis=1).assign(**values)


def entity_numbers(side: Side) -> IntArray:
    """(mentions,) the entity of each mention within its document, counted from 1."""
    first = np.searchsorted(side.entity_document, side.document)
    return side.entity - first + 1


def numbers_of_entities(view: View) -> IntArray:
    """(entities,) the number of each own entity within its document, counted from 1."""
    numbers = np.zeros(len(view.table.key_sizes), dtype=np.int64)
    numbers[view.own_entity] = entity_numbers(view.own)
    return numbers


def marginal_table(comparison: Comparison, metric: Metric) -> pd.DataFrame:
    """What the corpus' score would gain or lose if one mention left the response, for each.

    Columns: document, mention, start, end, key_entity and response_entity as in `credit_table`,
    and recall, precision and f1: the score without the mention minus the score with it, exact;
    fractions. See `corescore.analysis.credit`.
    """
    view = comparison.precision
    table = mention_columns(view, "precision", np.arange(len(view.own.document)))
    now = metric.score(metric.counts(comparison.table).total(), empty=0).row(0)
    without = scores_without(comparison, metric)
    changes = {name: getattr(without, name) - getattr(now, name) for name in MEASURES}
    return table.assign(**changes)


def alignment_table(comparison: Comparison, metric: Metric) -> pd.DataFrame:
    """The pairs of entities that a CEAF aligns, in text order of the key's.

    Columns: document, key_entity, response_entity, shared (mentions), similarity (towards the
    numerator), tied: whether its overlap has another alignment that is as good (the one taken is
    always the same), and perfect: whether both entities have the same mentions. Raises
    PolicyError for a metric that aligns nothing.
    """
    if metric.similarity is None:
        raise PolicyError(f"metric {metric.id!r} aligns no entities")
    table, weight = comparison.table, metric.similarity(comparison.table)
    chosen = best_assignment(table.components, weight)
    frame = pd.DataFrame(
        {
            "document": _names(comparison.key, table.cell_document[chosen]),
            "key_entity": numbers_of_entities(comparison.recall)[table.cell_key[chosen]],
            "response_entity": numbers_of_entities(comparison.precision)[
                table.cell_response[chosen]
            ],
            "shared": table.cell_sizes[chosen],
            "similarity": weight[chosen],
            "tied": has_other_best(table, weight)[chosen],
            "perfect": (table.cell_sizes == table.key_sizes[table.cell_key])[chosen]
            & (table.cell_sizes == table.response_sizes[table.cell_response])[chosen],
        }
    )
    order = np.lexsort((frame["key_entity"], table.cell_document[chosen]))
    return frame.iloc[order].reset_index(drop=True)


def texts(documents: Sequence[Document], side: Side, mentions: IntArray) -> list[str]:
    """The words of mentions."""
    columns = (side.document, side.start, side.end)
    places = zip(*(column[mentions].tolist() for column in columns), strict=True)
    return [documents[number].text_at(start, end) for number, start, end in places]


def _names(documents: Sequence[Document], numbers: IntArray) -> list[str]:
    names = [document.name for document in documents]
    return [names[number] for number in numbers.tolist()]


# Non-coreference links one by one, of one mention or between two entities -------------------------
# A document has too many of them to list: `unit_credit` counts them for each pair of entities.


def non_coreference_links_of(
    comparison: Comparison, metric: Metric, mention: int, *, side: str
) -> pd.DataFrame:
    """The non-coreference links of one mention, by its number on that side: the wrong ones first,
    then the correct ones, each in the text order of their other ends.

    Columns: document, metric, side, kind, mention, start, end, key_entity and response_entity of
    the one end (this mention), other, other_start, other_end, other_key_entity and
    other_response_entity of the other, credit (1 if the other side has the link too, else 0) and
    possible (1). Raises PolicyError for a metric that credits no non-coreference links.
    """
    view = comparison.view(side)
    entity, document = view.own_entity[mention], view.own.document[mention]
    linked = np.flatnonzero((view.own.document == document) & (view.own_entity != entity))
    return _non_coreference(comparison, metric, side, np.full(len(linked), mention), linked)


def non_coreference_links_between(
    comparison: Comparison, metric: Metric, entities: tuple[int, int], *, side: str, document: str
) -> pd.DataFrame:
    """The non-coreference links between two own entities of a document, numbered as in
    `credit_table`; columns, order and errors as of `non_coreference_links_of`."""
    view = comparison.view(side)
    first, second = (_mentions_of_entity(view, document, entity) for entity in entities)
    one, other = np.repeat(first, len(second)), np.tile(second, len(first))
    return _non_coreference(comparison, metric, side, one, other)


def mentions_of(view: View, document: str) -> IntArray:
    """The own mentions of a document."""
    names = [known.name for known in view.documents]
    return np.flatnonzero(view.own.document == names.index(document))


def _mentions_of_entity(view: View, document: str, number: int) -> IntArray:
    rows = mentions_of(view, document)
    found: IntArray = rows[numbers_of_entities(view)[view.own_entity[rows]] == number]
    return found


def _non_coreference(
    comparison: Comparison, metric: Metric, side: str, one: IntArray, other: IntArray
) -> pd.DataFrame:
    view, counted = comparison.view(side), _counted(comparison, metric, side, one, other)
    one, other = one[counted], other[counted]
    others = mention_columns(view, side, other).drop(columns="document").add_prefix("other_")
    others = others.rename(columns={"other_mention": "other"})
    table = mention_columns(view, side, one).join(others)
    table = _told(table, metric, side, NON_COREFERENCE_LINK)
    table = table.assign(credit=_apart(view, one, other).astype(float), possible=1.0)
    return table.sort_values("credit", kind="stable", ignore_index=True)


def _counted(
    comparison: Comparison, metric: Metric, side: str, one: IntArray, other: IntArray
) -> BoolArray:
    """(links,) whether the metric counts a link: all of them, or those of shared mentions only."""
    units = [u for u in units_of(metric, comparison) if u.kind == NON_COREFERENCE_LINK]
    if not units:
        raise PolicyError(f"metric {metric.id!r} credits no non-coreference links")
    shared = comparison.view(side).own_cell >= 0
    counted: BoolArray = shared[one] & shared[other] | (not units[0].shared_only)
    return counted


def _apart(view: View, one: IntArray, other: IntArray) -> BoolArray:
    """Whether the other side has both of two own mentions, in two entities."""
    entities = np.append(view.other_entity, -1)  # a twinless mention's partner is −1
    of_one, of_other = entities[view.own_partner[one]], entities[view.own_partner[other]]
    apart: BoolArray = (of_one >= 0) & (of_other >= 0) & (of_one != of_other)
    return apart
