"""Pradhan et al. 2014, poster, Table 1: systems of CoNLL-2011 and 2012, official and rescored."""

from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import pandas as pd

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014
from corescore.metrics import CONLL, metric_of, title_of
from corescore.replication.claims import cut
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Reading, Setting
from corescore.replication.luo2014.systems import blanc_in_print, others_in_print
from corescore.replication.partitions import toy_pair
from corescore.replication.pradhan2014.example import KEYS, TOY, WORKED_EXAMPLE
from corescore.replication.pradhan2014.example import PRINTED as EXAMPLE
from corescore.replication.pradhan2014.example import TABLE_1 as PRINTED

SCORINGS = ("official", "rescored")

AVERAGE = "conll"

# What is printed on the poster and does not come out ----------------------------------------------

TENTH = 0.001  # a unit of the last printed digit

ROUNDING = 1e-9

OURS = "our check of the figures"


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (data, system, metric): F1 of the five best English systems of each year.

    Columns: data ("CoNLL-2011" or "CoNLL-2012"), system, metric ("mentions", "conll" among them),
    before and after (F1 as printed, by the official scores and rescored; fractions), change
    (after − before; NaN where a single figure is printed for both). official and rescored: what
    can be recomputed of these, the average from the three metrics; NaN for the rest.
    """
    table = PRINTED.numbers.rename(columns={"official": "before", "rescored": "after"})
    table["change"] = table["after"] - table["before"]
    table["after"] = table["after"].fillna(table["before"])
    for scoring, column in zip(SCORINGS, ("before", "after"), strict=True):
        mean = _averages(table, column)
        means = pd.Series(mean.loc[pd.MultiIndex.from_frame(table[KEYS[:2]])].to_numpy())
        table[scoring] = means.where(table["metric"] == AVERAGE)
    return table


def _in_points(table: pd.DataFrame) -> pd.DataFrame:
    """What is drawn: all in percent, without what is recomputed."""
    drawn = table.drop(columns=[*SCORINGS])
    drawn[["before", "after", "change"]] *= 100
    return drawn.rename(columns={"before": "before %", "after": "after %"})


def _averages(table: pd.DataFrame, column: str) -> "pd.Series[float]":
    """(data, system) → the mean of the three metrics of the CoNLL average."""
    three = table[table["metric"].isin(CONLL.members)]
    return three.groupby(KEYS[:2])[column].mean()


def _averages_fit(table: pd.DataFrame, scoring: str) -> Check:
    rows = PRINTED.beside(table).query("metric == @AVERAGE and figure == @scoring")
    off = [
        f"{row['system']} {row['data'][-4:]} {row['computed']:.2f}, printed {row['printed']}"
        for row in rows[rows["differs"]].to_dict("records")
    ]
    return Check(not off, "; ".join([f"{len(rows) - len(off)} of {len(rows)} averages", *off]))


def _changes(table: pd.DataFrame) -> Check:
    """Which metrics are printed with another figure for the scores after; by how much."""
    change = table.groupby("metric", sort=False)["change"]
    of_all = change.apply(lambda values: bool((values.abs() > ROUNDING).all()))
    once = change.apply(lambda values: bool(values.isna().all()))
    holds = set(of_all[of_all].index) | set(once[once].index) == set(of_all.index)
    holds = holds and set(once[once].index) == {"mentions", "muc"}
    numbers = [
        f"{title_of(str(metric))} {_ranges(change.get_group(metric))}"
        for metric in of_all[of_all].index
    ]
    return Check(holds, "; ".join(numbers))


def _ranges(change: "pd.Series[float]") -> str:
    """down by 2.7 to 8.3; up by 0.5 to 5.5, down by 2.0"""
    parts = {"up": change[change > 0], "down": -change[change < 0]}
    return ", ".join(
        f"{way} by {_range(values)}" for way, values in parts.items() if not values.empty
    )


def _range(values: "pd.Series[float]") -> str:
    low, high = (f"{100 * value:.1f}" for value in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def _in_order(table: pd.DataFrame, column: str, data: Sequence[str]) -> Check:
    """Whether the systems of each year stand in the order of the average."""
    rows = table[(table["metric"] == AVERAGE) & table["data"].isin(data)]
    years = list(rows.groupby("data")[["system", column]])
    holds = all((of_year[column].diff().dropna() < -ROUNDING).all() for _, of_year in years)
    numbers = [
        f"{year}: "
        + ", ".join(f"{name} {100 * value:.1f}" for name, value in of_year.to_numpy().tolist())
        for year, of_year in years
    ]
    return Check(bool(holds), "; ".join(numbers))


def _elsewhere() -> Iterator[tuple[str, tuple[str, str, str], float]]:
    """The rescored F1 that other papers print: whose table, (data, system, metric), F1."""
    tables = {"CoNLL-2011": "Table 1", "CoNLL-2012": "Table 2"}
    for row in blanc_in_print().query("language == 'English'").to_dict("records"):
        key = (row["task"], row["system"], "blanc")
        yield LUO_2014.at(tables[row["task"]]), key, row["f1"]
    for row in others_in_print().reset_index().melt("system", value_name="f1").to_dict("records"):
        key = ("CoNLL-2012", row["system"], row["metric"])
        yield MOOSAVI_2016.at("Table 5"), key, row["f1"]


def _as_elsewhere(table: pd.DataFrame) -> Check:
    after = table.set_index(KEYS)["after"]
    found = [
        (name, abs(after[key] - f1) < TENTH / 2 + ROUNDING, key)
        for name, key, f1 in _elsewhere()
        if key in after.index
    ]
    by_paper = pd.DataFrame(found, columns=["paper", "same", "key"]).groupby("paper", sort=False)
    numbers = [f"{paper}: {rows['same'].sum()} of {len(rows)}" for paper, rows in by_paper]
    off = [" ".join(map(str, key)) for _, same, key in found if not same]
    return Check(not off, "; ".join(numbers + [f"not {name}" for name in off]))


TABLE_1 = Experiment(
    id="pradhan2014-table1",
    paper=PRADHAN_2014,
    where="poster, Table 1",
    title="How far do scores of the same systems change with another scorer?",
    setup=(
        "F1 of the five best English systems of CoNLL-2011 and of CoNLL-2012 (official closed "
        "track, predicted mentions), as the tasks' scorer had them and as the reference scorer has "
        "them. The poster prints two figures in a cell without saying which is which; that the "
        "second is the rescored one follows from other papers (below). Mentions and MUC have one "
        "figure. Nothing is scored here; what is computed is the changes and the averages of MUC, "
        "B³ and CEAF_e."
    ),
    run=_table_1,
    chart=Chart(
        "bars",
        x="system",
        x_title="system",
        y="change",
        y_title="change of F1, points",
        facet="data",
        facet_title="data",
        of=_in_points,
    ),
    claims=(
        Claim(
            "Rescored, all ten systems change by B³, both CEAF, BLANC and the average; mentions "
            "and MUC are printed once.",
            "Table 1",
            _changes,
            id="changes",
            scope="comparison",
        ),
        Claim(
            "The systems of each year stand in the order of the rescored average.",
            "Table 1",
            lambda table: _in_order(table, "after", ("CoNLL-2011", "CoNLL-2012")),
            id="order",
            scope="comparison",
        ),
        Claim(
            "The systems of 2012 stand in the order of the official average, too.",
            OURS,
            lambda table: _in_order(table, "before", ("CoNLL-2012",)),
            id="official-order-2012",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The systems of 2011 stand in the order of the official average, too.",
            OURS,
            lambda table: _in_order(table, "before", ("CoNLL-2011",)),
            note="In print chang shares the second place with sapena. By the average of the "
            "printed F1 they would stand in order, but for nugues and chang that is not the "
            "printed average: their B³ look exchanged.",
            id="official-order-2011",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The rescored averages are the means of MUC, B³ and CEAF_e, to a tenth of a point.",
            OURS,
            lambda table: _averages_fit(table, "rescored"),
            id="rescored-averages",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The official averages are the means of MUC, B³ and CEAF_e, to a tenth of a point.",
            OURS,
            lambda table: _averages_fit(table, "official"),
            id="official-averages",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The second figure of a cell is the rescored one: it is the rounded F1 that other "
            "papers print.",
            OURS,
            _as_elsewhere,
            id="as-elsewhere",
            scope="comparison",
            ours=True,
        ),
    ),
    printed=(PRINTED,),
)

UNIT = Fraction(1, 10)  # a unit of the last digit of Table 1

SLIPS = {"f1 of coreference links": "F1 of the coreference links", "f1": "BLANC"}

# Table 1 ------------------------------------------------------------------------------------------


def _official(system: str) -> dict[str, Fraction]:
    """The official figures of a system of CoNLL-2011 by metric, in percent."""
    rows = PRINTED.cells.query("data == 'CoNLL-2011' and system == @system")
    cells = rows[["metric", "official %"]].to_numpy().tolist()
    return {metric: Fraction(cell) for metric, cell in cells}


def _three(figures: dict[str, Fraction]) -> list[Fraction]:
    return [figures[metric] for metric in CONLL.members]


def _mean(figures: dict[str, Fraction]) -> Fraction:
    return sum(_three(figures), Fraction()) / len(CONLL.members)


def _sum_in_words(figures: dict[str, Fraction]) -> str:
    terms = " + ".join(f"{float(value):.1f}" for value in _three(figures))
    return f"({terms}) / {len(CONLL.members)} = {float(_mean(figures)):.2f}"


def _average(system: str, bcub_of: str) -> Callable[[], Check]:
    """The mean of the three against the printed average; also with another system's B³."""

    def arithmetic() -> Check:
        figures = _official(system)
        numbers = f"{_sum_in_words(figures)}, printed {float(figures['conll']):.1f}"
        if bcub_of:
            exchanged = {**figures, "bcub": _official(bcub_of)["bcub"]}
            numbers += f"; with B³ of {bcub_of} {_sum_in_words(exchanged)}"
        short = figures["conll"] - _mean(figures)  # of an average that is rounded itself
        readings = (
            Reading("all figures are rounded", abs(short) < UNIT),
            Reading("F1 is cut, the average rounded", -UNIT / 2 <= short < 3 * UNIT / 2),
        )
        return Check(abs(short) < UNIT, numbers, readings=readings)

    return arithmetic


def _average_erratum(system: str, cause: str, bcub_of: str = "") -> Erratum:
    figures = _official(system)
    return Erratum(
        id=f"pradhan2014-table1-{system}",
        paper=PRADHAN_2014,
        where=PRINTED.where,
        kind="figure",
        printed=f"The official average of {system} in 2011 is {float(figures['conll']):.1f}.",
        computed=f"The mean of its official MUC, B³ and CEAF_e is {float(_mean(figures)):.2f}.",
        arithmetic=_average(system, bcub_of),
        cause=cause,
        experiment=TABLE_1.id,
        cells=(("CoNLL-2011", system, "conll", "official"),),
    )


# The example --------------------------------------------------------------------------------------


def _exact(step: str) -> Fraction:
    """BLANC's value of a step of the example."""
    key, response = (str(parameter.default) for parameter in TOY)
    textbook = metric_of("blanc").textbook
    assert textbook is not None
    return next(s.value for s in textbook(*toy_pair(key, response)) if s.name == step)


def _printed(step: str) -> str:
    (cell,) = EXAMPLE.cells.query("metric == 'blanc' and step == @step")["value"]
    return str(cell)


def _is_cut(step: str) -> Callable[[], Check]:
    """A value that is cut after two decimals where rounding gives another."""

    def arithmetic() -> Check:
        value, printed = _exact(step), _printed(step)
        rounded, of_scorer = f"{float(value):.2f}", cut(float(value))
        numbers = (
            f"{value} = {float(value):.4f}: rounded {rounded}, cut {of_scorer}, printed {printed}"
        )
        from_rounded = _from_rounded(step)
        readings = (
            Reading("rounded", printed == rounded),
            Reading("cut", printed == of_scorer),
            Reading(
                f"worked out from rounded figures, {from_rounded:g}",
                _to_even(from_rounded) == printed,
            ),
        )
        return Check(
            printed == rounded,
            f"{numbers}; from rounded figures {from_rounded:g}",
            readings=readings,
        )

    return arithmetic


def _from_rounded(step: str) -> float:
    """A value of BLANC from the figures that are printed before it: F from R and P, else the mean
    of both F."""
    of_links = " of coreference links"
    if step == f"f1{of_links}":
        recall, precision = (float(_printed(name + of_links)) for name in ("recall", "precision"))
        return round(2 * recall * precision / (recall + precision), 4)
    parts = (_printed(f"f1 of {kind} links") for kind in ("coreference", "non-coreference"))
    return round(sum(map(float, parts)) / 2, 4)


def _to_even(value: float) -> str:
    """With two decimals, as most programs write it: a half goes to the even digit."""
    return str(Decimal(str(value)).quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def _cut_erratum(step: str, title: str) -> Erratum:
    exact = _exact(step)
    return Erratum(
        id=f"pradhan2014-example-{step.split()[-1]}",
        paper=PRADHAN_2014,
        where=EXAMPLE.where,
        kind="figure",
        printed=f"{title} is {_printed(step)}.",
        computed=f"{exact}, which is {float(exact):.2f} when rounded.",
        arithmetic=_is_cut(step),
        cause="Worked out from figures that were rounded before, or cut after two decimals.",
        experiment=WORKED_EXAMPLE.id,
    )


ERRATA: tuple[Erratum, ...] = (
    _average_erratum("nugues", "Its B³ and that of chang are exchanged.", "chang"),
    _average_erratum("chang", "Its B³ and that of nugues are exchanged.", "nugues"),
    _average_erratum(
        "stoyanov", "Its B³, its CEAF_e or the average; its MUC fits the rescored average."
    ),
)

OPEN_READINGS: tuple[Erratum, ...] = (
    _average_erratum("lee", "Its F1 may be cut, and each be up to 0.1 higher."),
    *(_cut_erratum(step, title) for step, title in SLIPS.items()),
)
