"""Two systems in a paper: a table of scores and differences, with its test and policies named."""

from collections.abc import Mapping

from corescore.analysis.significance.kinds import INTERVALS, Kind
from corescore.analysis.systems.pair import Pair
from corescore.metrics import METRIC_IDS, title_of
from corescore.rendering.text import TextTable
from corescore.sentences import two_systems
from corescore.wording import RATIOS, capital, interval, p_value, percent, signed


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
        ("p", [p_value(two_systems.corrected(row)) for _, row in table.iterrows()]),
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
            two_systems.how_tested(pair.randomisation, intervals),
        ),
    )
