"""Facts about mentions and entities, and the words in which credit is explained: by the kind of
what is credited, and by the metric's textbook."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from corescore.counting.contingency import Contingency
from corescore.metrics.metric import ALIGNED_MENTION, NON_COREFERENCE_LINK, SPANNING_LINK, Metric
from corescore.util import WHOLE
from corescore.wording import capital, counted, listed, number, worked


@dataclass(frozen=True)
class AlignedPair:
    """What a CEAF aligns an own entity with: the number of the other side's entity, how many
    mentions that has, how many both have, and whether another alignment is as good."""

    entity: int
    size: int
    shared: int
    tied: bool


@dataclass(frozen=True)
class MentionFacts:
    """Where one mention stands on both sides.

    own, other    what the sides are called: key and response, or the other way round
    entity, size  its own entity: the number in the document, and how many mentions
    other_entity, other_size  the same of the other side's entity that has it, 0 where none has;
                              of several (repeats scored as they stand) the first
    shared        the mentions that stand in both entities, itself among them; 0 where none
    n_cells       how many entities of the other side have it
    pair          what a CEAF aligns its entity with
    """

    own: str
    other: str
    entity: int
    other_entity: int
    size: int
    other_size: int
    shared: int
    n_cells: int
    pair: AlignedPair | None

    @property
    def is_shared(self) -> bool:
        return self.shared > 0

    @property
    def own_name(self) -> str:
        return f"{self.own} entity {self.entity}"

    @property
    def other_name(self) -> str:
        return f"{self.other} entity {self.other_entity}"


@dataclass(frozen=True)
class EntityFacts:
    """How one own entity lies across the other side.

    size    its mentions
    shared  how many of them each entity of the other side has, the most first
    sizes   how many mentions each of these entities has
    pair    what a CEAF aligns it with
    """

    other: str
    size: int
    shared: tuple[int, ...]
    sizes: tuple[int, ...]
    pair: AlignedPair | None

    @property
    def n_shared(self) -> int:
        return sum(self.shared)


@dataclass(frozen=True)
class CreditRow:
    """What a row credits: its kind of unit, what it earns and what it could earn."""

    kind: str
    credit: float
    possible: float

    @property
    def plain(self) -> str:
        return f"{number(self.credit)} of {number(self.possible)}"

    def told(self, why: str, credit: str = "", possible: str = "") -> str:
        """The reason, then both expressions with their values; by default the values' fractions."""
        sides = ((credit, self.credit), (possible, self.possible))
        written = (worked(by or _fraction(value), value) for by, value in sides)
        return f"{why}: {' of '.join(written)}"


@dataclass(frozen=True)
class Earned(CreditRow):
    """What one mention earns of one kind of unit: of which part of the metric's counts, and what
    all mentions could earn."""

    part: int
    whole: float


def _fraction(value: float) -> str:
    return str(Fraction(value).limit_denominator(10**6)) if value % 1 else number(value)


def together(earned: Sequence[Earned]) -> tuple[float, float]:
    """Credit and possible; where there are several parts, each as a share of all its links. A part
    that the score leaves out has none."""
    parts = {e.part for e in earned}
    whole = dict.fromkeys(parts, 1.0)
    if len(parts) > 1:
        whole = {part: sum(e.whole for e in earned if e.part == part) for part in parts}
    credit = sum(e.credit / whole[e.part] for e in earned if whole[e.part])
    possible = sum(e.possible / whole[e.part] for e in earned if whole[e.part])
    return credit, possible


def explain(metric: Metric, facts: MentionFacts, earned: Sequence[Earned]) -> str:
    """What one mention earns: of each part its links as a share of all; of one part alone as
    `explain_mention_row`."""
    credit, possible = together(earned)
    if len({e.part for e in earned}) < 2:
        words = explain_mention_row(metric, CreditRow(earned[-1].kind, credit, possible), facts)
        return f"It is {words}" if words.startswith(("alone", "missing")) else capital(words)
    parts = [f"{2 * e.credit:,.0f} of its {counted(2 * e.possible, e.kind)}" for e in earned]
    words = f"The {facts.other} has {listed(parts)}"
    if not possible:
        return f"{words}: nothing to earn"
    terms = [(2 * e.credit, 2 * e.possible, e.whole) for e in earned if e.whole]
    correct, links = (" + ".join(f"{t[i]:,.0f}/{t[2]:,.0f}" for t in terms) for i in (0, 1))
    return f"{words}; each by all of its kind: ({correct}) / ({links}) = {credit / possible:.3f}"


def explain_entity(metric: Metric, row: CreditRow, entity: EntityFacts) -> str:
    """What an entity earns, by the terms of the textbook where these are what it earns."""
    pair, shared, sizes = entity.pair, entity.shared, entity.sizes
    if metric.similarity:
        shared, sizes = ((pair.shared,), (pair.size,)) if pair else ((), ())
        why = f"aligned with {entity.other} entity {pair.entity}" if pair else "aligned with none"
    elif row.kind == SPANNING_LINK:
        parts = len(entity.shared) + entity.size - entity.n_shared
        why = f"{counted(entity.size)} in {counted(parts, 'part')}"
    elif row.kind == NON_COREFERENCE_LINK:
        why = "half of each link"
    else:
        there = counted(len(entity.shared), f"{entity.other} entity")
        why = f"{counted(entity.size)}, {entity.n_shared} of them in {there}"
    credit, possible = _by_textbook(metric, entity.size, shared, sizes, row.credit)
    return row.told(why, credit, possible)


def _by_textbook(
    metric: Metric, size: int, shared: Sequence[int], sizes: Sequence[int], credit: float
) -> tuple[str, str]:
    """What an entity earns and could earn as the textbook writes it; "" if that is another sum.

    shared, sizes  the mentions that each entity of the other side has of it, and in all
    """
    if metric.half is None:
        return "", ""
    none, every = np.zeros(max(len(shared), 1), dtype=np.int64), np.arange(len(shared))
    of_cells = none[: len(shared)]
    columns = (none[:1] + size, none[:1], np.array(sizes), of_cells, of_cells, every)
    quotient = metric.half(Contingency(1, *columns, np.array(shared)))
    if abs(float(quotient.above.value) - credit) > WHOLE:
        return "", ""
    above, below = (of.text.replace(" · ", "·") for of in (quotient.above, quotient.below))
    return above.replace("·", " × "), below


def explain_mention_row(metric: Metric, row: CreditRow, facts: MentionFacts) -> str:
    """What a mention earns: half of each of its links, or a share of its entity."""
    if row.kind in (SPANNING_LINK, NON_COREFERENCE_LINK):
        links = counted(2 * row.possible, row.kind)
        if not row.possible:
            return row.told(f"alone in {facts.own_name}, which has no link to find")
        halves = (f"{number(2 * value)}/2" for value in (row.credit, row.possible))
        has = f"the {facts.other} has {number(2 * row.credit)} of its {links}"
        return row.told(f"{has}, half of which counts here", *halves)
    if row.kind == ALIGNED_MENTION:
        return _explain_aligned(metric, row, facts)
    if not facts.is_shared:
        return row.told(f"missing from the {facts.other}; it is in {facts.own_name}")
    if facts.size == 1:
        there = "alone" if facts.other_size == 1 else "not alone"
        return row.told(f"alone in {facts.own_name}, and {there} in the {facts.other}")
    share, of_links = row.credit / (row.possible or 1.0), (facts.shared - 1) / (facts.size - 1)
    if abs(share - of_links) < WHOLE and facts.shared < facts.size:
        has = f"the {facts.other} has {facts.shared - 1} of its {counted(facts.size - 1, 'link')}"
        return row.told(f"{has} in {facts.own_name}")
    part = f"{facts.shared} of the {counted(facts.size)} of {facts.own_name}"
    return row.told(f"{part} are in {facts.other_name}, itself among them")


def _explain_aligned(metric: Metric, row: CreditRow, facts: MentionFacts) -> str:
    """What a mention earns by the entity that its own is aligned with."""
    if facts.pair is None:
        return row.told(f"{facts.own_name} is aligned with no {facts.other} entity")
    also = ", another alignment would be as good" if facts.pair.tied else ""
    aligned = f"{facts.own_name} is aligned with {facts.other} entity {facts.pair.entity}{also}"
    if facts.pair.entity == facts.other_entity:
        credit, _ = _by_textbook(metric, facts.size, (1,), (facts.pair.size,), row.credit)
        return row.told(f"{aligned}, which has it", credit)
    where = (
        f"it is in {facts.other_name}" if facts.is_shared else f"the {facts.other} does not have it"
    )
    return row.told(f"{aligned}, but {where}")


def explain_link(
    metric: Metric, row: CreditRow, one: MentionFacts, two: MentionFacts | None
) -> str:
    """What a link earns, by where the other side has its ends; `two` is None for a unit of one
    mention."""
    if row.kind == ALIGNED_MENTION:
        return explain_mention_row(metric, row, one)
    if two is None:
        return row.told("with itself" if one.is_shared else f"missing from the {one.other}")
    return row.told(ends_of_link(one.other, one.other_entity, two.other_entity))


def ends_of_link(other: str, one: int, two: int) -> str:
    """Where the other side has the two ends of a link; an entity is 0 if it lacks that end."""
    if not (one and two):
        lost = "the other end" if one else "the mention" if two else "both ends"
        return f"missing from the {other}: {lost}"
    if one == two:
        return f"both in {other} entity {one}"
    return f"in {other} entities {one} and {two}"
