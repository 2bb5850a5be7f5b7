"""A pitfall: a key with two responses, criteria by which one is better, and what metrics say.

All numbers are computed from the two responses; literal texts have none.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from corescore.metrics import METRIC_IDS, Metric
from corescore.replication.experiment import Check
from corescore.teaching.pitfalls.criteria import COMMON, Criterion
from corescore.teaching.pitfalls.scored import NO_VALUE, SAME, A, B, Output, Scored, scored
from corescore.tolerances import TOLERANCE
from corescore.version import __version__
from corescore.wording import counted

GROUPS = (
    "About links",
    "About mentions",
    "About entities",
    "About averages and scorers",
)
MEASURES = {
    "f1": "F1",
    "recall": "recall",
    "precision": "precision",
    "macro": "F1, mean over documents",
}


@dataclass(frozen=True)
class Case:
    """Both responses of a pitfall, scored, and a criterion by which one is better."""

    a: Scored
    b: Scored
    criterion: Criterion
    measure: str

    @property
    def better(self) -> str:
        """A, B or SAME, by the criterion."""
        return self.criterion.better(self.a, self.b)

    def values(self, metric: str) -> tuple[float, float]:
        """The scores of A and B by a metric and the measure of the card; fractions."""
        return self.a.value(metric, self.measure), self.b.value(metric, self.measure)

    def first(self, metric: str) -> str:
        """The output with the higher score: A, B or SAME; NO_VALUE if one of the two is 0/0."""
        a, b = self.values(metric)
        if math.isnan(a + b):
            return NO_VALUE
        return SAME if abs(a - b) < TOLERANCE else A if a > b else B

    def disagrees(self, metric: str) -> bool:
        """Whether a metric says something else than the criterion."""
        return self.first(metric) not in (self.better, NO_VALUE)


@dataclass(frozen=True)
class Claim:
    """A statement on a card, and its check on the two outputs."""

    says: str
    check: Callable[[Case], Check]


@dataclass(frozen=True)
class Position:
    """What a paper holds of a card, where papers disagree."""

    paper: str
    says: str


@dataclass(frozen=True)
class Pitfall:
    """One card.

    id         its name in a link
    title      the claim in plain words
    group      one of GROUPS
    question   what A and B are, as a question without an answer; the title until it is answered
    key        in brace notation, a document a line; a mention is one letter
    a, b       the two outputs
    criterion  by which a card begins; a choice, see `criteria`
    measure    one of MEASURES, by which the metrics compare
    about      the metrics that the title is about; each disagrees with one of the criteria
    why        two sentences with the arithmetic
    claims     the statements of the card, each checked
    source     paper, and section, table or figure
    beside     ids of scores that are shown below the six
    more       further metrics to score
    positions  what papers hold of A and B, where they disagree
    reason     one more criterion, which only this case has
    first_criterion  where it is judged by another, that by which it begins
    """

    id: str
    title: str
    group: str
    question: str
    key: str
    a: Output
    b: Output
    criterion: Criterion
    about: tuple[str, ...]
    why: Callable[[Case], str]
    claims: tuple[Claim, ...]
    source: str
    measure: str = "f1"
    beside: tuple[str, ...] = ()
    more: tuple[Metric, ...] = ()
    positions: tuple[Position, ...] = ()
    reason: Criterion | None = None
    first_criterion: Criterion | None = None

    @cached_property
    def case(self) -> Case:
        """Both outputs, scored."""
        outputs = ((A, self.a), (B, self.b))
        a, b = (scored(letter, self.key, output, self.more) for letter, output in outputs)
        return Case(a, b, self.criterion, self.measure)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Its own criterion first, then those of every card, and the reason for another answer."""
        reason = (self.reason,) if self.reason else ()
        return tuple({one.id: one for one in (self.own, *COMMON, *reason)}.values())

    @property
    def own(self) -> Criterion:
        """The criterion by which the card begins."""
        return self.first_criterion or self.criterion

    def by(self, criterion: str) -> "Pitfall":
        """The card judged by another of its criteria, by its id; by its own if it has no such."""
        found = next((one for one in self.criteria if one.id == criterion), self.own)
        return replace(self, criterion=found, first_criterion=self.own)

    def measured(self, measure: str) -> "Pitfall":
        """The card with metrics that compare by another of MEASURES."""
        return replace(self, measure=measure)

    @property
    def featured(self) -> str:
        """The metric that is asked first: what the card is about, or else one that disagrees."""
        disagreeing = (name for name in self.shown if self.case.disagrees(name))
        return next(iter(self.about), "") or next(disagreeing, self.shown[0])

    @property
    def checks(self) -> tuple[tuple[Claim, Check], ...]:
        """Each claim with whether it holds, and the numbers."""
        return tuple((claim, claim.check(self.case)) for claim in self.claims)

    @property
    def is_one_output(self) -> bool:
        """Whether A and B are one response scored under two policies."""
        return self.a.response == self.b.response

    @property
    def shown(self) -> tuple[str, ...]:
        """The ids of the scores on the card: all metrics, and those in `beside`."""
        return (*METRIC_IDS, *self.beside)

    @property
    def signature(self) -> str:
        """The policies; if A and B have different ones, both: "singletons drop for A, keep for
        B"."""
        sides = (side.result.signature.split(" | ") for side in (self.case.a, self.case.b))
        return " | ".join(_for_both(a, b) for a, b in zip(*sides, strict=True))

    @property
    def link_signature(self) -> str:
        """How the links and entities of the card are counted, which no policy changes."""
        documents = counted(len(self.case.a.documents), "document")
        rule = "links and entities as they are drawn, each counted once"
        return f"corescore {__version__} | {rule} | {documents}"


def _for_both(a: str, b: str) -> str:
    """A part of the signature lines of A and B in one."""
    return a if a == b else f"{a} for A, {b.split(' ', 1)[1]} for B"
