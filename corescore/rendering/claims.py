"""Claims and their checks → computed sentences and escaped HTML. No Streamlit here."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import pandas as pd
from markupsafe import Markup

from corescore.plots.experiment_marks import is_percent, metric_title
from corescore.replication import Experiment
from corescore.replication.experiment import Chart, Check, Claim, Outcome
from corescore.sentences.markup import escaped, title
from corescore.sentences.names import SIX, TITLES, subscripted
from corescore.wording import RATIOS, counted, listed, percent

Checks = Sequence[tuple[Claim, Check]]
_MARKS = {
    True: ("✓", "holds", "holds"),
    False: ("✗", "does not hold", "fails"),
    None: ("–", "cannot be told here", "untold"),
}
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
)


# Sentences ----------------------------------------------------------------------------------------


def tally(checks: Checks) -> str:
    """4 of 5 hold; 3 of 5 hold, 1 cannot be told."""
    told = [check.holds for _, check in checks]
    if not told:
        return "no claim to check"
    untold = told.count(None)
    more = f", {untold} cannot be told" if untold else ""
    return f"{told.count(True)} of {len(told)} {'holds' if len(told) == 1 else 'hold'}{more}"


def finding(outcome: Outcome, *, changed: bool) -> str:
    """What becomes of the paper's observations, the first that fails by name."""
    checks = outcome.checks
    if not checks:
        return _extremes(outcome)
    where = "with these values" if changed else "here"
    told = [check.holds for _, check in checks]
    if all(told):
        return _all_hold([claim for claim, _ in checks], where)
    held, n = told.count(True), counted(len(told), "observation")
    verb = "holds" if 1 in (held, len(told)) else "hold"
    untold = f"; {told.count(None)} cannot be told" if None in told else ""
    failing = [claim for claim, check in checks if check.holds is False]
    return f"{held} of {n} {verb} {where}{untold}.{_failing(failing)}"


def _all_hold(claims: Sequence[Claim], where: str) -> str:
    first = subscripted(claims[0].says)
    if len(claims) == 1:
        return f"The paper's observation holds {where}: “{first}”"
    all_ = "Both" if len(claims) == 2 else f"All {len(claims)}"
    return f"{all_} observations hold {where}. The first: “{first}”"


def _failing(claims: Sequence[Claim]) -> str:
    if not claims:
        return ""
    others = f" And {counted(len(claims) - 1, 'other')}." if claims[1:] else ""
    return f" What does not hold: “{subscripted(claims[0].says)}”{others}"


def _extremes(outcome: Outcome) -> str:
    """The highest and the lowest figure of a table without claims."""
    chart, table = outcome.experiment.chart, outcome.table
    if "metric" not in table or chart.y not in table or table[chart.y].dropna().empty:
        return f"{counted(len(table), 'row')}, and no claim to check."
    high, low = (table.iloc[at] for at in (table[chart.y].argmax(), table[chart.y].argmin()))
    value = percent if is_percent(chart.y_title) else "{:.2f}".format
    return (
        f"From {value(low[chart.y])} ({metric_title(low['metric'])}) to "
        f"{value(high[chart.y])} ({metric_title(high['metric'])}); the paper "
        "claims nothing that could be checked here."
    )


def overall(checks: Iterable[Checks], *, n_waiting: int) -> str:
    """How many of all claims hold; `n_waiting` experiments are still to be run."""
    told = [check.holds for of_one in checks for _, check in of_one]
    if not told:
        return "The papers' observations are being checked."
    sentence = (
        f"{told.count(True)} of {counted(len(told), 'observation')} hold when they are computed "
        f"again, {told.count(False)} do not"
    )
    sentence += f", and {told.count(None)} cannot be told" if None in told else ""
    return f"{sentence}." if not n_waiting else f"{sentence}; {n_waiting} more to be run."


# The claims ---------------------------------------------------------------------------------------


def claim_list(checks: Checks) -> Markup:
    """Each claim with its mark, in words too, where it stands, and the numbers."""
    items = "".join(_item(claim, check) for claim, check in checks)
    return Markup(f'<ul class="claims" aria-label="What the paper observes">{items}</ul>')


def _item(claim: Claim, check: Check) -> str:
    sign, words, style = _MARKS[check.holds]
    note = f'<p class="beside">{escaped(claim.note)}</p>' if claim.note else ""
    return (
        f'<li class="{style}"><span class="sign" aria-hidden="true">{sign}</span><div>'
        f'<p><b class="verdict">{words}</b> <span class="where">{escaped(claim.where)}</span></p>'
        f"<p>{escaped(claim.says)}</p>"
        f'<p class="figures">{escaped(check.numbers)}</p>{note}</div></li>'
    )


def tally_mark(checks: Checks) -> str:
    """The tally of one experiment, for the gallery."""
    told = [check.holds for _, check in checks]
    style = "fails" if False in told else "untold" if None in told or not told else "holds"
    sign = {"fails": "✗", "untold": "–", "holds": "✓"}[style]
    mark = f'<span class="sign" aria-hidden="true">{sign}</span>'
    return f'<p class="tally {style}">{mark}{escape(tally(checks))}</p>'


def waiting(words: str) -> str:
    """What stands in the place of a tally before there is one."""
    return f'<p class="tally untold">{escape(words)}</p>'


def heading(name: str, title: str) -> str:
    """A paper's name and title over its experiments."""
    return f'<h2 class="paper">{escape(name)}<small>{escape(title)}</small></h2>'


def about(experiment: Experiment) -> str:
    """The paper, the place in it, and the set-up in words."""
    paper = experiment.paper
    return (
        f'<p class="note">{escape(paper.at(experiment.where))} · '
        f"<cite>{escape(paper.full_title)}</cite></p>"
        f'<p class="setup">{escaped(experiment.setup)}</p>'
    )


# Tables -------------------------------------------------------------------------------------------


def readable(table: pd.DataFrame, chart: Chart) -> pd.DataFrame:
    """The table as it is shown: metrics by their titles, fractions in percent, plain headings."""
    shown = {}
    for name in table:
        column, heading = table[name], str(name).replace("_", " ")
        if name == "metric" or column.isin(TITLES).all():
            column = column.map(metric_title)
        if _is_fraction(str(name), chart) and pd.api.types.is_numeric_dtype(column):
            column, heading = 100 * column, f"{RATIOS.get(str(name), heading)} %"
        shown[heading] = column
    return pd.DataFrame(shown)


def rest_of(outcome: Outcome) -> str:
    """What the whole table has beside what is drawn of it."""
    all_, drawn = counted(len(outcome.table), "row"), len(outcome.drawn)
    return f"These {drawn} rows are what the chart draws; the file below has all {all_}."


def with_decimals(table: pd.DataFrame) -> list[str]:
    """The columns in percent, and of numbers that are not all whole."""
    floats = table.select_dtypes("float")
    whole = (floats.isna() | (floats % 1 == 0)).all()
    return [name for name in floats.columns if name.endswith(" %") or not whole[name]]


def _is_fraction(name: str, chart: Chart) -> bool:
    titles = {chart.y: chart.y_title, chart.x: chart.x_title, chart.facet: chart.facet_title}
    return name in _FRACTIONS or is_percent(titles.get(name, ""))


# The conformance sheet ----------------------------------------------------------------------------

SHEET_NOTE = (
    "✓ the answer one would wish for, ✗ not that answer, – both answers have their reasons. The "
    "numbers are below."
)


def sheet_sentence(sheet: pd.DataFrame) -> str:
    """How many questions each metric answers as one would wish."""
    wanted = sheet[sheet["wanted"].notna()]
    n = wanted["question"].nunique()
    passed = wanted["passes"].astype(bool).groupby(wanted["metric"]).sum()
    best = passed.max()
    first = [TITLES[metric] for metric in SIX if passed[metric] == best]
    rest = [f"{TITLES[m]} {passed[m]}" for m in SIX if passed[m] < best]
    return (
        f"Of {counted(n, 'question')} with an answer one would wish for, {listed(first)} "
        f"{'gives' if len(first) == 1 else 'give'} it to {'all' if best == n else best}; "
        f"{listed(rest)}."
    )


def sheet_rows(sheet: pd.DataFrame) -> str:
    """Questions down, the six across; the numbers on hover."""
    heads = "".join(f'<th scope="col">{title(metric)}</th>' for metric in SIX)
    bodies = "".join(
        _sheet_row(rows.iloc[0], [rows[rows["metric"] == metric].iloc[0] for metric in SIX])
        for _, rows in sheet.groupby("question", sort=False)
    )
    return (
        '<div class="scroll"><table class="numbers sheet"><caption>What each metric can and cannot '
        f'tell</caption><thead><tr><th scope="col"></th>{heads}</tr></thead>'
        f"<tbody>{bodies}</tbody></table></div>"
    )


def _sheet_row(question: "pd.Series[Any]", answers: Sequence["pd.Series[Any]"]) -> str:
    header = f"{escape(question['asks'])}<small>{escape(question['source'])}</small>"
    cells = "".join(_sheet_cell(answer) for answer in answers)
    return f'<tr><th scope="row">{header}</th>{cells}</tr>'


def _sheet_cell(answer: "pd.Series[Any]") -> str:
    sign, _, style = _MARKS[answer["passes"]]
    word = "yes" if answer["answer"] else "no"
    return (
        f'<td class="{style}" title="{escape(answer["numbers"])}">'
        f'<span class="sign" aria-hidden="true">{sign}</span>{word}</td>'
    )


def sheet_numbers(sheet: pd.DataFrame) -> pd.DataFrame:
    """The numbers behind the answers: a row a question, a column a metric."""
    numbers = sheet.pivot_table(
        index="asks", columns="metric", values="numbers", aggfunc="first", sort=False
    )
    return numbers[list(SIX)].rename(columns=TITLES).rename_axis("question").reset_index()
