"""What is checked of Moosavi & Strube 2016, Figure 7; its table is that of `fig7`."""

from fractions import Fraction
from math import comb

import pandas as pd

from corescore.metrics import title_of
from corescore.replication.claims import (
    Checker,
    in_order,
    joined,
    needing,
    numbers_of,
    others,
    points,
    wide,
)
from corescore.replication.experiment import Check
from corescore.replication.moosavi2016.fig6 import n_scores
from corescore.tolerances import TOLERANCE, WHOLE
from corescore.wording import counted, listed, percent, signed

EXTRA, MISSING = "extra", "missing"


def extras(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["way"] == EXTRA]


def _f1(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each list of extra mentions, a column for each metric."""
    return wide(extras(table), "extra")


# What §7.4 says of the figure ---------------------------------------------------------------------


@needing("muc", "ceafm")
def fewest_scores(table: pd.DataFrame) -> Check:
    n, rest = n_scores(_f1(table)), others(table, "muc", "ceafm")
    if not rest:
        return Check(None, "no other metric is scored")
    numbers = ", ".join(f"{title_of(name)} {n[name]}" for name in ("muc", "ceafm", *rest))
    total = counted(_f1(table).shape[0], "response")
    holds = max(n["muc"], n["ceafm"]) < min(n[name] for name in rest)
    return Check(bool(holds), f"different scores of {total}: {numbers}")


def _lowest(f1: "pd.Series[float]") -> list[str]:
    return [str(name) for name in f1.index[f1 <= f1.min() + TOLERANCE]]


@needing("ceafe")
def worst_but_for_ceafe(table: pd.DataFrame) -> Check:
    f1, rest = _f1(table), others(table, "ceafe")
    if "3-10" not in f1.index or not rest:
        return Check(None, "3-10 is not among the points" if rest else "no other metric is scored")
    lowest = {name: _lowest(f1[name]) for name in (*rest, "ceafe")}
    numbers = ", ".join(f"{title_of(name)} {listed(at)}" for name, at in lowest.items())
    holds = all("3-10" in lowest[name] for name in rest) and "3-10" not in lowest["ceafe"]
    return Check(holds, f"lowest: {numbers}")


@needing("ceafe")
def own_entity_worst(table: pd.DataFrame) -> Check:
    f1 = _f1(table)["ceafe"]
    if not {"2-0", "3-0"} <= {*f1.index}:
        return Check(None, "2-0 and 3-0 are not among the points")
    numbers = ", ".join(f"{name} {percent(value)}" for name, value in f1.sort_values().items())
    return Check({*_lowest(f1)} == {"2-0", "3-0"}, f"CEAF_e: {numbers}")


@needing("lea")
def only_lea(table: pd.DataFrame) -> Check:
    """Whether LEA alone scores 2-0 higher than 1-2 and than 1-10."""
    f1, rest = _f1(table), others(table, "lea")
    if not {"2-0", "1-2", "1-10"} <= {*f1.index} or not rest:
        return Check(None, "2-0, 1-2 or 1-10 is missing" if rest else "no other metric is scored")
    least = (f1.loc[["2-0"]] - f1.loc[["1-2", "1-10"]].max()).iloc[0]
    numbers = numbers_of(least[["lea", *rest]], signed)
    holds = least["lea"] > TOLERANCE and (least[rest] <= TOLERANCE).all()
    return Check(bool(holds), f"2-0 less the better of 1-2 and 1-10, in points: {numbers}")


def whatever_the_size(metric: str, numbers: tuple[int, ...]) -> Checker:
    """Whether each number of extra mentions costs the same in an entity of any size."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        of_extras = extras(table)
        joining = of_extras[of_extras["number"].isin(numbers) & (of_extras["size"] > 0)]
        by_number = wide(joining, ["number", "extra"]).groupby(level="number")
        apart = (by_number.max() - by_number.min()).max()
        several = (by_number.size() > 1).any()
        if not several:
            return Check(None, "no two sizes to compare")
        rest = [
            f"{title_of(str(name))} {points(by)}" for name, by in apart.items() if name != metric
        ]
        same = f"{title_of(metric)} differs by up to {points(apart[metric])}"
        return Check(bool(apart[metric] <= TOLERANCE), f"{same}; others: {', '.join(rest)}")

    return check


def weight_of_error(n: int, k: int) -> Fraction:
    """What LEA's precision loses for k extra mentions in an entity of n, in mentions: importance
    n + k, times the share of the entity's links that are wrong (§7.4)."""
    return (n + k) * (1 - Fraction(comb(n, 2), comb(n + k, 2)))


@needing("lea")
def formula(table: pd.DataFrame) -> Check:
    """Whether the formula gives what LEA's precision loses, and 2 for a single extra mention."""
    of_extras = extras(table)
    lea = of_extras[(of_extras["metric"] == "lea") & (of_extras["size"] > 1)]
    if lea.empty:
        return Check(None, "no extra mention joins an entity")
    lost = (1 - lea["precision"]) * lea["mentions"]
    weights = [weight_of_error(n, k) for n, k in zip(lea["size"], lea["number"], strict=True)]
    same = all(abs(a - b) < WHOLE for a, b in zip(lost, weights, strict=True))
    alone = [weight for weight, k in zip(weights, lea["number"], strict=True) if k == 1]
    told = zip(lea["extra"], weights, lost, strict=True)
    numbers = "; ".join(f"{name}: {float(w):.2f}, lost {value:.2f}" for name, w, value in told)
    return Check(same and all(weight == 2 for weight in alone), numbers)


# Ours ---------------------------------------------------------------------------------------------


@needing("lea")
def more_in_larger(table: pd.DataFrame) -> Check:
    f1, lists = _f1(table)["lea"], (("2-2", "2-10"), ("3-2", "3-10"))
    return joined((title_of("lea"), in_order(f1, names)) for names in lists)


@needing("lea")
def better_together(table: pd.DataFrame) -> Check:
    """Whether extra mentions cost less in an entity of their own than in one of the key."""
    of_extras = extras(table)
    joining, own = (
        wide(part, ["number", "extra"])
        for part in (of_extras[of_extras["size"] > 0], of_extras[of_extras["size"] == 0])
    )
    most = joining.groupby(level="number").max()
    least = (own.droplevel("extra") - most).dropna(how="all").min()
    if least.isna().all():
        return Check(
            None, "no number of extra mentions both in an entity of the key and on their own"
        )
    numbers = numbers_of(least[joining.columns], signed)
    return Check(bool(least["lea"] > TOLERANCE), f"at least, in points: {numbers}")
