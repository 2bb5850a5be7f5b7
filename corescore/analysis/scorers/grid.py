"""Which response is ahead under each combination of policies, and what flips the order."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from itertools import groupby, product

import pandas as pd

from corescore.analysis.scorers.rescored import Rescored
from corescore.analysis.scorers.walk import ORDER
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.tolerances import PLACES

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
