"""What a metric is: a frozen record that holds all that is known of it.

What a card says about a metric: a frozen record. It holds no scores: those are computed.

Whether what a metric counts are counts: a wrong shape would be a wrong score.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal, Protocol

import numpy as np

from corescore.bibliography import Paper
from corescore.corpus.problems import InputError, Problem
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES, Counts, Score, score_counts
from corescore.counting.whatif import Changes, Scope, Similarity
from corescore.metrics.explanation import Explainer
from corescore.metrics.textbook import Textbook
from corescore.util import FloatArray


def harmonic_mean(sign: str = "") -> str:
    """The formula of F1 in LaTeX; `sign` is the index of R and P."""
    r, p = (f"{letter}_{sign}" if sign else letter for letter in "RP")
    return rf"\frac{{2 {r} {p}}}{{{r} + {p}}}"


@dataclass(frozen=True)
class Formulas:
    """Formulas in LaTeX for recall, precision and F1, each the right-hand side alone.

    What it lacks is empty: the CoNLL average has no recall.

    of    what it is of, such as "coreference links"; empty if there is but one part
    sign  what stands below its R, P and F
    """

    recall: str
    precision: str
    f1: str = harmonic_mean()
    of: str = ""
    sign: str = ""

    @property
    def steps(self) -> dict[str, tuple[str, str]]:
        """By name, such as "recall of coreference links", the symbol and the formula."""
        of = f" of {self.of}" if self.of else ""
        low = f"_{self.sign}" if self.sign else ""
        symbols = (f"R{low}", f"P{low}", f"F{low}" if low else "F_1")
        rows = zip(MEASURES, symbols, (self.recall, self.precision, self.f1), strict=True)
        return {f"{measure}{of}": (symbol, formula) for measure, symbol, formula in rows if formula}


@dataclass(frozen=True)
class EmptyCase:
    """When something is empty, and what the score is then; both in words."""

    when: str
    then: str


@dataclass(frozen=True)
class Variant:
    """A way to score empty parts: its policy, where it is from, and its cases, first come first."""

    policy: str
    title: str
    cases: tuple[EmptyCase, ...]


@dataclass(frozen=True)
class Card:
    """A metric explained.

    id         the metric's, or "conll"
    name       how a sentence calls it
    counts     what it counts, in a sentence or two
    parts      its formulas
    symbols    (LaTeX, words): what stands in them
    unit       what one unit of its numerator is
    one, zero  when its F1 is 1 and when it is 0: "1 exactly when …"
    empty      when it has nothing to divide by
    examples   (key, response) in brace notation, to show what is empty
    papers     where it was defined
    history    of a variant: where it comes from, and why it was given up
    bounds     its range
    variants   where empty parts are scored in several ways: each of them
    """

    id: str
    name: str
    counts: str
    parts: tuple[Formulas, ...]
    symbols: tuple[tuple[str, str], ...]
    unit: str
    one: str
    zero: str
    empty: str
    examples: tuple[tuple[str, str], ...]
    papers: tuple[Paper, ...]
    variants: tuple[Variant, ...] = ()
    history: str = ""
    bounds: str = "From 0 to 1, in percent from 0 to 100."


# What several cards say in the same words ---------------------------------------------------------

SAME_ENTITIES = "both sides have the same entities"

SAME_LINKED = "both sides have the same entities of two or more mentions, and there is at least one"

SAME_AMONG_SHARED = (
    "the two sides share a mention, and those that they share are in the same entities on both"
)

NO_SHARED_MENTION = "the two sides share no mention"

NO_RIGHT_LINK = "no two mentions are coreferent on both sides"


def empty_where(side_is: str) -> str:
    """What is empty, where a side is like that."""
    return (
        f"Where the key {side_is}, recall is empty; where the response {side_is}, precision is "
        "empty. F1 is empty where both are, and 0 where one is."
    )


EMPTY_WITHOUT_MENTIONS = empty_where("has no mention")

EMPTY_WITHOUT_LINKS = empty_where("has no entity of two or more mentions")

KEY_SIZE = (r"a_i", "mentions of key entity i")

RESPONSE_SIZE = (r"b_j", "mentions of response entity j")

SHARED = (r"n_{ij}", "mentions that these two share")

SHARED_OF_KEY = (r"n_{i\cdot}", "mentions of i that the response has")

SHARED_OF_RESPONSE = (r"n_{\cdot j}", "mentions of j that the key has")

MENTION_COUNTS = (r"A,\ B", "mentions of the key, of the response")

BOTH = (r"m", "mentions that both sides have")

PAIRS = (r"\tbinom{n}{2}", "pairs of n mentions, n(n − 1)/2")

ALIGNED = (r"i \sim j", "i and j are aligned with each other")

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
    recount      what is counted again to find the effect of a change of the response: the entities
                 that it touches, if all others matter by the number of their mentions alone; their
                 components, if the counts of components add up; else the document
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
    similarity: Similarity | None = None
    name: str = ""
    colour: str = ""
    recount: Scope = "documents"
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


def changed_counts(metrics: Sequence[Metric], changes: Changes) -> list[Counts]:
    """(changes, parts) what each change adds to the corpus' counts, for each metric.

    Where a side lists a singleton of the key in several entities, whether one of them is correct
    depends on the others: entities are then counted with their components.
    """
    single = changes.table.key_sizes[changes.table.cell_key] == 1
    listed = np.bincount(changes.table.cell_key[single]).max(initial=0) > 1
    together: dict[tuple[Scope, Similarity | None], list[int]] = {}
    for at, metric in enumerate(metrics):
        scope: Scope = "components" if listed and metric.recount == "entities" else metric.recount
        together.setdefault((scope, metric.similarity), []).append(at)
    found: list[list[Counts]] = [[] for _ in metrics]
    for (scope, similarity), places in together.items():
        for before, after in changes.tables(scope, similarity):
            for at in places:
                found[at].append(metrics[at].counts(after) - metrics[at].counts(before))
    return [Counts.of_documents(*counts) for counts in found]


def check_counts(counts: object, n_documents: int, of: str, file: str = "") -> Counts:
    """The counts, if they are such: of each document, in four arrays of one shape, finite.

    of    what counted them, in words
    file  where that stands, if it is known

    Raises InputError for anything else.
    """
    if not isinstance(counts, Counts):
        raise _refusal(f"{of} that returns {type(counts).__name__}", "Counts", of, file)
    arrays = [getattr(counts, entry.name) for entry in fields(Counts)]
    if not all(isinstance(one, np.ndarray) and one.dtype.kind in "biuf" for one in arrays):
        raise _refusal(f"{of} with counts that are no numbers", "four arrays of them", of, file)
    shapes = {one.shape for one in arrays}
    if len(shapes) > 1 or min(map(len, shapes)) != 2 or min(shapes)[0] != n_documents:
        found = f"{of} with counts of shape {' and '.join(map(str, sorted(shapes)))}"
        raise _refusal(found, f"({n_documents}, parts): a row for each document", of, file)
    if not all(np.isfinite(one).all() for one in arrays):
        raise _refusal(f"{of} with counts that are NaN or infinite", "finite ones", of, file)
    return counts


def _refusal(found: str, expected: str, of: str, file: str) -> InputError:
    return InputError([Problem(file or of, 0, found, expected, "Fix what counts.")])
