"""What is printed on the poster and does not come out."""

from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from corescore.bibliography import PRADHAN_2014
from corescore.metrics import CONLL, metric_of
from corescore.replication.claims import cut
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Check
from corescore.replication.pradhan2014.data import TABLE_1 as PRINTED
from corescore.replication.pradhan2014.example import PRINTED as EXAMPLE
from corescore.replication.pradhan2014.example import TOY, WORKED_EXAMPLE
from corescore.replication.pradhan2014.table1 import TABLE_1
from corescore.replication.toys import toy_pair
from corescore.replication.verdict import Reading

TENTH = Fraction(1, 10)  # a unit of the last digit of Table 1
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
            Reading("all figures are rounded", abs(short) < TENTH),
            Reading("F1 is cut, the average rounded", -TENTH / 2 <= short < 3 * TENTH / 2),
        )
        return Check(abs(short) < TENTH, numbers, readings=readings)

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
