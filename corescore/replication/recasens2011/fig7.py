"""Recasens & Hovy 2011, Figure 7: BLANC over the two kinds of links."""

from itertools import pairwise

import numpy as np
import pandas as pd

from corescore.arrays import FloatArray
from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import Counts
from corescore.metrics.blanc import BLANC
from corescore.metrics.blanc.counts import blanc_score
from corescore.replication.claims import points, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Setting,
    run,
)
from corescore.replication.recasens2011.fig6 import FIGURE_6
from corescore.tolerances import STEP, STEP_PLACES, TOLERANCE
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


def blanc_at(
    coreference: float, non_coreference: float, n_coreference: int = N_COREFERENCE
) -> float:
    """BLANC where these shares of the two kinds of links are right, as a fraction."""
    counts = _link_counts(np.array([coreference]), np.array([non_coreference]), n_coreference)
    return float(blanc_score(counts, empty=0).f1[0])


def _link_counts(
    coreference: FloatArray, non_coreference: FloatArray, n_coreference: int = N_COREFERENCE
) -> Counts:
    n_c = np.full(len(coreference), n_coreference)
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


def front_face(table: pd.DataFrame) -> Check:
    """With all coreference links right: from near 0 to one half?"""
    low, high = _grid(table)[-1, [0, -1]].tolist()
    return Check(low < 0.01 and abs(high - 0.5) < 0.01, f"{percent(low)} to {percent(high)}")


def _rear_face(table: pd.DataFrame) -> Check:
    """The edge at which all non-coreference links are right, beside the responses of Figure 6."""
    curve = run(FIGURE_6, FIGURE_6.setting(metrics=[BLANC])).drawn
    f1 = wide(curve, "right_coreference")["blanc"].to_dict()
    edge = table[table["right_non_coreference"] == 1]
    links = (N_COREFERENCE * edge["right_coreference"]).round(STEP_PLACES)
    apart = [abs(f1[n] - own) for n, own in zip(links, edge["f1"], strict=True) if n in f1]
    numbers = f"at most {points(max(apart))} apart at {len(apart)} points"
    return Check(max(apart) < TOLERANCE, numbers)


def _nearly_all(table: pd.DataFrame) -> Check:
    """The last point of the front face with at most 90% of the non-coreference links."""
    face = table[(table["right_coreference"] == 1) & (table["right_non_coreference"] < 0.9 + STEP)]
    share, f1 = (float(face[name].iloc[-1]) for name in ("right_non_coreference", "f1"))
    numbers = f"with {100 * share:.0f}% of the non-coreference links {percent(f1)}"
    return Check(f1 < 0.6, numbers)


def _bend(table: pd.DataFrame) -> Check:
    """With all coreference links right and 90% of the others, for several numbers of links."""
    f1 = {n: blanc_at(1, 0.9, n) for n in (1, N_COREFERENCE, 100, 1000)}
    numbers = ", ".join(f"{percent(value)} for {n}" for n, value in f1.items())
    ascending = all(low < high for low, high in pairwise(f1.values()))
    return Check(ascending, f"BLANC by the number of coreference links: {numbers}")


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
            id="rises",
            scope="result",
        ),
        Claim(
            "With all coreference links right, BLANC goes from near 0 to 50 as more "
            "non-coreference links are right.",
            "§5.3",
            front_face,
            note="With 90% of the non-coreference links it is near 50, with all of them 100. With "
            "no coreference link right it does end near 50.",
            id="front-face",
            scope="result",
        ),
        Claim(
            "With all non-coreference links right, the surface is the curve of Figure 6.",
            "§5.3",
            _rear_face,
            id="rear-face",
            scope="result",
        ),
        Claim(
            "Almost all links of both kinds must be right for a score near the top.",
            "§5.3",
            _nearly_all,
            note="What we check: with all coreference links and 90% of the others right, BLANC is "
            "still below 60.",
            id="nearly-all",
            scope="result",
        ),
        Claim(
            "The fewer of the links are coreference links, the sharper the bend.",
            "§5.3",
            _bend,
            note="What we check: with all coreference links and 90% of the others right, BLANC is "
            "lower the fewer coreference links there are among the 2,415.",
            id="bend",
            scope="property",
        ),
        Claim(
            "All non-coreference links without any coreference link give half of the score; all "
            "coreference links without any non-coreference link give next to nothing, because "
            "nearly all links of the response are then wrong.",
            "our reading of Figure 7",
            _half_of_it,
            id="half",
            scope="result",
            ours=True,
        ),
    ),
    parameters=(STEPS,),
)
