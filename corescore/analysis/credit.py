"""What each metric credits: its units, spread over mentions or listed one by one.

The credits of a metric's units add up to its numerator and their maxima to its denominator, on
the recall side and, with the sides exchanged, on the precision side.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import Mentions, entity_numbers
from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError, choose, did_you_mean
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison, View
from corescore.counting.contingency import add_up
from corescore.counting.counts import MEASURES, Counts, Score, divide
from corescore.counting.whatif import Changes, Steps
from corescore.metrics import Metric
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    NON_COREFERENCE_LINK,
    SELF_LINK,
    SPANNING_LINK,
    Unit,
    changed_counts,
)
from corescore.metrics.standard import has_other_best
from corescore.util import BoolArray, FloatArray, IntArray, as_rows, picked, ranges
from corescore.wording import counted

# Coreference links of one side, correct if the other has them: all, or as few as MUC counts -------


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
    first, second, cell = _within(view.pair_own, view.pair_cell, among, minimum)
    other_first, other_second, _ = _within(np.arange(n), view.own_entity, among, minimum)
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


def _within(
    mention: IntArray, group: IntArray, among: BoolArray, minimum: bool
) -> tuple[IntArray, IntArray, IntArray]:
    """Each mention but the first of its group with those before it, or in the minimum the one
    before it, as first of the two; and their group."""
    kept = among[mention]
    mention, group = mention[kept], group[kept]
    order = np.lexsort((mention, group))
    mention, group = mention[order], group[order]
    begin, place = np.searchsorted(group, group), np.arange(len(group))
    second, first = ranges(np.maximum(begin, place - 1) if minimum else begin, place)
    return mention[first], mention[second], group[second]


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
class UnitCredit(MentionCredit):
    """Units one by one.

    credit, possible  (units,)
    first, second  (units,) own mentions, or own entities of a non-coreference link: its rows
                   count all links between two entities. −1 where a unit has no second.
    """

    first: IntArray
    second: IntArray


# How units of each kind are listed: mentions, the links of `links_of`, or for each two entities
RULES = {
    SELF_LINK: "mentions",
    ALIGNED_MENTION: "mentions",
    COREFERENCE_LINK: "all",
    SPANNING_LINK: "minimum",
    NON_COREFERENCE_LINK: "entities",
}


def units_of(metric: Metric, comparison: Comparison) -> tuple[Unit, ...]:
    """The metric's units. PolicyError if it does not define credit, or for a kind of unit
    that nobody knows."""
    if metric.credit is None:
        raise PolicyError(f"metric {metric.id!r} does not define credit")
    units = metric.credit(comparison.table)
    for unit in units:
        choose("kind of unit", unit.kind, RULES)
    return units


def mention_credit(comparison: Comparison, metric: Metric, *, side: str) -> list[MentionCredit]:
    """The metric's credit spread over the mentions of the key (recall) or response (precision)."""
    view, by_unit = comparison.view(side), []
    for unit in units_of(metric, comparison):
        credit, possible = _rates(unit, side)
        earned, most = _link_ends(view, unit)
        of_mention = add_up(view.pair_own, credit[view.pair_cell] * earned, len(most))
        possible = possible[view.own_entity] * most
        by_unit.append(MentionCredit(unit.kind, unit.part, of_mention, possible))
    return by_unit


def _rates(unit: Unit, side: str) -> tuple[FloatArray, FloatArray]:
    return getattr(unit, f"{side}_credit"), getattr(unit, f"{side}_possible")


def _counting_mentions(view: View, unit: Unit) -> tuple[BoolArray, IntArray]:
    """(mentions,) which count, and (entities,) how many of each entity."""
    if unit.shared_only:
        return view.own_cell >= 0, view.table.key_shared
    return np.ones(len(view.own_cell), dtype=bool), view.table.key_sizes


def _link_ends(view: View, unit: Unit) -> tuple[FloatArray, FloatArray]:
    """Units in halves of links: (pairs,) those that a pair of matching mentions has, (mentions,)
    those that a mention could have."""
    table, cell, document = view.table, view.pair_cell, view.own.document
    counts, sizes = _counting_mentions(view, unit)
    match RULES[unit.kind]:
        case "mentions":
            return np.ones(len(cell)), counts.astype(np.float64)
        case "all":
            return (table.cell_sizes[cell] - 1) / 2, counts * (sizes[view.own_entity] - 1) / 2
        case "minimum":
            links = links_of(view, "minimum")
            ends = np.concatenate([links.first, links.second])
            earned, most = (
                add_up(ends, np.tile(of, 2) / 2, len(counts))
                for of in (links.correct, counts[links.first] & counts[links.second])
            )
            return earned[view.pair_own], most
    others = table.apart(table.cell_sizes)[cell]
    of_document = table.n_shared_mentions if unit.shared_only else table.n_key_mentions
    return others / 2, counts * (of_document[document] - sizes[view.own_entity]) / 2


@dataclass(frozen=True)
class Shares:
    """What each mention earns of a metric, its parts (of BLANC) counting as in its score, each by
    its own number of links.

    credit, possible  (mentions,) shares of what all mentions could earn, added over the parts that
                      the score counts
    whole             what all could earn in the metric's units; 1 if it has several parts
    n_parts           how many parts the score counts
    """

    credit: FloatArray
    possible: FloatArray
    whole: float
    n_parts: int


def weighted_credit(comparison: Comparison, metric: Metric, *, side: str) -> Shares:
    """The credit of each mention of the key (recall) or response (precision), in one number."""
    spread, whole = mention_credit(comparison, metric, side=side), dict[int, float]()
    for unit in spread:
        whole[unit.part] = whole.get(unit.part, 0.0) + float(unit.possible.sum())
    weights, n_counting = part_weights(comparison, metric, side, len(whole))
    credit, possible = np.zeros((2, len(comparison.view(side).own.document)))
    for unit in spread:
        weight = weights[unit.part] / (whole[unit.part] or 1.0)
        credit += weight * unit.credit
        possible += weight * unit.possible
    in_units = (whole[spread[-1].part] or 1.0) if len(whole) == 1 else 1.0
    return Shares(credit, possible, in_units, n_counting)


def part_weights(
    comparison: Comparison, metric: Metric, side: str, n_parts: int
) -> tuple[list[float], int]:
    """How much each part counts, 1 where those that count do so alike, and how many count. It is
    what a part scores that is all correct where nothing else is: BLANC leaves out a kind of links
    that the key does not have."""
    if n_parts == 1:
        return [1.0], 1
    alone = part_scores(metric, metric.counts(comparison.table).total(), n_parts)
    n_counting = sum(of.recall > 0 or of.precision > 0 for of in alone) or 1
    return [n_counting * getattr(of, side) for of in alone], n_counting


def part_scores(metric: Metric, counts: Counts, n_parts: int) -> list[Score[float]]:
    """What one row of counts scores when one part has all that it could have and the others have
    nothing, for each part."""
    recall, precision = counts.recall_denominator, counts.precision_denominator
    parts = [np.arange(recall.shape[1]) == part for part in range(n_parts)]
    filled = [Counts(recall * only, recall, precision * only, precision) for only in parts]
    return [metric.score(of, empty=0).row(0) for of in filled]


def mention_share(comparison: Comparison, metric: Metric, *, side: str) -> FloatArray:
    """(mentions,) how much of what it could earn each mention earns, 0 to 1.

    The parts of BLANC count as in its score, each by its own number of links. At most 1: a
    mention of an entity that CEAFₑ aligns with a smaller one earns more than its share of its
    entity's 1. NaN where a mention could earn nothing (a singleton under MUC).
    """
    weighted = weighted_credit(comparison, metric, side=side)
    return np.minimum(divide(weighted.credit, weighted.possible, empty=np.nan), 1.0)


def unit_credit(
    comparison: Comparison, metric: Metric, *, side: str, documents: BoolArray
) -> list[UnitCredit]:
    """The metric's units in the `documents` (documents,) that are True, one by one.

    Units that can earn nothing (the self-links of LEA's larger entities) are left out, and
    non-coreference links are counted for each pair of entities.
    """
    view, by_unit = comparison.view(side), []
    among = documents[view.own.document]
    for unit in units_of(metric, comparison):
        credit, possible = _rates(unit, side)
        rule = RULES[unit.kind]
        if rule == "entities":
            listed = _entity_pairs(view, unit, credit, possible, documents)
            by_unit.append(UnitCredit(unit.kind, unit.part, *listed))
            continue
        if rule == "mentions":
            first = np.flatnonzero(among)
            second, cell = np.full(len(first), -1), view.own_cell[first]
        else:
            links = links_of(view, rule, among=among)
            first, second, cell = links.first, links.second, links.cell
        counts = np.append(_counting_mentions(view, unit)[0], True)
        most = possible[view.own_entity[first]] * (counts[first] & counts[second])
        earned = picked(credit, cell, 0.0)
        kept = (most > 0) | (earned > 0)
        listed = (earned[kept], most[kept], first[kept], second[kept])
        by_unit.append(UnitCredit(unit.kind, unit.part, *listed))
    return by_unit


def _entity_pairs(
    view: View, unit: Unit, credit: FloatArray, possible: FloatArray, documents: BoolArray
) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
    """Non-coreference links, counted for each two own entities of a document: credit, possible and
    the two. Correct are their pairs of shared mentions that lie in two entities on the other side
    as well; each end of a pair earns half of its cell's."""
    table, (_, sizes) = view.table, _counting_mentions(view, unit)
    none = np.zeros(0, dtype=np.int64)
    by_document = [(np.zeros(0), none, none)]
    for document in np.flatnonzero(documents):
        own = np.flatnonzero(table.key_document == document)
        cells = np.flatnonzero(table.cell_document == document)
        others, column = np.unique(table.cell_response[cells], return_inverse=True)
        shared, worth = np.zeros((2, len(own), len(others)))
        places = (np.searchsorted(own, table.cell_key[cells]), column)
        shared[places] = table.cell_sizes[cells]
        worth[places] = table.cell_sizes[cells] * credit[cells]
        first, second = np.triu_indices(len(own), k=1)
        pairs = np.outer(worth.sum(axis=1), shared.sum(axis=1)) - worth @ shared.T
        by_document.append((((pairs + pairs.T) / 2)[first, second], own[first], own[second]))
    earned, first, second = map(np.concatenate, zip(*by_document, strict=True))
    most = sizes[first] * sizes[second] * (possible[first] + possible[second]) / 2
    return earned, most, first, second


def document_mask(comparison: Comparison, names: Iterable[str] | None) -> BoolArray:
    """(documents,) True for those of these names, or of this one; all if None. PolicyError for an
    unknown one."""
    known = comparison.names
    asked = [names] if isinstance(names, str) else known if names is None else [*names]
    for name in asked:
        if name not in known:
            raise PolicyError(f"no document {name!r} in the key{did_you_mean(name, known)}")
    return np.isin(known, asked)


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
    view = comparison.precision
    of_mention, of_pair = np.zeros_like(view.own_entity), np.zeros_like(view.pair_own)
    change = np.append(np.arange(len(of_mention)), view.pair_own)
    steps = Steps(
        change,
        view.own_entity[change],
        np.append(of_mention - 1, comparison.table.cell_key[view.pair_cell]),
        np.append(of_mention - 1, of_pair),
        np.append(of_mention, of_pair - 1),
    )
    return Changes(comparison.table, view.own.document, steps)


# Credit as tidy pandas tables: one row per link, mention, entity, document or type ----------------

UNTYPED = "unknown"

SIZES = (1, 9)  # mentions of an entity: singletons, short chains, long ones
WITHIN = (50, 500, 5000)  # words between a mention and its antecedent
FIRST = "first of its entity"


def groups_of(view: View, by: str, bounds: Sequence[int] = ()) -> tuple[list[str], IntArray]:
    """The names of the groups of own mentions by "size" or "distance", and (mentions,) the group
    of each: by the mentions of its entity, or by the words between its start and that of the one
    before it in its entity, of which a first mention has none.

    bounds  the highest value of each group but the last, rising; by default SIZES or WITHIN

    Raises PolicyError for bounds that do not rise from 1 or more.
    """
    highest = [*bounds] or [*(SIZES if by == "size" else WITHIN)]
    if highest != sorted({*highest}) or highest[0] < 1:
        given = ", ".join(map(str, highest))
        raise PolicyError(f"bounds are {given}; expected ascending numbers from 1, such as 1 and 9")
    lowest = [1, *(most + 1 for most in highest)]
    ends = [*zip(lowest, highest, strict=False)]
    names = [f"{least:,} to {most:,}" if least < most else f"{most:,}" for least, most in ends]
    if by == "size":
        size = np.bincount(view.own_entity)[view.own_entity]
        return [*names, f"{lowest[-1]:,} or more"], np.searchsorted(highest, size)
    distance = antecedent_distance(view)
    nearest = f"up to {counted(highest[0], 'word')}"
    names = [FIRST, nearest, *(f"{between} words" for between in names[1:])]
    number = np.where(distance < 0, 0, 1 + np.searchsorted(highest, distance))
    return [*names, f"more than {counted(highest[-1], 'word')}"], number


def antecedent_distance(view: View) -> IntArray:
    """(mentions,) the words from the start of the one before it in its entity; −1 of a first."""
    own, entity = view.own, view.own_entity
    order = np.lexsort((np.arange(len(entity)), entity))
    distance = np.full(len(entity), -1)
    later = entity[order][1:] == entity[order][:-1]
    distance[order[1:][later]] = np.diff(own.start[order])[later]
    return distance


GROUPED = ("size", "distance")
LEVELS = ("link", "mention", "entity", "document", "entity-type", *GROUPED)


def credit_table(
    comparison: Comparison,
    metric: Metric,
    *,
    side: str = "recall",
    by: str = "mention",
    documents: Sequence[str] | None = None,
    bounds: Sequence[int] = (),
) -> pd.DataFrame:
    """`Result.credit`: what `metric` credits on one side, at one level; `documents` names some,
    `bounds` are those of `groups_of`.

    By entity type, the share under LEA is the score of the entities of this type alone, as if all
    others had the importance 0 (Moosavi & Strube 2016, §4); the kinds of a metric's units are in
    one row, but for the two parts of BLANC.

    If a side lists a span twice and the scorer looks mentions up (`repeats` "reference", "listed",
    "e2e" or "stanza", `lookup` "table"), credit covers each mention once, in the last entity that
    lists it, and does not add up to the scorer's counts.

    Raises PolicyError for an unknown side, level or document, and a metric that does not define
    credit.
    """
    view, mask = comparison.view(side), document_mask(comparison, documents)
    if choose("by", by, LEVELS) == "link":
        units = unit_credit(comparison, metric, side=side, documents=mask)
        frames = [(unit.kind, _unit_rows(comparison, side, unit)) for unit in units]
    else:
        rows = np.flatnonzero(mask[view.own.document])
        values = {
            unit.kind: pd.DataFrame({"credit": unit.credit[rows], "possible": unit.possible[rows]})
            for unit in mention_credit(comparison, metric, side=side)
        }
        if by in ("entity-type", *GROUPED) and NON_COREFERENCE_LINK not in values:
            values = {", ".join(values): reduce(pd.DataFrame.add, values.values())}
        if by == "mention":
            columns = own_columns(comparison, side, rows)
            frames = [(kind, columns.join(of)) for kind, of in values.items()]
        else:
            added = partial(in_groups, bounds=bounds) if by in GROUPED else _added_up
            frames = [(kind, added(view, by, rows, of)) for kind, of in values.items()]
    tables = [_with_origin(frame, metric, side, kind) for kind, frame in frames]
    table = pd.concat(tables, ignore_index=True)
    for name in {"start", "end"} & set(table):  # missing of a row that counts all links of two
        table[name] = table[name].astype("Int64")
    return table


def _with_origin(frame: pd.DataFrame, metric: Metric, side: str, kind: str) -> pd.DataFrame:
    """The rows with what they are of, after the first column."""
    origin = {"metric": metric.id, "side": side, "kind": kind}
    for at, (name, value) in enumerate(origin.items(), start=1):
        frame.insert(at, name, value)
    return frame


def _added_up(view: View, by: str, rows: IntArray, values: pd.DataFrame) -> pd.DataFrame:
    """The credit and possible of own mentions, (rows,), added up at a level."""
    if by == "entity-type":
        attributes = [document.attributes for document in view.documents]
        places = as_rows(view.own.document[rows], view.own.row[rows])
        types = [given.entity_type[row] if (given := attributes[at]) else "" for at, row in places]
        own, entity = pd.Series(types, dtype=object), view.own.entity[rows]
        known = own.where(own != "").groupby(entity).transform("first").fillna(UNTYPED)
        groups = values.groupby(known.rename("entity_type"))
    else:
        keys = [pd.Series(view.own.document[rows], name="document")]
        if by == "entity":
            keys.append(pd.Series(entity_numbers(view.own)[rows], name="entity"))
        groups = values.groupby(keys)
    table = groups.sum()
    if by != "document":
        table.insert(0, "mentions", groups.size())
    if by == "entity-type":
        table.insert(0, "entities", pd.Series(entity).groupby(known).nunique())
        table["share"] = table["credit"] / table["possible"].where(table["possible"] > 0)
        return table.sort_values("mentions", ascending=False, kind="stable").reset_index()
    table = table.reset_index()
    table["document"] = _document_names(view.documents, table["document"].to_numpy())
    return table


def in_groups(
    view: View, by: str, rows: IntArray, values: pd.DataFrame, *, bounds: Sequence[int]
) -> pd.DataFrame:
    """The credit and possible of own mentions, (rows,), added up by size or distance."""
    names, number = groups_of(view, by, bounds)
    groups = values.groupby(number[rows])
    table = groups.sum().reindex(range(len(names)), fill_value=0.0)
    table.insert(0, "mentions", groups.size().reindex(table.index, fill_value=0))
    table["share"] = table["credit"] / table["possible"].where(table["possible"] > 0)
    table.insert(0, by, names)
    return table.reset_index(drop=True)


def own_columns(comparison: Comparison, side: str, mentions: IntArray) -> pd.DataFrame:
    """document, mention, start, end, key_entity and response_entity of own mentions."""
    return Mentions.of_side(comparison, side, mentions).columns().astype({"document": "str"})


def _unit_rows(comparison: Comparison, side: str, unit: UnitCredit) -> pd.DataFrame:
    view, values = comparison.view(side), {"credit": unit.credit, "possible": unit.possible}
    if unit.kind == NON_COREFERENCE_LINK:
        number = numbers_of_entities(view)
        entities = {
            "document": _document_names(comparison.key, view.table.key_document[unit.first]),
            "entity": pd.array(number[unit.first], dtype="Int64"),
            "other_entity": pd.array(number[unit.second], dtype="Int64"),
        }
        return pd.DataFrame(entities | values)
    own, second = (own_columns(comparison, side, of) for of in (unit.first, unit.second))
    names = {"mention": "other", "start": "other_start", "end": "other_end"}
    other = second[[*names]].astype({"start": "Int64", "end": "Int64"}).rename(columns=names)
    other.loc[unit.second < 0] = pd.NA
    return pd.concat([own.iloc[:, :4], other, own.iloc[:, 4:]], axis=1).assign(**values)


def numbers_of_entities(view: View) -> IntArray:
    """(entities,) the number of each own entity within its document, counted from 1."""
    numbers = np.zeros(len(view.table.key_sizes), dtype=np.int64)
    numbers[view.own_entity] = entity_numbers(view.own)
    return numbers


def marginal_table(comparison: Comparison, metric: Metric) -> pd.DataFrame:
    """`Result.marginal`: what the corpus' score would gain or lose if one mention left the
    response, for each, exact."""
    view = comparison.precision
    table = own_columns(comparison, "precision", np.arange(len(view.own.document)))
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
    chosen = np.sort(best_assignment(table.components, weight))
    return pd.DataFrame(
        {
            "document": _document_names(comparison.key, table.cell_document[chosen]),
            "key_entity": numbers_of_entities(comparison.recall)[table.cell_key[chosen]],
            "response_entity": numbers_of_entities(comparison.precision)[
                table.cell_response[chosen]
            ],
            "shared": table.cell_sizes[chosen],
            "similarity": weight[chosen],
            "tied": has_other_best(table, weight)[chosen],
            "perfect": table.are_equal[chosen],
        }
    )


def _document_names(documents: Sequence[Document], numbers: IntArray) -> list[str]:
    return [documents[number].name for number in numbers.tolist()]


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
    members = mentions_of(view, document)
    number = numbers_of_entities(view)[view.own_entity[members]]
    first, second = (members[number == entity] for entity in entities)
    one, other = np.repeat(first, len(second)), np.tile(second, len(first))
    return _non_coreference(comparison, metric, side, one, other)


def _non_coreference(
    comparison: Comparison, metric: Metric, side: str, one: IntArray, other: IntArray
) -> pd.DataFrame:
    view = comparison.view(side)
    units = [u for u in units_of(metric, comparison) if u.kind == NON_COREFERENCE_LINK]
    if not units:
        raise PolicyError(f"metric {metric.id!r} credits no non-coreference links")
    counts, _ = _counting_mentions(view, units[0])
    links = np.array([one, other])[:, counts[one] & counts[other]]
    table, others = (own_columns(comparison, side, end) for end in links)
    others = others.drop(columns="document").add_prefix("other_")
    table = table.join(others.rename(columns={"other_mention": "other"}))
    entities = picked(view.other_entity, view.own_partner[links])  # −1 of a twinless mention
    apart = (entities >= 0).all(axis=0) & (entities[0] != entities[1])
    table = _with_origin(table, metric, side, NON_COREFERENCE_LINK)
    table = table.assign(credit=apart.astype(float), possible=1.0)
    return table.sort_values("credit", kind="stable", ignore_index=True)


def mentions_of(view: View, document: str) -> IntArray:
    """The own mentions of a document."""
    names = [known.name for known in view.documents]
    return np.flatnonzero(view.own.document == names.index(document))
