"""Made-up partitions scored all at once, each as a document of its own."""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

import pandas as pd

from corescore.comparison import compare
from corescore.counts import SCORE_FIELDS
from corescore.documents import Document
from corescore.metrics import Metric
from corescore.scoring import CONLL, conll_score

Partition = Sequence[Collection[int]]


def of_sizes(sizes: Iterable[int]) -> list[range]:
    """Entities of these sizes; mentions are numbered from 0 through the entities."""
    ends = [*accumulate(sizes)]
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def score_partitions(
    pairs: Sequence[tuple[Partition, Partition]], metrics: Sequence[Metric]
) -> pd.DataFrame:
    """The scores of each (key, response), as if each were a corpus: 0/0 is 0.

    Rows (pair, metric), "conll" last where its three are there. Columns: pair (its number),
    metric (its id), and the fields of a score: recall, precision, f1, recall_numerator and so on;
    fractions. A mention is a number, and the same mention on both sides.
    """
    sides = [[_document(pair[side], at) for at, pair in enumerate(pairs)] for side in (0, 1)]
    table = compare(*sides, by="exact", singletons="keep", repeats="first").table
    scores = {metric.id: metric.score(metric.counts(table), empty=0) for metric in metrics}
    if all(name in scores for name in CONLL):
        scores["conll"] = conll_score(scores)
    rows = [
        pd.DataFrame(
            {
                "pair": range(len(pairs)),
                "metric": name,
                **{field: getattr(score, field) for field in SCORE_FIELDS},
            }
        )
        for name, score in scores.items()
    ]
    return pd.concat(rows).sort_values("pair", kind="stable", ignore_index=True)


def _document(partition: Partition, number: int) -> Document:
    spans = [[(mention, mention + 1) for mention in entity] for entity in partition]
    return Document.of_entities(f"pair {number}", spans)
