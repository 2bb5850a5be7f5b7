"""Non-coreference links one by one, of one mention or between two entities.

A document has too many of them to list: `unit_credit` counts them for each pair of entities.
"""

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import mention_columns, numbers_of_entities
from corescore.analysis.credit.units import units_of
from corescore.arrays import BoolArray, IntArray
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import Comparison, View
from corescore.metrics import Metric
from corescore.metrics.metric import NON_COREFERENCE_LINK


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
    return _links(comparison, metric, side, np.full(len(linked), mention), linked)


def non_coreference_links_between(
    comparison: Comparison, metric: Metric, entities: tuple[int, int], *, side: str, document: str
) -> pd.DataFrame:
    """The non-coreference links between two own entities of a document, numbered as in
    `credit_table`; columns, order and errors as of `non_coreference_links_of`."""
    view = comparison.view(side)
    first, second = (_mentions_of_entity(view, document, entity) for entity in entities)
    one, other = np.repeat(first, len(second)), np.tile(second, len(first))
    return _links(comparison, metric, side, one, other)


def _mentions_of_entity(view: View, document: str, number: int) -> IntArray:
    names = [known.name for known in view.documents]
    of_document = view.own.document == names.index(document)
    return np.flatnonzero(of_document & (numbers_of_entities(view)[view.own_entity] == number))


def _links(
    comparison: Comparison, metric: Metric, side: str, one: IntArray, other: IntArray
) -> pd.DataFrame:
    view, counted = comparison.view(side), _counted(comparison, metric, side, one, other)
    one, other = one[counted], other[counted]
    places = ("start", "end", "key_entity", "response_entity")
    names = {"mention": "other"} | {name: f"other_{name}" for name in places}
    others = mention_columns(view, side, other).drop(columns="document").rename(columns=names)
    table = mention_columns(view, side, one).join(others)
    for at, (name, value) in enumerate(
        {"metric": metric.id, "side": side, "kind": NON_COREFERENCE_LINK}.items(), start=1
    ):
        table.insert(at, name, value)
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
