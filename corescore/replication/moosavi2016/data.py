"""Moosavi & Strube 2016: what the experiments on data share."""

from collections.abc import Mapping

import pandas as pd

from corescore.corpus.documents import Corpus
from corescore.counting.counts import MEASURES
from corescore.replication.experiment import Setting
from corescore.scoring.scores import Scores, score


def results(setting: Setting, responses: Mapping[str, Corpus]) -> dict[str, Scores]:
    key, _ = setting.data
    return {
        name: score(key, response, metrics=setting.metrics) for name, response in responses.items()
    }


def score_rows(results: Mapping[str, Scores], setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), "conll" last where its three are there; recall, precision, f1."""
    names = [metric.id for metric in setting.metrics]
    rows = [
        (system, name, *(getattr(result[name], ratio) for ratio in MEASURES))
        for system, result in results.items()
        for name in [*names, *(["conll"] if "conll" in result.scores else [])]
    ]
    return pd.DataFrame(rows, columns=["system", "metric", *MEASURES])


def column(table: pd.DataFrame, system: str, value: str = "f1") -> "pd.Series[float]":
    """One column of the rows of a system, by metric."""
    return table[table["system"] == system].set_index("metric")[value]
