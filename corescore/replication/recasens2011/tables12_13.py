"""Recasens & Hovy 2011, Tables 12 and 13: a key with a single link, and the weight α."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.corpus.problems import PolicyError
from corescore.metrics.variants import weighted_blanc
from corescore.replication.claims import (
    as_printed,
    by_metric,
    joined,
    needing,
    points,
    told_by,
    wide,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import Partition
from corescore.replication.printed import Printed
from corescore.replication.toys import Pair, toy_table
from corescore.tolerances import TOLERANCE


def read_weights(text: str) -> tuple[float, ...]:
    """Up to ten weights α from 0 to 1, separated by spaces or commas; else PolicyError."""
    try:
        weights = tuple(float(word) for word in text.replace(",", " ").split())
    except ValueError:
        weights = ()
    if not 1 <= len(weights) <= 10 or not all(0 <= weight <= 1 for weight in weights):
        raise PolicyError(f"α is '{text}'; expected one to ten numbers from 0 to 1: 0.5 0.2 0.1")
    return tuple(dict.fromkeys(weights))


ALPHA = (
    Parameter(
        "alpha",
        "Weights α of the coreference links",
        "0.5 0.2 0.1",
        "α = 0.5 is BLANC itself; the weight of the non-coreference links is 1 − α.",
        reads=read_weights,
    ),
    Parameter(
        "mentions", "Mentions", 18, "The paper has 18; two of them corefer.", minimum=5, maximum=500
    ),
)
PRINTED = Printed("Table 13", Path(__file__).with_name("table13.csv"))
EVEN = 0.5  # the weight of BLANC itself


def table_12_pairs(n: int = 18) -> dict[str, Pair]:
    """The key, whose last two of n mentions corefer, with each response by its name."""
    last = n - 1
    key = _linked(n, [last - 1, last])
    return {
        "A": (key, _linked(n)),
        "B": (key, _linked(n, [last - 2, last - 1])),
        "C": (key, _linked(n, [last - 3, last - 2])),
        "D": (key, _linked(n, [last - 3, last - 2], [last - 1, last])),
    }


def _linked(n: int, *entities: list[int]) -> Partition:
    """These entities, and every other of n mentions alone."""
    alone = sorted({*range(n)} - {mention for entity in entities for mention in entity})
    return [*([mention] for mention in alone), *entities]


def _table_13(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric): the metrics, and "blanc_α" for each weight α but that of BLANC.

    Columns as `toy_table`.
    """
    weights = read_weights(setting.text("alpha"))
    metrics = (*setting.metrics, *(weighted_blanc(weight) for weight in weights if weight != EVEN))
    pairs = table_12_pairs(setting.number("mentions"))
    return toy_table(list(pairs), list(pairs.values()), metrics, name="response")


# The claims ---------------------------------------------------------------------------------------


def _leap(table: pd.DataFrame) -> Check:
    """From the best of A, B and C to D, by weight."""
    f1 = wide(table, "response").to_dict()
    weights = sorted((str(name) for name in f1 if str(name).startswith("blanc")), key=_weight_of)
    leaps = [f1[name]["D"] - max(f1[name][other] for other in "ABC") for name in weights]
    numbers = ", ".join(
        f"α = {_weight_of(name):g}: {points(leap)}"
        for name, leap in zip(weights, leaps, strict=True)
    )
    if len(weights) < 2:
        return Check(None, f"one weight only, {numbers}")
    return Check(min(leaps) > 0 and all(a < b for a, b in pairwise(leaps)), numbers)


def _weight_of(metric: str) -> float:
    return float(metric.removeprefix("blanc_")) if metric != "blanc" else EVEN


@needing("muc", "blanc")
def _muc_leaps_more(table: pd.DataFrame) -> Check:
    """A dash is no score; B and C have 0."""
    f1 = wide(table, "response").to_dict()
    blanc, muc = (f1[name]["D"] - f1[name]["B"] for name in ("blanc", "muc"))
    return Check(bool(muc > blanc), f"from B to D: MUC {points(muc)}, BLANC {points(blanc)}")


@needing("bcub", "ceafm")
def _no_difference(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response").loc[["A", "D"]]
    names = ["bcub", "ceafm"]
    holds = all(np.ptp(f1[name]) < TOLERANCE for name in names)
    return Check(holds, by_metric(f1, names))


@needing("bcub", "ceafm")
def _only_d_finds_it(table: pd.DataFrame) -> Check:
    found = table.drop_duplicates("response").set_index("response")["right_coreference"]
    links = ", ".join(f"{name} {count}" for name, count in found.items())
    only_d = Check(bool(found["D"] == 1 and found.sum() == 1), links)
    return joined([("correct links", only_d), ("scores", _no_difference(table))])


@needing("bcub", "ceafm", "blanc")
def _b_above_c(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response").loc[["B", "C"]]
    by = {name: b - c for name in ("ceafm", "bcub", "blanc") for b, c in [f1[name].tolist()]}
    alike = max(abs(by["bcub"]), abs(by["blanc"])) < TOLERANCE
    return Check(bool(by["ceafm"] > TOLERANCE and alike), by_metric(f1, by))


TABLES_12_AND_13 = Experiment(
    id="recasens2011-tables12-13",
    paper=RECASENS_2011,
    where="Tables 12 and 13",
    title="What if a key has one coreference link only?",
    setup=(
        "Eighteen mentions, of which the last two corefer; all others are singletons. Response A "
        "has only singletons, B and C have one wrong link, which touches the entity (B) or does "
        "not (C), and D finds the link and adds C’s wrong one. BLANC_α = α · F of the coreference "
        "links + (1 − α) · F of the non-coreference links; with α = 0.5 it is BLANC. In our copy, "
        "a scan, both tables are garbled: which row belongs to which response is a reading, by "
        "which all figures of Table 13 come out."
    ),
    run=_table_13,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "The printed scores match.",
            "Table 13",
            as_printed(PRINTED),
            id="as-printed",
            scope="result",
            ours=True,
        ),
        Claim(
            "BLANC leaps from A, B and C to D; the smaller α is, the less it does.",
            "§5.1, Table 13",
            _leap,
            id="leap",
            in_print=told_by(PRINTED, _leap),
            scope="result",
        ),
        Claim(
            "MUC, which cannot score A to C, rises even more.",
            "§5.1, Table 13",
            _muc_leaps_more,
            id="muc-rises-more",
            in_print=told_by(PRINTED, _muc_leaps_more),
            scope="result",
        ),
        Claim(
            "B³ and CEAF score A and D alike, though D alone finds the link.",
            "§5.1, Table 13",
            _only_d_finds_it,
            note="CEAF is that of mentions; CEAF_e, which the paper leaves out, even puts A first. "
            "LEA, which is younger, scores both alike, too.",
            id="a-and-d-alike",
            in_print=told_by(PRINTED, _no_difference),
            scope="result",
        ),
        Claim(
            "CEAF scores B above C, which B³ and BLANC score alike.",
            "§5.1, Table 13",
            _b_above_c,
            id="b-above-c",
            in_print=told_by(PRINTED, _b_above_c),
            scope="result",
        ),
    ),
    parameters=ALPHA,
    printed=(PRINTED,),
)
