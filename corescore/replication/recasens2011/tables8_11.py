"""Recasens & Hovy 2011, Tables 8 to 11: eight responses to a key with many singletons."""

from pathlib import Path

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.replication.claims import COMPARED, as_printed, needing, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Setting,
)
from corescore.replication.partitions import of_sizes
from corescore.replication.printed import Printed
from corescore.replication.toys import (
    Pair,
    listed,
    n_different,
    toy_table,
)
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

N_SINGLETONS = Parameter(
    "singletons",
    "Singletons in the key",
    61,
    "The paper has 61. With fewer, B³ and CEAF fall; MUC of A to G stays the same.",
    minimum=4,
    maximum=500,
)
SYSTEMS = {
    "A": "two singletons linked",
    "B": "a singleton linked to the entity of 4",
    "C": "the entity of 3 in singletons",
    "D": "the entities of 4 and 3 as one",
    "E": "the entity of 4 in two halves, each with a singleton",
    "F": "the entity of 4 in four parts, each with a singleton",
    "G": "all singletons",
    "H": "one entity",
}
PRINTED = Printed("Table 10", Path(__file__).with_name("tables8_11.csv"))


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), responses A to H. Columns as `toy_table`, and about (in words)."""
    pairs = eight_systems(setting.number("singletons"))
    table = toy_table(list(SYSTEMS), pairs, setting.metrics, name="response")
    table.insert(1, "about", table["response"].map(SYSTEMS))
    return table


def eight_systems(n_singletons: int = 61) -> list[Pair]:
    """The key of `n_singletons` singletons and entities of 4, 3 and 2, with each of A to H."""
    *alone, four, three, two = ([*e] for e in of_sizes([*[1] * n_singletons, 4, 3, 2]))
    key = [*alone, four, three, two]
    every = [[m] for entity in key for m in entity]
    responses = [
        [[*alone[0], *alone[1]], *alone[2:], four, three, two],
        [[*alone[0], *four], *alone[1:], three, two],
        [*alone, four, *([m] for m in three), two],
        [*alone, [*four, *three], two],
        [[*alone[0], *four[:2]], [*alone[1], *four[2:]], *alone[2:], three, two],
        [*([*a, m] for a, m in zip(alone, four, strict=False)), *alone[4:], three, two],
        every,
        [[m for entity in key for m in entity]],
    ]
    return [(key, response) for response in responses]


@needing("muc", "blanc")
def _same_muc(table: pd.DataFrame) -> Check:
    muc, blanc = (wide(table, "response")[metric][[*"ABD"]] for metric in ("muc", "blanc"))
    holds = np.ptp(muc) < TOLERANCE and blanc.is_monotonic_decreasing and blanc.is_unique
    return Check(bool(holds), f"MUC: {listed(muc)}; BLANC: {listed(blanc)}")


@needing("bcub", "ceafm", "blanc")
def _inflated(table: pd.DataFrame) -> Check:
    """A to G; the one entity of H is low by any metric."""
    names = ["bcub", "ceafm", "blanc"]
    f1 = wide(table, "response").loc[[*"ABCDEFG"], names]
    low, high = f1.min(), f1.max()
    numbers = (f"{title_of(name)} {percent(low[name])} to {percent(high[name])}" for name in names)
    holds = min(low["bcub"], low["ceafm"]) > 0.9 and low["blanc"] < 0.5
    return Check(bool(holds), ", ".join(numbers))


@needing("muc", "bcub", "blanc")
def _all_singletons(table: pd.DataFrame) -> Check:
    names = ["muc", "bcub", "blanc"]
    f1 = wide(table, "response").loc[["F", "G"], names]
    rises = (f1.loc["G"] > f1.loc["F"]).to_dict()
    numbers = "; ".join(f"{title_of(name)}: {listed(f1[name])}" for name in names)
    return Check(rises == {"muc": False, "bcub": True, "blanc": False}, numbers)


@needing(*COMPARED)
def _discriminates(table: pd.DataFrame) -> Check:
    n = wide(table, "response")[list(COMPARED)].apply(n_different)
    numbers = ", ".join(f"{title_of(str(metric))} {count}" for metric, count in n.items())
    return Check(bool(n["blanc"] == len(SYSTEMS)), f"of {len(SYSTEMS)}: {numbers}")


TABLES_8_TO_11 = Experiment(
    id="recasens2011-tables8-11",
    paper=RECASENS_2011,
    where="Tables 8 to 11",
    title="Can responses be told apart where most mentions are singletons?",
    setup=(
        "Seventy mentions: 61 singletons and entities of four, three and two. Eight responses, "
        "from A (one wrong link) to G (all singletons) and H (one entity), with the numbers of "
        "their correct and wrong links. Key, responses and printed scores are not from the paper "
        "itself but from the tests of an open scorer (TestCorefMeasures of "
        "BBN-E/bue-common-open), which cite pp. 124–125 of Recasens's thesis (Barcelona 2010). The "
        "number of singletons can be changed."
    ),
    run=_systems,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "The printed scores match.",
            "Tables 8 to 11",
            as_printed(PRINTED),
        ),
        Claim(
            "Singletons raise B³ and CEAF, so that all responses but H score close to 100; BLANC "
            "spreads them out.",
            "Tables 8 to 11, abstract",
            _inflated,
            note="The bounds are ours: B³ and CEAF_m above 90, BLANC below 50 for the worst.",
        ),
        Claim(
            "MUC gives A, B and D the same score, whatever the wrong link connects; BLANC falls "
            "from A to B to D.",
            "Tables 8 to 11",
            _same_muc,
        ),
        Claim(
            "B³ scores singletons alone (G) higher than a response that keeps two of the entities "
            "(F); MUC and BLANC do not.",
            "our reading of Tables 8 to 11",
            _all_singletons,
        ),
        Claim(
            "BLANC gives each of the eight responses a different score.",
            "abstract (discrimination between systems)",
            _discriminates,
        ),
    ),
    parameters=(N_SINGLETONS,),
    printed=(PRINTED,),
)
