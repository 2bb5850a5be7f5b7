"""Recasens & Hovy 2011, Figure 6: one more correct link."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, permutations, product

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import Counts
from corescore.metrics import title_of
from corescore.metrics.blanc import BLANC, blanc_score
from corescore.replication.claims import Checker, needing, points, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Reading,
    Setting,
    run,
)
from corescore.replication.partitions import of_sizes, toy_table
from corescore.replication.recasens2011.blanc import N_SINGLETONS
from corescore.util import STEP, STEP_PLACES, TOLERANCE, FloatArray
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

# Recasens & Hovy 2011, Figure 7: BLANC over the two kinds of links --------------------------------

STEPS = Parameter("steps", "Steps along each axis", 20, "", minimum=2, maximum=50)

N_COREFERENCE, N_MENTIONS = 6 + 3 + 1, 70


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (share of correct coreference links, share of correct non-coreference links).

    Columns: right_coreference and right_non_coreference (shares of the key's links, fractions),
    and f1 (BLANC). An incorrect link of the key counts as a wrong link of the other kind, so
    that there are always C(70, 2) of them.
    """
    share = np.linspace(0, 1, setting.number("steps") + 1)
    coreference, non_coreference = (axis.ravel() for axis in np.meshgrid(share, share))
    f1 = blanc_score(_link_counts(coreference, non_coreference), empty=0).f1
    columns = {"right_coreference": coreference, "right_non_coreference": non_coreference}
    return pd.DataFrame({**columns, "f1": f1})


def blanc_at(
    coreference: float, non_coreference: float, n_coreference: int = N_COREFERENCE
) -> float:
    """BLANC where these shares of the two kinds of links are right, as a fraction."""
    counts = _link_counts(np.array([coreference]), np.array([non_coreference]), n_coreference)
    return float(blanc_score(counts, empty=0).f1[0])


def _link_counts(
    coreference: FloatArray, non_coreference: FloatArray, n_coreference: int = N_COREFERENCE
) -> Counts:
    n_c = np.full(len(coreference), n_coreference)
    n_n = np.full(len(coreference), N_MENTIONS * (N_MENTIONS - 1) // 2) - n_c
    right_c, right_n = coreference * n_c, non_coreference * n_n
    return Counts.of_parts(
        Counts.of(right_c, n_c, right_c, right_c + n_n - right_n),
        Counts.of(right_n, n_n, right_n, right_n + n_c - right_c),
    )


def _grid(table: pd.DataFrame) -> FloatArray:
    """F1, a row for each share of coreference, a column for each of non-coreference links."""
    names = ("right_coreference", "right_non_coreference", "f1")
    return table.pivot(index=names[0], columns=names[1], values=names[2]).to_numpy()


def _rises_and_ends(table: pd.DataFrame) -> Check:
    grid = _grid(table)
    steps = np.concatenate([np.diff(grid, axis=axis).ravel() for axis in (0, 1)])
    falls = int((steps < -TOLERANCE).sum())
    holds = falls == 0 and grid[0, 0] == 0 and grid[-1, -1] == 1
    ends = f"{percent(grid[0, 0])} to {percent(grid[-1, -1])}"
    return Check(bool(holds), f"{ends}; {falls} falls in {len(steps)} steps")


def _half_of_it(table: pd.DataFrame) -> Check:
    """The corners where all links of one kind are right and none of the other."""
    grid = _grid(table)
    non_coreference, coreference = float(grid[0, -1]), float(grid[-1, 0])
    numbers = (
        f"all non-coreference links and no others {percent(non_coreference)}, "
        f"all coreference links and no others {percent(coreference)}"
    )
    return Check(abs(non_coreference - 0.5) < 0.01 and coreference < 0.01, numbers)


def front_face(table: pd.DataFrame) -> Check:
    """With all coreference links right: from near 0 to one half?"""
    low, high = _grid(table)[-1, [0, -1]].tolist()
    return Check(low < 0.01 and abs(high - 0.5) < 0.01, f"{percent(low)} to {percent(high)}")


def _rear_face(table: pd.DataFrame) -> Check:
    """The edge at which all non-coreference links are right, beside the responses of Figure 6."""
    curve = run(FIGURE_6, FIGURE_6.setting(metrics=[BLANC])).drawn
    f1 = wide(curve, "right_coreference")["blanc"].to_dict()
    edge = table[table["right_non_coreference"] == 1]
    links = (N_COREFERENCE * edge["right_coreference"]).round(STEP_PLACES)
    apart = [abs(f1[n] - own) for n, own in zip(links, edge["f1"], strict=True) if n in f1]
    numbers = f"at most {points(max(apart))} apart at {len(apart)} points"
    return Check(max(apart) < TOLERANCE, numbers)


def _nearly_all(table: pd.DataFrame) -> Check:
    """The last point of the front face with at most 90% of the non-coreference links."""
    face = table[(table["right_coreference"] == 1) & (table["right_non_coreference"] < 0.9 + STEP)]
    share, f1 = (float(face[name].iloc[-1]) for name in ("right_non_coreference", "f1"))
    numbers = f"with {100 * share:.0f}% of the non-coreference links {percent(f1)}"
    return Check(f1 < 0.6, numbers)


def _bend(table: pd.DataFrame) -> Check:
    """With all coreference links right and 90% of the others, for several numbers of links."""
    f1 = {n: blanc_at(1, 0.9, n) for n in (1, N_COREFERENCE, 100, 1000)}
    numbers = ", ".join(f"{percent(value)} for {n}" for n, value in f1.items())
    ascending = all(low < high for low, high in pairwise(f1.values()))
    return Check(ascending, f"BLANC by the number of coreference links: {numbers}")


FIGURE_7 = Experiment(
    id="recasens2011-fig7",
    paper=RECASENS_2011,
    where="Figure 7",
    title="How does BLANC weigh the two kinds of links?",
    setup=(
        "The key of Tables 8 to 11 has 10 coreference and 2,405 non-coreference links. BLANC is "
        "drawn over the share of each kind that the response gets right; every link that it gets "
        "wrong is a wrong link of the other kind. Not every point is a possible response, because "
        "the links of a partition depend on each other."
    ),
    run=_figure_7,
    chart=Chart(
        "surface",
        x="right_coreference",
        x_title="correct coreference links, percent",
        y_title="BLANC, percent",
        facet="right_non_coreference",
        facet_title="correct non-coreference links, percent",
    ),
    claims=(
        Claim(
            "BLANC goes from 0 to 100 and rises everywhere in both directions.",
            "Figure 7",
            _rises_and_ends,
            id="rises",
            scope="result",
        ),
        Claim(
            "With all coreference links right, BLANC goes from near 0 to 50 as more "
            "non-coreference links are right.",
            "§5.3",
            front_face,
            note="With 90% of the non-coreference links it is near 50, with all of them 100. With "
            "no coreference link right it does end near 50.",
            id="front-face",
            scope="result",
        ),
        Claim(
            "With all non-coreference links right, the surface is the curve of Figure 6.",
            "§5.3",
            _rear_face,
            id="rear-face",
            scope="result",
        ),
        Claim(
            "Almost all links of both kinds must be right for a score near the top.",
            "§5.3",
            _nearly_all,
            note="What we check: with all coreference links and 90% of the others right, BLANC is "
            "still below 60.",
            id="nearly-all",
            scope="result",
        ),
        Claim(
            "The fewer of the links are coreference links, the sharper the bend.",
            "§5.3",
            _bend,
            note="What we check: with all coreference links and 90% of the others right, BLANC is "
            "lower the fewer coreference links there are among the 2,415.",
            id="bend",
            scope="property",
        ),
        Claim(
            "All non-coreference links without any coreference link give half of the score; all "
            "coreference links without any non-coreference link give next to nothing, because "
            "nearly all links of the response are then wrong.",
            "our reading of Figure 7",
            _half_of_it,
            id="half",
            scope="result",
            ours=True,
        ),
    ),
    parameters=(STEPS,),
)
