"""Luo et al. 2014, Tables 1 to 3 and Figure 1: how BLANC correlates with other metrics."""

import math
from collections.abc import Callable
from math import nan, sqrt
from pathlib import Path

import pandas as pd

from corescore.analysis.significance.resamples import measures_of
from corescore.analysis.systems.documents import CorrelationMethod
from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014
from corescore.counting.counts import MEASURES, harmonic_mean
from corescore.metrics import BESIDE_IDS, title_of
from corescore.replication.claims import joined, needing, points
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Reading,
    Setting,
)
from corescore.replication.moosavi2016.table5 import scores_in_print
from corescore.replication.pradhan2014.example import TABLE_1 as POSTER
from corescore.replication.printed import Printed
from corescore.scoring.scores import score
from corescore.util import HALF_A_PLACE
from corescore.wording import RATIOS, counted, listed, percent

STRONG, FEWEST = 0.8, 5

# How similarly metrics score: pairwise correlations, and when we call one strong ------------------

_METHODS: dict[str, CorrelationMethod] = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall": "kendall",
}

COEFFICIENT = Parameter(
    "coefficient",
    "Coefficient",
    "pearson",
    "pearson compares the scores themselves; spearman and kendall compare only their order.",
    choices=tuple(_METHODS),
)


def correlations(f1: pd.DataFrame, coefficient: str, unit: str) -> pd.DataFrame:
    """Rows (metric, other): the correlation of each two columns of `f1`, over the rows of both.

    f1           a row for each document or system, a column for each metric; NaN where a metric
                 has nothing to score
    coefficient  one of the choices of `COEFFICIENT`

    Columns: metric, other, correlation (−1 to 1; NaN where one of the two does not vary), and
    `unit` ("documents", "systems"): how many rows both have an F1 for.
    """
    there = f1.notna().astype(int)
    matrices = {"correlation": f1.corr(method=_METHODS[coefficient]), unit: there.T @ there}
    stacked = {name: matrix.stack(future_stack=True) for name, matrix in matrices.items()}
    return pd.DataFrame(stacked).rename_axis(["metric", "other"]).reset_index()


def strong(correlation: float, n: int, unit: str) -> Check:
    """Whether a correlation over `n` units ("document") is strong; None if there are fewer than
    `FEWEST`, or all have the same score."""
    sample = counted(n, unit)
    if n < FEWEST:
        return Check(None, f"{sample}, too few")
    if math.isnan(correlation):
        return Check(None, f"the same score on all {sample}")
    return Check(bool(correlation >= STRONG), f"{correlation:.3f} over {sample}")


FOLDER = Path(__file__).parent

TABLE_1 = Printed("Table 1", FOLDER / "table1.csv", ("system",))

TABLE_2 = Printed("Table 2", FOLDER / "table2.csv", ("language", "system"))

TABLE_3 = Printed("Table 3", FOLDER / "table3.csv", ("metric", "other", "measure"), same_data=False)

FIGURE_1 = Printed("Figure 1", FOLDER / "figure1.csv", ("metric",))

OTHERS = ("muc", "bcub", "ceafm", "ceafe")

LEVEL = 0.001  # of the paper's p-values

PARTICIPANT = ["task", "language", "system"]

ENGLISH = {"task": "CoNLL-2012", "language": "English"}

SPELLED = {"chunyuang": "chunyang"}  # as in Table 5 of Moosavi & Strube, and as here

Y = "BLANC F1"  # heading of the column in the list of points


def blanc_in_print() -> pd.DataFrame:
    """The participants of Tables 1 and 2: task, language, system, and BLANC's recall, precision
    and f1."""
    of_2011 = TABLE_1.numbers.assign(task="CoNLL-2011", language="English")
    both = pd.concat([of_2011, TABLE_2.numbers.assign(task="CoNLL-2012")], ignore_index=True)
    return both[[*PARTICIPANT, *MEASURES]]


def others_in_print() -> pd.DataFrame:
    """(English systems of CoNLL-2012 × metrics) the F1 that Moosavi & Strube print."""
    return scores_in_print().rename(index=SPELLED)


def _of_2012() -> pd.DataFrame:
    """Rows (participant, metric) of `others_in_print`, with their score."""
    english = others_in_print()[list(OTHERS)].reset_index().assign(**ENGLISH)
    return english.melt(PARTICIPANT, var_name="metric", value_name="score")


def _of_2011() -> pd.DataFrame:
    """The same of the five systems of CoNLL-2011 that the poster has; MUC is printed once."""
    rows = POSTER.numbers.query("data == 'CoNLL-2011' and metric in @OTHERS")
    score = rows["rescored"].fillna(rows["official"])
    named = rows.assign(task=rows["data"], language="English", score=score)
    return named[[*PARTICIPANT, "metric", "score"]]


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (participant, metric, measure): BLANC's recall, precision and F1 of all 53
    participants, and F1 by MUC, B³, CEAF_m and CEAF_e where it is printed somewhere: of 14 systems
    of 2012 and five of 2011.

    Columns: task, language, system, metric, other ("blanc"), measure, score and blanc (that of
    BLANC; fractions), systems (for how many both are printed), correlation of the two over these
    (−1 to 1) and its p; NaN for BLANC itself.
    """
    blanc = blanc_in_print()
    own = blanc.melt(PARTICIPANT, var_name="measure", value_name="score").assign(metric="blanc")
    other = pd.concat([_of_2011(), _of_2012()], ignore_index=True).assign(measure="f1")
    table = pd.concat([own, other], ignore_index=True).assign(other="blanc")
    keys = [*PARTICIPANT, "measure"]
    of_blanc = own.set_index(keys)["score"]
    table["blanc"] = of_blanc.loc[pd.MultiIndex.from_frame(table[keys])].to_numpy()
    told = [_told(rows, setting.text("coefficient")) for _, rows in table.groupby("metric")]
    table = table.join(pd.concat(told))
    columns = ["metric", "other", "measure", "score", "blanc", "systems", "correlation", "p"]
    return table[[*PARTICIPANT, *columns]]


def _told(rows: pd.DataFrame, coefficient: str) -> pd.DataFrame:
    """Columns systems, correlation and p for the rows of a metric."""
    from scipy import stats  # slow to import: only when this is run

    found: dict[str, float] = {"systems": nan, "correlation": nan, "p": nan}
    if rows["metric"].iloc[0] != "blanc":
        tests: dict[str, Callable[..., tuple[float, float]]] = {
            "pearson": stats.pearsonr,
            "spearman": stats.spearmanr,
            "kendall": stats.kendalltau,
        }
        r, p = tests[coefficient](rows["score"].to_numpy(), rows["blanc"].to_numpy())
        found = {"systems": len(rows), "correlation": float(r), "p": float(p)}
    return pd.DataFrame(found, rows.index)


def _against_blanc(table: pd.DataFrame) -> pd.DataFrame:
    """The points to draw: F1 of each other metric and, in column `Y`, of BLANC."""
    others = table[table["metric"] != "blanc"]
    return others.drop(columns=["other", "measure", "p"]).rename(columns={"blanc": Y})


def _found(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each other metric: systems, correlation and p."""
    others = table[table["metric"] != "blanc"]
    return others.groupby("metric")[["systems", "correlation", "p"]].first().loc[list(OTHERS)]


def _correlates(table: pd.DataFrame) -> Check:
    found = _found(table)
    holds = (found["correlation"] > 0).all() and (found["p"] < LEVEL).all()
    numbers = ", ".join(f"{title_of(str(m))} {r:.3f}" for m, r in found["correlation"].items())
    n = counted(found["systems"].max(), "system")
    return Check(bool(holds), f"F1 over {n}: {numbers}; {_largest(found['p'].max())}")


def _largest(p: float) -> str:
    return f"p at most {p:.1g}"


def _correlates_in_print() -> Check:
    from scipy import stats  # slow to import: only when this is run

    r, n = TABLE_3.numbers["correlation"], len(blanc_in_print())
    t = r * ((n - 2) / (1 - r**2)).map(sqrt)
    p = float(2 * stats.t.sf(t.abs(), n - 2).max())
    numbers = f"{counted(len(r), 'coefficient')} from {r.min():.3f} to {r.max():.3f} over {n}"
    return Check(bool((r > 0).all() and p < LEVEL), f"{numbers}; {_largest(p)}")


def _most(r: "pd.Series[float]") -> Check:
    """Whether B³ and CEAF_m are above MUC and CEAF_e."""
    holds = r[["bcub", "ceafm"]].min() > r[["muc", "ceafe"]].max()
    order = r.sort_values(ascending=False, kind="stable")
    return Check(bool(holds), ", ".join(f"{title_of(str(m))} {x:.3f}" for m, x in order.items()))


def _most_of_print() -> Check:
    r = TABLE_3.numbers.pivot(index="metric", columns="measure", values="correlation")
    checks = {measure: _most(r[measure]) for measure in MEASURES}
    numbers = "; ".join(f"{RATIOS[name]}: {check.numbers}" for name, check in checks.items())
    return Check(checks["f1"].holds, numbers)


def _as_many_points(table: pd.DataFrame) -> Check:
    n, drawn = len(blanc_in_print()), FIGURE_1.numbers["points"]
    in_panels = listed(f"{number:.0f}" for number in drawn)
    numbers = f"{n} participants; {in_panels} points in the panels"
    return Check(bool((drawn == n).all()), numbers)


def _below_the_mean(table: pd.DataFrame) -> Check:
    rows = blanc_in_print()
    bound, highest = (
        pd.Series(harmonic_mean(*(rows[name].to_numpy() + by for name in MEASURES[:2])), rows.index)
        for by in (0.0, HALF_A_PLACE)
    )
    above = rows[rows["f1"] > highest + HALF_A_PLACE]
    below = (bound - rows["f1"]).clip(lower=0)  # rounding apart
    numbers = [
        f"{len(rows) - len(above)} of {len(rows)} F1; below the harmonic mean by "
        f"{percent(below.min())} to {points(below.max())}",
        *(f"above it for {row['system']}, {row['task']}" for row in above.to_dict("records")),
    ]
    return Check(above.empty, "; ".join(numbers))


def _same_in_table_5(table: pd.DataFrame) -> Check:
    here = TABLE_2.numbers.query("language == 'English'").set_index("system")["f1"]
    there = others_in_print()["blanc"]
    both = pd.DataFrame({"here": here, "there": there}).dropna()
    off = both[(both["here"] - both["there"]).abs() > HALF_A_PLACE]
    numbers = [f"{len(both) - len(off)} of {counted(len(both), 'system')}"]
    numbers += [
        f"{name} {percent(row['here'])}, there {percent(row['there'])}"
        for name, row in off.iterrows()
    ]
    furthest = (both["here"] - both["there"]).abs().max()
    readings = (
        Reading("both papers round", bool(off.empty)),
        Reading("one of them cuts", bool(furthest < 3 * HALF_A_PLACE)),
    )
    return Check(off.empty, "; ".join(numbers), readings=readings)


SYSTEM_SCORES = Experiment(
    id="luo2014-systems",
    paper=LUO_2014,
    where="Tables 1 to 3, Figure 1",
    title="Do the metrics agree on which systems are good?",
    setup=(
        "The paper correlates BLANC with MUC, B³, CEAF_m and CEAF_e over the 53 participants of "
        "CoNLL-2011 and CoNLL-2012 (English, Arabic and Chinese). Tables 1 and 2 have their BLANC; "
        f"their other scores are not printed. {MOOSAVI_2016.name}, Table 5, has F1 of 14 of the 15 "
        f"English systems of 2012, and {PRADHAN_2014.at('poster, Table 1')}, of five of 2011, to a "
        "tenth of a point. Over these 19 the correlation is computed, and drawn as in "
        "Figure 1; recall and precision by the other metrics are printed nowhere. Table 3, which "
        "is over all 53, stands beside it. Nothing is scored here."
    ),
    run=_systems,
    chart=Chart(
        "points",
        x="score",
        x_title="F1, percent",
        y=Y,
        y_title=f"{Y}, percent",
        facet="metric",
        of=_against_blanc,
    ),
    claims=(
        Claim(
            "BLANC correlates with MUC, B³, CEAF_m and CEAF_e, with p below 0.001.",
            "§5.2, Table 3",
            _correlates,
            note="In print by recall, precision and F1; p follows from the coefficient and the "
            "number of systems.",
            id="correlates",
            in_print=_correlates_in_print,
            scope="result",
        ),
        Claim(
            "By F1, BLANC correlates most with B³ and CEAF_m.",
            "§6, Table 3",
            lambda table: _most(_found(table)["correlation"]),
            note="Computed over 19 systems, in print over 53. The paper says it of its BLANC "
            "scores, which are F1 in its tables; by recall alone MUC comes second in print.",
            id="most",
            in_print=_most_of_print,
            scope="result",
        ),
        Claim(
            "Tables 1 and 2 have as many participants as each panel of Figure 1 has points.",
            "Tables 1 and 2, Figure 1",
            _as_many_points,
            id="points",
            scope="result",
            ours=True,
        ),
        Claim(
            "F1 of BLANC, the mean of two F1, is never above the harmonic mean of its recall and "
            "precision.",
            "our check of Tables 1 and 2",
            _below_the_mean,
            note="BLANC takes the mean of R, P and F over the two kinds of links, and the mean of "
            "two harmonic means is at most the harmonic mean of the means.",
            id="below-the-mean",
            scope="result",
            ours=True,
        ),
        Claim(
            "BLANC of the English systems of 2012 is the same in Table 2 and in Table 5 of "
            f"{MOOSAVI_2016.name}.",
            "our check of Table 2",
            _same_in_table_5,
            id="same-blanc",
            scope="result",
            ours=True,
        ),
    ),
    parameters=(COEFFICIENT,),
    printed=(TABLE_3, TABLE_1, TABLE_2),
)


# Luo et al. 2014: the correlation of metrics, over documents instead of systems -------------------


def _correlation(setting: Setting) -> pd.DataFrame:
    """Rows (metric, other, measure): the correlation of each two metrics, "conll" among them.

    Columns: metric, other, measure (recall, precision or f1; CoNLL has only f1), correlation (−1
    to 1; NaN where one of the two does not vary), and documents (for how many both have a score).
    """
    result = score(*setting.data, setting.policies, metrics=setting.metrics)
    names = [name for name in result.scores if name not in BESIDE_IDS]
    parts = []
    for measure in MEASURES:
        columns = {
            name: getattr(result.document_scores[name], measure)
            for name in names
            if measure in measures_of(name)
        }
        part = correlations(pd.DataFrame(columns), setting.text("coefficient"), "documents")
        part.insert(2, "measure", measure)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _of_f1(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["measure"] == "f1"]


@needing("blanc", *OTHERS)
def _strong(table: pd.DataFrame) -> Check:
    rows = _of_f1(table).query("metric == 'blanc'").set_index("other")
    return joined(
        (title_of(other), strong(rows["correlation"][other], rows["documents"][other], "document"))
        for other in OTHERS
    )


CORRELATION = Experiment(
    id="luo2014-correlation",
    paper=LUO_2014,
    where="Table 3, over documents",
    title="Do the metrics agree on which documents went well?",
    setup=(
        "The paper correlates BLANC with the other metrics over the systems of the CoNLL shared "
        "tasks. Here the correlation is over the documents of the loaded key and response: each "
        "document's score by one metric against its score by another. A document that a metric "
        "cannot be computed on is left out for that metric. Drawn is F1; recall and precision are "
        "in the table. The paper's Table 3, which is over systems, stands beside it."
    ),
    run=_correlation,
    chart=Chart(
        "matrix",
        x="metric",
        y="correlation",
        facet="other",
        x_title="metric",
        facet_title="metric",
        y_title="correlation",
        of=_of_f1,
    ),
    claims=(
        Claim(
            "BLANC is strongly correlated with MUC, B³, CEAF_m and CEAF_e.",
            "ours, after the abstract and Table 3",
            _strong,
            note=f"What counts as strong is our choice: {STRONG} or more, on at least {FEWEST} "
            "documents. The paper makes the claim about systems; documents may well differ.",
            id="strong",
            scope="result",
            ours=True,
        ),
    ),
    parameters=(COEFFICIENT,),
    on_data=True,
    printed=(TABLE_3,),
)
