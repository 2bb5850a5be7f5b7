"""Sentences about scores: how far metrics disagree, who is ahead, where a system is weak."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan

import pandas as pd

from corescore.analysis.significance import Intervals
from corescore.metrics import HOW_MANY, METRIC_IDS, METRICS, name_of
from corescore.scoring.tables import difference_table, win_table
from corescore.scoring.tally import Tally
from corescore.wording import counted, listed, percent

# The smallest and the greatest of some values, with ties: equal is what is printed alike ----------

Values = Mapping[str, float] | pd.Series

Write = Callable[[float], str]


def least(values: Values, write: Write = percent) -> list[str]:
    """The names of all values that are printed as the smallest is, in their order.

    values  by name; NaN counts for nothing
    write   how a value is printed

    Empty where there is no value.
    """
    return _printed_like(min, values, write)


def greatest(values: Values, write: Write = percent) -> list[str]:
    """The names of all values that are printed as the greatest is; otherwise as `least`."""
    return _printed_like(max, values, write)


def _printed_like(
    extreme: Callable[[Sequence[float]], float], values: Values, write: Write
) -> list[str]:
    known = {str(name): float(value) for name, value in values.items() if value == value}
    if not known:
        return []
    printed = {value: write(value) for value in set(known.values())}
    wanted = printed[extreme([*printed])]
    return [name for name, value in known.items() if printed[value] == wanted]


def named(names: Sequence[str], noun: str = "other") -> str:
    """a; a and b; a and 11 others: names that tie.

    noun  what the others are called in the singular, such as "other document"
    """
    if len(names) < 3:
        return listed(names)
    return f"{names[0]} and {counted(len(names) - 1, noun)}"


def vanishes(value: float) -> bool:
    """Whether a fraction is printed as 0.00."""
    return percent(abs(value)) == percent(0)


def units() -> str:
    """What each of the metrics counts."""
    by_metric = [f"{metric.title}: {metric.unit}" for metric in METRICS if metric.id in METRIC_IDS]
    return f"What the {HOW_MANY} metrics count. {'; '.join(by_metric)}."


def disagreement(name: str, result: Tally) -> str:
    """How far apart the metrics score one response."""
    f1 = {metric: result[metric].f1 for metric in METRIC_IDS}
    lowest, highest = least(f1), greatest(f1)
    if not lowest or lowest == highest:
        return f"All {HOW_MANY} give {name} the same F1: {percent(f1[METRIC_IDS[0]])}."
    low, high = f1[lowest[0]], f1[highest[0]]
    return (
        f"{_metrics_put(map(name_of, lowest))} {name} lowest, at {percent(low)}; "
        f"{listed(map(name_of, highest))} highest, at {percent(high)}: "
        f"{float(percent(high)) - float(percent(low)):.2f} points apart, for the same response."
    )


def preferences(names: tuple[str, str], a: Tally, b: Tally) -> str:
    """Which of two responses each metric prefers, and by how much."""
    every = difference_table(a, b)["f1"].loc[list(METRIC_IDS)]
    difference = every[[not vanishes(value) for value in every]]
    for_a = [name_of(str(metric)) for metric in difference.index[difference < 0]]
    for_b = [name_of(str(metric)) for metric in difference.index[difference > 0]]
    if not for_a and not for_b:
        return f"All {HOW_MANY} give {names[0]} and {names[1]} the same F1."
    if for_a and for_b:
        return f"{_metrics_put(for_a)} {names[0]} first, {_metrics_put(for_b)} {names[1]}."
    winner = names[0] if for_a else names[1]
    all_ = len(for_a or for_b) == len(METRIC_IDS)
    who = f"All {HOW_MANY} put" if all_ else _metrics_put(for_a or for_b)
    others = "" if all_ else " The other metrics give both the same F1."
    return f"{who} {winner} first, {_margins(difference.abs())}.{others}"


def _margins(gap: pd.Series) -> str:
    """By how many points some metrics put one response first."""
    smallest, largest = least(gap), greatest(gap)
    if smallest == largest:
        return f"{'each ' if len(gap) > 1 else ''}by {percent(gap.iloc[0])} points"
    low, high = (listed(map(name_of, metrics)) for metrics in (smallest, largest))
    return f"by anything from {percent(gap.min())} points ({low}) to {percent(gap.max())} ({high})"


def _metrics_put(titles: Iterable[str]) -> str:
    names = [*titles]
    return f"{listed(names)} {'puts' if len(names) == 1 else 'put'}"


def weakest_document(name: str, result: Tally, metric: str) -> str:
    """The documents on which a metric scores a system lowest and highest."""
    f1 = result.document_scores[metric].f1
    scored = zip(result.documents, f1.tolist(), strict=True)
    known = {document: value for document, value in scored if not isnan(value)}
    if not known:
        return f"No document has anything to score under {name_of(metric)}."
    worst, best = least(known), greatest(known)
    low, high = percent(known[worst[0]]), percent(known[best[0]])
    if len(known) == 1:
        only = "" if len(f1) == 1 else ", the only document with anything to score"
        return f"{name} has {name_of(metric)} {low} on {worst[0]}{only}."
    if worst == best:
        return f"{name} has {name_of(metric)} {low} on each of {counted(len(known), 'document')}."
    low_on, high_on = (named(documents, "other document") for documents in (worst, best))
    return (
        f"{name} is weakest on {low_on} ({name_of(metric)} {low}) and best on {high_on} ({high})."
    )


def document_wins(a: Tally, b: Tally, metric: str) -> str:
    """On how many documents B is ahead, by this metric and by another."""
    wins = win_table(a, b)
    other = "lea" if metric == "conll" else "conll"
    row = wins.loc[metric]
    ties = f" ({row['ties']} tied)" if row["ties"] else ""
    return (
        f"{name_of(metric)} puts B first on {row['b']} of "
        f"{counted(len(a.documents), 'document')}{ties}; "
        f"{name_of(other)} on {wins['b'][other]}."
    )


def whiskers(intervals: Intervals, what: str = "The bars behind F1") -> str:
    """What the intervals of F1 are, and what they cannot tell with few documents.

    what  shows them
    """
    n = counted(intervals.n_documents, "document")
    if intervals.n_documents < 2:
        return f"Only {n}: how much scores vary between documents cannot be estimated."
    sentence = (
        f"{what} are {100 * intervals.level:.0f}% intervals (jackknife over the {n}, Student’s "
        "t): how far it may vary on other documents like these."
    )
    return " ".join([sentence, *intervals.warnings])
