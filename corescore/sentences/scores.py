"""The computed sentences that say what is to be seen."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from corescore.analysis.errors.mentions import (
    DUPLICATED,
    FOUND,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.analysis.errors.outcomes import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.significance.bootstrap import Intervals
from corescore.metrics import HOW_MANY, METRIC_IDS, name_of
from corescore.scoring.scores import Scores
from corescore.scoring.tables import difference_table, extremes, win_table
from corescore.tolerances import PLACES
from corescore.wording import count, counted, listed, percent, signed

_LET_FIRST = (
    " only where each mention is in one entity. In the side bar, under “How it is scored”, let the "
    "first entity of a mention listed twice count."
)
REPEATED = f"The kinds of errors are told{_LET_FIRST}"
REPEATED_PERTURBED = f"A response can be perturbed{_LET_FIRST}"


def disagreement(name: str, result: Scores) -> str:
    """How far apart the six put one output."""
    lowest, highest, spread = extremes(result)
    return (
        f"{name_of(lowest)} puts {name} lowest, at {percent(result[lowest].f1)}; "
        f"{name_of(highest)} highest, at {percent(result[highest].f1)}: {percent(spread)} points "
        "between them, for one and the same output."
    )


def verdicts(names: tuple[str, str], a: Scores, b: Scores) -> str:
    """Which of two outputs each of the six prefers, and by how much."""
    difference = difference_table(a, b)["f1"].loc[list(METRIC_IDS)]
    for_a = [name_of(metric) for metric in METRIC_IDS if difference[metric] < 0]
    for_b = [name_of(metric) for metric in METRIC_IDS if difference[metric] > 0]
    if not for_a and not for_b:
        return f"All {HOW_MANY} give {names[0]} and {names[1]} the same F1."
    if for_a and for_b:
        return f"{_put(for_a)} {names[0]} first, {_put(for_b)} {names[1]}."
    winner = names[0] if for_a else names[1]
    who = f"All {HOW_MANY} put" if len(for_a or for_b) == len(METRIC_IDS) else _put(for_a or for_b)
    return f"{who} {winner} first, {_margins(difference.abs())}."


def _put(titles: list[str]) -> str:
    return f"{listed(titles)} {'puts' if len(titles) == 1 else 'put'}"


def _margins(gap: pd.Series) -> str:
    least, most = str(gap.idxmin()), str(gap.idxmax())
    return (
        f"but by anything from {percent(gap[least])} points ({name_of(least)}) to "
        f"{percent(gap[most])} ({name_of(most)})"
    )


def weakest_document(name: str, result: Scores, metric: str) -> str:
    """The document on which a metric gives the least."""
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


def document_wins(a: Scores, b: Scores, metric: str) -> str:
    """On how many documents each of two outputs is ahead, by this metric and by another."""
    wins = win_table(a, b)
    other = "lea" if metric == "conll" else "conll"
    n = counted(len(a.documents), "document")
    row = wins.loc[metric]
    ties = f" ({row['ties']} tied)" if row["ties"] else ""
    return (
        f"{_named(metric)} puts B first on {row['b']} of {n}{ties}; "
        f"{_named(other, inside=True)} on {wins['b'][other]}."
    )


def _named(metric: str, *, inside: bool = False) -> str:
    article = "the " if inside else "The "
    return f"{article if metric == 'conll' else ''}{name_of(metric)}"


def passage_counts(document: str, name: str, classes: Iterable[str]) -> str:
    """What a response did with a document's mentions; their classes as in `mention_table`."""
    n = Counter(classes)
    if not n:
        return f"Neither the key nor {name} has a mention in {document}."
    found = sum(n[kind] for kind in FOUND)
    of_key = counted(found + n[SPAN_ERROR] + n[MISSING], "key mention")
    more = _none_or(n[SPURIOUS] + n[DUPLICATED], "adds", "")
    rest = [
        _none_or(n[SPAN_ERROR], "has", " with a span error"),
        _none_or(n[MISSING], "misses", ""),
    ]
    rest = [part for part in (*rest, more) if part]
    kinds = {"with wrong partners only": n[INCORRECTLY_RESOLVED], "unlinked": n[UNLINKED]}
    faults = [f"{number} {words}" for words, number in kinds.items() if number]
    of_them = f", of them {listed(faults)}" if faults else ""
    tail = f"; it {listed(rest)}." if rest else "."
    return f"In {document}, {name} finds {found} of {of_key}{of_them}{tail}"


def _none_or(number: int, verb: str, rest: str) -> str:
    return f"{verb} {number}{rest}" if number else ""


def filtered(shown: int, all_: int) -> str:
    """What the filters leave."""
    if not shown:
        return f"None of {counted(all_, 'mention')} passes the filters. Clear them to see all."
    return f"The filters leave {shown} of {counted(all_, 'mention')}. Clear them to see all."


def first_to_fix(name: str, gains: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Which kind of error is worth most, and to which metrics; gains as in `gain_table`."""
    if not gains.iloc[-1].abs().max():
        return f"Fixing the errors of {name} would change no score."
    kind, points = _best(gains)
    of_six = gains.T[kind][list(METRIC_IDS)]
    most, least = str(of_six.idxmax()), str(of_six.idxmin())
    return (
        f"Fixing {names[kind]} alone would bring {name} most: {signed(points)} CoNLL points. "
        f"{name_of(most)} gains most from it ({signed(of_six[most])}), {name_of(least)} least "
        f"({signed(of_six[least])})."
    )


def other_first(
    name: str, first: pd.DataFrame, gains: pd.DataFrame, names: Mapping[str, str]
) -> str:
    """The same of the other response, in short; `first` are the gains of the one named before."""
    if not gains.iloc[-1].abs().max():
        return f"For {name} fixing would change no score."
    kind, points = _best(gains)
    too = ", too," if kind == _best(first)[0] else ""
    return f"For {name}{too} it is {names[kind]} ({signed(points)})."


def _best(gains: pd.DataFrame) -> tuple[str, float]:
    of_kinds = gains["conll"].iloc[:-1]
    return str(of_kinds.idxmax()), of_kinds.max()


def removal(name: str, number: int, table: pd.DataFrame) -> str:
    """What removing the incorrectly resolved mentions does; a table as of `removal_table`."""
    if not number:
        return f"{name} has no incorrectly resolved mention to remove."
    change = table.loc[list(METRIC_IDS), "recall_change"].round(PLACES)
    lost = change[change < 0].sort_values()
    kept = [name_of(metric) for metric in METRIC_IDS if metric not in lost.index]
    falls = listed(f"{name_of(metric)} {signed(lost[metric])}" for metric in lost.index)
    was = counted(number, "incorrectly resolved mention")
    if lost.empty:
        return f"Without its {was}, {name} loses no recall under any metric."
    return (
        f"Without its {was}, which have wrong partners only, {name} keeps its recall under "
        f"{listed(kept)}, but loses some under the others: {falls}."
    )


def some(words: Sequence[str], most: int = 4) -> str:
    """The first of several mentions, and how many more there are."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return " · ".join(words[:most]) + more if words else "none: it is alone there"


def weakest_slice(name: str, side: str, credit: pd.DataFrame) -> str:
    """Which slice earns the least of its credit under LEA; a table as of `slice_credit`."""
    told = credit["lea"].dropna()
    if len(told) < 2:
        return f"{name} has no two slices to compare here."
    worst, best = str(told.idxmin()), str(told.idxmax())
    return (
        f"Of the {side} to be earned, LEA gives {name} least for “{worst}” "
        f"({percent(told[worst])} %) and most for “{best}” ({percent(told[best])} %)."
    )


def outcome_counts(document: str, names: tuple[str, str], outcomes: Iterable[str]) -> str:
    """Which of two responses has a document's mentions correct; outcomes as in `outcome_table`."""
    n = Counter(outcomes)
    of_key = counted(sum(n.values()) - n[SPURIOUS], "key mention")
    return (
        f"In {document}, both have {n[BOTH_CORRECT]} of {of_key} correct, only {names[0]} "
        f"{n[ONLY_A]}, only {names[1]} {n[ONLY_B]}, and neither {n[BOTH_WRONG]}."
    )


def given(mention: str, side: str, letters: Sequence[str]) -> str:
    """Over what the metrics give a mention: towards which figure, and of which responses."""
    short = mention if len(mention) <= 60 else f"{mention[:58]}…"
    lacks = "" if len(letters) > 1 else f"; only {letters[0]} has it"
    return f"What each metric gives “{short}” of what it could earn towards {side}{lacks}:"


def whiskers(intervals: Intervals) -> str:
    """What the intervals of the scores are, and what they cannot say of few documents."""
    n = counted(intervals.n_documents, "document")
    if intervals.n_documents < 2:
        return f"Only {n}: how the scores vary from document to document cannot be told."
    said = (
        f"The bars behind F1 are {100 * intervals.level:.0f} % intervals (bootstrap, BCa: "
        f"{count(intervals.trials)} resamples of the {n}, seed {intervals.seed}): how far it may "
        "move with other documents like these."
    )
    return " ".join([said, *intervals.warnings])
