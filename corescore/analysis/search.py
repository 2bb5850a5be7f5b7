"""A number from a paper: which scorers, policies and metrics give it."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import floor
from typing import Any

import pandas as pd

from corescore.analysis.scorers import ORDER, SHOWN, Rescored, rows_of, scorers
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import CONLL
from corescore.metrics.blanc import BLANC
from corescore.scoring.presets import Preset
from corescore.util import PLACES

# The policies that can matter to files ------------------------------------------------------------

_NEVER = {"repeats": "error", "missing_documents": "error"}  # they refuse files, or change nothing


def varied(responses: Iterable[Rescored], metric: str) -> dict[str, tuple[str, ...]]:
    """The policies that can matter to these files and this metric, with their values.

    words     where they differ between the sides: the values that do not refuse the files
    mentions  the values that leave some out; of these and of match those that do not refuse the
              files
    repeats   where a side lists a mention twice, or two with one minimum span; zeros where one has
              empty nodes; lookup where it has either, but for minimum spans, or heads;
              split_antecedents where one has any;
              missing_documents where a response lacks one; blanc for BLANC
    """
    every = [*responses]
    twice, zeros = any(of.has_repeats for of in every), any(of.has_zeros for of in every)
    values = {
        name: tuple(value for value in POLICY_VALUES[name] if value != _NEVER.get(name))
        for name in ORDER
    }
    values["words"] = _usable_words(every)
    for name in ("mentions", "match"):
        values[name] = tuple(v for v in values[name] if all(of.allows(name, v) for of in every))
    values["mentions"] = tuple(
        v for v in values["mentions"] if v == "all" or any(of.filters(v) for of in every)
    )
    as_matched = [
        Policies.of({"words": words, "match": match})
        for words in values["words"]
        for match in values["match"]
    ]
    matters = {
        "missing_documents": any(of.lacks_documents for of in every),
        "zeros": zeros,
        "split_antecedents": any(of.has_split_antecedents for of in every),
        "repeats": any(_repeats_matter(every, policies) for policies in as_matched),
        "lookup": twice or zeros or any(of.has_heads for of in every),
        "blanc": metric == BLANC.id,
    }
    return {name: of for name, of in values.items() if len(of) > 1 and matters.get(name, True)}


def _repeats_matter(responses: Iterable[Rescored], policies: Policies) -> bool:
    """Whether a side lists a mention twice as these policies match."""
    return any(of.lists_twice(policies) for of in responses)


def _usable_words(responses: Iterable[Rescored]) -> tuple[str, ...]:
    """The values of the policy `words` that can matter and that refuse no file; "error" first."""
    each = [of.words for of in responses if of.words != ("error",)]
    common = tuple(w for w in POLICY_VALUES["words"] if all(w in of for of in each))
    return common if each and common else ("error",)


def _combinations(responses: Collection[Rescored]) -> list[Policies]:
    """Every combination of the policies in `varied`, the defaults first; the others by default.

    `repeats` is varied only beside those that make a side list a mention twice. Where the defaults
    refuse the files for their words, `words` is the first value that does not.
    """
    values, fixed, usable = varied(responses, BLANC.id), asdict(DEFAULTS), _usable_words(responses)
    if DEFAULTS.words not in usable:
        fixed["words"] = usable[0]
    first = Policies.of(fixed)
    every = (
        Policies.of({**fixed, **dict(zip(values, chosen, strict=True))})
        for chosen in product(*values.values())
    )
    others = [
        policies
        for policies in every
        if policies != first
        and (policies.repeats == first.repeats or _repeats_matter(responses, policies))
    ]
    return [first, *others]


# What prints a number -----------------------------------------------------------------------------

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
    """A value, and the values of the members of a mean, whose printed ones may be averaged.

    rounding  how the number that is searched for comes out of it; "" if it does not
    """

    response: str
    metric: str
    measure: str
    scorers: tuple[str, ...]
    changes: Changes
    value: float
    members: tuple[float, ...] = ()
    rounding: str = ""


def printed_number(text: str) -> PrintedNumber:
    """62.74, 62,74 or 62.74% as percent, 0.6274 as a fraction; one to four decimals of percent.

    A number below 1 with three decimals or more is a fraction. Raises PolicyError for other text.
    """
    match = re.fullmatch(r"(\d{1,3})(?:[.,](\d{1,6}))?\s*(%?)", text.strip())
    if not match:
        raise PolicyError(f"the number is {text!r}; expected percent, such as 62.74")
    whole, decimals, sign = match[1], match[2] or "", match[3]
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
    every = [replace(one, rounding=_rounding(one, number)) for one in _candidates(responses)]
    kept = _fewest(one for one in every if one.rounding)
    kept.sort(key=lambda one: (not one.scorers, len(one.changes), SHOWN.index(one.metric)))
    near = sorted(every, key=lambda one: abs(100 * one.value - number.percent))
    nearest = [] if kept else _fewest(near[:_NEAREST])
    return FoundScore(number, _table(kept), _table(nearest), len(every))


def _rounding(candidate: _Candidate, number: PrintedNumber) -> str:
    """How the number comes out of a value: "rounded", "cut", "rounded or cut"; "" if it cannot."""

    def printed(percent: float) -> dict[str, str]:
        cut = floor(percent * 10**number.places + _EPSILON) / 10**number.places
        both = {"rounded": percent, "cut": cut}
        return {how: f"{value:.{number.places}f}" for how, value in both.items()}

    plain = [how for how, text in printed(100 * candidate.value).items() if text == str(number)]
    if plain or not candidate.members:
        return " or ".join(plain)
    members = [printed(100 * member) for member in candidate.members]
    for how in members[0]:
        mean = sum(float(member[how]) for member in members) / len(members)
        if str(number) in printed(mean).values():
            return f"mean of three F1 that were {how}"
    return ""


def _candidates(responses: Mapping[str, Rescored]) -> Iterator[_Candidate]:
    """Every value, all metrics of a setting one after the other, as they share what is counted."""
    every = [*responses.values()]
    names = [*varied(every, BLANC.id)]
    taking = [
        # as a combination that comes to the same
        (scorer, scorer.policies)
        if _repeats_matter(every, scorer.policies)
        else (scorer, replace(scorer.policies, repeats=DEFAULTS.repeats))
        for scorer in scorers().values()
        if not any(of.refusal(scorer.policies) for of in every)
    ]
    for policies in _combinations(every):
        for metric in SHOWN if policies.blanc == DEFAULTS.blanc else [BLANC.id]:
            matter = [name for name in names if name != "blanc" or metric == BLANC.id]
            changes = _policy_changes(policies, matter)
            ids = tuple(
                scorer.id
                for scorer, told in taking
                if metric in rows_of(scorer) and _policy_changes(told, matter) == changes
            )
            members = CONLL.members if metric == CONLL.id else ()
            for name, of in responses.items():
                parts = tuple(of.value(policies, member) for member in members)
                for measure in reversed(MEASURES):
                    value = of.value(policies, metric, measure)
                    if value == value:
                        yield _Candidate(name, metric, measure, ids, changes, value, parts)


def _policy_changes(policies: Policies, names: Iterable[str]) -> Changes:
    values = ((name, getattr(policies, name)) for name in names)
    return frozenset((name, value) for name, value in values if value != getattr(DEFAULTS, name))


def _fewest(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Those whose number does not come out with some of their changes, too."""
    seen: dict[tuple[str, str, str], list[Changes]] = {}
    kept = []
    for one in sorted(candidates, key=lambda one: len(one.changes)):
        enough = seen.setdefault((one.response, one.metric, one.measure), [])
        if one.scorers or not any(fewer <= one.changes for fewer in enough):
            enough.append(one.changes)
            kept.append(one)
    return kept


def _table(candidates: Iterable[_Candidate]) -> pd.DataFrame:
    columns = ["response", "metric", "measure", "scorers", "policies", "rounding", "value"]
    rows = [
        {
            **vars(one),
            "scorers": ", ".join(one.scorers),
            "policies": ", ".join(f"{name} {value}" for name, value in sorted(one.changes)),
        }
        for one in candidates
    ]
    return pd.DataFrame(rows, columns=columns)


# What each scorer says of each response -----------------------------------------------------------


def preset_table(
    responses: Mapping[str, Rescored], scorers: Mapping[str, Preset], *, measure: str = "f1"
) -> pd.DataFrame:
    """One row per scorer and response: `scorer`, `response`, one number for each metric.

    Fractions, as the scorer averages over documents; NaN where it does not have the metric, or the
    metric not the measure. `refusal` says in a line why a scorer refuses the files, else "".
    """
    rows: list[dict[str, Any]] = []
    for name, scorer in scorers.items():
        for response, of in responses.items():
            refusal = of.refusal(scorer.policies)
            has = () if refusal else rows_of(scorer)
            scores = {metric: of.value(scorer.policies, metric, measure) for metric in has}
            rows.append({"scorer": name, "response": response, **scores, "refusal": refusal})
    table = pd.DataFrame(rows, columns=["scorer", "response", *SHOWN, "refusal"])
    has_none = [metric for metric in SHOWN if table[metric].isna().all()]
    return table.drop(columns=has_none)


def equal_scorers(table: pd.DataFrame) -> list[list[str]]:
    """The scorers of a `preset_table` in groups: after the first of a group, scorers that give each
    response the same scores on all metrics that they have."""
    names = [name for name in SHOWN if name in table]
    scores = table.set_index(["scorer", "response"])[names].round(PLACES)
    groups: list[list[str]] = []
    for scorer in table["scorer"].unique():
        mine = scores.loc[scorer]
        equal = (g for g in groups if (mine.eq(scores.loc[g[0]]) | mine.isna()).all(axis=None))
        group = next(equal, None) if mine.notna().any(axis=None) else None
        if group is None:
            groups.append(group := [])
        group.append(scorer)
    return groups


def farthest(table: pd.DataFrame, metric: str) -> Iterator[tuple[str, str, str]]:
    """(response, lowest scorer, highest scorer) of each response that has two different scores."""
    for response, rows in table.groupby("response", sort=False):
        scores = rows.set_index("scorer")[metric].dropna()
        if scores.nunique() > 1:
            yield str(response), str(scores.idxmin()), str(scores.idxmax())
