"""Sentences about scorers that disagree: where, by how much, because of what."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from corescore.analysis.scorers import OURS, PolicyStep, Walk
from corescore.analysis.search import FoundScore, farthest
from corescore.metrics import METRIC_IDS, name_of
from corescore.scoring.presets import PRESETS
from corescore.sentences.names import measured
from corescore.sentences.policies import CLAUSES, NAMES
from corescore.sentences.scores import greatest, least, named
from corescore.util import HALF_A_PLACE
from corescore.wording import RATIOS, capital, counted, listed, percent, signed, signed_points


def scorer_title(name: str) -> str:
    """A scorer in a table, and what stands for it on the command line."""
    if name == OURS:
        return OURS
    title = PRESETS[name].title.removeprefix("the ").removeprefix("scorer of ")
    return title if title.lower().startswith(name) else f"{title} ({name})"


def equals(table: pd.DataFrame, groups: Iterable[Sequence[str]]) -> str:
    """Which scorers share a row, and the metrics that one of them does not have."""
    sentences = []
    for first, *others in groups:
        if others:
            has = table.set_index("scorer").notna().groupby(level=0).any()
            titles = [scorer_title(first)]
            for name in others:
                missing = [name_of(m) for m in METRIC_IDS if has[m][first] and not has[m][name]]
                titles.append(
                    f"{scorer_title(name)}{f' (no {listed(missing)})' if missing else ''}"
                )
            sentences.append(f"{listed(titles)} give the same scores.")
    return " ".join(sentences)


def spread(table: pd.DataFrame, metric: str) -> str:
    """Between which scorers the score of each response lies."""
    by_scorer = table.set_index(["response", "scorer"])[metric]
    sentences = []
    for response, low, high in farthest(table, metric):
        lowest, highest = by_scorer[response, low], by_scorer[response, high]
        if percent(lowest) == percent(highest):
            continue
        scores = by_scorer[response]
        sentences.append(
            f"{name_of(metric)} of {response} is {percent(lowest)} under the rules of "
            f"{_scorers(least(scores))} and {percent(highest)} under the rules of "
            f"{_scorers(greatest(scores))}: "
            f"{float(percent(highest)) - float(percent(lowest)):.2f} points apart."
        )
    return " ".join(sentences) or f"All scorers give the same: {name_of(metric)}."


def _scorers(names: Sequence[str]) -> str:
    return named([*map(scorer_title, names)])


def walked(walk: Walk, start: str, end: str, response: str) -> str:
    """How far two scorers are apart, and which changes make the difference."""
    name = name_of(walk.metric) + f" {RATIOS[walk.measure]}" * (walk.measure != "f1")
    from_to = (
        f"{name} of {response} is {percent(walk.first)} under the rules of {scorer_title(start)} "
        f"and {percent(walk.last)} under the rules of {scorer_title(end)}: "
        f"{signed_points(walk.difference)}."
    )
    if not walk.steps:
        return f"{from_to} They have the same policies."
    if not (steps := moving(walk)):
        return f"{from_to} None of the {counted(len(walk.steps), 'policy')} that differ moves it."
    parts = [f"{NAMES[step.policy]} {signed(step.difference)}" for step in steps]
    return f"{from_to} {capital(listed(parts))}."


def moving(walk: Walk) -> list[PolicyStep]:
    """The steps that move the score."""
    return [step for step in walk.steps if abs(step.difference) >= HALF_A_PLACE]


def unmoved(walk: Walk) -> str:
    """The policies that differ and do not move the score."""
    still = [step.policy for step in walk.steps if abs(step.difference) < HALF_A_PLACE]
    return f"Without effect here: {listed(NAMES[name] for name in still)}." if still else ""


def step_clause(step: PolicyStep) -> str:
    """What a step changes, in words."""
    return CLAUSES[step.policy][step.new]


def mentions_moved(mentions: pd.DataFrame) -> str:
    """How many mentions a step leaves out, counts, matches or no longer matches."""
    numbers = Counter(zip(mentions["side"], mentions["change"], strict=True))
    counts = [f"{counted(n)} of the {side} {change}" for (side, change), n in numbers.items()]
    return ", ".join(counts)


def documents_moved(documents: pd.DataFrame) -> str:
    """How many documents a step moves, and the most moved one."""
    if documents.empty:
        return "no document"
    first, moved = documents.iloc[0], counted(len(documents), "document")
    by = signed(first["difference"])
    if len(documents) == 1:
        return f"{moved}, {first['document']} ({by})"
    ties = len(greatest(documents["difference"].abs())) - 1
    too = f", {counted(ties, 'other')} as much" if ties else ""
    return f"{moved}, most {first['document']} ({by}){too}"


def found(result: FoundScore) -> str:
    """What prints a number that was searched for, or what comes nearest."""
    number = result.number
    if len(result.rows):
        row = result.rows.iloc[0]
        n = counted(len(result.rows), "setting")
        verb = "prints" if len(result.rows) == 1 else "print"
        return f"{n} {verb} {number}. First: {setting(row)}."
    nearest = result.nearest.iloc[0] if len(result.nearest) else None
    near = "" if nearest is None else f" The nearest is {percent(nearest['value'])}: "
    what = "" if nearest is None else f"{setting(nearest)}."
    tried = f"{counted(result.n_tried, 'value')} tried"
    return f"Nothing prints {number} ({tried}).{near}{what}"


def setting(row: Mapping[str, object] | pd.Series) -> str:
    """A row of a search: "CEAFₑ F1 of a.conll by perl (default policies), cut"."""
    name = measured(str(row["metric"]), str(row["measure"]))
    by = f" by {row['scorers']}" if row["scorers"] else ""
    how = f", {row['rounding']}" if row["rounding"] else ""
    return f"{name} of {row['response']}{by} ({row['policies'] or 'default policies'}){how}"
