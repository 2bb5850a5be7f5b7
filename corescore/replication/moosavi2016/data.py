"""Moosavi & Strube 2016: what the experiments on data share."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from corescore.corpus.documents import Corpus
from corescore.counting.counts import MEASURES
from corescore.replication.experiment import Setting
from corescore.replication.printed import Printed
from corescore.scoring.scores import Scores, score

_COUNTS = pd.read_csv(Path(__file__).with_name("counts.csv"), comment="#")
# The numbers in the running text, by their names.
COUNTS = {str(name): float(n) for name, n in zip(_COUNTS["name"], _COUNTS["value"], strict=True)}
# Their responses are changed mention by mention and their sizes told from the scores: each mention
# is in one entity, and all metrics score the same ones.
ALLOWED = {"singletons": ("keep", "drop"), "repeats": ("first", "error")}
KEY_SIZES = ("key_mentions", "key_entities")
_SHOWN = ["system", "metric", *MEASURES, "mentions", "entities"]


def results(setting: Setting, responses: Mapping[str, Corpus]) -> dict[str, Scores]:
    key, _ = setting.data
    return {
        name: score(key, response, setting.policies, metrics=setting.metrics)
        for name, response in responses.items()
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


def sizes_of(result: Scores) -> dict[str, int]:
    """Mentions and entities of the response and of the key."""
    of = {name: int(result.sizes[name].sum()) for name in KEY_SIZES}
    mine = {name: int(result.sizes[f"response_{name}"].sum()) for name in ("mentions", "entities")}
    return mine | of


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that a page has room for."""
    return table[_SHOWN]


def column(table: pd.DataFrame, system: str, value: str = "f1") -> "pd.Series[float]":
    """One column of the rows of a system, by metric."""
    return table[table["system"] == system].set_index("metric")[value]


def printed_numbers(printed: Printed) -> pd.DataFrame:
    """The printed scores, with the mentions and entities of the key that §2 gives."""
    return printed.numbers.assign(**{name: COUNTS[name] for name in KEY_SIZES})
