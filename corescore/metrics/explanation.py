"""Facts about mentions and entities, and the words in which a metric explains its credit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corescore.wording import counted, number, worked


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
    size: int
    other_entity: int
    other_size: int
    shared: int
    n_cells: int
    pair: AlignedPair | None

    @property
    def is_shared(self) -> bool:
        return self.shared > 0

    @property
    def is_aligned(self) -> bool:
        """Whether a CEAF aligns the two entities that have it."""
        return self.is_shared and self.pair is not None and self.pair.entity == self.other_entity

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
    pair    what a CEAF aligns it with
    """

    other: str
    size: int
    shared: tuple[int, ...]
    pair: AlignedPair | None

    @property
    def n_shared(self) -> int:
        return sum(self.shared)


@dataclass(frozen=True)
class Earned:
    """What one mention earns and could earn of one kind of unit, and what all mentions could."""

    kind: str
    part: int
    credit: float
    possible: float
    whole: float


@dataclass(frozen=True)
class CreditRow:
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


@dataclass(frozen=True)
class Explainer:
    """How a metric explains its scores. The words about a row end in "credit of possible".

    sentence  facts about a mention and what it earns → a sentence
    entity    a row of the table of credits and the facts about its entity → words
    mention   the same of a mention
    link      the same of a link and its two mentions, the second None for a unit of one mention
    """

    sentence: Callable[[MentionFacts, Sequence[Earned]], str]
    entity: Callable[[CreditRow, EntityFacts], str]
    mention: Callable[[CreditRow, MentionFacts], str]
    link: Callable[[CreditRow, MentionFacts, MentionFacts | None], str]


def together(earned: Sequence[Earned]) -> tuple[float, float]:
    """Credit and possible; where there are several parts, each as a share of all its links."""
    parts = {e.part for e in earned}
    whole = dict.fromkeys(parts, 1.0)
    if len(parts) > 1:
        whole = {part: sum(e.whole for e in earned if e.part == part) or 1.0 for part in parts}
    credit = sum(e.credit / whole[e.part] for e in earned)
    possible = sum(e.possible / whole[e.part] for e in earned)
    return credit, possible


def half_of_links(row: CreditRow, mention: MentionFacts) -> str:
    """MUC and BLANC: half of each link goes to each of its ends."""
    correct, links = 2 * row.credit, 2 * row.possible
    if not links:
        return f"no {row.kind}: 0 of 0"
    why = f"{number(correct)} of its {counted(links, row.kind)}, half of each"
    return row.told(why, f"{number(correct)}/2", f"{number(links)}/2")


def one_each(row: CreditRow, one: MentionFacts, two: MentionFacts | None) -> str:
    """MUC and BLANC: a link counts one."""
    return row.told(ends(one, two), number(row.credit), "1")


def ends(one: MentionFacts, two: MentionFacts | None) -> str:
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
