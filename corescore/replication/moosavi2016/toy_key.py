"""Moosavi & Strube 2016: the key that Figures 2 to 8 share."""

import pandas as pd

from corescore.counting.counts import MEASURES
from corescore.replication.experiment import (
    Parameter,
    Setting,
)
from corescore.replication.partitions import Partition, of_sizes, read_sizes, score_partitions

KEY = Parameter(
    "key",
    "Entities of the key",
    "20 10×2 5×3 4 2×10",
    "Their sizes in mentions; 10×2 means two entities of ten mentions.",
    reads=read_sizes,
)


def scored(
    rows: list[tuple[object, ...]],
    names: list[str],
    pairs: list[tuple[Partition, Partition]],
    setting: Setting,
) -> pd.DataFrame:
    """The scores of each pair, identified by its row of values for the columns `names`.

    Rows (pair, metric). Columns: the names, metric, recall, precision, f1; fractions.
    """
    identified = pd.DataFrame(rows, columns=names)
    scores = score_partitions(pairs, setting.metrics).set_index("pair")
    return identified.join(scores[["metric", *MEASURES]]).reset_index(drop=True)


def toy_key(setting: Setting) -> list[range]:
    """The key of the parameter "key"."""
    return of_sizes(read_sizes(setting.text("key")))
