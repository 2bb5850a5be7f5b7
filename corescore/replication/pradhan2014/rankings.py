"""Pradhan et al. 2014: the CoNLL-2012 systems as the reference scorer scores them, ranked."""

from collections.abc import Iterator
from itertools import combinations

import pandas as pd

from corescore.bibliography import PRADHAN_2014
from corescore.metrics import CONLL
from corescore.replication.claims import title
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.wording import percent

AVERAGE = "conll"
OURS = "ours, of the published figures"
# F1 in percent: MUC, B³, CEAF_e, and their mean as it is printed
PUBLISHED = {
    "fernandes": (70.51, 57.58, 53.86, 60.65),
    "martschat": (66.97, 54.62, 51.46, 57.68),
    "bjorkelund": (67.58, 54.47, 50.21, 57.42),
    "chang": (66.38, 52.99, 48.94, 56.10),
    "chen": (63.71, 51.76, 48.10, 54.52),
    "chunyang": (63.82, 51.21, 47.58, 54.20),
    "shou": (62.91, 49.44, 46.66, 53.00),
    "yuan": (62.55, 50.11, 45.99, 52.88),
    "xu": (66.18, 50.30, 41.25, 52.58),
    "uryupina": (60.89, 46.24, 42.93, 50.02),
    "songyang": (59.83, 45.90, 42.36, 49.36),
    "zhekova": (53.52, 35.66, 32.16, 40.45),
    "xinxin": (48.27, 35.73, 31.90, 38.63),
    "li": (50.84, 32.29, 25.21, 36.11),
}


def _rankings(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), metric "muc", "bcub", "ceafe" or "conll": what was published.

    Columns: system, metric, f1 (fractions), rank (1 is the best), moves (how many places the
    system is lower by this metric than by the CoNLL average; below 0: higher).
    """
    f1 = pd.DataFrame.from_dict(PUBLISHED, orient="index", columns=[*CONLL.members, AVERAGE]) / 100
    rank = f1.rank(ascending=False, method="min").astype(int)
    rows = [
        (system, metric, f1[metric][system], rank[metric][system])
        for system in f1.index
        for metric in f1.columns
    ]
    table = pd.DataFrame(rows, columns=["system", "metric", "f1", "rank"])
    average = rank[AVERAGE].to_dict()
    return table.assign(moves=table["rank"] - table["system"].map(average))


def _by_metric(table: pd.DataFrame, column: str) -> dict[str, "pd.Series[float]"]:
    """One column of each metric, by system."""
    parts = table.groupby("metric", sort=False)
    return {str(name): part.set_index("system")[column] for name, part in parts}


def _averages_fit(table: pd.DataFrame) -> Check:
    f1 = _by_metric(table, "f1")
    means = sum((f1[name] for name in CONLL.members[1:]), f1[CONLL.members[0]]) / len(CONLL.members)
    off = (means - f1[AVERAGE]).abs()
    n_right = int((off <= 0.0001).sum())
    numbers = f"{n_right} of {len(off)} averages; at most {100 * off.max():.3f} points off"
    return Check(n_right == len(off), numbers)


def _one_winner(table: pd.DataFrame) -> Check:
    f1 = _by_metric(table, "f1")
    best = {name: str(scores.idxmax()) for name, scores in f1.items()}
    numbers = [f"{title(name)} {best[name]} {percent(f1[name].max())}" for name in f1]
    return Check(len({*best.values()}) == 1, ", ".join(numbers))


def _taus(table: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Kendall's τ of each two metrics over the systems."""
    from scipy.stats import kendalltau  # slow to import: only when this is run

    f1 = _by_metric(table, "f1")
    for one, other in combinations(f1, 2):
        tau = kendalltau(f1[one].to_numpy(), f1[other].to_numpy()).statistic
        yield f"{title(one)} and {title(other)}", float(tau)


def _ranked_otherwise(table: pd.DataFrame) -> Check:
    taus = dict(_taus(table))
    numbers = ", ".join(f"{names} {tau:.2f}" for names, tau in taus.items())
    return Check(min(taus.values()) < 1, f"Kendall's τ: {numbers}")


def _someone_moves(table: pd.DataFrame) -> Check:
    moves = table["moves"].abs()
    most = table[(moves == moves.max()) & (moves > 0)]
    numbers = [
        f"{row['system']} is {row['rank']} by {title(row['metric'])} and "
        f"{row['rank'] - row['moves']} by CoNLL"
        for row in most.to_dict("records")
    ]
    return Check(not most.empty, "; ".join(numbers) or "no system moves")


RANKINGS = Experiment(
    id="pradhan2014-rankings",
    paper=PRADHAN_2014,
    where="CoNLL-2012 shared task, English",
    title="Does it matter for a ranking which metric is believed?",
    setup=(
        "The official systems of the CoNLL-2012 shared task for English, as the reference scorer "
        "v8.01 scores them: F1 by MUC, B³ and CEAF_e, and their average. These are published "
        "figures; nothing is scored here. Ranks and correlations are computed from them."
    ),
    run=_rankings,
    chart=Chart("bars", x="system", x_title="system"),
    claims=(
        Claim(
            "The average is the mean of the three, to a hundredth of a point.",
            "our check of the figures",
            _averages_fit,
        ),
        Claim("The best system is the best by every metric.", OURS, _one_winner),
        Claim("The metrics do not all rank the systems alike.", OURS, _ranked_otherwise),
        Claim(
            "A single metric puts systems elsewhere than the average does.", OURS, _someone_moves
        ),
    ),
)

EXPERIMENTS = (RANKINGS,)
