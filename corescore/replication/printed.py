"""The numbers that papers print: CSV files beside the experiments, each with its source on top."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from corescore.metrics import title_of
from corescore.replication.claims import Checker
from corescore.replication.experiment import Check
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

PERCENT = " %"


def read_printed(path: Path) -> pd.DataFrame:
    """The table of a file; a column "f1 %" becomes "f1", as fractions."""
    table = pd.read_csv(path, comment="#")
    for column in [name for name in table.columns if str(name).endswith(PERCENT)]:
        table[column] /= 100
    return table.rename(columns=lambda name: str(name).removesuffix(PERCENT))


def as_printed(published: Callable[[], pd.DataFrame], *, within: float) -> Checker:
    """Checks that each printed F1 (columns response, metric, f1) is the computed one.

    Metrics that are not scored are left out; None if none of the paper's metrics is scored.
    """

    def check(table: pd.DataFrame) -> Check:
        both = published().merge(table, on=["response", "metric"], suffixes=("_printed", ""))
        if both.empty:
            return Check(None, "none of the paper's metrics is scored")
        off = both[(both["f1"] - both["f1_printed"]).abs() > within + TOLERANCE]
        numbers = [f"{len(both) - len(off)} of {len(both)} numbers match"]
        numbers += [
            f"{title_of(row['metric'])} of {row['response']} is {percent(row['f1'])}, "
            f"the paper prints {percent(row['f1_printed'])}"
            for row in off.to_dict("records")
        ]
        return Check(off.empty, "; ".join(numbers))

    return check
