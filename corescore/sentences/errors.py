"""Names of the kinds of errors, and sentences about them."""

from collections.abc import Sequence

import pandas as pd

from corescore.analysis.errors.mentions import SPAN_ERROR, Incorrect
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
)
from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import HOW_MANY, METRIC_IDS, name_of
from corescore.scoring.tables import opposite_changes
from corescore.sentences.extremes import greatest, least, named, vanishes
from corescore.tolerances import PLACES
from corescore.wording import RATIOS, counted, incorrectly_resolved, listed, percent, signed

# Each kind: its name in the plural, what it is, and what fixes it ({} is the mention aimed at).
WORDS = {
    SPAN_ERROR: ("span errors", "a mention with other words than in the key", "make it “{}”"),
    CONFLATED_ENTITIES: (
        "conflated entities",
        "parts of two key entities in one",
        "split it off from {}",
    ),
    EXTRA_MENTION: ("extra mentions", "in an entity that is otherwise in the key", "remove it"),
    EXTRA_ENTITY: ("extra entities", "no mention of it is in the key", "remove it"),
    MISSING_MENTION: ("missing mentions", "of an entity found in part", "add it beside “{}”"),
    MISSING_ENTITY: ("missing entities", "no mention of it was found", "add it"),
    DIVIDED_ENTITY: ("divided entities", "a key entity in several parts", "join it with “{}”"),
}
NAMES = {kind: words[0] for kind, words in WORDS.items()}
KINDS_ARE = (
    "The kinds are those of Kummerfeld and Klein (2013), by their names: a divided entity is split "
    "by the response, conflated entities are merged, and what is extra is spurious."
)
NO_KIND = "none of its own"
ERRORS_AND_MENTIONS = (
    "The upper number counts errors, each put right by one fix. The lower one counts the mentions "
    "with these errors: one error can affect several mentions, and a mention can have several. "
    f"A mention whose kind is “{NO_KIND}” is resolved by other fixes."
)
REPEATED = (
    "Kinds of errors can only be told apart where each mention is in one entity. In the side bar, "
    "under “How it is scored”, let the first entity of a mention listed twice count."
)


def how_many(name: str, n_errors: int, n_mentions: int) -> str:
    """How many errors a system makes, and how many mentions have any."""
    errors, mentions = counted(n_errors, "error"), counted(n_mentions)
    return f"In all, {name} makes {errors} and has {mentions} with errors."


def largest_gain(name: str, gains: pd.DataFrame) -> str:
    """Which kind of error is most worth fixing, and by which metrics; gains as in `gain_table`."""
    if not gains.iloc[-1].abs().max():
        return f"Fixing the errors of {name} would change no score."
    kinds, points = _best(gains)
    if points <= 0 or vanishes(points):
        return f"Fixing one kind of error of {name} alone would gain no CoNLL points."
    most = f"would help {name} most"
    if len(kinds) > 1:
        return f"Fixing {_either(kinds)} alone {most}: {signed(points)} CoNLL points each."
    helps = f"Fixing {NAMES[kinds[0]]} alone {most}: {signed(points)} CoNLL points."
    return f"{helps} {_of_six(gains.T[kinds[0]][list(METRIC_IDS)])}"


def _of_six(gain: pd.Series) -> str:
    """Which of the six gain most and least."""
    most, fewest = greatest(gain, signed), least(gain, signed)
    if most == fewest:
        return f"Each of the {HOW_MANY} gains as much: {signed(gain.iloc[0])}."
    names = listed(map(name_of, most))
    return (
        f"{names} {'gains' if len(most) == 1 else 'gain'} most from it ({signed(gain.max())}), "
        f"{listed(map(name_of, fewest))} least ({signed(gain.min())})."
    )


def largest_gain_of_other(name: str, first: pd.DataFrame, gains: pd.DataFrame) -> str:
    """The same of another response, in short; `first` are the gains of the one named before."""
    if not gains.iloc[-1].abs().max():
        return f"For {name}, fixing errors would change no score."
    kinds, points = _best(gains)
    if points <= 0 or vanishes(points):
        return f"For {name}, fixing one kind alone would gain no CoNLL points."
    too = ", too," if kinds == _best(first)[0] else ""
    each = " each" if len(kinds) > 1 else ""
    return f"For {name}{too} it is {_either(kinds)} ({signed(points)}{each})."


def _best(gains: pd.DataFrame) -> tuple[list[str], float]:
    """The kinds whose fixing gains most, and how much."""
    of_kinds = gains["conll"].iloc[:-1]
    return greatest(of_kinds, signed), float(of_kinds.max())


def _either(kinds: Sequence[str]) -> str:
    *others, last = (NAMES[kind] for kind in kinds)
    return f"{', '.join(others)} or {last}" if others else last


# By the values of `incorrect`: which mentions.
READINGS = {
    "all": "all incorrectly resolved mentions",
    "linked": "only incorrectly resolved mentions that have a link in the key",
}


def other_reading(incorrect: Incorrect, table: pd.DataFrame, other: pd.DataFrame) -> str:
    """Which scores change in the opposite direction under the other reading of incorrectly
    resolved, and why; nothing if none does.

    incorrect  the reading of `table`
    table      of `change_table`; `other` is that of the other reading
    """
    opposite = opposite_changes(table, other)
    if not opposite:
        return ""
    (of_other,) = READINGS.keys() - {incorrect}
    changes = [
        f"{name_of(metric)} {RATIOS[measure]} {signed(after)} instead of {signed(before)}"
        for metric, measure in opposite
        for before, after in [(float(t[f"{measure}_change"][metric]) for t in (table, other))]
    ]
    return (
        f"With {READINGS[of_other]}, these changes have the opposite sign: {listed(changes)}. The "
        "two readings differ in singletons of the key: without a link there, no partner can be "
        f"correct. The key of {MOOSAVI_2016.name}, who call such mentions coreferent, has none."
    )


def removal(name: str, number: int, singletons: int, table: pd.DataFrame) -> str:
    """What removing the incorrectly resolved mentions does; a table as of `removal_table`.

    singletons  how many of them are singletons in the key
    """
    if not number:
        return f"{name} has no incorrectly resolved mention to remove."
    change = table.loc[list(METRIC_IDS), "recall_change"].round(PLACES)
    lost = change[change < 0].sort_values()
    kept = [name_of(metric) for metric in METRIC_IDS if metric not in lost.index]
    falls = listed(f"{name_of(metric)} {signed(lost[metric])}" for metric in lost.index)
    was = incorrectly_resolved(number, singletons)
    if lost.empty:
        return f"Without its {was}, {name} loses no recall under any metric."
    return (
        f"Without its {was}, {name} keeps its recall under "
        f"{listed(kept)}, but loses some under the others: {falls}."
    )


def weakest_slice(name: str, side: str, credit: pd.DataFrame) -> str:
    """Which slice earns the least of its credit under LEA; a table as of `slice_credit`."""
    told = credit["lea"].dropna()
    if len(told) < 2:
        return f"{name} has fewer than two slices to compare."
    worst, best = least(told), greatest(told)
    if worst == best:
        same = f"({percent(told.iloc[0])}%)"
        return f"Of the {side} to be earned, LEA gives {name} the same for each slice {same}."
    low, high = (named([f"“{slice_}”" for slice_ in names]) for names in (worst, best))
    return (
        f"Of the {side} to be earned, LEA gives {name} least for {low} "
        f"({percent(told.min())}%) and most for {high} ({percent(told.max())}%)."
    )


def some(words: Sequence[str], n: int, *, most: int = 4) -> str:
    """The first of `n` mentions, and how many more there are."""
    more = f" and {n - most:,} more" if n > most else ""
    return " · ".join(words[:most]) + more if words else "none: it is alone there"
