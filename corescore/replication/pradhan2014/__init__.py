"""Pradhan et al. 2014: a worked example, formulas with their numbers; systems scored again."""

import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from statistics import fmean, harmonic_mean

import pandas as pd

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014
from corescore.counting.counts import MEASURES, SCORE_FIELDS
from corescore.metrics import CONLL, metric_of, name_of
from corescore.metrics.textbook import F1
from corescore.replication.claims import PaperData, cut, orders
from corescore.replication.experiment import Check, Reading, Setting, in_paper
from corescore.replication.luo2014 import POSTER, blanc_in_print, others_in_print
from corescore.replication.partitions import score_partitions, toy_pair, toy_parameters
from corescore.replication.printed import Printed
from corescore.util import TOLERANCE
from corescore.wording import RATIOS

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


def _as_worked_out(table: pd.DataFrame, printed: Printed, metric: str) -> Check:
    """Whether the printed decimals of a metric are those of its exact steps."""
    found = printed.beside(table).merge(table[[*ON, "exact"]]).query("metric == @metric")
    numbers = [
        f"{step.replace(F1, RATIOS[F1])} {exact} = {computed:.4f}, printed {cell}"
        for step, exact, computed, cell in found[
            ["step", "exact", "computed", "printed"]
        ].to_numpy()
    ]
    return Check(not found["differs"].any(), "; ".join(numbers))


def _unseen(table: pd.DataFrame, of: Mapping[str, str]) -> Check:
    """The orders of F1 with and without the two spurious mentions, by any metrics."""
    key, response = (str(parameter.default) for parameter in TOY)
    pairs = [toy_pair(key, response), toy_pair(key, "{ab}{cd}{fg}")]
    metrics = [metric_of(name) for names in of for name in names.split()]
    scores = score_partitions(pairs, metrics)
    return orders(scores.assign(response=scores["pair"].map({0: "with", 1: "without"})), of)


def _as_scored(table: pd.DataFrame) -> Check:
    both = table[(table["exact"] != "") & table["scored"].notna()]
    if both.empty:
        return Check(None, "none of these metrics is scored")
    off = both[(both["value"] - both["scored"]).abs() > TOLERANCE]
    return Check(off.empty, f"{len(both) - len(off)} of {len(both)} numbers are the scorer's")


WORKED_EXAMPLE = PAPER.experiment(
    "pradhan2014-example",
    _worked_example,
    {
        "as-worked-out": _as_worked_out,
        "manipulation": _unseen,
        "as-scored": _as_scored,
    },
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
        told = [f"{way} by {_range(values)}" for way, values in ways.items() if len(values)]
        numbers += [f"{name_of(str(metric))} {', '.join(told)}"] if told else []
    return Check(holds, "; ".join(numbers))


def _range(values: "pd.Series[float]") -> str:
    return " to ".join(dict.fromkeys(f"{100 * one:.1f}" for one in (values.min(), values.max())))


def _as_elsewhere(table: pd.DataFrame) -> Check:
    """Whether the rescored F1 are those, rounded, that other papers print."""
    blanc = blanc_in_print().query("language == 'English'").rename(columns={"task": "data"})
    tables = {"CoNLL-2011": LUO_2014.at("Table 1"), "CoNLL-2012": LUO_2014.at("Table 2")}
    blanc = blanc.assign(metric="blanc", where=blanc["data"].map(tables))
    others = others_in_print().reset_index().melt("system", var_name="metric", value_name="f1")
    others = others.assign(data="CoNLL-2012", where=MOOSAVI_2016.at("Table 5"))
    both = pd.concat([blanc, others])[[*KEYS, "where", "f1"]].merge(table, on=KEYS)
    off = (both["after"] - both["f1"]).abs() >= 0.0005 + ROUNDING  # half of the last digit
    numbers = [
        f"{where}: {(~rows).sum()} of {len(rows)}"
        for where, rows in off.groupby(both["where"], sort=False)
    ]
    numbers += [f"not {' '.join(key)}" for key in both.loc[off, KEYS].to_numpy()]
    return Check(not off.any(), "; ".join(numbers))


TABLE_1 = PAPER.experiment(
    "pradhan2014-table1",
    _table_1,
    {
        "changes": _changes,
        "as-elsewhere": _as_elsewhere,
    },
    of=_in_points,
)

# What is printed on the poster and does not come out ----------------------------------------------

UNIT = Fraction(1, 10)  # a unit of the last digit of Table 1


def _average(system: str, other: str = "") -> Check:
    """The mean of the three against the printed average; also with another system's B³."""
    cells = POSTER.cells.query("data == 'CoNLL-2011'")[["system", "metric", "official %"]]
    official = {(name, metric): Fraction(cell) for name, metric, cell in cells.to_numpy()}

    def worked_out(bcub_of: str) -> tuple[Fraction, str]:
        three = [official[bcub_of if m == "bcub" else system, m] for m in CONLL.members]
        mean = sum(three, Fraction()) / len(three)
        terms = " + ".join(f"{float(value):.1f}" for value in three)
        return mean, f"({terms}) / {len(three)} = {float(mean):.2f}"

    (mean, numbers), printed = worked_out(system), official[system, CONLL.id]
    numbers += f", printed {float(printed):.1f}"
    if other:
        numbers += f"; with B³ of {other} {worked_out(other)[1]}"
    short = printed - mean  # of an average that is rounded itself
    readings = (
        Reading("all figures are rounded", abs(short) < UNIT),
        Reading("F1 is cut, the average rounded", -UNIT / 2 <= short < 3 * UNIT / 2),
    )
    return Check(abs(short) < UNIT, numbers, readings=readings)


def _is_cut(step: str, parts: Sequence[str]) -> Check:
    """A value of BLANC that is cut after two decimals where rounding gives another, and the value
    worked out from the parts of it that are printed before: as their mean, F1 itself; as their
    harmonic mean, F1 of links."""
    steps = EXAMPLE.cells.query("metric == 'blanc'").set_index("step")["value"]
    exact = in_paper(WORKED_EXAMPLE).table.set_index([*ON])["exact"]["blanc", step]
    value, printed = float(Fraction(exact)), steps[step]
    mean = fmean if step == F1 else harmonic_mean
    of_rounded = round(mean(float(steps[part]) for part in parts), 4)
    to_even = Decimal(str(of_rounded)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    readings = (
        Reading("rounded", printed == f"{value:.2f}"),
        Reading("cut", printed == cut(value)),
        Reading(f"worked out from rounded figures, {of_rounded:g}", printed == str(to_even)),
    )
    numbers = (
        f"{exact} = {value:.4f}: rounded {value:.2f}, cut {cut(value)}, printed {printed}; from "
        f"rounded figures {of_rounded:g}"
    )
    return Check(readings[0].holds, numbers, readings=readings)


EXPERIMENTS = (WORKED_EXAMPLE, TABLE_1)

ERRATA, OPEN_READINGS = PAPER.errata(EXPERIMENTS, {"average": _average, "is-cut": _is_cut})
