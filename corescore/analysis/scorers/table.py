"""What each scorer says of each response."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.scorers.rescored import SHOWN, Rescored, rows_of
from corescore.scoring.presets import Preset


def preset_table(
    responses: Mapping[str, Rescored], scorers: Mapping[str, Preset], *, measure: str = "f1"
) -> pd.DataFrame:
    """A row for each scorer and response: `scorer`, `response`, one number for each metric.

    Fractions, as the scorer averages over documents; NaN where it does not have the metric, or the
    metric not the measure. `refusal` says in a line why a scorer refuses the files, else "".
    """
    rows = [
        {"scorer": name, "response": response, **_row(of, scorer, measure)}
        for name, scorer in scorers.items()
        for response, of in responses.items()
    ]
    table = pd.DataFrame(rows, columns=["scorer", "response", *SHOWN, "refusal"])
    has = [metric for metric in SHOWN if table[metric].notna().any()]
    return table[["scorer", "response", *has, "refusal"]]


def _row(of: Rescored, scorer: Preset, measure: str) -> dict[str, Any]:
    refusal = of.refusal(scorer.policies)
    has = () if refusal else rows_of(scorer)
    scores = {m: of.value(scorer.policies, m, measure) if m in has else np.nan for m in SHOWN}
    return {**scores, "refusal": refusal}


def farthest(table: pd.DataFrame, metric: str) -> Iterator[tuple[str, str, str]]:
    """(response, lowest scorer, highest scorer) of each response that has two different scores."""
    for response, rows in table.groupby("response", sort=False):
        scores = rows.set_index("scorer")[metric].dropna()
        if scores.nunique() > 1:
            yield str(response), str(scores.idxmin()), str(scores.idxmax())
