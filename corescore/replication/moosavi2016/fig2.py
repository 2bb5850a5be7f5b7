"""Moosavi & Strube 2016, Figure 2: correct links, and nothing else."""

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.replication.claims import numbers_of, others
from corescore.replication.curves import (
    ORDER,
    SEEDS,
    STEPS,
    Run,
    curves,
    never_above,
    selected_line,
    under_each,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.growing import (
    ORDERS,
    Entities,
    correct_entities,
)
from corescore.replication.moosavi2016.toy_key import KEY
from corescore.replication.partitions import Partition
from corescore.tolerances import TOLERANCE

WHERE = "§7.1, Figure 2"


def _figure_2(setting: Setting) -> pd.DataFrame:
    """Responses: correct parts of the key, and nothing else; rows and columns as `curves`."""
    seeds = range(int(setting.values["seeds"]))
    chance = {order: seeds if order == "random" else range(1) for order in ORDERS}
    runs = [Run(order, "", seed) for order in ORDERS for seed in chance[order]]
    return curves(setting, runs, _correct_only)


def _correct_only(key: Partition, run: Run, shares: list[float]) -> list[Entities]:
    return correct_entities(key, run.mentions(key, run.rng), shares)


def all_zero(table: pd.DataFrame) -> Check:
    compared = others(table)
    if not compared:
        return Check(None, "none of the compared metrics is scored")
    highest = table[table["step"] == 0].groupby("metric")["f1"].max()[compared]
    return Check(bool((highest <= TOLERANCE).all()), numbers_of(highest))


CLAIMS = (
    Claim(
        "BLANC is never above B³.",
        WHERE,
        under_each(never_above("blanc", "bcub")),
        id="blanc-below-bcub",
        scope="result",
    ),
    Claim(
        "BLANC is never above LEA.",
        WHERE,
        under_each(never_above("blanc", "lea")),
        id="blanc-below-lea",
        scope="result",
    ),
    Claim(
        "With no link the response is empty, and every metric of the paper gives it 0.",
        "ours, from Figure 2",
        under_each(all_zero),
        id="empty-zero",
        scope="result",
        ours=True,
    ),
)
FIGURE_2 = Experiment(
    id="moosavi2016-fig2",
    paper=MOOSAVI_2016,
    where="Figure 2",
    title="How do scores grow with correct links, when nothing is wrong?",
    setup=(
        "The response has a share of the key's coreference links and nothing else: mentions "
        "without a correct link are missing. The paper does not say which links come first. Here "
        "entities grow mention by mention until the share is reached or just exceeded, by default "
        "one entity after the other in random order. The chart shows the actual share of the "
        "response."
    ),
    run=_figure_2,
    chart=Chart("lines", x="share", x_title="correct coreference links, percent", of=selected_line),
    claims=CLAIMS,
    parameters=(KEY, STEPS, ORDER, SEEDS),
)
