"""What a metric is: a frozen record that holds all that is known of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from corescore.arrays import FloatArray
from corescore.counting.changes import Changes
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score, score_counts
from corescore.metrics.card import Card
from corescore.metrics.explanation import Explainer
from corescore.metrics.textbook import Textbook

GREY = "#808692"  # of what stands beside the metrics: diagnostics and averages
SELF_LINK = "self-link"
COREFERENCE_LINK = "coreference link"
NON_COREFERENCE_LINK = "non-coreference link"
ALIGNED_MENTION = "aligned mention"
SPANNING_LINK = "spanning link"


class Scorer(Protocol):
    """Counts, one row a document → scores; `empty` is the value of 0/0."""

    def __call__(self, counts: Counts, *, empty: float) -> Score[FloatArray]: ...


@dataclass(frozen=True)
class Unit:
    """What a metric credits, and how much for each one.

    kind   what one unit is. Of a cell with n shared mentions: a self-link or an aligned mention
           (n of them), a coreference link (C(n)), a spanning link (n − 1). A non-coreference link
           is two shared mentions that lie in two entities on both sides.
    recall_credit        (cells,) the credit of each unit of a cell, towards recall
    recall_possible      (key entities,) the most that each unit of an entity can earn
    precision_credit     (cells,) and precision_possible (response entities,): towards precision
    part                 the column of the metric's counts that the credits add up to
    shared_only          whether only mentions that both sides have are counted as possible
    """

    kind: str
    recall_credit: FloatArray
    recall_possible: FloatArray
    precision_credit: FloatArray
    precision_possible: FloatArray
    part: int = 0
    shared_only: bool = False


@dataclass(frozen=True)
class Metric:
    """A coreference metric as data.

    id      its short name in code and on the command line, such as "bcub"
    title   its name on a page, such as "B³"
    unit    what one unit of its numerator is
    paper   where it was defined
    counts  contingency → numerators and denominators of each document
    of_mentions  of a diagnostic that looks at the mentions themselves: what counts instead
    score   counts → recall, precision, F1; by default of one part and their harmonic mean
    credit  contingency → the units whose credits add up to the numerators of `counts`, and
            whose maxima add up to the denominators; None if the metric does not say
    repeats     how it counts mentions that a side lists in several entities, where mentions are
                looked up (`counting.look_ups`): each direction by its own look-ups, by the mentions
                that entities hold, by links, or each mention once
    similarity  of a metric that aligns entities: contingency → (cells,) what it maximises
    name    its name in running text and on pages, such as "CEAFₘ"; the title if not given
    colour  its colour in charts, such as "#009E73"; one of `NEUTRAL` if not given
    changes      closed form of what changes of the response do to the corpus' counts: changes →
                 counts to add, a row for each; without it, the touched documents are recounted
    explanation  how it explains its credit in words
    textbook     key and response → every step of the computation as in a textbook
    card         its formulas, units and special cases in words
    """

    id: str
    title: str
    unit: str
    paper: str
    counts: Callable[[Contingency], Counts]
    of_mentions: Callable[[Comparison], Counts] | None = None
    score: Scorer = score_counts
    credit: Callable[[Contingency], tuple[Unit, ...]] | None = None
    repeats: Literal["looked up", "held", "links", "once"] = "looked up"
    similarity: Callable[[Contingency], FloatArray] | None = None
    name: str = ""
    colour: str = ""
    changes: Callable[[Changes], Counts] | None = None
    explanation: Explainer | None = None
    textbook: Textbook | None = None
    card: Card | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.title)

    @property
    def no_credit(self) -> str:
        """What stands in place of the credit of a metric without one."""
        return f"{self.name} does not say what it credits."

    @property
    def no_textbook(self) -> str:
        """What stands in place of the worked arithmetic of a metric without one."""
        return f"The arithmetic of {self.name} is not worked out here."


@dataclass(frozen=True)
class Average:
    """A mean of the F1 of several metrics. It has no recall, precision or counts.

    members  the ids of the metrics; the other fields are as in `Metric`
    """

    id: str
    title: str
    name: str
    members: tuple[str, ...]
    colour: str
    textbook: Textbook
    card: Card
