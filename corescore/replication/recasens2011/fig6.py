"""Recasens & Hovy 2011, Figure 6: one more correct link."""

from collections.abc import Iterator
from itertools import product

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.replication.claims import needing, points, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import of_sizes
from corescore.replication.recasens2011.table8 import N_SINGLETONS
from corescore.replication.toys import (
    toy_table,
)
from corescore.tolerances import TOLERANCE
from corescore.wording import percent


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
        f"each link adds {least} to {greatest}; responses with equally many differ by at most "
        f"{points(band)}"
    )
    return Check(bool(steps.min() > 0 and band < TOLERANCE), numbers)


@needing("bcub", "ceafm", "blanc")
def _room(table: pd.DataFrame) -> Check:
    """Compares how much of the scale lies between no link and all."""
    first, last = (table["right_coreference"].agg(end) for end in ("min", "max"))
    names = ["bcub", "ceafm", "blanc"]
    f1 = wide(table, "right_coreference")[names]
    room = f1.loc[last] - f1.loc[first]
    numbers = (
        f"{title_of(name)} {percent(f1[name][first])} to {percent(f1[name][last])}"
        for name in names
    )
    return Check(bool(room["blanc"] > max(room["bcub"], room["ceafm"])), ", ".join(numbers))


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
        "to their highest score. The number of singletons can be changed."
    ),
    run=_figure_6,
    chart=Chart("lines", x="right_coreference", x_title="correct coreference links"),
    claims=(
        Claim(
            "BLANC rises with each additional correct link, whichever it is.",
            "Figure 6",
            _each_link_counts,
        ),
        Claim(
            "BLANC uses more of the scale than B³ and CEAF, which start high because of the "
            "singletons.",
            "Figure 6, abstract",
            _room,
        ),
    ),
    parameters=(N_SINGLETONS,),
)
