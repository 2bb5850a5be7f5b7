"""The arithmetic of each metric for one mention, in words and numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corescore.arrays import BoolArray
from corescore.comparison import Comparison, View
from corescore.counts import divide
from corescore.credit.links import spanning_links
from corescore.credit.tables import numbers_of_entities
from corescore.credit.units import mention_credit
from corescore.explain.shares import (
    SIDE_WORDS,
    other_numbers,
)
from corescore.explain.words import capital, counted, number, ratio, three
from corescore.metrics import Metric
from corescore.metrics.alignment import best_alignment, has_other_best


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
        return f"{self.other_word} entity {other_numbers(self.comparison, self.side)[entity]}"


def where_it_is(comparison: Comparison, mention: int, *, side: str, metric: Metric) -> str:
    """Which entities have the mention, and how many mentions those two share."""
    case = _Case(comparison, metric, mention, side)
    opening = f"It is in {case.own_name} ({counted(case.size)})"
    if case.cell < 0:
        return f"{opening}; the {case.other_word} has no such mention."
    return (
        f"{opening} and in {case.other_name(case.other)} ({counted(case.other_size)}); "
        f"the two share {counted(case.shared)}."
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
    which = f"{counted(n, 'spanning link')} of {case.own_name} {'ends' if n == 1 else 'end'} here"
    return f"{which}; the {case.other_word} has {right} of them: {ratio(right, n)}"


def _only(case: _Case) -> BoolArray:
    document = case.view.own.document[case.mention]
    only: BoolArray = np.arange(case.view.table.n_documents) == document
    return only


def _bcub(case: _Case) -> str:
    if case.cell < 0:
        return f"The {case.other_word} lacks it: 0 of the {case.size} mentions of {case.own_name}"
    return (
        f"{case.shared} of the {counted(case.size)} of {case.own_name} "
        f"{'stands' if case.shared == 1 else 'stand'} in {case.other_name(case.other)}, itself "
        f"among them: {ratio(case.shared, case.size)}"
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
        return f"{capital(case.own_name)} is aligned with no {case.other_word} entity"
    also = " (another alignment would be as good)" if tied else ""
    has = "which has it" if cell == case.cell else "which does not have it"
    other = case.other_name(int(case.view.table.cell_response[cell]))
    return f"{capital(case.own_name)} is aligned with {other}{also}, {has}"


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
        f"{words}: 2/({case.size} + {case.other_size}) = {three(2 / sizes)} of "
        f"1/{case.size} = {three(1 / case.size)}"
    )


def _blanc(case: _Case) -> str:
    """Each part's links that end at the mention, each link as a share of its part."""
    told, terms = [], []
    for unit in mention_credit(case.comparison, case.metric, side=case.side):
        right, links = (2 * float(v[case.mention]) for v in (unit.credit, unit.possible))
        whole = float(unit.possible.sum())
        told.append(f"{right:,.0f} of its {counted(links, unit.kind)}")
        terms.append((right, links, whole))
    earned, most = (
        " + ".join(f"{term[i]:,.0f}/{term[2]:,.0f}" for term in terms if term[2]) for i in (0, 1)
    )
    total = [sum(term[i] / term[2] for term in terms if term[2]) for i in (0, 1)]
    words = f"The {case.other_word} has {' and '.join(told)}"
    if not total[1]:
        return f"{words}: nothing to earn"
    return f"{words}; each by all of its kind: ({earned}) / ({most}) = {three(total[0] / total[1])}"


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
        f"The {case.other_word} has {right} of its {counted(links, 'link')} in {case.own_name}: "
        f"{ratio(right, links)}"
    )


def _any_metric(case: _Case) -> str:
    credit, possible = _credit_of(case)
    return f"It earns {number(credit)} of {number(possible)}"


_SENTENCES: Mapping[str, Callable[[_Case], str]] = {
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "blanc": _blanc,
    "lea": _lea,
}
