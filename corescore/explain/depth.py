"""One metric row by row, each row with its arithmetic, and what entities are called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from corescore.arrays import FloatArray, IntArray
from corescore.comparison import Comparison, View
from corescore.contingency import pairs
from corescore.counts import Counts
from corescore.credit.tables import credit_table, numbers_of_entities, texts
from corescore.explain.shares import SIDE_WORDS, mentions_of, other_numbers
from corescore.explain.words import counted, number, sum_of
from corescore.metrics import Metric
from corescore.metrics.alignment import best_alignment
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, SELF_LINK


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
        titles = entity_titles(comparison.view(side), document)
        table.insert(2, "title", [titles[entity] for entity in table["entity"]])
    table["arithmetic"] = _arithmetic(comparison, metric, side, by, document, table)
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
    names = [known.name for known in comparison.key]
    counts = metric.counts(comparison.table).rows(np.array([names.index(document)]))
    whole = getattr(counts, f"{side}_denominator")[0]
    n_parts = 2 if len(whole) > 1 else 1
    weights = []
    for part in range(n_parts):
        only = np.zeros_like(counts.recall_numerator)
        only[0, part] = 1
        full = Counts(
            only * counts.recall_denominator,
            counts.recall_denominator,
            only * counts.precision_denominator,
            counts.precision_denominator,
        )
        value = getattr(metric.score(full, empty=0), side)[0]
        weights.append(value / whole[part] if whole[part] else 0.0)
    return np.array(weights)


def _arithmetic(
    comparison: Comparison,
    metric: Metric,
    side: str,
    by: str,
    document: str,
    table: pd.DataFrame,
) -> list[str]:
    rows = table.to_dict("records")
    if by == "entity" and metric.id in _ENTITY_WORDS:
        parts = _parts_of_entities(comparison, metric, side, document)
        words = _ENTITY_WORDS[metric.id]
        return [words(_Entity(row, *parts[row["entity"]])) for row in rows]
    return [f"{number(row['credit'])} of {number(row['possible'])}" for row in rows]


@dataclass(frozen=True)
class _Entity:
    """A row of an entity: its size, how many of its mentions each entity of the other side has,
    and those numbers and sizes of the one it is aligned with, if any: (name, shared, size)."""

    row: Mapping[Any, Any]
    size: int
    shared: tuple[int, ...]
    pair: tuple[str, int, int] | None

    @property
    def credit(self) -> str:
        return number(float(self.row["credit"]))

    @property
    def possible(self) -> str:
        return number(float(self.row["possible"]))


def _parts_of_entities(
    comparison: Comparison, metric: Metric, side: str, document: str
) -> dict[int, tuple[int, tuple[int, ...], tuple[str, int, int] | None]]:
    view = comparison.view(side)
    table, numbers = view.table, numbers_of_entities(view)
    others = other_numbers(comparison, side)
    aligned = np.zeros(0, dtype=np.int64)
    if metric.similarity is not None:
        aligned = best_alignment(comparison.table, metric.similarity(comparison.table))
    pair_of = dict(zip(table.cell_key[aligned].tolist(), aligned.tolist(), strict=True))
    order = np.argsort(table.cell_key, kind="stable")
    own = np.unique(view.own_entity[mentions_of(view, document)])
    starts, ends = (
        np.searchsorted(table.cell_key[order], own, side=end) for end in ("left", "right")
    )
    found = {}
    for entity, start, end in zip(own.tolist(), starts.tolist(), ends.tolist(), strict=True):
        cells, pair = order[start:end], None
        if entity in pair_of:
            cell = pair_of[entity]
            other = table.cell_response[cell]
            name = f"{SIDE_WORDS[side][1]} entity {others[other]}"
            pair = name, int(table.cell_sizes[cell]), int(table.response_sizes[other])
        shared = tuple(sorted(table.cell_sizes[cells].tolist(), reverse=True))
        found[int(numbers[entity])] = (int(table.key_sizes[entity]), shared, pair)
    return found


def _muc_entity(entity: _Entity) -> str:
    parts = len(entity.shared) + entity.size - sum(entity.shared)
    if entity.size == 1:
        return "one mention: no link"
    return (
        f"{counted(entity.size)} in {counted(parts, 'part')}: {entity.size} − {parts} = "
        f"{entity.size - parts} of {entity.size} − 1 = {entity.size - 1}"
    )


def _bcub_entity(entity: _Entity) -> str:
    squares = sum_of([f"{n}²" for n in entity.shared])
    return f"{squares} / {entity.size} = {entity.credit} of {entity.size}"


def _lea_entity(entity: _Entity) -> str:
    if entity.size == 1:
        return f"its self-link: {entity.credit} of 1"
    links = [n * (n - 1) // 2 for n in entity.shared if n > 1]
    return (
        f"{entity.size} × {sum_of([str(n) for n in links])} / "
        f"{entity.size * (entity.size - 1) // 2} links = {entity.credit} of {entity.size}"
    )


def _ceafm_entity(entity: _Entity) -> str:
    if entity.pair is None:
        return f"aligned with none: 0 of {entity.size}"
    return f"aligned with {entity.pair[0]}: {entity.pair[1]} of {entity.size}"


def _ceafe_entity(entity: _Entity) -> str:
    if entity.pair is None:
        return "aligned with none: 0 of 1"
    name, shared, size = entity.pair
    return f"aligned with {name}: 2 × {shared} / ({entity.size} + {size}) = {entity.credit} of 1"


def _blanc_entity(entity: _Entity) -> str:
    kind = str(entity.row["kind"])
    if kind == COREFERENCE_LINK:
        return f"{entity.credit} of {entity.possible} {kind}s"
    whole = 2 * float(entity.row["credit"]), 2 * float(entity.row["possible"])
    return f"half of {number(whole[0])} of its {number(whole[1])} {kind}s"


_ENTITY_WORDS: Mapping[str, Callable[[_Entity], str]] = {
    "muc": _muc_entity,
    "bcub": _bcub_entity,
    "ceafm": _ceafm_entity,
    "ceafe": _ceafe_entity,
    "blanc": _blanc_entity,
    "lea": _lea_entity,
}


TITLE_WORDS = 12


def entity_titles(view: View, document: str) -> dict[int, str]:
    """What to call each own entity of a document, by its number: its longest mention of at most
    `TITLE_WORDS` words, the first of several, or its first mention."""
    rows = mentions_of(view, document)
    numbers = numbers_of_entities(view)[view.own_entity[rows]]
    length = view.own.end[rows] - view.own.start[rows]
    order = np.lexsort((rows, -np.where(length <= TITLE_WORDS, length, 0), numbers))
    entities, first = np.unique(numbers[order], return_index=True)
    names = texts(view.documents, view.own, rows[order[first]])
    return dict(zip(entities.tolist(), (name or "–" for name in names), strict=True))


def blanc_cells(comparison: Comparison, document: str) -> pd.DataFrame:
    """How many pairs of mentions are coreferent, not coreferent, or not a pair (one of the two
    mentions is lacking) on each side: rows the key, columns the response. BLANC's right links are
    the two cells where both sides say the same. The pairs that neither has are not counted."""
    table, names = comparison.table, [known.name for known in comparison.key]
    at = names.index(document)

    def links(of: IntArray, sizes: IntArray) -> float:
        return float(pairs(sizes[of == at]).sum())

    both = links(table.cell_document, table.cell_sizes)
    key_shared = links(table.key_document, table.key_shared)
    response_shared = links(table.response_document, table.response_shared)
    key, response = (
        links(table.key_document, table.key_sizes),
        links(table.response_document, table.response_sizes),
    )
    a, b, m = (
        float(pairs(n)[at])
        for n in (table.n_key_mentions, table.n_response_mentions, table.n_shared_mentions)
    )
    cells = [
        [both, key_shared - both, key - key_shared],
        [response_shared - both, m - key_shared - response_shared + both, a - key - m + key_shared],
        [response - response_shared, b - response - m + response_shared, np.nan],
    ]
    kinds = ["coreference", "non-coreference", "no pair"]
    return pd.DataFrame(cells, index=kinds, columns=kinds)
