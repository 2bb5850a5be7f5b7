"""Pradhan et al. 2014: the systems of CoNLL-2012, ranked by each metric."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pandas as pd

from corescore.bibliography import PRADHAN_2014
from corescore.metrics import CONLL, title_of
from corescore.replication.claims import wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.printed import read_printed
from corescore.wording import percent

AVERAGE = "conll"
OURS = "ours, from the published scores"
SCORES = Path(__file__).with_name("rankings.csv")


def _rankings(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), metric "muc", "bcub", "ceafe" or "conll": the published scores.

    Columns: system, metric, f1 (fractions), rank (1 is the best), moves (how many places lower the
    system is by this metric than by the CoNLL average; negative if it is higher).
    """
    f1 = read_printed(SCORES).set_index("system")[[*CONLL.members, AVERAGE]]
    rank = f1.rank(ascending=False, method="min").astype(int)
    rows = [
        (system, metric, f1[metric][system], rank[metric][system])
        for system in f1.index
        for metric in f1.columns
    ]
    table = pd.DataFrame(rows, columns=["system", "metric", "f1", "rank"])
    average = rank[AVERAGE].to_dict()
    return table.assign(moves=table["rank"] - table["system"].map(average))


def _averages_fit(table: pd.DataFrame) -> Check:
    f1 = wide(table, "system")
    off = (f1[[*CONLL.members]].mean(axis=1) - f1[AVERAGE]).abs()
    n_right = int((off <= 0.0001).sum())
    numbers = f"{n_right} of {len(off)} averages; at most {100 * off.max():.3f} points off"
    return Check(n_right == len(off), numbers)


def _one_winner(table: pd.DataFrame) -> Check:
    f1 = wide(table, "system")
    best = f1.idxmax()
    numbers = [
        f"{title_of(str(name))} {best[name]} {percent(f1[name].max())}" for name in f1.columns
    ]
    return Check(best.nunique() == 1, ", ".join(numbers))


def _taus(table: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Kendall's τ of each pair of metrics over the systems."""
    from scipy.stats import kendalltau  # slow to import: only when this is run

    f1 = wide(table, "system")
    for one, other in combinations(map(str, f1.columns), 2):
        tau = kendalltau(f1[one].to_numpy(), f1[other].to_numpy()).statistic
        yield f"{title_of(one)} and {title_of(other)}", float(tau)


def _ranked_otherwise(table: pd.DataFrame) -> Check:
    taus = dict(_taus(table))
    numbers = ", ".join(f"{names} {tau:.2f}" for names, tau in taus.items())
    return Check(min(taus.values()) < 1, f"Kendall's τ: {numbers}")


def _someone_moves(table: pd.DataFrame) -> Check:
    moves = table["moves"].abs()
    most = table[(moves == moves.max()) & (moves > 0)]
    numbers = [
        f"{row['system']} is {row['rank']} by {title_of(row['metric'])} and "
        f"{row['rank'] - row['moves']} by CoNLL"
        for row in most.to_dict("records")
    ]
    return Check(not most.empty, "; ".join(numbers) or "no system moves")


RANKINGS = Experiment(
    id="pradhan2014-rankings",
    paper=PRADHAN_2014,
    where="CoNLL-2012 shared task, English",
    title="Does the ranking of systems depend on the metric?",
    setup=(
        "The official systems of the CoNLL-2012 shared task for English, as the reference scorer "
        "v8.01 scores them: F1 by MUC, B³ and CEAF_e, and their average. These are published "
        "scores; nothing is scored here. Only ranks and correlations are computed."
    ),
    run=_rankings,
    chart=Chart("bars", x="system", x_title="system"),
    claims=(
        Claim(
            "The average is the mean of the three, to a hundredth of a point.",
            "our check of the scores",
            _averages_fit,
        ),
        Claim("The same system is best by every metric.", OURS, _one_winner),
        Claim(
            "The metrics do not all rank the systems in the same order.", OURS, _ranked_otherwise
        ),
        Claim(
            "A single metric can rank a system differently than the average does.",
            OURS,
            _someone_moves,
        ),
    ),
)
