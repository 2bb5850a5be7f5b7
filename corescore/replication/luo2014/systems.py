"""Luo et al. 2014: the correlation of metrics over systems, from published scores."""

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.counting.counts import MEASURES, harmonic_mean
from corescore.metrics import title_of
from corescore.replication.claims import joined, points
from corescore.replication.correlations import COEFFICIENT, FEWEST, STRONG, correlations, strong
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.printed import read_printed
from corescore.tolerances import HALF_A_PLACE
from corescore.wording import counted, percent

SCORES = Path(__file__).with_name("systems.csv")
DATA_SET = ["language", "annotation", "information"]
SYSTEM = [*DATA_SET, "system"]
OTHERS = ("muc", "bcub", "ceafm")
CHOICES = {
    "all": "",
    "gold annotation": "annotation == 'gold'",
    "regular annotation": "annotation == 'regular'",
    **{name: f"language == '{name}'" for name in ("Spanish", "Italian", "Catalan")},
}
SYSTEMS = Parameter(
    "systems",
    "Systems",
    "all",
    "All of them, only those with one kind of annotation, or only those of one language.",
    choices=tuple(CHOICES),
)
X = "BLANC F1"  # heading of the column in the list of points
OURS = "ours, from the published scores"


def published() -> pd.DataFrame:
    """Rows (system on a data set, metric): the published scores as fractions.

    Columns: language, annotation ("gold" or "regular"), information ("closed" or "open"), system,
    metric ("muc", "bcub", "ceafm" or "blanc"), recall, precision, f1.
    """
    scores = read_printed(SCORES)
    parts = [
        scores[SYSTEM].assign(
            metric=metric, **{name: scores[f"{metric} {name}"] for name in MEASURES}
        )
        for metric in (*OTHERS, "blanc")
    ]
    return pd.concat(parts, ignore_index=True)


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (system on a data set, metric): `published`, of the selected systems.

    Further columns: blanc (the F1 of BLANC for the same system) and correlation (of the metric
    with BLANC over the selected systems, −1 to 1).
    """
    query = CHOICES[setting.text("systems")]
    table = published().query(query) if query else published()
    f1 = table.pivot(index=SYSTEM, columns="metric", values="f1")
    pairs = correlations(f1, setting.text("coefficient"), "systems")
    with_blanc = pairs[pairs["other"] == "blanc"].set_index("metric")["correlation"]
    return table.join(f1["blanc"], on=SYSTEM).assign(
        correlation=table["metric"].map(with_blanc.to_dict())
    )


def _against_blanc(table: pd.DataFrame) -> pd.DataFrame:
    """The points to draw: F1 of each other metric and, in column `X`, of BLANC."""
    others = table[table["metric"] != "blanc"]
    return others.drop(columns=["recall", "precision"]).rename(columns={"blanc": X})


def _strongly(table: pd.DataFrame) -> Check:
    of_metric = table.groupby("metric")["correlation"].agg(["first", "size"])
    return joined(
        (title_of(name), strong(of_metric["first"][name], of_metric["size"][name], "system"))
        for name in OTHERS
    )


def _mean_of(table: pd.DataFrame, *, off: float = 0.0) -> "pd.Series[float]":
    """The harmonic mean of recall and precision, both changed by `off`."""
    sides = (table[name].to_numpy() + off for name in ("recall", "precision"))
    return pd.Series(harmonic_mean(*sides), table.index)


def _means_fit(table: pd.DataFrame) -> Check:
    rows = table[table["metric"].isin(OTHERS)]
    low, high = (_mean_of(rows, off=by) + by for by in (-HALF_A_PLACE, HALF_A_PLACE))
    wrong = rows[~rows["f1"].between(low, high)]
    furthest = (rows["f1"] - _mean_of(rows)).abs().max()
    n_right = len(rows) - len(wrong)
    numbers = [f"{n_right} of {len(rows)} numbers; at most {points(furthest)} off"]
    numbers += [f"{title_of(row['metric'])} of {_name(row)}" for row in wrong.to_dict("records")]
    return Check(wrong.empty, "; not ".join(numbers))


def _name(row: Mapping[Hashable, str]) -> str:
    return f"{row['system']} ({', '.join(row[name] for name in DATA_SET)})"


def _blanc_below(table: pd.DataFrame) -> Check:
    rows = table[table["metric"] == "blanc"]
    above = rows[rows["f1"] > _mean_of(rows, off=HALF_A_PLACE) + HALF_A_PLACE]
    below = _mean_of(rows) - rows["f1"]
    numbers = [
        f"{len(rows) - len(above)} of {len(rows)} numbers; below the mean by "
        f"{percent(below.min())} to {points(below.max())}",
        *(f"above for {_name(row)}" for row in above.to_dict("records")),
    ]
    return Check(above.empty, "; ".join(numbers))


def _winners(table: pd.DataFrame) -> Iterator[dict[str, str]]:
    """The best system by each metric, on each data set with two or more of them."""
    for _, rows in table.groupby(DATA_SET, sort=False):
        f1 = rows.pivot(index="system", columns="metric", values="f1")
        if len(f1) > 1:
            yield {str(name): str(scores.idxmax()) for name, scores in f1.items()}


def _same_winners(table: pd.DataFrame) -> Check:
    best = pd.DataFrame(list(_winners(table)))
    if best.empty:
        return Check(None, "no two systems on the same data")
    alike = {name: int((best[name] == best["blanc"]).sum()) for name in OTHERS}
    numbers = ", ".join(f"{title_of(name)} {n}" for name, n in alike.items())
    holds = all(n == len(best) for n in alike.values())
    where = f"{counted(len(best), 'data set')} with two systems or more"
    return Check(holds, f"same winner as by BLANC, on {where}: {numbers}")


SYSTEM_SCORES = Experiment(
    id="luo2014-systems",
    paper=LUO_2014,
    where="after Table 3 and Figure 1, with other systems",
    title="Do the metrics agree on which systems are good?",
    setup=(
        "The paper correlates BLANC with the other metrics over the systems of CoNLL-2011 and "
        "CoNLL-2012. Its own tables could not be read. In their place we use 14 responses of "
        "SemEval-2010 Task 1 in Spanish, Italian and Catalan that somebody scored again with “the "
        "v8.1 script”, which we take to be the reference scorer v8.01. The source is unofficial: "
        "README.md of github.com/josubg/semeval2010, commit 022f86d. It gives R, P and F of MUC, "
        "B³, CEAF_m and BLANC, but not of CEAF_e and LEA. These are published scores; nothing is "
        "scored here. Only the correlations are computed."
    ),
    run=_systems,
    chart=Chart(
        "points",
        x=X,
        x_title=f"{X}, percent",
        facet="metric",
        of=_against_blanc,
    ),
    claims=(
        Claim(
            "BLANC is strongly correlated with MUC, B³ and CEAF_m over systems.",
            "ours, after the abstract and Table 3",
            _strongly,
            note=f"What counts as strong is our choice: {STRONG} or more, on at least {FEWEST} "
            "systems. The systems worked on data of different difficulty, which alone makes "
            "metrics correlate; select one annotation or one language to see what is left.",
        ),
        Claim(
            "The system that BLANC ranks first on a data set is also first by the others.",
            OURS,
            _same_winners,
        ),
        Claim(
            "F of MUC, B³ and CEAF_m is the harmonic mean of R and P, within rounding.",
            "our check of the scores",
            _means_fit,
        ),
        Claim(
            "F of BLANC, the mean of two F, is never above the harmonic mean of its R and P.",
            "our check of the scores",
            _blanc_below,
            note="BLANC takes the mean of R, P and F over the two kinds of links, and the mean of "
            "two harmonic means is at most the harmonic mean of the means.",
        ),
    ),
    parameters=(SYSTEMS, COEFFICIENT),
)
