"""Sentences about scores: how far metrics disagree, who is ahead, where a system is weak."""

import math

from corescore.analysis.significance.bootstrap import Intervals
from corescore.metrics import HOW_MANY, METRIC_IDS, name_of
from corescore.scoring.tables import difference_table, extremes, win_table
from corescore.scoring.tally import Tally
from corescore.sentences.names import called
from corescore.wording import capital, count, counted, listed, percent


def disagreement(name: str, result: Tally) -> str:
    """How far apart the metrics score one response."""
    lowest, highest, spread = extremes(result)
    return (
        f"{name_of(lowest)} puts {name} lowest, at {percent(result[lowest].f1)}; "
        f"{name_of(highest)} highest, at {percent(result[highest].f1)}: {percent(spread)} points "
        "apart, for one and the same response."
    )


def preferences(names: tuple[str, str], a: Tally, b: Tally) -> str:
    """Which of two responses each metric prefers, and by how much."""
    difference = difference_table(a, b)["f1"].loc[list(METRIC_IDS)]
    for_a = [name_of(metric) for metric in METRIC_IDS if difference[metric] < 0]
    for_b = [name_of(metric) for metric in METRIC_IDS if difference[metric] > 0]
    if not for_a and not for_b:
        return f"All {HOW_MANY} give {names[0]} and {names[1]} the same F1."
    if for_a and for_b:
        return f"{_put(for_a)} {names[0]} first, {_put(for_b)} {names[1]}."
    winner = names[0] if for_a else names[1]
    who = f"All {HOW_MANY} put" if len(for_a or for_b) == len(METRIC_IDS) else _put(for_a or for_b)
    gap = difference.abs()
    least, most = (f"({name_of(str(metric))})" for metric in (gap.idxmin(), gap.idxmax()))
    margins = f"{percent(gap.min())} points {least} to {percent(gap.max())} {most}"
    return f"{who} {winner} first, but by anything from {margins}."


def _put(titles: list[str]) -> str:
    return f"{listed(titles)} {'puts' if len(titles) == 1 else 'put'}"


def weakest_document(name: str, result: Tally, metric: str) -> str:
    """The documents on which a metric scores a system lowest and highest."""
    f1 = result.document_scores[metric].f1
    scored = zip(result.documents, f1.tolist(), strict=True)
    known = {document: value for document, value in scored if not math.isnan(value)}
    if not known:
        return f"No document has anything to score under {name_of(metric)}."
    worst, best = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    return (
        f"{name} is weakest on {worst} ({name_of(metric)} {percent(known[worst])}) and best on "
        f"{best} ({percent(known[best])})."
    )


def document_wins(a: Tally, b: Tally, metric: str) -> str:
    """On how many documents B is ahead, by this metric and by another."""
    wins = win_table(a, b)
    other = "lea" if metric == "conll" else "conll"
    n = counted(len(a.documents), "document")
    row = wins.loc[metric]
    ties = f" ({row['ties']} tied)" if row["ties"] else ""
    return (
        f"{capital(called(metric))} puts B first on {row['b']} of {n}{ties}; "
        f"{called(other)} on {wins['b'][other]}."
    )


def whiskers(intervals: Intervals) -> str:
    """What the intervals of the scores are, and what they cannot tell with few documents."""
    n = counted(intervals.n_documents, "document")
    if intervals.n_documents < 2:
        return f"Only {n}: how much scores vary between documents cannot be estimated."
    said = (
        f"The bars behind F1 are {100 * intervals.level:.0f} % intervals (bootstrap, BCa: "
        f"{count(intervals.trials)} resamples of the {n}, seed {intervals.seed}): how far it may "
        "vary on other documents like these."
    )
    return " ".join([said, *intervals.warnings])
