"""What each metric gives a mention or an entity, in tables and words; what entities are called."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd

from corescore.analysis.credit import (
    credit_table,
    mention_credit,
    mention_share,
    mentions_of,
    numbers_of_entities,
    part_scores,
    part_weights,
)
from corescore.analysis.errors.classes import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    SPAN_ERROR,
    UNLINKED,
    Mentions,
    align,
    incorrectly_resolved,
    mention_types,
    unlinked,
)
from corescore.corpus.english import COARSE_TYPE, FINE_TYPES, NAME, NOMINAL, has_content
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import pairs
from corescore.counting.counts import divide
from corescore.metrics import Metric
from corescore.metrics.explanation import (
    AlignedPair,
    CreditRow,
    Earned,
    EntityFacts,
    MentionFacts,
    ends_of_link,
    explain,
    explain_entity,
    explain_link,
    explain_mention_row,
    together,
)
from corescore.metrics.metric import (
    ALIGNED_MENTION,
    COREFERENCE_LINK,
    NON_COREFERENCE_LINK,
    SELF_LINK,
)
from corescore.metrics.standard import has_other_best
from corescore.util import AnyArray, FloatArray, IntArray, as_rows, picked
from corescore.wording import counted, number

# What share of its possible credit each metric gives each mention of a document -------------------

SIDE_WORDS = {"recall": ("key", "response"), "precision": ("response", "key")}

TWINLESS = "twinless"


def share_table(
    comparison: Comparison, metrics: Sequence[Metric], *, side: str, document: str
) -> pd.DataFrame:
    """One row per mention that one side has in a document, in text order.

    Columns: mention (its number in the corpus), start, end (half-open), text, own_entity and
    other_entity (numbers in the document, 0 for none), own_size and other_size, status (correct,
    unlinked, incorrectly resolved, span error, as in `errors.classes.mention_classes`, or twinless:
    the other side has nothing like it), and for each metric, by its id, the share of what the
    mention could earn that it earns (`mention_share`; NaN for nothing to earn, or a
    metric without credit).
    """
    view = comparison.view(side)
    rows = mentions_of(view, document)
    frame = pd.DataFrame(
        {
            "mention": rows,
            "start": view.own.start[rows],
            "end": view.own.end[rows],
            "text": Mentions.of_side(comparison, side, rows).words,
            **_entities_of(comparison, rows, side),
            "status": _statuses(comparison, side)[rows],
        }
    )
    for metric in metrics:
        is_told = metric.credit is not None
        frame[metric.id] = mention_share(comparison, metric, side=side)[rows] if is_told else nan
    return frame


def _statuses(comparison: Comparison, side: str) -> AnyArray:
    """(mentions of the side,) the status of each."""
    alignment, view = align(comparison), comparison.view(side)
    wrong, alone, off = incorrectly_resolved(comparison), unlinked(comparison), alignment.altered
    if side == "recall":  # what holds of the response's mentions, seen from the key's
        wrong, alone = (picked(of, view.own_partner, False) for of in (wrong, alone))
        off = np.isin(np.arange(len(view.own_entity)), alignment.key_mention[off])
    twinless = view.own_partner < 0
    statuses = [SPAN_ERROR, TWINLESS, INCORRECTLY_RESOLVED, UNLINKED]
    return np.select([twinless & off, twinless, wrong, alone], statuses, CORRECT)


def mean_shares(table: pd.DataFrame, metrics: Sequence[str], *, status: str) -> "pd.Series[float]":
    """By metric: the mean share of the mentions of a `share_table`, or of those of one status,
    that have something to earn; NaN if none has."""
    rows = table[table["status"] == status] if status else table
    return rows[list(metrics)].mean()


def n_key_singletons(table: pd.DataFrame, *, side: str) -> int:
    """How many incorrectly resolved mentions of a `share_table` are singletons in the key.

    side  of the table
    """
    key_size = table["own_size" if side == "recall" else "other_size"]
    return int(((table["status"] == INCORRECTLY_RESOLVED) & (key_size == 1)).sum())


def _entities_of(comparison: Comparison, mentions: IntArray, side: str) -> dict[str, IntArray]:
    """(mentions,) the number and the size of the entity of own mentions, and of the other side's
    entity that has them, 0 where none has."""
    view = comparison.view(side)
    own = view.own_entity[mentions]
    other = picked(view.table.cell_response, view.own_cell[mentions])
    return {
        "own_entity": numbers_of_entities(view)[own],
        "other_entity": picked(_other_numbers(comparison, side), other, 0),
        "own_size": view.table.key_sizes[own],
        "other_size": picked(view.table.response_sizes, other, 0),
    }


def _other_numbers(comparison: Comparison, side: str) -> IntArray:
    return numbers_of_entities(comparison.precision if side == "recall" else comparison.recall)


def find_mention(
    comparison: Comparison, *, side: str, document: str, start: int, end: int
) -> int | None:
    """The number of the mention of one side with this span, None if the side has none."""
    view = comparison.view(side)
    rows = mentions_of(view, document)
    mentions = rows[(view.own.start[rows] == start) & (view.own.end[rows] == end)]
    return int(mentions[0]) if len(mentions) else None


# Where the mentions and entities of one side stand on the other -----------------------------------


def mention_facts(
    comparison: Comparison, mentions: IntArray, *, side: str, metric: Metric | None = None
) -> list[MentionFacts]:
    """The facts of own mentions, by their numbers.

    metric  whose alignment `pair` is of; None for none
    """
    view, aligned = comparison.view(side), _pairs(comparison, metric, side)
    cell, own = view.own_cell[mentions], view.own_entity[mentions].tolist()
    columns = _entities_of(comparison, mentions, side) | {
        "shared": picked(view.table.cell_sizes, cell, 0),
        "n_cells": np.bincount(view.pair_own, minlength=len(view.own.document))[mentions],
    }
    pairs = [aligned.get(entity) for entity in own]
    rows = zip(*(of.tolist() for of in columns.values()), pairs, strict=True)
    return [MentionFacts(*SIDE_WORDS[side], *row) for row in rows]


def entity_facts(
    comparison: Comparison, metric: Metric, *, side: str, document: str
) -> dict[int, EntityFacts]:
    """The facts of the own entities of a document, by their numbers."""
    view, aligned = comparison.view(side), _pairs(comparison, metric, side)
    table, numbers = view.table, numbers_of_entities(view)
    own = np.unique(view.own_entity[mentions_of(view, document)]).tolist()
    cells = np.isin(table.cell_key, own)
    shared: dict[int, list[tuple[int, int]]] = {entity: [] for entity in own}
    sizes = table.cell_sizes[cells], table.response_sizes[table.cell_response[cells]]
    for entity, size, other_size in as_rows(table.cell_key[cells], *sizes):
        shared[entity].append((size, other_size))
    for found in shared.values():
        found.sort(key=lambda both: -both[0])
    return {
        int(numbers[entity]): EntityFacts(
            SIDE_WORDS[side][1],
            int(table.key_sizes[entity]),
            tuple(size for size, _ in found),
            tuple(size for _, size in found),
            aligned.get(entity),
        )
        for entity, found in shared.items()
    }


def _pairs(comparison: Comparison, metric: Metric | None, side: str) -> Mapping[int, AlignedPair]:
    """What `metric` aligns, by own entity (rows of the table); nothing if it aligns nothing."""
    if metric is None or metric.similarity is None:
        return {}
    table, view = comparison.table, comparison.view(side)
    similarity = metric.similarity(table)
    chosen = best_assignment(table.components, similarity)
    other = view.table.cell_response[chosen]
    columns = (
        _other_numbers(comparison, side)[other],
        view.table.response_sizes[other],
        view.table.cell_sizes[chosen],
        has_other_best(table, similarity)[chosen],
    )
    pairs = map(AlignedPair, *(column.tolist() for column in columns))
    return dict(zip(view.table.cell_key[chosen].tolist(), pairs, strict=True))


@dataclass(frozen=True)
class Explanation:
    """What one metric gives one mention.

    sentence         the arithmetic in words and numbers
    credit, possible  what the mention earns and could earn, in the metric's units; of BLANC's
                     parts each as a share of all its links, and then added
    share            the one by the other, at most 1; NaN where nothing could be earned
    """

    metric: str
    sentence: str
    credit: float
    possible: float
    share: float


def where_it_is(comparison: Comparison, mention: int, *, side: str) -> str:
    """Which entities have the mention, and how many mentions those two share."""
    (facts,) = mention_facts(comparison, np.array([mention]), side=side)
    opening = f"It is in {facts.own_name} ({counted(facts.size)})"
    if not facts.is_shared:
        return f"{opening}; the {facts.other} has no such mention."
    return (
        f"{opening} and in {facts.other_name} ({counted(facts.other_size)}); "
        f"the two share {counted(facts.shared)}."
    )


def explain_mention(
    comparison: Comparison, metrics: Sequence[Metric], mention: int, *, side: str
) -> list[Explanation]:
    """The arithmetic of one mention of the key (recall) or response (precision) side under each
    metric. Where repeats are scored as they stand, the sentence is about its first cell alone."""
    return [_explained(comparison, metric, mention, side) for metric in metrics]


def _explained(comparison: Comparison, metric: Metric, mention: int, side: str) -> Explanation:
    if metric.credit is None:
        return Explanation(metric.id, metric.no_credit, nan, nan, nan)
    units = mention_credit(comparison, metric, side=side)
    weights, _ = part_weights(comparison, metric, side, len({unit.part for unit in units}))
    earned = [
        Earned(
            unit.kind,
            float(unit.credit[mention]),
            float(unit.possible[mention]),
            unit.part,
            float(unit.possible.sum()) if weights[unit.part] else 0.0,
        )
        for unit in units
    ]
    credit, possible = together(earned)
    (facts,) = mention_facts(comparison, np.array([mention]), side=side, metric=metric)
    share = min(credit / possible, 1.0) if possible else nan
    return Explanation(metric.id, explain(metric, facts, earned), credit, possible, share)


# The arithmetic of one row of a metric: an entity, a mention or a link, in words and numbers ------
# Each ends in "credit of possible", both worked out: "2 of its 3 mentions in response entity 1: 2/3
# = 0.667 of 1".


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
    rows = table.to_dict("records")
    earned = [CreditRow(r["kind"], float(r["credit"]), float(r["possible"])) for r in rows]
    view = comparison.view(side)
    if by not in ("entity", "mention", "link"):
        return [row.plain for row in earned]
    entities = entity_facts(comparison, metric, side=side, document=document)
    mentions = mentions_of(view, document)
    facts = mention_facts(comparison, mentions, side=side, metric=metric)
    places = zip(view.own.start[mentions], view.own.end[mentions], facts, strict=True)
    # With repeats, two entities can have the same span
    by_place = {(start, end, it.entity): it for start, end, it in places}
    own, sentences = f"{SIDE_WORDS[side][0]}_entity", []
    for r, row in zip(rows, earned, strict=True):
        if by == "entity":
            sentences.append(explain_entity(metric, row, entities[r["entity"]]))
        elif by == "link" and row.kind == NON_COREFERENCE_LINK:
            both = entities[r["entity"]], entities[r["other_entity"]]
            sentences.append(_between_entities(row, *both))
        else:
            one, two = by_place[r["start"], r["end"], r[own]], None
            if by == "link" and row.kind not in (SELF_LINK, ALIGNED_MENTION):
                two = by_place[r["other_start"], r["other_end"], r[own]]
            if max(one.n_cells, two.n_cells if two else 0) > 1:
                sentences.append(row.plain)
            elif by == "link":
                sentences.append(explain_link(metric, row, one, two))
            else:
                sentences.append(explain_mention_row(metric, row, one))
    return sentences


def _between_entities(row: CreditRow, one: EntityFacts, two: EntityFacts) -> str:
    """BLANC: the pairs of shared mentions of two entities, less those that the other side joins."""
    sizes, shared = (one.size, two.size), (one.n_shared, two.n_shared)
    joined = shared[0] * shared[1] - row.credit
    counted_sizes = sizes if sizes[0] * sizes[1] == row.possible else shared
    less = f" − {number(joined)}" if joined else ""
    why = f"{shared[0]} and {shared[1]} shared, {number(joined) if joined else 'none'} joined"
    possible = f"{counted_sizes[0]} × {counted_sizes[1]}"
    return row.told(why, f"{shared[0]} × {shared[1]}{less}", possible)


# What entities are called -------------------------------------------------------------------------

TITLE_WORDS = 12

_SHORT = 6  # words of a name that fits beside a grid

_POSSESSIVE = re.compile(r"(?<=.) (?:'s|’s|['’])\Z", re.DOTALL)

_RANKS = {NAME: 0, NOMINAL: 1}  # what an entity is called by first; by others last


def entity_titles(comparison: Comparison, document: str, *, side: str) -> dict[int, str]:
    """What to call each entity of the key (recall) or the response (precision) in a document, by
    its number: `entity_names`; "–" without words."""
    view = comparison.view(side)
    entities, names = entity_names(comparison, mentions_of(view, document), side=side)
    numbers = numbers_of_entities(view)[entities].tolist()
    return {number: name or "–" for number, name in zip(numbers, names, strict=True)}


def entity_called(number: int, name: str) -> str:
    """What sentences call an entity of a document: "entity 3 (Oakland)"."""
    return f"entity {number} ({name})" if name else f"entity {number}"


def entity_names(
    comparison: Comparison, mentions: IntArray, *, side: str
) -> tuple[IntArray, list[str]]:
    """The entities of these mentions of a side, as rows of the table, and what to call each.

    An entity is called by the most frequent of its proper names, of several the longest of up to
    `_SHORT` words, then the first. Without a name it is called by its most frequent nominal with a
    content word (`has_content`), of several the shortest, then the first; without these by another
    mention, chosen likewise. Mentions differ in their words, in any case and without a possessive
    's at the end; those of more than `TITLE_WORDS` words only count where there is no other, and
    of these the shortest counts. "" without words.
    """
    view = comparison.view(side)
    entity, length = view.own_entity[mentions], (view.own.end - view.own.start)[mentions]
    names = [
        _POSSESSIVE.sub("", text) for text in Mentions.of_side(comparison, side, mentions).words
    ]
    words, different = pd.factorize(np.array([name.casefold() for name in names], dtype=object))
    types = np.array([_RANKS.get(COARSE_TYPE[fine], 2) for fine in FINE_TYPES])
    rank = types[mention_types(comparison, side=side)["number"].to_numpy()[mentions]]
    without = np.array([not has_content(text.split(" ")) for text in different], dtype=bool)
    rank = np.where((rank == _RANKS[NOMINAL]) & without[words], 2, rank)
    is_short_name = (rank == _RANKS[NAME]) & (length <= _SHORT)
    by_length = np.where(is_short_name, -length, length)
    too_long = np.where(length > TITLE_WORDS, length, 0)
    _, which, counts = np.unique(
        entity * (len(different) + 1) + words, return_inverse=True, return_counts=True
    )
    order = np.lexsort((mentions, by_length, -counts[which], rank, too_long, entity))
    entities, first = np.unique(entity[order], return_index=True)
    return entities, [names[at] for at in order[first].tolist()]


# One metric row by row, each row with its arithmetic ----------------------------------------------


def depth_table(
    comparison: Comparison, metric: Metric, *, side: str, by: str, document: str
) -> pd.DataFrame:
    """What one metric counts in one document, the greatest losses first.

    Columns: those of `credit_table` at this level (the self-links and coreference links of one
    entity or mention in one row), title (of entities: the words that name them), arithmetic (in
    words), earned and lost (in the unit of the document's score), and running (earned so far): the
    last row's is the document's score.
    """
    table = credit_table(comparison, metric, side=side, by=by, documents=[document])
    if by in ("entity", "mention"):
        table = _one_row_each(table, by)
    weight = _unit_weights(comparison, metric, side, document)
    of_row = weight[(table["kind"] == NON_COREFERENCE_LINK).to_numpy() * (len(weight) - 1)]
    table["earned"] = table["credit"] * of_row
    table["lost"] = (table["possible"] - table["credit"]) * of_row
    if by == "entity":
        titles = entity_titles(comparison, document, side=side)
        table.insert(2, "title", [titles[entity] for entity in table["entity"]])
    table["arithmetic"] = arithmetic(comparison, metric, table, side=side, by=by, document=document)
    table = table.sort_values("lost", ascending=False, kind="stable", ignore_index=True)
    table["running"] = table["earned"].cumsum()
    return table


def _one_row_each(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Self-links and coreference links of one entity or mention together."""
    kind = table["kind"].where(table["kind"] != SELF_LINK, COREFERENCE_LINK)
    keys = ["entity"] if by == "entity" else ["start", "end", "key_entity", "response_entity"]
    summed = {"credit": "sum", "possible": "sum"}
    others = {name: "first" for name in table.columns if name not in (*keys, *summed, "kind")}
    rows = table.assign(kind=kind).groupby([*keys, "kind"], sort=False, dropna=False)
    return rows.agg(summed | others).reset_index()[list(table.columns)]


def _unit_weights(comparison: Comparison, metric: Metric, side: str, document: str) -> FloatArray:
    """(parts,) what one unit of each part is worth in the document's recall or precision.

    Found from the score itself, which is linear in the numerators: what it is when one part has
    all that it could have and the others have nothing.
    """
    number = comparison.names.index(document)
    counts = metric.counts(comparison.table).rows(np.array([number]))
    whole = getattr(counts, f"{side}_denominator")[0, :2]
    alone = [getattr(score, side) for score in part_scores(metric, counts, len(whole))]
    return divide(np.array(alone), whole, empty=0.0)


def explained_links(
    comparison: Comparison, metric: Metric, links: pd.DataFrame, *, side: str, document: str
) -> pd.DataFrame:
    """Non-coreference links of a document one by one, as `analysis.credit` lists
    them, with `why` each is correct or not, and `lost`, in the unit of the document's score."""
    other = SIDE_WORDS[side][1]
    one, two = (
        links[f"{end}{other}_entity"].fillna(0).astype(int).tolist() for end in ("", "other_")
    )
    why = [ends_of_link(other, *both) for both in zip(one, two, strict=True)]
    weight = _unit_weights(comparison, metric, side, document)[-1]
    return links.assign(why=why, lost=(links["possible"] - links["credit"]) * weight)


def blanc_cells(comparison: Comparison, document: str) -> pd.DataFrame:
    """How many pairs of mentions are coreferent, not coreferent, or not a pair (one of the two
    mentions is lacking) on each side: rows the key, columns the response. BLANC's correct links are
    the two cells where both sides say the same. The pairs that neither has are not counted."""
    table = comparison.table
    number = comparison.names.index(document)
    both, key, key_shared, response, response_shared, a, b, m = (
        float(of[number])
        for of in (
            table.shared_links,
            table.key_links,
            table.key_links_of_shared,
            table.response_links,
            table.response_links_of_shared,
            pairs(table.n_key_mentions),
            pairs(table.n_response_mentions),
            pairs(table.n_shared_mentions),
        )
    )
    cells = [
        [both, key_shared - both, key - key_shared],
        [response_shared - both, m - key_shared - response_shared + both, a - key - m + key_shared],
        [response - response_shared, b - response - m + response_shared, np.nan],
    ]
    kinds = ["coreference", "non-coreference", "no pair"]
    return pd.DataFrame(cells, index=kinds, columns=kinds)
