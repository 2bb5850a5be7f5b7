"""Moosavi & Strube 2016: whether the F1 and averages of a table are the means they should be."""

import pandas as pd

from corescore.counting.counts import MEASURES, harmonic_mean_of
from corescore.metrics import CONLL
from corescore.replication.experiment import Check
from corescore.replication.moosavi2016.data import column
from corescore.tolerances import TOLERANCE
from corescore.wording import listed, out_of

HARMONIC = (*CONLL.members, "lea")  # whose F1 is the harmonic mean of recall and precision


def consistent(table: pd.DataFrame, half: float = 0) -> Check:
    """Whether F1 and the average are the means that they should be, as far as rounding tells."""
    rows = table[table["metric"].isin(HARMONIC)]
    scores = rows[[*MEASURES]].to_numpy().tolist()
    fits = [_is_harmonic(recall, precision, f1, half) for recall, precision, f1 in scores]
    means = [_is_mean(column(table, system), half) for system in table["system"].unique()]
    told = [fit for fit in means if fit is not None]
    if not fits:
        return Check(None, "none of these metrics is scored")
    numbers = [f"{out_of(sum(fits), len(fits))} F1"]
    numbers += [f"{out_of(sum(told), len(told))} averages"] if told else []
    return Check(all([*fits, *told]), f"{listed(numbers)} fit")


def _is_harmonic(recall: float, precision: float, f1: float, half: float) -> bool:
    low, high = (
        harmonic_mean_of(max(recall + by, 0), max(precision + by, 0)) for by in (-half, half)
    )
    return low - half - TOLERANCE <= f1 <= high + half + TOLERANCE


def _is_mean(f1: "pd.Series[float]", half: float) -> bool | None:
    if not {CONLL.id, *CONLL.members} <= {*f1.index}:
        return None
    return bool(abs(f1[[*CONLL.members]].mean() - f1[CONLL.id]) <= 2 * half + TOLERANCE)
