"""Recasens & Hovy 2011, Figure 7: BLANC over the two kinds of links."""

import numpy as np
import pandas as pd

from corescore.arrays import FloatArray
from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import Counts
from corescore.metrics.blanc.counts import blanc_score
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

STEPS = Parameter("steps", "Steps along each axis", 20, "", minimum=2, maximum=50)
N_COREFERENCE, N_MENTIONS = 6 + 3 + 1, 70


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (share of correct coreference links, share of correct non-coreference links).

    Columns: right_coreference and right_non_coreference (shares of the key's links, fractions),
    and f1 (BLANC). An incorrect link of the key counts as a wrong link of the other kind, so
    that there are always C(70, 2) of them.
    """
    share = np.linspace(0, 1, setting.number("steps") + 1)
    coreference, non_coreference = (axis.ravel() for axis in np.meshgrid(share, share))
    f1 = blanc_score(_link_counts(coreference, non_coreference), empty=0).f1
    columns = {"right_coreference": coreference, "right_non_coreference": non_coreference}
    return pd.DataFrame({**columns, "f1": f1})


def _link_counts(coreference: FloatArray, non_coreference: FloatArray) -> Counts:
    n_c = np.full(len(coreference), N_COREFERENCE)
    n_n = np.full(len(coreference), N_MENTIONS * (N_MENTIONS - 1) // 2) - n_c
    right_c, right_n = coreference * n_c, non_coreference * n_n
    return Counts.of_parts(
        Counts.of(right_c, n_c, right_c, right_c + n_n - right_n),
        Counts.of(right_n, n_n, right_n, right_n + n_c - right_c),
    )


def _grid(table: pd.DataFrame) -> FloatArray:
    """F1, a row for each share of coreference, a column for each of non-coreference links."""
    names = ("right_coreference", "right_non_coreference", "f1")
    return table.pivot(index=names[0], columns=names[1], values=names[2]).to_numpy()


def _rises_and_ends(table: pd.DataFrame) -> Check:
    grid = _grid(table)
    steps = np.concatenate([np.diff(grid, axis=axis).ravel() for axis in (0, 1)])
    falls = int((steps < -TOLERANCE).sum())
    holds = falls == 0 and grid[0, 0] == 0 and grid[-1, -1] == 1
    ends = f"{percent(grid[0, 0])} to {percent(grid[-1, -1])}"
    return Check(bool(holds), f"{ends}; {falls} falls in {len(steps)} steps")


def _half_of_it(table: pd.DataFrame) -> Check:
    """The corners where all links of one kind are right and none of the other."""
    grid = _grid(table)
    non_coreference, coreference = float(grid[0, -1]), float(grid[-1, 0])
    numbers = (
        f"all non-coreference links and no others {percent(non_coreference)}, "
        f"all coreference links and no others {percent(coreference)}"
    )
    return Check(abs(non_coreference - 0.5) < 0.01 and coreference < 0.01, numbers)


FIGURE_7 = Experiment(
    id="recasens2011-fig7",
    paper=RECASENS_2011,
    where="Figure 7",
    title="How does BLANC weigh the two kinds of links?",
    setup=(
        "The key of Tables 8 to 11 has 10 coreference and 2,405 non-coreference links. BLANC is "
        "drawn over the share of each kind that the response gets right; every link that it gets "
        "wrong is a wrong link of the other kind. Not every point is a possible response, because "
        "the links of a partition depend on each other."
    ),
    run=_figure_7,
    chart=Chart(
        "surface",
        x="right_coreference",
        x_title="correct coreference links, percent",
        y_title="BLANC, percent",
        facet="right_non_coreference",
        facet_title="correct non-coreference links, percent",
    ),
    claims=(
        Claim(
            "BLANC goes from 0 to 100 and rises everywhere in both directions.",
            "Figure 7",
            _rises_and_ends,
        ),
        Claim(
            "All non-coreference links without any coreference link give half of the score; all "
            "coreference links without any non-coreference link give next to nothing, because "
            "nearly all links of the response are then wrong.",
            "our reading of Figure 7",
            _half_of_it,
        ),
    ),
    parameters=(STEPS,),
)
