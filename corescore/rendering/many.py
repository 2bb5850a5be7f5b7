"""Systems over several data sets: a frame with fractions, and the same to be read."""

from collections.abc import Mapping
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.significance import INTERVALS, Kind
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.pair import Pair
from corescore.metrics import METRIC_IDS, title_of
from corescore.rendering.text import TextTable
from corescore.sentences import compare
from corescore.sentences import many as sentences
from corescore.wording import RATIOS, capital, counted, interval, p_value, percent, signed, written


def signature(found: DataSets, settings: str, n_documents: int) -> str:
    """What the systems are compared by, on how much, and the policies.

    settings     of the tallies, as `Tally.settings`
    n_documents  of all data sets
    """
    documents = counted(n_documents, "document")
    of = counted(len(found.data_sets), "data set")
    return f"{settings} within each of {of} | {documents} | {found.metric} {found.measure}"


def readable_data_sets(found: DataSets) -> TextTable:
    """A row for each system, the best first; a column for each data set, their mean and the mean
    rank."""
    rows = []
    for at in found.order.tolist():
        scores = [percent(score) for score in (*found.scores[at], found.macro[at])]
        rows.append([found.systems[at], *scores, written(found.mean_ranks[at])])
    title = title_of(found.metric)
    notes = (
        f"{title}: {capital(RATIOS[found.measure])} in percent. {sentences.columns(found)}",
        *sentences.tested(found),
    )
    header = ["system", *found.data_sets, "macro", "mean rank"]
    return TextTable(header, rows, (0,), notes)


def frame(found: DataSets) -> pd.DataFrame:
    """A row for each system, the best first, and data set: metric, measure, score, a fraction, its
    rank on the data set; then what is of the system (macro, mean_rank) and of all systems
    (friedman_p, critical_difference of mean ranks), NaN where nothing is tested."""
    rows = [
        {
            "system": found.systems[at],
            "data_set": data_set,
            "metric": found.metric,
            "measure": found.measure,
            "score": found.scores[at, of],
            "rank": found.ranks[at, of],
            "macro": found.macro[at],
            "mean_rank": found.mean_ranks[at],
        }
        for at in found.order.tolist()
        for of, data_set in enumerate(found.data_sets)
    ]
    p, needed = found.friedman[1], found.critical_difference
    return pd.DataFrame(rows).assign(friedman_p=p, critical_difference=needed)


def tests(found: DataSets) -> Mapping[str, Any]:
    """The tests as JSON has them; null where nothing is tested.

    friedman             chi_square, p
    orders               that p is counted from: whether all, how many, and the smallest p that
                         so many systems and data sets can give
    critical_difference  of mean ranks, at the level alpha
    pairs                Nemenyi's p of each two systems
    groups               of systems that do not differ significantly
    """
    chi_square, p = found.friedman
    pairs = [
        {
            "system_a": found.systems[a],
            "system_b": found.systems[b],
            "p": _or_null(found.p[a, b]),
        }
        for a, b in combinations(found.order.tolist(), 2)
    ]
    return {
        "alpha": found.alpha,
        "friedman": {"chi_square": _or_null(chi_square), "p": _or_null(p)},
        "orders": asdict(found.orders) if found.is_tested else None,
        "critical_difference": _or_null(found.critical_difference),
        "pairs": pairs,
        "groups": found.groups,
    }


def _or_null(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# Two systems in a paper: a table of scores and differences, with its test and policies named ------


def paper_table(
    pair: Pair, measure: str, names: Mapping[str, str], *, intervals: Kind = "simultaneous"
) -> TextTable:
    """One row per metric: both scores, their difference with its interval, if there is any, and p.

    names  the systems' names by their letters
    """
    low, high = INTERVALS[intervals]
    table = pair.significance.query("measure == @measure").set_index("metric")
    table = table.loc[[name for name in (*METRIC_IDS, "conll") if name in table.index]]
    columns = [
        ("", map(title_of, map(str, table.index))),
        (names["A"], map(percent, table["a"])),
        (names["B"], map(percent, table["b"])),
        ("difference", map(signed, table["difference"])),
        ("95% interval", map(interval, table[low], table[high])),
        ("p", [p_value(compare.corrected(row)) for _, row in table.iterrows()]),
    ]
    if table[low].isna().all():
        del columns[-2]
    heads, cells = zip(*columns, strict=True)
    return TextTable(
        heads,
        [list(row) for row in zip(*cells, strict=True)],
        notes=(
            f"{capital(RATIOS[measure])} in percent; differences ({names['B']} − {names['A']}) in "
            "points.",
            compare.how_tested(pair.randomisation, intervals),
        ),
    )
