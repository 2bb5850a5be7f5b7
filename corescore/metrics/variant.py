"""What variants do to twinless mentions before a metric is computed.

Each change is made to the table of entities, which is what is scored, and to plain entities, of
which the worked example of a card is made.
"""

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.metric import Card, Metric
from corescore.metrics.textbook import Entities, Step, Textbook, with_f1
from corescore.util import IntArray


@dataclass(frozen=True)
class Change:
    """A change to both sides: of the table, and of the entities of a small key and response."""

    table: Callable[[Contingency], Contingency]
    entities: Callable[[Entities, Entities], tuple[Entities, Entities]]

    def then(self, other: "Change") -> "Change":
        """Both changes, this one first."""
        return Change(
            lambda table: other.table(self.table(table)),
            lambda key, response: other.entities(*self.entities(key, response)),
        )


def variant_of(
    metric: Metric,
    id: str,
    *,
    recall: Change,
    precision: Change,
    title: str,
    paper: str,
    card: Card,
) -> Metric:
    """A metric of one part with its recall after one change and its precision after another."""

    def counts(table: Contingency) -> Counts:
        of_recall, of_precision = (metric.counts(c.table(table)) for c in (recall, precision))
        return replace(
            of_precision,
            recall_numerator=of_recall.recall_numerator,
            recall_denominator=of_recall.recall_denominator,
        )

    return Metric(
        id=id,
        title=title,
        unit=metric.unit,
        paper=paper,
        counts=counts,
        repeats=metric.repeats,
        colour=metric.colour,
        textbook=_textbook(metric.textbook, recall, precision) if metric.textbook else None,
        card=card,
    )


def card_of(metric: Metric, **fields: Any) -> Card:
    """The card of a variant that has the formulas, letters and unit of its metric."""
    if metric.card is None:
        raise ValueError(f"{metric.id} has no card")
    return replace(metric.card, unit=f"As in {metric.name}. {metric.card.unit}", **fields)


def _textbook(textbook: Textbook, recall: Change, precision: Change) -> Textbook:
    def steps(key: Entities, response: Entities) -> list[Step]:
        of_recall = textbook(*recall.entities(key, response))[0]
        of_precision = textbook(*precision.entities(key, response))[1]
        return with_f1(replace(of_recall, summands=()), replace(of_precision, summands=()))

    return steps


# The changes of a table ---------------------------------------------------------------------------


def _with_sizes(table: Contingency, key_sizes: IntArray, response_sizes: IntArray) -> Contingency:
    """The table with other sizes; an entity of size 0 is left out. None of these may share any."""
    key, response = key_sizes > 0, response_sizes > 0
    return Contingency(
        table.n_documents,
        key_sizes[key],
        table.key_document[key],
        response_sizes[response],
        table.response_document[response],
        (np.cumsum(key) - 1)[table.cell_key],
        (np.cumsum(response) - 1)[table.cell_response],
        table.cell_sizes,
        table.cell_held,
    )


def shared_only(table: Contingency) -> Contingency:
    """The mentions that both sides have."""
    return _with_sizes(table, table.key_shared, table.response_shared)


def _without_spurious_singletons(table: Contingency) -> Contingency:
    alone = (table.response_sizes == 1) & (table.response_shared == 0)
    return _with_sizes(table, table.key_sizes, np.where(alone, 0, table.response_sizes))


def _with_missing(table: Contingency) -> Contingency:
    """Each missing mention as a singleton of the response."""
    # Where a side lists a span twice and all are kept, more can be shared than there are.
    missing = np.maximum(table.key_sizes - table.key_shared, 0)
    key = np.repeat(np.arange(len(missing)), missing)
    document = np.concatenate([table.response_document, table.key_document[key]])
    order = np.argsort(document, kind="stable")
    place = np.argsort(order)
    added = len(table.response_sizes) + np.arange(len(key))
    cell_key = np.concatenate([table.cell_key, key])
    cell_response = place[np.concatenate([table.cell_response, added])]
    cells = np.lexsort((cell_response, cell_key))
    one, held = np.ones_like(key), table.cell_held
    return replace(
        table,
        response_sizes=np.concatenate([table.response_sizes, one])[order],
        response_document=document[order],
        cell_key=cell_key[cells],
        cell_response=cell_response[cells],
        cell_sizes=np.concatenate([table.cell_sizes, one])[cells],
        cell_held=None if held is None else np.concatenate([held, one])[cells],
    )


# The same changes of entities ---------------------------------------------------------------------


def _mentions(side: Entities) -> set[Hashable]:
    return {mention for entity in side for mention in entity}


def _among(side: Entities, mentions: Collection[Hashable]) -> list[list[Hashable]]:
    """The entities with these mentions alone; those that have none are left out."""
    kept = ([mention for mention in entity if mention in mentions] for entity in side)
    return [entity for entity in kept if entity]


def _alone(side: Entities, other: Entities) -> list[list[Hashable]]:
    """Each mention that the other side lacks as a singleton."""
    there = _mentions(other)
    return [[mention] for entity in side for mention in entity if mention not in there]


def _but_spurious_singletons(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    known = _mentions(key)
    return key, [entity for entity in response if len(entity) > 1 or known & {*entity}]


UNCHANGED = Change(lambda table: table, lambda key, response: (key, response))
WITHOUT_SPURIOUS = Change(
    lambda table: _with_sizes(table, table.key_sizes, table.response_shared),
    lambda key, response: (key, _among(response, _mentions(key))),
)
WITHOUT_SPURIOUS_SINGLETONS = Change(_without_spurious_singletons, _but_spurious_singletons)
SHARED_ONLY = Change(
    shared_only,
    lambda key, response: (_among(key, _mentions(response)), _among(response, _mentions(key))),
)
MISSING_ALONE = Change(
    _with_missing, lambda key, response: (key, [*response, *_alone(key, response)])
)
SPURIOUS_ALONE = Change(
    lambda table: _with_missing(table.swapped).swapped,
    lambda key, response: ([*key, *_alone(response, key)], response),
)
