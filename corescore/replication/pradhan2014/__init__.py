"""Pradhan et al. 2014: a worked example, formulas with their numbers; systems scored again."""

import math
from collections.abc import Mapping

import pandas as pd

from corescore.bibliography import MOOSAVI_2016, PRADHAN_2014
from corescore.counting.counts import MEASURES, SCORE_FIELDS
from corescore.metrics import CONLL, metric_of, name_of
from corescore.replication.claims import PaperData, orders
from corescore.replication.experiment import Check, Setting
from corescore.replication.luo2014 import POSTER
from corescore.replication.partitions import score_partitions, toy_pair, toy_parameters

PAPER = PaperData("pradhan2014", PRADHAN_2014)

# The worked example -------------------------------------------------------------------------------

TOY = toy_parameters("{abc}{defg}", "{ab}{cd}{fghi}")

ON = ("metric", "step")

EXAMPLE, OF_LEA = PAPER.printed("poster, example"), PAPER.printed("§5", MOOSAVI_2016)


def _worked_example(setting: Setting) -> pd.DataFrame:
    """Rows (metric, step). Columns: metric, step (recall, precision and f1, of BLANC also those of
    its parts), formula (with its numbers), exact (a fraction in lowest terms), value (the same as
    a number) and scored (the scorer's value; NaN for parts). A metric without textbook steps has
    its numerators and denominators as formula, and nothing exact."""
    pair = toy_pair(setting.text("key"), setting.text("response"))
    scores = score_partitions([pair], setting.metrics).set_index("metric")[[*SCORE_FIELDS]]
    textbooks = {m.id: m.textbook for m in setting.metrics if m.textbook}
    rows: list[tuple[object, ...]] = []
    for metric, score in scores.to_dict("index").items():
        textbook = CONLL.textbook if metric == CONLL.id else textbooks.get(str(metric))
        if textbook:
            rows += [
                (
                    metric,
                    s.name,
                    s.quotient.text,
                    str(s.value),
                    float(s.value),
                    score.get(s.name, math.nan),
                )
                for s in textbook(*pair)
            ]
            continue
        for name in MEASURES:
            above, below = score.get(f"{name}_numerator"), score.get(f"{name}_denominator")
            counts = "" if above is None or math.isnan(above) else f"{above:g} / {below:g}"
            rows.append((metric, name, counts, "", score[name], score[name]))
    return pd.DataFrame(rows, columns=[*ON, "formula", "exact", "value", "scored"])


def _unseen(table: pd.DataFrame, claimed: Mapping[str, str]) -> Check:
    """The orders of F1 with and without the two spurious mentions, by any metrics."""
    key, response = (str(parameter.default) for parameter in TOY)
    pairs = [toy_pair(key, response), toy_pair(key, "{ab}{cd}{fg}")]
    metrics = [metric_of(name) for names in claimed for name in names.split()]
    scores = score_partitions(pairs, metrics)
    return orders(scores.assign(response=scores["pair"].map({0: "with", 1: "without"})), claimed)


WORKED_EXAMPLE = PAPER.experiment(
    "pradhan2014-example",
    _worked_example,
    {"manipulation": _unseen},
    parameters=TOY,
    printed=(EXAMPLE, OF_LEA),
)

# Table 1 of the poster: systems scored again ------------------------------------------------------

KEYS = [*POSTER.on]

ROUNDING = 1e-9


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (data, system, metric): F1 of the five best English systems of each year.

    Columns: data ("CoNLL-2011" or "CoNLL-2012"), system, metric ("mentions", "conll" among them),
    before and after (F1 as printed, by the official scores and rescored; fractions), change
    (after − before; NaN where a single figure is printed for both). official and rescored: what
    can be recomputed of these, the average from the three metrics; NaN for the rest.
    """
    table = POSTER.numbers.rename(columns={"official": "before", "rescored": "after"})
    table["change"] = table["after"] - table["before"]
    table["after"] = table["after"].fillna(table["before"])
    three = table[table["metric"].isin(CONLL.members)].groupby(KEYS[:2])[["before", "after"]]
    means = three.mean().set_axis(["official", "rescored"], axis=1)
    return table.merge(means.assign(metric=CONLL.id).reset_index(), on=KEYS, how="left")


def _in_points(table: pd.DataFrame) -> pd.DataFrame:
    """What is drawn: all in percent, without what is recomputed."""
    drawn = table.drop(columns=["official", "rescored"])
    drawn[["before", "after", "change"]] *= 100
    return drawn.rename(columns={"before": "before %", "after": "after %"})


def _changes(table: pd.DataFrame) -> Check:
    """Which metrics are printed with another figure for the scores after; by how much."""
    numbers, holds = [], True
    for metric, change in table.groupby("metric", sort=False)["change"]:
        once = change.isna().all()
        holds &= bool(once == (metric in ("mentions", "muc")))
        holds &= bool(once or (change.abs() > ROUNDING).all())
        ways = {"up": change[change > 0], "down": -change[change < 0]}
        figures = [f"{way} by {_range(values)}" for way, values in ways.items() if len(values)]
        numbers += [f"{name_of(str(metric))} {', '.join(figures)}"] if figures else []
    return Check(holds, "; ".join(numbers))


def _range(values: "pd.Series[float]") -> str:
    return " to ".join(dict.fromkeys(f"{100 * one:.1f}" for one in (values.min(), values.max())))


TABLE_1 = PAPER.experiment(
    "pradhan2014-table1",
    _table_1,
    {"changes": _changes},
    select=_in_points,
)

EXPERIMENTS = (WORKED_EXAMPLE, TABLE_1)
