"""Recasens & Hovy 2011, after Tables 12 and 13: the weight α."""

from itertools import pairwise

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.corpus.problems import PolicyError
from corescore.metrics.variants import weighted_blanc
from corescore.replication.claims import needing, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import Partition, of_sizes
from corescore.replication.toys import (
    LINK_COLUMNS,
    Pair,
    listed,
    toy_table,
)
from corescore.wording import percent


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
    Parameter("mentions", "Mentions", 70, "As in Tables 8 to 11.", minimum=5, maximum=500),
)
TWO, THREE = "an entity of 2", "an entity of 3"
FOUND, BESIDE, PART, MISSED = "found", "and a wrong link", "in part", "missed"


def _alpha(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric): the metrics, and "blanc_α" for each weight α.

    Columns: key and response in words, metric, recall, precision, f1, and the links as `toy_table`.
    """
    weights = read_weights(setting.text("alpha"))
    metrics = (*setting.metrics, *map(weighted_blanc, weights))
    cases = _alpha_cases(setting.number("mentions"))
    table = toy_table(list(cases), list(cases.values()), metrics, name="case")
    table.insert(0, "key", [key for key, _ in table["case"]])
    table.insert(1, "response", [response for _, response in table["case"]])
    return table.drop(columns="case")


def _alpha_cases(n: int) -> dict[tuple[str, str], Pair]:
    """The pair for each (key, response) in words; all other mentions are singletons."""
    linked = {
        (TWO, FOUND): ([2], [2]),
        (TWO, BESIDE): ([2], [2, 2]),
        (TWO, MISSED): ([2], []),
        (THREE, FOUND): ([3], [3]),
        (THREE, PART): ([3], [2]),
        (THREE, MISSED): ([3], []),
    }
    return {
        case: (_with_singletons(key, n), _with_singletons(r, n))
        for case, (key, r) in linked.items()
    }


def _with_singletons(sizes: list[int], n: int) -> Partition:
    return of_sizes([*sizes, *[1] * (n - sum(sizes))])


def _missed(table: pd.DataFrame) -> pd.DataFrame:
    """The rows where the only coreference link is missed, by metric."""
    missed = (table["key"] == TWO) & (table["response"] == MISSED)
    return table[missed].set_index("metric")


@needing("blanc", "bcub", "ceafm")
def _severe_fall(table: pd.DataFrame) -> Check:
    rows = _missed(table)
    links = rows.iloc[0][list(LINK_COLUMNS)]
    wrong = links["wrong_coreference"] + links["wrong_non_coreference"]
    f1 = rows["f1"][["blanc", "bcub", "ceafm"]]
    numbers = f"{wrong} of {links.sum()} links wrong: {listed(f1)}"
    return Check(bool(f1["blanc"] <= 0.5 and min(f1["bcub"], f1["ceafm"]) > 0.9), numbers)


def _softer(table: pd.DataFrame) -> Check:
    f1 = _missed(table)["f1"]
    weights = sorted((name for name in f1.index if name.startswith("blanc_")), key=_weight_of)
    numbers = ", ".join(f"α = {_weight_of(name):g}: {percent(f1[name])}" for name in weights)
    if len(weights) < 2:
        return Check(None, f"one weight only, {numbers}")
    return Check(all(f1[small] > f1[large] for small, large in pairwise(weights)), numbers)


def _weight_of(metric: str) -> float:
    return float(metric.removeprefix("blanc_"))


@needing("blanc")
def _part_found(table: pd.DataFrame) -> Check:
    f1 = wide(table[table["key"] == THREE], "response")["blanc"]
    return Check(bool(f1[FOUND] > f1[PART] > f1[MISSED]), listed(f1))


TABLES_12_AND_13 = Experiment(
    id="recasens2011-tables12-13",
    paper=RECASENS_2011,
    where="after Tables 12 and 13",
    title="What if the only coreference link is missed?",
    setup=(
        "In the key, one entity has two mentions (one link) or three; all others are singletons. "
        "The response finds this entity, finds it but adds a wrong link, finds part of it, or "
        "misses it. BLANC_α = α · F of the coreference links + (1 − α) · F of the non-coreference "
        "links. The weights are the paper's; the partitions are ours, because we could not check "
        "those of Tables 12 and 13."
    ),
    run=_alpha,
    chart=Chart("bars", x="response", x_title="response", facet="key"),
    claims=(
        Claim(
            "A response that misses the only coreference link has one link wrong, and BLANC falls "
            "to half; B³ and CEAF hardly change.",
            "Tables 12 and 13",
            _severe_fall,
        ),
        Claim("With a smaller α, BLANC falls less.", "Tables 12 and 13", _softer),
        Claim(
            "BLANC for part of an entity lies between that for all of it and that for none.",
            "not in the paper",
            _part_found,
        ),
    ),
    parameters=ALPHA,
)
