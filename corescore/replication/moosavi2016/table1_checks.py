"""Moosavi & Strube 2016, Table 1: what its claims are checked by."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.counting.counts import MEASURES
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, numbers_of, others
from corescore.replication.experiment import Check
from corescore.replication.moosavi2016.data import column, printed_numbers
from corescore.replication.moosavi2016.sizes import (
    EXACT,
    PRINTED,
    Sizes,
    mention_precision,
    response_sizes,
)
from corescore.replication.printed import Printed
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import (
    RATIOS,
    counted,
    listed,
    out_of,
    percent,
    signed,
    with_key_singletons,
)

BASE, MORE = "Base", "More precise"
LESS_A, LESS_B = "Less precise (a)", "Less precise (b)"
LESS_B_PRINTED = "Less precise (b), as printed"
LINK_BASED = ("muc", "lea")
IN_TABLE_1 = ("muc", "bcub", "ceafe", "blanc")
SCORES = Printed(
    "Table 1",
    Path(__file__).with_name("table1.csv"),
    ("system", "metric"),
    same_data=False,
    again=((LESS_B, LESS_B_PRINTED),),
)
COUNTS = Printed("§2", Path(__file__).with_name("table1_counts.csv"), ("system",), same_data=False)
_INCORRECT = ("incorrectly_resolved", "incorrect_singletons")
UNTOLD = "a response without a correct link tells nothing of its size"


# Scores -------------------------------------------------------------------------------------------


def recall_moves(system: str, *, up: bool) -> Checker:
    """Whether recall stays the same in MUC and LEA, and rises (or falls) in the other metrics of
    the paper's table."""

    @needing("muc")
    def check(table: pd.DataFrame) -> Check:
        recall, f1 = (_gain(table, system, of) for of in ("recall", "f1"))
        rest = others(table, *LINK_BASED)
        fixed = [name for name in LINK_BASED if name in recall.index]
        stays = all(abs(recall[name]) <= TOLERANCE for name in fixed)
        moves = all(_moves(recall[name], up=up) for name in rest if name in IN_TABLE_1)
        numbers = [
            f"{title_of(name)} {signed(recall[name])} (F1 {signed(f1[name])})"
            for name in (*fixed, *rest)
        ]
        return Check(stays and moves, f"recall, in points: {', '.join(numbers)}")

    return check


def both_fall(metric: str, *measures: str) -> Checker:
    """Whether these of More precise are below those of Base."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        gains = {of: _gain(table, MORE, of)[metric] for of in measures}
        numbers = [f"{RATIOS[of]} {signed(gain)}" for of, gain in gains.items()]
        holds = all(_moves(gain, up=False) for gain in gains.values())
        return Check(holds, f"{title_of(metric)}, in points: {', '.join(numbers)}")

    return check


def scores_rise(system: str) -> Checker:
    """Whether the scores rise in all metrics of the paper's table but MUC: by F1, or read as
    recall."""

    def check(table: pd.DataFrame) -> Check:
        rest = [name for name in others(table, *LINK_BASED) if name in IN_TABLE_1]
        if not rest:
            return Check(None, "none of these metrics is scored")
        gains = {of: _gain(table, system, of)[rest] for of in ("f1", "recall")}
        rises = {of: all(_moves(by, up=True) for by in gain) for of, gain in gains.items()}
        numbers = [f"{RATIOS[of]}: {numbers_of(gain, signed)}" for of, gain in gains.items()]
        readings = (Reading(f"by {RATIOS[of]}", holds) for of, holds in rises.items())
        return Check(rises["f1"], f"in points, {'; '.join(numbers)}", readings=tuple(readings))

    return check


@needing(*IN_TABLE_1)
def printed_directions(table: pd.DataFrame) -> Check:
    """Whether each score of (b), as printed, moves as the printed row does; and how many of (b)."""
    printed = _directions(SCORES.numbers, LESS_B)
    numbers, holds = [], False
    for system in (LESS_B_PRINTED, LESS_B):
        same = _directions(table, system) == printed
        off = [f"{RATIOS[of]} of {title_of(str(m))}" for m, of in same.index[~same]]
        numbers.append(f"{system}: {out_of(int(same.sum()), len(same))}")
        numbers[-1] += f", but not {listed(off)}" if off else ""
        holds = holds or (system == LESS_B_PRINTED and not off)
    return Check(holds, "; ".join(numbers))


def _directions(table: pd.DataFrame, system: str) -> "pd.Series[float]":
    """By metric of the paper's table and measure: 1 for a score above that of Base, −1 below."""
    gains = {of: _gain(table, system, of)[[*IN_TABLE_1]] for of in MEASURES}
    signs = {
        (metric, of): np.sign(gain) if abs(gain) > TOLERANCE else 0
        for of, by_metric in gains.items()
        for metric, gain in by_metric.items()
    }
    return pd.Series(signs, dtype=float)


def _gain(table: pd.DataFrame, system: str, of: str) -> "pd.Series[float]":
    return column(table, system, of) - column(table, BASE, of)


def _moves(gain: float, *, up: bool) -> bool:
    return bool(gain > TOLERANCE if up else gain < -TOLERANCE)


def on_data(system: str, check: Checker) -> Checker:
    """The check, with what was changed; it cannot be told where nothing was."""

    def checked(table: pd.DataFrame) -> Check:
        changed = _changed(table, system)
        if not changed:
            return Check(None, "nothing to remove from or add to this response")
        of = check(table)
        return replace(of, numbers=f"{changed}; {of.numbers}")

    return checked


def _changed(table: pd.DataFrame, system: str) -> str:
    """What was changed, in words; "" if nothing."""
    n_removed, alone = (int(column(table, BASE, of).iloc[0]) for of in _INCORRECT)
    n_added = _added(table, system)
    if system == MORE:
        removed = f"{counted(n_removed, 'incorrectly resolved mention')} removed"
        return with_key_singletons(removed, n_removed, alone) if n_removed else ""
    return f"{counted(n_added, 'wrong entity')} added" if n_added else ""


def _added(table: pd.DataFrame, system: str) -> int:
    return int(column(table, system, "added_entities").iloc[0])


# Sizes --------------------------------------------------------------------------------------------


def _change(table: pd.DataFrame, system: str, half: float = EXACT) -> Sizes | None:
    """How many more links and entities a system has than Base, as the scores tell."""
    both = response_sizes(table, system, half), response_sizes(table, BASE, half)
    return both[0] - both[1] if both[0] and both[1] else None


@needing("muc", "ceafe")
def mentions_lost(table: pd.DataFrame) -> Check:
    """Whether the scores tell that More precise lost the incorrectly resolved mentions."""
    change = _change(table, MORE)
    if change is None:
        return Check(None, UNTOLD)
    n = int(column(table, BASE, "incorrectly_resolved").iloc[0])
    return Check(change.mentions.allows(-n), f"mentions {change.mentions}")


@needing("muc", "ceafe")
def pairs_added(table: pd.DataFrame) -> Check:
    """Whether the scores tell that what Less precise (a) adds are pairs."""
    change = _change(table, LESS_A)
    return _as_pairs(change, _added(table, LESS_A)) if change else Check(None, UNTOLD)


@needing("muc", "ceafe")
def large_entities_added(table: pd.DataFrame) -> Check:
    """Whether Less precise (b) adds fewer entities than (a), and larger ones."""
    change, n = _change(table, LESS_B), _added(table, LESS_B)
    if change is None:
        return Check(None, UNTOLD)
    fewer, larger = n < _added(table, LESS_A), not _as_pairs(change, n).holds
    told = change.entities.allows(n)
    return Check(fewer and larger and told, _in_words(change))


@needing("muc", "bcub", "ceafe")
def pairs_and_singletons_added(table: pd.DataFrame) -> Check:
    """Whether the scores of (b) as printed tell of a pair for each entity of (b)."""
    return _pairs_and_singletons(table, LESS_B_PRINTED, _added(table, LESS_B), EXACT)


def _as_pairs(change: Sizes, n: int) -> Check:
    """Whether n entities of two mentions each were added."""
    return Check(change.links.allows(n) and change.entities.allows(n), _in_words(change))


def _in_words(change: Sizes) -> str:
    return (
        f"more MUC links: {change.links}; entities: {change.entities}; mentions: {change.mentions}"
    )


def _pairs_and_singletons(table: pd.DataFrame, system: str, n: int, half: float) -> Check:
    """Whether n links were added, and entities all wrong: each earns B³ a precision of 1 in sum."""
    change = _change(table, system, half)
    if change is None:
        return Check(None, UNTOLD)
    gained = mention_precision(table, system, half) - mention_precision(table, BASE, half)
    singletons = change.entities - change.links
    numbers = (
        f"{change.links} pairs and {singletons} singletons; the sum of B³ precision over mentions "
        f"rises by {gained}, 1 for each of {change.entities} wrong entities"
    )
    return Check(change.links.allows(n) and gained.meets(change.entities), numbers)


# The same in print --------------------------------------------------------------------------------


def counts() -> "pd.Series[float]":
    """What §2 says was removed or added, by system."""
    return COUNTS.numbers.set_index("system")["removed_or_added"]


def mentions_lost_in_print() -> Check:
    change, n = _printed_change(MORE), counts()[MORE]
    return Check(change.mentions.allows(-n), f"mentions {change.mentions}; by §2 {n:,.0f} fewer")


def pairs_added_in_print() -> Check:
    n = round(counts()[LESS_A])
    check = _as_pairs(_printed_change(LESS_A), n)
    return Check(check.holds, f"{check.numbers}; by §2 {n:,} entities")


def large_entities_added_in_print() -> Check:
    """Whether the printed scores of (b) tell of as many entities as §2 has."""
    change, n = _printed_change(LESS_B), counts()[LESS_B]
    table = printed_numbers(SCORES)
    base, precision = response_sizes(table, BASE), column(table, BASE, "precision")["muc"]
    assert base
    links = base.links.value + change.mentions.value - n
    expected = precision * base.links.value / links
    numbers = (
        f"{_in_words(change)}; by §2 {n:,.0f} entities, which would have "
        f"{change.mentions.value - n:,.0f} more links and bring MUC precision to "
        f"{percent(expected)}, not {percent(column(table, LESS_B, 'precision')['muc'])}"
    )
    return Check(change.entities.allows(n), numbers)


def pairs_and_singletons_in_print() -> Check:
    n = round(counts()[LESS_B])
    return _pairs_and_singletons(printed_numbers(SCORES), LESS_B, n, PRINTED)


def _printed_change(system: str) -> Sizes:
    change = _change(printed_numbers(SCORES), system, PRINTED)
    assert change
    return change


def row_b() -> Check:
    """The same, with what the printed scores of (b) do fit."""
    of_text, fit = large_entities_added_in_print(), pairs_and_singletons_in_print()
    change, n = _printed_change(LESS_B), counts()[LESS_B]
    readings = (
        Reading("as many larger entities as §2 has", of_text.holds),
        Reading("as many pairs", change.links.allows(n) and change.entities.allows(n)),
    )
    numbers = f"{of_text.numbers}. What fits: {fit.numbers}"
    return replace(of_text, numbers=numbers, readings=readings)


def scores_rise_in_print(system: str) -> Check:
    return scores_rise(system)(printed_numbers(SCORES))
