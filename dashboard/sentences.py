"""The computed sentences that say what is to be seen."""

import math
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from corescore import Result
from corescore.dashboard.wording import SIX, TITLES, counted, listed, percent
from corescore.statuses import MISSING, RIGHT, SPURIOUS, MentionStatus
from corescore.tables import difference_table, extremes, win_table


def disagreement(name: str, result: Result) -> str:
    """How far apart the six put one output."""
    lowest, highest, spread = extremes(result)
    return (
        f"{TITLES[lowest]} puts {name} lowest, at {percent(result[lowest].f1)}; {TITLES[highest]} "
        f"highest, at {percent(result[highest].f1)}: {percent(spread)} points between them, for "
        "one and the same output."
    )


def verdicts(names: tuple[str, str], a: Result, b: Result) -> str:
    """Which of two outputs each of the six prefers, and by how much."""
    difference = difference_table(a, b)["f1"].loc[list(SIX)]
    for_a = [TITLES[metric] for metric in SIX if difference[metric] < 0]
    for_b = [TITLES[metric] for metric in SIX if difference[metric] > 0]
    if not for_a and not for_b:
        return f"All six give {names[0]} and {names[1]} the same F1."
    if for_a and for_b:
        return f"{_put(for_a)} {names[0]} first, {_put(for_b)} {names[1]}."
    winner = names[0] if for_a else names[1]
    who = "All six put" if len(for_a or for_b) == len(SIX) else _put(for_a or for_b)
    return f"{who} {winner} first, {_margins(difference.abs())}."


def _put(titles: list[str]) -> str:
    return f"{listed(titles)} {'puts' if len(titles) == 1 else 'put'}"


def _margins(gap: pd.Series) -> str:
    least, most = gap.idxmin(), gap.idxmax()
    return (
        f"but by anything from {percent(gap[least])} points ({TITLES[least]}) to "
        f"{percent(gap[most])} ({TITLES[most]})"
    )


def weakest_document(name: str, result: Result, metric: str) -> str:
    """The document on which a metric gives the least."""
    f1 = result.document_scores[metric].f1
    scored = zip(result.documents, f1.tolist(), strict=True)
    known = {document: value for document, value in scored if not math.isnan(value)}
    if not known:
        return f"No document has anything to score under {TITLES[metric]}."
    worst, best = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    return (
        f"{name} is weakest on {worst} ({TITLES[metric]} {percent(known[worst])}) and best on "
        f"{best} ({percent(known[best])})."
    )


def document_wins(a: Result, b: Result, metric: str) -> str:
    """On how many documents each of two outputs is ahead, by this metric and by another."""
    wins = win_table(a, b)
    other = "lea" if metric == "conll" else "conll"
    n = counted(len(a.documents), "document")
    row = wins.loc[metric]
    ties = f" ({row['ties']} tied)" if row["ties"] else ""
    return (
        f"{_named(metric)} puts B first on {row['b']} of {n}{ties}; "
        f"{_named(other, inside=True)} on {wins.loc[other, 'b']}."
    )


def _named(metric: str, *, inside: bool = False) -> str:
    article = "the " if inside else "The "
    return f"{article if metric == 'conll' else ''}{TITLES[metric]}"


def passage_counts(document: str, name: str, statuses: Sequence[MentionStatus]) -> str:
    """How many of a document's mentions a response has, lacks and adds."""
    n = Counter(status.status for status in statuses)
    return (
        f"In {document}, {name} finds {n[RIGHT]} of {counted(n[RIGHT] + n[MISSING], 'key mention')}"
        f", misses {n[MISSING]} and adds {n[SPURIOUS]} that the key lacks."
    )
