"""Moosavi & Strube 2016, Table 5: the systems of CoNLL-2012, ranked by each metric."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pandas as pd

from corescore.analysis.systems.many import ranks
from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import CONLL, title_of
from corescore.replication.claims import wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.printed import Printed
from corescore.wording import listed, percent

PRINTED = Printed("Table 5", Path(__file__).with_name("table5.csv"), ("system", "metric"))
MENTIONS = Printed("§6", Path(__file__).with_name("table5_mentions.csv"), ("system",))
AVERAGE, SHARING = "conll", "lea"
OURS = "ours, from the printed scores"
NEEDS_RESPONSES = "this needs the responses of the systems, which the paper does not print"


def scores_in_print() -> pd.DataFrame:
    """(systems × metrics) the printed F1 as fractions, in the order of the table."""
    return PRINTED.numbers.pivot(index="system", columns="metric", values="f1").loc[
        PRINTED.numbers["system"].unique(), PRINTED.numbers["metric"].unique()
    ]


def _table_5(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), "conll" among the metrics.

    Columns: system, metric, score (F1 as printed; of the average the mean of the three printed
    ones; fractions), place (by that score; 1 is the best), moves (how many places lower than by
    the average). f1 and rank: what can be recomputed of the figures that Table 5 prints, the
    average and the ranks by score; NaN for the rest, with LEA's ranks, which need a test.
    """
    score = scores_in_print()
    score[AVERAGE] = score[[*CONLL.members]].mean(axis=1)
    place = pd.DataFrame(ranks(score.to_numpy().T).T, score.index, score.columns)
    moves = place.sub(place[AVERAGE], axis=0)
    columns = {"score": score, "place": place, "moves": moves}
    table = pd.DataFrame({name: of.stack() for name, of in columns.items()}).reset_index()
    has_rank = PRINTED.numbers.set_index(["system", "metric"])["rank"].notna()
    ranked = has_rank.loc[pd.MultiIndex.from_frame(table[["system", "metric"]])].to_numpy()
    return table.assign(
        f1=table["score"].where(table["metric"] == AVERAGE),
        rank=table["place"].where(ranked & (table["metric"] != SHARING)),
    )


def _off(table: pd.DataFrame, figure: str) -> tuple[int, list[str]]:
    """How many printed cells of a figure are recomputed, and those that differ, in words."""
    rows = PRINTED.beside(table).query("figure == @figure and computed.notna()")
    off = [
        f"{title_of(row['metric'])} of {row['system']} is {row['computed']:g}, printed "
        f"{row['printed']}"
        for row in rows[rows["differs"]].to_dict("records")
    ]
    return len(rows), off


def _averages_fit(table: pd.DataFrame) -> Check:
    n, off = _off(table, "f1")
    furthest = (table["f1"] - scores_in_print().stack().to_numpy()).abs().max()
    numbers = f"{n - len(off)} of {n} averages; at most {100 * furthest:.3f} points off"
    return Check(not off, "; ".join([numbers, *off]))


def _ranks_fit(table: pd.DataFrame) -> Check:
    n, off = _off(table, "rank")
    return Check(not off, "; ".join([f"{n - len(off)} of {n} ranks", *off]))


def _one_winner(table: pd.DataFrame) -> Check:
    score = wide(table, "system", "score")
    best = score.idxmax()
    numbers = [f"{title_of(str(m))} {best[m]} {percent(score[m].max())}" for m in score.columns]
    return Check(best.nunique() == 1, ", ".join(numbers))


def _taus(table: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Kendall's τ of each pair of metrics over the systems."""
    from scipy.stats import kendalltau  # slow to import: only when this is run

    score = wide(table, "system", "score")
    for one, other in combinations(map(str, score.columns), 2):
        tau = kendalltau(score[one].to_numpy(), score[other].to_numpy()).statistic
        yield f"{title_of(one)} and {title_of(other)}", float(tau)


def _ranked_otherwise(table: pd.DataFrame) -> Check:
    taus = dict(_taus(table))
    least, most = min(taus, key=taus.__getitem__), max(taus, key=taus.__getitem__)
    numbers = f"Kendall's τ from {taus[least]:.2f} ({least}) to {taus[most]:.2f} ({most})"
    return Check(min(taus.values()) < 1, numbers)


def _someone_moves(table: pd.DataFrame) -> Check:
    moves = table["moves"].abs()
    most = table[(moves == moves.max()) & (moves > 0)]
    numbers = [
        f"{row['system']} is {row['place']} by {title_of(row['metric'])} and "
        f"{row['place'] - row['moves']} by CoNLL"
        for row in most.to_dict("records")
    ]
    return Check(not most.empty, "; ".join(numbers) or "no system moves")


def _shared_in_print() -> Check:
    """Whether the systems that share LEA's rank stand together, at the best one's place."""
    table = _table_5(TABLE_5.setting())
    lea = table[table["metric"] == SHARING].set_index("system")
    lea["printed"] = PRINTED.numbers.query("metric == @SHARING").set_index("system")["rank"]
    shared = [rows.sort_values("place") for _, rows in lea.groupby("printed") if len(rows) > 1]
    best = lea.groupby("printed")["place"].transform("min")
    apart = lea.groupby("printed")["place"].transform("max") - best
    fits = (best == lea["printed"]) & (apart < lea["printed"].map(lea["printed"].value_counts()))
    numbers = [
        f"{_scored(rows['score'])} share rank {rows['printed'].iloc[0]:.0f}" for rows in shared
    ]
    return Check(bool(fits.all() and shared), "; ".join(numbers))


def _scored(score: "pd.Series[float]") -> str:
    return listed(f"{name} ({percent(value)})" for name, value in score.items())


def _xu(table: pd.DataFrame, lea: str, average: str) -> tuple[bool, str]:
    """Whether xu is above both others by LEA and below by the average, and the ranks."""
    rank = {
        metric: table[table["metric"] == metric].set_index("system")[column]
        for metric, column in (("lea", lea), (AVERAGE, average))
    }
    holds = all(
        rank["lea"]["xu"] < rank["lea"][other] and rank[AVERAGE]["xu"] > rank[AVERAGE][other]
        for other in ("chen", "chunyuang")
    )
    numbers = [
        f"{name} {rank['lea'][name]:.0f} by LEA and {rank[AVERAGE][name]:.0f} by the average"
        for name in ("xu", "chen", "chunyuang")
    ]
    return holds, ", ".join(numbers)


def _xu_moves(table: pd.DataFrame) -> Check:
    return Check(*_xu(table, "place", "place"))


def _xu_differs(table: pd.DataFrame) -> Check:
    holds, numbers = _xu(table, "place", "place")
    return Check(
        None if holds else False,
        f"by score, {numbers}; whether that is significant cannot be tested: {NEEDS_RESPONSES}",
    )


def _mentions_in_print() -> Check:
    counts = MENTIONS.numbers.set_index("system")
    recall, bare = counts["mention recall"], counts["without a correct link"]
    many, best = ["chen", "chunyuang"], ["fernandes", "martschat"]
    holds = recall[many].min() > recall[best].max() and bare[many].min() > bare["xu"]
    numbers = [f"{name} {percent(recall[name])}" for name in (*many, *best)]
    without = [f"{name} {bare[name]:.0f}" for name in (*many, "xu")]
    return Check(
        bool(holds),
        f"recall of mentions: {', '.join(numbers)}; without a correct link: {', '.join(without)}",
    )


def _untold(table: pd.DataFrame) -> Check:
    return Check(None, NEEDS_RESPONSES)


TABLE_5 = Experiment(
    id="moosavi2016-table5",
    paper=MOOSAVI_2016,
    where="Table 5",
    title="Does the ranking of systems depend on the metric?",
    setup=(
        "The systems of the CoNLL-2012 shared task for English, closed track with predicted "
        "mentions: the printed F1 by six metrics. Nothing is scored here; what is computed is the "
        "average of MUC, B³ and CEAF_e, and ranks. By LEA the paper gives systems that do not "
        "differ significantly (approximate randomisation) the rank of the best of them. That test "
        "needs the responses, so these ranks cannot be recomputed; neither its level nor the "
        "number of trials is printed. Names are spelled as printed."
    ),
    run=_table_5,
    chart=Chart(
        "bars",
        x="system",
        x_title="system",
        y="score",
        of=lambda table: table.drop(columns=["f1", "rank"]),
    ),
    claims=(
        Claim(
            "By LEA, xu is above chen and chunyuang; by the average it is below both.",
            "§6, Table 5",
            _xu_moves,
            id="xu-moves",
            scope="comparison",
        ),
        Claim(
            "That xu is above these two by LEA is significant.",
            "§6, Table 5",
            _xu_differs,
            note="In print: xu does not share its rank by LEA with any of the two.",
            id="xu-significant",
            in_print=lambda: Check(*_xu(PRINTED.numbers, "rank", "rank")),
            scope="result",
        ),
        Claim(
            "By LEA, systems without a significant difference share the rank of the best of them.",
            "§6, Table 5",
            _untold,
            note="In print: whether those that share a rank have neighbouring scores, and the "
            "place of the best one.",
            id="shared-ranks",
            in_print=_shared_in_print,
            scope="result",
        ),
        Claim(
            "chen and chunyuang find more mentions than the best systems, and leave more of them "
            "without a correct link than xu.",
            "§6",
            _untold,
            id="mentions",
            in_print=_mentions_in_print,
            scope="comparison",
        ),
        Claim(
            "The average is the mean of MUC, B³ and CEAF_e, to a hundredth of a point.",
            "our check of the figures",
            _averages_fit,
            id="averages",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The printed ranks are those of the scores.",
            "our check of the figures",
            _ranks_fit,
            note="Without the ranks by LEA, which are shared.",
            id="ranks",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The same system is best by every metric.",
            OURS,
            _one_winner,
            id="one-winner",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The metrics do not all rank the systems in the same order.",
            OURS,
            _ranked_otherwise,
            id="orders-differ",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "A single metric can rank a system differently than the average does.",
            OURS,
            _someone_moves,
            id="single-metric",
            scope="existential",
            ours=True,
        ),
    ),
    printed=(PRINTED, MENTIONS),
    former=("pradhan2014-rankings",),
)
