"""Recasens & Hovy 2011, Tables 3 and 16: published scores on ACE, and two baselines."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.replication.claims import as_printed, points, told_by
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.printed import Printed
from corescore.replication.recasens2011.table2 import unlinked
from corescore.tolerances import TOLERANCE
from corescore.wording import counted

ON = ("corpus", "system", "metric")
_HERE = Path(__file__)
TABLE_3 = Printed("Table 3", _HERE.with_name("table3.csv"), ON)
TABLE_16 = Printed("Table 16", _HERE.with_name("table16.csv"), ON)
ALONE, ONE = "All-singletons baseline", "One-entity baseline"


def _published(setting: Setting) -> pd.DataFrame:
    """Rows (corpus, system, metric), metric "ace" for ACE-Value.

    Columns: corpus, system, metric, published (the score in Tables 3 and 16) and f1 (what follows
    from another published score; NaN where none does).
    """
    both = pd.concat([TABLE_3.numbers, TABLE_16.numbers]).drop_duplicates([*ON])
    table = both.dropna(subset="f1").rename(columns={"f1": "published"})
    table = table.sort_values("corpus", kind="stable", ignore_index=True)
    known = table.set_index([*ON])["published"]
    follows = {
        (corpus, ALONE, metric): value
        for corpus in table["corpus"].unique()
        for metric, value in (
            ("bcub", unlinked(known[corpus, ALONE, "ceafm"], 1)["bcub"]),
            ("blanc", blanc_alone(known[corpus, ONE, "blanc"])),
        )
    }
    rows = table[[*ON]].itertuples(index=False, name=None)
    return table.assign(f1=[follows.get(row, np.nan) for row in rows])


def blanc_alone(blanc_of_one: float) -> float:
    """BLANC of singletons alone by that of one entity, for the same key.

    Where a share p of all links are coreference links, one entity has BLANC p/(1 + p), half of F
    of the coreference links; singletons have (1 − p)/(2 − p), half of F of the others.
    """
    share = blanc_of_one / (1 - blanc_of_one)
    return (1 - share) / (2 - share)


# Checks of the published scores -------------------------------------------------------------------


def _f1(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each corpus, with a row for each system and a column for each metric."""
    for corpus, rows in table.groupby("corpus", sort=False):
        yield str(corpus), rows.pivot(index="system", columns="metric", values="f1")


def _one_entity_is_high(table: pd.DataFrame) -> Check:
    """Above more than half of the systems, by MUC."""
    numbers, holds = [], []
    for corpus, f1 in _f1(table):
        muc = f1["muc"].drop(ALONE).dropna()
        systems = muc.drop(ONE)
        below = int((systems < muc[ONE]).sum())
        above = f"above {below} of {counted(len(systems), 'system')}"
        numbers.append(f"{corpus}: {100 * muc[ONE]:.1f}, {above}")
        holds.append(below > len(systems) / 2)
    return Check(all(holds), "; ".join(numbers))


def _not_alike(table: pd.DataFrame) -> Check:
    """Two systems that two metrics put in different orders, on each corpus."""
    found = {corpus: _reversal(f1.drop([ALONE, ONE])) for corpus, f1 in _f1(table)}
    numbers = "; ".join(f"{corpus}: {says or 'all alike'}" for corpus, says in found.items())
    return Check(any(found.values()), numbers)


def _reversal(f1: pd.DataFrame) -> str:
    for one, other in combinations(f1, 2):
        both = f1[[one, other]].dropna()
        for a, b in combinations(both.index, 2):
            ahead = both.loc[[a]].to_numpy() - both.loc[[b]].to_numpy()
            if ahead.prod() < 0:
                first, second = (a, b) if ahead[0, 0] > 0 else (b, a)
                return (
                    f"{title_of(str(one))} puts {first} above {second}, {title_of(str(other))} the "
                    "other way round"
                )
    return ""


def _luo_first(table: pd.DataFrame) -> Check:
    best = {corpus: {*f1.idxmax()} for corpus, f1 in _f1(table)}
    numbers = "; ".join(f"{corpus}: {' or '.join(sorted(first))}" for corpus, first in best.items())
    every = [name for first in best.values() for name in first]
    return Check(len(every) == len(best) and all("Luo" in name for name in every), numbers)


def _closer(table: pd.DataFrame) -> Check:
    """By the systems; the baselines are named where they are an exception."""
    nearer = {"ACE-2": "bcub", "ACE-2004": "ceafm"}
    numbers, holds = [], []
    for corpus, f1 in _f1(table.dropna(subset="f1")):
        apart = f1[["bcub", "ceafm"]].sub(f1["blanc"], axis=0).abs()
        for system, row in apart.iterrows():
            fits = row.idxmin() == nearer[corpus]
            is_baseline = system in (ALONE, ONE)
            holds += [] if is_baseline else [fits]
            if not (is_baseline and fits):
                far = " and ".join(f"{points(row[m])} from {title_of(m)}" for m in row.index)
                numbers.append(f"{system} on {corpus}: {far}")
    return Check(all(holds), "; ".join(numbers))


def _repeated(table: pd.DataFrame) -> Check:
    """Whether the cells that both tables have are the same."""
    both = TABLE_3.numbers.merge(TABLE_16.numbers, on=[*ON]).dropna(subset=["f1_x", "f1_y"])
    same = int(((both["f1_x"] - both["f1_y"]).abs() < TOLERANCE).sum())
    return Check(same == len(both), f"{same} of {len(both)} cells")


def _not_here(table: pd.DataFrame) -> Check:
    return Check(None, "the responses are not public, so that nothing can be scored")


TABLES_3_AND_16 = Experiment(
    id="recasens2011-tables3-16",
    paper=RECASENS_2011,
    where="Tables 3 and 16",
    title="Do the metrics rank published systems alike?",
    setup=(
        "Published scores of systems on ACE-2 and ACE-2004, with two baselines: every mention "
        "alone, and all mentions of a document together. Table 16 adds BLANC to some rows of Table "
        "3. Nothing is scored here, since the responses are not public; so what the paper says of "
        "them can hold in print only. Two scores of the first baseline follow from others: its "
        "CEAF_m c is the share of entities among mentions, and its B³ is 2c/(1 + c); its BLANC "
        "follows from that of the second baseline, because both depend on the share of coreference "
        "links alone. The systems were not all scored on the same documents and mentions (§3.1)."
    ),
    run=_published,
    chart=Chart(
        "bars",
        x="system",
        y="published",
        x_title="system",
        y_title="published score, percent",
        facet="corpus",
    ),
    claims=(
        Claim(
            "The one-entity baseline scores high by MUC.",
            "§3.1, Table 3",
            _not_here,
            note="What we check: it is above more than half of the systems.",
            id="one-entity",
            in_print=told_by(TABLE_3, _one_entity_is_high),
            scope="comparison",
        ),
        Claim(
            "The metrics do not rank the systems alike.",
            "§3.1, Table 3",
            _not_here,
            id="not-alike",
            in_print=told_by(TABLE_3, _not_alike),
            scope="comparison",
        ),
        Claim(
            "All metrics put Luo et al. (2004) and Luo & Zitouni (2005) first.",
            "§3.1, Table 3",
            _not_here,
            id="luo-first",
            in_print=told_by(TABLE_3, _luo_first),
            scope="comparison",
        ),
        Claim(
            "BLANC is closer to B³ on ACE-2 and closer to CEAF on ACE-2004.",
            "§5.2, Table 16",
            _not_here,
            note="How far BLANC is from both, for the systems and for a baseline that is an "
            "exception.",
            id="closer",
            in_print=told_by(TABLE_16, _closer),
            scope="comparison",
        ),
        Claim(
            "B³ and BLANC of the all-singletons baseline follow from its CEAF and from BLANC of "
            "the other baseline.",
            "our check of Tables 3 and 16",
            as_printed(TABLE_16),
            id="baselines",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "Table 16 repeats the figures of Table 3.",
            "our check of Table 16",
            _repeated,
            id="repeated",
            scope="comparison",
            ours=True,
        ),
    ),
    printed=(TABLE_3, TABLE_16),
)
