"""Recasens & Hovy 2011, Table 1: the four responses of Luo 2005."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics.diagnostics import LINKS, RAND
from corescore.replication.claims import as_printed, needing, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Setting,
)
from corescore.replication.partitions import Partition, of_sizes
from corescore.replication.printed import Printed
from corescore.replication.toys import (
    listed,
    toy_table,
    with_diagnostics,
)
from corescore.tolerances import TOLERANCE

KEY = of_sizes([5, 2, 5])
RESPONSES: dict[str, Partition] = {
    "a": of_sizes([5, 7]),
    "b": [[*KEY[0], *KEY[2]], KEY[1]],
    "c": of_sizes([12]),
    "d": of_sizes([1] * 12),
}
PRINTED = Printed("Table 1", Path(__file__).with_name("table1.csv"))


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), with the diagnostics "links" and "rand". Columns as `toy_table`."""
    pairs = [(KEY, response) for response in RESPONSES.values()]
    metrics = with_diagnostics(setting.metrics, LINKS, RAND)
    return toy_table(list(RESPONSES), pairs, metrics, name="response")


@needing("muc", "blanc")
def _muc_sees_no_size(table: pd.DataFrame) -> Check:
    muc, blanc = (wide(table, "response")[metric][["a", "b"]] for metric in ("muc", "blanc"))
    numbers = f"MUC: {listed(muc)}; BLANC: {listed(blanc)}"
    return Check(bool(abs(muc["a"] - muc["b"]) < TOLERANCE and blanc["a"] > blanc["b"]), numbers)


def _rand_likes_singletons(table: pd.DataFrame) -> Check:
    rand = wide(table, "response")["rand"]
    return Check(bool(rand["d"] > max(rand["b"], rand["c"])), listed(rand))


TABLE_1 = Experiment(
    id="recasens2011-table1",
    paper=RECASENS_2011,
    where="Table 1, after Luo 2005",
    title="What does it cost to merge entities, or to leave all mentions singletons?",
    setup=(
        "Twelve mentions in entities of five, two and five. Response a merges the entity of two "
        "with the second entity of five, b merges the two entities of five, c merges everything "
        "and d has only singletons. Shown beside the metrics: F1 of the coreference links alone "
        "(links) and the share of correct links of both kinds (rand, the Rand index). The paper's "
        "column H (mutual information) is left out."
    ),
    run=_table_1,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "The printed scores match.",
            "Table 1",
            as_printed(PRINTED),
            note="All 21 links of the key are among the C(10, 2) + 1 = 46 links of b: F = 42/67 = "
            "62.69. The printed 63.64 is 42/66, as if b had 45 links.",
        ),
        Claim(
            "MUC gives the same score whether the small entity is merged with a large one or the "
            "two large ones are merged; BLANC does not.",
            "Table 1; BLANC is not in it",
            _muc_sees_no_size,
        ),
        Claim(
            "The Rand index is higher for singletons alone than for merged large entities, because "
            "most pairs of mentions are not coreferent.",
            "Table 1",
            _rand_likes_singletons,
        ),
    ),
    printed=(PRINTED,),
)
