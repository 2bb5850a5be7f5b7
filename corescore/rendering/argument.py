"""Two systems in a paper: a table of what was found, its test and its policies named."""

import pandas as pd

from corescore.analysis.systems.pair import Pair
from corescore.metrics import METRIC_IDS, title_of
from corescore.rendering.text import TextTable
from corescore.sentences import two_systems
from corescore.wording import RATIOS, capital, p_value, percent, signed


def paper_table(pair: Pair, measure: str) -> TextTable:
    """A row for each metric: A, B, their difference with its interval, and p."""
    table = pair.significance.query("measure == @measure").set_index("metric")
    shown = [name for name in (*METRIC_IDS, "conll") if name in table.index]
    return TextTable(
        ["", "A", "B", "B − A", "95 % interval", "p"],
        [_cells(name, row) for name, row in table.loc[shown].iterrows()],
        notes=(
            f"{capital(RATIOS[measure])} in percent, differences in points.",
            two_systems.how_to_read(pair.randomisation).removeprefix("✱ "),
        ),
    )


def _cells(metric: object, row: pd.Series) -> list[str]:
    ends = row["tested_low"], row["tested_high"]
    interval = "–" if pd.isna(ends[0]) else f"[{signed(ends[0])}, {signed(ends[1])}]"
    figures = [percent(row["a"]), percent(row["b"]), signed(row["difference"]), interval]
    return [title_of(str(metric)), *figures, p_value(two_systems.corrected(row))]
