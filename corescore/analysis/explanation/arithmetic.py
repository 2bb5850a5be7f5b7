"""The arithmetic of one row of a metric: an entity, a mention or a link, in words and numbers.

Each ends in "credit of possible", both worked out: "2 of its 3 mentions in response entity 1:
2/3 = 0.667 of 1". A metric of one's own, which has no words here, is told by its two numbers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from corescore.analysis.explanation.facts import (
    EntityFacts,
    MentionFacts,
    entity_facts,
    mention_facts,
)
from corescore.analysis.explanation.shares import SIDE_WORDS, mentions_of
from corescore.counting.comparison import Comparison
from corescore.metrics import Metric
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    NON_COREFERENCE_LINK,
    SELF_LINK,
)
from corescore.wording import bracketed_sum, counted, number, worked


@dataclass(frozen=True)
class Row:
    """What a row credits: its kind of unit, what it earns and what it could earn."""

    kind: str
    credit: float
    possible: float

    @property
    def plain(self) -> str:
        return f"{number(self.credit)} of {number(self.possible)}"

    def told(self, why: str, credit: str, possible: str) -> str:
        """The reason, then both expressions with their values."""
        return f"{why}: {worked(credit, self.credit)} of {worked(possible, self.possible)}"


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
    tell = {"entity": _of_entities, "mention": _of_mentions, "link": _of_links}.get(by)
    records = table.to_dict("records")
    rows = [Row(r["kind"], float(r["credit"]), float(r["possible"])) for r in records]
    if tell is None or metric.id not in ENTITY_WORDS:
        return [row.plain for row in rows]
    return tell(comparison, metric, side, document, rows, records)


_Records = list[dict[Any, Any]]
_Place = tuple[int, int, int]


def _of_entities(
    comparison: Comparison,
    metric: Metric,
    side: str,
    document: str,
    rows: list[Row],
    records: _Records,
) -> list[str]:
    facts = entity_facts(comparison, metric, side=side, document=document)
    words = ENTITY_WORDS[metric.id]
    return [words(row, facts[r["entity"]]) for row, r in zip(rows, records, strict=True)]


def _of_mentions(
    comparison: Comparison,
    metric: Metric,
    side: str,
    document: str,
    rows: list[Row],
    records: _Records,
) -> list[str]:
    facts = _facts_by_place(comparison, metric, side, document)
    words, own = MENTION_WORDS[metric.id], f"{SIDE_WORDS[side][0]}_entity"
    told = []
    for row, r in zip(rows, records, strict=True):
        mention = facts[r["start"], r["end"], r[own]]
        told.append(row.plain if mention.n_cells > 1 else words(row, mention))
    return told


def _of_links(
    comparison: Comparison,
    metric: Metric,
    side: str,
    document: str,
    rows: list[Row],
    records: _Records,
) -> list[str]:
    facts = _facts_by_place(comparison, metric, side, document)
    entities = entity_facts(comparison, metric, side=side, document=document)
    words, own = LINK_WORDS[metric.id], f"{SIDE_WORDS[side][0]}_entity"
    told = []
    for row, r in zip(rows, records, strict=True):
        if row.kind == NON_COREFERENCE_LINK:
            told.append(_between_entities(row, entities[r["entity"]], entities[r["other_entity"]]))
            continue
        one, two = facts[r["start"], r["end"], r[own]], None
        if row.kind not in (SELF_LINK, ALIGNED_MENTION):
            two = facts[r["other_start"], r["other_end"], r[own]]
        repeated = max(one.n_cells, two.n_cells if two else 0) > 1
        told.append(row.plain if repeated else words(row, one, two))
    return told


def _facts_by_place(
    comparison: Comparison, metric: Metric, side: str, document: str
) -> dict[_Place, MentionFacts]:
    """By start, end and entity: with repeats, two entities can have the same span."""
    view = comparison.view(side)
    mentions = mentions_of(view, document)
    facts = mention_facts(comparison, mentions, side=side, metric=metric)
    spans = zip(view.own.start[mentions].tolist(), view.own.end[mentions].tolist(), strict=True)
    return {(*span, fact.entity): fact for span, fact in zip(spans, facts, strict=True)}


# A row an entity ----------------------------------------------------------------------------------


def _muc_entity(row: Row, entity: EntityFacts) -> str:
    if entity.size == 1:
        return "one mention, no link: 0 of 0"
    parts = len(entity.shared) + entity.size - entity.n_shared
    why = f"{counted(entity.size)} in {counted(parts, 'part')}"
    return row.told(why, f"{entity.size} − {parts}", f"{entity.size} − 1")


def _bcub_entity(row: Row, entity: EntityFacts) -> str:
    squares = bracketed_sum([f"{n}²" for n in entity.shared])
    why = f"{counted(entity.size)}, {entity.n_shared} of them in the {entity.other}"
    return row.told(why, f"{squares}/{entity.size}", number(entity.size))


def _ceafm_entity(row: Row, entity: EntityFacts) -> str:
    return row.told(_entity_alignment(entity), number(row.credit), number(entity.size))


def _ceafe_entity(row: Row, entity: EntityFacts) -> str:
    expression = "0"
    if entity.pair:
        expression = f"2 × {entity.pair.shared}/({entity.size} + {entity.pair.size})"
    return row.told(_entity_alignment(entity), expression, "1")


def _entity_alignment(entity: EntityFacts) -> str:
    if entity.pair is None:
        return "aligned with none"
    return f"aligned with {entity.other} entity {entity.pair.entity}"


def _blanc_entity(row: Row, entity: EntityFacts) -> str:
    if row.kind == COREFERENCE_LINK:
        return row.told("links within it", number(row.credit), number(row.possible))
    right, links = (number(2 * value) for value in (row.credit, row.possible))
    return row.told("half of each link", f"{right}/2", f"{links}/2")


def _lea_entity(row: Row, entity: EntityFacts) -> str:
    if entity.size == 1:
        return row.told("its link to itself", number(row.credit), "1")
    right = [n * (n - 1) // 2 for n in entity.shared if n > 1]
    links = entity.size * (entity.size - 1) // 2
    why = f"{counted(entity.size)}, {sum(right)} of {counted(links, 'link')}"
    expression = f"{entity.size} × {bracketed_sum([str(n) for n in right])}/{links}"
    return row.told(why, expression, number(entity.size))


ENTITY_WORDS: Mapping[str, Callable[[Row, EntityFacts], str]] = {
    "muc": _muc_entity,
    "bcub": _bcub_entity,
    "ceafm": _ceafm_entity,
    "ceafe": _ceafe_entity,
    "blanc": _blanc_entity,
    "lea": _lea_entity,
}


# A row a mention ----------------------------------------------------------------------------------


def _half_of_links(row: Row, mention: MentionFacts) -> str:
    """MUC and BLANC: half of each link goes to each of its ends."""
    right, links = 2 * row.credit, 2 * row.possible
    if not links:
        return f"no {row.kind}: 0 of 0"
    why = f"{number(right)} of its {counted(links, row.kind)}, half of each"
    return row.told(why, f"{number(right)}/2", f"{number(links)}/2")


def _bcub_mention(row: Row, mention: MentionFacts) -> str:
    if not mention.is_shared:
        return row.told(f"the {mention.other} lacks it", "0", "1")
    why = f"{mention.shared} of its entity’s {mention.size} in {mention.other_name}"
    return row.told(why, f"{mention.shared}/{mention.size}", "1")


def _ceafm_mention(row: Row, mention: MentionFacts) -> str:
    return row.told(_mention_alignment(mention), number(row.credit), "1")


def _ceafe_mention(row: Row, mention: MentionFacts) -> str:
    sizes = f"{mention.size} + {mention.other_size}"
    expression = f"2/({sizes})" if mention.is_aligned else "0"
    most = f"1/{mention.size}" if mention.size > 1 else "1"
    return row.told(_mention_alignment(mention), expression, most)


def _mention_alignment(mention: MentionFacts) -> str:
    if not mention.is_shared:
        return f"the {mention.other} lacks it"
    if mention.pair is None:
        return "its entity is aligned with none"
    if mention.is_aligned:
        return f"in {mention.other_name}, the aligned one"
    return f"in {mention.other_name}, not the aligned {mention.pair.entity}"


def _lea_mention(row: Row, mention: MentionFacts) -> str:
    if not mention.is_shared:
        return row.told(f"the {mention.other} lacks it", "0", "1")
    if mention.size == 1:
        there = "alone" if row.credit else "not alone"
        return row.told(f"alone, and {there} in the {mention.other}", number(row.credit), "1")
    right, links = mention.shared - 1, mention.size - 1
    why = f"{right} of its {counted(links, 'link')} in {mention.other_name}"
    return row.told(why, f"{right}/{links}", "1")


MENTION_WORDS: Mapping[str, Callable[[Row, MentionFacts], str]] = {
    "muc": _half_of_links,
    "bcub": _bcub_mention,
    "ceafm": _ceafm_mention,
    "ceafe": _ceafe_mention,
    "blanc": _half_of_links,
    "lea": _lea_mention,
}


# A row a link -------------------------------------------------------------------------------------


def _one_each(row: Row, one: MentionFacts, two: MentionFacts | None) -> str:
    """MUC and BLANC: a link counts one."""
    return row.told(_ends(one, two), number(row.credit), "1")


def _bcub_link(row: Row, one: MentionFacts, two: MentionFacts | None) -> str:
    worth = f"{2 if two else 1}/{one.size}"
    return row.told(_ends(one, two), worth if row.credit else "0", worth)


def _ceafm_link(row: Row, one: MentionFacts, two: MentionFacts | None) -> str:
    return _ceafm_mention(row, one)


def _ceafe_link(row: Row, one: MentionFacts, two: MentionFacts | None) -> str:
    return _ceafe_mention(row, one)


def _lea_link(row: Row, one: MentionFacts, two: MentionFacts | None) -> str:
    if two is None:
        return _lea_mention(row, one)
    worth = f"{one.size}/{one.size * (one.size - 1) // 2}"
    return row.told(_ends(one, two), worth if row.credit else "0", worth)


def _ends(one: MentionFacts, two: MentionFacts | None) -> str:
    if two is None:
        return "with itself" if one.is_shared else f"the {one.other} lacks it"
    return ends_of_link(one.other, one.other_entity, two.other_entity)


def ends_of_link(other: str, one: int, two: int) -> str:
    """Where the other side has the two ends of a link; an entity is 0 if it lacks that end."""
    if not (one and two):
        return f"the {other} lacks {'the other end' if one else 'the mention' if two else 'both'}"
    if one == two:
        return f"both in {other} entity {one}"
    return f"in {other} entities {one} and {two}"


def _between_entities(row: Row, one: EntityFacts, two: EntityFacts) -> str:
    """BLANC: the pairs of shared mentions of two entities, less those that the other side joins."""
    sizes, shared = (one.size, two.size), (one.n_shared, two.n_shared)
    joined = shared[0] * shared[1] - row.credit
    counted_sizes = sizes if sizes[0] * sizes[1] == row.possible else shared
    less = f" − {number(joined)}" if joined else ""
    why = f"{shared[0]} and {shared[1]} shared, {number(joined) if joined else 'none'} joined"
    possible = f"{counted_sizes[0]} × {counted_sizes[1]}"
    return row.told(why, f"{shared[0]} × {shared[1]}{less}", possible)


LINK_WORDS: Mapping[str, Callable[[Row, MentionFacts, MentionFacts | None], str]] = {
    "muc": _one_each,
    "bcub": _bcub_link,
    "ceafm": _ceafm_link,
    "ceafe": _ceafe_link,
    "blanc": _one_each,
    "lea": _lea_link,
}
