"""Moosavi & Strube 2016, Figures 4 and 5: whole entities, one after the other."""

from itertools import accumulate
from math import nan

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, numbers_of, others, points, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Setting,
)
from corescore.replication.moosavi2016.toy_key import KEY_WITH_SINGLETONS, scored, toy_key
from corescore.replication.partitions import Partition
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE


def _figures_4_5(setting: Setting) -> pd.DataFrame:
    """Rows (order, entities, metric).

    Columns: order ("decreasing size" or "increasing size"), entities (how many are resolved),
    resolved (their share of the key's entities), share (of the key's coreference links that are
    correct), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for order, reverse in {"decreasing size": True, "increasing size": False}.items():
        entities = sorted(key, key=len, reverse=reverse)
        links = [*accumulate((len(e) * (len(e) - 1) // 2 for e in entities), initial=0)]
        rows += [(order, n, n / len(key), found / links[-1]) for n, found in enumerate(links)]
        pairs += [(key, entities[:n]) for n in range(len(links))]
    return scored(rows, ["order", "entities", "resolved", "share"], pairs, setting)


def _drawn(table: pd.DataFrame) -> pd.DataFrame:
    """The metrics and, as in the paper's figures, the share of correct links as one more curve."""
    links = table.drop_duplicates(["order", "entities"])
    links = links.assign(metric="correct_links", recall=nan, precision=nan, f1=links["share"])
    return pd.concat([table[table["metric"] != "conll"], links], ignore_index=True)


@needing("ceafe")
def _size_blind(table: pd.DataFrame) -> Check:
    apart = _between_orders(table, "f1").max()
    numbers = [
        f"{title_of(str(name))} {points(by)}" for name, by in apart.items() if name != "ceafe"
    ]
    same = f"CEAF_e differs by {points(apart['ceafe'])} between the orders"
    return Check(
        bool(apart["ceafe"] <= TOLERANCE), f"{same}; the others by up to: {', '.join(numbers)}"
    )


@needing("blanc")
def _most_sensitive(table: pd.DataFrame) -> Check:
    """Whether BLANC differs most between the orders: as many entities, but other links."""
    rest = others(table, "blanc")
    if not rest:
        return Check(None, "no other metric is scored")
    apart, links = _between_orders(table, "f1"), _between_orders(table, "share")["blanc"]
    numbers = ", ".join(f"{title_of(name)} {points(apart[name].max())}" for name in rest)
    at = int(apart["blanc"].argmax())
    most = f"BLANC {points(apart['blanc'].iloc[at])} with {apart.index[at]} entities each"
    holds = apart["blanc"].max() > apart[rest].max().max() + TOLERANCE
    return Check(
        bool(holds),
        f"between the orders, at most: {most}, where the correct links are "
        f"{points(links.iloc[at])} apart; {numbers}",
    )


def _between_orders(table: pd.DataFrame, value: str) -> pd.DataFrame:
    """How far a value differs between the orders: a row for each number of entities, by metric."""
    orders = wide(table, ["order", "entities"], value).groupby(level="entities")
    return orders.max() - orders.min()


def _same(*metrics: str) -> Checker:
    """Whether metrics agree at every point, and where they differ most."""

    @needing(*metrics)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, ["order", "entities"])[[*metrics]]
        apart = (f1.max(axis=1) - f1.min(axis=1)).to_numpy()
        at = int(apart.argmax())
        if apart[at] <= TOLERANCE:
            return Check(True, f"at all {len(f1)} points")
        orders, entities = (f1.index.get_level_values(name) for name in ("order", "entities"))
        where = f"with {entities[at]} entities in {orders[at]}: {numbers_of(f1.iloc[at])}"
        return Check(False, f"up to {points(apart[at])} apart, {where}")

    return check


def _equal_by_captions(table: pd.DataFrame) -> Check:
    """Whether B³, CEAF and LEA agree, with either CEAF."""
    checks = {name: _same("bcub", name, "lea")(table) for name in ("ceafm", "ceafe")}
    readings = (Reading(f"CEAF is {title_of(name)}", check.holds) for name, check in checks.items())
    numbers = "; ".join(f"{title_of(name)}: {check.numbers}" for name, check in checks.items())
    return Check(checks["ceafe"].holds, numbers, readings=tuple(readings))


FIGURES_4_5 = Experiment(
    id="moosavi2016-fig4-5",
    paper=MOOSAVI_2016,
    where="Figures 4 and 5",
    title="Does it matter whether the large or the small entities are correct?",
    setup=(
        "Whole entities of the key are resolved one after the other, in decreasing size (Figure "
        "4) and in increasing size (Figure 5); the response has nothing else. The paper does not "
        "name the horizontal axis: we take it for the share of the entities that are resolved, as "
        "the share of the correct links is a curve of its own, there and here."
    ),
    run=_figures_4_5,
    chart=Chart(
        "lines",
        x="resolved",
        facet="order",
        x_title="resolved entities, percent",
        of=_drawn,
    ),
    claims=(
        Claim(
            "CEAF_e depends only on how many entities are correct, not on which.",
            "§7.2, Figures 4 and 5",
            _size_blind,
            id="ceafe-sizes",
            scope="result",
        ),
        Claim(
            "B³, CEAF_m and LEA are equal.",
            "§7.2, Figures 4 and 5",
            _same("bcub", "ceafm", "lea"),
            id="equal",
            scope="result",
        ),
        Claim(
            "B³, CEAF and LEA are equal.",
            "captions of Figures 4 and 5",
            _equal_by_captions,
            note="§7.2 says so of CEAF_m; the captions name no variant.",
            id="equal-by-captions",
            scope="result",
        ),
        Claim(
            "BLANC is the most sensitive to the number of links: with as many entities resolved, "
            "it differs most between large and small ones.",
            "§7.2, Figures 4 and 5",
            _most_sensitive,
            note="The paper says that BLANC is very sensitive; that we compare is our reading.",
            id="blanc-links",
            scope="result",
        ),
    ),
    parameters=(KEY_WITH_SINGLETONS,),
)
