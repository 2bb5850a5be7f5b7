"""A pitfall: a key with two outputs, which is better and why, and which metrics mislead.

All numbers are computed from the two outputs; literal texts have none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from corescore.corpus.documents import Document
from corescore.corpus.formats.notation import read_notation
from corescore.counting.counts import Score
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import METRIC_IDS, METRICS, Metric
from corescore.replication.experiment import Check
from corescore.scoring.scores import Scores, score
from corescore.teaching.toy.links import Link, links_of
from corescore.teaching.toy.toy import Entities, Toy
from corescore.tolerances import TOLERANCE
from corescore.version import __version__
from corescore.wording import counted

A, B, SAME = "A", "B", "the same"
CHOICES = (A, B, SAME)
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
class Output:
    """A response in brace notation, a document a line, and the policies that it is scored under.

    says  its description before the reader chooses, in a few words
    """

    response: str
    says: str = ""
    policies: Policies = DEFAULTS


@dataclass(frozen=True)
class Scored:
    """An output with its documents, links and scores."""

    letter: str
    documents: tuple[tuple[Entities, Entities], ...]
    result: Scores

    @cached_property
    def toys(self) -> tuple[Toy, ...]:
        """A key and response for each document, without repeated entities."""
        return tuple(Toy(_once(key), _once(response)) for key, response in self.documents)

    @cached_property
    def correct(self) -> tuple[Link, ...]:
        """The links that both sides have."""
        return tuple(link for toy in self.toys for link in links_of(toy).correct)

    @cached_property
    def wrong(self) -> tuple[Link, ...]:
        """The links that only the response has."""
        return tuple(link for toy in self.toys for link in links_of(toy).wrong)

    @cached_property
    def missed(self) -> tuple[Link, ...]:
        """The links that only the key has."""
        return tuple(link for toy in self.toys for link in links_of(toy).missing)

    @property
    def n_errors(self) -> int:
        """The number of wrong and missed links."""
        return len(self.wrong) + len(self.missed)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of mentions."""
        return sum(len(t.mentions) * (len(t.mentions) - 1) // 2 for t in self.toys)

    @property
    def n_whole(self) -> int:
        """The number of key entities that the response has unchanged."""
        return sum(len(_sets(toy.key) & _sets(toy.response)) for toy in self.toys)

    @property
    def n_key_entities(self) -> int:
        """The number of key entities."""
        return sum(len(toy.key) for toy in self.toys)

    def score(self, metric: str) -> Score[float]:
        """The score of all documents together."""
        return self.result[metric]

    def value(self, metric: str, measure: str) -> float:
        """A score as one of MEASURES; a fraction."""
        if measure == "macro":
            return self.result.macro[metric].f1
        value: float = getattr(self.result[metric], measure)
        return value


def _once(side: Entities) -> Entities:
    by_members = {frozenset(entity): entity for entity in reversed(side)}
    return tuple(reversed(by_members.values()))


def _sets(side: Entities) -> set[frozenset[str]]:
    return {frozenset(entity) for entity in side}


@dataclass(frozen=True)
class Criterion:
    """What makes an output better, without any metric.

    title  in words
    of     what is counted
    count  their number
    most   whether more is better
    words  the count in words
    """

    title: str
    of: str
    count: Callable[[Scored], int]
    most: bool
    words: Callable[[Scored], str]

    def better(self, a: Scored, b: Scored) -> str:
        """A, B or SAME."""
        more = (self.count(a) > self.count(b)) - (self.count(a) < self.count(b))
        return {0: SAME, 1: A, -1: B}[more if self.most else -more]


LINKS = Criterion(
    "fewer links wrong or missed",
    "links wrong or missed",
    lambda output: output.n_errors,
    False,
    lambda output: (
        f"{counted(output.n_errors, 'error')}: {len(output.wrong)} wrong, "
        f"{len(output.missed)} missed"
    ),
)
WHOLE_ENTITIES = Criterion(
    "more entities just as the key has them",
    "entities just as the key has them",
    lambda output: output.n_whole,
    True,
    lambda output: f"{output.n_whole} of the key’s {output.n_key_entities} entities whole",
)


CORRECT_LINKS = Criterion(
    "more correct links",
    "correct links",
    lambda output: len(output.correct),
    True,
    lambda output: counted(len(output.correct), "correct link"),
)


@dataclass(frozen=True)
class Case:
    """Both outputs of a pitfall, scored, and which is better by its criterion."""

    a: Scored
    b: Scored
    criterion: Criterion
    measure: str

    @property
    def better(self) -> str:
        """A, B or SAME: the honest answer."""
        return self.criterion.better(self.a, self.b)

    def values(self, metric: str) -> tuple[float, float]:
        """The scores of A and B by a metric and the measure of the card; fractions."""
        return self.a.value(metric, self.measure), self.b.value(metric, self.measure)

    def first(self, metric: str) -> str:
        """The output with the higher score: A, B or SAME."""
        a, b = self.values(metric)
        return SAME if abs(a - b) < TOLERANCE else A if a > b else B

    def misleads(self, metric: str) -> bool:
        """Whether a metric prefers another output than the better one."""
        return self.first(metric) != self.better


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
    question   asked before any score is shown
    key        in brace notation, a document a line; a mention is one letter
    a, b       the two outputs
    criterion  what makes one better
    measure    one of MEASURES, by which the metrics compare
    misled     the metrics that the title is about; none where they agree with the criterion
    why        two sentences with the arithmetic
    claims     the statements of the card, each checked
    source     paper, and section, table or figure
    beside     ids of scores that are shown below the six
    more       further metrics to score
    positions  what papers hold of A and B, where they disagree
    """

    id: str
    title: str
    group: str
    question: str
    key: str
    a: Output
    b: Output
    criterion: Criterion
    misled: tuple[str, ...]
    why: Callable[[Case], str]
    claims: tuple[Claim, ...]
    source: str
    measure: str = "f1"
    beside: tuple[str, ...] = ()
    more: tuple[Metric, ...] = ()
    positions: tuple[Position, ...] = ()

    @cached_property
    def case(self) -> Case:
        """Both outputs, scored."""
        outputs = ((A, self.a), (B, self.b))
        a, b = (_scored(letter, self.key, output, self.more) for letter, output in outputs)
        return Case(a, b, self.criterion, self.measure)

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
    def truth_signature(self) -> str:
        """How the links and entities of the card are counted, which no policy changes."""
        documents = counted(len(self.case.a.documents), "document")
        rule = "links and entities as they are drawn, each counted once"
        return f"corescore {__version__} | {rule} | {documents}"


def _for_both(a: str, b: str) -> str:
    """A part of the signature lines of A and B in one."""
    return a if a == b else f"{a} for A, {b.split(' ', 1)[1]} for B"


def _scored(letter: str, key: str, output: Output, more: tuple[Metric, ...]) -> Scored:
    sides = read_notation(key, "the key"), read_notation(output.response, "the response")
    documents = tuple((_entities(one), _entities(other)) for one, other in zip(*sides, strict=True))
    result = score(*sides, output.policies, metrics=(*METRICS, *more))
    return Scored(letter, documents, result)


def _entities(document: Document) -> Entities:
    return tuple(tuple(document.text(m) for m in entity) for entity in document.entities)
