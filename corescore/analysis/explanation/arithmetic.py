"""The arithmetic of one row of a metric: an entity, a mention or a link, in words and numbers.

Each ends in "credit of possible", both worked out: "2 of its 3 mentions in response entity 1:
2/3 = 0.667 of 1". A metric without an explanation has the two numbers alone.
"""

from typing import Any

import pandas as pd

from corescore.analysis.explanation.facts import entity_facts, mention_facts
from corescore.analysis.explanation.shares import SIDE_WORDS, mentions_of
from corescore.counting.comparison import Comparison
from corescore.metrics import Metric
from corescore.metrics.explanation import EntityFacts, Explainer, MentionFacts, Row
from corescore.metrics.metric import ALIGNED_MENTION, NON_COREFERENCE_LINK, SELF_LINK
from corescore.wording import number

_Place = tuple[int, int, int]


def arithmetic(
    comparison: Comparison,
    metric: Metric,
    table: pd.DataFrame,
    *,
    side: str,
    by: str,
    document: str,
) -> list[str]:
    """The arithmetic of each row of a `credit_table` of one document at this level."""
    records = table.to_dict("records")
    rows = [Row(r["kind"], float(r["credit"]), float(r["possible"])) for r in records]
    words = metric.explanation
    if words is None or by not in ("entity", "mention", "link"):
        return [row.plain for row in rows]
    if by == "entity":
        entities = entity_facts(comparison, metric, side=side, document=document)
        return [
            words.entity(row, entities[r["entity"]]) for row, r in zip(rows, records, strict=True)
        ]
    facts = _facts_by_place(comparison, metric, side, document)
    own = f"{SIDE_WORDS[side][0]}_entity"
    if by == "mention":
        mentions = [facts[r["start"], r["end"], r[own]] for r in records]
        return [
            row.plain if mention.n_cells > 1 else words.mention(row, mention)
            for row, mention in zip(rows, mentions, strict=True)
        ]
    entities = entity_facts(comparison, metric, side=side, document=document)
    return [
        _of_link(words, row, r, own, facts, entities) for row, r in zip(rows, records, strict=True)
    ]


def _of_link(
    words: Explainer,
    row: Row,
    record: dict[Any, Any],
    own: str,
    facts: dict[_Place, MentionFacts],
    entities: dict[int, EntityFacts],
) -> str:
    if row.kind == NON_COREFERENCE_LINK:
        return _between_entities(row, entities[record["entity"]], entities[record["other_entity"]])
    one, two = facts[record["start"], record["end"], record[own]], None
    if row.kind not in (SELF_LINK, ALIGNED_MENTION):
        two = facts[record["other_start"], record["other_end"], record[own]]
    repeated = max(one.n_cells, two.n_cells if two else 0) > 1
    return row.plain if repeated else words.link(row, one, two)


def _facts_by_place(
    comparison: Comparison, metric: Metric, side: str, document: str
) -> dict[_Place, MentionFacts]:
    """By start, end and entity: with repeats, two entities can have the same span."""
    view = comparison.view(side)
    mentions = mentions_of(view, document)
    facts = mention_facts(comparison, mentions, side=side, metric=metric)
    spans = zip(view.own.start[mentions].tolist(), view.own.end[mentions].tolist(), strict=True)
    return {(*span, fact.entity): fact for span, fact in zip(spans, facts, strict=True)}


def _between_entities(row: Row, one: EntityFacts, two: EntityFacts) -> str:
    """BLANC: the pairs of shared mentions of two entities, less those that the other side joins."""
    sizes, shared = (one.size, two.size), (one.n_shared, two.n_shared)
    joined = shared[0] * shared[1] - row.credit
    counted_sizes = sizes if sizes[0] * sizes[1] == row.possible else shared
    less = f" − {number(joined)}" if joined else ""
    why = f"{shared[0]} and {shared[1]} shared, {number(joined) if joined else 'none'} joined"
    possible = f"{counted_sizes[0]} × {counted_sizes[1]}"
    return row.told(why, f"{shared[0]} × {shared[1]}{less}", possible)
