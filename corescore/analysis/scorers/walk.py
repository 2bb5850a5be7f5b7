"""From one scorer to another, a policy at a time: how much each change moves a score."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import factorial, fsum, isnan

from corescore.analysis.scorers.rescored import Rescored
from corescore.corpus.problems import PolicyError
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.metrics import title_of

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
class Step:
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
    steps: tuple[Step, ...]

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
        Step(
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
