"""What a metric is: a record of what it counts, what it credits, and what is known of it.

Names, colours and papers are in `metrics.toml`, cards in `cards.toml`. Nothing here holds scores:
those are computed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypedDict

import numpy as np

from corescore.bibliography import PAPERS, Paper
from corescore.corpus.problems import InputError, refusal
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES, Counts, Score, arrays_of, score_counts
from corescore.metrics.textbook import Entities, Half, Step, Steps, in_halves, table_of
from corescore.util import FloatArray, read_toml

if TYPE_CHECKING:
    from corescore.counting.whatif import Changes, Scope, Similarity

# What a card says ---------------------------------------------------------------------------------


def harmonic_mean(sign: str = "") -> str:
    """The formula of F1 in LaTeX; `sign` is the index of R and P."""
    r, p = (f"{letter}_{sign}" if sign else letter for letter in "RP")
    return rf"\frac{{2 {r} {p}}}{{{r} + {p}}}"


class Formulas(NamedTuple):
    """Formulas in LaTeX for recall, precision and F1, each the right-hand side alone.

    What it lacks is empty: CoNLL has no recall.

    subject  what it is of, such as "coreference links"; empty if there is but one part
    sign     what stands below its R, P and F
    """

    recall: str = ""
    precision: str = ""
    f1: str = harmonic_mean()
    subject: str = ""
    sign: str = ""

    @property
    def steps(self) -> dict[str, tuple[str, str]]:
        """By name, such as "recall of coreference links", the symbol and the formula."""
        whose = f" of {self.subject}" if self.subject else ""
        low = f"_{self.sign}" if self.sign else ""
        symbols = (f"R{low}", f"P{low}", f"F{low}" if low else "F_1")
        rows = zip(MEASURES, symbols, (self.recall, self.precision, self.f1), strict=True)
        return {
            f"{measure}{whose}": (symbol, formula) for measure, symbol, formula in rows if formula
        }


class EmptyCase(NamedTuple):
    """When something is empty, and what the score is then; both in words."""

    when: str
    then: str


class Variant(NamedTuple):
    """A way to score empty parts: its policy, where it is from, and its cases, first come first."""

    policy: str
    title: str
    cases: tuple[EmptyCase, ...]


class Card(NamedTuple):
    """A metric explained.

    id         the metric's, or "conll"
    counts     what it counts, in a sentence or two
    parts      its formulas
    symbols    (LaTeX, words): what stands in them
    unit       what one unit of its numerator is
    one, zero  when its F1 is 1 and when it is 0: "1 exactly when …"
    empty      when it has nothing to divide by
    examples   (key, response) in brace notation, to show what is empty
    papers     where it was defined
    variants   where empty parts are scored in several ways: each of them
    history    of a variant: where it comes from, and why it was given up
    bounds     its range
    """

    id: str
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


@cache
def card_of(id: str) -> Card | None:
    """The card of a metric, or of CoNLL; None if `cards.toml` has none."""
    every = read_toml("metrics/cards.toml")
    if id not in every:
        return None
    entries = _entries(every, id)
    parts = [{"f1": harmonic_mean(part.get("sign", "")), **part} for part in entries.pop("parts")]
    symbols = [
        every["symbols"][one] if isinstance(one, str) else one for one in entries.pop("symbols")
    ]
    variants = [
        Variant(one["policy"], one["title"], tuple(EmptyCase(*case) for case in one["cases"]))
        for one in entries.pop("variants", ())
    ]
    return Card(
        id=id,
        parts=tuple(Formulas(**part) for part in parts),
        symbols=tuple((latex, words) for latex, words in symbols),
        examples=tuple((key, response) for key, response in entries.pop("examples")),
        papers=tuple(PAPERS[name] for name in entries.pop("papers")),
        variants=tuple(variants),
        **entries,
    )


def _entries(cards: Mapping[str, Any], id: str) -> dict[str, Any]:
    """The entries of a card, those of the card that it is like included."""
    own = dict(cards[id])
    like = own.pop("like", "")
    return {**_entries(cards, like), **own} if like else own


class Described(TypedDict):
    """The fields of a metric that are words."""

    id: str
    title: str
    unit: str
    paper: str
    colour: str


_NAMES = read_toml("metrics/metrics.toml")


def described(id: str) -> Described:
    """What `metrics.toml` says of a metric."""
    entry = _NAMES[id]
    papers = (PAPERS[name].cited if name in PAPERS else name for name in entry["papers"])
    return {
        "id": id,
        "title": entry["title"],
        "unit": entry["unit"],
        "paper": "; ".join(papers),
        "colour": entry["colour"],
    }


# What is credited ---------------------------------------------------------------------------------

SELF_LINK = "self-link"

COREFERENCE_LINK = "coreference link"

NON_COREFERENCE_LINK = "non-coreference link"

ALIGNED_MENTION = "aligned mention"

SPANNING_LINK = "spanning link"


class Unit(NamedTuple):
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

    @classmethod
    def of_one(
        cls, table: Contingency, kind: str, *, part: int = 0, shared_only: bool = False
    ) -> "Unit":
        """A unit that earns 1 wherever both sides have it."""
        cell, key, response = (
            np.ones(len(of)) for of in (table.cell_sizes, table.key_sizes, table.response_sizes)
        )
        return cls(kind, cell, key, cell, response, part, shared_only)


class Scorer(Protocol):
    """Counts, one row a document → scores; `empty` is the value of 0/0."""

    def __call__(self, counts: Counts, *, empty: float) -> Score[FloatArray]: ...


@dataclass(frozen=True)
class Metric:
    """A coreference metric as data.

    id      its short name in code and on the command line, such as "bcub"
    title   its one name, wherever it is shown: "B³", "CEAFₘ"
    unit    what its numerator counts, such as mentions
    paper   where it was defined
    counts  contingency → numerators and denominators of each document
    of_mentions  for a diagnostic of the mentions themselves: the function used instead of `counts`
    score   counts → recall, precision, F1; by default of one part and their harmonic mean
    credit  contingency → the units whose credits add up to the numerators of `counts`, and
            whose maxima add up to the denominators; None if the metric defines none
    half    a table of one document → its recall as in a textbook; precision is the same
            with the sides swapped
    steps   instead of a half: a table of one document → every step of the computation
    repeats     how it counts a mention that a side lists in several entities when mentions are
                looked up (`counting.comparison.look_ups`): each direction by its own look-ups, by
                the mentions that entities hold, by links, or each mention once
    similarity  for a metric that aligns entities: contingency → (cells,) what it maximises
    colour  its colour in charts, such as "#009E73"; one of `NEUTRAL` if not given
    recount      what has to be counted again after a change to the response: the entities that
                 changed, if only the sizes of all others matter; their components, if the counts
                 of components add up; otherwise the document

    >>> import corescore
    >>> def shared(table):
    ...     n = table.n_shared_mentions
    ...     return corescore.Counts.of(n, table.n_key_mentions, n, table.n_response_mentions)
    >>> metric = corescore.Metric("shared", "Shared", "mention", "ours", counts=shared)
    >>> corescore.score_entities([{1, 2}, {3}], [{1, 2, 4, 5}], metrics=metric)["shared"]
    Score: recall 0.6667, precision 0.5000, F1 0.5714
    """

    id: str
    title: str
    unit: str
    paper: str
    counts: Callable[[Contingency], Counts]
    of_mentions: Callable[[Comparison], Counts] | None = None
    score: Scorer = score_counts
    credit: Callable[[Contingency], tuple[Unit, ...]] | None = None
    half: Half | None = None
    steps: Steps | None = None
    repeats: Literal["looked up", "held", "links", "once"] = "looked up"
    similarity: "Similarity | None" = None
    colour: str = ""
    recount: "Scope" = "documents"

    def __post_init__(self) -> None:
        if self.half and not self.steps:
            object.__setattr__(self, "steps", in_halves(self.half))

    def __repr__(self) -> str:
        return f"Metric({self.id!r})"

    @property
    def card(self) -> Card | None:
        """Its formulas, units and special cases in words, if `cards.toml` has them."""
        return card_of(self.id)

    @property
    def textbook(self) -> Callable[[Entities, Entities], list[Step]] | None:
        """Key and response → every step of the computation as in a textbook."""
        steps = self.steps
        return steps and (lambda key, response: steps(table_of(key, response)))

    @property
    def no_credit(self) -> str:
        """What is shown instead of credit if the metric defines none."""
        return f"{self.title} does not define credit."

    @property
    def no_textbook(self) -> str:
        """What is shown instead of worked arithmetic if the metric has none."""
        return f"The arithmetic of {self.title} is not worked out here."


class Average(NamedTuple):
    """A mean of the F1 of several metrics. It has no recall, precision or counts.

    members  the ids of the metrics; the other fields are as in `Metric`
    """

    id: str
    title: str
    members: tuple[str, ...]
    colour: str
    textbook: Callable[[Entities, Entities], list[Step]]

    @property
    def card(self) -> Card | None:
        return card_of(self.id)


def changed_counts(metrics: Sequence[Metric], changes: "Changes") -> list[Counts]:
    """(changes, parts) what each change adds to the corpus' counts, for each metric.

    Where a side lists a singleton of the key in several entities, whether one of them is correct
    depends on the others: entities are then counted with their components.
    """
    table = changes.table
    single = table.key_sizes[table.cell_key] == 1
    listed = np.bincount(table.cell_key[single]).max(initial=0) > 1
    together: dict[tuple[Scope, Similarity | None], list[int]] = {}
    for at, metric in enumerate(metrics):
        scope: Scope = "components" if listed and metric.recount == "entities" else metric.recount
        together.setdefault((scope, metric.similarity), []).append(at)
    by_metric: list[list[Counts]] = [[] for _ in metrics]
    for asked, places in together.items():
        for before, after in changes.tables(*asked):
            for at in places:
                by_metric[at].append(metrics[at].counts(after) - metrics[at].counts(before))
    return [Counts.of_documents(*counts) for counts in by_metric]


def check_counts(counts: object, n_documents: int, what: str, file: str = "") -> Counts:
    """The counts, if they are such: of each document, in four arrays of one shape, finite.

    what  what counted them, in words
    file  where that stands, if it is known

    Raises InputError for anything else.
    """
    if not isinstance(counts, Counts):
        raise _refusal(f"{what} that returns {type(counts).__name__}", "Counts", what, file)
    arrays = arrays_of(counts)
    if not all(isinstance(one, np.ndarray) and one.dtype.kind in "biuf" for one in arrays):
        raise _refusal(f"{what} with counts that are no numbers", "four arrays of them", what, file)
    shapes = {one.shape for one in arrays}
    if len(shapes) > 1 or min(map(len, shapes)) != 2 or min(shapes)[0] != n_documents:
        problem = f"{what} with counts of shape {' and '.join(map(str, sorted(shapes)))}"
        raise _refusal(problem, f"({n_documents}, parts): one row per document", what, file)
    if not np.isfinite(arrays).all():
        raise _refusal(f"{what} with counts that are NaN or infinite", "finite ones", what, file)
    return counts


def _refusal(problem: str, expected: str, what: str, file: str) -> InputError:
    return refusal(file or what, problem, expected, "Fix what counts.")
