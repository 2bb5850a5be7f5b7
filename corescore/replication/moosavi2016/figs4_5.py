"""Moosavi & Strube 2016, Figures 4 and 5: whole entities, one after the other."""

from itertools import accumulate

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, points, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Setting,
)
from corescore.replication.moosavi2016.toy_key import KEY, scored, toy_key
from corescore.replication.partitions import Partition
from corescore.tolerances import TOLERANCE
from corescore.wording import percent


def _figures_4_5(setting: Setting) -> pd.DataFrame:
    """Rows (order, entities, metric).

    Columns: order ("decreasing size" or "increasing size"), entities (how many are resolved),
    share (of the key's coreference links), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for order, reverse in {"decreasing size": True, "increasing size": False}.items():
        entities = sorted(key, key=len, reverse=reverse)
        links = [*accumulate((len(e) * (len(e) - 1) // 2 for e in entities), initial=0)]
        rows += [(order, n, correct / links[-1]) for n, correct in enumerate(links)]
        pairs += [(key, entities[:n]) for n in range(len(links))]
    return scored(rows, ["order", "entities", "share"], pairs, setting)


@needing("ceafe")
def _size_blind(table: pd.DataFrame) -> Check:
    orders = wide(table, ["order", "entities"]).groupby(level="entities")
    apart = (orders.max() - orders.min()).max()
    numbers = [
        f"{title_of(str(name))} {points(by)}" for name, by in apart.items() if name != "ceafe"
    ]
    same = f"CEAF_e differs by {points(apart['ceafe'])} between the orders"
    return Check(
        bool(apart["ceafe"] <= TOLERANCE), f"{same}; the others by up to: {', '.join(numbers)}"
    )


def _same(*metrics: str) -> Checker:
    """Whether metrics agree at every point, and where they differ most."""

    @needing(*metrics)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, ["order", "entities"])[[*metrics]]
        apart = (f1.max(axis=1) - f1.min(axis=1)).to_numpy()
        at = int(apart.argmax())
        if apart[at] <= TOLERANCE:
            return Check(True, f"at all {len(f1)} points")
        scores = ", ".join(f"{title_of(name)} {percent(f1[name].iloc[at])}" for name in metrics)
        orders, entities = (f1.index.get_level_values(name) for name in ("order", "entities"))
        where = f"with {entities[at]} entities in {orders[at]}: {scores}"
        return Check(False, f"up to {points(apart[at])} apart, {where}")

    return check


FIGURES_4_5 = Experiment(
    id="moosavi2016-fig4-5",
    paper=MOOSAVI_2016,
    where="Figures 4 and 5",
    title="Does it matter whether the large or the small entities are correct?",
    setup=(
        "Whole entities of the key are resolved one after the other, in decreasing size (Figure "
        "4) and in increasing size (Figure 5); the response has nothing else. The paper leaves "
        "nothing open."
    ),
    run=_figures_4_5,
    chart=Chart("lines", x="share", facet="order", x_title="correct coreference links, percent"),
    claims=(
        Claim(
            "CEAF_e depends only on how many entities are correct, not on which.",
            "Figures 4 and 5",
            _size_blind,
        ),
        Claim("B³, CEAF_m and LEA are equal.", "Figures 4 and 5", _same("bcub", "ceafm", "lea")),
        Claim(
            "B³, CEAF_e and LEA are equal.",
            "captions of Figures 4 and 5",
            _same("bcub", "ceafe", "lea"),
            note="The captions say only “CEAF”, which is true of CEAF_m but not of CEAF_e.",
        ),
    ),
    parameters=(KEY,),
)
