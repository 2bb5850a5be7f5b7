"""Names of the kinds of errors, and sentences about them."""

from collections.abc import Sequence

import pandas as pd

from corescore.analysis.errors.mentions import SPAN_ERROR
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
)
from corescore.metrics import METRIC_IDS, name_of
from corescore.tolerances import PLACES
from corescore.wording import counted, listed, percent, signed

# Each kind: its name in the plural, what it is, and what fixes it ({} is the mention aimed at).
WORDS = {
    SPAN_ERROR: ("span errors", "a mention with other words than in the key", "make it “{}”"),
    CONFLATED_ENTITIES: ("conflated entities", "parts of two key entities in one", "split it off"),
    EXTRA_MENTION: ("extra mentions", "in an entity that is otherwise in the key", "remove it"),
    EXTRA_ENTITY: ("extra entities", "no mention of it is in the key", "remove it"),
    MISSING_MENTION: ("missing mentions", "of an entity found in part", "add it beside “{}”"),
    MISSING_ENTITY: ("missing entities", "no mention of it was found", "add it"),
    DIVIDED_ENTITY: ("divided entities", "a key entity in several parts", "join it with “{}”"),
}
NAMES = {kind: words[0] for kind, words in WORDS.items()}
REPEATED = (
    "Kinds of errors can only be told apart where each mention is in one entity. In the side bar, "
    "under “How it is scored”, let the first entity of a mention listed twice count."
)


def largest_gain(name: str, gains: pd.DataFrame) -> str:
    """Which kind of error is most worth fixing, and by which metrics; gains as in `gain_table`."""
    if not gains.iloc[-1].abs().max():
        return f"Fixing the errors of {name} would change no score."
    kind, points = _best(gains)
    of_six = gains.T[kind][list(METRIC_IDS)]
    most, least = str(of_six.idxmax()), str(of_six.idxmin())
    return (
        f"Fixing {NAMES[kind]} alone would help {name} most: {signed(points)} CoNLL points. "
        f"{name_of(most)} gains most from it ({signed(of_six[most])}), {name_of(least)} least "
        f"({signed(of_six[least])})."
    )


def largest_gain_of_other(name: str, first: pd.DataFrame, gains: pd.DataFrame) -> str:
    """The same of another response, in short; `first` are the gains of the one named before."""
    if not gains.iloc[-1].abs().max():
        return f"For {name}, fixing errors would change no score."
    kind, points = _best(gains)
    too = ", too," if kind == _best(first)[0] else ""
    return f"For {name}{too} it is {NAMES[kind]} ({signed(points)})."


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


def weakest_slice(name: str, side: str, credit: pd.DataFrame) -> str:
    """Which slice earns the least of its credit under LEA; a table as of `slice_credit`."""
    told = credit["lea"].dropna()
    if len(told) < 2:
        return f"{name} has fewer than two slices to compare."
    worst, best = str(told.idxmin()), str(told.idxmax())
    return (
        f"Of the {side} to be earned, LEA gives {name} least for “{worst}” "
        f"({percent(told[worst])} %) and most for “{best}” ({percent(told[best])} %)."
    )


def some(words: Sequence[str], n: int, *, most: int = 4) -> str:
    """The first of `n` mentions, and how many more there are."""
    more = f" and {n - most:,} more" if n > most else ""
    return " · ".join(words[:most]) + more if words else "none: it is alone there"
