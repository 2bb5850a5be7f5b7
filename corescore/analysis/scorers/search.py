"""A number from a paper: which scorers, policies, metrics and roundings print it on these files."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import groupby, product
from math import floor
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.scorers.rescored import SHOWN, Rescored, rows_of, scorers
from corescore.analysis.scorers.walk import ORDER
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import CONLL
from corescore.metrics.blanc import BLANC
from corescore.scoring.presets import Preset
from corescore.util import PLACES

# Which response is ahead under each combination of policies, and what flips the order -------------

_NEVER = {"repeats": "error", "missing_documents": "error"}  # they refuse files, or change nothing


def varied(responses: Iterable[Rescored], metric: str) -> dict[str, tuple[str, ...]]:
    """The policies that can matter to these files and this metric, with their values.

    words     where they differ between the sides: the values that do not refuse the files
    mentions  the values that leave some out; of these and of match those that do not refuse the
              files
    repeats   where a side lists a mention twice, or two with one minimum span; zeros where one has
              empty nodes; lookup where it has either, but for minimum spans, or heads;
              missing_documents where a response lacks one; blanc for BLANC
    """
    every = list(responses)
    twice, zeros = any(of.has_repeats for of in every), any(of.has_zeros for of in every)
    as_matched = [
        Policies.of({"words": words, "match": match})
        for words in _values(every, "words")
        for match in _values(every, "match")
    ]
    matters = {
        "missing_documents": any(of.lacks_documents for of in every),
        "zeros": zeros,
        "repeats": any(repeats_matter(every, policies) for policies in as_matched),
        "lookup": twice or zeros or any(of.has_heads for of in every),
        "blanc": metric == "blanc",
    }
    values = {name: _values(every, name) for name in ORDER if matters.get(name, True)}
    return {name: of for name, of in values.items() if len(of) > 1}


def repeats_matter(responses: Iterable[Rescored], policies: Policies) -> bool:
    """Whether a side lists a mention twice as these policies match."""
    return any(of.lists_twice(policies) for of in responses)


def usable_words(responses: Iterable[Rescored]) -> tuple[str, ...]:
    """The values of the policy `words` that can matter and that refuse no file; "error" first."""
    each = [of.words for of in responses if of.words != ("error",)]
    common = tuple(w for w in POLICY_VALUES["words"] if all(w in of for of in each))
    return common if each and common else ("error",)


def _values(responses: Collection[Rescored], name: str) -> tuple[str, ...]:
    if name == "words":
        return usable_words(responses)
    values = [value for value in POLICY_VALUES[name] if value != _NEVER.get(name)]
    if name in ("mentions", "match"):
        values = [v for v in values if all(of.allows(name, v) for of in responses)]
    if name == "mentions":
        values = [v for v in values if v == "all" or any(of.filters(v) for of in responses)]
    return tuple(values)


def combinations(
    responses: Collection[Rescored], metric: str, base: Policies = DEFAULTS
) -> list[Policies]:
    """Every combination of the policies in `varied`, `base` first; the others as in `base`.

    `repeats` is varied only beside those that make a side list a mention twice. Where `base`
    refuses the files for their words, `words` is the first value that does not.
    """
    values = varied(responses, metric)
    fixed = asdict(base)
    if fixed["words"] not in (usable := usable_words(responses)):
        fixed["words"] = usable[0]
    every = [
        Policies.of({**fixed, **dict(zip(values, chosen, strict=True))})
        for chosen in product(*values.values())
    ]
    first = Policies.of(fixed)
    others = (policies for policies in every if policies != first)
    return [
        first,
        *(p for p in others if p.repeats == first.repeats or repeats_matter(responses, p)),
    ]


def ranking_grid(
    responses: Mapping[str, Rescored],
    metric: str,
    *,
    measure: str = "f1",
    base: Policies = DEFAULTS,
) -> pd.DataFrame:
    """A row for each combination of policies, the default first.

    Columns: the policies that are varied, `changed` (how many of them are not as in the first row),
    the `score NAME` of each response (a fraction), `ranking` ("a > b = c"), `winner` ("" for a
    tie).
    """
    every = list(responses.values())
    names, rows = list(varied(every, metric)), []
    settings = combinations(every, metric, base)
    for policies in settings:
        scores = {name: of.value(policies, metric, measure) for name, of in responses.items()}
        values = {name: getattr(policies, name) for name in names}
        changed = sum(values[name] != getattr(settings[0], name) for name in names)
        order = _order(scores)
        winner = order[0][0] if len(order[0]) == 1 else ""
        ranking = " > ".join(" = ".join(tied) for tied in order)
        rows.append(
            {
                **values,
                "changed": changed,
                **{f"score {name}": score for name, score in scores.items()},
                "ranking": ranking,
                "winner": winner,
            }
        )
    return pd.DataFrame(rows)


def _order(scores: Mapping[str, float]) -> list[list[str]]:
    """The names by their scores, the best first, those with one score together; NaN last."""
    rounded = {name: -1.0 if s != s else round(s, PLACES) for name, s in scores.items()}
    best_first = sorted(scores, key=lambda name: -rounded[name])
    return [list(tied) for _, tied in groupby(best_first, key=rounded.__getitem__)]


def flips(grid: pd.DataFrame) -> pd.DataFrame:
    """The rows of a `ranking_grid` that rank otherwise than the first with the fewest changes."""
    other = grid[grid["ranking"] != grid["ranking"].iloc[0]]
    fewest: pd.DataFrame = other[other["changed"] == other["changed"].min()]
    return fewest


ROUNDED, CUT = "rounded", "cut"

_OF_MEMBERS = "mean of three F1 that were {}"

_COLUMNS = ["response", "metric", "measure", "scorers", "policies", "rounding", "value"]

_EPSILON = 1e-9  # in units of the last place: 62.74 is not cut to 62.73

_NEAREST = 3

Changes = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class PrintedNumber:
    """A number as it was printed: percent, and how many decimals it has."""

    percent: float
    places: int

    def __str__(self) -> str:
        return f"{self.percent:.{self.places}f}"


@dataclass(frozen=True)
class FoundScore:
    """What was searched for, and what prints it.

    rows     columns response, metric, measure, scorers (ids, ", " between them), policies (those
             that are not the default), rounding and value (a fraction)
    nearest  the same columns, the nearest values that there are, where no row prints the number
    n_tried  how many values were looked at
    """

    number: PrintedNumber
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


def printed_number(text: str) -> PrintedNumber:
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
    return PrintedNumber(value, places)


def search(responses: Mapping[str, Rescored], number: PrintedNumber) -> FoundScore:
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
    return FoundScore(number, _table(kept), _table(nearest), len(candidates))


def roundings(candidate: _Candidate, number: PrintedNumber) -> str:
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


# What each scorer says of each response -----------------------------------------------------------


def preset_table(
    responses: Mapping[str, Rescored], scorers: Mapping[str, Preset], *, measure: str = "f1"
) -> pd.DataFrame:
    """A row for each scorer and response: `scorer`, `response`, one number for each metric.

    Fractions, as the scorer averages over documents; NaN where it does not have the metric, or the
    metric not the measure. `refusal` says in a line why a scorer refuses the files, else "".
    """
    rows = [
        {"scorer": name, "response": response, **_row(of, scorer, measure)}
        for name, scorer in scorers.items()
        for response, of in responses.items()
    ]
    table = pd.DataFrame(rows, columns=["scorer", "response", *SHOWN, "refusal"])
    has = [metric for metric in SHOWN if table[metric].notna().any()]
    return table[["scorer", "response", *has, "refusal"]]


def _row(of: Rescored, scorer: Preset, measure: str) -> dict[str, Any]:
    refusal = of.refusal(scorer.policies)
    has = () if refusal else rows_of(scorer)
    scores = {m: of.value(scorer.policies, m, measure) if m in has else np.nan for m in SHOWN}
    return {**scores, "refusal": refusal}


def farthest(table: pd.DataFrame, metric: str) -> Iterator[tuple[str, str, str]]:
    """(response, lowest scorer, highest scorer) of each response that has two different scores."""
    for response, rows in table.groupby("response", sort=False):
        scores = rows.set_index("scorer")[metric].dropna()
        if scores.nunique() > 1:
            yield str(response), str(scores.idxmin()), str(scores.idxmax())
