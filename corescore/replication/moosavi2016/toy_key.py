"""Moosavi & Strube 2016: the key that Figures 2 to 8 share."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pandas as pd

from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.replication.experiment import Parameter, Setting, Value
from corescore.replication.partitions import (
    Partition,
    of_sizes,
    read_all_sizes,
    read_parts,
    read_sizes,
    score_partitions,
    written_sizes,
)

KEY = Parameter(
    "key",
    "Entities of the key",
    "20 10×2 5×3 4 2×10",
    "Their sizes in mentions; 10×2 means two entities of ten mentions.",
    reads=read_sizes,
    of_key=lambda sizes, _: written_sizes(size for size in sizes if size > 1),
)
# The same for figures that are not about links alone: entities of one mention count there, too.
KEY_WITH_SINGLETONS = replace(
    KEY,
    about=f"{KEY.about} 1×30 are thirty singletons.",
    reads=read_all_sizes,
    of_key=lambda sizes, _: written_sizes(sizes),
)


def fitting(size_of: Callable[[Sequence[int]], int]) -> Callable[[Sequence[int], Value], str]:
    """For `Parameter.of_key`: the entries of the default whose entity the key has.

    size_of  the size of the entity that an entry is about; 0 for none
    """

    def of_key(sizes: Sequence[int], default: Value) -> str:
        there = {0, *(size for size in sizes if size > 1)}
        entries = [entry for entry in read_parts(str(default)) if size_of(entry) in there]
        if not entries:
            raise PolicyError(f"no entity of the key has the size of one of: {default}")
        return " ".join("-".join(map(str, entry)) for entry in entries)

    return of_key


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
    return of_sizes(read_all_sizes(setting.text("key")))
