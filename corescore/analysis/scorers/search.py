"""A number from a paper: which scorers, policies, metrics and roundings print it on these files."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import floor

import pandas as pd

from corescore.analysis.scorers.grid import combinations, repeats_matter, varied
from corescore.analysis.scorers.rescored import SHOWN, Rescored, rows_of, scorers
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import CONLL
from corescore.metrics.blanc import BLANC
from corescore.scoring.presets import Preset

ROUNDED, CUT = "rounded", "cut"
_OF_MEMBERS = "mean of three F1 that were {}"
_COLUMNS = ["response", "metric", "measure", "scorers", "policies", "rounding", "value"]
_EPSILON = 1e-9  # in units of the last place: 62.74 is not cut to 62.73
_NEAREST = 3

Changes = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Printed:
    """A number as it was printed: percent, and how many decimals it has."""

    percent: float
    places: int

    def __str__(self) -> str:
        return f"{self.percent:.{self.places}f}"


@dataclass(frozen=True)
class Found:
    """What was searched for, and what prints it.

    rows     columns response, metric, measure, scorers (ids, ", " between them), policies (those
             that are not the default), rounding and value (a fraction)
    nearest  the same columns, the nearest values that there are, where no row prints the number
    n_tried  how many values were looked at
    """

    number: Printed
    rows: pd.DataFrame
    nearest: pd.DataFrame
    n_tried: int


@dataclass(frozen=True)
class _Candidate:
    """A value, and the value as its scorer's user may have averaged it from printed ones."""

    response: str
    metric: str
    measure: str
    changes: Changes
    scorers: tuple[str, ...]
    value: float
    members: tuple[float, ...] = ()


def printed_number(text: str) -> Printed:
    """62.74, 62,74 or 62.74% as percent, 0.6274 as a fraction; one to four decimals of percent.

    A number below 1 with three decimals or more is a fraction. Raises PolicyError for other text.
    """
    found = re.fullmatch(r"(\d{1,3})(?:[.,](\d{1,6}))?\s*(%?)", text.strip())
    if not found:
        raise PolicyError(f"the number is {text!r}; expected percent, such as 62.74")
    whole, decimals, sign = found[1], found[2] or "", found[3]
    value, places = float(f"{whole}.{decimals or 0}"), len(decimals)
    if value < 1 and places > 2 and not sign:
        value, places = 100 * value, places - 2
    if value > 100 or places > 4:
        raise PolicyError(f"the number is {text!r}; expected percent with at most four decimals")
    return Printed(value, places)


def search(responses: Mapping[str, Rescored], number: Printed) -> Found:
    """Every setting that prints the number, those with the fewest policies changed alone.

    A setting is left out where some of its changes are enough. Scorers are named beside the
    policies that they amount to on these files.
    """
    candidates = [*_candidates(responses)]
    rows = [(candidate, how) for candidate in candidates if (how := roundings(candidate, number))]
    kept = [*_fewest(rows)]
    order = {name: at for at, name in enumerate(SHOWN)}
    kept.sort(key=lambda row: (not row[0].scorers, len(row[0].changes), order[row[0].metric]))
    near = sorted(candidates, key=lambda one: abs(100 * one.value - number.percent))
    nearest = [] if kept else [*_fewest((one, "") for one in near[:_NEAREST])]
    return Found(number, _table(kept), _table(nearest), len(candidates))


def roundings(candidate: _Candidate, number: Printed) -> str:
    """How the number comes out of a value: "rounded", "cut", "rounded or cut"; "" if it cannot."""
    places = number.places
    plain = [how for how in _ROUND if _ROUND[how](100 * candidate.value, places) == str(number)]
    if plain or not candidate.members:
        return " or ".join(plain)
    for how, apply in _ROUND.items():
        parts = [float(apply(100 * member, places)) for member in candidate.members]
        mean = sum(parts) / len(parts)
        if str(number) in (_round(mean, places), _cut(mean, places)):
            return _OF_MEMBERS.format(how)
    return ""


def _round(percent: float, places: int) -> str:
    return f"{percent:.{places}f}"


def _cut(percent: float, places: int) -> str:
    return f"{floor(percent * 10**places + _EPSILON) / 10**places:.{places}f}"


_ROUND = {ROUNDED: _round, CUT: _cut}


def _candidates(responses: Mapping[str, Rescored]) -> Iterator[_Candidate]:
    """Every value, all metrics of a setting one after the other, as they share what is counted."""
    every = list(responses.values())
    names = list(varied(every, BLANC.id))
    taking = {
        scorer: _told_by(scorer.policies, every)
        for scorer in scorers().values()
        if _takes(scorer, every)
    }
    for policies in combinations(every, BLANC.id):
        plain = policies.blanc == DEFAULTS.blanc
        for metric in SHOWN if plain else [BLANC.id]:
            matter = [name for name in names if name != "blanc" or metric == BLANC.id]
            changes = _changes(policies, matter)
            ids = tuple(
                scorer.id
                for scorer, told in taking.items()
                if metric in rows_of(scorer) and _changes(told, matter) == changes
            )
            for name, of in responses.items():
                yield from _measured(of, name, metric, policies, changes, ids)


def _takes(scorer: Preset, responses: Iterable[Rescored]) -> bool:
    return not any(of.refusal(scorer.policies) for of in responses)


def _told_by(policies: Policies, responses: Iterable[Rescored]) -> Policies:
    """Policies as a combination of the grid that comes to the same."""
    if repeats_matter(responses, policies):
        return policies
    return replace(policies, repeats=DEFAULTS.repeats)


def _measured(
    of: Rescored,
    name: str,
    metric: str,
    policies: Policies,
    changes: Changes,
    scorers: tuple[str, ...],
) -> Iterator[_Candidate]:
    members: tuple[float, ...] = ()
    if metric == CONLL.id:
        members = tuple(of.value(policies, member) for member in CONLL.members)
    for measure in reversed(MEASURES):
        value = of.value(policies, metric, measure)
        if value == value:
            yield _Candidate(name, metric, measure, changes, scorers, value, members)


def _changes(policies: Policies, names: Iterable[str]) -> Changes:
    return frozenset(
        (name, getattr(policies, name))
        for name in names
        if getattr(policies, name) != getattr(DEFAULTS, name)
    )


def _fewest(rows: Iterable[tuple[_Candidate, str]]) -> Iterator[tuple[_Candidate, str]]:
    """The rows without those whose number comes out with some of their changes, too."""
    seen: dict[tuple[str, str, str], list[Changes]] = {}
    for candidate, how in sorted(rows, key=lambda row: len(row[0].changes)):
        enough = seen.setdefault((candidate.response, candidate.metric, candidate.measure), [])
        if candidate.scorers or not any(fewer <= candidate.changes for fewer in enough):
            enough.append(candidate.changes)
            yield candidate, how


def _table(rows: Iterable[tuple[_Candidate, str]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (
                one.response,
                one.metric,
                one.measure,
                ", ".join(one.scorers),
                ", ".join(f"{name} {value}" for name, value in sorted(one.changes)),
                how,
                one.value,
            )
            for one, how in rows
        ],
        columns=_COLUMNS,
    )
