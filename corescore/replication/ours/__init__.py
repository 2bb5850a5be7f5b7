"""Experiments that no paper prints. Two run on the loaded key and response."""

import numpy as np
import pandas as pd

from corescore.analysis.decomposition import PARTS
from corescore.analysis.long_documents import by_window, lengths
from corescore.analysis.split_antecedents import ALONE, DROPPED, SCORED, by_use, plural_table
from corescore.bibliography import MARTINELLI_2025, PAUN_2023, SHAPLEY_1953
from corescore.corpus.files import read
from corescore.counting.comparison import SIDES
from corescore.counting.counts import MEASURES
from corescore.replication.claims import PaperData
from corescore.replication.experiment import Setting
from corescore.scoring.scores import Result, score
from corescore.util import FloatArray, bundled

# Where a span is listed twice, it is not told which of the two a fix or a cut is about
POINTS = "F1, points"
ALLOWED = {"repeats": ("first", "error")}


def _setting_result(setting: Setting) -> Result:
    return score(*setting.data, setting.policies, metrics=setting.metrics)


# What each score loses, part by part --------------------------------------------------------------


def _losses(setting: Setting) -> pd.DataFrame:
    """Rows (metric, part), "conll" among the metrics.

    Columns: metric, part and its group ("detection", "linking", "singletons"), concerned (how many
    mentions the part is about), recall, precision and f1 (what each loses to the part, fractions;
    NaN for CoNLL's recall and precision), points (what F1 loses, of 100) and whole, what F1 loses
    in all.
    """
    table = _setting_result(setting).decomposition.table
    table = table.rename(columns={"mentions": "concerned"})
    of_part = ["metric", "part", "group", "concerned"]
    order = [*table["metric"].unique()], [*PARTS]
    lost = table.pivot(index=of_part, columns="measure", values="loss").reset_index()
    f1 = table[table["measure"] == "f1"].assign(whole=table["best"] - table["score"])
    losses = lost.merge(f1[["metric", "part", "whole"]]).set_index(["metric", "part"])
    losses = losses.loc[pd.MultiIndex.from_product(order, names=["metric", "part"])].reset_index()
    return losses.assign(points=100 * losses["f1"])[[*of_part, *MEASURES, "points", "whole"]]


def _drawn_losses(table: pd.DataFrame) -> pd.DataFrame:
    """What the chart draws, and its columns: F1 as points."""
    shown = table[["metric", "part", "group", "concerned", "points", "recall", "precision"]]
    return shown.rename(columns={"concerned": "mentions concerned", "points": POINTS})


LOSSES = PaperData("ours", SHAPLEY_1953).experiment(
    "shapley1953-losses",
    _losses,
    select=_drawn_losses,
    allowed=ALLOWED,
)

# The scores in windows of the texts ---------------------------------------------------------------


def _windows(setting: Setting) -> pd.DataFrame:
    """Rows (words, metric): the scores in windows of so many words, "conll" among the metrics.

    Columns: words (of a window; of the texts as they are, those of the longest), windows (how
    many), metric, recall, precision and f1 (fractions; NaN for CoNLL's recall and precision).
    """
    result = _setting_result(setting)
    longest = int(lengths(result.comparison).max(initial=0))
    table = by_window(result)
    return table.assign(words=table["words"].fillna(longest).astype(int))


WINDOWS = PaperData("ours", MARTINELLI_2025).experiment(
    "martinelli2025-windows",
    _windows,
    allowed=ALLOWED,
)

# What split antecedents change --------------------------------------------------------------------

SETS, PLAIN = "names the sets", "names none"
WORTH = "worth of a set"


def _split(setting: Setting) -> pd.DataFrame:
    """Rows (response, use, metric): `by_use` of two responses to our key with split antecedents,
    "conll" among the metrics, and what a set is worth on average.

    Columns: response ("names the sets" or "names none"), use ("dropped", "scored", "alone" or
    "worth of a set"), metric, recall, precision and f1 (fractions; NaN for CoNLL's recall and
    precision). A set is worth the score of its elements, and 0 without a partner: recall is the
    mean over the key's sets, precision over the response's, F1 over the key's; in BLANC of both
    kinds of links.
    """
    folder = bundled("sample_data") / "split_antecedents"
    key, tables = read(folder / "key.conllua"), []
    for name, file in ((SETS, "sets"), (PLAIN, "plain")):
        result = score(key, read(folder / f"{file}.conllua"), metrics=setting.metrics)
        used = by_use(result).set_index("use").loc[[DROPPED, SCORED, ALONE]].reset_index()
        of_sets = [
            (WORTH, metric, *_worth(result, metric))
            for metric in used["metric"].unique()
            if metric != "conll"
        ]
        worth = pd.DataFrame(of_sets, columns=used.columns)
        tables.append(pd.concat([used, worth]).assign(response=name))
    return pd.concat(tables, ignore_index=True)[["response", "use", "metric", *MEASURES]]


def _worth(result: Result, metric: str) -> FloatArray:
    """Recall, precision and F1."""
    of_key, of_response = (plural_table(result, metric, side=side) for side in SIDES)
    means = of_key["recall"].mean(), of_response["precision"].mean(), of_key["f1"].mean()
    return np.nan_to_num(means)


SPLIT = PaperData("ours", PAUN_2023).experiment("paun2023-split-antecedents", _split)

EXPERIMENTS = (LOSSES, WINDOWS, SPLIT)
