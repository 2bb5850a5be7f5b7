"""The arithmetic of each metric in words and numbers: of one mention, and row by row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.comparison import Comparison, View
from corescore.contingency import pairs
from corescore.counts import Counts, divide
from corescore.credit import mention_credit, mention_share
from corescore.credit_tables import credit_table, numbers_of_entities, texts
from corescore.errors import incorrectly_resolved
from corescore.links import spanning_links
from corescore.metrics import Metric
from corescore.metrics.alignment import best_alignment, has_other_best
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, SELF_LINK

SIDE_WORDS = {"recall": ("key", "response"), "precision": ("response", "key")}
RIGHT, INCORRECT, TWINLESS = "right", "incorrectly resolved", "twinless"


def share_table(
    comparison: Comparison, metrics: Sequence[Metric], *, side: str, document: str
) -> pd.DataFrame:
    """A row for each mention that one side has in a document, in text order.

    Columns: mention (its number in the corpus), start, end (half-open), text, own_entity and
    other_entity (numbers in the document, 0 for none), own_size and other_size, status (right,
    incorrectly resolved, or twinless: the other side lacks it), and for each metric, by its id,
    the share of what the mention could earn that it earns (`mention_share`; NaN for nothing to
    earn).
    """
    view = comparison.view(side)
    rows = _mentions_of(view, document)
    partner = view.own_partner[rows]
    other_entity = np.append(view.other_entity, -1)[partner]
    known = partner >= 0
    wrong = _incorrect(comparison, side)[rows]
    frame = pd.DataFrame(
        {
            "mention": rows,
            "start": view.own.start[rows],
            "end": view.own.end[rows],
            "text": texts(view.documents, view.own, rows),
            "own_entity": numbers_of_entities(view)[view.own_entity[rows]],
            "other_entity": np.append(_other_numbers(comparison, side), 0)[other_entity],
            "own_size": view.table.key_sizes[view.own_entity[rows]],
            "other_size": np.append(view.table.response_sizes, 0)[other_entity],
            "status": np.select([~known, wrong], [TWINLESS, INCORRECT], RIGHT),
        }
    )
    return frame.assign(
        **{metric.id: mention_share(comparison, metric, side=side)[rows] for metric in metrics}
    )


def mean_shares(
    table: pd.DataFrame, metrics: Sequence[str], *, status: str = ""
) -> "pd.Series[float]":
    """By metric: the mean share of the mentions of a `share_table`, or of those of one status,
    that have something to earn; NaN if none has."""
    rows = table[table["status"] == status] if status else table
    return rows[list(metrics)].mean()


def _mentions_of(view: View, document: str) -> IntArray:
    names = [known.name for known in view.documents]
    return np.flatnonzero(view.own.document == names.index(document))


def _other_numbers(comparison: Comparison, side: str) -> IntArray:
    return numbers_of_entities(comparison.precision if side == "recall" else comparison.recall)


def _incorrect(comparison: Comparison, side: str) -> BoolArray:
    """(own mentions,) where the response gives a mention wrong partners alone."""
    of_response = incorrectly_resolved(comparison)
    if side == "precision":
        return of_response
    view = comparison.recall
    return np.append(of_response, False)[view.own_partner]


def find_mention(
    comparison: Comparison, *, side: str, document: str, start: int, end: int
) -> int | None:
    """The number of the mention of one side with this span, None if the side has none."""
    view = comparison.view(side)
    rows = _mentions_of(view, document)
    found = rows[(view.own.start[rows] == start) & (view.own.end[rows] == end)]
    return int(found[0]) if len(found) else None


# One mention --------------------------------------------------------------------------------------


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


@dataclass(frozen=True)
class _Case:
    """One mention, and what its sentences need."""

    comparison: Comparison
    metric: Metric
    mention: int
    side: str

    @cached_property
    def view(self) -> View:
        return self.comparison.view(self.side)

    @property
    def entity(self) -> int:
        return int(self.view.own_entity[self.mention])

    @property
    def cell(self) -> int:
        return int(self.view.own_cell[self.mention])

    @property
    def size(self) -> int:
        return int(self.view.table.key_sizes[self.entity])

    @property
    def shared(self) -> int:
        """The mentions of its entity that stand with it on the other side, itself among them."""
        return int(self.view.table.cell_sizes[self.cell]) if self.cell >= 0 else 0

    @property
    def other(self) -> int:
        """The other side's entity that has the mention."""
        return int(self.view.table.cell_response[self.cell])

    @property
    def other_size(self) -> int:
        return int(self.view.table.response_sizes[self.other])

    @property
    def own_word(self) -> str:
        return SIDE_WORDS[self.side][0]

    @property
    def other_word(self) -> str:
        return SIDE_WORDS[self.side][1]

    @property
    def own_name(self) -> str:
        return f"{self.own_word} entity {numbers_of_entities(self.view)[self.entity]}"

    def other_name(self, entity: int) -> str:
        return f"{self.other_word} entity {_other_numbers(self.comparison, self.side)[entity]}"


def where_it_is(comparison: Comparison, mention: int, *, side: str, metric: Metric) -> str:
    """Which entities have the mention, and how many mentions those two share."""
    case = _Case(comparison, metric, mention, side)
    opening = f"It is in {case.own_name} ({_counted(case.size)})"
    if case.cell < 0:
        return f"{opening}; the {case.other_word} has no such mention."
    return (
        f"{opening} and in {case.other_name(case.other)} ({_counted(case.other_size)}); "
        f"the two share {_counted(case.shared)}."
    )


def explain_mention(
    comparison: Comparison, metrics: Sequence[Metric], mention: int, *, side: str
) -> list[Explanation]:
    """The arithmetic of one mention of the key (recall) or response (precision) side under each
    metric. Where repeats are scored as they stand, the sentence tells its first cell alone."""
    found = []
    for metric in metrics:
        case = _Case(comparison, metric, mention, side)
        credit, possible = _credit_of(case)
        share = float(divide(np.array(credit), np.array(possible), empty=np.nan))
        sentence = _SENTENCES.get(metric.id, _any_metric)(case)
        found.append(Explanation(metric.id, sentence, credit, possible, min(share, 1.0)))
    return found


def _credit_of(case: _Case) -> tuple[float, float]:
    spread = mention_credit(case.comparison, case.metric, side=case.side)
    parts = {unit.part for unit in spread}
    whole = dict.fromkeys(parts, 1.0)
    if len(parts) > 1:
        whole = {p: sum(u.possible.sum() for u in spread if u.part == p) or 1.0 for p in parts}
    credit = sum(float(unit.credit[case.mention]) / whole[unit.part] for unit in spread)
    possible = sum(float(unit.possible[case.mention]) / whole[unit.part] for unit in spread)
    return credit, possible


def _muc(case: _Case) -> str:
    links = spanning_links(case.view, _only(case))
    ends = (links.first == case.mention) | (links.second == case.mention)
    n, right = int(ends.sum()), int(links.right[ends].sum())
    if not n:
        return "It is alone in its entity: MUC sees no link, so there is nothing to earn."
    which = f"{_counted(n, 'spanning link')} of {case.own_name} {'ends' if n == 1 else 'end'} here"
    return f"{which}; the {case.other_word} has {right} of them: {_ratio(right, n)}"


def _only(case: _Case) -> BoolArray:
    document = case.view.own.document[case.mention]
    only: BoolArray = np.arange(case.view.table.n_documents) == document
    return only


def _bcub(case: _Case) -> str:
    if case.cell < 0:
        return f"The {case.other_word} lacks it: 0 of the {case.size} mentions of {case.own_name}"
    return (
        f"{case.shared} of the {_counted(case.size)} of {case.own_name} "
        f"{'stands' if case.shared == 1 else 'stand'} in {case.other_name(case.other)}, itself "
        f"among them: {_ratio(case.shared, case.size)}"
    )


def _aligned(case: _Case) -> tuple[int, bool]:
    """The cell of the pair that its entity is in, −1 for none; whether another is as good."""
    assert case.metric.similarity is not None
    table = case.comparison.table
    similarity = case.metric.similarity(table)
    chosen = best_alignment(table, similarity)
    found = chosen[case.view.table.cell_key[chosen] == case.entity]
    if not len(found):
        return -1, False
    return int(found[0]), bool(has_other_best(table, similarity)[found[0]])


def _alignment_words(case: _Case, cell: int, tied: bool) -> str:
    if cell < 0:
        return f"{_capital(case.own_name)} is aligned with no {case.other_word} entity"
    also = " (another alignment would be as good)" if tied else ""
    has = "which has it" if cell == case.cell else "which does not have it"
    other = case.other_name(int(case.view.table.cell_response[cell]))
    return f"{_capital(case.own_name)} is aligned with {other}{also}, {has}"


def _ceafm(case: _Case) -> str:
    cell, tied = _aligned(case)
    right = int(cell >= 0 and cell == case.cell)
    return f"{_alignment_words(case, cell, tied)}: {right} of 1"


def _ceafe(case: _Case) -> str:
    cell, tied = _aligned(case)
    words = _alignment_words(case, cell, tied)
    if cell < 0 or cell != case.cell:
        return f"{words}: 0 of 1/{case.size}"
    sizes = case.size + case.other_size
    return (
        f"{words}: 2/({case.size} + {case.other_size}) = {_three(2 / sizes)} of "
        f"1/{case.size} = {_three(1 / case.size)}"
    )


def _blanc(case: _Case) -> str:
    """Each part's links that end at the mention, each link as a share of its part."""
    told, terms = [], []
    for unit in mention_credit(case.comparison, case.metric, side=case.side):
        right, links = (2 * float(v[case.mention]) for v in (unit.credit, unit.possible))
        whole = float(unit.possible.sum())
        told.append(f"{right:,.0f} of its {_counted(links, unit.kind)}")
        terms.append((right, links, whole))
    earned, most = (
        " + ".join(f"{term[i]:,.0f}/{term[2]:,.0f}" for term in terms if term[2]) for i in (0, 1)
    )
    total = [sum(term[i] / term[2] for term in terms if term[2]) for i in (0, 1)]
    words = f"The {case.other_word} has {' and '.join(told)}"
    if not total[1]:
        return f"{words}: nothing to earn"
    return (
        f"{words}; each by all of its kind: ({earned}) / ({most}) = {_three(total[0] / total[1])}"
    )


def _lea(case: _Case) -> str:
    if case.size == 1:
        right = int(case.cell >= 0 and case.other_size == 1)
        alone = "alone there too" if right else "not alone there"
        return (
            "It is alone in its entity, and its one link is to itself; in the "
            f"{case.other_word} it is {alone if case.cell >= 0 else 'missing'}: {right} of 1"
        )
    right, links = max(case.shared - 1, 0), case.size - 1
    return (
        f"The {case.other_word} has {right} of its {_counted(links, 'link')} in {case.own_name}: "
        f"{_ratio(right, links)}"
    )


def _any_metric(case: _Case) -> str:
    credit, possible = _credit_of(case)
    return f"It earns {_number(credit)} of {_number(possible)}"


_SENTENCES: Mapping[str, Callable[[_Case], str]] = {
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "blanc": _blanc,
    "lea": _lea,
}


# One metric, row by row ---------------------------------------------------------------------------


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
    return [f"{_number(row['credit'])} of {_number(row['possible'])}" for row in rows]


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
        return _number(float(self.row["credit"]))

    @property
    def possible(self) -> str:
        return _number(float(self.row["possible"]))


def _parts_of_entities(
    comparison: Comparison, metric: Metric, side: str, document: str
) -> dict[int, tuple[int, tuple[int, ...], tuple[str, int, int] | None]]:
    view = comparison.view(side)
    table, numbers = view.table, numbers_of_entities(view)
    others = _other_numbers(comparison, side)
    aligned = np.zeros(0, dtype=np.int64)
    if metric.similarity is not None:
        aligned = best_alignment(comparison.table, metric.similarity(comparison.table))
    pair_of = dict(zip(table.cell_key[aligned].tolist(), aligned.tolist(), strict=True))
    order = np.argsort(table.cell_key, kind="stable")
    own = np.unique(view.own_entity[_mentions_of(view, document)])
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
        f"{_counted(entity.size)} in {_counted(parts, 'part')}: {entity.size} − {parts} = "
        f"{entity.size - parts} of {entity.size} − 1 = {entity.size - 1}"
    )


def _bcub_entity(entity: _Entity) -> str:
    squares = _sum([f"{n}²" for n in entity.shared])
    return f"{squares} / {entity.size} = {entity.credit} of {entity.size}"


def _lea_entity(entity: _Entity) -> str:
    if entity.size == 1:
        return f"its self-link: {entity.credit} of 1"
    links = [n * (n - 1) // 2 for n in entity.shared if n > 1]
    return (
        f"{entity.size} × {_sum([str(n) for n in links])} / "
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
    return f"half of {_number(whole[0])} of its {_number(whole[1])} {kind}s"


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
    rows = _mentions_of(view, document)
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


def _counted(n: float, noun: str = "mention") -> str:
    return f"{n:,.0f} {noun}{'' if round(n) == 1 else 's'}"


def _ratio(numerator: int, denominator: int) -> str:
    return f"{numerator}/{denominator} = {_three(numerator / denominator)}"


def _three(value: float) -> str:
    return f"{value:.3f}"


def _number(value: float) -> str:
    rounded = round(value)
    return f"{rounded:,}" if abs(value - rounded) < 5e-9 else f"{value:,.3f}"


def _sum(terms: Sequence[str]) -> str:
    """(a + b + c), shortened where there are many."""
    if len(terms) > 8:
        terms = [*terms[:7], "…"]
    return f"({' + '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
