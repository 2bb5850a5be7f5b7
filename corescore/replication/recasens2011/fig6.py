"""Recasens & Hovy 2011, Figure 6: one more correct link."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.replication.claims import needing, points, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import of_sizes
from corescore.replication.recasens2011.table8 import N_SINGLETONS
from corescore.replication.toys import toy_table
from corescore.tolerances import TOLERANCE
from corescore.wording import listed, percent


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (links, metric): the responses with that many correct coreference links, none wrong.

    Columns: right_coreference (their number), metric, f1 (the mean of these responses), low and
    high (their lowest and highest), responses (how many there are).
    """
    n = setting.number("singletons")
    key = of_sizes([4, 3, 2, *[1] * n])
    responses = [
        of_sizes([*four, *three, *two, *[1] * n])
        for four, three, two in product(*(list(_splits(size, size)) for size in (4, 3, 2)))
    ]
    table = toy_table(
        [""] * len(responses), [(key, r) for r in responses], setting.metrics, name=""
    )
    groups = table.groupby(["right_coreference", "metric"], sort=False)["f1"]
    summary = groups.agg(f1="mean", low="min", high="max", responses="size")
    return summary.sort_index(level=0, sort_remaining=False, kind="stable").reset_index()


def _splits(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to split n mentions into parts of at most `most`, as sizes from large to small."""
    if not n:
        yield ()
    for size in range(min(n, most), 0, -1):
        yield from ((size, *rest) for rest in _splits(n - size, size))


@needing("blanc")
def _each_link_counts(table: pd.DataFrame) -> Check:
    blanc = table[table["metric"] == "blanc"]
    band = float((blanc["high"] - blanc["low"]).max())
    steps = blanc["f1"].diff().dropna()
    least, greatest = points(float(steps.min())), points(float(steps.max()))
    numbers = (
        f"each link adds between {least} and {greatest}; responses with equally many differ by at "
        f"most {points(band)}"
    )
    return Check(bool(steps.min() > 0 and band < TOLERANCE), numbers)


@needing("blanc")
def _slope_increases(table: pd.DataFrame) -> Check:
    """Whether each further link adds at least as much as the one before."""
    steps = wide(table, "right_coreference")["blanc"].diff().dropna()
    first, last = (points(float(steps.iloc[at])) for at in (0, -1))
    numbers = f"the first link adds {first}, the last of {len(steps)} adds {last}"
    return Check(bool(steps.diff().dropna().min() > -TOLERANCE), numbers)


@needing("muc", "blanc")
def _above_muc(table: pd.DataFrame) -> Check:
    """Whether BLANC is nowhere below MUC, whichever links are correct."""
    return _nowhere_above(table, "muc", "blanc")


@needing("bcub", "ceafm", "blanc")
def _below_others(table: pd.DataFrame) -> Check:
    checks = [_nowhere_above(table, "blanc", name) for name in ("bcub", "ceafm")]
    return Check(all(check.holds for check in checks), "; ".join(c.numbers for c in checks))


def _nowhere_above(table: pd.DataFrame, low: str, high: str) -> Check:
    """By the highest score of one and the lowest of the other with equally many links."""
    most = wide(table, "right_coreference", "high")[low]
    least = wide(table, "right_coreference", "low")[high]
    over = (most - least).to_numpy()
    where = [str(n) for n in np.flatnonzero(over > TOLERANCE)]
    if not where:
        numbers = f"with equally many links, {title_of(low)} is nowhere above {title_of(high)}"
        return Check(True, numbers)
    at = int(over.argmax())
    numbers = (
        f"{title_of(low)} can be above {title_of(high)} with {listed(where)} of {len(over) - 1} "
        f"links: up to {percent(most.iloc[at])} against {percent(least.iloc[at])} with {at}"
    )
    return Check(False, numbers)


@needing("bcub", "ceafm", "blanc")
def _flat(table: pd.DataFrame) -> Check:
    rise = _rise(table)
    return Check(bool(max(rise["bcub"], rise["ceafm"]) < 0.1), _from_to(table))


@needing("bcub", "ceafm", "blanc")
def _room(table: pd.DataFrame) -> Check:
    """Compares how much of the scale lies between no link and all."""
    rise = _rise(table)
    return Check(bool(rise["blanc"] > max(rise["bcub"], rise["ceafm"])), _from_to(table))


def _ends(table: pd.DataFrame) -> pd.DataFrame:
    """The scores without any correct link and with all, by metric."""
    return wide(table, "right_coreference")[["bcub", "ceafm", "blanc"]].iloc[[0, -1]]


def _rise(table: pd.DataFrame) -> "pd.Series[float]":
    return _ends(table).diff().iloc[-1]


def _from_to(table: pd.DataFrame) -> str:
    ends = _ends(table)
    return ", ".join(
        f"{title_of(str(name))} {percent(ends[name].iloc[0])} to {percent(ends[name].iloc[1])}"
        for name in ends
    )


FIGURE_6 = Experiment(
    id="recasens2011-fig6",
    paper=RECASENS_2011,
    where="Figure 6, with the key of Table 8",
    title="What is one more correct link worth?",
    setup=(
        "The key of Tables 8 to 11: entities of four, three and two, ten links in all, and 61 "
        "singletons. The responses have 0 to 10 of these links and no wrong one. No order of the "
        "links is assumed: every way to split the three entities is scored. The line is the mean "
        "of the responses with the same number of correct links, the band goes from their lowest "
        "to their highest score. The paper's curves are a picture of which no point can be read. "
        "The number of singletons can be changed."
    ),
    run=_figure_6,
    chart=Chart("lines", x="right_coreference", x_title="correct coreference links"),
    claims=(
        Claim(
            "BLANC rises with each additional correct link, whichever it is.",
            "§5.3, Figure 6",
            _each_link_counts,
            id="rises",
        ),
        Claim(
            "The slope of BLANC's curve gradually increases.",
            "§5.3",
            _slope_increases,
            note="F of the coreference links is 2k/(10 + k) for k correct links and no wrong one: "
            "each further link adds less.",
            id="slope",
        ),
        Claim(
            "BLANC stays above MUC.",
            "§5.3, Figure 6",
            _above_muc,
            note="It does for some choices of links, not for all. Which links the paper adds first "
            "is not said.",
            id="above-muc",
        ),
        Claim("BLANC stays below B³ and CEAF.", "§5.3, Figure 6", _below_others, id="below-others"),
        Claim(
            "B³ and CEAF are almost flat.",
            "§5.3, Figure 6",
            _flat,
            note="The bound is ours: they rise by less than 10 points from no link to all.",
            id="flat",
        ),
        Claim(
            "BLANC uses more of the scale than B³ and CEAF, which start high because of the "
            "singletons.",
            "§5.3, abstract",
            _room,
            id="room",
        ),
    ),
    parameters=(N_SINGLETONS,),
)
