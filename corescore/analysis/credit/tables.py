"""Credit as tidy pandas tables: a row a link, mention, entity or document."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from corescore.analysis.credit.marginal import scores_without_each
from corescore.analysis.credit.units import UnitCredit, document_mask, mention_credit, unit_credit
from corescore.arrays import AnyArray, BoolArray, IntArray
from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison, View
from corescore.counting.counts import MEASURES
from corescore.counting.sides import Side
from corescore.metrics import Metric
from corescore.metrics.alignment import has_other_best
from corescore.metrics.metric import NON_COREFERENCE_LINK

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
        tables = [_unit_rows(view, side, unit) for unit in units]
    else:
        values = {
            unit.kind: {"credit": unit.credit, "possible": unit.possible}
            for unit in mention_credit(comparison, metric, side=side)
        }
        if by == "entity-type" and NON_COREFERENCE_LINK not in values:
            every = [*values.values()]
            both = {n: np.sum([of[n] for of in every], axis=0) for n in ("credit", "possible")}
            values = {", ".join(values): both}
        tables = [_level_rows(view, side, by, mask, kind, of) for kind, of in values.items()]
    table = pd.concat(tables, ignore_index=True)
    for name in {"start", "end"} & set(table):  # missing of a row that counts all links of two
        table[name] = table[name].astype("Int64")
    table.insert(1, "metric", metric.id)
    table.insert(2, "side", side)
    return table


def _level_rows(
    view: View, side: str, by: str, mask: BoolArray, kind: str, values: dict[str, AnyArray]
) -> pd.DataFrame:
    rows = np.flatnonzero(mask[view.own.document])
    frame = pd.DataFrame({name: value[rows] for name, value in values.items()})
    if by == "mention":
        return _with_kind(mention_columns(view, side, rows), kind).join(frame)
    if by == "entity-type":
        return _with_kind(_by_type(view, rows, frame), kind)
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
    return _with_kind(summed, kind)


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


def _with_kind(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    frame.insert(1, "kind", kind)
    return frame


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
        return _with_kind(_entity_pairs(view, unit), unit.kind).assign(**values)
    frame = _with_kind(mention_columns(view, side, unit.first), unit.kind)
    has_other = unit.second >= 0
    place = list(frame.columns).index("key_entity")
    frame.insert(place, "other", _text_or_missing(view, unit.second))
    frame.insert(place + 1, "other_start", _or_missing(view.own.start[unit.second], has_other))
    frame.insert(place + 2, "other_end", _or_missing(view.own.end[unit.second], has_other))
    return frame.assign(**values)


def _entity_pairs(view: View, unit: UnitCredit) -> pd.DataFrame:
    number = numbers_of_entities(view)
    return pd.DataFrame(
        {
            "document": _names(view.documents, view.table.key_document[unit.first]),
            "entity": pd.array(number[unit.first], dtype="Int64"),
            "other_entity": pd.array(number[unit.second], dtype="Int64"),
        }
    )


def _or_missing(values: IntArray, known: BoolArray) -> "pd.Series[int]":
    array = pd.Series(values, dtype="Int64")
    array[~known] = pd.NA
    return array


def _text_or_missing(view: View, mentions: IntArray) -> list[str | None]:
    every = texts(view.documents, view.own, mentions)
    return [text if at >= 0 else None for text, at in zip(every, mentions.tolist(), strict=True)]


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
    fractions. See `corescore.analysis.credit.marginal`.
    """
    view = comparison.precision
    table = mention_columns(view, "precision", np.arange(len(view.own.document)))
    now = metric.score(metric.counts(comparison.table).total(), empty=0).row(0)
    without = scores_without_each(comparison, metric)
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
