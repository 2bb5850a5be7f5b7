"""Two systems in a paper: a table of what was found, its test and its policies named."""

import pandas as pd

from corescore.analysis.systems.pair import Pair
from corescore.metrics import METRIC_IDS, title_of
from corescore.rendering.text import TextTable
from corescore.sentences import two_systems
from corescore.wording import RATIOS, capital, interval, p_value, percent, signed


def paper_table(pair: Pair, measure: str) -> TextTable:
    """A row for each metric: A, B, their difference with its interval, if there is any, and p."""
    table = pair.significance.query("measure == @measure").set_index("metric")
    shown = [name for name in (*METRIC_IDS, "conll") if name in table.index]
    has_intervals = bool(table["tested_low"].notna().any())
    return TextTable(
        ["", "A", "B", "B − A", *(["95 % interval"] if has_intervals else []), "p"],
        [
            _cells(name, row, has_intervals=has_intervals)
            for name, row in table.loc[shown].iterrows()
        ],
        notes=(
            f"{capital(RATIOS[measure])} in percent, differences in points.",
            two_systems.how_to_read(pair.randomisation).removeprefix("✱ "),
        ),
    )


def _cells(metric: object, row: pd.Series, *, has_intervals: bool) -> list[str]:
    ends = [interval(row["tested_low"], row["tested_high"])] if has_intervals else []
    numbers = [percent(row["a"]), percent(row["b"]), signed(row["difference"]), *ends]
    return [title_of(str(metric)), *numbers, p_value(two_systems.corrected(row))]
