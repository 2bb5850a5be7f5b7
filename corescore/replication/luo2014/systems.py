"""Luo et al. 2014: does BLANC agree with the other metrics about systems? Of published scores."""

from collections.abc import Hashable, Iterator, Mapping
from io import StringIO

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.counting.counts import harmonic_mean
from corescore.replication.claims import joined, points, title
from corescore.replication.correlations import COEFFICIENT, FEWEST, STRONG, correlations, strong
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.wording import counted, percent

# README.md of github.com/josubg/semeval2010, commit 022f86d72302da661946a18f81ea0ee2cf4923b5; the
# rows that have figures there. R, P and F of CEAF_m, MUC, B³ and BLANC, in percent.
PUBLISHED = """
es closed gold    relaxcor 66.56 66.56 66.56 14.83 73.76 24.70 65.34 97.47 78.24 53.35 81.82 55.55
es closed gold    sucre    69.81 69.81 69.81 52.69 58.25 55.33 75.78 79.04 77.38 67.25 62.51 64.45
es closed gold    tanl-1   66.86 64.72 65.77 16.63 56.51 25.70 65.15 93.36 76.75 52.94 74.34 53.20
es closed regular sucre    50.54 44.78 47.49 31.73 32.59 32.15 49.06 47.35 48.19 32.97 26.49 29.36
es closed regular tanl-1   58.62 59.96 59.28 13.99 48.44 21.71 56.58 78.99 65.93 36.31 60.04 38.90
it closed gold    sucre    65.95 65.95 65.95 48.14 42.29 45.03 76.67 76.84 76.76 56.80 62.02 58.71
it open   regular tanl-1   60.96 49.70 54.76 37.14 28.26 32.09 64.87 55.30 59.70 48.06 49.44 43.88
it closed regular sucre    57.00 66.09 61.21 50.10 50.69 50.39 63.39 79.09 70.37 44.26 66.89 52.68
it closed regular ubiu     31.23 23.92 27.09  2.42  3.86  2.98 30.67 26.29 28.31  9.13  6.80  6.85
ca closed gold    relaxcor 70.48 70.48 70.48 29.29 77.34 42.49 68.59 95.77 79.93 56.01 81.81 59.65
ca closed gold    sucre    68.68 68.68 68.68 54.08 58.43 56.17 76.59 77.42 77.00 72.43 60.19 63.56
ca closed gold    tanl-1   66.00 63.86 64.91 17.23 57.65 26.53 64.41 93.30 76.21 53.14 75.59 53.62
ca closed regular sucre    45.84 38.97 42.12 39.20 28.71 33.15 51.54 38.58 44.12 37.98 20.56 24.68
ca closed regular tanl-1   57.52 56.63 57.07 15.16 46.94 22.92 55.79 76.63 64.57 36.72 59.59 38.59
"""
LANGUAGES = {"es": "Spanish", "it": "Italian", "ca": "Catalan"}
DATA_SET = ["language", "annotation", "information"]
SYSTEM = [*DATA_SET, "system"]
OTHERS = ("muc", "bcub", "ceafm")
MEASURES = ("recall", "precision", "f1")
ROUNDING = 0.00005  # half of the last digit that is printed
CHOICES = {
    "all": "",
    "gold annotation": "annotation == 'gold'",
    "regular annotation": "annotation == 'regular'",
    **{name: f"language == '{name}'" for name in LANGUAGES.values()},
}
SYSTEMS = Parameter(
    "systems",
    "Systems",
    "all",
    "All of them, or those with one kind of annotation, or of one language.",
    choices=tuple(CHOICES),
)
X = "BLANC F1"  # as it is headed where the points are listed
OURS = "ours, of the published figures"


def published() -> pd.DataFrame:
    """Rows (system on a data set, metric): what was published, as fractions.

    Columns: language, annotation ("gold" or "regular"), information ("closed" or "open"), system,
    metric ("muc", "bcub", "ceafm" or "blanc"), recall, precision, f1.
    """
    columns = [
        f"{metric} {name}" for metric in ("ceafm", "muc", "bcub", "blanc") for name in MEASURES
    ]
    names = ["language", "information", "annotation", "system", *columns]
    wide = pd.read_csv(StringIO(PUBLISHED), sep=r"\s+", names=names)
    wide["language"] = wide["language"].map(LANGUAGES)
    parts = [
        wide[SYSTEM].assign(
            metric=metric, **{name: wide[f"{metric} {name}"] / 100 for name in MEASURES}
        )
        for metric in (*OTHERS, "blanc")
    ]
    return pd.concat(parts, ignore_index=True)


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (system on a data set, metric): `published`, of the systems chosen.

    Further columns: blanc (the F1 of BLANC for the same system) and correlation (of the metric
    with BLANC over all systems chosen, −1 to 1).
    """
    query = CHOICES[str(setting.values["systems"])]
    table = published().query(query) if query else published()
    f1 = table.pivot(index=SYSTEM, columns="metric", values="f1")
    pairs = correlations(f1, str(setting.values["coefficient"]), "systems")
    with_blanc = pairs[pairs["other"] == "blanc"].set_index("metric")["correlation"]
    return table.join(f1["blanc"], on=SYSTEM).assign(
        correlation=table["metric"].map(with_blanc.to_dict())
    )


def _against_blanc(table: pd.DataFrame) -> pd.DataFrame:
    """What is drawn: the F1 of the others and, in a column `X`, of BLANC."""
    others = table[table["metric"] != "blanc"]
    return others.drop(columns=["recall", "precision"]).rename(columns={"blanc": X})


# Claims -------------------------------------------------------------------------------------------


def _strongly(table: pd.DataFrame) -> Check:
    of_metric = table.groupby("metric")["correlation"].agg(["first", "size"])
    return joined(
        (title(name), strong(of_metric["first"][name], of_metric["size"][name], "system"))
        for name in OTHERS
    )


def _mean_of(table: pd.DataFrame, *, off: float = 0.0) -> "pd.Series[float]":
    """The harmonic mean of recall and precision, both changed by as much."""
    sides = (table[name].to_numpy() + off for name in ("recall", "precision"))
    return pd.Series(harmonic_mean(*sides), table.index)


def _means_fit(table: pd.DataFrame) -> Check:
    rows = table[table["metric"].isin(OTHERS)]
    low, high = (_mean_of(rows, off=by) + by for by in (-ROUNDING, ROUNDING))
    wrong = rows[~rows["f1"].between(low, high)]
    furthest = (rows["f1"] - _mean_of(rows)).abs().max()
    numbers = [f"{len(rows) - len(wrong)} of {len(rows)} figures; at most {points(furthest)} off"]
    numbers += [f"{title(row['metric'])} of {_name(row)}" for row in wrong.to_dict("records")]
    return Check(wrong.empty, "; not ".join(numbers))


def _name(row: Mapping[Hashable, str]) -> str:
    return f"{row['system']} ({', '.join(row[name] for name in DATA_SET)})"


def _blanc_below(table: pd.DataFrame) -> Check:
    rows = table[table["metric"] == "blanc"]
    above = rows[rows["f1"] > _mean_of(rows, off=ROUNDING) + ROUNDING]
    below = _mean_of(rows) - rows["f1"]
    numbers = [
        f"{len(rows) - len(above)} of {len(rows)} figures; below the mean by "
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
    numbers = ", ".join(f"{title(name)} {n}" for name, n in alike.items())
    holds = all(n == len(best) for n in alike.values())
    where = f"{counted(len(best), 'data set')} with two systems or more"
    return Check(holds, f"the same winner as by BLANC, of {where}: {numbers}")


SYSTEM_SCORES = Experiment(
    id="luo2014-systems",
    paper=LUO_2014,
    where="after Table 3 and Figure 1, with other systems",
    title="Do the metrics agree on which systems are good?",
    setup=(
        "The paper correlates BLANC with the other metrics over the systems of CoNLL-2011 and "
        "CoNLL-2012. Its own tables could not be read. In their place stand 14 outputs of "
        "SemEval-2010 Task 1 in Spanish, Italian and Catalan that somebody scored again with “the "
        "v8.1 script”, which we take to be the reference scorer v8.01: an unofficial source, "
        "README.md of github.com/josubg/semeval2010, commit 022f86d. Its R, P and F of MUC, B³, "
        "CEAF_m and BLANC are published figures; nothing is scored here, and CEAF_e and LEA are "
        "not in it. The correlations are computed from them."
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
            note=f"Strong is ours: {STRONG} or more, on {FEWEST} systems or more. The systems "
            "worked on data of different difficulty, and that alone makes metrics go together; "
            "choose one annotation or one language to see what is left.",
        ),
        Claim(
            "Whichever system is the best on a data set by BLANC is so by the others.",
            OURS,
            _same_winners,
        ),
        Claim(
            "F of MUC, B³ and CEAF_m is the harmonic mean of R and P, as far as rounding lets "
            "one tell.",
            "our check of the figures",
            _means_fit,
        ),
        Claim(
            "F of BLANC, a mean of two F, is not above the harmonic mean of its R and P.",
            "our check of the figures",
            _blanc_below,
            note="BLANC has R, P and F for each of two kinds of links and takes the mean of the "
            "two; the mean of two harmonic means is at most the harmonic mean of the means.",
        ),
    ),
    parameters=(SYSTEMS, COEFFICIENT),
)

EXPERIMENTS = (SYSTEM_SCORES,)
