"""Moosavi & Strube 2016: the paper, its toy key, Figures 4 and 5, and Table 3."""

from itertools import accumulate

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.counting.counts import MEASURES
from corescore.replication.claims import Checker, in_order, joined, needing, points, title, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Setting,
)
from corescore.replication.partitions import Partition, of_sizes, read_sizes, score_partitions
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

KEY = Parameter(
    "key",
    "Entities of the key",
    "20 10×2 5×3 4 2×10",
    "Their sizes, in mentions: 10×2 is two of ten.",
    reads=read_sizes,
)


def scored(
    rows: list[tuple[object, ...]],
    names: list[str],
    pairs: list[tuple[Partition, Partition]],
    setting: Setting,
) -> pd.DataFrame:
    """The scores of each pair, told apart by a row of columns of these names.

    Rows (pair, metric). Columns: the names, metric, recall, precision, f1; fractions.
    """
    told = pd.DataFrame(rows, columns=names)
    scores = score_partitions(pairs, setting.metrics).set_index("pair")
    return told.join(scores[["metric", *MEASURES]]).reset_index(drop=True)


def toy_key(setting: Setting) -> list[range]:
    """The key of the parameter "key"."""
    return of_sizes(read_sizes(str(setting.values["key"])))


# Figures 4 and 5: whole entities ------------------------------------------------------------------


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
        rows += [(order, n, right / links[-1]) for n, right in enumerate(links)]
        pairs += [(key, entities[:n]) for n in range(len(links))]
    return scored(rows, ["order", "entities", "share"], pairs, setting)


@needing("ceafe")
def _size_blind(table: pd.DataFrame) -> Check:
    orders = wide(table, ["order", "entities"]).groupby(level="entities")
    apart = (orders.max() - orders.min()).max()
    numbers = [f"{title(str(name))} {points(by)}" for name, by in apart.items() if name != "ceafe"]
    same = f"CEAF_e differs by {points(apart['ceafe'])} between the orders"
    return Check(
        bool(apart["ceafe"] <= TOLERANCE), f"{same}; others by up to: {', '.join(numbers)}"
    )


def _same(*metrics: str) -> Checker:
    """Whether metrics agree at every point, and where they part most."""

    @needing(*metrics)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, ["order", "entities"])[[*metrics]]
        apart = (f1.max(axis=1) - f1.min(axis=1)).to_numpy()
        at = int(apart.argmax())
        if apart[at] <= TOLERANCE:
            return Check(True, f"at all {len(f1)} points")
        scores = ", ".join(f"{title(name)} {percent(f1[name].iloc[at])}" for name in metrics)
        orders, entities = (f1.index.get_level_values(name) for name in ("order", "entities"))
        where = f"with {entities[at]} entities in {orders[at]}: {scores}"
        return Check(False, f"up to {points(apart[at])} apart, {where}")

    return check


FIGURES_4_5 = Experiment(
    id="moosavi2016-fig4-5",
    paper=MOOSAVI_2016,
    where="Figures 4 and 5",
    title="Does it matter whether large or small entities are right?",
    setup=(
        "Whole entities of the key are resolved one after the other, in decreasing size (Figure "
        "4) and in increasing size (Figure 5); nothing else is in the response. Nothing is left "
        "open."
    ),
    run=_figures_4_5,
    chart=Chart("lines", x="share", facet="order", x_title="right coreference links, percent"),
    claims=(
        Claim(
            "CEAF_e does not care which entities are right, only how many.",
            "Figures 4 and 5",
            _size_blind,
        ),
        Claim("B³, CEAF_m and LEA are the same.", "Figures 4 and 5", _same("bcub", "ceafm", "lea")),
        Claim(
            "B³, CEAF_e and LEA are the same.",
            "captions of Figures 4 and 5",
            _same("bcub", "ceafe", "lea"),
            note="The captions say only “CEAF”: that is true of CEAF_m, not of CEAF_e.",
        ),
    ),
    parameters=(KEY,),
)

# Table 3: entities that are not aligned -----------------------------------------------------------

_PRINTED = {
    "muc": (0.9230, 0.6000),
    "bcub": (0.6666, 0.4000),
    "ceafm": (0.5000, 0.6666),
    "ceafe": (0.4444, 0.6666),
    "blanc": (0.6000, 0.3229),
}


def _table_3(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), response "cr1" (both halves) or "cr2" (one of them).

    Columns: response, metric, recall, precision, f1; fractions.
    """
    key, halves = of_sizes([8]), of_sizes([4, 4])
    table = score_partitions([(key, halves), (key, halves[:1])], setting.metrics)
    table.insert(0, "response", table["pair"].map({0: "cr1", 1: "cr2"}))
    return table[["response", "metric", "recall", "precision", "f1"]]


def _printed() -> pd.DataFrame:
    """Columns: response, metric, f1: what the paper prints, as fractions."""
    rows = [
        (response, metric, f1)
        for metric, both in _PRINTED.items()
        for response, f1 in zip(("cr1", "cr2"), both, strict=True)
    ]
    return pd.DataFrame(rows, columns=["response", "metric", "f1"])


@needing("ceafm", "ceafe")
def _half_is_better(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response")
    metrics = ("ceafm", "ceafe")
    return joined((title(name), in_order(f1[name], ["cr2", "cr1"])) for name in metrics)


@needing("muc", "bcub", "blanc", "lea")
def _both_are_better(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response")
    metrics = ("muc", "bcub", "blanc", "lea")
    return joined((title(name), in_order(f1[name], ["cr1", "cr2"])) for name in metrics)


def _as_printed(table: pd.DataFrame) -> Check:
    both = _printed().merge(table, on=["response", "metric"], suffixes=("_printed", ""))
    if both.empty:
        return Check(None, "none of the paper's metrics is scored")
    off = both[(both["f1"] - both["f1_printed"]).abs() > 0.0001]
    wrong = [
        f"{title(row['metric'])} of {row['response']} is {percent(row['f1'])}, "
        f"the paper prints {percent(row['f1_printed'])}"
        for row in off.to_dict("records")
    ]
    numbers = f"{len(both) - len(off)} of {len(both)} figures"
    return Check(not wrong, "; ".join([numbers, *wrong]))


TABLE_3 = Experiment(
    id="moosavi2016-table3",
    paper=MOOSAVI_2016,
    where="Table 3",
    title="Does CEAF see what it has not aligned?",
    setup=(
        "The key is one entity of eight mentions. Response cr1 has it in two halves of four; "
        "cr2 has one half and nothing else. All that cr2 has right, cr1 has right too, and it has "
        "six right links more. Nothing is left open."
    ),
    run=_table_3,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "CEAF scores the half higher than both halves: it aligns one entity with one and does "
            "not see that the other half is right too.",
            "Table 3",
            _half_is_better,
        ),
        Claim(
            "MUC, B³, BLANC and LEA score both halves higher.",
            "Table 3; LEA is not in it",
            _both_are_better,
        ),
        Claim(
            "The figures of the table come out, to a hundredth of a point.",
            "Table 3",
            _as_printed,
            note="The paper's figures are cut after two decimals, not rounded. BLANC of cr2 is "
            "2·(6/28) / (1 + 6/28) = 6/17 = 35.29; we take the 32.29 of the paper for a slip.",
        ),
    ),
    published=_printed,
)

EXPERIMENTS = (FIGURES_4_5, TABLE_3)
