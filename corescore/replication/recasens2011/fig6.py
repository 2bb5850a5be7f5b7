"""Recasens & Hovy 2011, Figure 6: one more correct link."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, permutations, product

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, points, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import of_sizes
from corescore.replication.recasens2011.table8 import N_SINGLETONS
from corescore.replication.toys import toy_table
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import listed, percent

SIZES = (4, 3, 2)  # of the entities of the key that are no singletons


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (order, links, metric): the responses with that many correct coreference links, none
    wrong.

    Columns: order (of the entities, if mentions are added to one after the other; "" for every way
    to split all three), right_coreference (the number of links), metric, f1 (the mean of these
    responses), low and high (their lowest and highest), responses (how many there are).
    """
    alone = [1] * setting.number("singletons")
    key = of_sizes([*SIZES, *alone])
    splits = product(*(list(_splits(size, size)) for size in SIZES))
    curves: dict[str, Iterable[Sequence[tuple[int, ...]]]] = {"": splits}
    curves |= {_words(order): _grown(order) for order in permutations(SIZES)}
    tables = []
    for order, responses in curves.items():
        pairs = [(key, of_sizes([*chain.from_iterable(split), *alone])) for split in responses]
        table = toy_table([order] * len(pairs), pairs, setting.metrics, name="order")
        groups = table.groupby(["order", "right_coreference", "metric"], sort=False)["f1"]
        summary = groups.agg(f1="mean", low="min", high="max", responses="size")
        tables.append(summary.sort_index(level=1, sort_remaining=False, kind="stable"))
    summaries: pd.DataFrame = pd.concat(tables)
    return summaries.reset_index()


def _words(order: tuple[int, ...]) -> str:
    """The order in which entities of these sizes get their mentions: "4, 3, 2"."""
    return ", ".join(map(str, order))


def _grown(order: tuple[int, ...]) -> Iterator[Sequence[tuple[int, ...]]]:
    """The responses, as sizes by entity of the key: mentions are added in this order."""
    found = dict.fromkeys(SIZES, 1)
    yield _parts(found)
    for of in order:
        while found[of] < of:
            found[of] += 1
            yield _parts(found)


def _parts(found: dict[int, int]) -> Sequence[tuple[int, ...]]:
    """Each entity as the part that is found and singletons."""
    return [(n, *[1] * (of - n)) for of, n in found.items()]


def _every_split(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of every way to split the entities, which the chart draws."""
    return table[table["order"] == ""].drop(columns="order")


def _splits(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to split n mentions into parts of at most `most`, as sizes from large to small."""
    if not n:
        yield ()
    for size in range(min(n, most), 0, -1):
        yield from ((size, *rest) for rest in _splits(n - size, size))


def _on_every_split(check: Checker) -> Checker:
    return lambda table: check(_every_split(table))


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
    """Whether each further link adds at least as much as the one before, or just something."""
    steps = wide(table, "right_coreference")["blanc"].diff().dropna()
    first, last = (points(float(steps.iloc[at])) for at in (0, -1))
    numbers = f"the first link adds {first}, the last of {len(steps)} adds {last}"
    steeper = bool(steps.diff().dropna().min() > -TOLERANCE)
    readings = (
        Reading("the slope is how steep the curve is", steeper),
        Reading("the slope is the curve itself", bool(steps.min() > 0)),
    )
    return Check(steeper, numbers, readings=readings)


@needing("muc", "blanc")
def _above_muc(table: pd.DataFrame) -> Check:
    """Whether BLANC is above MUC at each point before the last, in each order of the entities."""
    readings, least = [], []
    for order, rows in table[table["order"] != ""].groupby("order", sort=False):
        f1 = wide(rows, "right_coreference").iloc[:-1]
        over = f1["blanc"] - f1["muc"]
        readings.append(
            Reading(f"mentions are added to the entities of {order}", bool(over.min() > 0))
        )
        least.append(f"{order}: {points(float(over.min()))}")
    every = _nowhere_above(_every_split(table), "muc", "blanc")
    holds = all(one.holds for one in readings)
    numbers = f"before 100%, above it at least by, entities of {'; '.join(least)}"
    return Check(
        holds, f"{numbers}. Over all ways to split, {every.numbers}", readings=tuple(readings)
    )


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
        "links is assumed: every way to split the three entities is scored, and the six curves on "
        "which mentions are added to one entity after the other. The line is the mean "
        "of the responses with the same number of correct links, the band goes from their lowest "
        "to their highest score. The paper's curves are a picture of which no point can be read. "
        "The number of singletons can be changed."
    ),
    run=_figure_6,
    chart=Chart(
        "lines", x="right_coreference", x_title="correct coreference links", of=_every_split
    ),
    claims=(
        Claim(
            "BLANC rises with each additional correct link, whichever it is.",
            "§5.3, Figure 6",
            _on_every_split(_each_link_counts),
            id="rises",
            scope="result",
        ),
        Claim(
            "The slope of BLANC's curve gradually increases.",
            "§5.3",
            _on_every_split(_slope_increases),
            note="F of the coreference links is 2k/(10 + k) for k correct links and no wrong one: "
            "each further link adds less. But the sentence before has the slope plotted, and this "
            "one goes on to say that it stays above MUC: slope may be its word for the curve.",
            id="slope",
            scope="result",
        ),
        Claim(
            "BLANC stays above MUC.",
            "§5.3, Figure 6",
            _above_muc,
            note="The figure is a curve, along which mentions are added. In which order is not "
            "said; all six orders of the three entities are tried. What MUC can be over all ways "
            "to split them is no curve: of the 150 ways BLANC is above MUC in 137, both are 100 "
            "for the key itself, and MUC is above in 12.",
            id="above-muc",
            scope="result",
        ),
        Claim(
            "BLANC stays below B³ and CEAF.",
            "§5.3, Figure 6",
            _on_every_split(_below_others),
            id="below-others",
            scope="result",
        ),
        Claim(
            "B³ and CEAF are almost flat.",
            "§5.3, Figure 6",
            _on_every_split(_flat),
            note="The bound is ours: they rise by less than 10 points from no link to all.",
            id="flat",
            scope="result",
        ),
        Claim(
            "BLANC uses more of the scale than B³ and CEAF, which start high because of the "
            "singletons.",
            "§5.3, abstract",
            _on_every_split(_room),
            id="room",
            scope="result",
        ),
    ),
    parameters=(N_SINGLETONS,),
)
