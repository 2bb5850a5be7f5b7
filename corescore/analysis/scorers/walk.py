"""From one scorer to another, a policy at a time: how much each change moves a score."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import factorial, fsum, isnan

import numpy as np
import pandas as pd

from corescore.analysis.scorers.rescored import Rescored
from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.counting.sides import Side
from corescore.metrics import title_of
from corescore.scoring.presets import policies_for
from corescore.scoring.scores import Result
from corescore.util import WHOLE

# What is done first when a file is scored is changed first.
_FIRST = (
    "words",
    "missing_documents",
    "zeros",
    "mentions",
    "singletons",
    "match",
    "repeats",
    "lookup",
    "blanc",
    "average",
)

ORDER = (*_FIRST, *(name for name in POLICY_VALUES if name not in _FIRST))

MOST_SHAPLEY = 8  # policies; each more doubles the work


@dataclass(frozen=True)
class PolicyStep:
    """One policy changed from `old` to `new`; the score before and after, fractions.

    before, after  the policies in force
    """

    policy: str
    old: str
    new: str
    before: Policies
    after: Policies
    score_before: float
    score_after: float

    @property
    def difference(self) -> float:
        """By how much the score moves."""
        return self.score_after - self.score_before


@dataclass(frozen=True)
class Walk:
    """Single changes of policy that lead from one scorer to another; the score of each step starts
    where the step before ended, so that the differences add up to `difference`."""

    metric: str
    measure: str
    first: float
    last: float
    steps: tuple[PolicyStep, ...]

    @property
    def difference(self) -> float:
        """The score at the end less that at the start."""
        return self.last - self.first


def differing(start: Policies, end: Policies, order: Sequence[str] = ORDER) -> list[str]:
    """The policies that differ, in this order."""
    return [name for name in order if getattr(start, name) != getattr(end, name)]


def mixed(start: Policies, end: Policies, changed: Sequence[str] | frozenset[str]) -> Policies:
    """The policies of `start`, those in `changed` as in `end`."""
    return Policies.of({**asdict(start), **{name: getattr(end, name) for name in changed}})


def walk(
    of: Rescored,
    start: Policies,
    end: Policies,
    metric: str,
    *,
    measure: str = "f1",
    order: Sequence[str] = ORDER,
) -> Walk:
    """Change the policies that differ one at a time, in the order given; the others do not move.

    Raises InputError where the policies of a step refuse the files, PolicyError for an order that
    does not name each policy once, and where the metric is empty at one of the ends.
    """
    if sorted(order) != sorted(POLICY_VALUES):
        raise PolicyError(f"order is {', '.join(order)}; expected each once: {', '.join(ORDER)}")
    names = differing(start, end, order)
    stations = [mixed(start, end, names[:n]) for n in range(len(names) + 1)]
    scores = [of.value(station, metric, measure) for station in stations]
    if isnan(scores[0]) or isnan(scores[-1]):
        empty = "at the start" if isnan(scores[0]) else "at the end"
        raise PolicyError(
            f"{title_of(metric)} is empty {empty}; expected a number at both ends (Stanza's scorer "
            "has none where the key of a document has no entity)"
        )
    steps = (
        PolicyStep(
            name,
            getattr(start, name),
            getattr(end, name),
            stations[at],
            stations[at + 1],
            scores[at],
            scores[at + 1],
        )
        for at, name in enumerate(names)
    )
    return Walk(metric, measure, scores[0], scores[-1], tuple(steps))


def shapley(
    of: Rescored, start: Policies, end: Policies, metric: str, *, measure: str = "f1"
) -> dict[str, float]:
    """By how much each policy that differs moves the score, averaged over all orders of change.

    The values add up to the whole difference, and a policy that never moves the score has 0.
    Raises PolicyError if more than `MOST_SHAPLEY` policies differ.
    """
    names = differing(start, end)
    if len(names) > MOST_SHAPLEY:
        raise PolicyError(f"{len(names)} policies differ; expected at most {MOST_SHAPLEY}")
    return shapley_values(
        names, lambda changed: of.value(mixed(start, end, changed), metric, measure)
    )


def shapley_values(
    names: Sequence[str], value: Callable[[frozenset[str]], float]
) -> dict[str, float]:
    """The Shapley value of each name in a game that gives each subset a value."""
    subsets = [frozenset(s) for n in range(len(names) + 1) for s in combinations(names, n)]
    values = {subset: value(subset) for subset in subsets}

    def share(name: str) -> float:
        without = [subset for subset in subsets if name not in subset]
        return fsum(
            _weight(len(subset), len(names)) * (values[subset | {name}] - values[subset])
            for subset in without
        )

    return {name: share(name) for name in names}


def _weight(n_before: int, n: int) -> float:
    """The share of all orders of n in which exactly these n_before come first, one next."""
    return factorial(n_before) * factorial(n - n_before - 1) / factorial(n)


# What one change of policy moves: the scores of documents, and mentions ---------------------------

# Steps that leave every mention at its place, so that it can be found again.
_IN_PLACE = ("singletons", "match", "repeats", "lookup")

LEFT_OUT, COUNTED = "left out", "counted"

UNMATCHED, MATCHED = "not matched", "matched"

_COLUMNS = ["document", "side", "start", "end", "mention", "change"]

_Place = tuple[int, int, int]


def moved_documents(
    of: Rescored, step: PolicyStep, metric: str, measure: str = "f1"
) -> pd.DataFrame:
    """The documents whose own score a step moves, the most moved first: `document`, `before`,
    `after`, `difference`.

    Fractions; NaN where a document has nothing to score. None where only the average changes.
    """
    columns = {
        name: pd.Series(getattr(result.document_scores[metric], measure), list(result.documents))
        for name, result in (("before", of.scores(step.before)), ("after", of.scores(step.after)))
    }
    table = pd.DataFrame(columns)  # a document may be left out of one of the two
    table = table.rename_axis("document").reset_index()
    table["difference"] = table["after"] - table["before"]
    moved = np.abs(np.nan_to_num(table["after"]) - np.nan_to_num(table["before"]))
    order = np.argsort(-moved, kind="stable")
    rows: pd.DataFrame = table.iloc[order[moved[order] > WHOLE]]
    return rows.reset_index(drop=True)


def moved_mentions(of: Rescored, step: PolicyStep, metric: str) -> pd.DataFrame:
    """The mentions that a step leaves out, counts, matches or no longer matches.

    Columns: document, side, start, end, mention (its words), change. Empty for a step of another
    kind, such as an average or other words, and for a choice about singletons that depends on
    the metric, unless `metric` is one of those.
    """
    if step.policy not in _IN_PLACE:
        return pd.DataFrame(columns=_COLUMNS)
    before, after = (
        of.scores(_of_metric(policies, metric)) for policies in (step.before, step.after)
    )
    rows = [*_listed(before, after), *_matched(before, after)]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _of_metric(policies: Policies, metric: str) -> Policies:
    return policies_for(policies, metric)


def _listed(before: Result, after: Result) -> Iterator[tuple[object, ...]]:
    """The mentions that only one of two results has on a side."""
    for name in ("key", "response"):
        documents = getattr(before.comparison, name)
        old, new = (_places(getattr(r.comparison.matching, name)) for r in (before, after))
        yield from _rows(before, documents, name, old - new, LEFT_OUT)
        yield from _rows(before, documents, name, new - old, COUNTED)


def _matched(before: Result, after: Result) -> Iterator[tuple[object, ...]]:
    """The key's mentions that both results have and only one of them matches."""
    both = set(_places(before.comparison.matching.key)) & set(
        _places(after.comparison.matching.key)
    )
    old, new = (_pairs(result) for result in (before, after))
    for places, change in ((old - new, UNMATCHED), (new - old, MATCHED)):
        still = Counter({place: n for place, n in places.items() if place in both})
        yield from _rows(before, before.comparison.key, "key", still, change)


def _places(side: Side) -> Counter[_Place]:
    columns = (column.tolist() for column in (side.document, side.start, side.end))
    return Counter(zip(*columns, strict=True))


def _pairs(result: Result) -> Counter[_Place]:
    matching = result.comparison.matching
    return _places(matching.key.keep(matching.key_mention))


def _rows(
    result: Result, documents: Sequence[Document], side: str, places: Counter[_Place], change: str
) -> Iterator[tuple[object, ...]]:
    for number, start, end in sorted(places.elements()):
        document = documents[number]
        text = document.text_at(start, end) if document.words else ""
        yield result.documents[number], side, start, end, text, change
