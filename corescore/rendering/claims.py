"""Claims and whether they hold → sentences, tables and HTML."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import pandas as pd
from markupsafe import Markup

from corescore.analysis.perturbation.effects import FALL, NOT_FALL, RISE, SAME
from corescore.counting.counts import MEASURES
from corescore.plots.experiments.marks import is_percent
from corescore.rendering import drawn
from corescore.rendering.html import note
from corescore.rendering.templates import render
from corescore.replication import Experiment
from corescore.replication.experiment import Chart, Check, Claim, Outcome
from corescore.replication.verdict import SCOPES, Verdict, worst
from corescore.sentences.extremes import greatest, least, named
from corescore.sentences.names import metric_title, subscripted
from corescore.sentences.verdicts import (
    MARKS,
    Checks,
    Mark,
    held,
    mark_of,
    published,
    readings_told,
    tally_mark,
)
from corescore.teaching.pitfalls.pitfall import Claim as CardClaim
from corescore.wording import capital, counted, percent

_NONE: Mapping[str, str] = MappingProxyType({})
_FRACTIONS = (
    "recall",
    "precision",
    "f1",
    "low",
    "high",
    "share",
    "step",
    "scored",
    "mentions_present",
    *(f"{measure}_{end}" for measure in MEASURES for end in ("low", "high")),
)


# Sentences ----------------------------------------------------------------------------------------


def finding(outcome: Outcome, *, changed: bool) -> str:
    """What the experiment finds at a glance, if it says so; how many of the paper's observations
    hold, and the first of those that fare worst."""
    at_a_glance = outcome.experiment.finding
    first = f"{subscripted(at_a_glance(outcome.table))} " if at_a_glance else ""
    return first + _held(outcome, changed=changed)


def _held(outcome: Outcome, *, changed: bool) -> str:
    checks = outcome.checks
    if not checks:
        return _extremes(outcome)
    where = "with these values" if changed else "here"
    of_paper = published(checks)
    if of_paper and len(of_paper) == len(checks) and _fares_worst(checks) == "holds":
        return _all_hold([claim for claim, _ in checks], where)
    worse = _fares_worst(of_paper)
    failing = [claim for claim, check in of_paper if check.verdict == worse]
    return held(checks, where) + (_failing(failing, worse) if worse != "holds" else "")


def _fares_worst(checks: Checks) -> Verdict:
    return worst(check.verdict for _, check in checks)


def _all_hold(claims: Sequence[Claim], where: str) -> str:
    first = subscripted(claims[0].says)
    if len(claims) == 1:
        return f"The paper's observation holds {where}: “{first}”"
    all_ = "Both" if len(claims) == 2 else f"All {len(claims)}"
    return f"{all_} observations hold {where}. The first: “{first}”"


def _failing(claims: Sequence[Claim], verdict: Verdict) -> str:
    """The first of the claims with this verdict, and how many others there are."""
    if not claims:
        return ""
    others = f" And {counted(len(claims) - 1, 'other')}." if claims[1:] else ""
    return f" {capital(verdict)}: “{subscripted(claims[0].says)}”{others}"


def _extremes(outcome: Outcome) -> str:
    """The highest and the lowest value of a table without claims."""
    chart, table = outcome.experiment.chart, outcome.table
    if "metric" not in table or chart.y not in table or table[chart.y].dropna().empty:
        return f"{counted(len(table), 'row')}, and no claim to check."
    value = percent if is_percent(chart.y_title) else "{:.2f}".format
    values = table[chart.y].reset_index(drop=True)
    if len(least(values, value)) == values.notna().sum():
        said = f"{value(values.min())} everywhere"
    else:
        low, high = (_titles(table, rows(values, value)) for rows in (least, greatest))
        said = f"From {value(values.min())} ({low}) to {value(values.max())} ({high})"
    return f"{said}; the paper claims nothing that could be checked here."


def _titles(table: pd.DataFrame, rows: Sequence[str]) -> str:
    """The metrics of some rows, by their numbers."""
    return named([metric_title(name) for name in table["metric"].iloc[[*map(int, rows)]].unique()])


# The claims ---------------------------------------------------------------------------------------


def claim_list(
    checks: Sequence[tuple[Claim | CardClaim, Check]],
    label: str = "What the paper observes",
    *,
    kinds: Mapping[str, str] = _NONE,
    named: Collection[str] = (),
) -> Markup:
    """Each claim with its mark, the numbers it was checked by and, for a paper's, its place.

    kinds  what comes out on other kinds of data, by the ids of the claims, of an experiment on data
    named  the ids of claims that stand out
    """
    checked = [
        (claim, check, *_judged(claim, check), kinds.get(getattr(claim, "id", ""), ""))
        for claim, check in checks
    ]
    return render("claims", "claims", checked=checked, label=label, named=named)


def _judged(claim: Claim | CardClaim, check: Check) -> tuple[Mark, str, str]:
    """The mark of a claim, of what it is said, and under which readings it holds."""
    if isinstance(claim, CardClaim):
        return MARKS[check.holds], "", ""
    readings = check.all_readings
    mark = mark_of(check.verdict, readings)
    return mark, "ours" if claim.ours else SCOPES[claim.scope], readings_told(readings)


def tally_line(checks: Checks, *, n_errata: int = 0) -> Markup:
    """The tally of one experiment, for the gallery.

    n_errata  errata of what the paper prints of it, besides claims that do not hold
    """
    errata = f"{n_errata} {'erratum' if n_errata == 1 else 'errata'} in print" if n_errata else ""
    return render("claims", "tally", mark=tally_mark(checks), errata=errata)


def waiting(words: str) -> Markup:
    """The line that stands in for a tally until there is one."""
    return render("claims", "tally", mark=Mark("", words, "untold"), errata="")


def heading(name: str, title: str) -> Markup:
    """A paper's name and title above its experiments."""
    return render("claims", "paper", name=name, title=title)


def about(experiment: Experiment) -> Markup:
    """The paper, the place in it, and the set-up in words."""
    return render("claims", "about", experiment=experiment)


# Tables -------------------------------------------------------------------------------------------


def readable(table: pd.DataFrame, chart: Chart) -> pd.DataFrame:
    """The table as pages show it: titles of metrics, fractions in percent, plain headings."""
    return drawn.readable(table, [name for name in map(str, table) if _is_fraction(name, chart)])


def rest_of(outcome: Outcome) -> str:
    """How many rows of the table the chart shows."""
    all_, drawn = counted(len(outcome.table), "row"), len(outcome.drawn)
    return f"These {drawn} rows are what the chart draws; the file below has all {all_}."


def _is_fraction(name: str, chart: Chart) -> bool:
    titles = {chart.y: chart.y_title, chart.x: chart.x_title, chart.facet: chart.facet_title}
    return name in _FRACTIONS or is_percent(titles.get(name, ""))


# What a perturbation should do --------------------------------------------------------------------


def expectations(table: pd.DataFrame, *, changed: bool) -> Markup:
    """What recall and precision should do, and under which metrics they do it."""
    if table.empty:
        cannot = "What these steps should do to recall and precision cannot be predicted."
        return note(cannot if changed else "These steps find nothing to change here.")
    expected = [
        (_SHOULD[rows["expected"].iloc[0]].format(str(measure).capitalize()), _outcomes(rows))
        for measure, rows in table.groupby("measure", sort=False)
    ]
    return render("claims", "expectations", expected=expected)


_SHOULD = {
    SAME: "{} should not change: no correct link comes or goes.",
    NOT_FALL: "{} should not fall: no correct link is removed.",
    RISE: "{} should rise: the response got better.",
    FALL: "{} should fall: the response got worse.",
}


def _outcomes(rows: pd.DataFrame) -> list[tuple[Mark, str, list[tuple[str, float]]]]:
    """(mark, words, changes by metric) of the metrics that do as expected, then of the others."""
    outcomes = []
    for kept, words in ((True, "met by"), (False, "not met by")):
        of = rows[rows["kept"] == kept]
        if not of.empty:
            changes = list(zip(of["metric"], of["change"], strict=True))
            outcomes.append((MARKS[kept], words, changes))
    return outcomes
